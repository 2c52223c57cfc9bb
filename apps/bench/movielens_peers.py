# SPDX-License-Identifier: BSD-3-Clause
"""Matrix completion as one would write it with numpy and scipy: peers of field.py.

soft-impute (Mazumder, Hastie, Tibshirani 2010): X <- S_lambda(P(Y) + P-perp(X)), truncated SVDs by svds of the sparse plus low-rank
operator, warm-started. Alternating least squares of rank r with lambda (||U||^2 + ||V||^2): a small system a row and a column in turn.
"""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import lzma

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import LinearOperator, svds


def triplets(path):
    with lzma.open(path, "rt") if path.endswith(".xz") else open(path) as lines:
        data = np.loadtxt(lines, usecols=(0, 1, 2))
    return data[:, 0].astype(int) - 1, data[:, 1].astype(int) - 1, data[:, 2]


def entries(U, V, rows, cols):
    return np.einsum("ek,ek->e", U[rows], V[cols])


def soft_impute(train, shape, penalty, rank):
    """Yields (U S, V)."""
    rows, cols, y = train
    US, V, start = np.zeros((shape[0], 1)), np.zeros((shape[1], 1)), None
    while True:
        rest = csr_matrix((y - entries(US, V, rows, cols), (rows, cols)), shape=shape)
        operator = LinearOperator(
            shape,
            matvec=lambda x: rest @ x + US @ (V.T @ x),
            rmatvec=lambda x: rest.T @ x + V @ (US.T @ x),
            matmat=lambda x: rest @ x + US @ (V.T @ x),
            rmatmat=lambda x: rest.T @ x + V @ (US.T @ x),
            dtype=float,
        )
        u, s, vt = svds(operator, k=rank, tol=1e-3, v0=start)
        start = u[:, -1] if shape[0] < shape[1] else vt[-1]
        s = np.maximum(s - penalty, 0.0)
        US, V = u * s, vt.T
        yield US, V


def half(factors, index, other, y, count, penalty):
    """The rows of the other factor, each a ridge regression on the factors that its ratings meet."""
    order = np.argsort(index, kind="stable")
    ends = np.searchsorted(index[order], np.arange(count + 1))
    result = np.zeros((count, factors.shape[1]))
    ridge = penalty * np.eye(factors.shape[1])
    for k in range(count):
        mine = order[ends[k] : ends[k + 1]]
        if len(mine):
            F = factors[other[mine]]
            result[k] = np.linalg.solve(F.T @ F + ridge, F.T @ y[mine])
    return result


def alternating(train, shape, penalty, rank):
    rows, cols, y = train
    V = np.random.default_rng(0).normal(size=(shape[1], rank)) / np.sqrt(rank) + 1.0
    while True:
        U = half(V, rows, cols, y, shape[0], penalty)
        V = half(U, cols, rows, y, shape[1], penalty)
        yield U, V
