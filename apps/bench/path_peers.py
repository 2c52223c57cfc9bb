# SPDX-License-Identifier: BSD-3-Clause
"""Other programs on a path of Lassos, in double precision and on one thread. A path is good enough if the largest
relative gap (P - D) / P over its lambdas, computed here, is TARGET or less."""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import subprocess
import tempfile
import warnings

import numpy as np

warnings.filterwarnings("ignore")
TARGET = 1e-4
HERE = os.path.dirname(os.path.abspath(__file__))


def gap(case, w, lam):
    r = case.y - case.X @ w
    scale = max(1.0, np.abs(case.X.T @ r).max() / case.n / lam)
    primal = r @ r / (2 * case.n) + lam * np.abs(w).sum()
    dual = (case.y @ case.y - ((case.y - r / scale) ** 2).sum()) / (2 * case.n)
    return (primal - dual) / primal


def with_skglm(case):
    from skglm.datafits import Quadratic
    from skglm.penalties import L1
    from skglm.solvers import AndersonCD
    from skglm.utils.jit_compilation import compiled_clone

    datafit = compiled_clone(Quadratic())
    penalty = compiled_clone(L1(1.0))

    def fit(relative, lambdas=case.lambdas):
        coefs = np.zeros((case.p, len(lambdas)))
        w, image = np.zeros(case.p), np.zeros(case.n)
        for k, lam in enumerate(lambdas):
            penalty.alpha = lam
            solver = AndersonCD(tol=relative * lam, fit_intercept=False, warm_start=True, max_iter=200)
            w = solver.solve(case.X, case.y, datafit, penalty, w, image)[0]
            image = case.X @ w
            coefs[:, k] = w
        return coefs

    fit(1e-1, case.lambdas[:3])  # compiles
    case.measure("skglm", fit, [10.0 ** -k for k in range(1, 10)])


def with_glmnet(case):
    with tempfile.TemporaryDirectory() as folder:
        case.X.ravel(order="F").tofile(folder + "/x.bin")
        case.y.tofile(folder + "/y.bin")
        case.lambdas.tofile(folder + "/lambdas.bin")

        def fit(thresh):
            printed = subprocess.run(["Rscript", os.path.join(HERE, "glmnet_path.R"), folder, repr(thresh)],
                                     check=True, capture_output=True, text=True).stdout
            return np.fromfile(folder + "/beta.bin").reshape(len(case.lambdas), case.p).T, float(printed.split()[-1])

        case.measure("glmnet", fit, [10.0 ** -k for k in range(5, 15)])
