"""The commands of the tool on arrays and data frames: cross_validate, compare, path and separable; and Compare."""

from collections import namedtuple
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_array
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import type_of_target

from ._base import Classifier, SomeProbabilitiesMixin, canonical, class_names
from ._native import core, option_texts, thread_limit
from .frames import frame_of, free_name, is_frame

__all__ = ["Compare", "compare", "cross_validate", "path", "separable"]

Problem = namedtuple("Problem", "x y classes settings")
Path = namedtuple(
    "Path",
    "l1 l2 objectives nonzero explained converged coefs intercepts scores standard_errors best within_se feature_names",
)
Path.__doc__ = """The fits along a path, the largest penalty first: an array of each quantity.

`coefs` is steps x scores x features. With folds, `scores` and `standard_errors` are those of cross-validation, `best`
is the step with the best score and `within_se` the largest penalty within one standard error of it; otherwise None.
"""
SeparablePair = namedtuple("SeparablePair", "positive negative verdict weights bias margin margin_bound")


class Separability(list):
    """A verdict for each pair of classes. True if every pair is separable."""

    def __bool__(self):
        return bool(len(self)) and all(pair.verdict == "yes" for pair in self)


def problem_of(X, y, task=None, n_jobs=None, seed=0, **settings):
    """What the library is given: rows or a frame, and labels or numbers."""
    y = np.asarray(y)
    task = task or ("regression" if type_of_target(y, input_name="y").startswith("continuous") else "classification")
    if task not in ("classification", "regression"):
        raise ValueError(f"task: expected 'classification' or 'regression', got {task!r}")
    settings = {"threads": thread_limit(n_jobs), "seed": int(seed), **settings}
    labels, codes = np.unique(y, return_inverse=True) if task == "classification" else (None, None)
    classes = None if labels is None else class_names(labels)
    numbers = np.ascontiguousarray(y, dtype=np.float64) if classes is None else codes.astype(np.int32)
    if classes is not None and len(classes) == 2:
        settings["positive"] = classes[1]
    if not is_frame(X):
        X = canonical(check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32], order="C"))
        return Problem(X, numbers, classes, settings)
    frame = frame_of(X)
    target = free_name("target", frame.columns)
    if classes is None:
        frame.add_numbers(target, numbers)
    else:
        frame.add_text(target, classes, numbers)
    return Problem(frame, target, classes, {"encode": True, "impute": True, **settings})


def model_of(model, options):
    """The name and the options, from a name of the tool."""
    if not isinstance(model, str):
        raise TypeError(f"model: expected a name such as 'logistic' (discern.model_names()), got {model!r}")
    return model, option_texts(options or {})


def groups_of(groups, on):
    if groups is None:
        return None
    if isinstance(on.x, core.Frame):
        on.x.add_text(free_name("group", on.x.columns), *_text_codes(groups))
        return on.x.columns[-1]
    return np.unique(np.asarray(groups), return_inverse=True)[1].astype(np.int32)


def _text_codes(values):
    levels, codes = np.unique(np.asarray(values).astype(str), return_inverse=True)
    return levels.tolist(), codes.astype(np.int32)


def cross_validate(
    model,
    X,
    y,
    *,
    options=None,
    folds=5,
    repeats=1,
    leave_one_out=False,
    time_ordered=False,
    groups=None,
    standardize=False,
    task=None,
    seed=0,
    n_jobs=None,
):
    """Judges a model by cross-validation: a dict with every measure's mean, standard error and folds."""
    name, texts = model_of(model, options)
    on = problem_of(X, y, task, n_jobs, seed, standardize=standardize)
    division = {
        "folds": folds,
        "repeats": repeats,
        "leave_one_out": leave_one_out,
        "time_ordered": time_ordered,
        "seed": seed,
    }
    group = groups_of(groups, on)
    return core.cross_validate(name, texts, on.x, on.y, on.classes, division, group, on.settings)


