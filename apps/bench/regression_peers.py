# SPDX-License-Identifier: BSD-3-Clause
"""Other programs on the regressions of field.py, in double precision and on one thread. `case.measure` tightens
tolerances by tens until the answer is good enough."""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import importlib.util
import shutil
import subprocess
import warnings

import numpy as np

warnings.filterwarnings("ignore")
TARGET, LIMIT = 1e-6, 30.0


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
