"""Networks: scikit-learn's multilayer perceptrons, and networks of radial units."""

from numbers import Integral, Real

import numpy as np
import sklearn.neural_network as sk
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.preprocessing import LabelBinarizer
from sklearn.utils._param_validation import Interval, StrOptions

from ._base import Classifier, SomeProbabilitiesMixin, ProbabilityMixin, Regressor
from .inference import tensors_of
from ._arguments import refuse

__all__ = ["MLPClassifier", "MLPRegressor", "RBFNetwork"]


class _Network:
    """Translates the arguments of scikit-learn's networks.

    The library centres and scales the columns, and the target of a regression, before it learns; the penalty of the
    first layer acts on the scale of the columns. The stochastic solvers take all their `max_iter` epochs, or with
    early_stopping until `n_iter_no_change` of them have been no better; a `tol` other than the default is refused, as is
    an `n_iter_no_change` that would end them without early_stopping. There are no sample weights.
    """

    _sparse = False

    def _options(self, rows, epochs=None):
        self._validate_params()
        stochastic = self.solver != "lbfgs"
        refuse(
            self,
            beta_2=self.solver == "adam" and self.beta_2 != 0.999,
            epsilon=self.solver == "adam" and self.epsilon != 1e-8,
            nesterovs_momentum=self.solver == "sgd" and self.nesterovs_momentum and self.momentum > 0,
            learning_rate=self.solver == "sgd" and self.learning_rate == "adaptive",
            power_t=self.solver == "sgd" and self.learning_rate == "invscaling" and self.power_t != 0.5,
            max_fun=not stochastic and self.max_fun != 15000,
            tol=stochastic and self.tol != 1e-4,
            n_iter_no_change=stochastic
            and not self.early_stopping
            and self.n_iter_no_change not in (10, np.inf)
            and self.n_iter_no_change < self.max_iter,
            loss=getattr(self, "loss", "squared_error") not in ("squared_error", "log_loss"),
        )
        layers = np.atleast_1d(self.hidden_layer_sizes)
        if np.any(layers <= 0):
            raise ValueError(f"hidden_layer_sizes must be > 0, got {layers.tolist()}.")
        options = {
            "layers": ",".join(map(str, layers)) or "0",
            "activation": {"identity": "linear"}.get(self.activation, self.activation),
            "l2": self.alpha,
        }
        if not stochastic:
            return options | {"solver": "lbfgs", "tol": 0.1 * self.tol, "max_iter": self.max_iter}
        update = {"adam": "adam", "sgd": "momentum" if self.momentum > 0 else "plain"}[self.solver]
        momentum = {"adam": self.beta_1, "momentum": self.momentum}.get(update)
        schedule = "inverse-sqrt" if self.solver == "sgd" and self.learning_rate == "invscaling" else "constant"
        return options | {
            "solver": "sgd",
            "update": update,
            **({} if momentum is None else {"momentum": momentum}),
            "learning_rate": self.learning_rate_init,
            "schedule": schedule,
            "batch_size": min(rows, 200 if self.batch_size == "auto" else self.batch_size),
            "epochs": epochs or self.max_iter,
            "order": "shuffled" if self.shuffle else "given",
            **self._early_stopping(epochs),
        }

    def _early_stopping(self, epochs):
        if not self.early_stopping or epochs is not None:
            return {}
        patience = int(min(self.n_iter_no_change, max(1, self.max_iter)))
        return {"early_stopping": True, "held_out": self.validation_fraction, "patience": patience}

    def _set_layers(self, model, rows):
        """coefs_ and intercepts_ of the columns as they are: W (x - c) / s + b."""
        tensors = tensors_of(model)
        count = sum(name.endswith(".weights") and name.startswith("layer.") for name in tensors)
        weights = [tensors[f"layer.{k}.weights"] for k in range(count)]
        bias = [tensors[f"layer.{k}.bias"] for k in range(count)]
        if "scale" in tensors:
            weights[0] = weights[0] / tensors["scale"]
            bias[0] = bias[0] - weights[0] @ tensors["center"]
        self.coefs_, self.intercepts_ = [w.T for w in weights], bias
        self.n_layers_, self.n_outputs_ = count + 1, len(bias[-1])
        self.n_iter_ = max(1, model.iterations)
        self.t_ = self.n_iter_ * rows
        self.loss_ = model.objective / rows if model.objective is not None else None
        self.best_loss_ = self.loss_
        self._warns = self.solver == "lbfgs"

    def _before(self):
        return {"start": self._models[0]} if "_models" in self.__dict__ else {}


