#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Soft-impute on the observations of this folder, at its best: an independent yardstick, not made by Claros.

    Z <- S_lambda(observed entries of Y, other entries of Z),   S_lambda = soft thresholding of singular values

(Mazumder, Hastie, Tibshirani, JMLR 2010, Algorithm 1), with at most r singular values kept, for r = 1..20 and a
grid of lambda from the largest singular value of Y down to 0 (hard-impute), each started from the solution before.
lambda and r are chosen by the error to the truth, which is unknown in practice: a choice that favours this method.

Usage: soft_impute.py [--clean] [RANK ...]    --clean takes the corruption away; RANK: only these ranks; needs numpy
"""
import csv
import math
import pathlib
import sys

import numpy

HERE = pathlib.Path(__file__).resolve().parent
TOLERANCE, ITERATIONS = 1e-4, 500  # relative change of Z at which, or steps after which, an iteration ends
LAMBDAS = [0.75**k for k in range(1, 21)] + [0.0]  # as shares of the largest singular value of Y


def read_problem(clean):
    """Y with zeros where nothing is observed, the mask of what is, the centred truth."""
    truth = numpy.log1p(numpy.loadtxt(HERE / "precipitation.csv", delimiter=","))
    with open(HERE / "observed.csv", encoding="utf-8") as file:
        entries = [(int(i) - 1, int(j) - 1, float(value)) for i, j, value in list(csv.reader(file))[1:]]
    rows, columns, values = (numpy.array(part) for part in zip(*entries))
    if clean:
        values = truth[rows, columns]
        mean = values.mean()
        values = values - mean
    else:
        mean = numpy.median(truth[rows, columns] - values)  # most entries are not corrupted
    observed = numpy.zeros_like(truth)
    observed[rows, columns] = values
    mask = numpy.zeros(truth.shape, dtype=bool)
    mask[rows, columns] = True
    return observed, mask, truth - mean


def threshold(matrix, amount, rank):
    """S_amount(matrix) with at most `rank` singular values, by the eigenvalues of matrix matrix'."""
    squares, vectors = numpy.linalg.eigh(matrix @ matrix.T)
    singular = numpy.sqrt(numpy.maximum(squares[-rank:], 0.0))
    left = vectors[:, -rank:]
    weights = numpy.maximum(singular - amount, 0.0) / numpy.maximum(singular, 1e-12)
    return (left * weights) @ (left.T @ matrix)


def soft_impute(observed, mask, amount, rank, start):
    current = start
    for _ in range(ITERATIONS):
        following = threshold(numpy.where(mask, observed, current), amount, rank)
        change = numpy.linalg.norm(following - current) / max(numpy.linalg.norm(current), 1e-12)
        current = following
        if change < TOLERANCE:
            break
    return current


def main():
    words = sys.argv[1:]
    clean = "--clean" in words
    ranks = [int(word) for word in words if word != "--clean"] or range(1, 21)
    observed, mask, truth = read_problem(clean)
    largest = numpy.linalg.norm(observed, 2)
    print(f"{mask.sum()} entries, {'without' if clean else 'with'} corruption; "
          f"filling in the mean: RMSE {math.sqrt((truth**2).mean()):.4f}")
    best = (math.inf, None, None)
    for rank in ranks:
        current, found = numpy.zeros_like(truth), (math.inf, None, None)
        for share in LAMBDAS:
            current = soft_impute(observed, mask, share * largest, rank, current)
            rmse = math.sqrt(((current - truth)**2).mean())
            found = min(found, (rmse, rank, share * largest), key=lambda each: each[0])
        print(f"rank at most {rank:2d}: RMSE {found[0]:.4f} at lambda {found[2]:.3f}", flush=True)
        best = min(best, found, key=lambda each: each[0])
    print(f"best: RMSE {best[0]:.4f}, rank at most {best[1]}, lambda {best[2]:.3f}")


main()
