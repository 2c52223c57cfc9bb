#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tells how far the recovered maps of a comparison are from the truth, and draws two of them and where they err.

Usage: draw_maps.py COMPARISON_FOLDER [PICTURE.png]     (default: COMPARISON_FOLDER/maps.png; needs gnuplot)

The table has a row for every cell of the comparison: the error of its runs over the whole grid, and over the grid
without the observed entries. The picture has truth, observations, and the recoveries of the first run of the first
two cells; errors.png beside it has the magnitudes of what these recoveries miss.
"""
import csv
import json
import math
import operator
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROUNDING = 1e-5  # of observed.csv; what differs more from the truth is corrupted

PLOT = """
set encoding utf8
set terminal pngcairo size 1200,579 font 'Sans,11' background '#ffffff'
set output '{picture}'
set multiplot layout 2,2 margins 0.012,0.925,0.02,0.952 spacing 0.02,0.07
set palette defined (0 '#ffffe5', 0.25 '#c7e9b4', 0.5 '#41b6c4', 0.75 '#225ea8', 1 '#081d58')
set cbrange [{low}:{high}]
set xrange [-0.5:{cols}-0.5]; set yrange [{rows}-0.5:-0.5]
unset xtics; unset ytics; unset colorbox; unset key
set border lc rgb '#888888' lw 0.7
set cbtics textcolor rgb 'black'
set title offset 0,-0.6 noenhanced
set title 'truth: log(1 + annual precipitation), centred'
plot '{folder}/truth' matrix with image
set title 'observed: {entries} of {cells} entries, {corrupted} of them corrupted (red)'
set object 1 rectangle from graph 0,0 to graph 1,1 behind fc rgb '#dcdcdc' fs solid noborder
plot '{folder}/observed' matrix with image, '{folder}/corrupted' with points pt 5 ps 0.32 lc rgb '#e31a1c'
unset object 1
set colorbox user origin 0.94,0.1 size 0.014,0.76
"""
RECOVERED = """
set title '{title}'
plot '{folder}/recovered{number}' matrix with image
unset colorbox
"""
ERRORS = """
set terminal pngcairo size 1200,300 font 'Sans,11' background '#ffffff'
set output '{picture}'
set multiplot layout 1,2 margins 0.012,0.925,0.04,0.9 spacing 0.02,0.07
set palette defined (0 '#ffffff', 0.3 '#fdcc8a', 0.65 '#d55e00', 1 '#5a1a00')
set cbrange [0:{high}]
set colorbox user origin 0.94,0.1 size 0.014,0.76
"""


def read_array(path):
    """A Matrix Market array as a list of columns."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("%")]
    rows, cols = map(int, lines[0].split())
    values = [float(line) for line in lines[1:]]
    return [values[k * rows:(k + 1) * rows] for k in range(cols)]


def solution(folder):
    """U diag(s) V' of a run as a list of rows."""
    left, right, weights = (read_array(folder / "solution" / f"{name}.mtx") for name in ("U", "V", "s"))
    scaled = [[s * value for value in column] for s, column in zip(weights[0], left)]
    right_rows = list(zip(*right))
    return [[sum(map(operator.mul, row, other)) for other in right_rows] for row in zip(*scaled)]


def read_problem():
    """The centred truth as a list of rows; the observed values and the set of corrupted ones, by (row, column)."""
    with open(HERE / "precipitation.csv", encoding="utf-8") as file:
        logs = [[math.log1p(int(value)) for value in row] for row in csv.reader(file)]
    with open(HERE / "observed.csv", encoding="utf-8") as file:
        observed = {(int(i) - 1, int(j) - 1): float(value) for i, j, value in list(csv.reader(file))[1:]}
    # The mean that was subtracted: most entries are not corrupted, and tell it.
    mean = statistics.median(logs[i][j] - value for (i, j), value in observed.items())
    truth = [[value - mean for value in row] for row in logs]
    corrupted = {(i, j) for (i, j), value in observed.items() if abs(value - truth[i][j]) > ROUNDING}
    return truth, observed, corrupted


