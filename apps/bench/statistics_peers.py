#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Cox' lasso, the group MCP and the graphical lasso beside other programs, on one thread.

Usage: statistics_peers.py [cox] [group-mcp] [graphical] [--repeats R]   (with PYTHONPATH=build/release/python)

Others are glmnet (Cox), grpreg (group MCP), scikit-learn and glasso (graphical lasso); what is not installed is left
out. R runs statistics_peers.R beside this file. Tolerances are tightened by tens until all lambdas have a relative
excess of 1e-6 over the reference, and the time is that of the first tolerance that does: medians of processor seconds of
the call, without starting and reading. References are solutions of Claros with a verified relative gap of 1e-10; of the
group MCP, which is not convex and has no gap, the lowest value of all programs.
"""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time
import warnings

import numpy as np

import claros
from claros import arrays, matrix
from claros.paths import Path

warnings.filterwarnings("ignore")
EXCESS = 1e-6
TOLERANCES = [10.0**-k for k in range(3, 15)]
HERE = pathlib.Path(__file__).resolve().parent


def has_r(package):
    return shutil.which("Rscript") is not None and subprocess.run(
        ["Rscript", "-e", f"quit(status = !requireNamespace('{package}', quietly = TRUE))"], capture_output=True).returncode == 0


def by_r(case, tolerance, shape, **numbers):
    """Processor and wall seconds, and the solution, of that shape."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for key, value in numbers.items():
            np.asarray(value, dtype=float).ravel(order="F").tofile(folder / f"{key}.bin")
        subprocess.run(["Rscript", HERE / "statistics_peers.R", case, folder, repr(tolerance)], check=True, capture_output=True)
        seconds = (folder / "seconds.txt").read_text().split()
        return (*map(float, seconds), np.fromfile(folder / "solution.bin").reshape(shape, order="F"))


def timed(fit):
    """As `by_r`."""
    start = time.process_time(), time.perf_counter()
    made = fit()
    return time.process_time() - start[0], time.perf_counter() - start[1], made


def first_exact(solve, excess):
    """The first tolerance whose solution is exact enough, and its excess; None where none is."""
    for tolerance in TOLERANCES:
        found = excess(solve(tolerance)[2])
        if found <= EXCESS:
            return tolerance, found
    return None


def table(name, programs, excess, repeats):
    """A line: medians of seconds of each program, and its excess; programs are functions of a tolerance."""
    print(f"{name:44s}", end="", flush=True)
    exact = {program: first_exact(solve, excess) for program, solve in programs.items()}
    seconds = {program: [] for program in programs}
    for _ in range(repeats):
        for program, solve in programs.items():
            if exact[program]:
                seconds[program].append(solve(exact[program][0])[0])
    for program, found in exact.items():
        print(f"  {program} {statistics.median(seconds[program]):.3f} s ({found[1]:.0e})" if found else f"  {program} -", end="")
    ours = statistics.median(seconds["Claros"]) if exact["Claros"] else np.nan
    others = [statistics.median(seconds[p]) for p in programs if p != "Claros" and exact[p]]
    print(f"  ratio to the best {ours / min(others):.2f}" if others else "", flush=True)


def path_of(objective, penalty, data, lambdas, gap, target="relative_gap"):
    return Path(objective=objective, penalty={**penalty, "lambda": float(lambdas[0])}, data=data, explained=1,
                grid=",".join(map(repr, map(float, lambdas))), run={"threads": 1}, trace={"on": False},
                stop={target: gap, "iterations": 100000})


def partial_likelihood(X, time, event, x):
    """-(1/n) log, by Breslow's rule, of times without ties."""
    order = np.argsort(-time)
    z = (X @ x)[order]
    return np.sum((np.logaddexp.accumulate(z) - z)[event[order]]) / len(z)


def cox(repeats):
    for n, p in ((500, 2000), (2000, 500), (5000, 100)):
        rng = np.random.default_rng(0)
        X, truth = np.asfortranarray(rng.standard_normal((n, p))), np.zeros(p)
        truth[:20] = rng.standard_normal(20) / 3
        born, censored = rng.exponential(np.exp(-X @ truth)), rng.exponential(2.0, n)
        when, event = np.minimum(born, censored), born <= censored
        data = arrays.rows(X, np.where(event, when, -when))
        most = claros.solve(objective="cox", penalty={"use": "l1", "lambda": "max"}, data=data).resolved["penalty.lambda"]
        lambdas = most * np.geomspace(1, 0.05, 30)

        def values(B):
            return np.array([partial_likelihood(X, when, event, b) + a * np.abs(b).sum() for a, b in zip(lambdas, B.T)])

        best = values(path_of({"use": "cox"}, {"use": "l1"}, data, lambdas, 1e-10).coefficients_)
        programs = {"Claros": lambda tol: timed(lambda: path_of({"use": "cox"}, {"use": "l1"}, data, lambdas, tol).coefficients_)}
        if has_r("glmnet"):
            programs["glmnet"] = lambda tol: by_r("cox", tol, (p, len(lambdas)), sizes=[n, p], X=X, time=when, event=event, lambdas=lambdas)
        table(f"cox lasso, {n} x {p}, 30 lambdas to 0.05 max", programs, lambda B: ((values(B) - best) / best).max(), repeats)


