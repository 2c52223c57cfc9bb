# SPDX-License-Identifier: BSD-3-Clause
"""Stored designs from blocks: the same solution as in memory, and nothing written where a block is wrong."""
import numpy as np
import pytest
import scipy.sparse

import claros

X = np.random.default_rng(0).normal(size=(60, 5))
Y = X @ np.array([1.0, -2.0, 0.0, 0.0, 0.5]) + 0.1 * np.random.default_rng(1).normal(size=60)
LASSO = dict(penalty={"use": "l1", "lambda": 0.05}, stop=1e-9)


def solved(path, **more):
    return claros.solve(objective={"use": "linear-model", "data": str(path), **more}, **LASSO)


def blocks(of=lambda rows: rows, size=16):
    for first in range(0, 60, size):
        yield of(X[first : first + size]), Y[first : first + size]


def test_blocks_make_the_design_that_memory_has(tmp_path):
    expected = claros.solve(objective="linear-model", data=(X, Y), **LASSO)
    for name, of in (("dense", lambda rows: rows), ("sparse", scipy.sparse.csr_matrix), ("columns", np.asfortranarray)):
        path = tmp_path / name
        assert claros.convert(blocks(of), path) == 60
        for memory in ("read", "map"):
            assert np.allclose(solved(path, memory=memory).x, expected.x, atol=1e-12)
    assert claros.convert(blocks(), tmp_path / "float", precision="float") == 60
    assert np.allclose(solved(tmp_path / "float").x, expected.x, atol=1e-6)


def test_weights_and_offsets_of_blocks(tmp_path):
    w, o = np.arange(1.0, 61.0), np.linspace(0.0, 1.0, 60)
    whole = claros.solve(objective="linear-model", data=dict(X=X, y=Y, sample_weight=w, offset=o), **LASSO)
    parts = (dict(X=X[k], y=Y[k], sample_weight=w[k], offset=o[k]) for k in (slice(0, 40), slice(40, 60)))
    claros.convert(parts, tmp_path / "d")
    assert np.allclose(solved(tmp_path / "d").x, whole.x, atol=1e-12)


def test_blocks_that_are_wrong_leave_nothing(tmp_path):
    def fails():
        yield X[:10], Y[:10]
        raise OSError("the line is dead")

    cases = [
        (fails(), "block 2: the iterator raised OSError: the line is dead"),
        ([(X[:10], Y[:10]), (X[:10, :4], Y[:10])], "block 2: has 4 columns; the rows before it have 5"),
        ([(X[:10], Y[:10]), (X[:10], Y[:9])], "block 2"),
        ([(X[:10], Y[:10]), (scipy.sparse.csr_matrix(X[:10]), Y[:10])], "block 2: holds sparse rows"),
        ([(X[:10], Y[:10]), (X[:10] * np.nan, Y[:10])], "block 2"),
        ([(X[:10], Y[:10]), (X[:10], Y[:10], np.ones(10))], "block 2"),
        ([(X[:10], Y[:10], -np.ones(10))], "block 1"),
        ([X[:10]], "block 1: an object of type ndarray"),
        ([dict(X=X[:10])], "block 1: a dict of X"),
        ([], "there are no rows"),
    ]
    for wrong, said in cases:
        with pytest.raises(claros.DataError) as raised:
            claros.convert(wrong, tmp_path / "out")
        assert said in str(raised.value), str(raised.value)
        assert not list(tmp_path.iterdir())
    with pytest.raises(claros.DataError) as raised:
        claros.convert(fails(), tmp_path / "out")
    assert isinstance(raised.value.__cause__, OSError)
    (tmp_path / "out").write_text("mine")
    with pytest.raises(claros.UsageError):
        claros.convert(blocks(), tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


def test_one_block_is_in_memory_at_a_time(tmp_path):
    import gc
    import weakref

    alive = []

    def counted():
        for k in range(8):
            gc.collect()
            assert sum(ref() is not None for ref in alive) <= 2  # the last one may still be in the writer's hands
            rows = X + k
            alive.append(weakref.ref(rows))
            yield rows, Y
            del rows

    assert claros.convert(counted(), tmp_path / "d") == 480


def test_numbers_beyond_single_precision_are_refused(tmp_path):
    large = np.array(X)
    large[50, 1] = 1e300
    for rows in (large, scipy.sparse.csr_matrix(large)):
        with pytest.raises(claros.errors.DataError, match="precision.*beyond 3.4e38"):
            claros.convert([(rows[:30], Y[:30]), (rows[30:], Y[30:])], tmp_path / "float", precision="float")
        assert not list(tmp_path.iterdir())
    assert claros.convert([(large, Y)], tmp_path / "double") == 60