def errors(grid, truth, observed):
    """RMSE over the whole grid, and over what was not observed."""
    squares = [[(a - b) ** 2 for a, b in zip(x, y)] for x, y in zip(grid, truth)]
    whole, cells = sum(map(sum, squares)), len(truth) * len(truth[0])
    seen = sum(squares[i][j] for i, j in observed)
    return math.sqrt(whole / cells), math.sqrt((whole - seen) / (cells - len(observed)))


def with_range(values):
    low, high = (f"{value:.4f}" for value in (min(values), max(values)))
    middle = f"{statistics.median(values):.4f}"
    return middle if low == high else f"{middle} [{low}, {high}]"


def print_table(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())


def write_grid(path, grid):
    with open(path, "w", encoding="utf-8") as file:
        for row in grid:
            file.write(" ".join("nan" if value is None else f"{value:.5g}" for value in row) + "\n")


def draw(picture, truth, observed, corrupted, recovered):
    """`recovered` is at most two pairs of title and grid."""
    if not shutil.which("gnuplot"):
        raise SystemExit("no picture: gnuplot is not installed (Debian: gnuplot-nox)")
    rows, cols = len(truth), len(truth[0])
    seen = [[observed.get((i, j)) for j in range(cols)] for i in range(rows)]
    flat = sorted(value for row in truth for value in row)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, grid in (("truth", truth), ("observed", seen)):
            write_grid(folder / file, grid)
        (folder / "corrupted").write_text("".join(f"{j} {i}\n" for i, j in sorted(corrupted)), encoding="utf-8")
        script = PLOT.format(picture=picture, folder=folder, rows=rows, cols=cols, cells=rows * cols,
                             entries=len(observed), corrupted=len(corrupted), low=flat[len(flat) // 100],
                             high=flat[-len(flat) // 100])
        for number, (title, grid) in enumerate(recovered):
            write_grid(folder / f"recovered{number}", grid)
            script += RECOVERED.format(folder=folder, title=title, number=number)
        missed = [[[abs(a - b) for a, b in zip(x, y)] for x, y in zip(grid, truth)] for _, grid in recovered]
        sizes = sorted(value for grid in missed for row in grid for value in row)
        script += "unset multiplot\n" + ERRORS.format(picture=picture.with_name("errors.png"), high=sizes[-len(sizes) // 100])
        for number, ((title, _), grid) in enumerate(zip(recovered, missed), len(recovered)):
            write_grid(folder / f"recovered{number}", grid)
            script += RECOVERED.format(folder=folder, title=title.replace("recovered", "|recovered - truth|", 1), number=number)
        # Unobserved cells are meant to be missing; gnuplot's warnings about them are shown only when it fails.
        drawn = subprocess.run(["gnuplot"], input=script, text=True, stderr=subprocess.PIPE)
        if drawn.returncode != 0:
            raise SystemExit("no picture: gnuplot failed: " + drawn.stderr)


def main():
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    comparison = pathlib.Path(sys.argv[1])
    picture = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else comparison / "maps.png"
    truth, observed, corrupted = read_problem()
    filled = errors([[0.0] * len(truth[0])] * len(truth), truth, observed)
    table = [("", "RMSE to the truth", "where nothing was observed"),
             ("filling in the mean", *(f"{error:.4f}" for error in filled))]
    recovered = []
    for cell in json.loads((comparison / "comparison.json").read_text(encoding="utf-8"))["cells"]:
        maps = [solution(comparison / run["folder"]) for run in cell["runs"]]
        whole, unseen = zip(*(errors(grid, truth, observed) for grid in maps))
        table.append((cell["label"], with_range(whole), with_range(unseen)))
        title = f"recovered, {cell['label']}: RMSE {whole[0]:.3f} (mean filled in: {filled[0]:.3f})"
        recovered.append((title, maps[0]))
    print_table(table)
    print("median [smallest, largest] over the runs of a cell")
    draw(picture, truth, observed, corrupted, recovered[:2])


main()
