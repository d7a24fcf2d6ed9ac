"""The extension module: the one for this processor, and how its models are pickled."""

import copyreg
import importlib.util
import os

import numpy as np


def _has_avx2():
    """Whether the processor is one of x86-64-v3, as NumPy found it."""
    simd = np.show_config(mode="dicts")["SIMD Extensions"]
    features = {*simd.get("baseline", ()), *simd.get("found", ())}
    return "X86_V3" in features or {"AVX2", "FMA3"} <= features


def _load():
    baseline = importlib.util.find_spec("discern._baseline") is not None
    if baseline and (os.environ.get("DISCERN_CORE") == "baseline" or not _has_avx2()):
        from ._baseline import _core
    else:
        from . import _core
    return _core


core = _load()


def model_from_bytes(content):
    """The model in the content of a model file."""
    return core.from_bytes(content)


copyreg.pickle(core.Model, lambda model: (model_from_bytes, (model.to_bytes(),)))


def thread_limit(n_jobs):
    """The number of threads for `n_jobs`; 0 stands for all of the machine.

    None means OMP_NUM_THREADS, as for other numerical code, and otherwise all. Results do not depend on it.
    """
    if n_jobs is None:
        first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
        return int(first) if first.isdigit() else 0
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning; expected a number of threads, or -1 for all")
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)


def option_texts(options):
    """The options of a model as the texts that the library reads."""
    return {name.replace("_", "-"): _text(value) for name, value in options.items()}


def _text(value):
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)
