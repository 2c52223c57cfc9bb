#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants one bug at a time in the libraries of a copy of this tree, builds it, and runs the tests of that part.

    tests/doctor/plant.py TREE [--jobs N] [--whole]

TREE is a clone of this tree, at the same commit, with a build in build/release with tests; its files are changed and put
back. A bug is caught when a test fails; those run are the ones that the entry names, with --whole all. mutate.py does the
same for plugins, whose judge is `claros doctor`.
"""
import argparse
import pathlib
import re
import subprocess
import sys

# (file, what stands there, what is put there, what that means, tests as a pattern of ctest)
BUGS = [
    ("core/kernel/src/run/measurer.cpp",
     "made.error = tangent_rounding(function(), problem_.smoother, x, farthest(x), value, made.slope);",
     "made.error = 0.0;",
     "Frank-Wolfe gaps without the error of the arithmetic", "^plugin: test_(scales|claims)"),
    ("core/kernel/src/run/judgement.cpp",
     "bound_rounding_ = measurer_.rounding();",
     "bound_rounding_ = 0.0;",
     "rounding of a lower bound is taken for a contradiction", "^plugin: "),
    ("core/numerics/src/spectral/lanczos.cpp",
     "pair.converged = false;  // too few steps to leave little to chance, however small the residual",
     "pair.residual *= 1.0;",
     "a confirmation counts after too few steps", "spectral|lanczos|nuclear"),
    ("core/results/src/results/fold_in.cpp",
     "(of_rows_ ? rule_.row_bias : rule_.col_bias);",
     "(of_rows_ ? rule_.col_bias : rule_.row_bias);",
     "the bias of a new row has the ridge of the columns", "new_rows|recommend|predict"),
    ("core/paths/src/paths/folds.cpp",
     "*least += size;",
     "*least += 1;",
     "folds of groups have equally many groups, not rows", "fold|path"),
    ("core/io/src/io/ratings.cpp",
     "t = std::exp2((t - newest) / options.half_life);",
     "t = std::exp((t - newest) / options.half_life);",
     "a half-life in which a weight falls to 1/e", "ratings|entry_weights"),
    ("sdk/python/claros/inference.py",
     "sigma = np.sqrt(r @ r / max(n - 1 - np.count_nonzero(x), 1))",
     "sigma = np.sqrt(r @ r / n)",
     "noise estimated without the degrees of freedom", "python"),
]


def failed(tree, jobs, pattern):
    """The tests that fail; None where it does not build."""
    if subprocess.run(["cmake", "--build", "--preset", "release"], cwd=tree, capture_output=True).returncode:
        return None
    command = ["ctest", "--preset", "release", "-j", str(jobs), *(["-R", pattern] if pattern else [])]
    run = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    if "No tests were found" in run.stdout + run.stderr:
        sys.exit(f"no test has a name like {pattern}")
    return re.findall(r"^\s*\d+ - (.+) \((?:Failed|Timeout|SEGFAULT|Subprocess aborted)\)", run.stdout, re.M)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--whole", action="store_true", help="run all tests, not those of the entry")
    asked = parser.parse_args()
    if asked.tree.resolve() == pathlib.Path(__file__).resolve().parents[2]:
        sys.exit("expected a copy of this tree: its files are changed")
    caught = 0
    for file, old, new, meaning, tests in BUGS:
        path = asked.tree / file
        text = path.read_text()
        if text.count(old) != 1:
            sys.exit(f"{file} does not hold the text to change exactly once: {old}")
        path.write_text(text.replace(old, new))
        try:
            found = failed(asked.tree, asked.jobs, None if asked.whole else tests)
        finally:
            path.write_text(text)
        caught += bool(found)
        verdict = "does not build" if found is None else "missed" if not found else "caught by " + ", ".join(found[:4])
        print(f"{file}: {meaning}: {verdict}", flush=True)
    print(f"{caught} of {len(BUGS)} caught")
    return 0 if caught == len(BUGS) else 1


if __name__ == "__main__":
    sys.exit(main())
