"""Discriminants of Gaussian classes, with scikit-learn's interface and its divisor of covariances."""

import warnings
from numbers import Integral

import numpy as np
import sklearn
import sklearn.discriminant_analysis as sk
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, ClassNamePrefixFeaturesOutMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.fixes import parse_version

from ._base import Classifier, ProbabilityMixin
from ._errors import Error
from ._native import core, option_texts, thread_limit
from .inference import tensors_of
from ._arguments import refuse

__all__ = ["FisherDiscriminant", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]

# Since 1.9 scikit-learn divides by n and n_k. Before, solver='svd' divided by n - K and n_k - 1.
SVD_DIVISOR = "mle" if parse_version(sklearn.__version__) >= parse_version("1.9") else "unbiased"
LITTLE = 1e-6


def priors_text(names, priors):
    return ",".join(f"{name}={prior!r}" for name, prior in zip(names, np.asarray(priors, dtype=float).tolist()))


class _Gaussian(ProbabilityMixin, Classifier):
    _sparse = False

    def _set_priors(self, y, codes, names):
        """Sets priors_, and gives the option of the library."""
        if self.priors is None:
            self.priors_ = np.bincount(codes) / len(codes)
            return {}
        priors = np.array(self.priors, dtype=float)
        if len(priors) != len(names):
            raise ValueError("Number of priors must match number of classes.")
        if np.any(priors < 0):
            raise ValueError("priors must be non-negative")
        if abs(priors.sum() - 1.0) > 1e-5:
            warnings.warn("The priors do not sum to 1. Renormalizing", UserWarning, stacklevel=3)
            priors = priors / priors.sum()
        self.priors_ = priors
        return {"priors": priors_text(names, priors)}

    def _set_means(self, X, codes):
        self.means_ = np.stack([X[codes == k].mean(axis=0) for k in range(len(self.classes_))])


class LinearDiscriminantAnalysis(_Gaussian, sk.LinearDiscriminantAnalysis):
    """Gaussian classes with a shared covariance; `transform` projects on the directions that separate them most."""

    def fit(self, X, y):
        """Fits the model to rows and labels."""
        self._validate_params()
        default = sk.LinearDiscriminantAnalysis()
        refuse(self, tol=self.solver == "svd" and self.tol != default.tol)
        refuse_estimator(self)
        if self.solver == "svd" and self.shrinkage is not None:
            raise NotImplementedError("shrinkage not supported with 'svd' solver.")
        X, y, _ = self._training_rows(X, y, ensure_min_samples=2)
        codes, names = self._coded(y)
        if len(names) == len(X):
            raise ValueError("The number of samples must be more than the number of classes.")
        options = self._set_priors(y, codes, names)
        self._set_components(len(names), X.shape[1])
        self._set_means(X, codes)
        self.xbar_ = (self.priors_ @ self.means_).astype(X.dtype)
        if self.store_covariance or self.solver != "svd":
            self.covariance_ = self._covariance(X, y, codes)
        model = self._learn_lda(options | {"divisor": divisor_of(self)}, X, codes, names)
        self._set_planes(model, X.dtype)
        if self.solver != "lsqr":
            self._project(X, codes, names)
        self._n_features_out = self._max_components
        self._keep(model)
        return self._finish()

    def _set_components(self, classes, features):
        most = min(classes - 1, features)
        if self.n_components is not None and self.n_components > most:
            raise ValueError("n_components cannot be larger than min(n_features, n_classes - 1).")
        self._max_components = most if self.n_components is None else self.n_components

    def _learn_lda(self, options, X, codes, names):
        """The fit; where the library does not have what the covariance is to be, of rows that have it."""
        if self.covariance_estimator is None and (self.priors is None or self.solver == "svd"):
            if self.shrinkage is not None:
                options["shrinkage"] = "ledoit-wolf" if self.shrinkage == "auto" else self.shrinkage
            return self._learn_classes("lda", options, X, codes, names)
        rows = rows_with(self.means_, [self.covariance_] * len(names), np.bincount(codes))
        return self._learn_classes("lda", options, rows[0], rows[1], names, rows[2])

    def _covariance(self, X, y, codes):
        if self.shrinkage is not None or self.covariance_estimator is not None:
            return sk._class_cov(X, y, self.priors_, self.shrinkage, self.covariance_estimator)
        centred = X - self.means_[codes]
        shares = self.priors_[codes] / np.bincount(codes)[codes]
        return (centred * shares[:, None]).T @ centred

    def _project(self, X, codes, names):
        """The directions v with v'Sv = 1 for the covariance S within the classes, which the library divides by n - K."""
        if self.shrinkage is not None or self.priors is not None or self.covariance_estimator is not None:
            self._project_like_scikit_learn(X, codes)
            return
        settings = {"threads": thread_limit(None)}
        found = core.project(X, codes, names, option_texts({"principal": "all"}), settings)
        scale = np.sqrt(self._divisor(X) / (len(X) - len(names)))
        self.scalings_ = (scale * found["directions"].T).astype(X.dtype)
        self.explained_variance_ratio_ = found["explained"][: self._max_components].astype(X.dtype)

    def _divisor(self, X):
        return len(X) if divisor_of(self) == "mle" else len(X) - len(self.classes_)

    def _project_like_scikit_learn(self, X, codes):
        """Its own formula where shrinkage or priors weigh: 'svd' has these between the classes, 'eigen' within them."""
        if self.solver == "svd":
            centred, means = X - self.means_[codes], self.means_ - self.xbar_
            within, between = centred.T @ centred / self._divisor(X), (means.T * self.priors_) @ means
        else:
            within = self.covariance_
            between = sk._cov(X, self.shrinkage, self.covariance_estimator) - within
        spread, axes = np.linalg.eigh(within)
        kept = spread > 1e-12 * spread[-1]
        whiten = axes[:, kept] / np.sqrt(spread[kept])
        ratios, directions = np.linalg.eigh(whiten.T @ between @ whiten)
        self.scalings_ = (whiten @ directions[:, ::-1]).astype(X.dtype)
        self.explained_variance_ratio_ = (ratios[::-1] / ratios.sum())[: self._max_components].astype(X.dtype)

    def transform(self, X):
        """The rows in the directions that separate the classes most."""
        if self.solver == "lsqr":
            raise NotImplementedError(
                "transform not implemented for 'lsqr': it has no directions; take 'svd' or 'eigen'"
            )
        self._check_fitted()
        X = self._rows(X)
        from sklearn.utils import assert_all_finite

        assert_all_finite(X, input_name="X")
        if self.solver == "svd":
            X = X - self.xbar_
        return X @ self.scalings_[:, : self._max_components]


