import os
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def tool():
    """The command-line tool of the build; DISCERN_TOOL says which."""
    path = Path(os.environ.get("DISCERN_TOOL", ROOT / "build/release/cli/discern"))
    assert path.exists(), f"the tool is not built: {path}"
    return str(path)


@pytest.fixture
def two_classes(rng):
    X = rng.normal(size=(200, 4)) * [1.0, 10.0, 0.1, 3.0]
    y = (X[:, 0] + 0.05 * X[:, 1] + rng.normal(size=200) > 0.3).astype(int)
    return X, y


@pytest.fixture
def three_classes(rng):
    X = rng.normal(size=(300, 4))
    y = np.array(["ant", "bee", "cow"])[np.argmax(X[:, :3] + rng.normal(size=(300, 3)), axis=1)]
    return X, y
