#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long `claros predict --new-rows` takes for 100,000 new rows of 20 entries each.

Usage: new_rows.py CLAROS [--rows 100000] [--threads 1]

Ratings of 5000 x 2000 and rank 5 with noise, 40 a row, are completed with the nuclear penalty; the new rows have factors
of their own. Prints the rank of the fit and the wall and processor seconds of the command, with reading and writing.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import tempfile
import time

ROWS, COLUMNS, RANK, NOISE = 5000, 2000, 5, 0.1


def factors(rng, count):
    return [[rng.gauss(0, 1) for _ in range(RANK)] for _ in range(count)]


def write(file, rng, columns, first, count, entries):
    with open(file, "w") as out:
        for row, u in enumerate(factors(rng, count), first):
            for j in rng.sample(range(COLUMNS), entries):
                value = sum(a * b for a, b in zip(u, columns[j])) + NOISE * rng.gauss(0, 1)
                out.write(f"{row}\t{j + 1}\t{value:.3f}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claros")
    parser.add_argument("--rows", type=int, default=100000)
    parser.add_argument("--threads", default="1")
    asked = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = asked.threads
    rng = random.Random(0)
    columns = factors(rng, COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        train, new, fit = (str(pathlib.Path(folder) / name) for name in ("train.tsv", "new.tsv", "fit"))
        write(train, rng, columns, 1, ROWS, 40)
        write(new, rng, columns, ROWS + 1, asked.rows, 20)
        subprocess.run([asked.claros, "run", "--quiet", "objective.use=matrix-completion", f"objective.data={train}",
                        "penalty.use=nuclear", "penalty.lambda=0.05*max", "stop.relative_gap=1e-3",
                        f"run.threads={asked.threads}", "--out", fit], check=True, capture_output=True)
        rank = json.loads((pathlib.Path(fit) / "result.json").read_text())["rank_or_support"]
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([asked.claros, "predict", fit, train, "--new-rows", new, "--out", f"{folder}/predicted"],
                       check=True, capture_output=True)
        seconds, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{asked.rows} rows, rank {rank}: {seconds:.1f} s of wall time, {used:.1f} s of processor time")


if __name__ == "__main__":
    main()
