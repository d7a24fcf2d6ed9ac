"""Estimators that take a raw table: text columns, missing cells and all; the library's pipeline is inside.

Text is encoded as indicators, missing cells are filled in, and columns are standardised. Columns are found by their
names. A category that training did not have counts as none of the known ones, or is refused with unseen="error".
"""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_array
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import _check_feature_names, _check_n_features, check_consistent_length, column_or_1d
from sklearn.utils.validation import _check_sample_weight

from ._base import Classifier, SomeProbabilitiesMixin, Regressor, class_names
from ._native import core
from .frames import add_column, columns_of, free_name, is_frame

__all__ = ["TableClassifier", "TableRegressor"]


class _Table:
    """A model of the library by its name, with the library's options, on a table."""

    _sparse = False
    _parameter_constraints = {
        "model": [str],
        "options": [dict, None],
        "standardize": ["boolean"],
        "basis": [str],
        "unseen": [StrOptions({"ignore", "error"})],
        "random_state": ["random_state"],
        "n_jobs": [None, Integral],
    }

    def _table(self, X, reset):
        """The columns of X as a frame of the library."""
        if not is_frame(X):
            X = check_array(X, dtype=None, ensure_all_finite=False, estimator=self, input_name="X")
            if X.dtype.kind == "c":
                raise ValueError("Complex data not supported")
            if X.dtype.kind == "f" and np.isinf(X).any():
                raise ValueError("Input X contains infinity or a value too large for dtype('float64').")
        if hasattr(X, "shape"):
            _check_feature_names(self, X, reset=reset)
            _check_n_features(self, X, reset=reset)
        columns = columns_of(X)
        if reset:
            self.n_features_in_ = len(columns)
        frame = core.Frame()
        for name, values in columns:
            add_column(frame, name, values)
        return frame, [name for name, _ in columns]

    def _fit_table(self, X, frame, names, target, classes, sample_weight, **settings):
        settings |= {"standardize": self.standardize, "encode": True, "impute": True, "basis": self.basis}
        if sample_weight is not None:
            weights = free_name("sample_weight", [*names, target])
            frame.add_numbers(weights, sample_weight)
            settings["weight_column"] = weights
        return self._learn_frame(self.model, self.options or {}, frame, target, classes, settings)

    def _learn_frame(self, model, options, frame, target, classes, settings):
        from ._base import progress_of
        from ._native import option_texts, thread_limit

        settings |= {"threads": thread_limit(self.n_jobs), "seed": self._seed()}
        fitted, self._stopped_by = core.fit(
            model, option_texts(options), frame, target, classes, settings, progress_of(self)
        )
        return fitted

    def _ask(self, X, question):
        self._check_fitted()
        frame, _ = self._table(X, reset=False)
        return np.float64, [getattr(self._model, question)(frame, self.unseen == "ignore")]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def checked_weights(sample_weight, rows):
    """The weights of the rows as float64; None: there are none."""
    if sample_weight is None:
        return None
    return _check_sample_weight(sample_weight, np.empty((rows, 1)), dtype=np.float64, ensure_non_negative=True)


class TableClassifier(_Table, SomeProbabilitiesMixin, Classifier, ClassifierMixin, BaseEstimator):
    """Any classifier of the library on a raw table.

    Parameters
    ----------
    model : str
        A name that ``discern models`` lists: "logistic", "svm", "lda", "naive-bayes", ...
    options : dict or None
        Options of the model, such as {"l2": 0.1}.
    standardize : bool
        Let penalties act on standardised columns.
    basis : str
        Functions of the columns, such as "poly:2".
    unseen : "ignore" or "error"
        What to do with a category that training did not have.
    """

    def __init__(
        self,
        model="logistic",
        *,
        options=None,
        standardize=True,
        basis="",
        unseen="ignore",
        random_state=None,
        n_jobs=None,
    ):
        self.model = model
        self.options = options
        self.standardize = standardize
        self.basis = basis
        self.unseen = unseen
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Fits the model to a table and labels."""
        self._validate_params()
        frame, names = self._table(X, reset=True)
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        y = column_or_1d(
            check_array(y, ensure_2d=False, dtype=None, input_name="y") if not hasattr(y, "to_numpy") else y.to_numpy(),
            warn=True,
        )
        check_consistent_length(np.empty(frame.rows), y)
        codes, classes = self._coded(y)
        target = free_name("target", names)
        frame.add_text(target, classes, codes)
        sample_weight = checked_weights(sample_weight, frame.rows)
        positive = {"positive": classes[1]} if len(classes) == 2 else {}
        self._keep(self._fit_table(X, frame, names, target, classes, sample_weight, **positive))
        return self._finish()

    def predict(self, X):
        """The label of each row."""
        _, (labels,) = self._ask(X, "labels")
        places = {name: k for k, name in enumerate(class_names(self.classes_))}
        return self.classes_[[places[label] for label in labels]]


class TableRegressor(_Table, Regressor, RegressorMixin, BaseEstimator):
    """Any regression of the library on a raw table; the parameters are those of TableClassifier.

    ``model`` is "least-squares", "ridge", "lasso", "elastic-net", "mlp" or "rbf-network".
    """

    def __init__(
        self,
        model="ridge",
        *,
        options=None,
        standardize=True,
        basis="",
        unseen="ignore",
        random_state=None,
        n_jobs=None,
    ):
        self.model = model
        self.options = options
        self.standardize = standardize
        self.basis = basis
        self.unseen = unseen
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Fits the model to a table and numbers."""
        self._validate_params()
        frame, names = self._table(X, reset=True)
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        y = column_or_1d(check_array(y, ensure_2d=False, dtype=np.float64, input_name="y"), warn=True)
        check_consistent_length(np.empty(frame.rows), y)
        target = free_name("target", names)
        frame.add_numbers(target, np.ascontiguousarray(y, dtype=np.float64))
        sample_weight = checked_weights(sample_weight, frame.rows)
        self._one_target = True
        self._keep(self._fit_table(X, frame, names, target, None, sample_weight))
        return self._finish()
