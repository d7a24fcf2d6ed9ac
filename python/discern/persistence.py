"""Models from files, as estimators; and estimators as those of scikit-learn."""

from contextlib import suppress

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from ._base import Classifier, ProbabilityMixin, Regressor
from ._errors import Error
from ._native import core
from .frames import frame_of, is_frame

__all__ = ["LoadedClassifier", "LoadedRegressor", "load"]


def load(path):
    """The model in a file of the command-line tool, of C++ or of `save`, as a fitted estimator.

    It takes arrays with the columns of the fit, in their order, and data frames, whose columns are found by name.
    """
    return wrapped(core.load(str(path)))


def wrapped(model):
    return (LoadedRegressor if model.regression else LoadedClassifier)()._of(model)


class _Loaded:
    def fit(self, X, y):
        """A loaded model is fitted already."""
        raise Error("a loaded model is fitted already; make an estimator to fit another")

    def _of(self, model):
        self._models = (model,)
        self.feature_names_ = np.array(model.columns, dtype=object)
        self.n_features_in_ = len(model.columns)
        with suppress(Error):  # the model is not linear
            self.coef_, self.intercept_ = model.weights, model.bias
        return self

    def _rows(self, X):
        return frame_of(X) if is_frame(X) else super()._rows(X)

    def _ask(self, X, question):
        self._check_fitted()
        rows = self._rows(X)
        return getattr(rows, "dtype", np.float64), [getattr(self._model, question)(rows, True)]


class LoadedClassifier(_Loaded, Classifier, ClassifierMixin, BaseEstimator):
    """A classifier from a file. Classes that are whole numbers in the file are integers here."""

    def _of(self, model):
        names = list(model.classes)
        self.classes_ = np.array([int(name) for name in names] if all(map(is_integer, names)) else names)
        self._places = None
        return super()._of(model)

    def predict(self, X):
        """The label of each row."""
        _, (labels,) = self._ask(X, "labels")
        if isinstance(labels, list):
            places = {name: k for k, name in enumerate(self._model.classes)}
            labels = [places[label] for label in labels]
        return self.classes_[labels]

    def _ordered_probabilities(self, X):
        dtype, (probabilities,) = self._ask(X, "probabilities")
        return probabilities.astype(dtype, copy=False)

    predict_proba = ProbabilityMixin.predict_proba
    predict_log_proba = ProbabilityMixin.predict_log_proba


class LoadedRegressor(_Loaded, Regressor, RegressorMixin, BaseEstimator):
    """A regression from a file."""

    _one_target = True


def is_integer(text):
    return text.lstrip("-").isdigit() and str(int(text)) == text


def scikit_learn_class(estimator):
    """The class of scikit-learn that the estimator stands for, or None."""
    for base in type(estimator).__mro__:
        if base.__module__.startswith("sklearn.") and base.__name__ == type(estimator).__name__:
            return base
    return None


def to_sklearn(estimator):
    """A fitted object of scikit-learn's class of this name, with the same parameters and attributes."""
    cls = scikit_learn_class(estimator)
    if cls is None:
        raise Error(f"scikit-learn has no {type(estimator).__name__}")
    twin = cls(**estimator.get_params(deep=False))
    for name, value in vars(estimator).items():
        if name.endswith("_") and not name.startswith("_"):
            setattr(twin, name, value)
    for name in ("_label_binarizer", "_max_components", "_n_features_out"):
        if name in vars(estimator):
            setattr(twin, name, vars(estimator)[name])
    return twin
