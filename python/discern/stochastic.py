"""scikit-learn's stochastic estimators, and the perceptron."""

import numpy as np
import sklearn.linear_model as sk
from sklearn.utils.metaestimators import available_if

from ._arguments import refuse, weight_of
from ._base import Classifier, Regressor


class _SGD:
    """scikit-learn's stochastic estimators minimise alpha-penalised mean losses. These do so exactly.

    With n the sum of the sample weights, l2 = n alpha (1 - l1_ratio) and l1 = n alpha l1_ratio. How far a descent goes
    and from where (`tol`, `max_iter`, `eta0`, ...) makes no difference to a minimum; what makes its end another point
    (`average`, `early_stopping`) or another descent (`learning_rate`, `power_t`) is refused. `partial_fit` takes one
    stochastic pass over its rows.
    """

    def _check(self):
        self._validate_params()
        default = type(self)()
        for name in ("learning_rate", "early_stopping", "average", "power_t"):
            refuse(self, **{name: getattr(self, name) != getattr(default, name)})

    def _penalties(self, total):
        if self.penalty == "elasticnet" and self.l1_ratio is None:
            raise ValueError("l1_ratio must be set when penalty is 'elasticnet'")
        ratio = {"l2": 0.0, "l1": 1.0, "elasticnet": self.l1_ratio, None: 0.0}[self.penalty]
        strength = 0.0 if self.penalty is None else total * self.alpha
        return {"l1": ratio * strength, "l2": (1 - ratio) * strength}

    def _exact(self, total):
        return {**self._penalties(total), "no_bias": not self.fit_intercept, "max_iter": max(1000, self.max_iter)}

    def _pass(self, total):
        order = {"order": "shuffled" if self.shuffle else "given"}
        return {**self._penalties(total), "no_bias": not self.fit_intercept, "solver": "sgd", "epochs": 1, **order}


class SGDClassifier(_SGD, Classifier, sk.SGDClassifier):
    """Linear classifiers with scikit-learn's SGD interface: hinge, squared_hinge and log_loss."""

    _MODELS = {
        "hinge": ("svm", {"loss": "hinge"}),
        "squared_hinge": ("svm", {"loss": "squared-hinge"}),
        "log_loss": ("logistic", {}),
        "squared_error": ("least-squares", {}),
    }

    def fit(self, X, y, coef_init=None, intercept_init=None, sample_weight=None):
        """Fits the model to rows, labels and weights."""
        self._check()
        self._refuse_start(coef_init, intercept_init)
        self.__dict__.pop("t_", None)
        X, y, sample_weight = self._training_rows(X, y, sample_weight)
        codes, names = self._coded(y)
        return self._fit_rows(X, y, codes, names, sample_weight, self._exact)

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """One stochastic pass over the rows, from the weights so far. Every class needs a row."""
        self._check()
        first = not hasattr(self, "classes_")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        if self.class_weight == "balanced":
            raise ValueError(
                "class_weight 'balanced' is not supported for partial_fit. In order to use 'balanced' weights, use "
                "compute_class_weight('balanced', classes=classes, y=y)."
            )
        X, y, sample_weight = self._training_rows(X, y, sample_weight, reset=first)
        if not first and classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )
        codes, names = self._coded(y, np.unique(classes) if first else self.classes_)
        start = {} if first else {"start": self._models[0]}
        return self._fit_rows(X, y, codes, names, sample_weight, self._pass, **start)

    def _fit_rows(self, X, y, codes, names, sample_weight, options, **settings):
        if self.loss == "perceptron":
            raise ValueError(
                f"{type(self).__name__}: the minimum of loss='perceptron' is no plane at all; take Perceptron"
            )
        refuse(self, loss=self.loss not in self._MODELS)
        model, fixed = self._MODELS[self.loss]
        weights = self._weighted(y, sample_weight)
        several = {"multiclass": {"multiclass": "ovr"}} if len(names) > 2 else {}
        chosen = {**options(weight_of(y, sample_weight)), **fixed}
        fitted = self._learn_classes(model, chosen, X, codes, names, weights, **several, **settings)
        self._set_planes(fitted, X.dtype)
        self.n_iter_ = int(max(1, fitted.iterations)) if options == self._exact else 1
        self.t_ = float(self.__dict__.get("t_", 1.0) + len(y) * self.n_iter_)
        self._warns = options == self._exact
        self._keep(fitted)
        return self._finish()

    @staticmethod
    def _refuse_start(coef, intercept):
        if coef is not None or intercept is not None:
            raise ValueError("coef_init and intercept_init are not supported: a minimum does not depend on its start")

    @available_if(lambda self: self.loss == "log_loss")
    def predict_proba(self, X):
        """The probability of each class for each row; of log_loss only."""
        return self._ordered_probabilities(X)

    @available_if(lambda self: self.loss == "log_loss")
    def predict_log_proba(self, X):
        """The logarithms of the probabilities."""
        return np.log(self.predict_proba(X))


