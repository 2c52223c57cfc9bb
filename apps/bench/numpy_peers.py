# SPDX-License-Identifier: BSD-3-Clause
"""Solvers as one would write them with numpy, for the table of field.py: each runs until `arrived(x)` holds, which is not
counted in its time, and returns its seconds, or None after `limit` of them.
"""
import time

import numpy as np


class Clock:
    """Seconds of what is done within `with`."""

    def __init__(self):
        self.seconds = 0.0

    def __enter__(self):
        self.begin = time.perf_counter()

    def __exit__(self, *_):
        self.seconds += time.perf_counter() - self.begin


def onto_simplex(v, radius):
    """The nearest point of {x >= 0, sum x = radius}."""
    falling = np.sort(v)[::-1]
    sums = np.cumsum(falling) - radius
    k = np.flatnonzero(falling * np.arange(1, len(v) + 1) > sums)[-1]
    return np.maximum(v - sums[k] / (k + 1), 0)


def onto_nuclear_ball(M, radius):
    U, s, Vt = np.linalg.svd(M, full_matrices=False)
    return M if s.sum() <= radius else (U * onto_simplex(s, radius)) @ Vt


def accelerated(gradient, project, x, step, arrived, limit, every=5):
    """FISTA with restarts by the sign of <y - x, x - x_last>."""
    clock, y, theta, k = Clock(), x, 1.0, 0
    while clock.seconds < limit:
        with clock:
            last, x = x, project(y - step * gradient(y))
            if np.vdot(y - x, x - last) > 0:
                theta = 1.0
            grown = 0.5 * (1 + np.sqrt(1 + 4 * theta * theta))
            y, theta, k = x + (theta - 1) / grown * (x - last), grown, k + 1
        if k % every == 0 and arrived(x):
            return clock.seconds
    return None


def gram_admm(A, b, shape, radius, arrived, limit):
    """min ||A x - b||^2 / (2n), x in a nuclear ball: the Gram matrix is factorised once, x and its copy Z in turn."""
    from scipy.linalg import cho_factor, cho_solve

    clock, n = Clock(), len(b)
    with clock:
        G, c = A.T @ A / n, A.T @ b / n
        rho = np.trace(G) / len(c)
        factor = cho_factor(G + rho * np.eye(len(c)))
        Z, U = np.zeros(shape), np.zeros(shape)
    while clock.seconds < limit:
        with clock:
            x = cho_solve(factor, c + rho * (Z - U).ravel(order="F")).reshape(shape, order="F")
            Z = onto_nuclear_ball(x + U, radius)
            U = U + x - Z
        if arrived(Z):
            return clock.seconds
    return None


def denoise(Y, lam, arrived, limit):
    """Isotropic total variation, min ||X - Y||^2 / 2 + lam sum |D X|, by fast gradient projection on the dual (Beck,
    Teboulle 2009): P of differences downwards, Q to the right, (P, Q) in the unit disc of each entry."""
    def adjoint(P, Q):
        X = np.zeros_like(Y)
        X[:-1] += P
        X[1:] -= P
        X[:, :-1] += Q
        X[:, 1:] -= Q
        return X

    clock, theta, k = Clock(), 1.0, 0
    P, Q = np.zeros((Y.shape[0] - 1, Y.shape[1])), np.zeros((Y.shape[0], Y.shape[1] - 1))
    R, S = P, Q
    while clock.seconds < limit:
        with clock:
            X = Y - lam * adjoint(R, S)
            p, q = R + (X[:-1] - X[1:]) / (8 * lam), S + (X[:, :-1] - X[:, 1:]) / (8 * lam)
            length = np.ones_like(Y)
            square = np.zeros_like(Y)
            square[:-1] += p * p
            square[:, :-1] += q * q
            np.maximum(length, np.sqrt(square), out=length)
            p, q = p / length[:-1], q / length[:, :-1]
            grown = 0.5 * (1 + np.sqrt(1 + 4 * theta * theta))
            R, S = p + (theta - 1) / grown * (p - P), q + (theta - 1) / grown * (q - Q)
            P, Q, theta, k = p, q, grown, k + 1
        if k % 5 == 0 and arrived(Y - lam * adjoint(P, Q)):
            return clock.seconds
    return None
