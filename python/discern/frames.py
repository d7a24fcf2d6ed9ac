"""Data frames of any library as frames of ours: numbers, text, and missing cells.

pandas, polars, pyarrow tables and DuckDB relations are read through narwhals; record-batch readers, and anything else
with an Arrow C stream, through pyarrow. Nulls and NaN are missing cells. Text and categories are matched by name, so
that the order of categories, and those that no row has, do not matter.
"""

import narwhals.stable.v2 as nw
import numpy as np

from ._errors import Error
from ._native import core


def is_frame(data):
    """Whether this is a data frame rather than an array."""
    if hasattr(data, "__arrow_c_stream__"):
        return True
    return nw.from_native(data, pass_through=True) is not data


def narwhal(data):
    """The data frame as one of narwhals, in memory."""
    if not _known(data) and hasattr(data, "__arrow_c_stream__"):
        import pyarrow

        data = pyarrow.table(data) if not hasattr(data, "read_all") else data.read_all()
    frame = nw.from_native(data)
    return frame.collect() if isinstance(frame, nw.LazyFrame) else frame


def _known(data):
    return nw.from_native(data, pass_through=True) is not data


def frame_of(data):
    """A frame of the library with the columns of a data frame or of an array."""
    frame = core.Frame()
    for name, values in columns_of(data):
        add_column(frame, name, values)
    return frame


def columns_of(data):
    """The columns as pairs of a name and a series of narwhals or a one-dimensional array."""
    if is_frame(data):
        table = narwhal(data)
        return [(str(series.name), series) for series in table.iter_columns()]
    return [(f"x{j + 1}", column) for j, column in enumerate(np.asarray(data).T)]


def add_column(frame, name, values):
    if isinstance(values, nw.Series):
        numbers, texts, missing = _from_series(name, values)
    else:
        numbers, texts, missing = _from_array(values)
    if numbers is not None:
        frame.add_numbers(name, np.ascontiguousarray(numbers, dtype=np.float64))
        return
    codes = np.full(len(missing), -1, dtype=np.int32)
    levels, codes[~missing] = np.unique(np.asarray(texts)[~missing].astype(str), return_inverse=True)
    frame.add_text(name, levels.tolist(), codes)


def _from_series(name, series):
    """The numbers of a column; or its texts, and where cells are missing."""
    dtype = series.dtype
    if dtype.is_numeric() or dtype == nw.Boolean:
        return series.cast(nw.Float64).fill_null(float("nan")).to_numpy(), None, None
    if dtype in (nw.String, nw.Categorical, nw.Enum, nw.Object):
        return None, np.array(series.to_list(), dtype=object), series.is_null().to_numpy().astype(bool)
    raise Error(f"found cells of the type {dtype}, expected numbers, text, categories or booleans", "data", column=name)


def _from_array(values):
    if values.dtype.kind in "biuf":
        return values.astype(np.float64), None, None
    if values.dtype.kind in "US":
        return None, values, np.zeros(len(values), dtype=bool)
    missing = np.array([value is None or value != value for value in values], dtype=bool)
    if all(isinstance(value, (int, float, np.number)) for value in values[~missing]):
        return np.where(missing, np.nan, values).astype(np.float64), None, None
    return None, values, missing


def free_name(wanted, names):
    """The name, with underscores behind it while there is such a column."""
    while wanted in names:
        wanted += "_"
    return wanted
