#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a cache of vertices saves: frank-wolfe with line search over a set, and over the same set behind `cached`.

    PYTHONPATH=build/release/python apps/bench/cached.py [LIMIT]

The nearest point of a set to a random array. Prints a row in Markdown each: processor seconds and steps to a verified
gap, without and with the cache; "not reached" after LIMIT (60) seconds.
"""
import os
import sys
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np  # noqa: E402

import claros  # noqa: E402


def packing(rows=60, cols=150):
    """Rows of a x <= b, a third of the entries of a above 0, and 0 <= x."""
    draw = np.random.default_rng(1)
    A = np.where(draw.random((rows, cols)) < 1 / 3, draw.random((rows, cols)), 0.0)
    A[:, A.sum(axis=0) == 0] = 1.0
    return "; ".join(" ".join(f"{a:.4f}" for a in row) + f" <= {row.sum() / 4:.4f}" for row in A)


def seconds(Y, inner, stop, limit, cached):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "y.npy")
        np.save(file, Y)
        begin = time.process_time()
        result = claros.solve(objective={"use": "distance", "data": file},
                              set={"use": "cached", "inner": inner} if cached else inner,
                              algorithm={"use": "frank-wolfe", "step": "line-search"}, trace={"on": False},
                              stop={**stop, "seconds": limit, "iterations": 10**8}, run={"threads": 1})
        spent = time.process_time() - begin
    return f"{spent:.2f} s, {result.iterations} steps" if result.status.endswith("gap") else "not reached"


def main(limit=60.0):
    draw = np.random.default_rng(2)
    polytope = {"use": "polytope", "program": packing()}
    cases = [("polytope, 60 rows, 150 entries, relative 1e-2", draw.random(150), polytope, {"relative_gap": 1e-2}),
             ("another array, relative 1e-3", draw.random(150), polytope, {"relative_gap": 1e-3}),
             ("birkhoff, 60 x 60, 0.02", draw.random((60, 60)) * 4 / 60, {"use": "birkhoff"}, {"gap": 0.02})]
    print("| set, gap | without | with `cached` |\n|---|---|---|", flush=True)
    for name, Y, inner, stop in cases:
        print(f"| {name} | {seconds(Y, inner, stop, limit, False)} | {seconds(Y, inner, stop, limit, True)} |", flush=True)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
