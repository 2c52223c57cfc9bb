#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Wall time of `fit`: the estimators of claros beside those of scikit-learn, skglm and celer, in one process.

    PYTHONPATH=build/release/python apps/bench/python_fits.py [CASE...] [--repeats R]

Five regressions, two logistic, a path with cross-validation, and what Python adds (case `overhead`); a case is named by
a part of its title. Every estimator
gets the same arrays and one thread. Its tolerance is tightened by tens until its value, computed here, is at most 1e-6
above the best one; `first` is the first call of all, which may compile, `later` the median of R (3) calls at that
tolerance, both in seconds; `cpu` are the processor seconds of the latter, for machines with other work. The last case has no common value: its alphas and folds are the same, and the mean squared
error of the folds at the chosen alpha is shown. Peers that cannot be imported are named and left out.
"""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import importlib
import statistics
import time
import warnings

import numpy as np
from scipy import sparse
from sklearn import linear_model
from sklearn.model_selection import KFold

import claros
from claros import linear

warnings.filterwarnings("ignore")
TARGET, LIMIT = 1e-6, 30.0  # relative distance to the best value; seconds for an estimator


def imported(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        print(f"{name} is left out: {error}")
        return None


skglm, celer = imported("skglm"), imported("celer")


class Case:
    """X, y, the value of a model, and makers of models by a tolerance, by their names."""

    def __init__(self, title, X, y, value, **makers):
        self.title, self.X, self.y, self.value = title, X, y, value
        self.makers = {name: make for name, make in makers.items() if make is not None}


def squared(penalty):
    def value(X, y, model):
        residual = X @ model.coef_ + model.intercept_ - y
        return residual @ residual / (2 * len(y)) + penalty(model.coef_)
    return value


def logistic(alpha):
    def value(X, y, model):
        x = np.ravel(model.coef_)
        return np.logaddexp(0, -(2 * y - 1) * (X @ x)).mean() + alpha * np.abs(x).sum()
    return value


def mcp(alpha, b):
    def value(x):
        a = np.abs(x)
        return np.where(a <= b * alpha, alpha * a - a * a / (2 * b), b * alpha * alpha / 2).sum()
    return value


def peer(module, make):
    return make if module else None


def dense(n=1000, p=3000, nonzero=30, seed=0):
    rng = np.random.default_rng(seed)
    X = np.asfortranarray(rng.normal(size=(n, p)) + 0.3 * rng.normal(size=(n, 1)))
    truth = np.zeros(p)
    truth[:nonzero] = rng.choice([-1.0, 1.0], size=nonzero)
    return X, X @ truth + rng.normal(size=n)


def scattered(n=10000, p=20000, seed=1):
    rng = np.random.default_rng(seed)
    X = sparse.random(n, p, 1e-3, "csc", random_state=rng, data_rvs=rng.standard_normal)
    truth = np.zeros(p)
    truth[rng.permutation(p)[:200]] = rng.choice([-3.0, 3.0], size=200)
    return X, X @ truth + 0.5 * rng.normal(size=n)


def largest(X, y):
    return np.abs(X.T @ (y - y.mean())).max() / len(y)


def regressions():
    X, y = dense()
    a = 0.1 * largest(X, y)
    l1 = squared(lambda x: a * np.abs(x).sum())
    yield Case("Lasso, dense 1000 x 3000", X, y, l1, claros=lambda t: linear.Lasso(a, tol=t),
               sklearn=lambda t: linear_model.Lasso(a, tol=t, max_iter=10**5),
               skglm=peer(skglm, lambda t: skglm.Lasso(a, tol=t)), celer=peer(celer, lambda t: celer.Lasso(a, tol=t)))
    net = squared(lambda x: a * (0.7 * np.abs(x).sum() + 0.15 * (x @ x)))
    yield Case("elastic net, the same rows", X, y, net, claros=lambda t: linear.ElasticNet(a, l1_ratio=0.7, tol=t),
               sklearn=lambda t: linear_model.ElasticNet(a, l1_ratio=0.7, tol=t, max_iter=10**5),
               skglm=peer(skglm, lambda t: skglm.ElasticNet(a, l1_ratio=0.7, tol=t)),
               celer=peer(celer, lambda t: celer.ElasticNet(a, l1_ratio=0.7, tol=t)))
    g = 0.1 * np.linalg.norm((X.T @ (y - y.mean())).reshape(-1, 10), axis=1).max() / len(y)
    groups = squared(lambda x: g * np.linalg.norm(x.reshape(-1, 10), axis=1).sum())
    yield Case("group Lasso, groups of 10, the same rows", X, y, groups, claros=lambda t: linear.GroupLasso(g, groups=10, tol=t),
               skglm=peer(skglm, lambda t: skglm.GroupLasso(10, alpha=g, tol=t)),
               celer=peer(celer, lambda t: celer.GroupLasso(10, alpha=g, tol=t)))
    yield Case("MCP, b = 3, the same rows", X, y, squared(mcp(a, 3.0)), claros=lambda t: linear.MCPRegression(a, b=3.0, tol=t),
               skglm=peer(skglm, lambda t: skglm.MCPRegression(a, gamma=3.0, tol=t)))
    S, z = scattered()
    s = 0.1 * largest(S, z)
    yield Case("Lasso, sparse 10000 x 20000", S, z, squared(lambda x: s * np.abs(x).sum()), claros=lambda t: linear.Lasso(s, tol=t),
               sklearn=lambda t: linear_model.Lasso(s, tol=t, max_iter=10**5),
               skglm=peer(skglm, lambda t: skglm.Lasso(s, tol=t)), celer=peer(celer, lambda t: celer.Lasso(s, tol=t)))


def classifications():
    for title, (X, z) in (("logistic, dense 1000 x 3000", dense(seed=2)), ("logistic, sparse 10000 x 20000", scattered(seed=3))):
        y = (z > np.median(z)).astype(float)
        a = 0.05 * np.abs(X.T @ (y - 0.5)).max() / len(y)
        C = 1 / (a * len(y))
        yield Case(f"l1 {title}", X, y, logistic(a),
                   claros=lambda t, a=a: linear.LogisticRegression(a, fit_intercept=False, tol=t),
                   sklearn=lambda t, C=C: linear_model.LogisticRegression(
                       C=C, penalty="l1", solver="liblinear", fit_intercept=False, tol=t, max_iter=10**4),
                   skglm=peer(skglm, lambda t, a=a: skglm.SparseLogisticRegression(a, fit_intercept=False, tol=t)),
                   celer=peer(celer, lambda t, C=C: celer.LogisticRegression(C=C, tol=t)))


def timed(model, case):
    """Seconds of the wall and of the processor."""
    begin = time.perf_counter(), time.process_time()
    model.fit(case.X, case.y)
    return time.perf_counter() - begin[0], time.process_time() - begin[1]


def medians(times):
    return [statistics.median(column) for column in zip(*times)]


def best_value(case):
    return case.value(case.X, case.y, case.makers["claros"](1e-10).fit(case.X, case.y))


def measure(case, repeats):
    print(f"\n{case.title}")
    first = {name: timed(make(1e-2), case)[0] for name, make in case.makers.items()}
    best = best_value(case)
    for name, make in case.makers.items():
        spent = 0.0
        for tolerance in 10.0 ** -np.arange(2, 13):
            model = make(tolerance)
            spent += timed(model, case)[0]
            above = case.value(case.X, case.y, model) / best - 1
            if above <= TARGET or spent > LIMIT:
                break
        later, cpu = medians([timed(make(tolerance), case) for _ in range(repeats if above <= TARGET else 1)])
        missed = "" if above <= TARGET else "  not reached"
        print(f"  {name:8} first {first[name]:7.3f}  later {later:7.4f}  cpu {cpu:7.4f}  tol {tolerance:.0e}  "
              f"above {above:8.1e}{missed}", flush=True)


def measure_path(repeats):
    """100 alphas, folds of consecutive rows, to a gap of 1e-4 each: a small table, and a tall one."""
    for case, folds, eps in ((Case("Lasso path with five folds, dense 500 x 1000", *dense(500, 1000, 20, seed=4), None), 5, 1e-2),
                             (Case("Lasso path with ten folds, a tall table of 100,000 x 18", *dense(100_000, 18, 6, seed=6), None), 10, 1e-3)):
        measure_folds(case, folds, eps, repeats)


def measure_folds(case, folds, eps, repeats):
    alphas = largest(case.X, case.y) * np.geomspace(1, eps, 100)
    print(f"\n{case.title}")
    makers = {"claros": lambda: linear.LassoCV(n_alphas=100, eps=eps, cv=folds, tol=1e-4),
              "sklearn": lambda: linear_model.LassoCV(alphas=alphas, cv=KFold(folds), tol=1e-4),
              "celer": peer(celer, lambda: celer.LassoCV(alphas=alphas, cv=KFold(folds), tol=1e-4))}
    for name, make in makers.items():
        if make is None:
            continue
        model = make()
        first = timed(model, case)[0]
        later, cpu = medians([timed(make(), case) for _ in range(repeats)])
        error = 2 * model.loss_path_.min() if name == "claros" else model.mse_path_.mean(axis=1).min()
        print(f"  {name:8} first {first:7.3f}  later {later:7.4f}  cpu {cpu:7.4f}  alpha {model.alpha_:.5f}  error of the folds {error:.5f}", flush=True)


class Quadratic:
    shape, smoothness, convex = 3, 1.0, True
    target = np.array([0.2, 1.5, -0.4])

    def value(self, x):
        return 0.5 * ((x - self.target) ** 2).sum()

    def gradient(self, x):
        return x - self.target


def processor_seconds(call, times):
    """The median of a call, after a first one."""
    call()
    seconds = []
    for _ in range(times):
        begin = time.process_time()
        call()
        seconds.append(time.process_time() - begin)
    return statistics.median(seconds)


def measure_overheads(steps=20000):
    """What a fit takes beyond a solve on data that is made, and a step beyond a gradient of numpy: processor time."""
    print("\nWhat Python adds")
    for n, p in ((100, 10), (500, 1000), (2500, 5000)):
        X, y = dense(n, p, 5, seed=5)
        X, model = np.ascontiguousarray(X), linear.Lasso(0.2)
        data = claros.rows(X, y)
        problem = {"objective": {"use": "linear-model", "intercept": True}, "penalty": {"use": "l1", "lambda": 0.2},
                   "stop": {"relative_gap": 1e-6, "iterations": 10000}, "run": {"threads": 1}, "trace": {"on": False}}
        times = 200 if n < 1000 else 10
        solve, make, fit = (1e3 * processor_seconds(call, times) for call in (
            lambda: claros.solve(**problem, data=data), lambda: claros.rows(X, y), lambda: model.fit(X, y)))
        print(f"  Lasso {n} x {p}: solve {solve:.2f} ms, rows {make:.2f} ms, fit {fit:.2f} ms: {fit - solve - make:.2f} ms more", flush=True)
    f, x = Quadratic(), np.zeros(3)
    gradients = processor_seconds(lambda: [f.gradient(x) for _ in range(steps)], 5)
    walk = {"algorithm": {"use": "proximal-gradient", "step": 1e-9}, "trace": {"on": False}, "stop": {"iterations": steps}}
    run = processor_seconds(lambda: claros.solve(objective=f, **walk), 5)
    print(f"  a step {1e6 * run / steps:.1f} us, its gradient {1e6 * gradients / steps:.1f} us: {1e6 * (run - gradients) / steps:.1f} us more")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--repeats", type=int, default=3)
    chosen = parser.parse_args()
    claros.components()  # the catalogue is read once in a process
    if not chosen.cases or "overhead" in chosen.cases:
        measure_overheads()
    for case in (*regressions(), *classifications()):
        if not chosen.cases or any(word in case.title for word in chosen.cases):
            measure(case, chosen.repeats)
    if not chosen.cases or "path" in chosen.cases:
        measure_path(chosen.repeats)


if __name__ == "__main__":
    main()
