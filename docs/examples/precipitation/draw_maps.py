#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws truth, observations and recovery of a finished run as one picture, and prints the error of the recovery.

Usage: draw_maps.py RUN_FOLDER [PICTURE.png]     (default: RUN_FOLDER/maps.png; needs gnuplot)
"""
import csv
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

PLOT = """
set terminal pngcairo size 1500,340 font ',11'
set output '{picture}'
set multiplot layout 1,3 margins 0.03,0.93,0.08,0.86 spacing 0.02
set palette defined (0 '#ffffe5', 0.25 '#c7e9b4', 0.5 '#41b6c4', 0.75 '#225ea8', 1 '#081d58')
set cbrange [{low}:{high}]
set xrange [-0.5:{cols}-0.5]; set yrange [{rows}-0.5:-0.5]
unset xtics; unset ytics
unset colorbox
set title 'truth: log(1 + precipitation), centred'
plot '{folder}/truth' matrix with image notitle
set title 'observed: one entry in five'
plot '{folder}/observed' matrix with image notitle
set colorbox
set title 'recovered: RMSE {rmse:.3f} (filling in the mean: {mean:.3f})'
plot '{folder}/recovered' matrix with image notitle
"""


def read_array(path):
    """A Matrix Market array as a list of columns."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("%")]
    rows, cols = map(int, lines[0].split())
    values = [float(line) for line in lines[1:]]
    return [values[k * rows:(k + 1) * rows] for k in range(cols)]


def product(folder):
    """U diag(s) V' as a list of rows."""
    left, right, weights = (read_array(folder / f"{name}.mtx") for name in ("U", "V", "s"))
    scaled = [[s * value for value in column] for s, column in zip(weights[0], left)]
    right_rows = list(zip(*right))
    return [[math.fsum(a * b for a, b in zip(row, other)) for other in right_rows] for row in zip(*scaled)]


def write_grid(path, grid):
    with open(path, "w", encoding="utf-8") as file:
        for row in grid:
            file.write(" ".join("nan" if value is None else f"{value:.5g}" for value in row) + "\n")


def root_mean_square(values):
    values = list(values)
    return math.sqrt(math.fsum(value * value for value in values) / len(values))


def main():
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    run = pathlib.Path(sys.argv[1])
    picture = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else run / "maps.png"
    with open(HERE / "precipitation.csv", encoding="utf-8") as file:
        logs = [[math.log1p(int(value)) for value in row] for row in csv.reader(file)]
    with open(HERE / "observed.csv", encoding="utf-8") as file:
        entries = [(int(i) - 1, int(j) - 1, float(value)) for i, j, value in list(csv.reader(file))[1:]]
    i, j, value = entries[0]
    mean = logs[i][j] - value
    truth = [[value - mean for value in row] for row in logs]
    observed = [[None] * len(truth[0]) for _ in truth]
    for i, j, value in entries:
        observed[i][j] = value
    recovered = product(run / "solution")
    rmse = root_mean_square(a - b for x, y in zip(recovered, truth) for a, b in zip(x, y))
    filled = root_mean_square(value for row in truth for value in row)
    print(f"RMSE of the recovered map {rmse:.4f}; filling in the mean gives {filled:.4f}")
    if not shutil.which("gnuplot"):
        raise SystemExit("no picture: gnuplot is not installed (Debian: gnuplot-nox)")
    flat = sorted(value for row in truth for value in row)
    with tempfile.TemporaryDirectory() as folder:
        for name, grid in (("truth", truth), ("observed", observed), ("recovered", recovered)):
            write_grid(pathlib.Path(folder) / name, grid)
        script = PLOT.format(picture=picture, folder=folder, rows=len(truth), cols=len(truth[0]), rmse=rmse, mean=filled,
                             low=flat[len(flat) // 100], high=flat[-len(flat) // 100])
        # Unobserved cells are meant to be missing; gnuplot's warnings about them are shown only when it fails.
        drawn = subprocess.run(["gnuplot"], input=script, text=True, stderr=subprocess.PIPE)
        if drawn.returncode != 0:
            raise SystemExit("no picture: gnuplot failed: " + drawn.stderr)
    print(f"maps: {picture}")


main()
