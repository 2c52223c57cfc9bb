# SPDX-License-Identifier: BSD-3-Clause
"""Frank-Wolfe for matrix completion as one would write it with scipy: a peer of field.py.

min (1/2n) sum over the observed entries of (X_ij - Y_ij)^2 over ||X||_* <= radius, step 2/(t+2). The gradient is a
sparse matrix, the vertex comes from svds(k=1, tol=TOLERANCE), the iterate is seen only at the observed entries.
"""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

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
