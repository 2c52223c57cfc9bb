# SPDX-License-Identifier: BSD-3-Clause
"""GeneralizedLinearRegressor: every loss with every penalty satisfies its optimality conditions; powers, theta, offsets, weights."""
import warnings

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn")
from sklearn import linear_model, metrics  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import ConvergenceWarning  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402

import claros  # noqa: E402
from claros import likelihood, linear, survival  # noqa: E402

RNG = np.random.default_rng(7)
N, P = 120, 6
X = RNG.normal(size=(N, P))
Z = X @ [0.5, -0.4, 0.3, 0, 0, 0]
Y = np.exp(Z + 0.2 * RNG.normal(size=N)) + 0.05
WEIGHTS, OFFSET = RNG.uniform(0.5, 2, N), 0.2 * RNG.normal(size=N)
GROUPS = [[0, 1], [2, 3], [4, 5]]
SLOPES = {
    "squared": lambda z, y: z - y, "huber": lambda z, y: np.clip(z - y, -1.35, 1.35), "poisson": lambda z, y: np.exp(z) - y,
    "gamma": lambda z, y: 1 - y * np.exp(-z), "negative-binomial": lambda z, y: (y + 1) * np.exp(z) / (1 + np.exp(z)) - y}
POWERS = (0, 1, 1.2, 1.5, 1.9, 2, 2.5, 3)
for power in POWERS:
    SLOPES[power] = lambda z, y, p=power: z - y if p == 0 else np.exp((2 - p) * z) - y * np.exp((1 - p) * z)
PENALTIES = ("l1", "elastic-net", "ridge", "group", "sparse-group", "mcp", "scad")


def made(loss, penalty, **settings):
    loss = {"loss": "tweedie", "power": loss} if not isinstance(loss, str) else {"loss": loss}
    return linear.GeneralizedLinearRegressor(0.05, **loss, penalty=penalty, groups=GROUPS, tol=1e-9, max_iter=100000, **settings)


def excess(penalty, x, gradient, alpha=0.05, ratio=0.5, b=3.0, zeta=3.7):
    """How far -gradient is from the subdifferential of the penalty at x."""
    if penalty in ("l1", "elastic-net", "ridge", "mcp", "scad"):
        r = {"l1": 1.0, "elastic-net": ratio, "ridge": 0.0}.get(penalty, 1.0)
        size = np.abs(x)
        slope = {"mcp": np.maximum(alpha - size / b, 0),
                 "scad": np.where(size <= alpha, alpha, np.maximum(zeta * alpha - size, 0) / (zeta - 1))}.get(penalty, alpha * r)
        at = np.where(x != 0, np.abs(gradient + slope * np.sign(x) + alpha * (1 - r) * x * (penalty in ("elastic-net", "ridge"))),
                      np.maximum(np.abs(gradient) - alpha * r, 0))
        return at.max()
    r, worst = (ratio if penalty == "sparse-group" else 0.0), 0.0
    for group in GROUPS:
        v, g = x[group], gradient[group]
        if v.any():
            rest = g + alpha * (r * np.sign(v) + (1 - r) * v / np.linalg.norm(v))
            worst = max(worst, np.abs(rest[v != 0]).max(), np.maximum(np.abs(g[v == 0]) - alpha * r, 0).max(initial=0))
        else:
            worst = max(worst, np.linalg.norm(np.maximum(np.abs(g) - alpha * r, 0)) - alpha * (1 - r))
    return worst


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("loss", SLOPES, ids=str)
def test_every_loss_with_every_penalty_satisfies_its_optimality_conditions(loss, penalty):
    for rows in (X, sparse.csr_matrix(X)):
        model = made(loss, penalty).fit(rows, Y, WEIGHTS, OFFSET)
        slope = SLOPES[loss](X @ model.coef_ + model.intercept_ + OFFSET, Y) * WEIGHTS / WEIGHTS.sum()
        assert abs(slope.sum()) < 3e-5
        assert excess(penalty, model.coef_, X.T @ slope) < 1e-4
        assert model.coef_[:3].any()


