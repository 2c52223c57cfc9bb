#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a full decomposition costs in leading singular pairs: svd_ratio.py D ... prints it for Gaussian D x D matrices, as the median
of eleven pairs of timings, each of LAPACK's gesdd and of ARPACK's leading triplet to 1e-2. One thread (OPENBLAS_NUM_THREADS=1)."""
import statistics
import sys
import time

import numpy
import scipy.linalg
import scipy.sparse.linalg


def seconds(work):
    start = time.process_time()
    work()
    return time.process_time() - start


for d in map(int, sys.argv[1:]):
    ratios = []
    for seed in range(11):
        matrix = numpy.random.default_rng(seed).normal(size=(d, d))
        full = seconds(lambda: scipy.linalg.svd(matrix, lapack_driver="gesdd"))
        pair = min(seconds(lambda: scipy.sparse.linalg.svds(matrix, k=1, tol=1e-2, v0=numpy.ones(d))) for _ in range(3))
        ratios.append(full / pair)
    print(f"d = {d}: {statistics.median(ratios):.3g}")
