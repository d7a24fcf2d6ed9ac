"""The same problems as scikit-learn: the objective reached is no higher than its, and closed forms agree."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.discriminant_analysis
import sklearn.linear_model
import sklearn.naive_bayes
import sklearn.svm
from sklearn.covariance import OAS
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.preprocessing import StandardScaler

import discern

CANCER = load_breast_cancer(return_X_y=True)
IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def scaled(data):
    return StandardScaler().fit_transform(data[0]), data[1]


def losses(model, X, y):
    """The log loss of each row, from the attributes alone."""
    g = X @ model.coef_.T + model.intercept_
    if g.shape[1] == 1:
        return np.logaddexp(0, -np.where(y == 1, 1, -1) * g[:, 0])
    return np.logaddexp.reduce(g, axis=1) - g[np.arange(len(y)), y]


@pytest.mark.parametrize("data", [CANCER, IRIS], ids=["two", "three"])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("l1_ratio", [0.0, 0.5, 1.0])
def test_logistic_regression_is_no_higher(data, C, l1_ratio):
    X, y = scaled(data)
    arguments = {"C": C, "l1_ratio": l1_ratio, "solver": "saga" if l1_ratio else "lbfgs", "max_iter": 20000}
    ours = discern.LogisticRegression(**arguments).fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression(tol=1e-8, **arguments).fit(X, y)

    def objective(model):
        w = model.coef_
        return C * losses(model, X, y).sum() + (1 - l1_ratio) / 2 * (w**2).sum() + l1_ratio * abs(w).sum()

    assert ours.converged_
    assert objective(ours) <= objective(theirs) * (1 + 1e-9)
    assert objective(ours) == pytest.approx(C * ours.objective_, rel=1e-9)
    assert objective(theirs) <= objective(ours) * 1.1  # where saga stops early it is above the minimum


def test_class_weights_and_sample_weights_mean_the_same(two_classes, rng):
    X, y = two_classes
    weights = rng.integers(1, 4, len(y))
    for class_weight in (None, "balanced", {0: 2.0, 1: 0.5}):
        ours = discern.LogisticRegression(class_weight=class_weight).fit(X, y, weights)
        theirs = sklearn.linear_model.LogisticRegression(class_weight=class_weight, tol=1e-10, max_iter=10000)
        theirs.fit(X, y, weights)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("data", [CANCER, IRIS], ids=["two", "three"])
def test_linear_svc_is_no_higher(loss, data):
    X, y = scaled(data)
    ours = discern.LinearSVC(loss=loss, C=0.5).fit(X, y)
    theirs = sklearn.svm.LinearSVC(loss=loss, C=0.5, tol=1e-8, max_iter=1000000, dual=True).fit(X, y)

    def objective(model):
        total = 0.0
        for k, (w, b) in enumerate(zip(model.coef_, model.intercept_)):
            t = np.where(y == (1 if len(model.coef_) == 1 else k), 1, -1)
            margins = np.maximum(0, 1 - t * (X @ w + b)) ** (1 if loss == "hinge" else 2)
            total += 0.5 * (w @ w + b * b) + 0.5 * margins.sum()
        return total

    assert ours.converged_
    assert objective(ours) <= objective(theirs) * (1 + 1e-6)


def test_linear_svc_with_l1_is_no_higher():
    X, y = scaled(CANCER)
    ours = discern.LinearSVC(penalty="l1", C=0.1).fit(X, y)
    theirs = sklearn.svm.LinearSVC(penalty="l1", C=0.1, dual=False, tol=1e-8, max_iter=100000).fit(X, y)

    def objective(model):
        w, b = model.coef_[0], model.intercept_[0]
        margins = np.maximum(0, 1 - np.where(y == 1, 1, -1) * (X @ w + b)) ** 2
        return abs(w).sum() + abs(b) + 0.1 * margins.sum()

    assert objective(ours) <= objective(theirs) * (1 + 1e-6)


def test_least_squares_are_those_of_scikit_learn():
    X, y = DIABETES
    ours, theirs = discern.LinearRegression().fit(X, y), sklearn.linear_model.LinearRegression().fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, rel=1e-10)
    assert ours.rank_ == theirs.rank_
    ours, theirs = discern.Ridge(alpha=0.3).fit(X, y), sklearn.linear_model.Ridge(alpha=0.3).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8)
    both = np.column_stack([y, -2 * y])
    np.testing.assert_allclose(discern.Ridge(alpha=0.3).fit(X, both).coef_[1], -2 * theirs.coef_, rtol=1e-8)


@pytest.mark.parametrize("l1_ratio", [0.3, 1.0])
def test_elastic_net_is_no_higher(l1_ratio, rng):
    X, y = DIABETES
    weights = rng.uniform(0.5, 2, len(y))
    ours = discern.ElasticNet(alpha=0.1, l1_ratio=l1_ratio).fit(X, y, weights)
    theirs = sklearn.linear_model.ElasticNet(alpha=0.1, l1_ratio=l1_ratio, tol=1e-12, max_iter=100000).fit(
        X, y, weights
    )

    def objective(model):
        r, w = y - model.predict(X), model.coef_
        return (weights @ r**2) / (2 * weights.sum()) + 0.1 * (l1_ratio * abs(w).sum() + (1 - l1_ratio) / 2 * w @ w)

    assert objective(ours) <= objective(theirs) * (1 + 1e-9)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-3, atol=1e-4)


def test_the_penalties_chosen_by_cross_validation_are_those_of_scikit_learn():
    X, y = DIABETES
    for name, arguments in (
        ("LassoCV", {"cv": 3}),
        ("ElasticNetCV", {"cv": 3}),
        ("RidgeCV", {}),
        ("RidgeCV", {"cv": 3}),
    ):
        ours = getattr(discern, name)(**arguments).fit(X, y)
        exactly = {"tol": 1e-10, "max_iter": 100000} if name != "RidgeCV" else {}
        theirs = getattr(sklearn.linear_model, name)(**arguments, **exactly).fit(X, y)
        assert ours.alpha_ == pytest.approx(theirs.alpha_), name
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4, atol=1e-3, err_msg=name)


def test_sgd_estimators_reach_the_minimum_that_scikit_learn_approaches():
    X, y = scaled(CANCER)
    for loss in ("hinge", "log_loss", "squared_hinge"):
        ours = discern.SGDClassifier(loss=loss, alpha=0.01).fit(X, y)
        theirs = sklearn.linear_model.SGDClassifier(loss=loss, alpha=0.01, random_state=0).fit(X, y)

        def objective(model, loss=loss):
            margin = np.where(y == 1, 1, -1) * (X @ model.coef_[0] + model.intercept_[0])
            each = {
                "hinge": np.maximum(0, 1 - margin),
                "squared_hinge": np.maximum(0, 1 - margin) ** 2,
                "log_loss": np.logaddexp(0, -margin),
            }[loss]
            return each.mean() + 0.005 * (model.coef_**2).sum()

        assert objective(ours) <= objective(theirs), loss


@pytest.mark.parametrize("data", [CANCER, IRIS], ids=["two", "three"])
def test_gaussian_discriminants_are_those_of_scikit_learn(data):
    X, y = scaled(data)
    X = X[:, :4]
    for name in ("LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"):
        ours = getattr(discern, name)(store_covariance=True).fit(X, y)
        theirs = getattr(sklearn.discriminant_analysis, name)(store_covariance=True).fit(X, y)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(ours.means_, theirs.means_, atol=1e-12)
        np.testing.assert_allclose(ours.covariance_, theirs.covariance_, atol=1e-9)
    ours = discern.LinearDiscriminantAnalysis().fit(X, y)
    theirs = sklearn.discriminant_analysis.LinearDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(abs(ours.transform(X)), abs(theirs.transform(X)), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(ours.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=1e-8)


@pytest.mark.parametrize("data", [CANCER, IRIS], ids=["two", "three"])
@pytest.mark.parametrize(
    "arguments",
    [
        {"solver": "eigen", "shrinkage": 0.3},
        {"solver": "eigen", "shrinkage": "auto"},
        {"solver": "lsqr", "shrinkage": 0.3},
        {"solver": "eigen", "priors": True},
        {"solver": "lsqr", "shrinkage": 0.3, "priors": True},
        {"solver": "eigen", "shrinkage": "auto", "priors": True},
        {"solver": "eigen", "covariance_estimator": OAS()},
        {"solver": "lsqr", "covariance_estimator": OAS(), "priors": True},
        {"solver": "svd", "priors": True},
    ],
    ids=str,
)
def test_linear_discriminants_with_other_arguments_are_those_of_scikit_learn(data, arguments):
    X, y = scaled(data)
    X = X[:, :4]
    if "priors" in arguments:
        priors = np.arange(1.0, len(np.unique(y)) + 1)
        arguments = {**arguments, "priors": priors / priors.sum()}
    ours = discern.LinearDiscriminantAnalysis(store_covariance=True, **arguments).fit(X, y)
    theirs = sklearn.discriminant_analysis.LinearDiscriminantAnalysis(store_covariance=True, **arguments).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(ours.covariance_, theirs.covariance_, atol=1e-9)
    if arguments["solver"] != "lsqr":
        np.testing.assert_allclose(abs(ours.transform(X)), abs(theirs.transform(X)), rtol=1e-6, atol=1e-8)


QDA_ARGUMENTS = [
    {"reg_param": 0.2},
    {"solver": "eigen", "shrinkage": 0.2},
    {"solver": "eigen", "shrinkage": "auto"},
    {"solver": "eigen", "covariance_estimator": OAS()},
]


@pytest.mark.parametrize("data", [CANCER, IRIS], ids=["two", "three"])
@pytest.mark.parametrize("arguments", QDA_ARGUMENTS, ids=str)
def test_quadratic_discriminants_with_other_arguments_are_those_of_scikit_learn(data, arguments):
    X, y = scaled(data)
    X = X[:, :4]
    ours = discern.QuadraticDiscriminantAnalysis(**arguments).fit(X, y)
    theirs = sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis(**arguments).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(np.array(ours.scalings_), np.array(theirs.scalings_), rtol=1e-8)


def test_a_singular_covariance_raises_scikit_learns_error():
    X = np.column_stack([IRIS[0][:, 0], IRIS[0][:, 0]])
    with pytest.raises(np.linalg.LinAlgError, match="covariance matrix of class 0 is not full rank"):
        discern.QuadraticDiscriminantAnalysis().fit(X, IRIS[1])
    assert discern.QuadraticDiscriminantAnalysis(reg_param=0.1).fit(X, IRIS[1]).converged_


@pytest.mark.parametrize("name", ["GaussianNB", "BernoulliNB", "MultinomialNB", "ComplementNB", "CategoricalNB"])
@pytest.mark.parametrize("data", [CANCER, IRIS], ids=["two", "three"])
def test_naive_bayes_is_that_of_scikit_learn(name, data, rng):
    X, y = np.floor(np.minimum(data[0][:, :4], 30)), data[1]
    weights = rng.integers(1, 3, len(y)).astype(float)
    if (
        name == "GaussianNB"
    ):  # scikit-learn's smoothing leaves the weights out, which breaks "a weight of two is two rows"
        weights = np.ones(len(y))
    ours = getattr(discern, name)().fit(X, y, weights)
    theirs = getattr(sklearn.naive_bayes, name)().fit(X, y, weights)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-7, atol=1e-12)
    for attribute in ("theta_", "var_", "class_count_", "class_prior_", "class_log_prior_", "feature_count_"):
        if hasattr(theirs, attribute):
            np.testing.assert_allclose(
                getattr(ours, attribute), getattr(theirs, attribute), rtol=1e-8, err_msg=attribute
            )
    parts = getattr(discern, name)()
    for part in (slice(None, None, 2), slice(1, None, 2)):
        parts.partial_fit(X[part], y[part], np.unique(y), weights[part])
    if name != "GaussianNB":  # whose smoothing depends on all rows in another order
        np.testing.assert_allclose(parts.predict_proba(X), ours.predict_proba(X), rtol=1e-9, atol=1e-12)


def test_categories_may_come_later(rng):
    X, y = rng.integers(0, [3, 2, 6], size=(120, 3)), rng.integers(0, 3, 120)
    order = np.lexsort((y, X[:, 2]))  # new categories in later batches, and batches without some of the classes
    X, y, weights = X[order], y[order], rng.uniform(0.5, 2, 120)
    whole = discern.CategoricalNB().fit(X, y, weights)
    parts = discern.CategoricalNB()
    for part in np.array_split(np.arange(120), 9):
        parts.partial_fit(X[part], y[part], [0, 1, 2], weights[part])
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-9)
    np.testing.assert_array_equal(parts.n_categories_, [3, 2, 6])


def test_sparse_rows_give_the_fit_of_dense_ones(rng):
    X = sp.random(200, 30, density=0.2, format="csr", random_state=0)
    y = (X @ rng.normal(size=30) > 0).astype(int)
    dense = discern.LogisticRegression().fit(X.toarray(), y)
    for index in (np.int32, np.int64):
        rows = sp.csr_array((X.data, X.indices.astype(index), X.indptr.astype(index)), shape=X.shape)
        np.testing.assert_allclose(discern.LogisticRegression().fit(rows, y).coef_, dense.coef_, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(
    ("estimator", "argument"),
    [
        (discern.Ridge(positive=True), "positive"),
        (discern.LinearRegression(positive=True), "positive"),
        (discern.SGDClassifier(average=True), "average"),
        (discern.SGDClassifier(loss="huber"), "loss"),
        (discern.LinearSVC(multi_class="crammer_singer"), "multi_class"),
        (discern.ComplementNB(norm=True), "norm"),
        (discern.MLPClassifier(beta_2=0.9), "beta_2"),
        (discern.Perceptron(tol=0.1), "tol"),
    ],
    ids=str,
)
def test_an_argument_that_cannot_be_honoured_is_refused(estimator, argument):
    with pytest.raises(ValueError, match=argument):
        estimator.fit(abs(IRIS[0]), IRIS[1])
