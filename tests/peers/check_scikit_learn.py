#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Convex problems solved by Claros and by scikit-learn: the objectives agree to 1e-6.

Usage: check_scikit_learn.py CLAROS. Ends with 77 (skipped) where scikit-learn is not installed.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    from scipy import special
    import sklearn.isotonic as isotonic
    import sklearn.linear_model as linear
    import sklearn.svm as svm
except ImportError:
    print("skipped: python3-sklearn is not installed")
    sys.exit(77)

TOLERANCE = 1e-6
N, P = 120, 30
rng = np.random.default_rng(7)
X = rng.normal(size=(N, P))
X[:, 3] += 0.8 * X[:, 4]
truth = np.zeros(P)
truth[:5] = [2, -1, 1, 0.5, -2]
LINEAR = X @ truth + rng.normal(size=N)
BINARY = np.where(rng.uniform(size=N) < 1 / (1 + np.exp(-X @ truth)), 1.0, -1.0)
COUNTS = rng.poisson(np.exp(0.3 * X @ truth)).astype(float)
CLASSES = np.argmax(np.outer(X @ truth, [1, 0, -1]) + rng.gumbel(size=(N, 3)), axis=1).astype(float)


def norms(w, b=0.0):
    return np.abs(w).sum(), 0.5 * np.sum(w * w)


def half_square(r):
    return 0.5 * np.mean(r * r)


def huber(r, delta):
    a = np.abs(r)
    return np.mean(np.where(a <= delta, 0.5 * a * a, delta * a - 0.5 * delta * delta))


def multinomial(w, b):
    z = X @ w.T + b
    return np.mean(np.log(np.exp(z).sum(1)) - z[np.arange(N), CLASSES.astype(int)])


def cases():
    """name, response, settings of Claros, its objective at scikit-learn's answer."""
    lam = 0.1
    fit = linear.Lasso(lam, fit_intercept=False, tol=1e-12, max_iter=100000).fit(X, LINEAR)
    yield "lasso", LINEAR, ["penalty.use=l1", f"penalty.lambda={lam}"], half_square(X @ fit.coef_ - LINEAR) + lam * norms(fit.coef_)[0]

    fit = linear.Lasso(lam, tol=1e-12, max_iter=100000).fit(X, LINEAR)
    yield ("lasso with intercept", LINEAR, ["penalty.use=l1", f"penalty.lambda={lam}", "objective.intercept=yes"],
           half_square(X @ fit.coef_ + fit.intercept_ - LINEAR) + lam * norms(fit.coef_)[0])

    fit = linear.ElasticNet(lam, l1_ratio=0.3, fit_intercept=False, tol=1e-12, max_iter=100000).fit(X, LINEAR)
    one, two = norms(fit.coef_)
    yield ("elastic net", LINEAR, ["penalty.use=elastic-net", f"penalty.lambda={lam}", "penalty.ratio=0.3"],
           half_square(X @ fit.coef_ - LINEAR) + lam * (0.3 * one + 0.7 * two))

    fit = linear.Ridge(lam * N, fit_intercept=False, tol=1e-12).fit(X, LINEAR)
    yield "ridge", LINEAR, ["penalty.use=ridge", f"penalty.lambda={lam}"], half_square(X @ fit.coef_ - LINEAR) + lam * norms(fit.coef_)[1]

    fit = linear.LogisticRegression(penalty="l1", C=1 / (0.02 * N), solver="liblinear", fit_intercept=False, tol=1e-10,
                                    max_iter=100000).fit(X, BINARY)
    w = fit.coef_.ravel()
    yield ("sparse logistic", BINARY, ["objective.loss=logistic", "penalty.use=l1", "penalty.lambda=0.02"],
           np.mean(np.log1p(np.exp(-BINARY * (X @ w)))) + 0.02 * norms(w)[0])

    # LIBLINEAR minimises C sum h^2 + |w|^2/2, which is 2 C n times ours with lambda = 1/(2 C n).
    fit = svm.LinearSVC(C=1 / (2 * lam * N), loss="squared_hinge", fit_intercept=False, tol=1e-10,
                        max_iter=1000000).fit(X, BINARY)
    w = fit.coef_.ravel()
    yield ("squared hinge", BINARY, ["objective.loss=squared-hinge", "penalty.use=ridge", f"penalty.lambda={lam}"],
           half_square(np.maximum(0, 1 - BINARY * (X @ w))) + lam * norms(w)[1])

    fit = linear.PoissonRegressor(alpha=lam, tol=1e-12, max_iter=100000).fit(X, COUNTS)
    z = X @ fit.coef_ + fit.intercept_
    yield ("poisson", COUNTS, ["objective.loss=poisson", "objective.intercept=yes", "penalty.use=ridge", f"penalty.lambda={lam}"],
           np.mean(np.exp(z) - COUNTS * z - COUNTS + special.xlogy(COUNTS, COUNTS)) + lam * norms(fit.coef_)[1])

    fit = linear.LogisticRegression(C=1 / (lam * N), multi_class="multinomial", tol=1e-12, max_iter=100000).fit(X, CLASSES)
    yield ("multinomial", CLASSES, ["objective.loss=multinomial", "objective.intercept=yes", "penalty.use=ridge", f"penalty.lambda={lam}"],
           multinomial(fit.coef_, fit.intercept_) + lam * norms(fit.coef_)[1])

    fit = linear.HuberRegressor(epsilon=1.35, alpha=0.0, fit_intercept=False, tol=1e-10, max_iter=100000).fit(X, LINEAR)
    # its scale is an unknown of its own; at its scale the coefficients minimise the plain Huber loss
    delta = 1.35 * fit.scale_
    yield ("huber", LINEAR, ["objective.loss=huber", f"objective.loss.delta={delta!r}"], huber(X @ fit.coef_ - LINEAR, delta))


