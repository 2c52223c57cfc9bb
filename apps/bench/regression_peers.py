#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Other programs on a regression of the benchmark, in double precision and on one thread.

Usage: regression_peers.py DESIGN.bin PENALTY LAMBDA REFERENCE [PARAMETER]   (PENALTY: l1, group, scad or mcp; the
parameter is the size of the groups, zeta or b). Prints one line a program that is installed: name and seconds to fit,
or what it reached when that is not 1e-6 within half a minute, all tolerances together. Tolerances are tightened by
tens until the answer is good enough; the time is that of the first tolerance that is, the median of three.
Programs that are missing are left out; PYTHONPATH may lead to some that were built by hand.
"""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import importlib.util
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")
TARGET, LIMIT = 1e-6, 30.0
HERE = os.path.dirname(os.path.abspath(__file__))


def read_design(path):
    with open(path, "rb") as file:
        magic, _, _, width, _, rows, cols = struct.unpack("=8sIIIIqq24x", file.read(64))
        assert magic == b"CLAROSDM"
        y = np.fromfile(file, np.float64, rows)
        x = np.fromfile(file, np.float32 if width == 4 else np.float64, rows * cols).reshape(rows, cols)
        return x.astype(np.float64), y


def penalty_value(kind, w, lam, parameter):
    a = np.abs(w)
    if kind == "l1":
        return lam * a.sum()
    if kind == "group":
        return lam * np.linalg.norm(w.reshape(-1, int(parameter)), axis=1).sum()
    if kind == "mcp":
        return np.where(a <= parameter * lam, lam * a - a * a / (2 * parameter), parameter * lam * lam / 2).sum()
    middle = (2 * parameter * lam * a - a * a - lam * lam) / (2 * (parameter - 1))
    return np.where(a <= lam, lam * a, np.where(a <= parameter * lam, middle, lam * lam * (parameter + 1) / 2)).sum()


class Case:
    def __init__(self, arguments):
        path, self.kind, lam, reference = arguments[:4]
        self.path, self.lam, self.reference = path, float(lam), float(reference)
        self.parameter = float(arguments[4]) if len(arguments) > 4 else 0.0
        self.rows, self.y = read_design(path)
        self.columns = np.asfortranarray(self.rows)
        self.n = len(self.y)

    def suboptimality(self, w):
        w = np.asarray(w, float).ravel()
        residual = self.rows @ w - self.y
        value = residual @ residual / (2 * self.n) + penalty_value(self.kind, w, self.lam, self.parameter)
        return (value - self.reference) / abs(self.reference)

    def measure(self, name, fit, settings):
        """`fit(setting)` returns the answer, or (answer, seconds) when it has its own clock."""
        def timed(setting):
            begin = time.perf_counter()
            result = fit(setting)
            seconds = time.perf_counter() - begin
            return result if isinstance(result, tuple) else (result, seconds)

        spent = 0.0
        for setting in settings:
            w, seconds = timed(setting)
            spent += seconds
            reached = self.suboptimality(w)
            if reached <= TARGET:
                again = [timed(setting)[1] for _ in range(3)]
                return print(f"  {name:<24} {statistics.median(again):8.3f} s", flush=True)
            if spent > LIMIT:
                break
        print(f"  {name:<24} not reached: {reached:.1e} after {spent:.0f} s", flush=True)


def have(module):
    return importlib.util.find_spec(module) is not None


def has_glmnet():
    return bool(shutil.which("Rscript")) and subprocess.run(["Rscript", "-e", "library(glmnet)"], capture_output=True).returncode == 0


TOLERANCES = [10.0 ** -k for k in range(2, 13)]


def with_skglm(case):
    from skglm.datafits import Quadratic, QuadraticGroup
    from skglm.penalties import L1, MCPenalty, SCAD, WeightedGroupL2
    from skglm.solvers import AndersonCD, GroupBCD
    from skglm.utils.jit_compilation import compiled_clone

    p, lam = case.columns.shape[1], case.lam
    if case.kind == "group":
        size = int(case.parameter)
        pointers = np.arange(0, p + 1, size, dtype=np.int32)
        indices = np.arange(p, dtype=np.int32)
        datafit = compiled_clone(QuadraticGroup(pointers, indices))
        penalty = compiled_clone(WeightedGroupL2(lam, np.ones(p // size), pointers, indices))
        solve = lambda tol: GroupBCD(tol=tol, max_iter=1000).solve(case.columns, case.y, datafit, penalty)[0]
    else:
        penalty = {"l1": lambda: L1(lam), "scad": lambda: SCAD(lam, case.parameter),
                   "mcp": lambda: MCPenalty(lam, case.parameter)}[case.kind]()
        datafit, penalty = compiled_clone(Quadratic()), compiled_clone(penalty)
        solve = lambda tol: AndersonCD(tol=tol, fit_intercept=False).solve(case.columns, case.y, datafit, penalty)[0]
    solve(1e-1)  # compiles
    case.measure("skglm", solve, TOLERANCES)


def with_celer(case):
    import celer
    if case.kind == "l1":
        fit = lambda tol: celer.Lasso(case.lam, tol=tol, fit_intercept=False).fit(case.columns, case.y).coef_
    else:
        fit = lambda tol: celer.GroupLasso(int(case.parameter), case.lam, tol=tol, fit_intercept=False).fit(
            case.columns, case.y).coef_
    case.measure("celer", fit, TOLERANCES)


def with_sklearn(case):
    from sklearn.linear_model import Lasso
    fit = lambda tol: Lasso(case.lam, tol=tol, fit_intercept=False, max_iter=100000, copy_X=False).fit(
        case.columns, case.y).coef_
    case.measure("scikit-learn", fit, TOLERANCES)


def with_cyanure(case, solver):
    import cyanure.estimators
    X, y = np.ascontiguousarray(case.rows), case.y

    def fit(tol):
        model = cyanure.estimators.Regression(loss="square", penalty="l1", fit_intercept=False, lambda_1=case.lam,
                                              solver=solver, tol=tol, max_iter=1000, verbose=False, n_threads=1)
        model.fit(X, y)
        return model.get_weights()

    case.measure("cyanure " + solver, fit, TOLERANCES)


def with_lightning(case):
    from lightning.regression import SAGARegressor

    def fit(epochs):
        return SAGARegressor(loss="squared", penalty="l1", alpha=0.0, beta=case.lam, max_iter=epochs, tol=0.0,
                             random_state=0).fit(case.rows, case.y).coef_

    case.measure("lightning SAGA", fit, [10, 20, 40, 80, 160, 320, 640, 1280])


def with_command(case, name, command):
    """A program that takes DESIGN LAMBDA TOLERANCE OUTPUT, writes the answer as raw doubles and prints its seconds."""
    def fit(tol):
        with tempfile.NamedTemporaryFile() as output:
            printed = subprocess.run([*command, case.path, repr(case.lam), repr(tol), output.name], check=True,
                                     capture_output=True, text=True).stdout
            return np.fromfile(output.name), float(printed.split()[-1])

    case.measure(name, fit, [10.0 ** -k for k in range(5, 19)])


def main():
    case = Case(sys.argv[1:])
    if have("skglm"):
        with_skglm(case)
    if case.kind in ("l1", "group") and have("celer"):
        with_celer(case)
    if case.kind != "l1":
        return
    if have("sklearn"):
        with_sklearn(case)
    r = ["Rscript", os.path.join(HERE, "glmnet_lasso.R")]
    if has_glmnet():
        with_command(case, "glmnet", r)
    if have("cyanure"):
        with_cyanure(case, "auto")
        with_cyanure(case, "svrg")
    program = os.environ.get("CLAROS_ENSMALLEN_FISTA", "")
    if program:
        with_command(case, "ensmallen FISTA", [program])
    if have("lightning"):
        with_lightning(case)


if __name__ == "__main__":
    main()
