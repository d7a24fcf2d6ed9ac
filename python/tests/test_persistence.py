"""One model file for Python, the tool and C++; and twins in scikit-learn."""

import csv
import subprocess

import numpy as np
import pytest

import discern


def write_table(path, X, y=None):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"x{j + 1}" for j in range(X.shape[1])] + ([] if y is None else ["target"]))
        for i, row in enumerate(X):
            writer.writerow([repr(float(v)) for v in row] + ([] if y is None else [y[i]]))


def told_by_the_tool(tool, model, table, what):
    run = subprocess.run([tool, "predict", model, table, "--output", what], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    rows = list(csv.reader(run.stdout.splitlines()))[1:]
    return [row[0] for row in rows], np.array([[float(v) for v in row[1:]] for row in rows])


@pytest.mark.parametrize(
    "estimator",
    [
        discern.LogisticRegression(),
        discern.LinearDiscriminantAnalysis(),
        discern.GaussianNB(),
        discern.MLPClassifier(max_iter=5),
    ],
    ids=lambda e: type(e).__name__,
)
def test_what_python_saves_the_tool_predicts_to_the_bit(estimator, three_classes, tool, tmp_path):
    X, y = three_classes
    model = estimator.fit(X, y)
    model.save(tmp_path / "m.model")
    write_table(tmp_path / "x.csv", X)
    labels, probabilities = told_by_the_tool(tool, tmp_path / "m.model", tmp_path / "x.csv", "proba")
    assert labels == model.predict(X).tolist()
    assert np.array_equal(probabilities, model.predict_proba(X))


def test_what_the_tool_saves_python_predicts_to_the_bit(three_classes, tool, tmp_path):
    X, y = three_classes
    write_table(tmp_path / "d.csv", X, y)
    fit = [tool, "fit", tmp_path / "d.csv", "--target", "target", "--model", "logistic", "-o", tmp_path / "m.model"]
    subprocess.run(fit, check=True, capture_output=True, timeout=60)
    model = discern.load(tmp_path / "m.model")
    labels, probabilities = told_by_the_tool(tool, tmp_path / "m.model", tmp_path / "d.csv", "proba")
    assert labels == model.predict(X).tolist()
    assert np.array_equal(probabilities, model.predict_proba(X))
    assert model.classes_.tolist() == ["ant", "bee", "cow"]
    assert model.converged_ and "logistic" not in type(model).__name__


def test_a_loaded_model_takes_frames(three_classes, tmp_path):
    pd = pytest.importorskip("pandas")
    X, y = three_classes
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = discern.LogisticRegression().fit(frame, y)
    model.save(tmp_path / "m.model")
    again = discern.load(tmp_path / "m.model")
    assert again.predict(frame[list("dcba")]).tolist() == model.predict(frame).tolist()


def test_a_damaged_file_is_refused(tmp_path):
    (tmp_path / "m.model").write_bytes(b"no model")
    with pytest.raises(discern.Error) as caught:
        discern.load(tmp_path / "m.model")
    assert caught.value.code == "model"
    with pytest.raises(discern.Error):
        discern.load(tmp_path / "absent.model")


@pytest.mark.parametrize(
    "estimator",
    [
        discern.LogisticRegression(),
        discern.LinearSVC(),
        discern.LinearDiscriminantAnalysis(),
        discern.GaussianNB(),
        discern.QuadraticDiscriminantAnalysis(),
        discern.SGDClassifier(),
        discern.Perceptron(),
        discern.MLPClassifier(max_iter=5),
    ],
    ids=lambda e: type(e).__name__,
)
def test_to_sklearn_predicts_the_same(estimator, three_classes):
    X, y = three_classes
    model = estimator.fit(X, y)
    twin = model.to_sklearn()
    assert type(twin).__module__.startswith("sklearn.")
    assert np.array_equal(twin.predict(X), model.predict(X))
    if hasattr(twin, "predict_proba"):
        np.testing.assert_allclose(twin.predict_proba(X), model.predict_proba(X), rtol=1e-6, atol=1e-9)


def test_to_sklearn_of_regressions(rng):
    X = rng.normal(size=(50, 3))
    for model in (discern.LinearRegression(), discern.Ridge(), discern.Lasso(0.01), discern.SGDRegressor()):
        model.fit(X, X @ [1.0, 2, 3])
        np.testing.assert_allclose(model.to_sklearn().predict(X), model.predict(X), rtol=1e-9)
    with pytest.raises(discern.Error, match="no HoKashyap"):
        discern.HoKashyap().fit(X, X[:, 0] > 0).to_sklearn()
