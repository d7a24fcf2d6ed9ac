#!/usr/bin/env python3
"""Measures the Python package beside scikit-learn (and scikit-learn-intelex, where it is installed).

    PYTHONPATH=build/release/python build/venv/bin/python bench/python.py
    OMP_NUM_THREADS=1 PYTHONPATH=build/release/python build/venv/bin/python bench/python.py    (one thread each)

Prints a table: the shortest of several rounds, in which the two take turns, so that work of others on the machine
counts little; the processor time of that kind in brackets; and the ratio of the times. Three promises are checked: a
fit of 100 x 5 rows takes at most 0.3 ms more than the call of the library; predict_proba of one row is at least 10
times as fast as scikit-learn's, and of 1,000,000 x 50 rows at least twice.
"""

import sys
import time
import warnings

import numpy as np
import sklearn.discriminant_analysis
import sklearn.linear_model
import sklearn.naive_bayes
import sklearn.svm

try:  # before discern, which is content with the TBB that this brings, but not the other way round
    import sklearnex.linear_model as intelex
except ImportError:
    intelex = None

import discern
from discern._native import core


def shortest(*works, rounds=9, repeats=1):
    """For each work the least time of one call over rounds in which they take turns, and the least processor time."""
    repeats = repeats if isinstance(repeats, tuple) else (repeats,) * len(works)
    least = [(float("inf"), float("inf"))] * len(works)
    for work in works:
        work()
    for _ in range(rounds):
        for k, (work, repeat) in enumerate(zip(works, repeats)):
            start, used = time.perf_counter(), time.process_time()
            for _ in range(repeat):
                work()
            taken = (time.perf_counter() - start) / repeat, (time.process_time() - used) / repeat
            least[k] = tuple(map(min, least[k], taken))
    return least


def data(rows, columns, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    y = (X[:, 0] - X[:, 1] + rng.normal(size=rows) > 0).astype(int)
    return X, y


def line(what, ours, theirs, note=""):
    def told(times):
        return f"{times[0] * 1e3:10.4f} ms ({times[1] * 1e3:9.4f})"

    print(f"{what:44} {told(ours)} {told(theirs)} {theirs[0] / ours[0]:6.1f} x  {note}")


def small_fit():
    X, y = data(100, 5)
    codes, model = y.astype(np.int32), discern.LogisticRegression()
    ours, bare, theirs = shortest(
        lambda: model.fit(X, y),
        lambda: core.fit("logistic", {"l2": "1.0"}, X, codes, ["0", "1"], {}),
        lambda: sklearn.linear_model.LogisticRegression().fit(X, y),
        repeats=(200, 200, 50),
    )
    line("fit of 100 x 5", ours, theirs, f"{(ours[0] - bare[0]) * 1e3:.3f} ms over the library's call")
    return ours[0] - bare[0] <= 0.3e-3


def one_row():
    X, y = data(1000, 30)
    row = X[:1]
    ours = discern.LogisticRegression().fit(X, y)
    theirs = sklearn.linear_model.LogisticRegression().fit(X, y)
    a, b = shortest(lambda: ours.predict_proba(row), lambda: theirs.predict_proba(row), repeats=(2000, 500))
    line("predict_proba of one row", a, b)
    return b[0] / a[0] >= 10


def many_rows():
    X, y = data(1_000_000, 50)
    ours = discern.LogisticRegression().fit(X[:5000], y[:5000])
    theirs = sklearn.linear_model.LogisticRegression().fit(X[:5000], y[:5000])
    a, b = shortest(lambda: ours.predict_proba(X), lambda: theirs.predict_proba(X))
    line("predict_proba of 1,000,000 x 50", a, b)
    return b[0] / a[0] >= 2


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
    for name, module, target in pairs:
        classes = [getattr(discern, name), getattr(module, name), getattr(intelex, name, None)]
        works = [lambda cls=cls, target=target: cls().fit(X, target) for cls in classes if cls is not None]
        ours, theirs, *rest = shortest(*works, rounds=5)
        note = f"intelex {rest[0][0] * 1e3:.1f} ms ({rest[0][1] * 1e3:.1f})" if rest else ""
        line(f"{name}.fit of 200,000 x 50", ours, theirs, note)


def main():
    warnings.simplefilter("ignore")
    print(f"{'':44} {'discern (processor)':>25} {'scikit-learn (processor)':>25} {'ratio':>8}")
    kept = [small_fit(), one_row(), many_rows()]
    fits()
    print("promises kept:", ", ".join(map(str, kept)))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
