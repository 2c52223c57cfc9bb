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
LASSO = {"objective": {"use": "linear-model", "intercept": False, "standardize": False}, "penalty": {"use": "l1", "lambda": 0.05}, "stop": 1e-10}


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
    with pytest.raises(claros.errors.UsageError, match="not of numbers|complex numbers"):
        claros.solve(**LASSO, data=(X, wrong))


def test_a_start_is_finite():
    start = np.zeros(7)
    assert claros.solve(**LASSO, data=(X, Y), start=start).target
    for value in (np.nan, np.inf):
        start[2] = value
        with pytest.raises(claros.errors.UsageError, match="start.*not finite"):
            claros.solve(**LASSO, data=(X, Y), start=start)


PICTURE = np.random.default_rng(5).normal(size=(6, 4))
VARIATION = {"use": "tv", "along": "both", "lambda": 0.3}
SYMMETRIC = PICTURE @ PICTURE.T + np.eye(6)
WITH_HOLES = np.where(PICTURE > 1.0, np.nan, PICTURE)
SIMPLEX = {"set": {"use": "simplex", "radius": 1}}
NUCLEAR = {"penalty": {"use": "nuclear", "lambda": 0.01}}


@pytest.mark.parametrize("objective, matrix, rest", [
    ({"use": "distance"}, PICTURE, {"penalty": VARIATION}), ({"use": "distance"}, WITH_HOLES, {"penalty": VARIATION}),
    ({"use": "denoising"}, PICTURE[:, :1], {"penalty": {"use": "tv", "lambda": 0.3}}),
    ({"use": "linear"}, PICTURE[:4], {"set": "birkhoff"}), ({"use": "quadratic"}, SYMMETRIC, SIMPLEX),
    ({"use": "quadratic", "form": "samples"}, PICTURE, SIMPLEX),
    ({"use": "log-det"}, SYMMETRIC, {"penalty": {"use": "l1", "lambda": 0.1, "weights": "off-diagonal"}}),
    ({"use": "log-det"}, PICTURE[:, :2], {"penalty": {"use": "l1", "lambda": 0.1, "weights": "off-diagonal"}}),
    ({"use": "covariance"}, PICTURE, {"set": {"use": "spectrahedron", "radius": 1}}),
    ({"use": "matrix-completion", "layout": "matrix"}, WITH_HOLES, NUCLEAR),
])
def test_a_matrix_in_memory_is_the_problem_of_its_file(tmp_path, objective, matrix, rest):
    pandas = pytest.importorskip("pandas")
    np.save(tmp_path / "matrix.npy", matrix)
    rest = {**rest, "stop": {"iterations": 30}}
    file = claros.solve(objective={**objective, "data": tmp_path / "matrix.npy"}, **rest)
    forms = [matrix, np.asfortranarray(matrix), matrix.tolist(), pandas.DataFrame(matrix)]
    for form in forms:
        for given in ({"objective": {**objective, "data": form}}, {"objective": objective, "data": form},
                      {"objective": objective, "objective.data": form}):
            result = claros.solve(**given, **rest)
            assert result.x.shape == file.x.shape and np.array_equal(result.x, file.x) and result.value == file.value


def test_a_sparse_matrix_is_the_matrix_or_its_stored_entries():
    lazy = sparse.coo_matrix(np.where(PICTURE > 0, PICTURE, 0))
    smooth = {"penalty": VARIATION, "stop": {"iterations": 30}}
    assert np.array_equal(claros.solve(objective="distance", data=lazy, **smooth).x,
                          claros.solve(objective="distance", data=lazy.toarray(), **smooth).x)
    row, col = np.nonzero(PICTURE > 0)
    observed = claros.ratings(row, col, PICTURE[row, col], PICTURE.shape)
    assert claros.solve(objective="matrix-completion", data=lazy, **NUCLEAR).value == claros.solve(
        objective="matrix-completion", data=observed, **NUCLEAR).value


