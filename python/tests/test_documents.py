"""The notebook and the examples of the guide run."""

import json
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from conftest import ROOT

import discern


def test_the_notebook_runs():
    notebook = json.loads((ROOT / "docs/guide/python.ipynb").read_text())
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error", category=FutureWarning)
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), "python.ipynb", "exec"), names)
    assert names["plain"].pvalues_.shape == (3,)


def test_the_guide_names_every_estimator():
    text = (ROOT / "docs/guide/python.md").read_text()
    for name in discern.__all__:
        found = re.search(rf"\b{name.removesuffix('CV')}(\(CV\))?\b", text)
        assert found or name in ("Error", "LoadedClassifier", "LoadedRegressor", "model_names"), name


def test_progress_is_told_where_it_is_asked_for(capsys, rng):
    X = rng.normal(size=(50000, 50))
    y = (X[:, 0] + rng.normal(size=50000) > 0).astype(int)
    discern.MLPClassifier(max_iter=8, verbose=True).fit(X, y)
    assert "fitting" in capsys.readouterr().err or "%" in capsys.readouterr().err


def test_the_package_has_stubs():
    import inspect

    package = Path(discern.__file__).parent
    assert (package / "py.typed").exists()
    stub = (package / "_core.pyi").read_text()
    for name, _ in inspect.getmembers(discern._native.core):
        if not name.startswith("_"):
            assert re.search(rf"\b{name}\b", stub), name


def test_a_type_checker_accepts_the_package():
    command = [sys.executable, "-m", "mypy", "-p", "discern", "--ignore-missing-imports", "--cache-dir", os.devnull]
    package = str(Path(discern.__file__).parents[1])
    run = subprocess.run(command, env={**os.environ, "MYPYPATH": package}, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("name", discern.__all__)
def test_everything_public_has_a_docstring(name):
    assert (getattr(discern, name).__doc__ or "").strip()
