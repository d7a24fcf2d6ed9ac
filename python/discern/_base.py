"""What all estimators share: they validate as scikit-learn does, fit in the library, and ask the fitted model."""

import functools
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import assert_all_finite, check_random_state, compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ._callbacks import CallbackSupportMixin, StopFit, told_to_callbacks, with_callbacks
from ._errors import Error
from ._native import core, option_texts, thread_limit
from .inference import InferenceMixin

FLOATS = (np.float64, np.float32)
NOT_PICKLED = ("_training", "_inferred")


class Estimator(InferenceMixin, CallbackSupportMixin):
    """The base of every estimator. `_models` holds the fitted models of the library: one, or one per target."""

    _doc_link_module = "discern"
    _doc_link_template = ""
    _warns = True  # of a fit that stopped short of its tolerance
    _sparse = True  # takes CSR

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "fit" in cls.__dict__ and hasattr(CallbackSupportMixin, "set_callbacks"):
            cls.fit = with_callbacks(cls.fit)

    if hasattr(CallbackSupportMixin, "set_callbacks"):

        def set_callbacks(self, *callbacks):
            """Sets callbacks of scikit-learn, for all solvers."""
            return CallbackSupportMixin.set_callbacks(self, *callbacks)

    @classmethod
    @functools.cache
    def _get_param_names(cls):
        return super()._get_param_names()

    # Fitting.

    def _training_rows(self, X, y, sample_weight=None, reset=True, **checks):
        """X as rows of float64 or float32 in memory, y, and the weights as float64 (or None)."""
        if reset and not checks and is_plain(X) and is_labels(y, len(X)):
            self.n_features_in_ = X.shape[1]
            self.__dict__.pop("feature_names_in_", None)
        else:
            checks = {"accept_sparse": "csr" if self._sparse else False, "dtype": FLOATS, "order": "C"} | checks
            X, y = validate_data(self, X, y, reset=reset, ensure_all_finite=False, **checks)
            X = canonical(X)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        return X, y, sample_weight

    def _learn(self, model, options, X, y, classes=None, sample_weight=None, **settings):
        """One fit of the library. `classes` are names, and y indices into them; None: y are numbers."""
        settings["threads"] = thread_limit(getattr(self, "n_jobs", None))
        settings["seed"] = self._seed()
        if sample_weight is not None:
            if not np.any(sample_weight):
                raise ValueError("Sample weights must contain at least one non-zero number.")
            settings["sample_weight"] = np.ascontiguousarray(sample_weight, dtype=np.float64)
        if getattr(self, "feature_names_in_", None) is not None and "start" not in settings:
            settings["feature_names"] = unique_names(self.feature_names_in_)
        y = np.ascontiguousarray(y, dtype=np.float64 if classes is None else np.int32)
        try:
            fitted, stopped_by = core.fit(model, option_texts(options), X, y, classes, settings, progress_of(self))
        except Error as error:
            refuse_odd_numbers(X, error)
            raise
        self._stopped_by = stopped_by or getattr(self, "_stopped_by", None)
        return fitted

    def _seed(self):
        state = getattr(self, "random_state", None)
        return 0 if state is None else int(check_random_state(state).randint(np.iinfo(np.int32).max))

    def _keep(self, *models, training=None):
        """Keeps the models, and warns of those that stopped short. Ctrl-C is raised when all has been kept."""
        self._models = models
        self._training = training
        for model in models if self._warns else ():
            if not (model.converged or model.interrupted):
                warnings.warn(unconverged(model), ConvergenceWarning, stacklevel=4)

    def _finish(self):
        stopped_by = self.__dict__.pop("_stopped_by", None)
        if stopped_by is not None and not isinstance(stopped_by, StopFit):
            raise stopped_by
        return self

    # Asking.

    @property
    def _model(self):
        self._check_fitted()
        return self._models[0]

    def _rows(self, X):
        if is_plain(X) and X.shape[1] == self.n_features_in_ and "feature_names_in_" not in self.__dict__:
            return X
        checks = {"accept_sparse": "csr" if self._sparse else False, "dtype": FLOATS, "order": "C"}
        return canonical(validate_data(self, X, reset=False, ensure_all_finite=False, **checks))

    def _ask(self, X, question):
        """What each model answers to `question` (a method of it) about the rows."""
        self._check_fitted()
        X = self._rows(X)
        try:
            return X.dtype, [getattr(model, question)(X) for model in self._models]
        except Error as error:
            refuse_odd_numbers(X, error)
            raise

    def __getstate__(self):
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name not in NOT_PICKLED}

    # How the fit ended.

    @property
    def converged_(self):
        """Whether every certificate is within its tolerance."""
        return all(model.converged for model in self._fitted_models())

    @property
    def certificate_(self):
        """What proves the fit: its kind and value, beside the tolerance. The worst, if there are several."""
        model = max(self._fitted_models(), key=lambda model: model.certificate["value"])
        return {**model.certificate, "tolerance": model.tolerance}

    @property
    def objective_(self):
        """The minimum found: the sum of the losses and the penalties, over all targets. None: there is none."""
        values = [model.objective for model in self._fitted_models()]
        return None if None in values else float(sum(values))

    @property
    def algorithm_(self):
        """The solver that was chosen."""
        return self._model.solver

    @property
    def notes_(self):
        """What the library has to say about the fit."""
        return [note for model in self._fitted_models() for note in model.warnings]

    @property
    def facts_(self):
        """What else the algorithm found, by name."""
        return dict(self._model.facts)

    def _fitted_models(self):
        self._check_fitted()
        return self._models

    def _check_fitted(self):
        if "_models" not in self.__dict__:
            check_is_fitted(self, "_models")

    def save(self, path):
        """Writes the model to a file that the command-line tool and the C++ library read, too."""
        if len(self._fitted_models()) > 1:
            raise Error("a file holds one model, and this estimator has one for each target: save them apart")
        self._model.save(str(path))

    def to_sklearn(self):
        """A fitted object of scikit-learn's class of this name that predicts the same."""
        from .persistence import to_sklearn

        self._check_fitted()
        return to_sklearn(self)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._sparse
        tags.array_api_support = False
        return tags


