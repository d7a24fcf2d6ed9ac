"""pandas, with its own options, reads the same cells from the messy files as the list says that Discern reads.

tests/io/csv/messy_test.cpp holds Discern against the same list. Where pandas cannot read what is meant, the list says
why in `pandas_differs`.
"""

import json

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT

FOLDER = ROOT / "tests/io/messy"
CASES = json.loads((FOLDER / "cases.json").read_text())
READ_BY_BOTH = [case for case in CASES if "pandas" in case]


def days(column):
    """Days since 1970-01-01, as pandas counts them."""
    times = pd.to_datetime(column, utc=True, format="ISO8601")
    return (times - pd.Timestamp(0, tz="UTC")) / pd.Timedelta(days=1)


def test_the_list_is_long_enough():
    assert len(CASES) >= 60
    assert len(READ_BY_BOTH) >= 45
    assert all("error" in case or "pandas" in case or case["pandas_differs"] for case in CASES)
    assert {case["file"] for case in CASES} == {path.name for path in FOLDER.glob("*.csv")}


@pytest.mark.parametrize("case", READ_BY_BOTH, ids=lambda case: case["file"])
def test_pandas_reads_the_same(case):
    frame = pd.read_csv(FOLDER / case["file"], encoding="utf-8-sig", **case["pandas"])
    assert list(frame.columns) == list(case["columns"])
    for name, cells in case["columns"].items():
        column = days(frame[name]) if name in case.get("dates", ()) else frame[name]
        assert len(column) == len(cells)
        for read, expected in zip(column, cells):
            if expected is None:
                assert pd.isna(read), name
            elif isinstance(expected, str):
                assert str(read) == expected, name
            else:
                assert float(np.float64(read)) == expected, name