class MLPClassifier(_Network, ProbabilityMixin, Classifier, sk.MLPClassifier):
    """The multilayer perceptron, with scikit-learn's arguments. Several labels per row are not supported."""

    decision_function = property(doc="A network has probabilities instead.")

    def fit(self, X, y):
        """Fits the network to rows and labels."""
        return self._fit_rows(X, y, None, None, self.warm_start)

    def partial_fit(self, X, y, classes=None):
        """One epoch over the rows, from the weights so far. Every class needs a row."""
        if self.solver == "lbfgs":
            raise AttributeError("partial_fit is only available for stochastic optimizers. lbfgs is not stochastic.")
        if not hasattr(self, "classes_") and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        return self._fit_rows(X, y, np.unique(classes) if classes is not None else self.classes_, 1, True)

    def _fit_rows(self, X, y, classes, epochs, go_on):
        before = self._before() if go_on else {}
        X, y, _ = self._training_rows(X, y, reset=not (before and epochs))
        codes, names = self._coded(y, classes)
        options = self._options(len(X), epochs)
        model = self._learn_classes("mlp", options, X, codes, names, **before)
        self._set_layers(model, len(X))
        self.out_activation_ = "softmax" if len(names) > 2 else "logistic"
        self._label_binarizer = LabelBinarizer().fit(self.classes_)  # for to_sklearn
        self._keep(model)
        return self._finish()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = False
        return tags


class MLPRegressor(_Network, Regressor, sk.MLPRegressor):
    """The multilayer perceptron for numbers, with scikit-learn's arguments; one target."""

    def fit(self, X, y):
        """Fits the network to rows and targets."""
        return self._fit_rows(X, y, None, self.warm_start)

    def partial_fit(self, X, y):
        """One epoch over the rows, from the weights so far."""
        if self.solver == "lbfgs":
            raise AttributeError("partial_fit is only available for stochastic optimizers. lbfgs is not stochastic.")
        return self._fit_rows(X, y, 1, True)

    def _fit_rows(self, X, y, epochs, go_on):
        before = self._before() if go_on else {}
        X, y, _ = self._training_rows(X, y, reset=not (before and epochs), y_numeric=True)
        model = self._learn("mlp", self._options(len(X), epochs), X, y, **before)
        self._one_target = True
        self._set_layers(model, len(X))
        self.out_activation_ = "identity"
        self._keep(model)
        return self._finish()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags


class RBFNetwork(SomeProbabilitiesMixin, Classifier, ClassifierMixin, BaseEstimator):
    """A network of radial units: it places them, and fits linear scores of them.

    Parameters
    ----------
    centers : int
        Number of radial units.
    placement : "kmeans", "random", "em" or "ols"
        How the centres are found.
    unit : "gaussian" or "inverse-quadratic"
        The function of the distance from a centre.
    width : "auto", "neighbours", "cluster" or float
        Width of the units.
    loss : "squared" or "logistic"
        What the score of a row costs; "logistic" gives probabilities.
    l2 : float
        Penalty on the squares of the output weights.
    standardize : bool
        Measure distances in standardised columns.
    """

    _sparse = False
    _parameter_constraints = {
        "centers": [Interval(Integral, 1, None, closed="left")],
        "placement": [StrOptions({"random", "kmeans", "em", "ols"})],
        "unit": [StrOptions({"gaussian", "inverse-quadratic"})],
        "width": [StrOptions({"auto", "neighbours", "cluster"}), Interval(Real, 0, None, closed="neither")],
        "loss": [StrOptions({"squared", "logistic"})],
        "l2": [Interval(Real, 0, None, closed="left")],
        "standardize": ["boolean"],
        "random_state": ["random_state"],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        centers=20,
        *,
        placement="kmeans",
        unit="gaussian",
        width="auto",
        loss="squared",
        l2=1.0,
        standardize=True,
        random_state=None,
        n_jobs=None,
    ):
        self.centers = centers
        self.placement = placement
        self.unit = unit
        self.width = width
        self.loss = loss
        self.l2 = l2
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Places the units, and fits the scores."""
        self._validate_params()
        X, y, _ = self._training_rows(X, y)
        codes, names = self._coded(y)
        options = {name: getattr(self, name) for name in ("placement", "unit", "width", "loss", "l2")}
        options["centers"] = min(self.centers, len(X))
        model = self._learn_classes("rbf-network", options, X, codes, names, standardize=self.standardize)
        tensors = tensors_of(model)
        self.centers_ = next(tensor for name, tensor in tensors.items() if name.endswith(".centers"))
        self._keep(model)
        return self._finish()

    def _gives_probabilities(self):
        return self.loss == "logistic"
