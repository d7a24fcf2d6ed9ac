"""Every constructor argument of every estimator: it changes the result, is documented as without influence on it
(the table in docs/guide/python.md), or is refused by name. Nothing falls back silently.
"""

import inspect
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.covariance import OAS
from sklearn.linear_model import LogisticRegression

import discern

from test_checks import estimators

GUIDE = Path(__file__).resolve().parents[2] / "docs/guide/python.md"
SEED = np.random.default_rng(5)
X = SEED.normal(size=(90, 4)) * [1.0, 2.0, 0.5, 1.0] + [0, 0, 0, 1]
TWO = (X[:, 0] + 0.4 * X[:, 1] + SEED.normal(size=90) > 0.2).astype(int)
THREE = np.argmax(X[:, :3] + SEED.normal(size=(90, 3)), axis=1)
NUMBER = X @ [2.0, -1.0, 0.5, 0.0] + 3 + SEED.normal(size=90)
COUNTS = SEED.poisson(np.where(TWO[:, None] == 1, [3, 1, 1, 2], [1, 2, 1, 0])).astype(float)
ALIKE = SEED.normal(size=(90, 1)) + 0.5 * SEED.normal(size=(90, 400))  # many columns that are nearly the same
LEVELS = np.minimum(COUNTS, 3).astype(int)


class Case:
    """A value of an argument, the other arguments beside it, and what comes of it: of `rows`, or those of data_of.

    `but` is a fitted attribute that only repeats the argument.
    """

    def __init__(self, outcome, value, beside, rows=None, but=None):
        self.outcome, self.value, self.beside, self.rows, self.but = outcome, value, beside, rows, but


def changes(value, rows=None, **beside):
    return Case("changes", value, beside, rows)


def same(value, but=None, **beside):
    return Case("same", value, beside, but=but)


def refused(value, **beside):
    return Case("refused", value, beside)


def steering(*names):
    """Arguments that make no difference to a minimum, at a value that is not the default."""
    values = {
        "copy_X": False,
        "dual": True,
        "max_iter": 5000,
        "n_jobs": 1,
        "precompute": True,
        "random_state": 3,
        "selection": "random",
        "tol": 1e-2,
        "verbose": 0,
        "warm_start": True,
        "eta0": 0.7,
        "epsilon": 0.4,
        "shuffle": False,
        "validation_fraction": 0.3,
        "n_iter_no_change": 2,
        "max_fun": 100,
    }
    return {name: same(values[name]) for name in names}


LOGISTIC = {
    "penalty": changes("l1", solver="liblinear"),
    "C": changes(0.01),
    "l1_ratio": changes(1.0, solver="saga"),
    "fit_intercept": changes(False),
    "intercept_scaling": refused(2.0, solver="liblinear"),
    "class_weight": changes("balanced"),
    "solver": [same("newton-cg"), changes("liblinear")],
    "max_iter": changes(1),
    "dual": [same(True, solver="liblinear"), refused(True)],
    **steering("tol", "random_state", "verbose", "warm_start", "n_jobs"),
}
SGD = {
    "penalty": changes("l1", loss="log_loss"),
    "alpha": changes(0.5),
    "l1_ratio": changes(0.9, penalty="elasticnet", loss="log_loss"),
    "fit_intercept": changes(False),
    "learning_rate": refused("constant"),
    "power_t": refused(0.3),
    "early_stopping": refused(True),
    "average": refused(True),
    **steering("max_iter", "tol", "shuffle", "verbose", "epsilon", "random_state", "eta0", "warm_start"),
    **steering("n_iter_no_change", "validation_fraction"),
}
NET = {
    "hidden_layer_sizes": changes((3,)),
    "activation": changes("tanh"),
    "solver": changes("lbfgs"),
    "alpha": changes(5.0),
    "batch_size": changes(30),
    "learning_rate": [refused("adaptive", solver="sgd", momentum=0), changes("invscaling", solver="sgd", momentum=0)],
    "learning_rate_init": changes(0.1),
    "power_t": refused(0.3, solver="sgd", learning_rate="invscaling", momentum=0),
    "max_iter": changes(2),
    "shuffle": changes(False),
    "random_state": changes(3),
    "tol": [refused(1e-2), changes(3.0, solver="lbfgs", max_iter=200)],
    "verbose": same(False),
    "warm_start": same(True),
    "momentum": changes(0.5, solver="sgd", nesterovs_momentum=False),
    "nesterovs_momentum": [refused(True, solver="sgd"), same(True, solver="sgd", momentum=0)],
    "early_stopping": changes(True),
    "validation_fraction": changes(0.4, early_stopping=True),
    "beta_1": changes(0.5),
    "beta_2": refused(0.9),
    "epsilon": refused(1e-3),
    "n_iter_no_change": [refused(3), changes(1, early_stopping=True)],
    "max_fun": [refused(100, solver="lbfgs"), same(100)],
}
ELASTIC = {
    "alpha": changes(0.01),
    "fit_intercept": changes(False),
    "positive": refused(True),
    "max_iter": changes(1, rows=ALIKE, alpha=1e-3),
    **steering("precompute", "copy_X", "tol", "warm_start", "random_state", "selection"),
}
ELASTIC_CV = {
    "eps": changes(0.3),
    "alphas": changes(3),
    "fit_intercept": changes(False),
    "cv": changes(3),
    "positive": refused(True),
    **steering("precompute", "max_iter", "tol", "copy_X", "verbose", "n_jobs", "random_state", "selection"),
}
DISCRETE = {
    "alpha": changes(0.1),
    "force_alpha": changes(False, alpha=1e-14),
    "fit_prior": changes(False),
    "class_prior": changes([0.9, 0.1]),
}
OWN_NUMBERS = {"random_state": changes(3), "n_jobs": same(1), "standardize": changes(False)}
MACHINES = {"estimator": changes(discern.LogisticRegression(C=1e-3)), "n_jobs": same(1)}

