#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Regressions on hard instances: dense supports, correlated groups of columns, columns whose variances differ by 1000.

    PYTHONPATH=build/release/python:PEERS apps/bench/hard.py [WORDS...] [--repeats 3] [--limit 20]

A row is one instance at one lambda, a share of the smallest whose solution is 0. It has the processor seconds of Claros and
of the peers that are installed, and in brackets the wall seconds: medians of REPEATS runs, all programs in turn, on one
thread. Claros ends at a confirmed relative gap of 1e-6. The peers run at the loosest tolerance (by tens) whose solution has
an excess of at most 1e-6 over the reference, relative to the deviance. "-" means that no tolerance reached it within LIMIT
processor seconds. The reference is Claros' solution to a gap of 1e-9; `active` counts its nonzeros,
or its groups that are not 0. Peers in R run in a process of their own, which times the call alone. PEERS leads to skglm,
celer and adelie; scikit-learn, glmnet and glasso are Debian's packages.
"""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"

import argparse
import statistics
import warnings

import numpy as np
import scipy.sparse
import scipy.special

import claros
import logistic_peers
import regression_peers
import statistics_peers
from claros import linear
from statistics_peers import by_r, has_r, timed

warnings.filterwarnings("ignore")
TARGET, TOLERANCES = 1e-6, [10.0**-k for k in range(2, 14)]
IN_R = ("glmnet", "glasso")  # whose start takes longer than most solutions: every second tolerance


# Designs -------------------------------------------------------------------------------------------------------------


def design(kind, n, p, draw, group=10):
    """dense: half of the coefficients are not 0; grouped: groups of columns with correlations of .9; scaled: variances
    from 1 to 1000, in a random order; hard: grouped and scaled."""
    X = draw.normal(size=(n, p))
    if kind in ("grouped", "hard"):
        X = np.sqrt(0.1) * X + np.sqrt(0.9) * np.repeat(draw.normal(size=(n, p // group)), group, axis=1)
    if kind in ("scaled", "hard"):
        X *= np.sqrt(1000.0) ** draw.permutation(np.linspace(0.0, 1.0, p))
    truth = np.where(draw.random(p) < (0.5 if kind == "dense" else 0.05), draw.normal(size=p), 0.0)
    z = X @ truth
    return np.asfortranarray(X), z / z.std()


def scattered(n, p, a_row, draw):
    """Binary rows with `a_row` nonzeros, some columns far more frequent than others."""
    columns = np.minimum((p * draw.random((n, a_row)) ** 2).astype(int), p - 1)
    X = scipy.sparse.csc_matrix((np.ones(n * a_row), (np.repeat(np.arange(n), a_row), columns.ravel())), shape=(n, p))
    X.data[:] = 1.0
    z = X @ draw.normal(size=p)
    return X, (z - z.mean()) / z.std()


def response(loss, z, draw):
    if loss == "squared":
        return z + draw.normal(size=len(z))
    if loss == "logistic":
        return np.where(draw.random(len(z)) < 1 / (1 + np.exp(-2 * z)), 1.0, -1.0)
    return draw.poisson(np.exp(0.5 * z)).astype(float)


def losses(loss, z, y):
    """The mean loss, and the least possible."""
    if loss == "squared":
        return ((z - y) ** 2).mean() / 2, 0.0
    if loss == "logistic":
        return np.logaddexp(0.0, -y * z).mean(), 0.0
    return (np.exp(z) - y * z).mean(), (y - scipy.special.xlogy(y, y)).mean()


# Linear models -------------------------------------------------------------------------------------------------------


class Model:
    """One instance at one lambda, as the functions with_...(case) of the peers expect it; keeps what they would measure."""

    def __init__(self, loss, X, y, share, group):
        slope = X.T @ {"squared": y, "logistic": y / 2}.get(loss, y - 1.0) / len(y)
        most = np.linalg.norm(slope.reshape(-1, group), axis=1).max() if group else np.abs(slope).max()
        self.kind, self.parameter, self.loss = "group" if group else "l1", group, loss
        self.rows = self.columns = X
        self.y, self.n, self.lam, self.max, self.found = y, len(y), share * most, most, {}

    def value(self, w):
        w = np.asarray(w, float).ravel()
        loss, least = losses(self.loss, self.rows @ w, self.y)
        return loss - least + regression_peers.penalty_value(self.kind, w, self.lam, self.parameter)

    def measure(self, name, fit, _):
        self.found[name.split()[0]] = lambda tol: timed(lambda: fit(tol))


def with_adelie(case):
    import adelie

    size = case.parameter or 1
    X = adelie.matrix.dense(case.columns, method="naive", n_threads=1)
    family = adelie.glm.gaussian(case.y) if case.loss == "squared" else adelie.glm.binomial((case.y + 1) / 2)
    path = np.geomspace(case.max, case.lam, 10)

    def fit(tol):
        state = adelie.grpnet(X, family, groups=np.arange(0, X.cols(), size), penalty=np.ones(X.cols() // size), lmda_path=path,
                              tol=tol, early_exit=False, intercept=False, progress_bar=False, n_threads=1)
        return np.asarray(state.betas[-1].todense()).ravel()

    case.measure("adelie", fit, TOLERANCES)


def by_glmnet(case):
    path = np.geomspace(case.max, case.lam, 10)
    return lambda tol: by_r(f"glmnet-{case.loss}", tol, (case.columns.shape[1],), sizes=case.columns.shape,
                                             X=case.columns, y=case.y, lambdas=path)


def ours(case):
    penalty = {"use": case.kind, "lambda": case.lam, **({"groups": case.parameter} if case.parameter else {})}
    data = claros.rows(case.columns, case.y)
    return lambda tol: timed(lambda: claros.solve(
        objective={"use": "linear-model", "loss": case.loss}, penalty=penalty, data=data, run={"threads": 1},
        trace={"on": False}, stop={"relative_gap": tol, "seconds": 60.0}).x)


def linear_models():
    wide, tall = (500, 2000), (10_000, 200)
    kinds = [("Lasso", "squared", kind, shape, 0, (0.1, 0.01)) for kind in ("dense", "hard") for shape in (wide, tall)]
    kinds += [("group lasso", "squared", "hard", shape, 10, (0.1, 0.02)) for shape in (wide, (3000, 600))]
    kinds += [("group logistic", "logistic", "grouped", wide, 10, (0.2, 0.05))]
    kinds += [("l1 logistic", "logistic", "hard", shape, 0, (0.1, 0.01)) for shape in ((500, 1000), tall)]
    kinds += [("l1 logistic", "logistic", "binary", (50_000, 300), 0, (0.1, 0.01, 6e-4))]
    kinds += [("l1 Poisson", "poisson", "grouped", shape, 0, (0.1, 0.02)) for shape in ((500, 1000), tall)]
    for title, loss, kind, shape, group, shares in kinds:
        draw = np.random.default_rng(11)
        X, z = scattered(*shape, 12, draw) if kind == "binary" else design(kind, *shape, draw)
        y = response(loss, z, draw)
        for share in shares:
            yield f"{title}, {kind}, {shape[0]:,} x {shape[1]:,}", share, lambda: linear_row(loss, X, y, share, group)


def linear_row(loss, X, y, share, group):
    case, sparse = Model(loss, X, y, share, group), scipy.sparse.issparse(X)
    peers = logistic_peers if loss == "logistic" else regression_peers
    if loss != "poisson" and not (group and loss == "logistic"):
        for module, fits in (("skglm", peers.with_skglm), ("celer", peers.with_celer)):
            if regression_peers.have(module):
                fits(case)
    if not group and loss == "logistic":
        logistic_peers.with_liblinear(case)
    if not group and loss == "squared":
        regression_peers.with_sklearn(case)
    if loss != "poisson" and not sparse and regression_peers.have("adelie"):
        with_adelie(case)
    if not group and not sparse and has_r("glmnet"):
        case.found["glmnet"] = by_glmnet(case)
    return {"Claros": ours(case), **case.found}, case.value, lambda w: count(w, group)


def count(w, group):
    w = np.asarray(w).ravel()
    return int(np.count_nonzero(np.linalg.norm(w.reshape(-1, group), axis=1) if group else w))


# Cox, folds, graphical models ------------------------------------------------------------------------------------------


def cox():
    for n, p in ((500, 2000), (2000, 500), (5000, 100)):
        draw = np.random.default_rng(12)
        X, z = design("hard", n, p, draw)
        born, censored = draw.exponential(np.exp(-z)), draw.exponential(2.0, n)
        when, event = np.minimum(born, censored), born <= censored
        for share in (0.05, 0.01):
            yield f"Cox path of 30, hard, {n:,} x {p:,}", share, lambda: cox_row(X, when, event, share)


def cox_row(X, when, event, share):
    data = claros.rows(X, np.where(event, when, -when))
    most = claros.solve(objective="cox", penalty={"use": "l1", "lambda": "max"}, data=data).resolved["penalty.lambda"]
    lambdas = most * np.geomspace(1, share, 30)

    def value(B):
        return np.array([statistics_peers.partial_likelihood(X, when, event, b) + a * np.abs(b).sum() for a, b in zip(lambdas, B.T)])

    programs = {"Claros": lambda tol: timed(lambda: statistics_peers.path_of({"use": "cox"}, {"use": "l1"}, data, lambdas, tol).coefficients_)}
    if has_r("glmnet"):
        programs["glmnet"] = lambda tol: by_r("cox", tol, (X.shape[1], 30), sizes=X.shape, X=X, time=when,
                                                               event=event, lambdas=lambdas)
    return programs, value, lambda B: count(B[:, -1], 0)


def folds():
    for kind, n, p, cv in (("scaled", 100_000, 18, 10), ("grouped", 1000, 2000, 5)):
        draw = np.random.default_rng(13)
        X, z = design(kind, n, p, draw, group=9 if p == 18 else 10)
        y = response("squared", z, draw)
        for share in (0.01, 0.001):
            yield f"LassoCV of 100, {cv} folds, {kind}, {n:,} x {p:,}", share, lambda: folds_row(X, y, share, cv)


def folds_row(X, y, share, cv):
    """Each program at its default tolerance of 1e-4; the excess is that of the loss of the folds at the best alpha."""
    import sklearn.linear_model
    from sklearn.model_selection import KFold

    alphas = np.abs(X.T @ (y - y.mean())).max() / len(y) * np.geomspace(1, share, 100)

    def claros_fit():
        model = linear.LassoCV(alphas=alphas, cv=KFold(cv), tol=1e-4).fit(X, y)
        return [2 * model.loss_path_.min()]

    def sklearn_fit():
        return [sklearn.linear_model.LassoCV(alphas=alphas, cv=KFold(cv), tol=1e-4, max_iter=10**5).fit(X, y).mse_path_.mean(axis=1).min()]

    programs = {"Claros": lambda tol: timed(claros_fit), "scikit-learn": lambda tol: timed(sklearn_fit)}
    if regression_peers.have("celer"):
        import celer
        programs["celer"] = lambda tol: timed(lambda: [celer.LassoCV(alphas=alphas, cv=KFold(cv), tol=1e-4).fit(X, y).mse_path_.mean(axis=1).min()])
    if has_r("glmnet"):
        programs["glmnet"] = lambda tol: by_r("cv.glmnet", 1e-7, (1,), sizes=X.shape, X=X, y=y, lambdas=alphas,
                                                               folds=np.repeat(np.arange(cv), -(-len(y) // cv))[:len(y)] + 1)
    return programs, None, lambda w: ""


def graphical():
    for p, n in ((100, 200), (500, 1000)):
        S = statistics_peers.sample_correlation(p, n)
        for share in (0.2, 0.1, 0.05):
            yield f"graphical lasso, p = {p}", share, lambda: graphical_row(S, share)


def graphical_row(S, share):
    p, alpha = len(S), share * np.abs(S - np.diag(np.diag(S))).max()
    programs, value = statistics_peers.graphical_programs(S, alpha)
    return programs, value, lambda P: (np.count_nonzero(P) - p) // 2


# The table -------------------------------------------------------------------------------------------------------------


def first_good(name, solve, good, limit):
    spent = 0.0
    for tolerance in TOLERANCES[1::2] if name in IN_R else TOLERANCES:
        seconds, _, made = solve(tolerance)
        spent += seconds
        if good(made):
            return tolerance
        if spent > limit:
            break
    return None


def line(name, share, made, repeats, limit):
    programs, value, active = made
    shown, tolerances = "", dict.fromkeys(programs, TARGET)
    if value:
        exact = programs["Claros"](1e-9)[2]
        reference, shown = value(exact), active(exact)
        good = lambda w: np.max((value(w) - reference) / np.abs(reference)) <= TARGET  # noqa: E731
        tolerances = {p: TARGET if p == "Claros" else first_good(p, solve, good, limit) for p, solve in programs.items()}
        tolerances["Claros"] = TARGET if good(programs["Claros"](TARGET)[2]) else None
    spent = {program: [] for program in programs}
    for _ in range(repeats):
        for program, solve in programs.items():
            if tolerances[program]:
                spent[program].append(solve(tolerances[program])[:2])
    medians = {p: [statistics.median(column) for column in zip(*runs)] for p, runs in spent.items()}
    cells = {p: f"{m[0]:.3g} ({m[1]:.3g})" if m else "-" for p, m in medians.items()}
    peers = sorted((m[0], p) for p, m in medians.items() if m and p != "Claros")
    ratio = f"{medians['Claros'][0] / peers[0][0]:.2f}" if peers and medians["Claros"] else ""
    others = ", ".join(f"{p} {cells[p]}" for p in sorted(programs, key=lambda p: medians[p] or [np.inf]) if p != "Claros")
    print(f"| {name} | {share:g} | {shown} | {cells['Claros']} | {others} | {ratio} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="rows whose names hold one of these")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--limit", type=float, default=20.0, help="processor seconds for the tolerances of one program on one row")
    args = parser.parse_args()
    print("| instance | lambda / max | active | Claros, s | peers, s | ratio to the best |\n|---|---|---|---|---|---|", flush=True)
    for rows in (linear_models(), cox(), folds(), graphical()):
        for name, share, make in rows:
            if not args.words or any(word in name for word in args.words):
                line(name, share, make(), args.repeats, args.limit)


if __name__ == "__main__":
    main()