class QuadraticDiscriminantAnalysis(_Gaussian, sk.QuadraticDiscriminantAnalysis):
    """Gaussian classes with a covariance each."""

    def fit(self, X, y):
        """Fits the model to rows and labels."""
        self._validate_params()
        options = self._regularisation()
        X, y, _ = self._training_rows(X, y)
        codes, names = self._coded(y)
        counts = np.bincount(codes)
        for label, count in zip(self.classes_, counts):
            if count <= 1:
                raise ValueError(f"y has only 1 sample in class {label}, covariance is ill defined.")
        options |= self._set_priors(y, codes, names)
        self._set_means(X, codes)
        model = self._learn_regular(options, X, codes, names)
        self._set_covariances(model, names, X.dtype)
        self._keep(model)
        return self._finish()

    def _learn_regular(self, options, X, codes, names):
        """The fit. A singular covariance is an error since scikit-learn 1.8; before, there is a warning and a little of
        the identity."""
        estimator = getattr(self, "covariance_estimator", None)
        if estimator is not None or getattr(self, "shrinkage", None) == "auto":
            covariances = [sk._cov(X[codes == k], self.shrinkage, estimator) for k in range(len(names))]
            rows = rows_with(self.means_, covariances, np.bincount(codes))
            return self._learn_classes("qda", options, rows[0], rows[1], names, rows[2])
        try:
            return self._learn_classes("qda", options, X, codes, names)
        except Error as error:
            if error.code != "data" or "covariance" not in str(error):
                raise
            if hasattr(self, "solver"):
                raise np.linalg.LinAlgError(f"{full_rank(error)} {error}") from error
            warnings.warn(f"Variables are collinear: {error}; reg_param={LITTLE} is used", stacklevel=3)
            return self._learn_classes("qda", options | {"identity": LITTLE}, X, codes, names)

    def _regularisation(self):
        solver, shrinkage = getattr(self, "solver", "svd"), getattr(self, "shrinkage", None)
        if solver == "svd" and shrinkage is not None:
            raise NotImplementedError("shrinkage not supported with 'svd' solver.")
        refuse_estimator(self)
        if solver != "svd" and self.reg_param:
            raise ValueError(f"reg_param={self.reg_param!r} is for solver='svd'; shrinkage is for solver={solver!r}")
        amount = 0.0 if shrinkage in (None, "auto") else float(shrinkage)
        return {"divisor": divisor_of(self), "identity": float(self.reg_param), "shrinkage": amount}

    def _set_covariances(self, model, names, dtype):
        """rotations_ and scalings_: the eigenvectors and eigenvalues of the covariances S_k = (A_k' A_k)^-1."""
        whiten = tensors_of(model)["whiten"]
        order = [*model.classes] if len(names) > 2 else names  # of two classes the positive one is last
        covariances = [np.linalg.inv(a.T @ a) for a in whiten[[order.index(name) for name in names]]]
        eigen = [np.linalg.eigh(covariance) for covariance in covariances]
        self.scalings_ = [values[::-1].astype(dtype) for values, _ in eigen]
        self.rotations_ = [vectors[:, ::-1].astype(dtype) for _, vectors in eigen]
        if self.store_covariance:
            self.covariance_ = [covariance.astype(dtype) for covariance in covariances]


