#!/usr/bin/env python3
"""Measures the Python package beside scikit-learn (and scikit-learn-intelex, where it is installed).

    PYTHONPATH=build/release/python build/venv/bin/python bench/python.py

Prints a table: the median of several runs, and the ratio. Three promises are checked: a fit of 100 x 5 rows takes at
most 0.3 ms more than the call of the library; predict_proba of one row is at least 10 times as fast as scikit-learn's,
and of 1,000,000 x 50 rows at least twice.
"""

import statistics
import sys
import time
import warnings

import numpy as np
import sklearn.discriminant_analysis
import sklearn.linear_model
import sklearn.naive_bayes
import sklearn.svm

import discern
from discern._native import core


def seconds(work, runs=5, repeat=1):
    """The median over the runs of the time of one call."""
    work()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        for _ in range(repeat):
            work()
        times.append((time.perf_counter() - start) / repeat)
    return statistics.median(times)


def data(rows, columns, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    y = (X[:, 0] - X[:, 1] + rng.normal(size=rows) > 0).astype(int)
    return X, y


def line(what, ours, theirs, note=""):
    print(f"{what:44} {ours * 1e3:12.4f} ms {theirs * 1e3:12.4f} ms {theirs / ours:8.1f} x  {note}")


def patched():
    """scikit-learn-intelex's classes, or None."""
    try:
        import sklearnex.linear_model
    except ImportError:
        return None
    return sklearnex.linear_model


def small_fit():
    X, y = data(100, 5)
    codes, model = y.astype(np.int32), discern.LogisticRegression()
    ours = seconds(lambda: model.fit(X, y), repeat=200)
    bare = seconds(lambda: core.fit("logistic", {"l2": "1.0"}, X, codes, ["0", "1"], {}), repeat=200)
    theirs = seconds(lambda: sklearn.linear_model.LogisticRegression().fit(X, y), repeat=50)
    line("fit of 100 x 5", ours, theirs, f"{(ours - bare) * 1e3:.3f} ms over the library's call")
    return ours - bare <= 0.3e-3


def one_row():
    X, y = data(1000, 30)
    row = X[:1]
    ours = discern.LogisticRegression().fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression().fit(X, y)
    a, b = seconds(lambda: ours.predict_proba(row), repeat=2000), seconds(lambda: theirs.predict_proba(row), repeat=500)
    line("predict_proba of one row", a, b)
    return b / a >= 10


def many_rows():
    X, y = data(1_000_000, 50)
    ours = discern.LogisticRegression().fit(X[:5000], y[:5000])
    theirs = sklearn.linear_model.LogisticRegression().fit(X[:5000], y[:5000])
    a, b = seconds(lambda: ours.predict_proba(X)), seconds(lambda: theirs.predict_proba(X))
    line("predict_proba of 1,000,000 x 50", a, b)
    return b / a >= 2


def fit_seconds(cls, X, y):
    return seconds(lambda: cls().fit(X, y), runs=3)


def fits():
    X, y = data(200_000, 50)
    numbers = X @ np.arange(50) + y
    pairs = [
        ("LogisticRegression", sklearn.linear_model, y),
        ("Ridge", sklearn.linear_model, numbers),
        ("LinearRegression", sklearn.linear_model, numbers),
        ("LinearDiscriminantAnalysis", sklearn.discriminant_analysis, y),
        ("GaussianNB", sklearn.naive_bayes, y),
    ]
    other = patched()
    for name, module, target in pairs:
        ours = fit_seconds(getattr(discern, name), X, target)
        theirs = fit_seconds(getattr(module, name), X, target)
        note = ""
        if other is not None and hasattr(other, name):
            note = f"intelex {fit_seconds(getattr(other, name), X, target) * 1e3:.1f} ms"
        line(f"{name}.fit of 200,000 x 50", ours, theirs, note)


def main():
    warnings.simplefilter("ignore")
    print(f"{'':44} {'discern':>15} {'scikit-learn':>15} {'ratio':>10}")
    kept = [small_fit(), one_row(), many_rows()]
    fits()
    print("promises kept:", ", ".join(map(str, kept)))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