@pytest.mark.parametrize("penalty", PENALTIES)
def test_quantiles_with_every_penalty_have_no_direction_of_descent(penalty):
    model = linear.GeneralizedLinearRegressor(0.05, loss="quantile", quantile=0.3, penalty=penalty, groups=GROUPS, tol=1e-7,
                                              max_iter=100000).fit(X, Y)

    def value(x, b):
        r = X @ x + b - Y
        pen = {"l1": np.abs(x).sum(), "elastic-net": 0.5 * np.abs(x).sum() + 0.25 * x @ x, "ridge": 0.5 * x @ x,
               "group": sum(np.linalg.norm(x[g]) for g in GROUPS)}
        pen["sparse-group"] = 0.5 * pen["l1"] + 0.5 * pen["group"]
        size = np.abs(x)
        pen["mcp"] = np.sum(np.where(size <= 3 * 0.05, size - size**2 / (6 * 0.05), 1.5 * 0.05))
        pen["scad"] = np.sum(np.where(size <= 0.05, size, np.where(size <= 3.7 * 0.05, (7.4 * 0.05 * size - size**2 - 0.05**2) / (5.4 * 0.05),
                                                                    2.35 * 0.05)))
        return np.mean(np.maximum(0.7 * r, -0.3 * r)) + 0.05 * pen[penalty]

    at = value(model.coef_, model.intercept_)
    rng = np.random.default_rng(0)
    for length in (1e-3, 1e-2, 0.1):
        for _ in range(200):
            step = rng.normal(size=P + 1) * (rng.random(P + 1) < 0.5)
            assert value(model.coef_ + length * step[:P], model.intercept_ + length * step[P]) >= at - 1e-5


def test_ridges_are_the_regressors_of_scikit_learn():
    for loss, theirs in (("poisson", linear_model.PoissonRegressor), ("gamma", linear_model.GammaRegressor)):
        ours = linear.GeneralizedLinearRegressor(0.3, loss=loss, penalty="l2", tol=1e-12).fit(X, Y, WEIGHTS)
        reference = theirs(alpha=0.3, tol=1e-9, max_iter=10000).fit(X, Y, WEIGHTS)
        assert ours.coef_ == pytest.approx(reference.coef_, abs=1e-5) and ours.predict(X) == pytest.approx(reference.predict(X), rel=1e-4)
    for power in (0, 1, 1.5, 2, 3):
        ours = linear.GeneralizedLinearRegressor(0.3, loss="tweedie", power=power, penalty="ridge", tol=1e-9).fit(X, Y)
        reference = linear_model.TweedieRegressor(alpha=0.3, power=power, tol=1e-9, max_iter=10000).fit(X, Y)
        assert ours.coef_ == pytest.approx(reference.coef_, abs=1e-4), power
        assert ours.loss_parameters_ == {"power": power}
    assert linear.TweedieRegression(0.0, power=0).fit(X, -Y).coef_ == pytest.approx(linear_model.LinearRegression().fit(X, -Y).coef_, abs=1e-4)


@pytest.mark.parametrize("power", [0, 1, 1.5, 2, 3, None])
def test_the_score_is_the_share_of_the_deviance_as_in_scikit_learn(power):
    y = np.where(np.arange(N) % 4 == 0, 0.0, Y) if power is None else Y
    models = [linear.GeneralizedLinearRegressor(0.05, loss="tweedie", power=power)]
    if power == 1:
        models += [linear.PoissonRegression(0.05), linear.GeneralizedLinearRegressor(0.05, loss="poisson")]
    if power == 2:
        models += [linear.GammaRegression(0.05), linear.GammaRegressionCV(alphas=[0.1, 0.05, 0.01], cv=3)]
    for model in models:
        model.fit(X, y, WEIGHTS)
        own = model.loss_parameters_["power"] if power is None else power
        for weights in (None, WEIGHTS):
            expected = metrics.d2_tweedie_score(y, model.predict(X), sample_weight=weights, power=own)
            assert model.score(X, y, weights) == pytest.approx(expected, rel=1e-9)
        some = np.r_[np.zeros(20), np.ones(N - 20)]
        assert model.score(X, y, some) == pytest.approx(model.score(X[20:], y[20:]), rel=1e-12)
    for loss in ("squared", "huber", "quantile", "negative-binomial"):
        model = linear.GeneralizedLinearRegressor(0.05, loss=loss).fit(X, np.floor(Y))
        assert model.score(X, np.floor(Y)) == metrics.r2_score(np.floor(Y), model.predict(X))


