#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Files that NumPy and SciPy write give the answers, to the last bit, that the same numbers as text give.

Usage: check_numpy.py CLAROS. Ends with 77 (skipped) where NumPy or SciPy is not installed.
"""
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import scipy.sparse as sparse
except ImportError:
    print("skipped: python3-numpy and python3-scipy are not installed")
    sys.exit(77)

rng = np.random.default_rng(3)
X = np.round(rng.normal(size=(40, 6)), 3)
Y = np.round(X @ np.arange(6.0) + rng.normal(size=40), 3)
S = sparse.random(40, 6, 0.4, format="csr", random_state=4)
M = sparse.random(30, 20, 0.3, format="coo", random_state=5)
FAILED = []


def answer(claros, folder, words):
    run = subprocess.run([claros, "run", "stop.iterations=20", "--json", *words], cwd=folder, text=True,
                         capture_output=True)
    if run.returncode not in (0, 3):
        raise SystemExit(f"{' '.join(words)}: exit {run.returncode}\n{run.stderr}")
    return json.loads(run.stdout)["value"]


def same(name, expected, found):
    print(f"{'same' if expected == found else 'DIFFERENT'}: {name}: {expected} {found}")
    if expected != found:
        FAILED.append(name)


def designs(claros, folder):
    model = ["algorithm.use=proximal-gradient", "objective.use=linear-model", "objective.intercept=no", "objective.standardize=no",
             "penalty.use=l1", "penalty.lambda=0.1"]
    np.savetxt(folder / "rows.csv", np.column_stack([X, Y]), delimiter=",", fmt="%.17g")
    text = answer(claros, folder, model + ["objective.data=rows.csv"])
    np.save(folder / "y.npy", Y)
    for name, array in {"c.npy": X, "fortran.npy": np.asfortranarray(X), "big.npy": X.astype(">f8")}.items():
        np.save(folder / name, array)
        same(name, text, answer(claros, folder, model + [f"objective.data={name}", "objective.response=y.npy"]))
    np.savez(folder / "stored.npz", X=X, y=Y)
    np.savez_compressed(folder / "deflated.npz", X=X, y=Y)
    for name in ("stored.npz", "deflated.npz"):
        same(name, text, answer(claros, folder, model + [f"objective.data={name}"]))
    with open(folder / "train.bin", "wb") as f:  # as docs/guides/data-formats.md says
        f.write(b"CLAROSDM" + struct.pack("<4I2q24x", 1, 0x01020304, 8, 1, *X.shape))
        f.write(Y.astype("<f8").tobytes() + X.astype("<f8").tobytes())
    same("train.bin", text, answer(claros, folder, model + ["objective.data=train.bin"]))
    coo = S.tocoo()
    lines = ["%%MatrixMarket matrix coordinate real general", f"40 6 {coo.nnz}"]
    lines += [f"{i + 1} {j + 1} {v:.17g}" for i, j, v in zip(coo.row, coo.col, coo.data)]
    (folder / "s.mtx").write_text("\n".join(lines) + "\n")
    text = answer(claros, folder, model + ["objective.data=s.mtx", "objective.response=y.npy"])
    for layout in ("csr", "csc", "coo"):
        sparse.save_npz(folder / f"{layout}.npz", S.asformat(layout))
        same(f"{layout}.npz", text,
             answer(claros, folder, model + [f"objective.data={layout}.npz", "objective.response=y.npy"]))


def entries(claros, folder):
    model = ["algorithm.use=frank-wolfe", "objective.use=matrix-completion", "set.use=nuclear-ball", "set.radius=5"]
    triplets = np.column_stack([M.row + 1.0, M.col + 1.0, M.data])
    np.savetxt(folder / "entries.txt", triplets, fmt=["%d", "%d", "%.17g"])
    sizes = ["objective.rows=30", "objective.cols=20"]
    text = answer(claros, folder, model + sizes + ["objective.data=entries.txt"])
    np.save(folder / "entries.npy", triplets)
    same("entries.npy", text, answer(claros, folder, model + sizes + ["objective.data=entries.npy"]))
    for layout in ("csr", "csc", "coo"):
        sparse.save_npz(folder / f"m-{layout}.npz", M.asformat(layout), compressed=layout != "csc")
        same(f"m-{layout}.npz", text, answer(claros, folder, model + [f"objective.data=m-{layout}.npz"]))


def pickles(claros, folder):
    np.save(folder / "objects.npy", np.array([{"a": 1}, None], dtype=object), allow_pickle=True)
    run = subprocess.run([claros, "run", "algorithm.use=proximal-gradient", "objective.use=linear-model",
                          "objective.data=objects.npy", "stop.iterations=1"], cwd=folder, text=True, capture_output=True)
    if run.returncode == 0 or "Python objects" not in run.stderr:
        FAILED.append("objects.npy")
        print(run.stderr)


with tempfile.TemporaryDirectory() as name:
    for check in (designs, entries, pickles):
        check(sys.argv[1], Path(name))
if FAILED:
    raise SystemExit("different: " + ", ".join(FAILED))
