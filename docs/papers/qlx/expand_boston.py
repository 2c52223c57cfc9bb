#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Boston Housing as Qu, Li, Xu use it: of each of the 13 features x, x^2 and x^3 beside each other, every column of
mean 0 and variance 1, and the response (median value) centred.

    expand_boston.py housing.data boston.csv
"""
import sys


def centred(column):
    mean = sum(column) / len(column)
    return [value - mean for value in column]


def standardized(column):
    column = centred(column)
    deviation = (sum(value * value for value in column) / len(column)) ** 0.5
    return [value / deviation for value in column]


def main(source, target):
    with open(source, encoding="ascii") as file:
        rows = [[float(word) for word in line.split()] for line in file if line.strip()]
    *features, response = zip(*rows)
    columns = [standardized([value ** power for value in feature]) for feature in features for power in (1, 2, 3)]
    names = [f"x{k + 1}_{power}" for k in range(len(features)) for power in (1, 2, 3)]
    columns.append(centred(response))
    names.append("response")
    with open(target, "w", encoding="ascii") as file:
        print(",".join(names), file=file)
        for row in zip(*columns):
            print(",".join(repr(value) for value in row), file=file)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
