# SPDX-License-Identifier: BSD-3-Clause
# Written by sdk/python/tools/make_stubs.py.
"""What the parameters of estimators mean that components of the library take."""

MEANINGS = {
    'b': (
        'entries beyond b * lambda are not shrunk (> 0)'),
    'delta': (
        'the residual where the loss becomes linear (> 0)'),
    'l1_ratio': (
        'share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])'),
    'power': (
        'the variance of a target is proportional to its mean to this power; near 1 Poisson, near 2 gamma '
        '(in [1.01, 1.99])'),
    'quantile': (
        'which quantile of y is predicted (in [0.01, 0.99])'),
    'rho': (
        'side constraint ||x||_1 <= rho; inf: none (> 0 or inf)'),
    'zeta': (
        'entries beyond zeta * lambda are not shrunk (> 2)'),
}
