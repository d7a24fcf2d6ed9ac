"""Callbacks of scikit-learn: the hooks around a fit, the reports in between, and a callback that stops it."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

import discern

pytest.importorskip("sklearn.callback", reason="scikit-learn has callbacks since 1.9")


class Recorder:
    """Counts what it hears; ends the fit at its first report if asked to."""

    max_propagation_depth = None

    def __init__(self, stop=False):
        self.heard, self.stop, self.fitted = [], stop, None

    def setup(self, estimator, context):
        self.heard.append("setup")

    def teardown(self, estimator, context):
        self.heard.append("teardown")

    def on_fit_task_begin(self, estimator, context, *, X=None, y=None, metadata=None):
        self.heard.append(f"{context.task_name} begins")

    def on_fit_task_end(self, estimator, context, *, metadata=None, fitted_estimator=None):
        self.heard.append(f"{context.task_name} ends")
        if context.task_name == "fit":
            self.fitted = fitted_estimator
        return self.stop and context.task_name == "progress"


def slow_problem(rng):
    """A network that takes long enough for some reports."""
    X = rng.normal(size=(20000, 30))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


def test_the_hooks_surround_a_fit(two_classes):
    X, y = two_classes
    for estimator in (discern.LogisticRegression(), discern.GaussianNB(), discern.RidgeCV(cv=3), discern.LinearSVC()):
        recorder = Recorder()
        fitted = estimator.set_callbacks(recorder).fit(X, y)
        assert fitted is estimator
        assert recorder.heard[:2] == ["setup", "fit begins"]
        assert recorder.heard[-2:] == ["fit ends", "teardown"]
        assert recorder.heard.count("fit begins") == 1
        np.testing.assert_array_equal(recorder.fitted.predict(X), fitted.predict(X))


def test_reports_are_subtasks(rng):
    X, y = slow_problem(rng)
    recorder = Recorder()
    discern.MLPClassifier((100,), max_iter=60, random_state=0).set_callbacks(recorder).fit(X, y)
    assert recorder.heard.count("progress begins") == recorder.heard.count("progress ends") > 1


def test_a_callback_stops_the_fit_and_keeps_the_model(rng):
    X, y = slow_problem(rng)
    whole = discern.MLPClassifier((100,), max_iter=400, random_state=0)
    recorder = Recorder(stop=True)
    stopped = whole.set_callbacks(recorder).fit(X, y)
    assert recorder.heard.count("progress ends") == 1
    assert stopped.n_iter_ < 400
    assert stopped.predict(X).shape == y.shape


def test_a_failed_fit_is_torn_down_and_none_are_heard_without_callbacks(two_classes):
    X, y = two_classes
    recorder = Recorder()
    model = discern.LogisticRegression(intercept_scaling=2.0, solver="liblinear").set_callbacks(recorder)
    with pytest.raises(ValueError, match="intercept_scaling"):
        model.fit(X, y)
    assert recorder.heard[-1] == "teardown"
    heard = len(recorder.heard)
    model.set_callbacks().set_params(intercept_scaling=1.0).fit(X, y)
    assert len(recorder.heard) == heard


def test_a_search_hands_them_on(two_classes):
    X, y = two_classes
    recorder = Recorder()
    GridSearchCV(discern.LogisticRegression(), {"C": [0.1, 1.0]}, cv=2).set_callbacks(recorder).fit(X, y)
    assert recorder.heard[-1] == "teardown"
