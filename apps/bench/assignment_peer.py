#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""assignment_peer.py FILE N: seconds and least cost of scipy's linear_sum_assignment on N x N doubles, best of three."""
import sys
import time

import numpy
from scipy.optimize import linear_sum_assignment

costs = numpy.fromfile(sys.argv[1]).reshape(int(sys.argv[2]), -1)
best = None
for _ in range(3):
    begin = time.perf_counter()
    rows, cols = linear_sum_assignment(costs)
    seconds = time.perf_counter() - begin
    best = seconds if best is None else min(best, seconds)
print(best, costs[rows, cols].sum())
