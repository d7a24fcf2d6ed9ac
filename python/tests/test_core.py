"""The binding: memory, threads, fork, interrupts, errors, pickles."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import discern
from discern._native import core, thread_limit


def test_rows_in_memory_are_not_copied():
    code = """
        import resource, numpy as np, discern
        X = np.random.default_rng(0).normal(size=(2_000_000, 20)).astype(np.{dtype})
        y = (X[:, 0] > 0).astype(int)
        discern.LogisticRegression().fit(X[:1000], y[:1000])
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        discern.LinearDiscriminantAnalysis  # keeps the import alive
        model = discern.LogisticRegression(max_iter=3).fit(X, y)
        model.predict_proba(X[:10])
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / X.nbytes)
    """
    for dtype in ("float64", "float32"):
        run = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code.format(dtype=dtype))],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        bound = {"float64": 0.5, "float32": 0.9}[dtype]  # labels, weights and one score per row are kept beside them
        assert float(run.stdout) < bound, dtype


def test_read_only_and_memory_mapped_rows_are_taken(two_classes, tmp_path):
    X, y = two_classes
    expected = discern.LogisticRegression().fit(X, y).coef_
    np.save(tmp_path / "x.npy", X)
    for rows in (np.load(tmp_path / "x.npy", mmap_mode="r"), X.copy()):
        rows.flags.writeable = False
        assert np.array_equal(discern.LogisticRegression().fit(rows, y).coef_, expected)


def test_float32_stays_float32(two_classes):
    X, y = two_classes
    model = discern.LogisticRegression().fit(X.astype(np.float32), y)
    assert model.coef_.dtype == model.predict_proba(X.astype(np.float32)).dtype == np.float32
    assert discern.Ridge().fit(X.astype(np.float32), X[:, 0]).predict(X.astype(np.float32)).dtype == np.float32


def test_the_number_of_threads_changes_no_bit(rng):
    X = rng.normal(size=(20000, 10))
    y = (X[:, 0] + rng.normal(size=20000) > 0).astype(int)
    one = discern.LogisticRegression(n_jobs=1).fit(X, y)
    assert np.array_equal(one.coef_, discern.LogisticRegression().fit(X, y).coef_)


def test_n_jobs_and_the_environment_limit_the_threads(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert thread_limit(None) == 0
    assert thread_limit(3) == 3
    assert thread_limit(-1) == os.cpu_count()
    monkeypatch.setenv("OMP_NUM_THREADS", "2,1")
    assert thread_limit(None) == 2
    with pytest.raises(ValueError, match="n_jobs"):
        thread_limit(0)


def _fit_in_child(queue, X, y):
    queue.put(discern.LogisticRegression().fit(X, y).coef_)


def test_a_forked_child_fits_the_same_model(rng):
    X = rng.normal(size=(50000, 8))
    y = (X[:, 0] + rng.normal(size=50000) > 0).astype(int)
    expected = discern.LogisticRegression().fit(X, y).coef_  # the parent has used its threads
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_fit_in_child, args=(queue, X, y))
    child.start()
    try:
        assert np.array_equal(queue.get(timeout=60), expected)
    finally:
        child.join(10)
        if child.is_alive():
            child.kill()


def test_the_interpreter_runs_on_during_a_fit(rng):
    X = rng.normal(size=(200000, 30))
    y = (X[:, 0] + rng.normal(size=200000) > 0).astype(int)
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    other = threading.Thread(target=tick)
    other.start()
    start = time.perf_counter()
    discern.LogisticRegression(C=1e-3).fit(X, y)
    end = time.perf_counter()
    done.set()
    other.join()
    assert sum(start < t < end for t in ticks) > 5


def test_an_interrupt_keeps_the_model_so_far(rng, request):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # which background processes do not have
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    X = rng.normal(size=(20000, 200))
    y = rng.integers(0, 2, 20000)
    model = discern.MLPClassifier(max_iter=3000)
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert not model.converged_
    assert model.predict(X[:5]).shape == (5,)


def test_a_fit_that_stops_short_warns(two_classes):
    with pytest.warns(ConvergenceWarning, match="failed to converge"):
        model = discern.LogisticRegression(max_iter=1).fit(*two_classes)
    assert not model.converged_
    assert model.certificate_["value"] > model.certificate_["tolerance"]


def test_errors_have_a_code_and_survive_pickling():
    with pytest.raises(discern.Error, match="l2") as caught:
        core.fit("logistic", {"l2": "-1"}, np.eye(2), np.array([0, 1], dtype=np.int32), ["a", "b"], {})
    assert caught.value.code == "usage"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.code) == (str(caught.value), "usage")
    for wrong in (np.eye(2, dtype=int), np.zeros(3), "text"):
        with pytest.raises(TypeError, match="expected"):
            core.fit("logistic", {}, wrong, np.array([0, 1], dtype=np.int32), ["a", "b"], {})
    with pytest.raises(ValueError, match="no setting 'colour'"):
        core.fit("logistic", {}, np.eye(2), np.array([0, 1], dtype=np.int32), ["a", "b"], {"colour": 1})


def test_pickles_and_clones_predict_the_same_bits(three_classes):
    X, y = three_classes
    for model in (
        discern.LogisticRegression(),
        discern.QuadraticDiscriminantAnalysis(),
        discern.MLPClassifier(max_iter=5),
    ):
        model.fit(X, y)
        again = pickle.loads(pickle.dumps(model))
        assert np.array_equal(model.predict_proba(X), again.predict_proba(X))
        assert not hasattr(clone(model), "classes_")


def test_labels_come_back_as_they_went_in(rng):
    X = rng.normal(size=(60, 2))
    for labels in (["10", "9"], ["10", "9", "100"], [2.0, 1.0], [True, False], ["b", "a"], [-3, 7, 2]):
        y = np.array(labels)[rng.integers(0, len(labels), 60)]
        X[:, 0] += np.searchsorted(np.unique(y), y) * 10
        model = discern.LogisticRegression().fit(X, y)
        assert np.mean(model.predict(X) == y) > 0.95
        assert model.predict(X).dtype == y.dtype
        best = model.classes_[np.argmax(model.predict_proba(X), axis=1)]
        assert np.array_equal(best, model.predict(X))
        X[:, 0] = rng.normal(size=60)


def test_one_row_is_predicted_without_validating_it_twice(two_classes):
    X, y = two_classes
    model = discern.LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        model.predict_proba(np.array([[np.nan, 1, 2, 3]]))
    with pytest.raises(ValueError, match="features"):
        model.predict_proba(X[:1, :3])