class SGDRegressor(_SGD, Regressor, sk.SGDRegressor):
    """Linear regression with scikit-learn's SGD interface: squared_error."""

    def fit(self, X, y, coef_init=None, intercept_init=None, sample_weight=None):
        """Fits the model to rows, targets and weights."""
        self._check()
        SGDClassifier._refuse_start(coef_init, intercept_init)
        self.__dict__.pop("t_", None)
        return self._fit_rows(X, y, sample_weight, True, self._exact)

    def partial_fit(self, X, y, sample_weight=None):
        """One stochastic pass over the rows, from the weights so far."""
        self._check()
        first = not hasattr(self, "coef_")
        starts = None if first else self._models
        return self._fit_rows(X, y, sample_weight, first, self._pass, starts)

    def _fit_rows(self, X, y, sample_weight, reset, options, starts=None):
        refuse(self, loss=self.loss != "squared_error")
        X, y, sample_weight = self._training_rows(X, y, sample_weight, reset=reset, y_numeric=True)
        chosen = options(weight_of(y, sample_weight))
        models = self._learn_targets("least-squares", lambda j: chosen, X, y, sample_weight, starts)
        self._set_planes(models, y, X.dtype)
        self.intercept_ = np.atleast_1d(self.intercept_)
        self.n_iter_ = int(max(1, models[0].iterations)) if options == self._exact else 1
        self.t_ = float(self.__dict__.get("t_", 1.0) + len(y) * self.n_iter_)
        self._warns = options == self._exact
        self._keep(*models)
        return self._finish()


class Perceptron(Classifier, sk.Perceptron):
    """Rosenblatt's perceptron with a fixed increment; one against the rest for more than two classes.

    With shuffle=False the rows correct one after the other, in their order. With shuffle=True, where the order is left
    to chance, all that are misclassified correct at once (the batch perceptron), and the mean of all weights met is
    kept: then a weight of two counts as two rows, and nothing depends on the order. It ends when a pass makes no
    mistake, or after `max_iter` passes; a `tol` other than None and the default is refused. There is no partial_fit.
    """

    _warns = False

    def fit(self, X, y, coef_init=None, intercept_init=None, sample_weight=None):
        """Fits the model to rows, labels and weights."""
        SGDClassifier._refuse_start(coef_init, intercept_init)
        X, y, sample_weight = self._training_rows(X, y, sample_weight)
        codes, names = self._coded(y)
        return self._fit_rows(X, y, codes, names, sample_weight, self.max_iter)

    @property
    def partial_fit(self):
        raise AttributeError("Perceptron has no partial_fit; SGDClassifier has")

    def _fit_rows(self, X, y, codes, names, sample_weight, epochs):
        self._validate_params()
        refuse(
            self,
            penalty=self.penalty is not None,
            early_stopping=self.early_stopping,
            warm_start=self.warm_start,
            tol=self.tol not in (None, sk.Perceptron().tol),
        )
        options = {"learning_rate": self.eta0, "epochs": epochs, "no_bias": not self.fit_intercept}
        options |= {"variant": "batch", "averaged": True} if self.shuffle else {"variant": "sequential"}
        several = {"multiclass": {"multiclass": "ovr"}} if len(names) > 2 else {}
        model = self._learn_classes("perceptron", options, X, codes, names, self._weighted(y, sample_weight), **several)
        self._set_planes(model, X.dtype)
        self.n_iter_ = int(max(1, min(model.iterations, epochs)))
        self.t_ = float(1 + len(y) * self.n_iter_)
        self._keep(model)
        return self._finish()