ARGUMENTS = {
    "LogisticRegression": LOGISTIC,
    "LogisticRegressionCV": {
        **{name: case for name, case in LOGISTIC.items() if name not in ("C", "l1_ratio", "warm_start")},
        "Cs": changes([1e-3]),
        "l1_ratios": changes([1.0], solver="saga"),
        "cv": same(4),
        "scoring": changes("neg_log_loss"),
        "refit": refused(False),
        "solver": [same("newton-cg"), changes("liblinear")],
        "max_iter": changes(1),
        "use_legacy_attributes": same(False),
    },
    "LinearSVC": {
        "penalty": changes("l1", dual=False),
        "loss": changes("hinge"),
        "C": changes(0.01),
        "multi_class": refused("crammer_singer"),
        "fit_intercept": changes(False),
        "intercept_scaling": refused(2.0),
        "class_weight": changes({0: 3.0}),
        "max_iter": changes(1),
        **steering("dual", "tol", "verbose", "random_state"),
    },
    "LinearRegression": {
        "fit_intercept": changes(False),
        "positive": refused(True),
        **steering("copy_X", "tol", "n_jobs"),
    },
    "Ridge": {
        "alpha": changes(50.0),
        "fit_intercept": changes(False),
        "solver": same("lsqr"),
        "positive": refused(True),
        **steering("copy_X", "max_iter", "tol", "random_state"),
    },
    "RidgeCV": {
        "alphas": changes([300.0]),
        "fit_intercept": changes(False),
        "scoring": changes("neg_max_error", alphas=np.logspace(-3, 3, 13), cv=3),
        "cv": changes(2, alphas=np.logspace(-3, 3, 25)),
        "gcv_mode": same("eigen"),
        "store_cv_results": changes(True),
        "alpha_per_target": refused(True, cv=3),
    },
    "Lasso": ELASTIC,
    "ElasticNet": {**ELASTIC, "l1_ratio": changes(0.9)},
    "LassoCV": ELASTIC_CV,
    "ElasticNetCV": {**ELASTIC_CV, "l1_ratio": changes(0.05, alphas=[0.5])},
    "Perceptron": {
        "penalty": refused("l2"),
        "alpha": same(0.1),
        "l1_ratio": same(0.9),
        "fit_intercept": changes(False),
        "max_iter": changes(2),
        "tol": [same(None), refused(1e-2)],
        "shuffle": changes(False),
        "eta0": changes(0.3),
        "early_stopping": refused(True),
        "class_weight": changes({0: 3.0}),
        "warm_start": refused(True),
        **steering("n_iter_no_change", "verbose", "n_jobs", "random_state", "validation_fraction"),
    },
    "SGDClassifier": {
        **SGD,
        **steering("n_jobs"),
        "loss": [changes("log_loss"), refused("huber"), refused("perceptron")],
        "class_weight": changes({0: 3.0}),
    },
    "SGDRegressor": {
        **SGD,
        "loss": refused("huber"),
        "penalty": changes("l1", alpha=0.1),
        "l1_ratio": changes(0.9, penalty="elasticnet", alpha=0.1),
    },
    "LinearDiscriminantAnalysis": {
        "solver": same("eigen", store_covariance=True),
        "shrinkage": [changes(0.5, solver="lsqr"), changes("auto", solver="lsqr")],
        "priors": [
            changes([0.9, 0.1]),
            changes([0.9, 0.1], solver="eigen"),
            changes([0.9, 0.1], solver="lsqr", shrinkage="auto"),
        ],
        "n_components": same(1),
        "store_covariance": changes(True),
        "tol": [refused(1e-2), same(1e-2, solver="lsqr")],
        "covariance_estimator": [changes(OAS(), solver="lsqr"), refused(OAS())],
    },
    "QuadraticDiscriminantAnalysis": {
        "solver": same("eigen"),
        "shrinkage": [changes(0.5, solver="eigen"), changes("auto", solver="eigen")],
        "priors": changes([0.9, 0.1]),
        "reg_param": [changes(0.5), refused(0.5, solver="eigen")],
        "store_covariance": changes(True),
        "tol": same(1e-2),
        "covariance_estimator": [changes(OAS(), solver="eigen"), refused(OAS())],
    },
    "GaussianNB": {"priors": changes([0.9, 0.1]), "var_smoothing": changes(0.5)},
    "BernoulliNB": {**DISCRETE, "binarize": changes(1.5)},
    "MultinomialNB": DISCRETE,
    "ComplementNB": {
        **DISCRETE,
        "fit_prior": same(False, but="class_log_prior_"),
        "class_prior": same([0.9, 0.1], but="class_log_prior_"),
        "norm": refused(True),
    },
    "CategoricalNB": {**DISCRETE, "min_categories": changes(6)},
    "MLPClassifier": NET,
    "MLPRegressor": {
        **NET,
        "n_iter_no_change": [refused(3), changes(1, early_stopping=True, learning_rate_init=0.05)],
        "loss": refused("poisson"),
    },
    "OneVsRestClassifier": {**MACHINES, "verbose": same(0)},
    "OneVsOneClassifier": MACHINES,
    "OutputCodeClassifier": {**MACHINES, "code_size": changes(4), "random_state": changes(8)},
    "FirthLogisticRegression": {
        "fit_intercept": changes(False),
        "max_iter": changes(1),
        **steering("tol", "n_jobs"),
    },
    "HoKashyap": {
        "margin": changes(3.0),
        "learning_rate": changes(0.5, max_iter=3),
        "tol": same(0.5),
        "max_iter": changes(1),
        "fit_intercept": changes(False),
        "n_jobs": same(1),
    },
    "KernelPerceptron": {
        **OWN_NUMBERS,
        "kernel": changes("linear"),
        "budget": changes(5),
        "epochs": changes(1),
        "shuffle": changes(True),
        "fit_intercept": changes(False),
        "random_state": changes(3, shuffle=True),
    },
    "FisherDiscriminant": {"n_components": changes(1), "principal": changes(2), "n_jobs": same(1)},
    "MixedNB": {
        "densities": changes("kde"),
        "priors": changes([0.9, 0.1]),
        "smoothing": changes(5.0, rows=COUNTS, densities="multinomial"),
        "var_smoothing": changes(0.5),
        "bandwidth": changes(3.0, densities="kde"),
        "n_jobs": same(1),
    },
    "RBFNetwork": {
        **OWN_NUMBERS,
        "centers": changes(3),
        "placement": changes("random"),
        "unit": changes("inverse-quadratic"),
        "width": changes(7.0),
        "loss": changes("logistic"),
        "l2": changes(100.0),
    },
    "Compare": {
        "models": changes(["lda"]),
        "metric": changes("auc"),
        "budget": same(1000.0),
        "folds": changes(4),
        "standardize": same(False),
        "random_state": changes(3),
        "n_jobs": same(1),
    },
    "TableClassifier": {
        "model": changes("lda"),
        "options": changes({"l2": 50.0}),
        "standardize": changes(False, options={"l2": 50.0}),
        "basis": changes("poly:2"),
        "unseen": same("error"),
        "random_state": changes(3, model="rbf-network"),
        "n_jobs": same(1),
    },
    "TableRegressor": {
        "model": changes("lasso"),
        "options": changes({"l2": 50.0}),
        "standardize": changes(False, options={"l2": 50.0}),
        "basis": changes("poly:2"),
        "unseen": same("error"),
        "random_state": changes(3, model="rbf-network"),
        "n_jobs": same(1),
    },
}
# Arguments at values other than the default that make what is asked about visible.
BASES = {
    "LinearSVC": {"loss": "squared_hinge"},
    "LogisticRegressionCV": {"Cs": np.logspace(-3, 1, 5), "cv": 4},
    "LassoCV": {"cv": 4, "alphas": 20},
    "ElasticNetCV": {"cv": 4, "alphas": 20},
    "MLPClassifier": {"max_iter": 20, "hidden_layer_sizes": (5,), "random_state": 0, "batch_size": 10},
    "MLPRegressor": {"max_iter": 20, "hidden_layer_sizes": (5,), "random_state": 0, "batch_size": 10},
    "OneVsRestClassifier": {"estimator": LogisticRegression()},
    "OneVsOneClassifier": {"estimator": LogisticRegression()},
    "OutputCodeClassifier": {"estimator": LogisticRegression(), "random_state": 0, "code_size": 2},
    "KernelPerceptron": {"epochs": 3},
    "HoKashyap": {"max_iter": 50},
    "RBFNetwork": {"centers": 8},
    "Compare": {"models": ["lda", "naive-bayes"], "folds": 3},
}
IGNORED = {"n_iter_", "t_", "dual_gap_", "solver_", "loss_", "best_loss_", "loss_curve_", "feature_names_in_"}


