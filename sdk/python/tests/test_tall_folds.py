# SPDX-License-Identifier: BSD-3-Clause
"""Folds of tall tables are solved and judged on few equal rows; sparse rows, which have none, say what is right."""
import numpy as np
import pytest

sparse = pytest.importorskip("scipy.sparse")

import claros  # noqa: E402


def table(rows, columns, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, columns)) + 0.5 * rng.standard_normal((rows, 1))
    y = X[:, :3] @ [1.0, -2.0, 0.5] + rng.standard_normal(rows) + 3.0
    return X, y, rng.uniform(0.0, 2.0, rows)


def validated(X, y, **given):
    objective = {"use": "linear-model", "loss": "squared", **given.pop("objective", {})}
    # The measure beside the loss is the mean square, and r2 has a mean of its own.
    return claros.CrossValidation(objective=objective, penalty={"use": "l1", "lambda": 0.1}, data=(X, y), lambdas=12,
                                  ratio=1e-2, explained=1.0, stop={"relative_gap": 1e-8}, **given)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("given", [
    dict(folds=2), dict(folds=10), dict(folds=5, repeats=3, jobs=2), dict(folds=5, by="r2"),
    dict(folds=60),  # of fewer rows than a factor of theirs is worth
    dict(folds=5, objective={"standardize": True}),
])
def test_folds_of_a_tall_table_are_those_of_its_sparse_rows(given, weighted, intercept):
    X, y, w = table(3000, 6, 1)
    given = {**given, "objective": {**given.get("objective", {}), "intercept": intercept}}
    if weighted:
        given["objective"]["weights"] = w
    dense, plain = validated(X, y, **given), validated(sparse.csr_matrix(X), y, **given)
    assert dense.chosen_ == plain.chosen_
    for name, means in plain.validation_.items():
        if isinstance(means, np.ndarray):
            np.testing.assert_allclose(dense.validation_[name], means, rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("shift, scale", [(1e4, 1.0), (0.0, 1e4), (-1e6, 1e3)])
def test_folds_of_a_tall_table_far_from_0_are_those_near_0(shift, scale):
    """An intercept takes up any shift, and standardizing any scale: no digit is lost by columns' products."""
    X, y, _ = table(3000, 6, 2)
    units = np.geomspace(1.0, scale, 6)
    given = dict(folds=10, objective={"intercept": True, "standardize": True})
    near, far = validated(X, y, **given), validated(X * units + shift, y, **given)
    assert near.chosen_ == far.chosen_
    for name, means in near.validation_.items():
        if isinstance(means, np.ndarray):
            np.testing.assert_allclose(far.validation_[name], means, rtol=1e-6, err_msg=name)