class Classifier(Estimator):
    """Labels in, labels, scores and probabilities out."""

    def _coded(self, y, classes=None):
        """Sets classes_, and gives the labels as indices and the names of the classes."""
        if y.dtype.kind not in "biuUS":  # integers, booleans and texts are labels whatever they are
            check_classification_targets(y)
        if classes is None:
            self.classes_, codes = np.unique(y, return_inverse=True)
        else:
            self.classes_ = classes
            codes = np.searchsorted(classes, y)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs samples of at least 2 classes in the data, but the data contains "
                f"only one class: {self.classes_[0]!r}"
            )
        return codes.astype(np.int32), class_names(self.classes_)

    def _weighted(self, y, sample_weight, class_weight=None):
        """The sample weights times the weights of the classes, or None."""
        class_weight = getattr(self, "class_weight", None) if class_weight is None else class_weight
        if class_weight is None:
            return sample_weight
        weights = compute_class_weight(class_weight, classes=self.classes_, y=y, **balance(sample_weight))
        weights = weights[np.searchsorted(self.classes_, y)]
        return weights if sample_weight is None else weights * sample_weight

    def _learn_classes(self, model, options, X, codes, names, sample_weight=None, **settings):
        if len(names) == 2:
            settings["positive"] = names[1]
        return self._learn(model, options, X, codes, names, sample_weight, **settings)

    def _keep(self, *models, training=None):
        names, given = list(models[0].classes), class_names(self.classes_)
        self._places = None if names == given or len(names) < 3 else np.array([names.index(name) for name in given])
        super()._keep(*models, training=training)

    def _set_planes(self, model, dtype):
        """coef_ and intercept_ of a linear model, in the order of classes_."""
        weights, bias = model.weights, model.bias
        if len(bias) > 1:
            names = list(model.classes)
            places = [names.index(name) for name in class_names(self.classes_)]
            weights, bias = weights[places], bias[places]
        self.coef_ = np.ascontiguousarray(weights, dtype=dtype)
        fitted = getattr(self, "fit_intercept", True)
        self.intercept_ = np.ascontiguousarray(bias, dtype=dtype) if fitted else np.zeros(len(bias), dtype)

    def _arranged(self, columns):
        """The columns of K > 2 classes in the order of classes_."""
        return columns if self._places is None else columns[:, self._places]

    def decision_function(self, X):
        """The scores of the rows: of two classes one number, above zero for the second class."""
        dtype, (scores,) = self._ask(X, "scores")
        return self._shaped_scores(scores).astype(dtype, copy=False)

    def _shaped_scores(self, scores):
        if scores.shape[1] == 1:
            return scores[:, 0]
        if len(self.classes_) == 2:
            return scores[:, 1] - scores[:, 0]
        return self._arranged(scores)

    def predict(self, X):
        """The label of each row."""
        _, (codes,) = self._ask(X, "labels")
        if self._places is not None:
            codes = np.argsort(self._places)[codes]
        elif len(self.classes_) == 2 and self._model.classes[1] != class_names(self.classes_)[1]:
            codes = 1 - codes
        return self.classes_[codes]

    def _ordered_probabilities(self, X):
        dtype, (probabilities,) = self._ask(X, "probabilities")
        if len(self.classes_) == 2:
            probabilities = probabilities if self._model.classes[1] == self._model.positive else probabilities[:, ::-1]
        else:
            probabilities = self._arranged(probabilities)
        return probabilities.astype(dtype, copy=False)


