# SPDX-License-Identifier: BSD-3-Clause
"""What is read in place, streams of Arrow, tables of pandas, and what is refused."""
import gc
import sys

import numpy as np
import pytest
from arrow_exporter import FORMATS, Table
from scipy import sparse

import claros
from claros import arrays

RNG = np.random.default_rng(4)
X = RNG.normal(size=(30, 7))
Y = X[:, 0] - X[:, 3] + 0.1 * RNG.normal(size=30)
LASSO = {"objective": "linear-model", "penalty": {"use": "l1", "lambda": 0.05}, "stop": 1e-10}


@pytest.mark.parametrize("layout", ["C", "F", "float32"])
def test_dense_arrays_are_read_in_place(layout):
    """What is written into a borrowed array changes the problem: the library reads it, not a copy."""
    rows = np.zeros_like(X, dtype=np.float32 if layout == "float32" else float, order="F" if layout == "F" else "C")
    data = claros.rows(rows, Y)
    rows[:] = X
    expected = claros.solve(**LASSO, data=(X, Y)).x
    assert claros.solve(**LASSO, data=data).x == pytest.approx(expected, abs=1e-5)
    before = sys.getrefcount(rows)
    del data
    gc.collect()
    assert sys.getrefcount(rows) == before - 1


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix])
def test_sparse_arrays_are_read_in_place(kind):
    rows = kind(X)
    values = rows.data.copy()
    rows.data[:] = 1.0
    data = claros.rows(rows, Y)
    rows.data[:] = values
    assert claros.solve(**LASSO, data=data).x == pytest.approx(claros.solve(**LASSO, data=(X, Y)).x, abs=1e-5)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix])
def test_sparse_arrays_out_of_order_and_with_duplicates(kind):
    raw = kind((np.r_[0.5, 0.5, 1.0, 1.0, 1.0], np.array([2, 2, 1, 0, 2]), np.array([0, 3, 4, 5])), shape=(3, 3))
    y = np.arange(3.0)
    dense = claros.solve(**LASSO, data=(raw.toarray(), y)).x
    assert claros.solve(**LASSO, data=(raw, y)).x == pytest.approx(dense, abs=1e-6)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix])
def test_sparse_arrays_with_duplicates_in_order(kind):
    """Positions that ascend and come twice are summed, as scipy reads them."""
    raw = kind((np.r_[0.5, 0.25, 0.75, 1.0, 1.0], np.array([1, 2, 2, 0, 2]), np.array([0, 3, 4, 5])), shape=(3, 3))
    assert raw.has_sorted_indices and not raw.has_canonical_format
    y = np.arange(3.0)
    dense = claros.solve(**LASSO, data=(raw.toarray(), y)).x
    assert claros.solve(**LASSO, data=(raw, y)).x == pytest.approx(dense, abs=1e-6)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix])
def test_sparse_arrays_of_float32_are_those_of_float64(kind):
    rows = X.astype(np.float32)
    plain = claros.solve(**LASSO, data=(rows.astype(float), Y)).x
    assert claros.solve(**LASSO, data=(kind(rows), Y)).x == pytest.approx(plain, abs=1e-6)


def test_a_column_of_responses_is_one_response_a_row():
    plain = claros.solve(**LASSO, data=(X, Y))
    for column in (Y[:, None], np.asfortranarray(Y[:, None])):
        assert np.array_equal(claros.solve(**LASSO, data=(X, column)).x, plain.x)


def test_starts_of_64_bits_outlive_their_matrix():
    """The starts are read in place as well: the data keeps them when the matrix is gone."""
    rows = sparse.csr_matrix(X)
    start = rows.indptr.astype(np.int64)
    data = arrays._claros.sparse(start, rows.indices, rows.data, 7, False, Y, arrays._claros.Facts(None, None, [], ""))
    assert sys.getrefcount(start) > 2
    del start, rows
    gc.collect()
    [np.full(31, -1) for _ in range(1000)]  # would take the memory that a wrong release frees
    assert claros.solve(**LASSO, data=data).x == pytest.approx(claros.solve(**LASSO, data=(X, Y)).x, abs=1e-6)


@pytest.mark.parametrize("offset, outer", [(0, 0), (3, 0), (2, 5)])
@pytest.mark.parametrize("cuts", [[], [10], [1, 29]])
def test_streams_of_arrow(offset, outer, cuts):
    columns = [X[:, 0], X[:, 1].astype(np.float32), np.arange(30), X[:, 3] > 0, np.arange(30).astype(np.uint8)]
    table = Table(list("abcde"), list(zip(*[np.split(column, cuts) for column in columns])), offset, outer=outer)
    matrix, names = arrays.matrix(table)
    assert names == list("abcde") and matrix.flags.f_contiguous and table.open == 0
    assert np.array_equal(matrix, np.column_stack([np.asarray(column, dtype=float) for column in columns]))
    assert claros.solve(**LASSO, data=(table, Y)).x == pytest.approx(claros.solve(**LASSO, data=(matrix, Y)).x)


@pytest.mark.parametrize("kind", [form.name for form in FORMATS])
def test_every_type_of_arrow_keeps_its_ends(kind):
    ends = np.iinfo(kind) if np.dtype(kind).kind in "iu" else np.finfo(kind)
    column = np.array([ends.min, 1, ends.max], dtype=kind)
    matrix, _ = arrays.matrix(Table(["a"], [[column]], offset=1))
    assert np.array_equal(matrix[:, 0], column.astype(float))