def solve(program, folder, response, settings):
    data = Path(folder) / "data.csv"
    np.savetxt(data, np.column_stack([X, response]), delimiter=",", fmt="%.17g")
    # Without a penalty, and with an intercept a class, there is no gap: the residual tells the stationary points, which of
    # a convex function are minima.
    has_gap = any(word.startswith("penalty.use") for word in settings) and "objective.loss=multinomial" not in settings
    target = "relative_gap" if has_gap else "residual"
    command = [program, "run", "--json", "--quiet", "objective.use=linear-model", f"objective.data={data}",
               "algorithm.use=proximal-gradient", "algorithm.accelerate=yes", f"stop.{target}=1e-9",
               "stop.iterations=100000", "trace.on=no", *settings]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def weighted_isotonic(program, folder):
    """The relative difference of the values, of weighted isotonic regression with bounds."""
    y, w = np.sort(truth.sum() + rng.normal(size=N)) + rng.normal(size=N), rng.uniform(0.2, 3.0, size=N)
    for name, numbers in ("y.csv", y), ("w.csv", w):
        np.savetxt(Path(folder) / name, numbers[None, :], delimiter=",", fmt="%.17g")
    command = [program, "run", "--json", "--quiet", "objective.use=distance", f"objective.data={folder}/y.csv",
               f"objective.weights={folder}/w.csv", "set.use=monotone", "set.lower=-0.5", "set.upper=2",
               "stop.relative_gap=1e-9", "stop.iterations=100000", "trace.on=no"]
    ours = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["value"]
    fit = isotonic.IsotonicRegression(y_min=-0.5, y_max=2).fit_transform(np.arange(N), y, sample_weight=w)
    theirs = 0.5 * np.sum(w * (fit - y) ** 2)
    print(f"{'isotonic regression':22} {ours:.12g} {theirs:.12g} {abs(ours / theirs - 1):.1e}")
    return abs(ours / theirs - 1)


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        failed = int(weighted_isotonic(program, folder) > TOLERANCE)
        for name, response, settings, theirs in cases():
            ours = solve(program, folder, response, settings)["value"]
            off = abs(ours - theirs) / abs(theirs)
            print(f"{name:22} {ours:.12g} {theirs:.12g} {off:.1e}")
            failed += off > TOLERANCE
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