class ProbabilityMixin:
    """For classifiers with probabilities."""

    def predict_proba(self, X):
        """The probability of each class for each row."""
        return self._ordered_probabilities(X)

    def predict_log_proba(self, X):
        """The logarithms of the probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))


class SomeProbabilitiesMixin:
    """For classifiers whose model may have probabilities."""

    def _gives_probabilities(self):
        models = self.__dict__.get("_models")
        return models is None or models[0].has_probabilities

    @available_if(lambda self: self._gives_probabilities())
    def predict_proba(self, X):
        """The probability of each class for each row."""
        return self._ordered_probabilities(X)

    @available_if(lambda self: self._gives_probabilities())
    def predict_log_proba(self, X):
        """The logarithms of the probabilities."""
        return ProbabilityMixin.predict_log_proba(self, X)


class Regressor(Estimator):
    """Numbers in, numbers out; several targets are fitted one by one."""

    def _learn_targets(self, model, options_of, X, y, sample_weight=None, starts=None, **settings):
        """A model for each column of y; `options_of(j)` are the options of column j."""
        columns = y.reshape(len(y), -1).T
        starts = starts or [None] * len(columns)
        return [
            self._learn(model, options_of(j), X, column, None, sample_weight, start=start, **settings)
            for j, (column, start) in enumerate(zip(columns, starts))
        ]

    def predict(self, X):
        """The predicted number of each row (and target)."""
        dtype, columns = self._ask(X, "predictions")
        shaped = columns[0] if self._one_target else np.column_stack(columns)
        return shaped.astype(dtype, copy=False)

    def _set_planes(self, models, y, dtype):
        """coef_ and intercept_ in scikit-learn's shapes."""
        self._one_target = y.ndim == 1
        weights = np.vstack([model.weights for model in models]).astype(dtype)
        bias = np.array([model.bias[0] for model in models]).astype(dtype)
        self.coef_ = weights[0] if self._one_target else weights
        if not self.fit_intercept:
            self.intercept_ = 0.0
        else:
            self.intercept_ = bias[0] if self._one_target else bias


def is_plain(X):
    """Whether there is nothing to validate or convert: rows of float64 or float32 in C order."""
    return type(X) is np.ndarray and X.ndim == 2 and X.dtype.char in "df" and X.flags.c_contiguous and X.size > 0


def is_labels(y, rows):
    """The same for labels: integers or booleans, one per row."""
    return type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biu" and len(y) == rows


def canonical(X):
    """CSR with the entries of a row in order, none twice."""
    if sp.issparse(X) and not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def balance(sample_weight):
    """The weights as compute_class_weight takes them, where it does."""
    from inspect import signature

    if sample_weight is None or "sample_weight" not in signature(compute_class_weight).parameters:
        return {}
    return {"sample_weight": sample_weight}


def class_names(classes):
    """The classes as the texts that the model file has."""
    return [class_name(label) for label in classes.tolist()]


def class_name(label):
    if isinstance(label, bool):
        return "true" if label else "false"
    if isinstance(label, float) and label.is_integer():
        return str(int(label))
    return str(label)


def unique_names(names):
    """The names of the columns; where two are equal, numbers."""
    names = [str(name) for name in names]
    return names if len(set(names)) == len(names) else [f"x{j + 1}" for j in range(len(names))]


def refuse_odd_numbers(X, error):
    """Says it as scikit-learn does if the fault is a number that is not finite."""
    if error.code == "data":
        assert_all_finite(X, input_name="X")


def unconverged(model):
    certificate = model.certificate
    reasons = "".join(f" {note}" for note in model.warnings)
    return (
        f"{model.name} failed to converge: {certificate['kind']} {certificate['value']:.3g} > {model.tolerance:.3g} "
        f"after {model.iterations} iterations ({model.solver}). Increase max_iter, or scale the data.{reasons}"
    )


def progress_of(estimator):
    """Where `verbose` asks for it: a line about the progress, on a terminal or in a notebook."""
    from ._progress import ProgressLine

    return told_to_callbacks(estimator, ProgressLine() if getattr(estimator, "verbose", 0) else None)
