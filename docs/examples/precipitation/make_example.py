#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes precipitation.csv and observed.csv from a grid of annual precipitation.

The input is JSON with the members "width", "height" and "values" (row-major, as many as width * height).
A random fifth of the entries is observed, as log(1 + precipitation). Of the observed entries one in twenty gets
uniform noise on [-10, 10] added (the corruption of Shen et al. 2019, Section 6, with rho = 10). Then the mean of
all observed values, corrupted or not, is subtracted.
"""
import argparse
import csv
import json
import math
import pathlib
import random

SEED = 20240229
OBSERVED = 5  # one entry in so many is observed
CORRUPTED = 20  # one observed entry in so many is corrupted
RHO = 10.0  # by uniform noise on [-RHO, RHO]


def read_grid(path):
    """The grid as a list of rows of integers."""
    grid = json.loads(path.read_text(encoding="utf-8"))
    width, height, values = grid["width"], grid["height"], grid["values"]
    if len(values) != width * height:
        raise SystemExit(f"{path}: {len(values)} values; expected width * height = {width * height}")
    for position, value in enumerate(values):
        if not isinstance(value, int) or value < 0:
            raise SystemExit(f"{path}: value {position} is {value!r}; expected an integer that is not negative")
    return [values[row * width:(row + 1) * width] for row in range(height)]


def observe(grid):
    """The observed entries as (row, column, value - mean), counted from 1; the mean; how many are corrupted."""
    generator = random.Random(SEED)
    positions = [(row, column) for row in range(len(grid)) for column in range(len(grid[0]))]
    chosen = sorted(generator.sample(positions, len(positions) // OBSERVED))
    values = [math.log1p(grid[row][column]) for row, column in chosen]
    corrupted = generator.sample(range(len(values)), len(values) // CORRUPTED)
    for k in corrupted:
        values[k] += generator.uniform(-RHO, RHO)
    mean = math.fsum(values) / len(values)
    entries = [(row + 1, column + 1, f"{value - mean:.6f}") for (row, column), value in zip(chosen, values)]
    return entries, mean, len(corrupted)


def write(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("input", type=pathlib.Path, help="the grid, as JSON")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent, help="folder to write to")
    options = parser.parse_args()

    grid = read_grid(options.input)
    entries, mean, corrupted = observe(grid)
    write(options.out / "precipitation.csv", grid)
    write(options.out / "observed.csv", [("row", "column", "log1p_centred"), *entries])
    print(f"precipitation.csv: {len(grid)} rows of {len(grid[0])} values")
    print(f"observed.csv: {len(entries)} entries, {corrupted} of them corrupted, seed {SEED}; "
          f"mean {mean:.6f} (subtracted)")


if __name__ == "__main__":
    main()