def data_of(name):
    if name in ("MultinomialNB", "ComplementNB", "BernoulliNB"):
        return COUNTS, TWO
    if name == "CategoricalNB":
        return LEVELS, TWO
    if name in ("FisherDiscriminant", "OneVsRestClassifier", "OneVsOneClassifier", "OutputCodeClassifier"):
        return X, THREE
    regression = ("LinearRegression", "Ridge", "RidgeCV", "Lasso", "LassoCV", "ElasticNet", "ElasticNetCV")
    return X, NUMBER if name in regression or name.endswith("Regressor") else TWO


def numbers_of(value):
    """The numbers in a fitted attribute; None: it has none."""
    if isinstance(value, dict):
        value = list(value.values())
    try:
        return np.concatenate(
            [np.ravel(np.asarray(v, dtype=float)) for v in (value if isinstance(value, list) else [value])]
        )
    except (TypeError, ValueError):
        return None


def result_of(name, arguments, rows=None, but=None):
    """What a fit predicts and has learned."""
    usual, y = data_of(name)
    rows = usual if rows is None else rows
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = getattr(discern, name)(**{**BASES.get(name, {}), **arguments}).fit(rows, y)
        asked = {"predict": model.predict(rows)}
        for method in ("decision_function", "predict_proba"):
            if hasattr(model, method):
                asked[method] = getattr(model, method)(rows)
    learned = {key: value for key, value in vars(model).items() if key.endswith("_") and key not in IGNORED | {but}}
    found = {key: numbers_of(value) for key, value in {**asked, **learned}.items()}
    return {key: value for key, value in found.items() if value is not None}


