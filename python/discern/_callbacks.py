"""scikit-learn's callbacks (sklearn.callback, since 1.9): hooks around a fit, and around each report of its progress.

The library reports about twenty times in a second. Each report is a subtask "progress" of the task "fit", whose metadata
are `done`, `total`, `objective` and `certificate`. A hook that returns True ends the fit, which keeps the model so far.
"""

import functools

try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback._callback_support import callback_management_context
except ImportError:  # before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """There are no callbacks to support."""


class StopFit(Exception):
    """A callback asked to stop."""


def wants_callbacks(estimator):
    return "_skl_callbacks" in estimator.__dict__ and "_callback_fit_ctx" not in estimator.__dict__


def with_callbacks(fit):
    """The method `fit` with the hooks around it; without callbacks it is called as it is."""

    @functools.wraps(fit)
    def watched(self, X, y=None, *args, **kwargs):
        if not wants_callbacks(self):
            return fit(self, X, y, *args, **kwargs)
        metadata = {key: value for key, value in kwargs.items() if value is not None}
        told = {"estimator": self, "X": X, "y": y, "metadata": metadata}
        with callback_management_context(self):
            context = self._init_callback_context(max_subtasks=None)
            context.call_on_fit_task_begin(**told)
            result = fit(self, X, y, *args, **kwargs)
            context.call_on_fit_task_end(**told, reconstruction_attributes={})
        return result

    return watched


def told_to_callbacks(estimator, report):
    """A function that hands a report of the library to the callbacks, and to `report` if that is not None."""
    context = estimator.__dict__.get("_callback_fit_ctx")
    if context is None:
        return report

    def tell(stage, done, total, objective, certificate):
        if report is not None:
            report(stage, done, total, objective, certificate)
        metadata = {"stage": stage, "done": done, "total": total, "objective": objective, "certificate": certificate}
        task = context.subcontext(task_name="progress")
        task.call_on_fit_task_begin(estimator=estimator, metadata=metadata)
        if task.call_on_fit_task_end(estimator=estimator, metadata=metadata):
            raise StopFit

    return tell