def test_a_search_ranks_by_the_share_of_the_deviance():
    y = np.random.default_rng(3).poisson(np.exp(1.5 * X[:, 0])).astype(float)
    search = GridSearchCV(linear.PoissonRegression(), {"alpha": np.geomspace(1e-3, 1, 8)}, cv=4).fit(X, y)
    reference = GridSearchCV(linear.PoissonRegression(), {"alpha": np.geomspace(1e-3, 1, 8)}, cv=4,
                             scoring=metrics.make_scorer(metrics.d2_tweedie_score, power=1)).fit(X, y)
    assert search.cv_results_["mean_test_score"] == pytest.approx(reference.cv_results_["mean_test_score"])
    assert search.best_params_ == reference.best_params_


def test_a_power_above_two_claims_no_gap():
    for model in (linear.TweedieRegression(0.01, power=3).fit(X, Y), linear.GeneralizedLinearRegressor(0.01, loss="tweedie", power=2.5).fit(X, Y)):
        assert model.result_.status == "residual" and np.isnan(model.dual_gap_)


@pytest.mark.parametrize("power, y, said", [(0.5, Y, "power"), (1.005, Y, "power"), (11, Y, "power"), (2, np.r_[0.0, Y[1:]], "above 0"),
                                            (3, np.r_[0.0, Y[1:]], "above 0"), (1.5, np.r_[-1.0, Y[1:]], "negative")])
def test_powers_and_targets_out_of_range_are_refused(power, y, said):
    for kind in (linear.TweedieRegression, linear.TweedieRegressionCV):
        with pytest.raises(ValueError, match=said):
            kind(power=power).fit(X, y)


def counts(theta, n=2000, seed=1):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 3))
    mean = np.exp(0.5 + rows @ [0.5, -0.3, 0.0])
    return rows, rng.negative_binomial(theta, theta / (theta + mean)).astype(float), mean


def test_theta_is_that_of_the_greatest_likelihood():
    stats = pytest.importorskip("scipy.stats")
    rows, y, mean = counts(2.0)
    w = np.random.default_rng(0).integers(1, 3, len(y)).astype(float)

    def likelihood_of(theta, mean):
        return np.sum(w * stats.nbinom.logpmf(y, theta, theta / (theta + mean)))

    best = likelihood.theta_of(y, mean, w)
    assert all(likelihood_of(best, mean) >= likelihood_of(best * factor, mean) for factor in (0.99, 1.01))
    for kind, settings in ((linear.GeneralizedLinearRegressor, {"alpha": 0.01}), (linear.GeneralizedLinearRegressorCV, {"cv": 3, "n_alphas": 20})):
        model = kind(loss="negative-binomial", theta=None, penalty="l1", **settings).fit(rows, y, w)
        theta = model.loss_parameters_["theta"]
        assert theta == pytest.approx(2.0, rel=0.3)
        assert theta == pytest.approx(likelihood.theta_of(y, model.predict(rows), w), rel=2e-3)
        fixed = kind(loss="negative-binomial", theta=theta, penalty="l1", **settings).fit(rows, y, w)
        assert model.coef_ == pytest.approx(fixed.coef_, abs=1e-6) and fixed.loss_parameters_ == {"theta": theta}
    exposure = np.random.default_rng(2).uniform(0.5, 4, len(y))
    y = np.random.default_rng(3).negative_binomial(2.0, 2.0 / (2.0 + exposure * mean)).astype(float)
    model = linear.GeneralizedLinearRegressor(0.001, loss="negative-binomial", theta=None).fit(rows, y, offset=np.log(exposure))
    assert model.loss_parameters_["theta"] == pytest.approx(2.0, rel=0.3) and model.coef_[0] == pytest.approx(0.5, abs=0.08)
    with pytest.warns(claros.ClarosWarning, match="Poisson"):  # their variance is below their mean
        linear.GeneralizedLinearRegressor(1.0, loss="negative-binomial", theta=None).fit(rows[:300], np.tile([2.0, 3.0, 4.0], 100))
    for y, said in ((np.full(2000, 0.5), "whole"), (np.zeros(2000), "all are 0")):
        with pytest.raises(ValueError, match=said):
            linear.GeneralizedLinearRegressor(loss="negative-binomial", theta=None).fit(rows, y)