def compare(
    X,
    y,
    *,
    models=(),
    metric="",
    budget=0.0,
    folds=5,
    groups=None,
    standardize=True,
    refit=True,
    task=None,
    seed=0,
    n_jobs=None,
):
    """Cross-validates all models on the same folds, ranks them, and fits the best on all rows.

    A dict with `metric`, `ranking` (the best first, with p-values of the difference from it), `left_out`, `baseline`,
    `options` and `best`, an estimator.
    """
    on = problem_of(X, y, task, n_jobs, seed, standardize=standardize)
    group = groups_of(groups, on)
    result = core.compare(
        on.x,
        on.y,
        on.classes,
        list(models),
        metric,
        float(budget),
        refit,
        {"folds": folds, "seed": seed},
        group,
        on.settings,
    )
    if result["best"] is not None:
        from .persistence import wrapped

        result["best"] = wrapped(result["best"])
    return result


def path(
    model,
    X,
    y,
    *,
    penalty="l1",
    l1_ratio=0.5,
    fixed=0.0,
    points=100,
    ratio=0.0,
    folds=None,
    metric="",
    options=None,
    standardize=False,
    task=None,
    seed=0,
    n_jobs=None,
):
    """The fits of "logistic", "svm" or "least-squares" under falling penalties, as a `Path`."""
    name, texts = model_of(model, options)
    on = problem_of(X, y, task, n_jobs, seed, standardize=standardize)
    division = None if folds is None else {"folds": folds, "seed": seed}
    found = core.path(
        name, texts, on.x, on.y, on.classes, penalty, l1_ratio, fixed, points, ratio, division, metric, on.settings
    )
    steps = found["steps"]

    def column(key):
        return np.array([step[key] for step in steps])

    judged = folds is not None
    return Path(
        column("l1"),
        column("l2"),
        column("objective"),
        column("nonzero"),
        column("explained"),
        column("converged"),
        column("coef"),
        column("intercept"),
        column("score") if judged else None,
        column("standard_error") if judged else None,
        found["best"],
        found["within_se"],
        found["feature_names"],
    )


def separable(X, y, *, one_vs_rest=False, n_jobs=None):
    """Can a plane separate the classes? A verdict for each pair, with the widest plane where there is one."""
    on = problem_of(X, y, "classification", n_jobs)
    return separable_result(on.x, on.y, on.classes, on.settings, one_vs_rest)


def separable_result(X, y, classes, settings, one_vs_rest=False):
    return Separability(SeparablePair(**pair) for pair in core.separable(X, y, classes, one_vs_rest, settings))


class Compare(SomeProbabilitiesMixin, Classifier, ClassifierMixin, BaseEstimator):
    """`discern.compare` as an estimator: tries the models by cross-validation, and is the best of them.

    Parameters
    ----------
    models : sequence of str
        Names of models; empty: all.
    metric : str
        What they are ranked by; empty: the accuracy.
    budget : float
        Seconds for all together; 0: no limit.
    folds : int
        Parts of the rows that are left out in turn.
    standardize : bool
        Let penalties act on standardised columns.
    """

    _warns = False
    _sparse = False
    _parameter_constraints = {
        "models": [list, tuple],
        "metric": [str],
        "budget": [Interval(Real, 0, None, closed="left")],
        "folds": [Interval(Integral, 2, None, closed="left")],
        "standardize": ["boolean"],
        "random_state": ["random_state"],
        "n_jobs": [None, Integral],
    }

    def __init__(self, models=(), *, metric="", budget=0.0, folds=5, standardize=True, random_state=None, n_jobs=None):
        self.models = models
        self.metric = metric
        self.budget = budget
        self.folds = folds
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Tries the models on rows and labels, and fits the best."""
        self._validate_params()
        X, y, _ = self._training_rows(X, y)
        codes, names = self._coded(y)
        settings = {"standardize": self.standardize, "threads": thread_limit(self.n_jobs), "seed": self._seed()}
        if len(names) == 2:
            settings["positive"] = names[1]
        division = {"folds": self.folds, "seed": self._seed()}
        from ._base import refuse_odd_numbers
        from ._errors import Error

        try:
            found = core.compare(
                X, codes, names, list(self.models), self.metric, float(self.budget), True, division, None, settings
            )
        except Error as error:
            refuse_odd_numbers(X, error)
            raise
        self.ranking_, self.metric_, self.baseline_ = found["ranking"], found["metric"], found["baseline"]
        self.left_out_, self.best_name_, self.best_options_ = found["left_out"], found["best"].name, found["options"]
        self._keep(found["best"])
        return self._finish()
