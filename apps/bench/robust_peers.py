#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Low rank plus sparse beside ADMM of numpy, and the recovery of Candes, Li, Ma, Wright 2011, table 1.

    PYTHONPATH=build/release/python apps/bench/robust_peers.py times [N [REPEATS]]
    PYTHONPATH=build/release/python apps/bench/robust_peers.py recovery
    PYTHONPATH=build/release/python apps/bench/robust_peers.py noise

min over L, S of ||L + S - D||^2 / 2 + alpha (||L||_* + ||S||_1 / sqrt(n)). L_0 = X Y' of rank 0.05 n, the entries of X and
Y normal with variance 1/n; a share of the entries of S_0 are 1 or -1.
"""
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np  # noqa: E402

import claros  # noqa: E402
from claros import arrays, matrix  # noqa: E402


def case(n, share, noise=0.0, seed=0):
    rng, rank = np.random.default_rng(seed), n // 20
    L = rng.normal(0, n**-0.5, (n, rank)) @ rng.normal(0, n**-0.5, (n, rank)).T
    S, count = np.zeros((n, n)), int(share * n * n)
    S.ravel()[rng.permutation(n * n)[:count]] = rng.choice([-1.0, 1.0], count)
    return L, S, L + S + noise * rng.normal(size=(n, n))


def soft(V, t):
    return np.sign(V) * np.maximum(np.abs(V) - t, 0.0)


def gap(D, L, S, alpha, gamma):
    """The value, and its distance to that of the dual point D - L - S, scaled into both unit balls."""
    u = D - L - S
    value = 0.5 * (u * u).sum() + alpha * (np.linalg.norm(L, "nuc") + gamma * np.abs(S).sum())
    u = u * min(1.0, alpha / np.linalg.norm(u, 2), alpha * gamma / np.abs(u).max())
    return value, value - (u * D).sum() + 0.5 * (u * u).sum()


def admm(D, alpha, gamma, tol, rho, most=2000):
    """L + S + Z = D with Z = -(gradient): L by soft-thresholded singular values, then S and Z together, then the dual."""
    S, U, steps, spent = np.zeros_like(D), np.zeros_like(D), 0, 0.0
    Z = np.zeros_like(D)
    while steps < most:
        begin = time.perf_counter()
        A, s, Bt = np.linalg.svd(D - S - Z + U, full_matrices=False)
        s = np.maximum(s - alpha / rho, 0.0)
        r = int((s > 0.0).sum())
        L = (A[:, :r] * s[:r]) @ Bt[:r]
        V = D - L + U  # min ||Z||^2/2 + alpha gamma ||S||_1 + (rho/2) ||S + Z - V||^2
        S = soft(V, alpha * gamma * (1.0 + 1.0 / rho))
        Z = rho / (1.0 + rho) * (V - S)
        U = U + D - L - S - Z
        steps += 1
        spent += time.perf_counter() - begin
        if steps % 5 == 0 or steps < 5:  # not counted in its time
            rest = soft(D - L, alpha * gamma)
            value, distance = gap(D, L, rest, alpha, gamma)
            if distance <= tol * value:
                return spent, steps, value, distance / value
    return spent, steps, value, distance / value


def solved(D, alpha, gamma, tol, form):
    begin = time.perf_counter()
    if form == "huber":
        model = matrix.RobustPCA(alpha=alpha, sparsity=gamma, tol=tol).fit(D)
        L, S, steps = model.low_rank_, model.sparse_, model.n_iter_
    else:
        i, j = np.indices(D.shape)
        result = claros.solve(
            objective={"use": "superposition"}, data=arrays.ratings(i.ravel(), j.ravel(), D.ravel(), D.shape),
            penalty={"use": "separable-sum", "lambda": alpha / D.size,
                     "blocks": [{"use": "nuclear", "lambda": 1}, {"use": "l1", "lambda": gamma}]},
            stop={"relative_gap": tol}, run={"threads": 1}, trace={"on": False})
        (L, S), steps = result.x, result.iterations
        L = (L[0] * L[1]) @ L[2].T if isinstance(L, tuple) else L
    seconds = time.perf_counter() - begin
    value, distance = gap(D, L, S, alpha, gamma)
    return seconds, steps, value, distance / value


def times(n=300, repeats=3):
    _, _, D = case(n, 0.05)
    gamma, tol = n**-0.5, 1e-4
    for alpha in (1e-1, 1e-2, 1e-3):
        rhos = [alpha * factor for factor in (0.3, 1.0, 3.0, 10.0)] + [1.0]
        best = min(rhos, key=lambda rho: admm(D, alpha, gamma, tol, rho)[0])
        ways = {"RobustPCA": lambda: solved(D, alpha, gamma, tol, "huber"),
                "superposition": lambda: solved(D, alpha, gamma, tol, "parts"),
                f"numpy, ADMM, rho = {best:g}": lambda: admm(D, alpha, gamma, tol, best)}
        runs = {name: [] for name in ways}
        for _ in range(repeats):
            for name, run in ways.items():
                runs[name].append(run())
        for name, all_runs in runs.items():
            seconds = np.median([run[0] for run in all_runs])
            print(f"alpha {alpha:g}  {name:28}  {seconds:8.3f} s  {all_runs[0][1]:5} steps  value {all_runs[0][2]:.8g}"
                  f"  relative gap {all_runs[0][3]:.1e}", flush=True)


def recovery():
    for share in (0.05, 0.10):
        for n in (200, 300, 500):
            L, S, D = case(n, share)
            begin = time.perf_counter()
            model = matrix.RobustPCA(alpha=1e-5, tol=1e-5).fit(D)
            seconds = time.perf_counter() - begin
            error = np.linalg.norm(model.low_rank_ - L) / np.linalg.norm(L)
            found = int((np.abs(model.sparse_) > 1e-3).sum())
            print(f"n {n}  share {share:.2f}  rank {model.rank_} of {n // 20}  entries of S {found} of {np.count_nonzero(S)}"
                  f"  error of L {error:.1e}  {model.n_iter_} steps  {seconds:.2f} s", flush=True)


def noise():
    n = 200
    for sigma in (1e-3, 3e-3, 1e-2, 3e-2, 1e-1):
        errors = []
        for seed in range(3):
            L, S, D = case(n, 0.05, sigma, seed)
            model = matrix.RobustPCA(alpha=np.sqrt(2 * n) * sigma, tol=1e-6).fit(D)
            errors.append([np.linalg.norm(model.low_rank_ - L) / n, np.linalg.norm(model.sparse_ - S) / n])
        of_L, of_S = np.mean(errors, axis=0)
        print(f"sigma {sigma:g}  RMS error of L {of_L:.2e} ({of_L / sigma:.2f} sigma), of S {of_S:.2e} ({of_S / sigma:.2f} sigma)")


if __name__ == "__main__":
    what, *numbers = sys.argv[1:] or ["times"]
    {"times": times, "recovery": recovery, "noise": noise}[what](*map(int, numbers))
