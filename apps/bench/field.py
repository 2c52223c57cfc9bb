#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The problems of the field: seconds of Claros beside its peers in one run, to the same accuracy, with floors.

    PYTHONPATH=build/release/python apps/bench/field.py DATA [--only WORDS] [--repeats 3] [--limit 60] [--processor]

DATA has movielens-100k/u.data, movielens-1m/ratings.tsv.xz, libsvm/news20.bz2 and libsvm/a9a.xz; rows without their data
are left out. A row has
- the wall seconds of `claros.solve` (composing, steps, gap checks), medians of REPEATS, to the target in the name, on one
  thread;
- those of the peers that are installed, at the first tolerance (by tens) that comes to the target within LIMIT seconds;
- how often the gradients of the fastest run read the data, and its floor: that many readings of as many bytes, in the cache
  where they fit, or their operations at the speed of a product of matrices, whichever takes longer; and the operations of
  products of a sparse gradient with vectors at that speed. Gap checks, moves of single coordinates, and the work on factors
  are not counted, so the floor is a low one.
"""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse  # noqa: E402
import dataclasses  # noqa: E402
import statistics  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402

import numpy as np  # noqa: E402

import field_cases  # noqa: E402


@dataclasses.dataclass
class Machine:
    speed: float  # operations a second of a product of matrices

    @staticmethod
    def measured():
        square = np.ones((1500, 1500))
        return Machine(2 * 1500**3 / min(seconds(lambda: square @ square) for _ in range(3)))

    @staticmethod
    def bandwidth(size):
        """Bytes a second at which one thread reads the same `size` bytes again and again."""
        numbers = np.ones(int(min(max(size, 1 << 16), 1 << 28)) // 8)
        again = max(3, (1 << 26) // numbers.nbytes)
        return numbers.nbytes / min(seconds(lambda: np.dot(numbers, numbers)) for _ in range(again))


def seconds(work):
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def shown(value):
    return "not reached" if value is None else f"{value:.3g}"


def row(problem, machine, repeats, limit):
    """Ours, the peers by name, the ratio of the best of both, and ours as a multiple of the floor."""
    times = {}
    for name, run in problem.ours.items():
        runs = [run(limit) for _ in range(problem.repeats or repeats)]
        times[name] = None if None in runs else statistics.median(runs)
    peers = {name: run(limit) for name, run in problem.peers.items()}
    reached = {name: value for name, value in times.items() if value is not None}
    known = [value for value in peers.values() if value is not None]
    cells = ["", "", ""]
    if reached:
        best = min(reached, key=reached.get)
        work = problem.ours[best].work(problem.terms)
        if work is not None:
            gradients, products = work
            reading = max(problem.bytes / machine.bandwidth(problem.bytes), problem.operations / machine.speed)
            floor = gradients * reading + products * problem.product / machine.speed
            cells = [f"{gradients:.3g}", f"{1e3 * floor:.3g}", f"{reached[best] / floor:.2g}"]
    ratio = f"{min(reached.values()) / min(known):.2f}" if reached and known else ""
    return [problem.name, ", ".join(f"{name} {shown(value)}" for name, value in times.items()),
            ", ".join(f"{name} {shown(value)}" for name, value in peers.items()) or "none", ratio, *cells, problem.aim]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data")
    parser.add_argument("--only", default="", help="rows whose names hold these words")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each program on each row")
    parser.add_argument("--processor", action="store_true", help="seconds of the processor, on a machine with other load")
    args = parser.parse_args()
    if args.processor:
        time.perf_counter = time.process_time
    machine = Machine.measured()
    print(f"One thread reads {machine.bandwidth(1 << 28) / 1e9:.1f} GB/s, {machine.bandwidth(1 << 20) / 1e9:.1f} where a megabyte is "
          f"read again, and multiplies at {machine.speed / 1e9:.1f} Gflop/s.\n")
    print("| problem | Claros, s | peers, s | ratio to the best | gradients | floor, ms | multiple of it | aim, s |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for name, make in field_cases.CASES.items():
        if args.only not in name:
            continue
        problem = make(args.data)
        if problem is None:
            print(f"field: {name}: left out, its data is not in {args.data}", file=sys.stderr)
            continue
        problem.name = name
        print("| " + " | ".join(row(problem, machine, args.repeats, args.limit)) + " |", flush=True)


if __name__ == "__main__":
    main()
