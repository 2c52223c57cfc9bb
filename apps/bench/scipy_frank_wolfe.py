#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Frank-Wolfe for matrix completion as one would write it with scipy: the peer of the benchmark.

min (1/2n) sum over the observed entries of (X_ij - Y_ij)^2 over ||X||_* <= radius, step 2/(t+2). The gradient is a
sparse matrix, the vertex comes from svds(k=1, tol=TOLERANCE), the iterate is seen only at the observed entries.

Usage: scipy_frank_wolfe.py RATINGS RADIUS RELATIVE_GAP TOLERANCE [REPEATS]   (one-based triplets, tab-separated)
Prints one line a repeat: seconds steps value gap
"""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import sys
import time

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import svds


def solve(rows, cols, y, shape, radius, target, tolerance, limit=float("inf")):
    """Steps, value and gap; the gap is above the target where `limit` seconds were not enough."""
    n, end = len(y), time.perf_counter() + limit
    z = np.zeros(n)
    gradient = csr_matrix((np.zeros(n), (rows, cols)), shape=shape)
    order = np.lexsort((cols, rows))
    rows, cols, y = rows[order], cols[order], y[order]
    t = 0
    while True:
        residual = z - y
        value = 0.5 * residual @ residual / n
        gradient.data[:] = residual / n
        u, s, vt = svds(gradient, k=1, tol=tolerance)
        gap = gradient.data @ z + radius * s[0]
        if gap <= target * value or time.perf_counter() > end:
            return t, value, gap
        weight = 2.0 / (t + 2.0)
        z *= 1.0 - weight
        z -= (weight * radius) * u[rows, 0] * vt[0, cols]
        t += 1


def main():
    path, radius, target = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    tolerance = float(sys.argv[4])
    repeats = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    data = np.loadtxt(path, usecols=(0, 1, 2))
    rows, cols = data[:, 0].astype(int) - 1, data[:, 1].astype(int) - 1
    shape = (rows.max() + 1, cols.max() + 1)
    for _ in range(repeats):
        begin = time.perf_counter()
        steps, value, gap = solve(rows, cols, data[:, 2].copy(), shape, radius, target, tolerance)
        print(f"{time.perf_counter() - begin:.4f} {steps} {value:.8g} {gap:.6g}", flush=True)


if __name__ == "__main__":
    main()
