"""Estimators that scikit-learn does not have: the Ho-Kashyap procedure and the kernel perceptron."""

from numbers import Integral, Real

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils._param_validation import Interval

from ._base import Classifier

__all__ = ["HoKashyap", "KernelPerceptron"]


class HoKashyap(Classifier, ClassifierMixin, BaseEstimator):
    """Least squares that learns its targets, with a verdict whether the classes are separable (``facts_``).

    Parameters
    ----------
    margin : float
        What every target is at the start.
    learning_rate : float
        Share of its error that a target follows in a step, below 2.
    tol : float
        Largest certificate that counts as a verdict.
    max_iter : int
        Steps at most.
    fit_intercept : bool
        Whether the plane may miss the origin.
    """

    _warns = False
    _parameter_constraints = {
        "margin": [Interval(Real, 0, None, closed="neither")],
        "learning_rate": [Interval(Real, 0, 2, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
        "n_jobs": [None, Integral],
    }

    def __init__(self, *, margin=1.0, learning_rate=1.9, tol=1e-13, max_iter=10000, fit_intercept=True, n_jobs=None):
        self.margin = margin
        self.learning_rate = learning_rate
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Fits the plane to rows, labels and weights."""
        self._validate_params()
        X, y, sample_weight = self._training_rows(X, y, sample_weight)
        codes, names = self._coded(y)
        options = {name: getattr(self, name) for name in ("margin", "learning_rate", "tol", "max_iter")}
        options["no_bias"] = not self.fit_intercept
        model = self._learn_classes("ho-kashyap", options, X, codes, names, sample_weight)
        self._set_planes(model, X.dtype)
        self.n_iter_ = max(1, min(model.iterations, self.max_iter))
        self._keep(model)
        return self._finish()


class KernelPerceptron(Classifier, ClassifierMixin, BaseEstimator):
    """The perceptron in its dual form, with a kernel.

    Parameters
    ----------
    kernel : str
        "linear", "poly:K" for (1 + x.z)^K, or "gauss:S" for exp(-|x - z|^2 / (2 S^2)).
    budget : int
        Keep at most this many samples in the sum; 0: all that are needed.
    epochs : int
        Passes over the rows at most.
    shuffle : bool
        Take the rows in a new random order every pass.
    fit_intercept : bool
        Whether there is a bias.
    standardize : bool
        Take the kernel of standardised columns.
    """

    _warns = False
    _sparse = False
    _parameter_constraints = {
        "kernel": [str],
        "budget": [Interval(Integral, 0, None, closed="left")],
        "epochs": [Interval(Integral, 1, None, closed="left")],
        "shuffle": ["boolean"],
        "fit_intercept": ["boolean"],
        "standardize": ["boolean"],
        "random_state": ["random_state"],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        kernel="gauss:1",
        *,
        budget=0,
        epochs=100,
        shuffle=False,
        fit_intercept=True,
        standardize=True,
        random_state=None,
        n_jobs=None,
    ):
        self.kernel = kernel
        self.budget = budget
        self.epochs = epochs
        self.shuffle = shuffle
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Fits the sum of kernels to rows and labels."""
        self._validate_params()
        X, y, _ = self._training_rows(X, y)
        codes, names = self._coded(y)
        options = {name: getattr(self, name) for name in ("kernel", "budget", "epochs", "shuffle")}
        options["no_bias"] = not self.fit_intercept
        model = self._learn_classes("kernel-perceptron", options, X, codes, names, standardize=self.standardize)
        self.n_iter_ = max(1, model.iterations)
        self._keep(model)
        return self._finish()
