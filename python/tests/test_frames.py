"""Data frames of every library in, the same model out."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import discern


@pytest.fixture
def people(rng):
    n = 120
    town = np.array(["Bonn", "Ulm", "Kiel"], dtype=object)[rng.integers(0, 3, n)]
    age = rng.uniform(20, 70, n)
    y = np.where(age + 10 * (town == "Ulm") + rng.normal(0, 5, n) > 48, "yes", "no")
    age[3], town[5] = np.nan, None
    return pd.DataFrame({"age": age, "town": town, "member": rng.integers(0, 2, n) > 0}), y


def as_every_library(frame):
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    yield "pandas", frame
    yield "pandas, categories", frame.assign(town=frame["town"].astype("category"))
    yield "pandas, other index", frame.set_index(np.arange(len(frame))[::-1])
    yield "pandas, Arrow", arrow.to_pandas(types_mapper=pd.ArrowDtype)
    yield "polars", pl.from_arrow(arrow)
    yield "polars, categories", pl.from_arrow(arrow).with_columns(pl.col("town").cast(pl.Categorical))
    yield "pyarrow", arrow
    yield "pyarrow, dictionary", arrow.set_column(1, "town", arrow["town"].dictionary_encode())
    yield "reader", pa.RecordBatchReader.from_batches(arrow.schema, arrow.to_batches(50))
    connection = duckdb.connect()
    connection.register("people", arrow)
    yield "duckdb", connection.sql("select * from people")


def test_every_library_gives_the_same_model(people):
    frame, y = people
    expected = discern.TableClassifier().fit(frame, y)
    assert np.mean(expected.predict(frame) == y) > 0.8
    for name, table in as_every_library(frame):
        model = discern.TableClassifier().fit(table, y)
        assert model._model.to_bytes() == expected._model.to_bytes(), name
    for name, table in as_every_library(frame):
        assert np.array_equal(expected.predict_proba(table), expected.predict_proba(frame)), name


def test_columns_are_found_by_name_and_unseen_categories_ignored_or_refused(people):
    frame, y = people
    model = discern.TableClassifier().fit(frame, y)
    turned = frame[["member", "town", "age"]]
    with pytest.raises(ValueError, match="order"):  # scikit-learn's convention for names that were seen
        model.predict(turned)
    other = frame.assign(town="Jena")
    assert model.predict(other).shape == (120,)
    with pytest.raises(discern.Error, match="Jena"):
        discern.TableClassifier(unseen="error").fit(frame, y).predict(other)


def test_a_column_of_dates_is_refused_by_name(people):
    frame, y = people
    with pytest.raises(discern.Error, match="expected numbers, text") as caught:
        discern.TableClassifier().fit(frame.assign(day=pd.Timestamp("2024-01-01")), y)
    assert caught.value.column == "day"


def test_tables_are_regressed_too(people, rng):
    frame, _ = people
    target = frame["age"].fillna(45).to_numpy() * 2 + (frame["town"] == "Ulm") * 7
    model = discern.TableRegressor("least-squares").fit(frame, target)
    assert np.corrcoef(model.predict(frame), target)[0, 1] > 0.99


def test_the_commands_take_frames(people):
    frame, y = people
    assert discern.cross_validate("naive-bayes", frame, y)["measures"]["accuracy"]["mean"] > 0.7
    ranked = discern.compare(frame, y, models=["logistic", "lda"])
    assert np.mean(ranked["best"].predict(frame) == y) > 0.8
    assert discern.path("logistic", frame, y, points=5).coefs.shape[0] == 5