def test_missing_numbers_of_arrow_are_nan():
    valid = np.ones(30, bool)
    valid[[3, 17]] = False
    table = Table(["a", "b"], [[(X[:, 0], valid), X[:, 1]]], offset=5)
    matrix, _ = arrays.matrix(table)
    assert np.array_equal(np.isnan(matrix[:, 0]), ~valid) and not np.isnan(matrix[:, 1]).any()
    with pytest.raises(claros.DataError, match="finite"):
        claros.rows(table, Y)


def test_arrow_that_cannot_be_read():
    with pytest.raises(claros.UsageError, match="not numbers: b"):
        arrays.matrix(_texts())
    table = Table(["a", "b"], [[X[:, 0], np.arange(30)]])  # numbers that stand for entries of a dictionary
    table.encoded = "b"
    with pytest.raises(claros.UsageError, match="not numbers: b"):
        arrays.matrix(table)
    table = Table(["a"], [[X[:, 0]], [X[:, 0]]], fails_after=1)
    with pytest.raises(claros.DataError, match="disk on fire"):
        arrays.matrix(table)
    assert table.open == 0


def _texts():
    table = Table(["a", "b"], [[X[:, 0], X[:, 1]]])
    table._format = lambda column: b"u" if column is table.chunks[0][1] else b"g"
    return table


def test_estimators_take_arrow_and_pandas():
    pandas = pytest.importorskip("pandas")
    from claros.linear import Lasso

    table = Table([f"c{j}" for j in range(7)], [[X[:, j].copy() for j in range(7)]])
    frame = pandas.DataFrame(X, columns=[f"c{j}" for j in range(7)])
    plain = Lasso(0.05).fit(X, Y)
    assert Lasso(0.05).fit(table, Y).predict(table) == pytest.approx(plain.predict(X), rel=1e-9)
    by_frame = Lasso(0.05).fit(frame, pandas.Series(Y))
    assert list(by_frame.feature_names_in_) == list(frame.columns)
    assert by_frame.coef_ == pytest.approx(plain.coef_, abs=1e-6)
    assert claros.rows(frame, pandas.Series(Y, name="why")) is not None


@pytest.mark.parametrize("weights", [-np.ones(30), np.full(30, np.nan), np.zeros(30), np.ones(29), ["a"] * 30, np.ones((30, 2))])
def test_wrong_weights(weights):
    from claros.linear import Lasso

    with pytest.raises(claros.Error):
        claros.rows(X, Y, sample_weight=weights)
    with pytest.raises(ValueError):
        Lasso(0.05).fit(X, Y, sample_weight=weights)


@pytest.mark.parametrize("row, col, values, word", [
    ([0, -1], [0, 1], [1.0, 2.0], "below 0"), ([0, 1], [0, 1], [1.0, np.nan], "finite"), ([0, 1], [0], [1.0, 2.0], "2 rows"),
    ([0, 0], [1, 1], [1.0, 2.0], "as triplet 1"), ([0.5, 1], [0, 1], [1.0, 2.0], "float64")])
def test_wrong_ratings(row, col, values, word):
    with pytest.raises(claros.Error, match=word):
        claros.ratings(row, col, values)


def test_borrowed_array_cannot_be_resized():
    rows = X.copy()
    data = claros.rows(rows, Y)
    for resize in (lambda: rows.resize((60, 7)), lambda: rows.resize((3, 7))):
        with pytest.raises(ValueError, match="reference"):
            resize()
    assert claros.solve(**LASSO, data=data).target


def test_masked_entries_are_refused_and_not_read():
    """numpy reads the numbers below a mask."""
    hidden = np.ma.masked_array(X, mask=np.zeros_like(X, dtype=bool))
    assert claros.solve(**LASSO, data=(hidden, Y)).x == pytest.approx(claros.solve(**LASSO, data=(X, Y)).x, abs=0)
    hidden[3, 2] = np.ma.masked
    of_y = np.ma.masked_greater(Y, 2.0)
    assert np.ma.is_masked(of_y)
    for data in ((hidden, Y), (X, of_y), (X, np.ma.column_stack([of_y, of_y])), {"X": X, "y": Y, "sample_weight": of_y}):
        with pytest.raises(claros.errors.UsageError, match="masked"):
            claros.solve(**LASSO, data=data)
    for fit in (lambda: claros.linear.Lasso().fit(hidden, Y), lambda: claros.linear.Lasso().fit(X, of_y)):
        with pytest.raises(claros.errors.UsageError, match="masked"):
            fit()


@pytest.mark.parametrize("wrong", [np.column_stack([Y, Y]) + 1j, np.column_stack([Y, Y]).astype(str)])
def test_several_responses_are_numbers(wrong):
    with pytest.raises(claros.errors.UsageError, match="not of numbers"):
        claros.solve(**LASSO, data=(X, wrong))


def test_a_start_is_finite():
    start = np.zeros(7)
    assert claros.solve(**LASSO, data=(X, Y), start=start).target
    for value in (np.nan, np.inf):
        start[2] = value
        with pytest.raises(claros.errors.UsageError, match="start.*not finite"):
            claros.solve(**LASSO, data=(X, Y), start=start)