@pytest.mark.parametrize("given, word", [
    ({"objective": "linear-model", "data": PICTURE}, r"give \(X, y\)"), ({"objective": "cox", "data": PICTURE}, r"give \(X, y\)"),
    ({"objective": {"use": "distance", "data": PICTURE}, "data": PICTURE}, "together"),
    ({"objective": "quadratic", "data": PICTURE[:4]}, "symmetric"), ({"objective": "quadratic", "data": np.ones((2, 2, 2))}, "shape"),
    ({"objective": "distance", "data": [[1.0, 2.0], [3.0]]}, "length"), ({"objective": "distance", "data": np.ones((0, 3))}, "0 x 3"),
    ({"objective": "distance", "data": np.array([["a", "b"]])}, "not of numbers"),
    ({"objective": "matrix-completion", "data": np.full((2, 2), np.nan)}, "at least one"),
    ({"objective": {"use": "distance", "data": PICTURE}, "penalty.weights": np.ones((2, 2, 2))}, r"shape \(2, 2, 2\)"),
    ({"objective": {"use": "distance", "data": PICTURE}, "penalty.lambda": np.ones((2, 2))}, r"shape \(2, 2\)"),
    ({"objective": {"use": "distance", "data": PICTURE}, "penalty.weights": []}, "nothing"),
    ({"objective": {"use": "distance", "data": PICTURE}, "penalty.weights": [object()]}, "object"),
    ({"objective": {"use": "distance", "data": WITH_HOLES, "weights": np.ones((6, 4))}}, "weight 0"),
    ({"objective": {"use": "quadratic", "data": np.ones(100000)}}, "399999 characters"),
    ({"objective": {"use": "quadratic", "data": ["a"] * 1000}}, "1999 characters"),
    ({"objective": "nothing", "data": PICTURE}, "nothing"),
])
def test_a_matrix_that_is_not_the_data_of_its_objective_is_refused(given, word):
    with pytest.raises(claros.Error, match=word) as caught:
        claros.solve(**{"penalty": {"use": "l1", "lambda": 0.1}, **given})
    assert len(str(caught.value)) < 500


def test_entries_of_a_matrix_of_weights_belong_to_the_entries_of_the_variable():
    weights = np.arange(1.0, 25.0).reshape(6, 4) / 24
    penalty = {"use": "l1", "lambda": 0.5, "weights": weights}
    x = claros.solve(objective={"use": "distance", "data": PICTURE}, penalty=penalty, stop={"gap": 1e-12}).x
    assert np.allclose(x, np.sign(PICTURE) * np.maximum(np.abs(PICTURE) - 0.5 * weights, 0), atol=1e-6)
    weighted = claros.solve(objective={"use": "distance", "data": PICTURE, "weights": weights},
                            penalty={"use": "l1", "lambda": 0.1}, stop={"gap": 1e-12}).x
    assert np.allclose(weighted, np.sign(PICTURE) * np.maximum(np.abs(PICTURE) - 0.1 / weights, 0), atol=1e-6)


@pytest.mark.parametrize("groups", [[[0, 2], [1, 3, 4]], [np.array([0, 2]), (1, 3, 4)], "0, 2; 1, 3, 4"])
def test_groups_of_different_sizes_and_their_weights_as_numbers(groups):
    y, weights = np.array([3.0, 1.0, -1.0, 2.0, 0.5]), np.array([2.0, 0.5])
    x = claros.solve(objective={"use": "distance", "data": y}, stop={"gap": 1e-12},
                     penalty={"use": "group", "lambda": 0.3, "groups": groups, "weights": weights}).x
    for group, weight in zip(([0, 2], [1, 3, 4]), weights):
        assert np.allclose(x[group], y[group] * (1 - 0.3 * weight / np.linalg.norm(y[group])), atol=1e-6)


def test_a_column_of_groups_or_of_points_is_a_row_each():
    y = np.array([3.0, 1.0, -1.0])
    penalty = {"use": "group", "lambda": 0.5}
    for groups in (np.array([[0], [1], [2]]), [[0], [1], [2]]):
        x = claros.solve(objective={"use": "distance", "data": y}, penalty={**penalty, "groups": groups}, stop={"gap": 1e-12}).x
        assert np.allclose(x, np.sign(y) * np.maximum(np.abs(y) - 0.5, 0), atol=1e-6)
    for groups in ([[2]], np.array([[2]])):
        with pytest.raises(claros.Error, match="entry 0 .*no group"):
            claros.solve(objective={"use": "distance", "data": y}, penalty={**penalty, "groups": groups})
    for points in ([[0.0], [2.0]], np.array([[0.0], [2.0]]), [[2.0]]):
        x = claros.solve(objective={"use": "distance", "data": [[3.0]]}, set={"use": "vertices", "vertices": points}).x
        assert x == pytest.approx([2.0])


