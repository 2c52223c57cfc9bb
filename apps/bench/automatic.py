#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The automatic choice beside every method that takes the problem, to the same accuracy.

For each problem: the seconds of the run that names no algorithm (steps, gap checks and waiting; not the making of the
data), and of the run of each method, medians of REPEATS; a method that does not come to the accuracy within LIMIT
seconds has none. Two thousandths of a second are added to both sides of a ratio, below which no person waits.

Usage: automatic.py CLAROS [--repeats 3] [--limit 20]
Prints a table in Markdown: the choice, its seconds, the best method and its seconds, the ratio.
"""
import argparse
import json
import os
import statistics
import subprocess

ROWS = "data.use=synthetic-regression data.rows=2000 data.cols=1000 data.nonzero=50 data.correlation=0.3 " \
       "objective.use=linear-model"
SIGNS = ROWS + " data.response=logistic objective.loss=logistic"
ENTRIES = "data.use=synthetic data.rows=400 data.cols=300 data.rank=5 data.observed=0.2 data.corrupted=0 " \
          "objective.use=matrix-completion"
GAP, RESIDUAL = " stop.relative_gap=1e-6", " stop.residual=1e-6"
COORDINATES = ["coordinate-descent", "working-set", "prox-newton", "proximal-gradient", "lbfgs"]
FIRST = ["proximal-gradient", "lbfgs", "primal-dual"]
VERTICES = ["frank-wolfe", "away-step", "pairwise", "blended-pairwise", "fully-corrective", "proximal-gradient", "lbfgs"]
PROBLEMS = {
    "least squares": (ROWS + RESIDUAL, FIRST),
    "ridge": (ROWS + " penalty.use=ridge penalty.lambda=0.01" + GAP, COORDINATES),
    "lasso, 0.1 max": (ROWS + " penalty.use=l1 penalty.lambda=0.1*max" + GAP, COORDINATES),
    "lasso, 0.01 max": (ROWS + " penalty.use=l1 penalty.lambda=0.01*max" + GAP, COORDINATES),
    "mcp, 0.1 max": (ROWS + " penalty.use=mcp penalty.lambda=0.1*max" + RESIDUAL, COORDINATES),
    "box": (ROWS + " penalty.use=box penalty.lower=-0.2 penalty.upper=0.5" + RESIDUAL, COORDINATES),
    "huber": (ROWS + " objective.loss=huber" + RESIDUAL, FIRST),
    "logistic, ridge": (SIGNS + " penalty.use=ridge penalty.lambda=0.001" + GAP, COORDINATES),
    "logistic, l1, 0.1 max": (SIGNS + " penalty.use=l1 penalty.lambda=0.1*max" + GAP, COORDINATES),
    "logistic, l1, 0.01 max": (SIGNS + " penalty.use=l1 penalty.lambda=0.01*max" + GAP, COORDINATES),
    "logistic, groups of 10, 0.1 max": (
        SIGNS + " penalty.use=group penalty.groups=10 penalty.lambda=0.1*max" + GAP, COORDINATES),
    "logistic, l2 ball": (SIGNS + " set.use=l2-ball set.radius=2" + GAP, VERTICES),
    "l1 ball": (ROWS + " set.use=l1-ball set.radius=20" + GAP, VERTICES),
    "simplex": (ROWS + " set.use=simplex set.radius=10" + GAP, VERTICES),
    "matrix completion, ball": (
        ENTRIES + " set.use=nuclear-ball set.radius=500 stop.relative_gap=1e-3",
        ["frank-wolfe", "blended-pairwise", "factored", "proximal-gradient"]),
    "matrix completion, penalty": (
        ENTRIES + " penalty.use=nuclear penalty.lambda=0.1*max stop.relative_gap=1e-3",
        ["generalized-conditional-gradient", "factored", "proximal-gradient"]),
}


def once(claros, words, limit):
    """Seconds and the method of a run, or None and why not."""
    done = subprocess.run([claros, "run", "--json", "--quiet", *words.split(), f"stop.seconds={limit}",
                           "stop.iterations=1000000000"], capture_output=True, text=True, check=False)
    if done.returncode != 0 or not done.stdout:
        return None, done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit {done.returncode}"
    result = json.loads(done.stdout)
    if result["status"] not in ("relative-gap", "residual"):
        return None, result["status"]
    return result["waited_seconds"], result["status"]


def median(claros, words, limit, repeats):
    times = []
    for _ in range(repeats):
        seconds, why = once(claros, words, limit)
        if seconds is None:
            return None, why
        times.append(seconds)
    return statistics.median(times), ""


def chosen(claros, words):
    """What the run says of its choice: "claros: note: algorithm: NAME, since ..."."""
    done = subprocess.run([claros, "run", *words.split(), "stop.iterations=1"], capture_output=True, text=True,
                          check=False)
    for line in done.stderr.splitlines():
        if line.startswith("claros: note: algorithm: "):
            return line.removeprefix("claros: note: algorithm: ").split(",")[0].replace(" inside", "")
    return "?"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("claros")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--limit", type=float, default=20.0)
    args = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    print("| problem | the choice | seconds | the best | seconds | ratio |\n|---|---|---|---|---|---|", flush=True)
    for name, (words, methods) in PROBLEMS.items():
        auto, why = median(args.claros, words, args.limit, args.repeats)
        times = {}
        for method in methods:
            seconds, _ = median(args.claros, f"{words} algorithm.use={method}", args.limit, args.repeats)
            if seconds is not None:
                times[method] = seconds
        best = min(times, key=times.get) if times else None
        row = [name, chosen(args.claros, words), f"{auto:.3g}" if auto is not None else why]
        row += [best, f"{times[best]:.3g}"] if best else ["none", ""]
        row.append(f"{(auto + 2e-3) / (times[best] + 2e-3):.2g}" if best and auto is not None else "")
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
