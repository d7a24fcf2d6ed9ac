"""Standard errors, intervals, influence, separation and summaries."""

import numpy as np
import pytest
from scipy import stats

import discern


@pytest.fixture
def regression(rng):
    X = rng.normal(size=(80, 3))
    return X, X @ [1.0, 0.0, -2.0] + 0.5 + rng.normal(size=80)


def test_least_squares_has_students_tests(regression):
    X, y = regression
    model = discern.LinearRegression().fit(X, y)
    Z = np.column_stack([np.ones(len(y)), X])
    residual = y - model.predict(X)
    covariance = residual @ residual / (80 - 4) * np.linalg.inv(Z.T @ Z)
    errors = np.sqrt(np.diag(covariance))[1:]
    np.testing.assert_allclose(model.standard_errors_, errors, rtol=1e-9)
    p = 2 * stats.t.sf(abs(model.coef_ / errors), 76)
    np.testing.assert_allclose(model.pvalues_, p, rtol=1e-6)
    low, high = model.conf_int().T
    half = stats.t.ppf(0.975, 76) * errors
    np.testing.assert_allclose([low, high], [model.coef_ - half, model.coef_ + half], rtol=1e-6)


def test_logistic_regression_has_walds_tests_and_profile_intervals(two_classes):
    X, y = two_classes
    model = discern.LogisticRegression(C=np.inf).fit(X, y)
    Z = np.column_stack([np.ones(len(y)), X])
    p = model.predict_proba(X)[:, 1]
    errors = np.sqrt(np.diag(np.linalg.inv(Z.T * (p * (1 - p)) @ Z)))[1:]
    np.testing.assert_allclose(model.standard_errors_, errors, rtol=1e-6)
    np.testing.assert_allclose(model.pvalues_, 2 * stats.norm.sf(abs(model.coef_[0]) / errors), rtol=1e-5)
    wald, profile = model.conf_int(), model.conf_int(method="profile")
    assert np.all(profile[:, 0] < model.coef_[0]) and np.all(model.coef_[0] < profile[:, 1])
    assert 0 < np.max(abs(wald - profile)) < np.max(errors)
    assert np.all(np.ptp(model.conf_int(confidence=0.99), axis=1) > np.ptp(wald, axis=1))


def test_a_penalised_fit_has_none_and_says_why(two_classes):
    model = discern.LogisticRegression().fit(*two_classes)
    with pytest.raises(AttributeError, match="without a penalty"):
        model.pvalues_  # noqa: B018
    assert not hasattr(model, "pvalues_")
    assert "converged" in str(model.summary())


def test_influence_is_that_of_the_hat_matrix(regression):
    X, y = regression
    Z = np.column_stack([np.ones(len(y)), X])
    hat = np.einsum("ij,jk,ik->i", Z, np.linalg.inv(Z.T @ Z), Z)
    found = discern.LinearRegression().fit(X, y).influence_
    np.testing.assert_allclose(found["leverage"], hat, rtol=1e-8)
    assert found["parameters"] == pytest.approx(4)
    assert found["cook"].shape == (80,)


def test_separation_is_proved_either_way(rng):
    X = rng.normal(size=(40, 2))
    y = (X[:, 0] > 0).astype(int)
    X[:, 0] += np.where(y, 1, -1)
    verdict = discern.separable(X, y)
    assert verdict
    plane = verdict[0]
    assert np.min(np.where(y, 1, -1) * (X @ plane.weights + plane.bias)) >= 1 - 1e-6
    assert plane.margin == pytest.approx(1 / np.linalg.norm(plane.weights), rel=1e-6)
    assert not discern.separable(X, rng.permutation(y))
    with pytest.warns(match="converge"):
        model = discern.LogisticRegression(C=np.inf).fit(X, y)
    assert model.separation_
    assert any("separat" in note for note in model.notes_)


def test_firth_is_finite_on_separated_classes():
    X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    y = [0, 0, 1, 1]
    model = discern.FirthLogisticRegression().fit(X, y)
    assert model.converged_
    assert 0 < model.coef_[0, 0] < 10
    # The score of the penalised likelihood is zero: sum (y - p + h (1/2 - p)) x = 0.
    p = model.predict_proba(X)[:, 1]
    Z = np.column_stack([np.ones(4), X])
    W = p * (1 - p)
    h = W * np.einsum("ij,jk,ik->i", Z, np.linalg.inv(Z.T * W @ Z), Z)
    np.testing.assert_allclose(Z.T @ (y - p + h * (0.5 - p)), 0, atol=1e-7)
    assert model.pvalues_.shape == (1,)


def test_the_summary_is_a_table_in_text_and_html(two_classes):
    summary = discern.LogisticRegression(C=np.inf).fit(*two_classes).summary()
    text = str(summary)
    for word in ("LogisticRegression", "std. error", "(bias)", "x4", "log likelihood", "AIC", "newton"):
        assert word in text
    assert "<table>" in summary._repr_html_()


def test_paths_cross_validation_and_comparison(three_classes):
    X, y = three_classes
    path = discern.path("logistic", X, y, points=20, folds=3)
    assert path.coefs.shape == (20, 3, 4)
    assert path.nonzero[0] == 0 and path.nonzero[-1] > 0
    assert np.all(np.diff(path.l1) < 0) and path.converged.all()
    assert path.within_se <= path.best
    cv = discern.cross_validate("lda", X, y, folds=4)
    assert len(cv["measures"]["accuracy"]["folds"]) == 4
    assert cv["measures"]["accuracy"]["mean"] > 0.5
    numbers = discern.cross_validate("ridge", X, X @ [1.0, 2, 3, 4])
    assert numbers["measures"]["r2"]["mean"] > 0.99
    ranked = discern.compare(X, y, models=["lda", "naive-bayes"], folds=3)
    assert {rank["model"] for rank in ranked["ranking"]} == {"lda", "naive-bayes"}
    assert np.mean(ranked["best"].predict(X) == y) > 0.5
    with pytest.raises(discern.Error, match="model"):
        discern.cross_validate("forest", X, y)