def test_a_number_may_be_an_array_of_no_dimension():
    given = {"objective": {"use": "distance", "data": PICTURE}}
    assert claros.solve(**given, penalty={"use": "l1", "lambda": np.array(0.5)}).value == claros.solve(
        **given, penalty={"use": "l1", "lambda": 0.5}).value


def test_a_start_is_taken_as_an_array_by_both_of_its_names():
    given = {"objective": {"use": "distance", "data": PICTURE}, "penalty": VARIATION, "algorithm": "proximal-gradient",
             "stop": {"iterations": 1}}
    assert np.array_equal(claros.solve(**given, start=PICTURE).x, claros.solve(**given, start={"from": PICTURE}).x)


def test_a_prepared_solver_takes_matrices_and_keeps_nothing_of_the_one_before():
    solver = claros.prepare(objective="distance", penalty=VARIATION, data=PICTURE)
    for matrix in (PICTURE[:3], sparse.csr_matrix(PICTURE), np.ones((1, 1)), PICTURE):
        assert np.array_equal(solver.solve(data=matrix).x, claros.solve(objective="distance", penalty=VARIATION, data=matrix).x)
    with pytest.raises(claros.UsageError, match="prepared"):
        solver.solve(data=WITH_HOLES)
    assert solver.solve().value == claros.solve(objective="distance", penalty=VARIATION, data=PICTURE).value


def damage(matrix, attribute, place, value):
    array = getattr(matrix, attribute).copy()
    array[place] = value
    setattr(matrix, attribute, array)


@pytest.mark.parametrize("attribute, place, value", [
    ("indptr", slice(3, 6), [900, 20, 800]), ("indptr", 3, 10**8), ("indptr", 3, -5), ("indptr", -1, 10**6), ("indptr", 0, 2),
    ("indices", 4, 10**6), ("indices", 4, -3)])
