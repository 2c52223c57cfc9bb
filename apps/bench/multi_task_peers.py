#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""MultiTaskLasso of Claros beside that of scikit-learn, on one thread: fits, sparse fits, paths and cross-validation.

Usage: multi_task_peers.py [REPEATS]   (with PYTHONPATH=build/release/python; default 3)

min (1/2n) ||Y - X B||_F^2 + alpha sum_j ||row j of B||, X normal, n/10 rows of B not 0, alpha a share of the least
alpha whose solution is 0. Both end at a relative gap of 1e-6, which is verified here from their solutions: that of
scikit-learn by the tolerance that stands for it, n 1e-6 f(B) / ||Y||_F^2. Runs alternate; times are medians of
processor seconds, in which other work on the machine counts little. A line a case: both times, the median of their
ratios (Claros / scikit-learn), both gaps, and the rows that are not 0.
"""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = "1"

import statistics
import sys
import time
import warnings

import numpy as np
from scipy import sparse
from sklearn import linear_model

from claros import arrays, linear
from claros.paths import Path

warnings.filterwarnings("ignore")
GAP = 1e-6
CASES = [(200, 1000, 5), (200, 1000, 20), (500, 2000, 10), (1000, 5000, 20)]
SHARES = (0.3, 0.1, 0.03)


def problem(n, p, K, seed=0):
    rng = np.random.default_rng(seed)
    X, B, rows = rng.standard_normal((n, p)), np.zeros((p, K)), n // 10
    B[rng.choice(p, rows, False)] = rng.standard_normal((rows, K))
    return X, X @ B + 0.3 * np.sqrt(rows) * rng.standard_normal((n, K))


def value_and_gap(X, Y, B, alpha):
    """By the dual point of the residuals, scaled into ||X'u|| <= n alpha."""
    n, residual = len(Y), Y - X @ B
    value = 0.5 / n * (residual ** 2).sum() + alpha * np.linalg.norm(B, axis=1).sum()
    dual = residual * min(1.0, n * alpha / np.linalg.norm(X.T @ residual, axis=1).max())
    return value, (value - ((Y * dual).sum() - 0.5 * (dual ** 2).sum()) / n) / value


def timed(fit):
    start = time.process_time()
    made = fit()
    return time.process_time() - start, made


def beside(name, ours, theirs, repeats, facts):
    first, second = [], []
    for _ in range(repeats):
        first.append(timed(ours))
        second.append(timed(theirs))
    ratio = statistics.median(a[0] / b[0] for a, b in zip(first, second))
    times = [statistics.median(each[0] for each in all) for all in (first, second)]
    print(f"{name:34s} {times[0]:9.4f} {times[1]:9.4f} {ratio:7.2f}  {facts(first[-1][1], second[-1][1])}", flush=True)


def fits(n, p, K, repeats):
    X, Y = problem(n, p, K)
    by_columns = np.asfortranarray(X)
    most = np.linalg.norm(X.T @ Y, axis=1).max() / n
    for share in SHARES:
        alpha = share * most
        value = value_and_gap(X, Y, linear.MultiTaskLasso(alpha, tol=GAP, fit_intercept=False).fit(X, Y).coef_.T, alpha)[0]
        tol = GAP * value * n / (Y ** 2).sum()

        def facts(a, b):
            gaps = [value_and_gap(X, Y, model.coef_.T, alpha)[1] for model in (a, b)]
            return f"gaps {gaps[0]:.0e} {gaps[1]:.0e}, {np.count_nonzero(np.linalg.norm(a.coef_, axis=0))} rows"

        beside(f"{n} x {p}, K = {K}, {share} max",
               lambda: linear.MultiTaskLasso(alpha, tol=GAP, fit_intercept=False).fit(X, Y),
               lambda: linear_model.MultiTaskLasso(alpha, tol=tol, fit_intercept=False, max_iter=100000).fit(by_columns, Y),
               repeats, facts)


def path_of(X, Y, alphas):
    return Path(objective={"use": "linear-model"}, penalty={"use": "group", "groups": "rows", "lambda": "max"},
                data=arrays.rows(X, Y), grid=",".join(map(repr, map(float, alphas))), explained=1, run={"threads": 1},
                stop={"relative_gap": 1e-4, "iterations": 100000}, trace={"on": False})


def paths(n, p, K, repeats):
    """Grids of 30 alphas down to a 30th. A tolerance of 1e-5 gives scikit-learn relative gaps of at most 1e-4 there."""
    X, Y = problem(n, p, K)
    by_columns = np.asfortranarray(X)
    alphas = np.linalg.norm(X.T @ Y, axis=1).max() / n * np.geomspace(1, 1 / 30, 30)

    def facts(a, b):
        ours = [value_and_gap(X, Y, B.reshape(p, K, order="F"), alpha)[1] for B, alpha in zip(a.coefficients_.T, alphas)]
        theirs = [value_and_gap(X, Y, b[1][:, :, k].T, alpha)[1] for k, alpha in enumerate(alphas)]
        return f"largest gaps {max(ours):.0e} {max(theirs):.0e}"

    beside(f"{n} x {p}, K = {K}, 30 alphas", lambda: path_of(X, Y, alphas),
           lambda: linear_model.MultiTaskLasso.path(by_columns, Y, l1_ratio=1.0, alphas=alphas, tol=1e-5, max_iter=100000),
           repeats, facts)
    grid = dict(n_alphas=30, eps=1 / 30, cv=5)
    beside("the same with 5 folds", lambda: linear.MultiTaskLassoCV(**grid, tol=1e-4).fit(X, Y),
           lambda: linear_model.MultiTaskLassoCV(**grid, tol=1e-5, max_iter=100000).fit(X, Y), repeats,
           lambda a, b: f"chosen {a.alpha_:.3g} {b.alpha_:.3g} (the folds differ)")


def sparse_fits(n, p, K, repeats):
    """scikit-learn has no sparse rows here: it is given the same numbers as a dense array."""
    rng = np.random.default_rng(1)
    X = sparse.random(n, p, 0.02, format="csc", random_state=1, data_rvs=rng.standard_normal)
    B = np.zeros((p, K))
    B[:n // 10] = rng.standard_normal((n // 10, K))
    Y, full = X @ B + 0.1 * rng.standard_normal((n, K)), np.asfortranarray(X.toarray())
    alpha = 0.1 * np.linalg.norm(X.T @ Y, axis=1).max() / n
    value = value_and_gap(X, Y, linear.MultiTaskLasso(alpha, tol=GAP, fit_intercept=False).fit(X, Y).coef_.T, alpha)[0]
    tol = GAP * value * n / (Y ** 2).sum()
    beside(f"{n} x {p} sparse 2%, K = {K}, 0.1 max",
           lambda: linear.MultiTaskLasso(alpha, tol=GAP, fit_intercept=False).fit(X, Y),
           lambda: linear_model.MultiTaskLasso(alpha, tol=tol, fit_intercept=False, max_iter=100000).fit(full, Y), repeats,
           lambda a, b: "gaps " + " ".join(f"{value_and_gap(X, Y, m.coef_.T, alpha)[1]:.0e}" for m in (a, b)))


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    print(f"{'case':34s} {'Claros':>9s} {'sklearn':>9s} {'ratio':>7s}")
    for case in CASES:
        fits(*case, repeats)
    sparse_fits(1000, 5000, 10, repeats)
    paths(200, 1000, 5, repeats)
    paths(500, 2000, 10, repeats)


main()