def claims(power, n=1500):
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(n, 3))
    mean, phi = np.exp(0.3 + rows @ [0.5, -0.3, 0.0]), 1.2
    rate, shape, scale = mean**(2 - power) / (phi * (2 - power)), (2 - power) / (power - 1), phi * (power - 1) * mean**(power - 1)
    number = rng.poisson(rate)
    return rows, np.where(number > 0, rng.gamma(np.maximum(number, 1) * shape, scale), 0.0)


@pytest.mark.parametrize("alpha, penalty", [(0.0, "l1"), (0.05, "l1"), (0.1, "ridge")])
@pytest.mark.parametrize("seed", range(3))
def test_without_a_best_theta_the_fit_is_that_of_poisson(seed, alpha, penalty):
    """The first theta is that of a mean alone, whatever the columns explain."""
    rng = np.random.default_rng(seed)
    rows, offset = rng.normal(size=(60, 2)), 0.3 * rng.normal(size=60)
    y = np.round(np.exp(1.3 + 0.8 * rows[:, 0] + offset))  # less varied than counts of Poisson
    for more in ({}, {"sample_weight": rng.integers(1, 3, 60), "offset": offset}):
        given = linear.GeneralizedLinearRegressor(alpha, penalty=penalty, theta=None, tol=1e-9)
        poisson = clone(given).set_params(loss="poisson").fit(rows, y, **more)
        for warm in (False, True):
            model = clone(given).set_params(loss="negative-binomial", warm_start=warm)
            with pytest.warns(claros.ClarosWarning, match="loss='poisson' is this fit"):
                model.fit(rows, y, **more)
            assert model.loss_parameters_["theta"] >= 1e6
            assert model.coef_ == pytest.approx(poisson.coef_, abs=1e-4)
            assert model.intercept_ == pytest.approx(poisson.intercept_, abs=1e-4)


@pytest.mark.parametrize("power", [1.3, 1.7])
def test_the_power_is_that_of_the_greatest_likelihood(power):
    rows, y = claims(power)
    model = linear.GeneralizedLinearRegressor(0.005, loss="tweedie", power=None).fit(rows, y)
    found = model.loss_parameters_["power"]
    assert found == pytest.approx(power, abs=0.06)
    fits = [linear.TweedieRegression(0.005, power=p).fit(rows, y).predict(rows) for p in (found - 0.05, found, found + 0.05)]
    ones = [likelihood.tweedie_likelihood(y, mean, np.ones(len(y)), p) for mean, p in zip(fits, (found - 0.05, found, found + 0.05))]
    assert ones[1] == max(ones)
    assert linear.TweedieRegression(0.005, power=None).fit(rows, y).coef_ == pytest.approx(model.coef_)
    with pytest.raises(ValueError, match="give power"):
        linear.TweedieRegression(power=None).fit(rows, y + 0.1)


