"""Logistic regression: penalised, chosen by cross-validation, and with Firth's correction."""

import numbers
import warnings

import numpy as np
import sklearn.linear_model as sk
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import get_scorer
from sklearn.model_selection import check_cv
from sklearn.utils.validation import _check_method_params

from ._arguments import refuse, tolerance
from ._base import Classifier, ProbabilityMixin
from .inference import Training


PENALTY_DEPRECATED = sk.LogisticRegression().penalty == "deprecated"  # since scikit-learn 1.8


class LogisticRegression(ProbabilityMixin, Classifier, sk.LogisticRegression):
    """Logistic regression, softmax for more than two classes, with a certificate of its minimum."""

    def fit(self, X, y, sample_weight=None):
        """Fits the model to rows, labels and weights."""
        self._validate_params()
        options, penalised_bias = self._options()
        X, y, sample_weight = self._training_rows(X, y, sample_weight)
        codes, names = self._coded(y)
        if self.solver == "liblinear" and len(names) > 2:
            raise ValueError(
                "The 'liblinear' solver does not support multiclass classification (n_classes >= 3). Either use "
                "another solver or wrap the estimator in a OneVsRestClassifier to keep applying a one-versus-rest scheme."
            )
        options["penalize_bias"] = penalised_bias
        settings = self._start(X, names)
        model = self._learn_classes("logistic", options, X, codes, names, self._weighted(y, sample_weight), **settings)
        unpenalised = options["l1"] == 0 and options["l2"] == 0 and self.class_weight is None
        kept = {"sample_weight": sample_weight} if sample_weight is not None else {}
        if len(names) == 2:
            kept["positive"] = names[1]
        training = Training("logistic", options, X, codes, names, sample_weight, kept) if unpenalised else None
        self._set_planes(model, X.dtype)
        self._set_steps(model)
        self._keep(model, training=training)
        return self._finish()

    def _start(self, X, names):
        before = self.__dict__.get("_models")
        same = before and before[0].classes == sorted_like(before[0], names) and len(before[0].columns) == X.shape[1]
        return {"start": before[0]} if self.warm_start and same else {}

    def _set_steps(self, model):
        self.n_iter_ = np.array([min(model.iterations, max(1, self.max_iter))], dtype=np.int32)

    def _options(self):
        """The options of the fit, and whether the intercept is penalised, as by LIBLINEAR."""
        l1_ratio, strength = self._penalty()
        refuse(self, dual=self.dual and self.solver != "liblinear")
        liblinear = self.solver == "liblinear" and self.fit_intercept
        refuse(self, intercept_scaling=liblinear and self.intercept_scaling != 1)
        options = {
            "l1": l1_ratio * strength,
            "l2": (1 - l1_ratio) * strength,
            "tol": tolerance(self.tol),
            "max_iter": max(1, self.max_iter),
            "no_bias": not self.fit_intercept,
        }
        return options, liblinear

    def _penalty(self):
        """l1_ratio and 1 / C, after the checks and the deprecations of scikit-learn."""
        penalty, l1_ratio = self.penalty, self.l1_ratio
        if penalty == "deprecated":
            penalty = {0: "l2", None: "l2", 1: "l1"}.get(l1_ratio, "elasticnet")
            if l1_ratio is None:
                warnings.warn(
                    "'l1_ratio=None' was deprecated in version 1.8 and will trigger an error in 1.10. Use "
                    "0<=l1_ratio<=1 instead.",
                    FutureWarning,
                    stacklevel=4,
                )
            if np.inf == self.C:
                penalty = None
        elif PENALTY_DEPRECATED:
            self._warn_of_penalty(penalty)
        if penalty == "elasticnet" and l1_ratio is None:
            raise ValueError("l1_ratio must be specified when penalty is elasticnet.")
        if penalty != "elasticnet" and l1_ratio is not None and 0 < l1_ratio < 1:
            warnings.warn(
                f"l1_ratio parameter is only used when penalty is 'elasticnet'. Got (penalty={penalty})", stacklevel=4
            )
        self._check_solver(penalty)
        ratio = {"l1": 1.0, "l2": 0.0, None: 0.0}.get(penalty, l1_ratio)
        return ratio, 0.0 if penalty is None else 1.0 / self.C

    def _warn_of_penalty(self, penalty):
        warnings.warn(
            "'penalty' was deprecated in version 1.8 and will be removed in 1.10. To avoid this warning, leave "
            "'penalty' set to its default value and use 'l1_ratio' or 'C' instead. Use l1_ratio=0 instead of "
            "penalty='l2', l1_ratio=1 instead of penalty='l1', l1_ratio set to a float between 0 and 1 instead of "
            "penalty='elasticnet', and C=np.inf instead of penalty=None.",
            FutureWarning,
            stacklevel=5,
        )
        if penalty in ("l1", "l2") and self.l1_ratio != (penalty == "l1"):
            warnings.warn(
                f"Inconsistent values: penalty={penalty} with l1_ratio={self.l1_ratio}. penalty is deprecated. "
                "Please use l1_ratio only.",
                stacklevel=5,
            )
        if penalty is None and self.C != 1.0:
            warnings.warn("Setting penalty=None will ignore the C and l1_ratio parameters", stacklevel=5)

    def _check_solver(self, penalty):
        from sklearn.linear_model._logistic import _check_solver

        _check_solver(self.solver, penalty, self.dual)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.array_api_support = False
        return tags


