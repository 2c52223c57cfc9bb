#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Steps on one, two and four ranks: seconds, bytes, the share of communication, and a model of time against ranks.

    apps/bench/ranks.py steps PROGRAM [--ranks 1,2] [--repeats 3]       a table of measured steps
    apps/bench/ranks.py threads PROGRAM [--repeats 3]                   steps of hot paths by one thread and by two
    apps/bench/ranks.py model LATENCY_US BANDWIDTH_GBS READING_GBS      the model's numbers, for these of a machine

`steps` takes each number from the difference of the fastest run of few steps and the fastest of more, of the repeats of
each, so that starting and reading are left out. LATENCY_US and BANDWIDTH_GBS are printed by claros-bench-ranks, READING_GBS is the
pace at which one rank reads its entries in a gradient (`claros-bench --only bandwidth`).
"""
import argparse
import json
import math
import os
import re
import subprocess

ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
LINEAR = ["data.use=synthetic-regression", "data.nonzero=20", "penalty.use=l1", "penalty.lambda=0.1*max",
          "algorithm.use=proximal-gradient", "algorithm.step=1e-3"]
COMPLETION = ["objective.inner.use=matrix-completion", "data.use=synthetic", "data.rows=20000", "data.cols=2000",
              "data.observed=0.02", "set.use=nuclear-ball", "set.radius=1000", "algorithm.use=frank-wolfe"]
CASES = {  # words, and the steps of the two runs
    "lasso, 100000 x 1000": (["data.rows=100000", "data.cols=1000", *LINEAR], 10, 40),
    "lasso, 10000 x 10000": (["data.rows=10000", "data.cols=10000", *LINEAR], 10, 40),
    "batches of 100, 20000 x 1000": (["data.rows=20000", "data.cols=1000", *LINEAR, "estimator.use=svrg",
                                      "estimator.batch=100", "estimator.epoch=1000"], 100, 500),
    "completion, 20000 x 2000, 2 %": (COMPLETION, 8, 48),
}

PLAIN = ["objective.use=matrix-completion", *COMPLETION[1:5]]
ROWS = ["objective.use=linear-model", "data.rows=100000", "data.cols=1000"]
THREADED = {  # hot paths, without sharded
    "full gradient, dense rows": ([*ROWS, *LINEAR], 10, 40),
    "full gradient, Huber loss": ([*ROWS, *LINEAR, "objective.loss=huber"], 10, 40),
    "batch gradient, 100 rows": ([*ROWS, *LINEAR, "estimator.use=svrg", "estimator.batch=100",
                                  "estimator.epoch=100000"], 100, 2100),
    "coordinate descent": ([*ROWS, *LINEAR[:4], "algorithm.use=coordinate-descent"], 2, 12),
    "linear oracle, Lanczos": ([*PLAIN, "set.use=nuclear-ball", "set.radius=1000", "algorithm.use=frank-wolfe"], 8, 48),
    "projection, truncated SVD": ([*PLAIN, "data.rows=3000", "data.cols=500", "set.use=nuclear-ball", "set.radius=1000",
                                   "algorithm.use=proximal-gradient", "algorithm.step=1"], 2, 6),
}


def run(program, ranks, words, steps, threads=1):
    """Seconds of the steps; and what rank 0 sent, in bytes, and waited in calls, in seconds."""
    command = [] if ranks == 1 else ["mpirun", *(["--oversubscribe"] if ranks > os.cpu_count() else []), "-n", str(ranks)]
    command += [program, "run", *([] if words[0].startswith("objective.use=") else ["objective.use=sharded"]), *words, f"stop.iterations={steps}", "trace.every=100000",
                f"run.threads={threads}", "--json"]
    outcome = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
    if outcome.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{outcome.stderr}")
    sent = re.search(r"sent (\d+) bytes in them, and spent ([0-9.e+-]+) s", outcome.stderr)
    return json.loads(outcome.stdout)["seconds"], *([0, 0.0] if not sent else [int(sent[1]), float(sent[2])])


def step(program, ranks, case, repeats, threads=1):
    """Of one step: the seconds, the bytes, and the share of waiting and sending."""
    words, few, more = {**CASES, **THREADED}[case]
    runs = [(run(program, ranks, words, few, threads), run(program, ranks, words, more, threads)) for _ in range(repeats)]
    first, last = (min(each) for each in zip(*runs))
    seconds, sent, waited = [(b - a) / (more - few) for a, b in zip(first, last)]
    return seconds, sent, waited / seconds


def steps(options):
    print(f"{'':32}ranks  ms a step  speed-up  bytes a step  in collectives")
    for case in CASES:
        one = None
        for ranks in map(int, options.ranks.split(",")):
            seconds, sent, share = step(options.program, ranks, case, options.repeats)
            one = one or seconds
            known = f"{share:.0%}" if 0 <= share <= 1 else "lost in noise"
            print(f"{case:32}{ranks:5}  {1e3 * seconds:9.3f}  {one / seconds:8.2f}  {sent:12.0f}  {known:>14}",
                  flush=True)


def threads(options):
    print(f"{'':32}ms by 1 thread  by 2  speed-up")
    for case in THREADED:
        one, two = (step(options.program, 1, case, options.repeats, count)[0] for count in (1, 2))
        print(f"{case:32}{1e3 * one:14.3f}  {1e3 * two:4.3f}  {one / two:8.2f}", flush=True)


def modelled(entries, columns, ranks, options):
    """Seconds of a step of full gradients of dense rows: reading, and a tree_sum of `columns` numbers, whose two
    exchanges send columns (P - 1) / P numbers each, beside an agreement of 2 log2(P) messages each."""
    reading = 8.0 * entries / ranks / (options.reading * 1e9)
    if ranks == 1:
        return reading
    sending = 2 * 8.0 * columns * (ranks - 1) / ranks / (options.bandwidth * 1e9)
    return reading + sending + options.latency * 1e-6 * 2 * (2 * math.log2(ranks) + ranks - 1)


def model(options):
    columns = 1e5
    print(f"a prediction: seconds of a gradient step of dense rows of {columns:.0e} columns; in brackets the efficiency")
    print("entries " + "".join(f"{ranks:>16}" for ranks in (1, 64, 256, 1024)))
    for entries in (1e9, 1e10, 1e11):
        one = modelled(entries, columns, 1, options)
        line = ""
        for ranks in (1, 64, 256, 1024):
            seconds = modelled(entries, columns, ranks, options)
            line += f"{seconds:9.3g} ({one / seconds / ranks:4.0%})"
        print(f"{entries:7.0e} {line}")
    for case, (rows, cols) in {"lasso, 100000 x 1000": (100000, 1000), "lasso, 10000 x 10000": (10000, 10000)}.items():
        times = [modelled(rows * cols, cols, ranks, options) for ranks in (1, 2, 4)]
        print(f"{case}: 1, 2, 4 ranks: " + ", ".join(f"{1e3 * t:.3g}" for t in times) + " ms, were there a core a rank")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, function in (("steps", steps), ("threads", threads)):
        one = commands.add_parser(name)
        one.add_argument("program")
        one.add_argument("--ranks", default="1,2")
        one.add_argument("--repeats", type=int, default=3)
        one.set_defaults(function=function)
    one = commands.add_parser("model")
    for name in ("latency", "bandwidth", "reading"):
        one.add_argument(name, type=float)
    one.set_defaults(function=model)
    options = parser.parse_args()
    options.function(options)


main()