@pytest.mark.parametrize("power, phi, mean", [(1.5, 1.0, 2.0), (1.2, 0.5, 1.0), (1.8, 2.0, 3.0)])
def test_the_density_of_tweedie_has_mass_one_its_mean_and_its_variance(power, phi, mean):
    u = np.linspace(-60.0, np.log(100 * mean), 200001)  # of log y: the density has a pole at 0
    y = np.exp(u)
    f = y * np.exp(likelihood.tweedie_log_density(y, np.full(len(y), mean), phi, power))
    zero = np.exp(likelihood.tweedie_log_density(np.zeros(1), np.array([mean]), phi, power))[0]
    assert zero + np.trapz(f, u) == pytest.approx(1, abs=1e-6)
    assert np.trapz(y * f, u) == pytest.approx(mean, rel=1e-6)
    assert np.trapz((y - mean)**2 * f, u) + zero * mean**2 == pytest.approx(phi * mean**power, rel=1e-6)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_every_penalty_has_a_form_with_folds(penalty):
    if penalty == "ridge":
        settings = {}
    else:
        settings = {"eps": 0.05}
    model = linear.GeneralizedLinearRegressorCV(loss="poisson", penalty=penalty, groups=GROUPS, n_alphas=8, cv=3, **settings).fit(X, Y, WEIGHTS, OFFSET)
    plain = linear.GeneralizedLinearRegressor(model.alpha_, loss="poisson", penalty=penalty, groups=GROUPS, tol=1e-8).fit(X, Y, WEIGHTS, OFFSET)
    assert model.coef_ == pytest.approx(plain.coef_, abs=2e-3) and model.coef_[0] > 0.1


def test_positive_coefficients_of_groups_and_weights_of_columns():
    positive = linear.GroupLasso(0.01, groups=GROUPS, positive=True, tol=1e-9).fit(X, Z)
    assert (positive.coef_ >= 0).all() and positive.coef_.any() and positive.dual_gap_ >= 0
    rows = X - X.mean(axis=0)
    gradient = rows.T @ (rows @ positive.coef_ - Z + Z.mean()) / N
    for group in GROUPS:
        x, g = positive.coef_[group], gradient[group]
        if x.any():
            rest = g + 0.01 * x / np.linalg.norm(x)
            assert np.abs(rest[x > 0]).max() < 1e-6 and (rest[x == 0] > -1e-6).all()
        else:
            assert np.linalg.norm(np.maximum(-g, 0)) <= 0.01 + 1e-6
    weights = [0, np.inf, 1, 1, 2, 1]
    model = linear.GeneralizedLinearRegressor(0.5, loss="poisson", penalty_weights=weights).fit(X, Y)
    assert model.coef_[0] != 0 and model.coef_[1] == 0
    with pytest.raises(ValueError, match="group_weights"):
        linear.GeneralizedLinearRegressor(penalty="group", groups=GROUPS, penalty_weights=weights).fit(X, Y)


