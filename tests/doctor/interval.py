# SPDX-License-Identifier: BSD-3-Clause
"""The interval of a rate that was counted."""
import math


def interval(hits, trials, level=0.95):
    """Clopper-Pearson, by bisection on the binomial distribution."""
    def at_most(k, p):
        return sum(math.comb(trials, j) * p**j * (1 - p)**(trials - j) for j in range(k + 1))

    def solve(excess):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if excess(middle) else (low, middle)
        return 0.5 * (low + high)
    tail = 0.5 * (1.0 - level)
    below = 0.0 if hits == 0 else solve(lambda p: 1.0 - at_most(hits - 1, p) < tail)
    above = 1.0 if hits == trials else solve(lambda p: at_most(hits, p) > tail)
    return below, above
