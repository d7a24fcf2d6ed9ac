"""A line that tells how far a fit is: rewritten in place on a terminal, updated in a notebook."""

import sys


class ProgressLine:
    def __init__(self, stream=None):
        self._stream = stream or sys.stderr
        self._handle = None

    def __call__(self, stage, done, total, objective, certificate):
        share = f" {100 * done / total:.0f} %" if total else f" {done}"
        value = "" if objective is None else f", objective {objective:.6g}, certificate {certificate:.2g}"
        self._show(f"{stage}{share}{value}")

    def _show(self, text):
        if in_notebook():
            from IPython.display import display

            content = {"text/plain": text}
            if self._handle is None:
                self._handle = display(content, raw=True, display_id=True)
            else:
                self._handle.update(content, raw=True)
        elif self._stream.isatty():
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()
        else:
            self._stream.write(text + "\n")


def in_notebook():
    """Whether a Jupyter kernel runs this."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"
