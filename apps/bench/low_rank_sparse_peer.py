# SPDX-License-Identifier: BSD-3-Clause
"""l1 over the nuclear ball as one would write it with numpy: a peer of field.py.

min ||X - Y||_F^2 / 2 + lam ||X||_1 over ||X||_* <= radius, by accelerated ascent (with restarts) of its dual, max over
|u_ij| <= lam of min over the ball of ||X - Y||_F^2 / 2 + <u, X>: X(u) is the projection of Y - u onto the ball. The gap
is that of the best values of both.
"""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np


def make(path, size=300, rank=5):
    draw = np.random.default_rng(0)
    low = draw.normal(size=(size, rank)) @ draw.normal(size=(rank, size))
    large = np.where(draw.random((size, size)) < 0.05, 10 * draw.normal(size=(size, size)), 0)
    np.save(path, low + large + 0.1 * draw.normal(size=(size, size)))


def onto_ball(M, radius):
    U, s, Vt = np.linalg.svd(M, full_matrices=False)
    if s.sum() <= radius:
        return M
    sums = np.cumsum(s)
    k = np.flatnonzero(s * np.arange(1, len(s) + 1) > sums - radius)[-1]
    return (U * np.maximum(s - (sums[k] - radius) / (k + 1), 0)) @ Vt


def solve(Y, lam, radius, target, most=20000):
    u = v = np.zeros_like(Y)
    theta, best, bound = 1.0, np.inf, -np.inf
    for step in range(1, most + 1):
        X = onto_ball(Y - v, radius)
        half = 0.5 * np.sum((X - Y) ** 2)
        best, bound = min(best, half + lam * np.abs(X).sum()), max(bound, half + np.sum(v * X))
        if best - bound <= target * best:
            break
        last, u = u, np.clip(v + X, -lam, lam)
        if np.sum((v - u) * (u - last)) > 0:
            theta = 1.0
        grown = 0.5 * (1 + np.sqrt(1 + 4 * theta * theta))
        v, theta = u + (theta - 1) / grown * (u - last), grown
    return step, best, best - bound