def sorted_like(model, names):
    """The names in the model's order, if they are its classes."""
    return list(model.classes) if set(model.classes) == set(names) and len(names) == len(model.classes) else None


class FirthLogisticRegression(ProbabilityMixin, Classifier, ClassifierMixin, BaseEstimator):
    """Logistic regression of two classes with Firth's correction instead of a penalty.

    The penalised likelihood is log L(w) + 1/2 log |I(w)|, I the information. Its maximum is finite even when a plane
    separates the classes, and has no bias of order 1/n.
    """

    _parameter_constraints = {
        name: sk.LogisticRegression._parameter_constraints[name]
        for name in ("tol", "max_iter", "fit_intercept", "n_jobs")
    }

    def __init__(self, *, tol=1e-4, max_iter=100, fit_intercept=True, n_jobs=None):
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Fits the model to rows and labels. The columns must be linearly independent."""
        self._validate_params()
        X, y, _ = self._training_rows(X, y)
        codes, names = self._coded(y)
        if len(names) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: Firth's correction "
                "is for two classes."
            )
        options = {
            "l2": 0.0,
            "firth": True,
            "tol": tolerance(self.tol),
            "max_iter": max(1, self.max_iter),
            "no_bias": not self.fit_intercept,
        }
        model = self._learn_classes("logistic", options, X, codes, names)
        self._set_planes(model, X.dtype)
        self.n_iter_ = np.array([min(model.iterations, max(1, self.max_iter))], dtype=np.int32)
        self._keep(model, training=Training("logistic", options, X, codes, names, None, {"positive": names[1]}))
        return self._finish()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class LogisticRegressionCV(ProbabilityMixin, Classifier, sk.LogisticRegressionCV):
    """LogisticRegression with C (and l1_ratio) chosen by cross-validation.

    The fitted attributes are those of scikit-learn with use_legacy_attributes=False, or the older ones. refit=False,
    the mean of the folds' coefficients, is not supported.
    """

    def fit(self, X, y, sample_weight=None, **params):
        """Chooses the penalty by cross-validation, and fits the model with it."""
        self._validate_params()
        ratios = self._l1_ratios()
        refuse(self, refit=not self.refit)
        splitting, scoring = self._routed(sample_weight, params)
        X, y, sample_weight = self._training_rows(X, y, sample_weight)
        self._coded(y)
        weights = self._weighted(y, sample_weight)
        self.Cs_ = np.logspace(-4, 4, self.Cs) if isinstance(self.Cs, numbers.Integral) else np.asarray(self.Cs)
        folds = list(check_cv(self.cv, y, classifier=True).split(X, y, **splitting))
        paths = [[self._fold_path(X, y, weights, fold, ratio or 0.0, scoring) for ratio in ratios] for fold in folds]
        self._set_paths(paths)
        best = np.argmax(self.scores_.sum(axis=0).T)  # of equal scores the smallest C is taken
        best_C, best_ratio = np.unravel_index(best, self.scores_.shape[:0:-1])
        self.C_, self.l1_ratio_ = float(self.Cs_[best_C]), float(ratios[best_ratio] or 0.0)
        self.l1_ratios_ = np.asarray(ratios)
        inner = self._at(self.C_, self.l1_ratio_).fit(X, y, weights)
        self.coef_, self.intercept_ = inner.coef_, inner.intercept_
        if getattr(self, "use_legacy_attributes", True):
            self._set_legacy_attributes()
        self._keep(*inner._models)
        return self._finish()

    def _l1_ratios(self):
        """The ratios to try, after the deprecations of scikit-learn."""
        ratios = self.l1_ratios
        if isinstance(ratios, str):
            ratios = None
            warnings.warn(
                "The default value for l1_ratios will change with scikit-learn 1.10: it is None now, and (0.0,) then",
                FutureWarning,
                stacklevel=3,
            )
        elif ratios is None and self.penalty == "deprecated":
            warnings.warn(
                "'l1_ratios=None' was deprecated by scikit-learn 1.8, and 1.10 refuses it; give ratios between 0 and 1",
                FutureWarning,
                stacklevel=3,
            )
        if self.penalty != "deprecated" and PENALTY_DEPRECATED:
            warnings.warn(
                "'penalty' was deprecated in version 1.8 and will be removed in 1.10.", FutureWarning, stacklevel=3
            )
        if PENALTY_DEPRECATED and isinstance(self.scoring, str) and self.scoring == "warn":
            warnings.warn(
                "The default value of the parameter 'scoring' will change with scikit-learn 1.11: it is accuracy now, "
                "and 'neg_log_loss' then",
                FutureWarning,
                stacklevel=3,
            )
        if getattr(self, "use_legacy_attributes", True) == "warn":
            warnings.warn(
                f"The fitted attributes of {type(self).__name__} will be simplified in scikit-learn 1.10; "
                "`use_legacy_attributes=False` gives the new ones now",
                FutureWarning,
                stacklevel=3,
            )
        return self._checked_ratios(ratios)

    def _checked_ratios(self, ratios):
        self._l1_ratios_given = ratios is not None
        if self.penalty == "elasticnet" or (ratios is not None and len(ratios) == 0):
            valid = (
                ratios is not None
                and len(ratios)
                and all(isinstance(ratio, numbers.Number) and 0 <= ratio <= 1 for ratio in ratios)
            )
            if not valid:
                raise ValueError(
                    f"l1_ratios must be an array-like of numbers between 0 and 1; got (l1_ratios={ratios!r})"
                )
            return list(ratios)
        if self.penalty in ("l1", "l2"):
            if ratios is not None:
                warnings.warn(
                    f"l1_ratios parameter is only used when penalty is 'elasticnet'. Got (penalty={self.penalty})",
                    stacklevel=4,
                )
            return [1.0 if self.penalty == "l1" else 0.0]
        penalty = "elasticnet" if ratios is not None and any(ratios) else "l2"
        if penalty == "elasticnet" and all(ratio == 1 for ratio in ratios):
            penalty = "l1"
        LogisticRegression._check_solver(self, penalty)
        return [None] if ratios is None else list(ratios)

    def _routed(self, sample_weight, params):
        """What the splitter and the scorer are given."""
        from sklearn.utils.metadata_routing import process_routing
        from sklearn.utils._metadata_requests import _raise_for_params, _routing_enabled

        _raise_for_params(params, self, "fit")
        if _routing_enabled():
            routed = process_routing(self, "fit", sample_weight=sample_weight, **params)
            return routed.splitter.split, routed.scorer.score
        return {}, {**params, **({} if sample_weight is None else {"sample_weight": sample_weight})}

    def _at(self, C, l1_ratio):
        return LogisticRegression(
            C=C,
            l1_ratio=l1_ratio,
            tol=self.tol,
            max_iter=self.max_iter,
            fit_intercept=self.fit_intercept,
            dual=self.dual,
            intercept_scaling=self.intercept_scaling,
            solver=self.solver,
            warm_start=True,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
            verbose=self.verbose,
            **({} if PENALTY_DEPRECATED else {"penalty": "elasticnet" if l1_ratio else "l2"}),
        )

    def _fold_path(self, X, y, weights, fold, l1_ratio, scoring):
        """The coefficients, the score and the iterations for each C, trained on a fold."""
        train, test = fold
        scorer = get_scorer("accuracy" if self.scoring is None or self.scoring == "warn" else self.scoring)
        judging = _check_method_params(X, scoring, indices=test)
        model, steps = self._at(1.0, l1_ratio), []
        for C in self.Cs_:
            model.set_params(C=C).fit(X[train], y[train], None if weights is None else weights[train])
            bias = [model.intercept_[:, None]] if self.fit_intercept else []
            steps.append(
                (np.hstack([model.coef_, *bias]), scorer(model, X[test], y[test], **judging), model.n_iter_[0])
            )
        return steps

    def _set_paths(self, paths):
        """folds x l1_ratios x Cs, the coefficients x classes x features behind that."""
        self.scores_ = np.array([[[step[1] for step in path] for path in fold] for fold in paths])
        self.n_iter_ = np.array([[[step[2] for step in path] for path in fold] for fold in paths])
        self.coefs_paths_ = np.array([[[step[0] for step in path] for path in fold] for fold in paths])

    def _set_legacy_attributes(self):
        """The attributes as dicts from classes, with the Cs before the l1_ratios."""
        labels = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        scores = np.swapaxes(self.scores_, 1, 2)
        coefs = np.moveaxis(self.coefs_paths_, (3, 0, 2, 1), (0, 1, 2, 3))
        iterations = np.swapaxes(self.n_iter_, 1, 2)[None]
        if not self._l1_ratios_given:
            scores, coefs, iterations = scores[:, :, 0], coefs[:, :, :, 0], iterations[:, :, :, 0]
        self.scores_ = dict.fromkeys(labels, scores)
        self.coefs_paths_ = dict(zip(labels, coefs))
        self.n_iter_ = iterations
        self.C_, self.l1_ratio_ = np.full(len(labels), self.C_), np.full(len(labels), self.l1_ratio_)