def test_classes_have_offsets_and_weights_of_columns_for_each_class():
    y = (Z + 0.5 * np.random.default_rng(1).normal(size=N) > 0).astype(int)
    model = linear.LogisticRegression(0.01, penalty_weights=[1, np.inf, 1, 1, 1, 1], tol=1e-10).fit(X, y, offset=OFFSET)
    p = model.predict_proba(X, offset=OFFSET)[:, 1]
    gradient = X.T @ (p - y) / N
    assert model.coef_[0, 1] == 0 and abs(np.mean(p - y)) < 1e-6
    on = model.coef_[0] != 0
    assert gradient[on] == pytest.approx(-0.01 * np.sign(model.coef_[0][on]), abs=1e-6)
    assert np.array_equal(model.predict(X, offset=OFFSET), (p > 0.5).astype(int))
    classes = np.digitize(Z, [-0.3, 0.3])
    several = linear.LogisticRegression(0.01, penalty_weights=[1, np.inf, 1, 1, 1, 1]).fit(X, classes)
    assert not several.coef_[:, 1].any() and several.coef_[:, 0].any()
    with pytest.raises(ValueError, match="two classes"):
        linear.LogisticRegression().fit(X, classes, offset=OFFSET)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_cox_takes_every_penalty(penalty):
    rng = np.random.default_rng(2)
    time, event = rng.exponential(np.exp(-Z)), rng.random(N) < 0.8
    model = survival.CoxRegression(0.05, penalty=penalty, l1_ratio=0.5, groups=GROUPS, tol=1e-9).fit(X, np.column_stack([time, event]), offset=OFFSET)
    order = np.argsort(-time, kind="stable")
    risk = np.exp(X @ model.coef_ + OFFSET)[order]
    mean = np.cumsum(risk[:, None] * X[order], axis=0) / np.cumsum(risk)[:, None]
    gradient = -(event[order][:, None] * (X[order] - mean)).sum(axis=0) / N
    assert excess(penalty, model.coef_, gradient) < 1e-4 and model.coef_.any()


@pytest.mark.parametrize("kind", ["plain", "weights", "offset", "csr"])
def test_delta_of_the_residuals_is_that_of_scikit_learn_in_any_unit(kind):
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(90, 3))
    y = rows @ [1.0, -2.0, 0.5] + 0.2 * rng.standard_t(2, 90) + 3.0
    weights, shift = (rng.integers(1, 4, 90) if kind == "weights" else None), (np.full(90, 2.0) if kind == "offset" else None)
    theirs = linear_model.HuberRegressor(alpha=0.0, tol=1e-10, max_iter=10000).fit(rows, y, weights)
    for unit in (1.0, 1e-5, 1e6):
        target = unit * (y if shift is None else y + shift)
        ours = linear.HuberRegression(0.0, delta=None, tol=1e-10).fit(
            sparse.csr_matrix(rows) if kind == "csr" else rows, target, weights, None if shift is None else unit * shift)
        assert ours.coef_ / unit == pytest.approx(theirs.coef_, abs=1e-4) and ours.intercept_ / unit == pytest.approx(theirs.intercept_, abs=1e-4)
        assert ours.scale_ / unit == pytest.approx(theirs.scale_, rel=1e-3)
        assert np.array_equal(ours.outliers_, theirs.outliers_) and ours.outliers_.any()
    with pytest.raises(ValueError, match="give delta"):
        linear.HuberRegression(0.0, delta=None).fit(rows, rows[:, 0])
    chosen = linear.HuberRegressionCV(delta=None, n_alphas=10, cv=3).fit(rows, y)
    fixed = linear.HuberRegressionCV(delta=1.35 * chosen.scale_, n_alphas=10, cv=3).fit(rows, y)
    assert chosen.alpha_ == pytest.approx(fixed.alpha_) and chosen.coef_ == pytest.approx(fixed.coef_, abs=1e-5)


SETS = {  # of claros.solve, with the corners of each
    "box": ({"use": "box", "lowers": np.full(P, -0.1), "uppers": np.linspace(0.05, 0.3, P)}, None),
    "monotone": ({"use": "monotone", "lower": -0.2, "upper": 0.3}, np.where(np.tri(P + 1, P, -1)[:, ::-1] > 0, 0.3, -0.2)),
    "polytope": ({"use": "polytope", "program": "1 1 1 1 1 1 <= 0.4"}, 0.4 * np.vstack([np.zeros(P), np.eye(P)]))}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("loss", SLOPES, ids=str)