def divisor_of(discriminant):
    return SVD_DIVISOR if getattr(discriminant, "solver", "svd") == "svd" else "mle"


def refuse_estimator(discriminant):
    """The combination that scikit-learn refuses."""
    solver = getattr(discriminant, "solver", "svd")
    if solver == "svd" and getattr(discriminant, "covariance_estimator", None) is not None:
        raise ValueError("covariance_estimator is not supported with solver='svd'. Try solver='eigen' instead.")


def rows_with(means, covariances, counts):
    """Rows, labels and weights of classes with these means, covariances and shares of the weight.

    The class of mean m and covariance S = R R' has the rows m + sqrt(d) r and m - sqrt(d) r for each column r of R.
    """
    rows = []
    for mean, covariance in zip(means, covariances):
        spread, axes = np.linalg.eigh(np.atleast_2d(covariance))
        steps = np.sqrt(len(mean) * np.maximum(spread, 0))[:, None] * axes.T
        rows += [mean + steps, mean - steps]
    each = 2 * len(means[0])
    codes = np.repeat(np.arange(len(means), dtype=np.int32), each)
    return np.ascontiguousarray(np.vstack(rows), dtype=np.float64), codes, np.repeat(counts.astype(float), each)


def full_rank(error):
    """scikit-learn's words for a singular covariance, with the class that the library names."""
    return f"The covariance matrix of class {str(error).split(chr(39))[1]} is not full rank."


class FisherDiscriminant(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ProbabilityMixin, Classifier, ClassifierMixin, BaseEstimator
):
    """Fisher's discriminant: the directions v that maximise v'Bv / v'Sv, and the nearest class mean along them.

    Parameters
    ----------
    n_components : int or None
        Directions to project on, at most one fewer than classes. None: all.
    principal : "auto", "all" or int
        Reduce the rows to so many principal components first. "auto" does so where rows are few.
    """

    _sparse = False
    _parameter_constraints = {
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "principal": [StrOptions({"auto", "all"}), Interval(Integral, 1, None, closed="left")],
        "n_jobs": [None, Integral],
    }

    def __init__(self, n_components=None, *, principal="auto", n_jobs=None):
        self.n_components = n_components
        self.principal = principal
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Fits the directions to rows and labels."""
        self._validate_params()
        X, y, _ = self._training_rows(X, y, ensure_min_samples=2)
        codes, names = self._coded(y)
        components = min(self.n_components or len(names) - 1, len(names) - 1)
        options = {"components": components, "principal": self.principal}
        model = self._learn_classes("fisher", options, X, codes, names)
        settings = {"threads": thread_limit(self.n_jobs)}
        found = core.project(X, codes, names, option_texts(options), settings)
        self.directions_, self.center_ = found["directions"], found["center"]
        self.ratios_, self.explained_ = found["ratios"], found["explained"]
        self._n_features_out = len(self.directions_)
        self._keep(model)
        return self._finish()

    def transform(self, X):
        """The rows projected on the directions."""
        self._check_fitted()
        from sklearn.utils import assert_all_finite

        X = self._rows(X)
        assert_all_finite(X, input_name="X")
        return ((X - self.center_) @ self.directions_.T).astype(X.dtype, copy=False)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
