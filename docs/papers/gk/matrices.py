#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of problem (7) that follow from the matrix YY' that a seed draws: matrices.py CLAROS RANK SEEDS prints them as the
"by_seed" of experiment.json: tau = Tr(YY'), mu = eps/d^2 and eps = 0.01 ||YY'||_F^2 (d = 300)."""
import json
import pathlib
import subprocess
import sys
import tempfile

claros, rank, seeds = sys.argv[1], sys.argv[2], int(sys.argv[3])
numbers = {"set.radius": [], "smoother.mu": [], "eps": []}
for seed in range(seeds):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "data"
        subprocess.run([claros, "data", "data.use=synthetic-sparse-low-rank", f"data.rank={rank}", "--seed", str(seed),
                        "--out", out], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        lines = [line for line in (out / "truth.mtx").read_text().splitlines() if not line.startswith("%")]
    d, columns = map(int, lines[0].split()[:2])
    product = [float(number) for number in lines[1:]]
    assert d == columns and len(product) == d * d, "truth.mtx is not a square array"
    eps = 0.01 * sum(entry * entry for entry in product)
    for key, number in zip(numbers, (sum(product[::d + 1]), eps / d ** 2, eps)):
        numbers[key].append(float(f"{number:.7g}"))
print(json.dumps({"by_seed": numbers}))
