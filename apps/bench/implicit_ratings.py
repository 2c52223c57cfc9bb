#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Views of MovieLens-1M: claros with a nuclear ball, and by alternating least squares, beside alternating least squares in
numpy.

    apps/bench/implicit_ratings.py RATINGS [--claros build/release/bin/claros] [--radius R...] [--factors 64] [--unobserved 0.05]

RATINGS is a file of user, film, rating (ml-1m). Every rating is a view; of every user one is held out, drawn by a seed,
and one more to choose the radius and the regularization by. Both methods then fit all but the held one. NDCG@10 ranks all
films that the user has not seen. One thread; seconds of the processor for the fit, for claros with reading and gap
checks. No radius (--radius): the ball is left out.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import tempfile
import time

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np


def read(file):
    return np.loadtxt(file, usecols=(0, 1), dtype=np.int64)


def compressed(first, second, count):
    order = np.lexsort((second, first))
    return np.searchsorted(first[order], np.arange(count + 1)), second[order]


def half_step(fixed, start, others, weight, ridge):
    """argmin over the rows u of (1/2) sum over seen (u'v - 1)^2 + (w0/2) sum over the rest (u'v)^2 + (ridge/2) ||u||^2."""
    all_of_it = weight * fixed.T @ fixed + ridge * np.eye(fixed.shape[1])
    made = np.zeros((len(start) - 1, fixed.shape[1]))
    for k in range(len(start) - 1):
        V = fixed[others[start[k]:start[k + 1]]]
        if len(V):
            made[k] = np.linalg.solve(all_of_it + (1 - weight) * V.T @ V, V.sum(axis=0))
    return made


def als(pairs, users, films, factors, weight, ridge, rounds=15):
    rng = np.random.default_rng(0)
    V = 0.1 * rng.normal(size=(films, factors))
    by_user, by_film = compressed(pairs[:, 0], pairs[:, 1], users), compressed(pairs[:, 1], pairs[:, 0], films)
    for _ in range(rounds):
        U = half_step(V, *by_user, weight, ridge)
        V = half_step(U, *by_film, weight, ridge)
    return U, V


def ndcg(U, V, pairs, held, top=10):
    """Of one held film a user: 1/log2(1 + rank) where it is among the first `top` of what is not seen."""
    known = np.bincount(pairs[:, 1], minlength=len(V)) > 0
    start, seen = compressed(pairs[:, 0], pairs[:, 1], len(U))
    gains = []
    for user, film in held:
        if not known[film]:
            continue
        scores = V @ U[user]
        scores[seen[start[user]:start[user + 1]]] = -np.inf
        scores[~known] = -np.inf
        rank = 1 + np.count_nonzero(scores > scores[film])
        gains.append(1 / np.log2(1 + rank) if rank <= top else 0.0)
    return np.mean(gains)


def write(file, pairs):
    np.savetxt(file, np.c_[pairs + 1, np.ones(len(pairs), dtype=np.int64)], fmt="%d", delimiter="\t")


def claros(program, folder, pairs, held, words, weight, shape, top=10):
    train, test, out = (folder / name for name in ("train.tsv", "held.tsv", f"fit-{time.monotonic_ns()}"))
    write(train, pairs), write(test, held)
    begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([program, "run", "--quiet", "--threads", "1", "objective.use=matrix-completion", f"objective.data={train}",
                    "objective.implicit=yes", f"objective.unobserved={weight}", "objective.ids=one-based",
                    f"objective.rows={shape[0]}", f"objective.cols={shape[1]}", *words, "trace.on=no", "--out", out],
                   check=True, stdout=subprocess.DEVNULL)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin
    said = subprocess.run([program, "predict", out, test, "--ranking", str(top), "--without", train, "--out", folder / "scores.csv"],
                          check=True, capture_output=True, text=True).stderr
    return float(said.split("NDCG ")[1].split(",")[0]), seconds


def ball(radius, *_):
    return ["set.use=nuclear-ball", f"set.radius={radius}", "stop.relative_gap=1e-2"]


def alternating(ridge, count, factors, rounds):
    """The problem of `als`: its sums are f times the number of views."""
    return ["algorithm.use=alternating", f"algorithm.rank={factors}", "penalty.use=nuclear", f"penalty.lambda={ridge / count!r}",
            "algorithm.ratio=1", f"stop.iterations={rounds}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ratings")
    parser.add_argument("--claros", default="build/release/bin/claros")
    parser.add_argument("--radius", type=float, nargs="*", default=[3000, 4000, 5000, 6000])
    parser.add_argument("--ridge", type=float, nargs="+", default=[1, 3, 10, 30])
    parser.add_argument("--factors", type=int, default=64)
    parser.add_argument("--unobserved", type=float, default=0.05)
    parser.add_argument("--rounds", type=int, default=15, help="of alternating least squares")
    asked = parser.parse_args()
    every = read(asked.ratings)
    for side in (0, 1):
        every[:, side] = np.unique(every[:, side], return_inverse=True)[1]
    users, films = every.max(axis=0) + 1
    order = np.random.default_rng(1).permutation(len(every))
    first = np.unique(every[order, 0], return_index=True)[1]
    held, rest = every[order[first]], np.delete(every[order], first, axis=0)
    second = np.unique(rest[:, 0], return_index=True)[1]
    chosen_by, fewer = rest[second], np.delete(rest, second, axis=0)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shape = users, films
        ridges = {r: ndcg(*als(fewer, users, films, asked.factors, asked.unobserved, r, asked.rounds), fewer, chosen_by)
                  for r in asked.ridge} if len(asked.ridge) > 1 else {asked.ridge[0]: 0.0}
        ridge = max(ridges, key=ridges.get)
        radii = {r: claros(asked.claros, folder, fewer, chosen_by, ball(r), asked.unobserved, shape)[0] for r in asked.radius}
        print("NDCG@10 on the ratings that choose: radius", {r: round(v, 4) for r, v in radii.items()}, "ridge",
              {r: round(float(v), 4) for r, v in ridges.items()})
        for name, words, number in [("nuclear ball, radius", ball, radius) for radius in sorted(radii, key=radii.get)[-1:]] + [
                ("alternating, ridge", alternating, ridge)]:
            ours, seconds = claros(asked.claros, folder, rest, held, words(number, len(rest), asked.factors, asked.rounds), asked.unobserved, shape)
            print(f"claros, {name} {number:g}: NDCG@10 {ours:.4f}, {seconds:.1f} s")
        begin = time.process_time()
        factors = als(rest, users, films, asked.factors, asked.unobserved, ridge, asked.rounds)
        theirs = time.process_time() - begin
        print(f"alternating least squares, {asked.factors} factors, ridge {ridge:g}: "
              f"NDCG@10 {ndcg(*factors, rest, held):.4f}, {theirs:.1f} s")


if __name__ == "__main__":
    main()
