#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Other programs on a path of Lassos or l1-logistic regressions, in double precision and on one thread.

Usage: path_peers.py DATA LOSS LAMBDAS RATIO [SECONDS]   (DATA: design.bin, or a LIBSVM file with labels -1 and 1; LOSS: squared or
logistic). Prints one line a program that is installed: name, processor seconds of the whole path with warm starts, and the largest relative
gap (P - D) / P over its lambdas, computed here. Tolerances are tightened by tens until that is 1e-4 or less; the time is that of
the first tolerance that is. What is not there within SECONDS (120), all tolerances together, says what it reached.
"""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import struct
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
import scipy.io
import scipy.sparse

from regression_peers import has_glmnet, have

warnings.filterwarnings("ignore")
TARGET = 1e-4
HERE = os.path.dirname(os.path.abspath(__file__))


def read_design(path):
    with open(path, "rb") as file:
        if file.read(8) != b"CLAROSDM":
            from sklearn.datasets import load_svmlight_file
            X, y = load_svmlight_file(path)
            return X.tocsc(), y
        file.seek(0)
        magic, _, _, width, _, rows, cols = struct.unpack("=8sIIIIqq24x", file.read(64))
        y = np.fromfile(file, np.float64, rows)
        x = np.fromfile(file, np.float32 if width == 4 else np.float64, rows * cols).reshape(rows, cols)
        return np.asfortranarray(x.astype(np.float64)), y


class Case:
    def __init__(self, path, loss, count, ratio, limit):
        self.X, self.y = read_design(path)
        self.n, self.p = self.X.shape
        self.loss, self.limit = loss, limit
        slope = np.abs(self.X.T @ self.y).max() / self.n
        self.max = slope if loss == "squared" else slope / 2
        self.lambdas = self.max * ratio ** (np.arange(count) / (count - 1))

    def gap(self, w, lam):
        z = self.X @ w
        size = lam * np.abs(w).sum()
        if self.loss == "squared":
            r = self.y - z
            scale = max(1.0, np.abs(self.X.T @ r).max() / self.n / lam)
            primal = r @ r / (2 * self.n) + size
            dual = (self.y @ self.y - ((self.y - r / scale) ** 2).sum()) / (2 * self.n)
        else:
            m = self.y * z
            u = 1 / (1 + np.exp(m))
            scale = max(1.0, np.abs(self.X.T @ (self.y * u)).max() / self.n / lam)
            primal = np.logaddexp(0, -m).mean() + size
            v = np.clip(u / scale, 1e-300, 1 - 1e-16)
            dual = -(v * np.log(v) + (1 - v) * np.log1p(-v)).mean()
        return (primal - dual) / primal

    def measure(self, name, fit, settings):
        """`fit(setting)` returns the coefficients, a column a lambda; or (those, seconds) when it has its own clock."""
        spent, worst = 0.0, float("inf")
        for setting in settings:
            begin = time.process_time()
            found = fit(setting)
            seconds = time.process_time() - begin
            coefs, seconds = found if isinstance(found, tuple) else (found, seconds)
            spent += seconds
            worst = max(self.gap(np.asarray(coefs)[:, k], lam) for k, lam in enumerate(self.lambdas))
            if worst <= TARGET:
                return print(f"  {name:<24} {seconds:8.3f} s  gap {worst:.1e}  ({setting:g})", flush=True)
            if spent > self.limit:
                break
        print(f"  {name:<24} not reached: gap {worst:.1e} after {spent:.0f} s  ({setting:g})", flush=True)


def with_skglm(case):
    from skglm.datafits import Logistic, Quadratic
    from skglm.penalties import L1
    from skglm.solvers import AndersonCD, ProxNewton
    from skglm.utils.jit_compilation import compiled_clone

    datafit = compiled_clone(Quadratic() if case.loss == "squared" else Logistic())
    penalty = compiled_clone(L1(1.0))

    def fit(relative, lambdas=case.lambdas):
        coefs = np.zeros((case.p, len(lambdas)))
        w, image = np.zeros(case.p), np.zeros(case.n)
        for k, lam in enumerate(lambdas):
            penalty.alpha = lam
            make = AndersonCD if case.loss == "squared" else ProxNewton
            solver = make(tol=relative * lam, fit_intercept=False, warm_start=True, max_iter=200)
            w = solver.solve(case.X, case.y, datafit, penalty, w, image)[0]
            image = case.X @ w
            coefs[:, k] = w
        return coefs

    fit(1e-1, case.lambdas[:3])  # compiles
    case.measure("skglm", fit, [10.0 ** -k for k in range(1, 10)])


def with_celer(case):
    from celer import celer_path
    unit = 1 if case.loss == "squared" else case.n
    fit = lambda tol: celer_path(case.X, case.y, "lasso" if case.loss == "squared" else "logreg", alphas=case.lambdas * unit, tol=tol)[1]
    case.measure("celer", fit, [10.0 ** -k for k in range(3, 10)])


def with_sklearn(case):
    from sklearn.linear_model import lasso_path
    fit = lambda tol: lasso_path(case.X, case.y, alphas=case.lambdas, tol=tol, max_iter=100000)[1]
    case.measure("scikit-learn", fit, [10.0 ** -k for k in range(3, 10)])


def with_glmnet(case):
    with tempfile.TemporaryDirectory() as folder:
        if scipy.sparse.issparse(case.X):
            scipy.io.mmwrite(folder + "/x.mtx", case.X)
        else:
            case.X.ravel(order="F").tofile(folder + "/x.bin")
        case.y.tofile(folder + "/y.bin")
        case.lambdas.tofile(folder + "/lambdas.bin")

        def fit(thresh):
            printed = subprocess.run(["Rscript", os.path.join(HERE, "glmnet_path.R"), folder, case.loss, repr(thresh)], check=True, capture_output=True, text=True).stdout
            return np.fromfile(folder + "/beta.bin").reshape(len(case.lambdas), case.p).T, float(printed.split()[-1])

        case.measure("glmnet", fit, [10.0 ** -k for k in range(5, 15)])


def main():
    path, loss, count, ratio = sys.argv[1:5]
    case = Case(path, loss, int(count), float(ratio), float(sys.argv[5]) if len(sys.argv) > 5 else 120.0)
    if have("celer"):
        with_celer(case)
    if have("skglm"):
        with_skglm(case)
    if has_glmnet():
        with_glmnet(case)
    if loss == "squared" and have("sklearn"):
        with_sklearn(case)


if __name__ == "__main__":
    main()
