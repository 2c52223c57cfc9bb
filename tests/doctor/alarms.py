#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How often `claros doctor` finds something wrong with plugins that are right: examines each over many seeds.

    tests/doctor/alarms.py [BUILD] [--seeds N] [--of PLUGIN ...]

BUILD is a build folder of this tree with its tests (build/release unless given). An alarm is an examination that does not end as
proved. The interval is that of Clopper and Pearson, of 95%. Not one of the fast tests: an examination takes a second and more.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

from interval import interval

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Estimators above all, whose tests are statistical.
PLUGINS = ["estimator/coin-spider", "estimator/saga", "estimator/svrg", "estimator/momentum", "set/nuclear-ball", "penalty/mcp"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=ROOT / "build" / "release", type=pathlib.Path)
    parser.add_argument("--seeds", default=200, type=int)
    parser.add_argument("--of", nargs="+", default=PLUGINS, help="other plugins than " + ", ".join(PLUGINS))
    options = parser.parse_args()
    build = options.build.resolve()
    examples = build / "tests" / "templates" / "plugins" / "examples"
    if not (examples / "claros_estimator_coin-spider.so").exists():
        sys.exit(f"{examples} holds no claros_estimator_coin-spider.so: build with -DCLAROS_TESTS=ON")
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", CLAROS_TRUST=str(build))
    alarms, examined = 0, 0
    for plugin in options.of:
        of_this = 0
        for seed in range(1, options.seeds + 1):
            run = subprocess.run([str(build / "bin" / "claros"), "doctor", plugin, "--json", "--seed", str(seed), "--plugin-path", str(examples)],
                                 capture_output=True, text=True, env=environment)
            if run.returncode not in (0, 1, 6):
                sys.exit(f"doctor ended with {run.returncode} on {plugin}: {run.stderr}")
            examined += 1
            if run.returncode == 0:
                continue
            of_this += 1
            for test in json.loads(run.stdout)["plugins"][0]["tests"]:
                if test["outcome"] == "failed":
                    print(f"  {plugin}, seed {seed}: {test['test']}: {test['observed']}; at {test['where']}", flush=True)
        alarms += of_this
        print(f"{of_this:3d} of {options.seeds} {plugin}", flush=True)
    low, high = interval(alarms, examined)
    print(f"{alarms} false alarms in {examined} examinations: {100 * alarms / examined:.2f}%, 95% interval {100 * low:.2f}% to {100 * high:.2f}%")


if __name__ == "__main__":
    main()
