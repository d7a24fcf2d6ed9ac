"""Least squares: plain, with ridge, lasso and elastic net, and with penalties chosen by cross-validation."""

import warnings

import numpy as np
import sklearn.linear_model as sk
from sklearn.linear_model._coordinate_descent import _alpha_grid
from sklearn.model_selection import GridSearchCV
from sklearn.utils import check_array

from ._arguments import refuse, tolerance, weight_of
from ._base import Regressor
from ._native import core, option_texts, thread_limit
from .inference import Training, document_of


class LinearRegression(Regressor, sk.LinearRegression):
    """Ordinary least squares, by QR; of rank-deficient rows the solution of least norm."""

    def fit(self, X, y, sample_weight=None):
        """Fits the model to rows, targets (one or several columns) and weights."""
        self._validate_params()
        refuse(self, positive=self.positive)
        X, y, sample_weight = self._training_rows(X, y, sample_weight, y_numeric=True, multi_output=True)
        options = {"no_bias": not self.fit_intercept}
        models = self._learn_targets("least-squares", lambda j: options, X, y, sample_weight)
        self._set_planes(models, y, X.dtype)
        self.rank_ = document_of(models[0])["summary"]["rank"]
        training = None
        if y.ndim == 1:
            kept = {} if sample_weight is None else {"sample_weight": sample_weight}
            numbers_ = np.ascontiguousarray(y, dtype=np.float64)
            training = Training("least-squares", options, X, numbers_, None, sample_weight, kept)
        self._keep(*models, training=training)
        return self._finish()


class Ridge(Regressor, sk.Ridge):
    """Least squares with the penalty alpha |w|^2."""

    def fit(self, X, y, sample_weight=None):
        """Fits the model to rows, targets (one or several columns) and weights."""
        self._validate_params()
        refuse(self, positive=self.positive)
        X, y, sample_weight = self._training_rows(X, y, sample_weight, y_numeric=True, multi_output=True)
        targets = 1 if y.ndim == 1 else y.shape[1]
        alphas = np.ravel(np.asarray(self.alpha, dtype=float))
        if len(alphas) not in (1, targets):
            raise ValueError(f"Number of targets and number of penalties do not correspond: {targets} != {len(alphas)}")
        alphas = np.broadcast_to(alphas, targets)

        def options(j):
            limit = {} if self.max_iter is None else {"max_iter": self.max_iter}
            return {"l2": alphas[j], "no_bias": not self.fit_intercept, "tol": tolerance(self.tol), **limit}

        models = self._learn_targets("least-squares", options, X, y, sample_weight)
        self._set_planes(models, y, X.dtype)
        if y.ndim == 2 and y.shape[1] == 1:
            self.coef_, self._one_target = self.coef_[0], True  # as scikit-learn does, for Ridge alone
        self.n_iter_ = np.array([max(1, model.iterations) for model in models], dtype=np.int32)
        self.solver_ = self._solver_name(X)
        self._keep(*models)
        return self._finish()

    def _solver_name(self, X):
        """What scikit-learn would report."""
        if self.solver != "auto":
            return self.solver
        sparse = not isinstance(X, np.ndarray)
        return "sag" if sparse and self.fit_intercept else "cholesky" if not sparse else "sparse_cg"


class RidgeCV(Regressor, sk.RidgeCV):
    """Ridge with the penalty chosen by cross-validation: leave-one-out by default.

    The choice without `cv` is scikit-learn's own formula of generalised cross-validation; the fit with the alpha
    chosen is this library's.
    """

    def fit(self, X, y, sample_weight=None, **params):
        """Chooses the penalty, and fits the model with it."""
        self._validate_params()
        if self.cv is None:
            super().fit(X, y, sample_weight=sample_weight, **params)
        else:
            self._search(X, y, sample_weight, params)
        ridge = Ridge(alpha=self.alpha_, fit_intercept=self.fit_intercept).fit(X, y, sample_weight)
        self.coef_, self.intercept_, self._one_target = ridge.coef_, ridge.intercept_, ridge._one_target
        self.n_features_in_ = ridge.n_features_in_
        if hasattr(ridge, "feature_names_in_"):
            self.feature_names_in_ = ridge.feature_names_in_
        self._keep(*ridge._models)
        return self._finish()

    def _search(self, X, y, sample_weight, params):
        if self.store_cv_results:
            raise ValueError("cv!=None and store_cv_results=True are incompatible")
        if self.alpha_per_target:
            raise ValueError("cv!=None and alpha_per_target=True are incompatible")
        search = GridSearchCV(
            Ridge(fit_intercept=self.fit_intercept),
            {"alpha": list(np.ravel(self.alphas))},
            cv=self.cv,
            scoring=self.scoring,
        )
        search.fit(X, y, **params, **({} if sample_weight is None else {"sample_weight": sample_weight}))
        self.alpha_, self.best_score_ = search.best_params_["alpha"], search.best_score_


