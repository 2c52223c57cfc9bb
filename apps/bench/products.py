#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Least squares over a product of simplices: Frank-Wolfe methods that step block by block, and as a whole.

    PYTHONPATH=build/release/python apps/bench/products.py [LIMIT]

Prints a row in Markdown for each number of blocks (of 10 entries, 2000 rows) and gap: processor seconds and steps to a
verified relative gap; "not reached" after LIMIT (60) seconds.
"""
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np  # noqa: E402

import claros  # noqa: E402

BLOCK, ROWS = 10, 2000
METHODS = {"bcfw": {"use": "block-coordinate-frank-wolfe"},
           "bcfw, away": {"use": "block-coordinate-frank-wolfe", "direction": "away"},
           "bcfw, pairwise": {"use": "block-coordinate-frank-wolfe", "direction": "pairwise"},
           "bcfw, pairwise, order=gap": {"use": "block-coordinate-frank-wolfe", "direction": "pairwise", "order": "gap"},
           "pairwise": {"use": "pairwise"},
           "blended-pairwise": {"use": "blended-pairwise"},
           "decomposition-invariant": {"use": "decomposition-invariant"},
           "proximal-gradient": {"use": "proximal-gradient"}}


def problem(blocks):
    """Half of the blocks have their solution at a vertex, half inside a face."""
    draw = np.random.default_rng(blocks)
    A = draw.normal(size=(ROWS, BLOCK * blocks))
    x = np.zeros((blocks, BLOCK))
    for k, row in enumerate(x):
        row[draw.choice(BLOCK, 1 if k % 2 else 4, replace=False)] = 1.0
    x /= x.sum(axis=1, keepdims=True)
    return A, A @ x.ravel() + 0.5 * draw.normal(size=ROWS)


def cell(A, y, blocks, algorithm, gap, limit):
    product = {"use": "product", "blocks": [{"use": "simplex", "radius": 1.0}] * blocks}
    begin = time.process_time()
    result = claros.solve(data=(A, y), objective="linear-model", set=product, algorithm=algorithm, trace={"on": False},
                          stop={"relative_gap": gap, "seconds": limit, "iterations": 10**9}, run={"threads": 1})
    spent = time.process_time() - begin
    return f"{spent:.2f} s, {result.iterations}" if result.status.endswith("gap") else "not reached"


def main(limit=60.0):
    print("| blocks, gap | " + " | ".join(f"`{m}`" for m in METHODS) + " |\n" + "|---" * (1 + len(METHODS)) + "|", flush=True)
    for blocks, gap in [(20, 1e-4), (20, 1e-8), (100, 1e-4), (100, 1e-8)]:
        A, y = problem(blocks)
        cells = [cell(A, y, blocks, algorithm, gap, limit) for algorithm in METHODS.values()]
        print(f"| {blocks}, {gap:g} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