@pytest.mark.parametrize("form", ["csr", "csc", "bsr"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_damaged_sparse_matrices_are_refused_before_scipy_reads_them(form, dtype, attribute, place, value):
    def made():
        matrix = sparse.random(30, 7, 0.5, format=form, random_state=1, dtype=dtype)
        damage(matrix, attribute, place, value)
        return matrix

    linear = pytest.importorskip("claros.linear")
    y = np.arange(30.0)
    model = linear.Lasso(0.1).fit(np.ones((30, 7)), y)
    fitted = claros.solve(objective="linear-model", penalty={"use": "l1", "lambda": 0.1}, data=(np.ones((30, 7)), y))
    for call in (lambda: claros.rows(made(), y), lambda: claros.predict(fitted, made())):
        with pytest.raises(claros.DataError, match="damaged"):
            call()
    if form != "bsr":
        for call in (lambda: linear.Lasso(0.1).fit(made(), y), lambda: model.predict(made())):
            with pytest.raises(claros.DataError, match="damaged"):
                call()


def test_positions_of_triplets_outside_of_their_matrix_are_refused():
    matrix = sparse.random(30, 7, 0.5, format="coo", random_state=1)
    damage(matrix, "row", 2, 1000)
    with pytest.raises(claros.DataError, match="damaged"):
        claros.rows(matrix, np.arange(30.0))


def test_arrays_of_scipy_may_be_longer_than_their_matrix():
    matrix = sparse.random(30, 7, 0.5, format="csr", random_state=1)
    longer = matrix.copy()
    longer.data, longer.indices = np.r_[matrix.data, 1.0, 2.0], np.r_[matrix.indices, 0, 0].astype(np.int32)
    y, penalty = np.arange(30.0), {"use": "l1", "lambda": 0.1}
    assert np.array_equal(claros.solve(objective="linear-model", penalty=penalty, data=(longer, y)).x,
                          claros.solve(objective="linear-model", penalty=penalty, data=(matrix, y)).x)


@pytest.mark.parametrize("name, argument", [("weights", "sample_weight"), ("offset", "offset")])
@pytest.mark.parametrize("call", ["solve", "check", "Path", "prepare", "prepared"])
def test_numbers_of_rows_are_given_once(name, argument, call):
    values, both = np.ones(30), {"objective": {"use": "linear-model"}, "penalty": {"use": "l1", "lambda": 0.05 if call != "Path" else "max"}}
    for data in (claros.rows(X, Y, **{argument: values}), {"X": X, "y": Y, argument: values}):
        both["objective"][name] = values
        with pytest.raises(claros.UsageError, match=f"objective.{name}: is given together"):
            if call == "prepared":
                claros.prepare(**both, data=(X, Y)).solve(data=data)
            else:
                getattr(claros, call)(**both, data=data)
        both["objective"][name] = ""  # that of the data
        getattr(claros, "solve" if call == "prepared" else call)(**both, data=data)


@pytest.mark.parametrize("names", [[0, 1, 2, 3], ["a", 1, "b", 2], [1.5, 2.5, "x", "y"]], ids=str)
def test_columns_named_by_numbers_are_found_by_their_names(names):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X[:, :4], columns=names)
    result = claros.solve(**LASSO, data=(frame, Y))
    np.testing.assert_allclose(claros.predict(result, frame[names[::-1]]), claros.predict(result, frame), rtol=1e-12)
    assert np.array_equal(claros.predict(result, X[:, :4]), claros.predict(result, frame))
    with pytest.raises(claros.UsageError, match="no column"):
        claros.predict(result, frame.rename(columns={names[0]: "other"}))


@pytest.mark.parametrize("row, col, values", [(1, 0, 0), (0, 1, 0), (0, 0, 1)], ids=["row", "col", "values"])
def test_masked_entries_are_refused(row, col, values):
    given = [np.ma.array([0, 1, 1], mask=[0, 0, masked]) for masked in (row, col, values)]
    with pytest.raises(claros.UsageError, match="1 entries that are masked"):
        claros.ratings(*given)


OF_FILES = {"without": "1", "columns": "2,3", "response": "3", "categorical": "1", "header": "yes", "decimal": "comma", "dates": "days",
            "missing": "mean", "levels": "all", "format": "libsvm", "features": "9", "bits": "4", "precision": "float", "storage": "sparse",
            "delimiter": "tab", "unit_rows": "yes"}


@pytest.mark.parametrize("use", ["linear-model", "square-root", "cox"])
@pytest.mark.parametrize("name", OF_FILES)
def test_options_about_files_are_refused_for_arrays(use, name):
    response = np.abs(Y) + 0.1
    extra = {"event": np.ones(len(Y))} if use == "cox" else {}
    request = {"objective": {"use": use, **extra}, "penalty": {"use": "l1", "lambda": 0.05}, "data": (X, response)}
    claros.solve(**request)
    request["objective"][name] = OF_FILES[name]
    with pytest.raises(claros.UsageError, match=f"{name}.*not read from one"):
        claros.solve(**request)


@pytest.mark.parametrize("name, value", [("weights", "column"), ("half_life", 3.0), ("header", "yes"), ("decimal", "comma"), ("columns", "1,2,3")])
def test_options_about_lists_are_refused_for_ratings_in_memory(name, value):
    entries = tuple(map(np.array, ([0, 0, 1, 1, 2, 2], [0, 1, 0, 2, 1, 2], [5.0, 3, 4, 1, 2, 5])))
    with pytest.raises(claros.UsageError, match=f"{name}.*not read from one"):
        claros.solve(objective={"use": "matrix-completion", name: value}, penalty={"use": "nuclear", "lambda": 0.01}, data=entries)


@pytest.mark.parametrize("use", ["linear-model", "square-root"])
def test_a_file_and_arrays_are_refused_together(use, tmp_path):
    np.savetxt(tmp_path / "f.csv", np.c_[X, Y], delimiter=",")
    with pytest.raises(claros.UsageError, match="names '.*f.csv', and the .data. section, or the data in memory"):
        claros.solve(objective={"use": use, "data": str(tmp_path / "f.csv")}, penalty={"use": "l1", "lambda": 0.05}, data=(X, Y))


@pytest.mark.parametrize("use", ["linear-model", "square-root", "cox"])
@pytest.mark.parametrize("form", ["array", "file"])
def test_groups_of_rows_in_memory_stay_together_in_folds(use, form, tmp_path):
    groups = np.repeat(np.arange(6), 5)
    response = np.exp(Y + groups / 2)
    np.savetxt(tmp_path / "g.txt", groups)
    extra = {"event": np.ones(len(Y))} if use == "cox" else {"intercept": True}

    def losses(**more):
        fitted = claros.CrossValidation(objective={"use": use, **extra, **more}, penalty="l1", data=(X, response), grid=[0.1, 0.05], folds=3)
        return np.array(fitted.validation_["loss"])

    grouped = losses(groups=groups if form == "array" else str(tmp_path / "g.txt"))
    assert np.all(grouped != losses())
    # Rows in another order within their groups, and other names of the groups, give the same folds.
    assert np.array_equal(grouped, losses(groups=groups * 10.0 + 3))


def test_ratings_held_out_have_the_ids_of_the_data(tmp_path):
    """In memory they count from 0."""
    rng = np.random.default_rng(0)
    i, j = np.nonzero(rng.random((12, 9)) < 0.7)
    v = rng.normal(size=(12, 1))[i, 0] * rng.normal(size=9)[j] + rng.normal(size=i.size)
    held = rng.random(i.size) < 0.2
    test = tmp_path / "test.csv"
    for first, options in ((0, {}), (0, {"ids": "zero-based"}), (1, {"ids": "one-based"})):
        test.write_text("".join(f"{a + first},{b + first},{c!r}\n" for a, b, c in zip(i[held], j[held], v[held].tolist())))
        for center in ("none", "biases"):
            result = claros.solve(objective={"use": "matrix-completion", "center": center, "test": str(test), **options},
                                  penalty={"use": "nuclear", "lambda": 0.02}, data=claros.ratings(i[~held], j[~held], v[~held], shape=(12, 9)))
            error = claros.predict(result, rows=i[held], cols=j[held]) - v[held]
            assert result.test_rmse == pytest.approx(np.sqrt(np.mean(error**2)), rel=1e-9)


RATED = np.array([[0, 0, 5.0], [0, 1, 3], [1, 0, 4], [1, 2, 1], [2, 1, 2]])
COMPLETION = {"penalty": {"use": "nuclear", "lambda": 0.1}}


def _frame(names, values=RATED):
    return pytest.importorskip("pandas").DataFrame(np.asarray(values, dtype=object)[:, :len(names.split(","))], columns=names.split(","))


@pytest.mark.parametrize("table", [
    lambda: RATED, lambda: RATED.tolist(), lambda: np.asfortranarray(RATED), lambda: RATED.astype(int), lambda: RATED.astype(np.float32),
    lambda: np.c_[RATED, np.arange(5), np.arange(5)], lambda: _frame("a,b,c").astype(float), lambda: _frame("user,item,rating"),
    lambda: _frame("timestamp,userId,movie_id,stars", np.c_[RATED[:, 2] + 0.5, RATED]), lambda: _frame("rating,item,user"),
    lambda: _frame("user,item,rating", [["ann", "x", 1.0], ["bob", "y", np.nan]])])
@pytest.mark.parametrize("place", ["", "data", "test"])
def test_a_table_that_may_be_a_list_of_ratings_is_refused_as_a_matrix(table, place):
    given = {"data": np.where(RATED == 5, np.nan, RATED)} if place == "test" else {} if place else {"data": table()}
    objective = {"use": "matrix-completion", **({place: table()} if place else {})}
    with pytest.raises(claros.UsageError, match=(
            r"test: .*\(rows, cols, values\)" if place == "test" else r"claros\.ratings\(.*RatingsModel.*'layout': 'matrix'")):
        claros.solve(objective=objective, **given, **COMPLETION)


@pytest.mark.parametrize("table", [RATED + 0.5, np.where(RATED == 5, np.nan, RATED), RATED[:, :2], np.tile(RATED, 3)])
def test_matrices_that_are_no_lists_are_completed(table):
    assert claros.solve(objective="matrix-completion", data=table, **COMPLETION).x.shape == table.shape


def test_the_layout_says_whether_numbers_are_a_matrix():
    table = _frame("user,item,rating").astype(float)
    by_layout = claros.solve(objective={"use": "matrix-completion", "layout": "matrix"}, data=table, **COMPLETION)
    row, col = np.nonzero(RATED > -1)
    entries = claros.solve(objective="matrix-completion", data=(row, col, RATED[row, col]), **COMPLETION)
    assert by_layout.value == entries.value
    with pytest.raises(claros.UsageError, match="claros.ratings"):
        claros.solve(objective={"use": "matrix-completion", "layout": "list"}, data=RATED + 0.5, **COMPLETION)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
@pytest.mark.parametrize("make", [sparse.csr_matrix, getattr(sparse, "csr_array", sparse.csr_matrix)])
def test_every_sparse_format_is_data(form, make):
    entries = np.where(np.arange(24).reshape(6, 4) % 3, np.arange(24).reshape(6, 4), 0.0)
    x, plain = make(entries).asformat(form), sparse.csr_matrix(entries)
    for given in ({"data": x}, {"objective": {"use": "matrix-completion", "data": x}}):
        expected = claros.solve(objective="matrix-completion", data=plain, **COMPLETION)
        assert claros.solve(**{"objective": "matrix-completion", **COMPLETION, **given}).value == pytest.approx(expected.value)
    tested = [claros.solve(objective={"use": "matrix-completion", "test": test}, data=plain, **COMPLETION).test_rmse for test in (x, plain)]
    assert tested[0] == pytest.approx(tested[1])
    lasso = {"objective": "linear-model", "penalty": {"use": "l1", "lambda": 0.1}}
    for given in ((x, np.arange(6.0)), {"X": x, "y": np.arange(6.0)}):
        assert claros.solve(data=given, **lasso).value == pytest.approx(claros.solve(data=(plain, np.arange(6.0)), **lasso).value)


@pytest.mark.parametrize("call", [
    lambda x: claros.solve(objective="matrix-completion", data=x, **COMPLETION),
    lambda x: claros.solve(objective={"use": "matrix-completion", "test": x}, data=np.where(RATED == 5, np.nan, RATED), **COMPLETION),
    lambda x: claros.ratings(np.arange(5), np.arange(5), x[:, 2])])
def test_masked_ratings_lead_to_nan(call):
    with pytest.raises(claros.UsageError, match=r"masked .*filled\(np\.nan\)"):
        call(np.ma.array(RATED, mask=RATED == 5))


@pytest.mark.parametrize("duplicates", ["mean", "last"])
def test_the_remedy_for_a_position_that_comes_twice_is_that_of_arrays(duplicates):
    twice = [0, 0, 1], [0, 0, 1], [1.0, 2.0, 3.0]
    with pytest.raises(claros.DataError, match=r"claros\.ratings\(\.\.\., duplicates="):
        claros.solve(objective={"use": "matrix-completion", "duplicates": duplicates}, data=twice, **COMPLETION)
    claros.solve(objective="matrix-completion", data=claros.ratings(*twice, duplicates=duplicates), **COMPLETION)


def test_predictions_of_entries_take_positions_or_names_that_the_result_has(tmp_path):
    (tmp_path / "r.csv").write_text("u1,x1,3\nu1,x2,4\nu2,x1,5\nu3,x2,1\n")
    result = claros.solve(objective={"use": "matrix-completion", "data": str(tmp_path / "r.csv")}, **COMPLETION)
    for texts in (["u1"], np.array(["u1"]), np.array(["u1"], dtype=object)):
        with pytest.raises(claros.UsageError, match="^rows: the text 'u1'.*positions from 0"):
            claros.predict(result, rows=texts, cols=[0])
    named = claros.solve(objective="distance", data=_frame("p,q,r").astype(float).set_axis(list("abcde")), **COMPLETION)
    assert named.names[0] == list("abcde")
    assert claros.predict(named, rows=["b", "e"], cols=[2, 0]) == pytest.approx(named.x[[1, 4], [2, 0]])
    with pytest.raises(claros.UsageError, match="'z', which names none"):
        claros.predict(named, rows=["z"], cols=[0])