def test_coefficients_of_every_loss_lie_in_a_set_and_no_corner_of_it_is_downhill(loss, name):
    constraint, corners = SETS[name]
    for alpha in (0.0, 0.02):
        model = made(loss, "l1", constraint=constraint).set_params(alpha=alpha).fit(X, Y, WEIGHTS, OFFSET)
        x = model.coef_
        slope = SLOPES[loss](X @ x + model.intercept_ + OFFSET, Y) * WEIGHTS / WEIGHTS.sum()
        assert abs(slope.sum()) < 3e-5
        g = X.T @ slope + alpha * np.sign(x)  # of entries that are 0 the best subgradient for each corner is taken below
        if corners is None:
            u = np.where(g > 0, constraint["lowers"], constraint["uppers"])
            corner = u[None]
            assert np.all(x >= constraint["lowers"] - 1e-9) and np.all(x <= constraint["uppers"] + 1e-9)
        else:
            corner = corners
            inside = np.diff(x).min() if name == "monotone" else min(x.min(), 0.4 - x.sum())
            assert inside >= -1e-9
        downhill = (corner - x) @ g + alpha * np.abs(corner[:, np.abs(x) < 1e-9]).sum(axis=1)
        assert downhill.min() > -1e-4
    assert np.abs(x).max() > 0.01


@pytest.mark.parametrize("zeros", [0.48, 0.55, 0.6])
@pytest.mark.parametrize("weighted, far", [(False, 0.0), (True, 0.0), (False, 1e8)])
def test_a_scale_is_estimated_where_most_responses_are_equal(zeros, weighted, far):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        rows = rng.normal(size=(200, 3))
        y = np.where(rng.random(200) < zeros, 0.0, np.exp(0.5 * rng.normal(size=200)))
        y[7] += far
        w, offset = rng.integers(1, 4, 200) if weighted else None, rows[:, 0]
        theirs = linear_model.HuberRegressor(alpha=0, epsilon=1.35, max_iter=1000, tol=1e-8).fit(rows, np.minimum(y, 1e3), sample_weight=w)
        for shift in (0.0, offset):
            ours = linear.HuberRegression(0.0, delta=None, tol=1e-9).fit(rows, y + shift, w, offset=None if np.ndim(shift) == 0 else shift)
            assert ours.scale_ == pytest.approx(theirs.scale_, rel=2e-3)
            assert ours.coef_ == pytest.approx(theirs.coef_, abs=2e-3)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_responses_without_residuals_have_no_scale(fit_intercept):
    rows = RNG.normal(size=(40, 2))
    for y in (rows[:, 0], np.full(40, 3.0) if fit_intercept else np.zeros(40)):
        with pytest.raises(ValueError, match="delta=None is estimated from the residuals, .* are 0"):
            linear.HuberRegression(0.0, delta=None, fit_intercept=fit_intercept).fit(rows, y)
    assert linear.HuberRegression(0.0, delta=None, fit_intercept=False).fit(rows, np.full(40, 3.0)).scale_ > 1


def test_the_sets_of_the_docstring_hold_for_three_columns():
    import ast
    import re

    text = " ".join(linear.GeneralizedLinearRegressor.__doc__.split())
    text = text.replace(": l,", ": [0, -1, -2],").replace(": u}", ": [1, 1, 1]}")
    sets = [ast.literal_eval(found) for found in re.findall(r'{"use": [^{}]*}', text)]
    assert {one["use"] for one in sets} == {"monotone", "box", "polytope"}
    for one in sets:
        for alpha in (0.0, 0.01):
            x = linear.GeneralizedLinearRegressor(alpha, constraint=one, max_iter=100000).fit(X[:, :3], X[:, :3] @ [3.0, 1.0, 0.5]).coef_
            if one["use"] == "polytope":
                assert np.all(x >= 0) and x.sum() <= 2 + 1e-9 and x[0] <= x[1] + 1e-9


@pytest.mark.parametrize("constraint", [{"use": "box", "lower": -1, "upper": 1}, {"use": "monotone", "lower": -1, "upper": 1},
                                        {"use": "l1-ball", "radius": 1}], ids=lambda value: value["use"])
