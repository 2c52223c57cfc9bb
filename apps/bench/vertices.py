#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a list of vertices costs: the nearest doubly stochastic matrix by pairwise steps with and without one.

    PYTHONPATH=build/release/python apps/bench/vertices.py [LIMIT]

Prints a row in Markdown for each size and gap: processor seconds, steps and linear minimisations (over the set, and
over faces) to a verified gap; "not reached" after LIMIT (60) seconds.
"""
import os
import sys
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np  # noqa: E402

import claros  # noqa: E402

METHODS = ["pairwise", "blended-pairwise", "decomposition-invariant"]


def cell(file, method, gap, limit):
    begin = time.process_time()
    result = claros.solve(objective={"use": "distance", "data": file}, set="birkhoff", algorithm=method, trace={"on": False},
                          stop={"gap": gap, "seconds": limit, "iterations": 10**8}, run={"threads": 1})
    spent = time.process_time() - begin
    if not result.status.endswith("gap"):
        return "not reached"
    return f"{spent:.2f} s, {result.iterations} steps, {result.counts['lo']} + {result.counts['partial_lo']}"


def main(limit=60.0):
    print("| n x n, gap | " + " | ".join(f"`{m}`" for m in METHODS) + " |\n" + "|---" * (1 + len(METHODS)) + "|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for n, gap in [(20, 1e-4), (20, 1e-8), (60, 1e-4), (60, 1e-8), (100, 1e-4)]:
            file = os.path.join(folder, "y.npy")
            np.save(file, np.random.default_rng(n).normal(1 / n, 0.1, (n, n)))
            print(f"| {n}, {gap:g} | " + " | ".join(cell(file, m, gap, limit) for m in METHODS) + " |", flush=True)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
