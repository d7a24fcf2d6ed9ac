"""Naive Bayes with scikit-learn's interface, and MixedNB: a density of its own for every column."""

import warnings
from numbers import Integral, Real

import numpy as np
import scipy.sparse as sp
import sklearn.naive_bayes as sk
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_non_negative

from ._base import Classifier, ProbabilityMixin
from ._native import core, option_texts, thread_limit
from .discriminant_analysis import priors_text
from .inference import tensors_of
from ._arguments import refuse

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianNB", "MixedNB", "MultinomialNB"]


class _NaiveBayes(ProbabilityMixin, Classifier):
    """Fits go on from the statistics that a model keeps, so that partial_fit gives the fit of all rows together."""

    decision_function = property(doc="Naive Bayes has probabilities instead.")

    def fit(self, X, y, sample_weight=None):
        """Fits the model to rows, labels and weights."""
        before = dict(self.__dict__)
        try:
            return self._fit_rows(X, y, None, sample_weight, True)
        except Exception:
            self.__dict__ = before  # what was fitted before stays as it was
            raise

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Goes on with more rows. The first call names all classes, and has a row of each."""
        first = "_models" not in self.__dict__
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        if not first and classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(
                f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
            )
        classes = np.unique(classes) if first else self.classes_
        unknown = np.setdiff1d(np.unique(y), classes)
        if len(unknown):
            raise ValueError(f"The target label(s) {unknown} in y do not exist in the initial classes {classes}")
        return self._fit_rows(X, y, classes, sample_weight, first)

    def _fit_rows(self, X, y, classes, sample_weight, first):
        self._validate_params()
        X, y, sample_weight = self._training_rows(X, y, sample_weight, reset=first)
        X = self._prepared(X)
        codes, names = self._coded(y, classes)
        before = {} if first else {"start": self._models[0]}
        options = self._options(names, X)
        X, codes, sample_weight = with_all_classes(X, codes, sample_weight, len(names) if first else 0)
        model = self._learn_classes(
            "naive-bayes", options, X, codes, names, sample_weight, keep_statistics=True, **before
        )
        self._keep(model)
        self._set_statistics(model, names)
        return self._finish()

    def _prepared(self, X):
        return X

    def _rows(self, X):
        return self._prepared(super()._rows(X))

    def _set_statistics(self, model, names):
        """The statistics of the library, in the order of classes_: weights, and sums and squares of the features."""
        tensors = tensors_of(model)
        order = [*model.classes] if len(names) > 2 else names
        places = [order.index(name) for name in names]
        weights = tensors["statistic.weights"][places]
        self.class_count_ = np.where(weights > 1e-50, weights, 0.0)
        seen, mean = tensors["statistic.seen"][places], tensors["statistic.mean"][places]
        self._set_attributes(seen, mean, tensors["statistic.squares"][places], tensors)

    def predict_log_proba(self, X):
        """The logarithms of the probabilities; where these round to 0, from the scores, so that they are finite."""
        dtype, (scores,) = self._ask(X, "scores")
        if scores.shape[1] == 1:
            logs = -np.logaddexp(0, np.hstack([scores, -scores]))
        else:
            scores = scores if len(self.classes_) == 2 else self._arranged(scores)
            logs = scores - logsumexp(scores, axis=1, keepdims=True)
        probabilities = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.where(probabilities > 0, np.log(probabilities), logs.astype(dtype, copy=False))


def with_all_classes(X, codes, sample_weight, classes):
    """Adds a row of zeros of the weight 1e-60 for every class without a row, which changes no digit of any sum.

    So a first batch may leave classes out that later ones have.
    """
    absent = np.setdiff1d(np.arange(classes, dtype=np.int32), codes)
    if len(absent) == 0:
        return X, codes, sample_weight
    zeros = np.zeros((len(absent), X.shape[1]), dtype=X.dtype)
    rows = sp.vstack([X, sp.csr_array(zeros)], format="csr") if sp.issparse(X) else np.vstack([X, zeros])
    weights = np.ones(X.shape[0]) if sample_weight is None else sample_weight
    return rows, np.concatenate([codes, absent]), np.concatenate([weights, np.full(len(absent), 1e-60)])


class GaussianNB(_NaiveBayes, sk.GaussianNB):
    """Gaussian naive Bayes: a mean and a variance for every class and column."""

    _sparse = False

    def _options(self, names, X):
        options = {"density": "gaussian", "variance_smoothing": self.var_smoothing}
        if self.priors is not None:
            priors = np.asarray(self.priors, dtype=float)
            if len(priors) != len(names):
                raise ValueError("Number of priors must match number of classes.")
            if not np.isclose(priors.sum(), 1.0):
                raise ValueError("The sum of the priors should be 1.")
            if np.any(priors < 0):
                raise ValueError("Priors must be non-negative.")
            options["priors"] = priors_text(names, priors)
        return options

    def _set_attributes(self, seen, mean, squares, tensors):
        variances = squares / np.maximum(self.class_count_, 1e-50)[:, None]
        shares = self.class_count_ / self.class_count_.sum()
        overall = shares @ mean
        total = shares @ (variances + (mean - overall) ** 2)
        self.epsilon_ = self.var_smoothing * total.max()
        self.theta_, self.var_ = mean, variances + self.epsilon_
        self.class_prior_ = shares if self.priors is None else np.asarray(self.priors, dtype=float)


class _Discrete(_NaiveBayes):
    _check = True  # that there are no negative numbers

    def _prepared(self, X):
        if self._check:
            from sklearn.utils import assert_all_finite

            assert_all_finite(X, input_name="X")
            check_non_negative(X, f"{type(self).__name__} (input X)")
        return X

    def _options(self, names, X):
        alpha = np.asarray(self.alpha, dtype=float)
        if alpha.ndim and len(alpha) != X.shape[1]:
            raise ValueError(
                "When alpha is an array, it should contains `n_features`. "
                f"Got {len(alpha)} elements instead of {X.shape[1]}."
            )
        if np.min(alpha) < 0:
            raise ValueError("All values in alpha must be greater than 0.")
        refuse(self, alpha=alpha.ndim > 0 and np.ptp(alpha) > 0)
        smoothing = float(alpha.flat[0]) if alpha.size else 1.0
        if smoothing < 1e-10 and not self.force_alpha:
            warnings.warn(
                "alpha too small will result in numeric errors, setting alpha = 1.0e-10. Use "
                "`force_alpha=True` to keep alpha unchanged.",
                stacklevel=4,
            )
            smoothing = 1e-10
        self._smoothing = smoothing
        return {"density": self._density, "smoothing": smoothing, **self._prior_option(names)}

    def _prior_option(self, names):
        if self.class_prior is not None:
            if len(self.class_prior) != len(names):
                raise ValueError("Number of priors must match number of classes.")
            return {"priors": priors_text(names, self.class_prior)}
        return {} if self.fit_prior else {"priors": "equal"}

    def _set_attributes(self, seen, mean, squares, tensors):
        self.feature_count_ = seen * mean
        if self.class_prior is not None:
            self.class_log_prior_ = np.log(self.class_prior)
        elif self.fit_prior:
            with np.errstate(divide="ignore"):
                self.class_log_prior_ = np.log(self.class_count_) - np.log(self.class_count_.sum())
        else:
            self.class_log_prior_ = np.full(len(self.classes_), -np.log(len(self.classes_)))
        with np.errstate(divide="ignore", invalid="ignore"):
            self.feature_log_prob_ = self._log_probabilities(self.feature_count_, self._smoothing)


class MultinomialNB(_Discrete, sk.MultinomialNB):
    """Naive Bayes of counts."""

    _density = "multinomial"

    @staticmethod
    def _log_probabilities(counts, alpha):
        smoothed = counts + alpha
        return np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))


class ComplementNB(_Discrete, sk.ComplementNB):
    """Naive Bayes of counts that learns each class from the rows of all others."""

    _density = "complement"

    def _prior_option(self, names):
        refuse(self, norm=self.norm)
        return {}

    def _set_attributes(self, seen, mean, squares, tensors):
        super()._set_attributes(seen, mean, squares, tensors)
        self.feature_all_ = self.feature_count_.sum(axis=0)

    @staticmethod
    def _log_probabilities(counts, alpha):
        complement = counts.sum(axis=0) + alpha - counts
        return -np.log(complement / complement.sum(axis=1, keepdims=True))


class BernoulliNB(_Discrete, sk.BernoulliNB):
    """Naive Bayes of yes and no; columns are cut at `binarize` first."""

    _density = "bernoulli"
    _check = False

    def _prepared(self, X):
        from sklearn.utils import assert_all_finite

        assert_all_finite(X, input_name="X")
        if self.binarize is None:
            return X
        if sp.issparse(X):
            X = X.copy()
            X.data = (X.data > self.binarize).astype(X.dtype)
            X.eliminate_zeros()
            return X
        return (self.binarize < X).astype(X.dtype)

    def _log_probabilities(self, counts, alpha):
        return np.log(counts + alpha) - np.log(self.class_count_[:, None] + 2 * alpha)


class CategoricalNB(_Discrete, sk.CategoricalNB):
    """Naive Bayes of categories, coded 0, 1, 2, ... in every column. Later rows may have new categories.

    The library takes the columns as text. A category that no row has, but a higher one or `min_categories` implies, is
    made known by a row of the weight 1e-60, which changes no digit of any sum. The counts are all that a fit keeps of
    its rows, so `partial_fit` learns from rows with the counts of all batches.
    """

    _sparse = False
    _density = "categorical"

    def _fit_rows(self, X, y, classes, sample_weight, first):
        self._validate_params()
        X, y, sample_weight = self._training_rows(X, y, sample_weight, reset=first)
        X = self._prepared(X)
        codes, names = self._coded(y, classes)
        categories = self._validate_n_categories(X, self.min_categories)
        before = None if first else (self.class_count_, self.category_count_)
        self.n_categories_ = categories if first else np.maximum(categories, self.n_categories_)
        options = self._options(names, X)
        for j, count in enumerate(self.n_categories_):
            self._check_column(X, j, count)
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        self._set_counts(X, codes, weights, before)
        if classes is not None:
            X, codes, weights = rows_of_counts(self.class_count_, self.category_count_)
        self._keep(self._learn_text(options, X, codes, names, weights))
        return self._finish()

    def _learn_text(self, options, X, codes, names, weights):
        extra = self._unseen_rows(X)
        frame = self._frame(np.vstack([X, extra]))
        labels = np.concatenate([codes, np.zeros(len(extra), dtype=np.int32)])
        frame.add_text("target", names, labels)
        frame.add_numbers("weight", np.concatenate([weights, np.full(len(extra), 1e-60)]))
        settings = {"encode": True, "weight_column": "weight", "threads": thread_limit(None)}
        if len(names) == 2:
            settings["positive"] = names[1]
        model, _ = core.fit("naive-bayes", option_texts(options), frame, "target", [], settings)
        return model

    def _prepared(self, X):
        X = super()._prepared(X)
        return X.astype(np.int64, copy=False)

    def _unseen_rows(self, X):
        """For every category that no row has, a row with it, and with 0 elsewhere."""
        rows = []
        for j, count in enumerate(self.n_categories_):
            for category in np.setdiff1d(np.arange(count), X[:, j]):
                rows.append(np.zeros(X.shape[1], dtype=np.int64))
                rows[-1][j] = category
        return np.array(rows).reshape(-1, X.shape[1])

    @staticmethod
    def _check_column(X, j, count):
        if X[:, j].max() >= count:
            raise IndexError(f"column {j}: found the category {X[:, j].max()}, expected one from 0 to {count - 1}")

    def _frame(self, X):
        frame = core.Frame()
        for j, count in enumerate(self.n_categories_):
            self._check_column(X, j, count)
            frame.add_text(f"x{j + 1}", [str(k) for k in range(count)], X[:, j].astype(np.int32))
        return frame

    def _ask(self, X, question):
        self._check_fitted()
        return np.float64, [getattr(self._model, question)(self._frame(self._rows(X)))]

    def predict(self, X):
        """The label of each row."""
        best = np.argmax(self.predict_proba(X), axis=1)
        return self.classes_[best]

    def _set_counts(self, X, codes, weights, before):
        """The counts of these rows and of those before them."""
        classes = len(self.classes_)
        self.class_count_ = np.bincount(codes, weights, minlength=classes)
        self.category_count_ = []
        for j, count in enumerate(self.n_categories_):
            cells = np.bincount(codes * count + X[:, j], weights, minlength=classes * count)
            self.category_count_.append(cells.reshape(classes, count))
        if before is not None:
            self.class_count_ += before[0]
            for all_, seen in zip(self.category_count_, before[1]):
                all_[:, : seen.shape[1]] += seen
        smoothed = [counts + self._smoothing for counts in self.category_count_]
        with np.errstate(divide="ignore"):
            self.feature_log_prob_ = [np.log(s) - np.log(s.sum(axis=1, keepdims=True)) for s in smoothed]
            shares = self.class_count_ / self.class_count_.sum()
            equal = np.full(classes, 1 / classes)
            prior = self.class_prior if self.class_prior is not None else shares if self.fit_prior else equal
            self.class_log_prior_ = np.log(prior)


def rows_of_counts(class_count, category_count):
    """Rows, labels and weights with these counts of the categories of each class and column.

    The weight of a class is a line, which every column cuts into its categories; a row is a piece that no column cuts.
    A class that has no weight gets a row of the weight 1e-60.
    """
    rows, codes, weights = [], [], []
    for k, total in enumerate(class_count):
        ends = [np.cumsum(counts[k]) for counts in category_count]
        cuts = np.unique(np.concatenate([[0.0, total], *(end[end < total] for end in ends)]))
        pieces = np.diff(cuts) if total > 0 else np.array([1e-60])
        middles = cuts[: len(pieces)] + pieces / 2
        rows.append(np.stack([np.minimum(np.searchsorted(e, middles, "right"), len(e) - 1) for e in ends], axis=1))
        codes.append(np.full(len(pieces), k, dtype=np.int32))
        weights.append(pieces)
    return np.vstack(rows), np.concatenate(codes), np.concatenate(weights)


class MixedNB(_NaiveBayes, ClassifierMixin, BaseEstimator):
    """Naive Bayes with one density for every column.

    Parameters
    ----------
    densities : str, list of str, or dict
        "gaussian", "bernoulli", "multinomial", "complement" or "kde" (a kernel estimate) for all columns; one for each
        column; or a dict from the names (or numbers) of columns to one of these, the others being gaussian.
    priors : array or None
        Probabilities of the classes. None: their shares of the rows.
    smoothing : float
        Added to every count.
    var_smoothing : float
        Share of the largest variance that is added to every variance.
    bandwidth : "silverman", "cv" or float
        Width of the kernels of "kde".
    """

    _sparse = False
    _KINDS = ("gaussian", "bernoulli", "multinomial", "complement", "kde")
    _parameter_constraints = {
        "densities": [StrOptions(set(_KINDS)), list, tuple, dict],
        "priors": ["array-like", None],
        "smoothing": [Interval(Real, 0, None, closed="left")],
        "var_smoothing": [Interval(Real, 0, None, closed="left")],
        "bandwidth": [StrOptions({"silverman", "cv"}), Interval(Real, 0, None, closed="neither")],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        densities="gaussian",
        *,
        priors=None,
        smoothing=1.0,
        var_smoothing=1e-9,
        bandwidth="silverman",
        n_jobs=None,
    ):
        self.densities = densities
        self.priors = priors
        self.smoothing = smoothing
        self.var_smoothing = var_smoothing
        self.bandwidth = bandwidth
        self.n_jobs = n_jobs

    partial_fit = property(doc="Kernel estimates cannot go on, so there is none.")

    def fit(self, X, y, sample_weight=None):
        """Fits the densities to rows, labels and weights."""
        self._validate_params()
        X, y, sample_weight = self._training_rows(X, y, sample_weight)
        codes, names = self._coded(y)
        options = {
            "density": self._density_option(X.shape[1]),
            "smoothing": self.smoothing,
            "variance_smoothing": self.var_smoothing,
            "bandwidth": self.bandwidth,
        }
        if self.priors is not None:
            options["priors"] = priors_text(names, self.priors)
        self._keep(self._learn_classes("naive-bayes", options, X, codes, names, sample_weight))
        return self._finish()

    def _density_option(self, columns):
        if isinstance(self.densities, str):
            return self.densities
        names = [str(name) for name in getattr(self, "feature_names_in_", [f"x{j + 1}" for j in range(columns)])]
        if isinstance(self.densities, dict):
            chosen = {
                names[key] if isinstance(key, Integral) else str(key): kind for key, kind in self.densities.items()
            }
            unknown = [name for name in chosen if name not in names]
            if unknown:
                raise ValueError(f"densities: there is no column {unknown[0]!r}")
            kinds = [chosen.get(name, "gaussian") for name in names]
        else:
            kinds = list(self.densities)
        if len(kinds) != columns:
            raise ValueError(f"densities: found {len(kinds)}, expected {columns}, one per column")
        for kind in kinds:
            if kind not in self._KINDS:
                raise ValueError(f"densities: expected one of {', '.join(self._KINDS)}, got {kind!r}")
        return ",".join(f"{name}={kind}" for name, kind in zip(names, kinds))