def enet_path(X, y, *, l1_ratio=0.5, alphas=None, eps=1e-3, n_alphas=100, sample_weight=None, **params):
    """The minima under falling penalties, each from the one before: scikit-learn's function of this name."""
    refuse_parameters(params)
    X = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32], order="C", copy=False)
    y = np.asarray(y)
    if alphas is None:
        alphas = _alpha_grid(X, y, l1_ratio=l1_ratio, fit_intercept=False, eps=eps, n_alphas=n_alphas)
    alphas = np.sort(np.ravel(alphas))[::-1]
    columns = y.reshape(len(y), -1).T
    coefs = np.empty((len(columns), X.shape[1], len(alphas)), dtype=X.dtype)
    gaps, iterations = np.empty((len(columns), len(alphas))), []
    # ElasticNetCV hands over dense rows centred and times the roots of their weights, and sparse ones as they are:
    # for these X_offset are the means, and a bias does what centring would do.
    prepared = "X_offset" in params and isinstance(X, np.ndarray)
    centred = prepared or not np.any(params.get("X_offset", 0))
    sample_weight = None if prepared else sample_weight
    total = weight_of(y, sample_weight)
    for t, column in enumerate(columns):
        start = None
        for k, alpha in enumerate(alphas):
            options = {
                "l1": total * alpha * l1_ratio,
                "l2": total * alpha * (1 - l1_ratio),
                "no_bias": centred,
                "max_iter": params.get("max_iter", 1000),
                "tol": tolerance(params.get("tol")),
            }
            settings = {"start": start, "threads": thread_limit(None)}
            if sample_weight is not None:
                settings["sample_weight"] = np.ascontiguousarray(sample_weight, dtype=np.float64)
            start, stopped = core.fit(
                "least-squares",
                option_texts(options),
                X,
                np.ascontiguousarray(column, dtype=np.float64),
                None,
                settings,
            )
            if stopped is not None:
                raise stopped
            coefs[t, :, k], gaps[t, k] = start.weights[0], start.certificate["value"]
            iterations.append(start.iterations)
    if y.ndim == 1:
        coefs, gaps = coefs[0], gaps[0]
    return (alphas, coefs, gaps, iterations) if params.get("return_n_iter") else (alphas, coefs, gaps)


def lasso_path(X, y, **params):
    """enet_path with l1_ratio=1."""
    return enet_path(X, y, l1_ratio=1.0, **params)


def refuse_parameters(params):
    if params.get("positive"):
        raise ValueError("positive=True is not supported; scikit-learn's function of this name has it")


class ElasticNet(Regressor, sk.ElasticNet):
    """Least squares with the penalties alpha l1_ratio |w|_1 and alpha (1 - l1_ratio) / 2 |w|^2."""

    path = staticmethod(enet_path)

    def fit(self, X, y, sample_weight=None, check_input=True):
        """Fits the model to rows, targets (one or several columns) and weights."""
        self._validate_params()
        refuse(self, positive=self.positive)
        if self.alpha == 0:
            warnings.warn(
                "With alpha=0, this algorithm does not converge well. You are advised to use the LinearRegression "
                "estimator",
                stacklevel=2,
            )
        X, y, sample_weight = self._training_rows(X, y, sample_weight, y_numeric=True, multi_output=True)
        total = weight_of(y, sample_weight)
        options = {
            "l1": total * self.alpha * self.l1_ratio,
            "l2": total * self.alpha * (1 - self.l1_ratio),
            "no_bias": not self.fit_intercept,
            "tol": tolerance(self.tol),
            "max_iter": self.max_iter,
        }
        before = self.__dict__.get("_models", ())
        targets = 1 if y.ndim == 1 else y.shape[1]
        same = len(before) == targets and len(before[0].columns) == X.shape[1]
        starts = before if self.warm_start and same else None
        models = self._learn_targets("least-squares", lambda j: options, X, y, sample_weight, starts)
        self._set_planes(models, y, X.dtype)
        gaps = [self._gap(model, total) for model in models]
        iterations = [max(1, min(model.iterations, self.max_iter)) for model in models]
        self.dual_gap_ = gaps[0] if y.ndim == 1 else np.array(gaps)
        self.n_iter_ = iterations[0] if y.ndim == 1 else iterations
        self._keep(*models)
        return self._finish()

    @staticmethod
    def _gap(model, total):
        """The certificate on the scale of scikit-learn's objective."""
        return model.certificate["value"] * model.objective / total

    def _decision_function(self, X):
        return self.predict(X)


class Lasso(ElasticNet, sk.Lasso):
    """Least squares with the penalty alpha |w|_1."""

    path = staticmethod(lasso_path)
    __init__ = sk.Lasso.__init__
    _parameter_constraints = sk.Lasso._parameter_constraints


class _PathCV(Regressor):
    """Chooses alpha (and l1_ratio) as scikit-learn does, along paths of this library's fits."""

    def fit(self, X, y, sample_weight=None, **params):
        """Chooses the penalty by cross-validation, and fits the model with it."""
        refuse(self, positive=self.positive)
        copy_X, self.copy_X = self.copy_X, True  # scikit-learn centres the rows in their place otherwise
        try:
            super().fit(X, y, sample_weight=sample_weight, **params)
        finally:
            self.copy_X = copy_X
        refit = self.__dict__.pop("_refit")
        self._one_target = refit._one_target
        self._keep(*refit._models)
        return self._finish()

    def _get_estimator(self):
        self._refit = self._estimator_class()
        return self._refit


class LassoCV(_PathCV, sk.LassoCV):
    """Lasso with alpha chosen by cross-validation."""

    path = staticmethod(lasso_path)
    _estimator_class = Lasso


class ElasticNetCV(_PathCV, sk.ElasticNetCV):
    """ElasticNet with alpha and l1_ratio chosen by cross-validation."""

    path = staticmethod(enet_path)
    _estimator_class = ElasticNet