def equal(a, b):
    return a.keys() == b.keys() and all(
        a[key].shape == b[key].shape and np.allclose(a[key], b[key], rtol=1e-6, atol=1e-8, equal_nan=True) for key in a
    )


def without_influence():
    """The pairs (estimator, argument) in the guide's table of arguments without influence on the result."""
    table = GUIDE.read_text().split("## Arguments without influence")[1].split("\n## ")[0]
    pairs = set()
    for line in re.findall(r"^\| `.*$", table, re.MULTILINE):
        who, which, _ = line.strip("|").split("|")
        pairs |= {(a, b) for a in re.findall(r"`(\w+)`", who) for b in re.findall(r"`(\w+)`", which)}
    return pairs


CASES = [
    pytest.param(name, argument, case, id=f"{name}-{argument}-{k}")
    for name, arguments in ARGUMENTS.items()
    for argument, cases in arguments.items()
    for k, case in enumerate(cases if isinstance(cases, list) else [cases])
]


@pytest.mark.parametrize("estimator", estimators(), ids=lambda estimator: type(estimator).__name__)
def test_every_argument_is_asked_about(estimator):
    name = type(estimator).__name__
    parameters = set(inspect.signature(type(estimator).__init__).parameters) - {"self"}
    assert parameters - set(ARGUMENTS[name]) == set()


@pytest.mark.parametrize("name, argument, case", CASES)
def test_argument(name, argument, case):
    if argument not in inspect.signature(getattr(discern, name).__init__).parameters:
        pytest.skip("not an argument in this version of scikit-learn")
    if case.outcome == "refused":
        with pytest.raises((ValueError, NotImplementedError), match=argument):
            result_of(name, {**case.beside, argument: case.value})
        return
    before = result_of(name, case.beside, case.rows, case.but)
    after = result_of(name, {**case.beside, argument: case.value}, case.rows, case.but)
    if case.outcome == "changes":
        assert not equal(before, after)
        return
    assert equal(before, after)
    assert (name, argument) in without_influence(), "the guide does not say that it is without influence"