def group_mcp(repeats):
    gamma, size = 3.0, 5
    for n, groups in ((500, 400), (1000, 100)):
        rng = np.random.default_rng(1)
        p = size * groups
        X = rng.standard_normal((n, p))
        for g in range(groups):  # orthonormal within a group, as grpreg makes them
            part = X[:, size * g:size * (g + 1)]
            X[:, size * g:size * (g + 1)] = np.linalg.qr(part - part.mean(axis=0))[0] * np.sqrt(n)
        X, truth = np.asfortranarray(X), np.zeros(p)
        truth[:5 * size] = rng.standard_normal(5 * size)
        y = X @ truth + rng.standard_normal(n)
        y -= y.mean()
        most = np.linalg.norm((X.T @ y / n).reshape(groups, size), axis=1).max() / np.sqrt(size)
        lambdas = most * np.geomspace(1, 0.1, 20)

        def values(B):
            def of(a, b):
                norms, a = np.linalg.norm(b.reshape(groups, size), axis=1), a * np.sqrt(size)
                h = np.where(norms <= gamma * a, a * norms - norms**2 / (2 * gamma), gamma * a * a / 2)
                return np.sum((y - X @ b)**2) / (2 * n) + h.sum()
            return np.array([of(a, b) for a, b in zip(lambdas, B.T)])

        penalty = {"use": "group-mcp", "groups": size, "weights": "sqrt", "b": gamma}
        programs = {"Claros": lambda tol: timed(lambda: path_of("linear-model", penalty, arrays.rows(X, y), lambdas, tol, "residual").coefficients_)}
        if has_r("grpreg"):
            programs["grpreg"] = lambda tol: (lambda r: (*r[:2], r[2][1:]))(by_r("group-mcp", tol, (p + 1, len(lambdas)), sizes=[n, p], X=X, y=y,
                                                                               group=np.repeat(np.arange(1, groups + 1), size), lambdas=lambdas))
        best = np.min([values(solve(1e-10)[2]) for solve in programs.values()], axis=0)
        table(f"group MCP, {n} x {p}, 20 lambdas to 0.1 max", programs, lambda B: ((values(B) - best) / best).max(), repeats)


def sample_correlation(p, n):
    """Of n samples whose precision has about 3 nonzeros a row, and 0.1 as its smallest eigenvalue."""
    rng = np.random.default_rng(2)
    P = np.triu(rng.random((p, p)) < 3 / p, 1) * rng.uniform(0.3, 0.8, (p, p)) * rng.choice([-1, 1], (p, p))
    P = P + P.T
    P += np.eye(p) * (0.1 - np.linalg.eigvalsh(P)[0])
    X = rng.multivariate_normal(np.zeros(p), np.linalg.inv(P), n)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    S = X.T @ X / n
    return 0.5 * (S + S.T)


def graphical_programs(S, alpha):
    """The programs, and the value of a precision matrix, of which the symmetric part is taken."""
    from sklearn.covariance import graphical_lasso

    def value(P):
        P = 0.5 * (P + P.T)
        sign, log_det = np.linalg.slogdet(P)
        return -log_det + (S * P).sum() + alpha * np.abs(P - np.diag(np.diag(P))).sum() if sign > 0 else np.inf

    model = matrix.GraphicalLasso(alpha, assume_centered=True)
    programs = {"Claros": lambda tol: timed(lambda: model.set_params(tol=tol)._solved(S)),
                "scikit-learn": lambda tol: timed(lambda: graphical_lasso(S, alpha, tol=tol, max_iter=1000)[1])}
    if has_r("glasso"):
        programs["glasso"] = lambda tol: by_r("glasso", tol, S.shape, sizes=S.shape, X=S, lambdas=[alpha])
    return programs, value


def graphical(repeats):
    for p, n in ((100, 200), (500, 1000)):
        S = sample_correlation(p, n)
        for share in (0.5, 0.2, 0.1):
            programs, value = graphical_programs(S, share * np.abs(S - np.eye(p)).max())
            best = value(programs["Claros"](1e-10)[2])
            table(f"graphical lasso, p = {p}, {share} max", programs, lambda P: (value(P) - best) / abs(best), repeats)


def main():
    cases = {"cox": cox, "group-mcp": group_mcp, "graphical": graphical}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", choices=[[], *cases], default=[])
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    for case in options.cases or cases:
        cases[case](options.repeats)


if __name__ == "__main__":
    main()