@pytest.mark.parametrize("alpha", [0.0, 0.1])
def test_a_quantile_beside_a_constraint_is_refused_in_words_of_python(constraint, alpha):
    with pytest.raises(ValueError, match="^constraint: .*loss='quantile'.*leave constraint out, or .*claros.solve") as refused:
        linear.GeneralizedLinearRegressor(alpha, loss="quantile", quantile=0.3, constraint=constraint).fit(X, Y)
    assert "algorithm" not in str(refused.value) and "'tau': 0.3" in str(refused.value)


@pytest.mark.parametrize("given, said", [
    ({"use": "nonnegative"}, r"^constraint.use: there is no set named 'nonnegative' \(write positive=True\)$"),
    ({"use": "ridge"}, r"^constraint.use: .*\(write penalty='ridge'\)$"), ({"use": "psd"}, r"\(write constraint={'use': 'psd-trace'}"),
    ({"use": "l1-ball"}, "^constraint.radius: is missing: set/l1-ball"),
    ({"use": "l1-ball", "radiuss": 3}, r"^constraint.radiuss: set/l1-ball has no parameter 'radiuss'")], ids=str)
def test_errors_of_a_constraint_are_in_words_of_python(given, said):
    with pytest.raises(claros.UsageError, match=said):
        linear.GeneralizedLinearRegressor(0.1, constraint=given).fit(X, Y)


def test_a_constraint_that_is_no_set_is_refused_with_an_example():
    with pytest.raises(ValueError, match="'use': 'monotone'"):
        linear.GeneralizedLinearRegressor(constraint="monotone").fit(X, Y)
    with pytest.raises(TypeError, match="constraint"):
        linear.GeneralizedLinearRegressorCV(constraint={"use": "monotone"})


def test_predictions_name_an_offset_that_they_lack():
    rng = np.random.default_rng(6)
    rows, offset = rng.normal(size=(80, 3)), rng.uniform(0.5, 1.5, 80)
    counts = rng.poisson(np.exp(0.3 * rows[:, 0] + offset)).astype(float)
    for model, y in ((linear.PoissonRegression(0.01), counts), (linear.LogisticRegression(0.01), counts > 3), (linear.Lasso(0.01), counts),
                     (linear.GeneralizedLinearRegressorCV(loss="poisson", cv=3, n_alphas=5), counts)):
        model.fit(rows, y, offset=offset)
        with pytest.warns(claros.ClarosWarning, match="had an offset"):
            without = model.predict(rows)
        with pytest.warns(claros.ClarosWarning, match="had an offset"):
            model.score(rows, y)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert np.any(model.predict(rows, offset=offset) != without)
            assert model.score(rows, y, offset=offset) > 0
            model.fit(rows, y).predict(rows)
            model.fit(rows, y, offset=np.zeros(80)).predict(rows)


@pytest.mark.filterwarnings("ignore::claros.ClarosWarning")
@pytest.mark.parametrize("power", [2.5, 3, 10])
@pytest.mark.parametrize("far", [1e4, 1e8])
def test_a_fit_that_went_away_from_every_minimum_does_not_ask_for_more_steps(power, far):
    rng = np.random.default_rng(11)
    rows = rng.normal(size=(200, 4))
    y = rng.gamma(2, np.exp(rows @ [0.6, -0.4, 0.3, 0]) / 2)
    with pytest.warns(ConvergenceWarning, match="above that of coefficients of 0.*standardise the columns") as warned:
        linear.TweedieRegression(0.0, power=power).fit(rows * [far, 1, 1, 1], y)
    assert not any("raise max_iter" in str(one.message) for one in warned)


@pytest.mark.filterwarnings("ignore::claros.ClarosWarning")
def test_the_warning_of_a_run_in_trouble_has_the_words_of_the_run():
    rng = np.random.default_rng(11)
    rows = rng.normal(size=(200, 4))
    with pytest.warns(ConvergenceWarning, match="there is no minimum") as warned:
        linear.ErrorsInVariablesLasso(0.0, noise_variance=5.0).fit(rows, rows[:, 0])
    assert not any("raise max_iter" in str(one.message) for one in warned)
