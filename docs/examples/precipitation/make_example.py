#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes precipitation.csv and observed.csv from a grid of annual precipitation.

The input is JSON with the members "width", "height" and "values" (row-major, as many as width * height).
"""
import argparse
import csv
import json
import math
import pathlib
import random

SEED = 20240229
FRACTION = 5  # one entry in so many is observed


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
    """A random fifth of the entries as (row, column, log1p(value) - mean), counted from 1, and that mean."""
    positions = [(row, column) for row in range(len(grid)) for column in range(len(grid[0]))]
    chosen = sorted(random.Random(SEED).sample(positions, len(positions) // FRACTION))
    logs = [math.log1p(grid[row][column]) for row, column in chosen]
    mean = math.fsum(logs) / len(logs)
    return [(row + 1, column + 1, f"{log - mean:.6f}") for (row, column), log in zip(chosen, logs)], mean


def write(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("input", type=pathlib.Path, help="the grid, as JSON")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent, help="folder to write to")
    options = parser.parse_args()

    grid = read_grid(options.input)
    entries, mean = observe(grid)
    write(options.out / "precipitation.csv", grid)
    write(options.out / "observed.csv", [("row", "column", "log1p_centred"), *entries])
    print(f"precipitation.csv: {len(grid)} rows of {len(grid[0])} values")
    print(f"observed.csv: {len(entries)} entries, mean of log1p over them {mean:.6f} (subtracted), seed {SEED}")


if __name__ == "__main__":
    main()
