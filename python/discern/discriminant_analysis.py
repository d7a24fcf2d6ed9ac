"""Discriminants of Gaussian classes, with scikit-learn's interface.

scikit-learn 1.9 estimates covariances with the divisor n (or n_k), the library with n - K (or n_k - 1). Giving every
row the same very large weight makes the library's divisor n: (c A) / (c n - K) tends to A / n.
"""

import numpy as np
import sklearn.discriminant_analysis as sk
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, ClassNamePrefixFeaturesOutMixin
from sklearn.utils._param_validation import Interval, StrOptions
from numbers import Integral

from ._base import Classifier, ProbabilityMixin
from ._native import core, option_texts, thread_limit
from .inference import tensors_of
from ._arguments import refuse

__all__ = ["FisherDiscriminant", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"]

MANY = 2.0**40  # a power of two, so that it rounds nothing


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
            import warnings

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
        refuse(self, covariance_estimator=self.covariance_estimator is not None)
        if self.solver == "svd" and self.shrinkage is not None:
            raise NotImplementedError("shrinkage not supported with 'svd' solver.")
        X, y, _ = self._training_rows(X, y, ensure_min_samples=2)
        codes, names = self._coded(y)
        if len(names) == len(X):
            raise ValueError("The number of samples must be more than the number of classes.")
        options = self._set_priors(y, codes, names)
        refuse(self, priors=self.priors is not None and self.solver != "svd")
        self._set_components(len(names), X.shape[1])
        self._set_means(X, codes)
        self.xbar_ = (self.priors_ @ self.means_).astype(X.dtype)
        weights = None if self.shrinkage == "auto" else np.full(len(X), MANY)
        if self.shrinkage is not None:
            options["shrinkage"] = "ledoit-wolf" if self.shrinkage == "auto" else self.shrinkage
        model = self._learn_classes("lda", options, X, codes, names, weights)
        self._set_planes(model, X.dtype)
        if self.store_covariance or self.solver != "svd":
            self.covariance_ = self._covariance(X, codes)
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

    def _covariance(self, X, codes):
        centred = X - self.means_[codes]
        shares = self.priors_[codes] / np.bincount(codes)[codes]
        return (centred * shares[:, None]).T @ centred

    def _project(self, X, codes, names):
        settings = {"sample_weight": np.full(len(X), MANY), "threads": thread_limit(None)}
        found = core.project(X, codes, names, option_texts({"principal": "all"}), settings)
        self.scalings_ = found["directions"].T.astype(X.dtype)
        self.explained_variance_ratio_ = found["explained"][: self._max_components].astype(X.dtype)

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
        return (X - self.xbar_) @ self.scalings_[:, : self._max_components]


class QuadraticDiscriminantAnalysis(_Gaussian, sk.QuadraticDiscriminantAnalysis):
    """Gaussian classes with a covariance each."""

    def fit(self, X, y):
        """Fits the model to rows and labels."""
        self._validate_params()
        for name in ("reg_param", "shrinkage", "covariance_estimator"):
            if hasattr(self, name):
                refuse(self, **{name: bool(getattr(self, name))})
        X, y, _ = self._training_rows(X, y)
        codes, names = self._coded(y)
        counts = np.bincount(codes)
        for label, count in zip(self.classes_, counts):
            if count <= 1:
                raise ValueError(f"y has only 1 sample in class {label}, covariance is ill defined.")
        options = self._set_priors(y, codes, names)
        self._set_means(X, codes)
        model = self._learn_classes("qda", options, X, codes, names, np.full(len(X), MANY))
        self._set_covariances(model, names, X.dtype)
        self._keep(model)
        return self._finish()

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
