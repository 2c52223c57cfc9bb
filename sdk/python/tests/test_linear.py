# SPDX-License-Identifier: BSD-3-Clause
"""The estimators of claros.linear: the solutions of scikit-learn, groups, weights and warm starts."""
import gc
import os
import pickle
import re
import warnings

import numpy as np
import pytest
from scipy import sparse

sklearn = pytest.importorskip("sklearn")
from sklearn import linear_model  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

import claros  # noqa: E402
from claros import linear, matrix, survival  # noqa: E402

RNG = np.random.default_rng(2)
X = RNG.normal(size=(80, 10))
Y = X @ np.r_[2.0, -1.0, np.zeros(8)] + RNG.normal(size=80)


@pytest.mark.parametrize("bad", [{"alpha": -1}, {"alpha": "a"}, {"tol": 0}, {"max_iter": 0}, {"max_iter": None}])
def test_parameters_are_validated(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        linear.Lasso(**bad).fit(X, Y)


def test_lasso_is_that_of_scikit_learn():
    ours = linear.Lasso(0.1, tol=1e-10).fit(X, Y)
    theirs = linear_model.Lasso(0.1, tol=1e-12, max_iter=100000).fit(X, Y)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-5)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-5)
    assert ours.dual_gap_ <= 1e-10 * ours.result_.value


def test_weights_and_positive_are_those_of_scikit_learn():
    weights = RNG.uniform(0.5, 2, size=80)
    ours = linear.ElasticNet(0.1, l1_ratio=0.3, tol=1e-10).fit(X, Y, sample_weight=weights)
    theirs = linear_model.ElasticNet(0.1, l1_ratio=0.3, tol=1e-12, max_iter=100000).fit(X, Y, sample_weight=weights)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-5)
    for ours, theirs in ((linear.Lasso(0.1, positive=True, tol=1e-10), linear_model.Lasso(0.1, positive=True, tol=1e-12)),
                         (linear.ElasticNet(0.1, l1_ratio=0.3, positive=True, tol=1e-10),
                          linear_model.ElasticNet(0.1, l1_ratio=0.3, positive=True, tol=1e-12, max_iter=100000))):
        ours.fit(X, Y), theirs.fit(X, Y)
        assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-5) and (ours.coef_ == 0).any()
        assert 0 <= ours.dual_gap_ <= 1e-10 * ours.result_.value
    ours = linear.LassoCV(positive=True, n_alphas=20, cv=4, tol=1e-8).fit(X, Y)
    theirs = linear_model.Lasso(ours.alpha_, positive=True, tol=1e-12).fit(X, Y)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-4)
    assert ours.coef_path_.shape == (X.shape[1], 20) and (ours.coef_path_ >= 0).all() and not np.any(ours.coef_path_[:, 0])
    assert ours.coef_path_[:, list(ours.alphas_).index(ours.alpha_)] == pytest.approx(ours.coef_, abs=1e-12)
    weighted = linear.LassoCV(positive=True, penalty_weights=np.ones(X.shape[1]), n_alphas=20, cv=4, tol=1e-8).fit(X, Y)
    assert weighted.coef_ == pytest.approx(ours.coef_, abs=1e-6)
    with pytest.raises(ValueError, match="penalty_weights"):
        linear.ElasticNetCV(positive=True, penalty_weights=np.ones(X.shape[1])).fit(X, Y)


def test_penalties_of_classifiers_have_the_names_of_scikit_learn_too():
    for ours, theirs in (("ridge", "l2"), ("elastic-net", "elasticnet")):
        for kind in (linear.LogisticRegression, linear.SquaredHingeClassifier):
            a, b = (kind(0.05, penalty=name, l1_ratio=0.3).fit(X, Y > 0) for name in (ours, theirs))
            assert np.array_equal(a.coef_, b.coef_) and a.n_iter_ == b.n_iter_
    with pytest.raises(ValueError, match="'l2'"):
        linear.LogisticRegression(penalty="l3").fit(X, Y > 0)


def test_logistic_is_that_of_scikit_learn():
    y = np.where(RNG.uniform(size=80) < 1 / (1 + np.exp(-Y)), "yes", "no")
    ours = linear.LogisticRegression(0.02, fit_intercept=False, tol=1e-9).fit(X, y)
    theirs = linear_model.LogisticRegression(C=1 / (0.02 * 80), penalty="l1", solver="liblinear", fit_intercept=False,
                                             tol=1e-10, max_iter=10000).fit(X, y)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-3)
    assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X), abs=1e-3)


def test_three_classes():
    y = np.array(["a", "b", "c"])[np.digitize(Y, [-1, 1])]
    model = linear.LogisticRegression(0.01).fit(X, y)
    assert model.coef_.shape == (3, 10) and model.score(X, y) > 0.7
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(80))


def test_pipelines_grids_clones_pickles_and_sparse_rows():
    search = GridSearchCV(make_pipeline(StandardScaler(), linear.Lasso()), {"lasso__alpha": [0.01, 0.1, 1]}, cv=3).fit(X, Y)
    assert search.best_score_ > 0.5
    model = linear.Lasso(0.1).fit(X, Y)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(X), model.predict(X)) and clone(model).alpha == 0.1
    assert linear.Lasso(0.1, tol=1e-9).fit(sparse.csr_matrix(X), Y).coef_ == pytest.approx(model.coef_, abs=1e-3)


def test_workers_of_joblib_take_one_thread_each():
    joblib = pytest.importorskip("joblib")
    assert joblib.Parallel(n_jobs=2, backend="loky")(joblib.delayed(claros.default_threads)() for _ in range(2)) == [1, 1]
    grid = {"alpha": [0.01, 0.1]}
    apart = GridSearchCV(linear.Lasso(), grid, cv=3, n_jobs=2).fit(X, Y)
    assert np.array_equal(apart.best_estimator_.coef_, GridSearchCV(linear.Lasso(), grid, cv=3).fit(X, Y).best_estimator_.coef_)


def test_groups_in_three_forms():
    by_label = linear.GroupLasso(0.2, groups=["a"] * 5 + ["b"] * 5).fit(X, Y)
    by_size = linear.GroupLasso(0.2, groups=5).fit(X, Y)
    by_list = linear.GroupLasso(0.2, groups=[range(5), range(5, 10)]).fit(X, Y)
    assert np.array_equal(by_label.coef_, by_size.coef_) and np.array_equal(by_list.coef_, by_size.coef_)


def test_penalty_weights_free_and_remove():
    model = linear.Lasso(10.0, penalty_weights=[0, *[1] * 8, np.inf]).fit(X, Y)
    assert model.coef_[0] != 0 and not model.coef_[1:].any()


def test_group_weights_are_the_factors_of_groups_and_free_and_remove():
    groups = [[0, 1, 2], [5, 6], [3, 4], [7, 8, 9]]
    rooted = linear.GroupLasso(0.2, groups=groups, group_weights="sqrt", tol=1e-10).fit(X, Y)
    given = linear.GroupLasso(0.2, groups=groups, group_weights=np.sqrt([3, 2, 2, 3]), tol=1e-10).fit(X, Y)
    assert given.coef_ == pytest.approx(rooted.coef_, abs=1e-8)
    model = linear.GroupLasso(0.2, groups=groups, group_weights=[0, np.inf, 1, 2.5], tol=1e-10).fit(X, Y)
    near = linear.GroupLasso(0.2, groups=groups, group_weights=[1e-10, 1e8, 1, 2.5], tol=1e-10).fit(X, Y)
    assert model.coef_ == pytest.approx(near.coef_, abs=1e-6)
    assert model.coef_[:3].all() and not model.coef_[5:7].any()
    path = linear.GroupLassoCV(groups=groups, group_weights=[0, 1, 1, np.inf], n_alphas=10, cv=3).fit(X, Y)
    first = path.coef_path_[:, 0]
    assert first[:3].all() and np.abs(first[3:]).max() < 1e-6 and path.coef_path_[5:7].any() and not path.coef_[7:].any()
    for wrong in ([1, 1], [1, 1, 1, -1], [1, 1, 1, np.nan], "root", ["a"] * 4):
        with pytest.raises(ValueError, match="group_weights"):
            linear.GroupLasso(0.2, groups=groups, group_weights=wrong).fit(X, Y)
    with pytest.raises(ValueError, match="above 0"):
        linear.SparseGroupLasso(0.2, groups=groups, group_weights=[0, 1, 1, 1]).fit(X, Y)


@pytest.mark.parametrize("alpha", [0.02, 0.3])
def test_weights_of_coefficients_of_at_least_zero_satisfy_their_optimality_conditions(alpha):
    weights = np.array([2.0, 1, 1, 0.5, np.inf, 1, 3, 0, 1, 1])
    model = linear.Lasso(alpha, positive=True, penalty_weights=weights, tol=1e-10).fit(X, Y)
    slopes = (X - X.mean(axis=0)).T @ (X @ model.coef_ + model.intercept_ - Y) / 80
    on = model.coef_ > 0
    assert (model.coef_ >= 0).all() and model.coef_[4] == 0 and on.any() and not on.all()
    assert slopes[on] == pytest.approx(-alpha * weights[on], abs=1e-6)
    finite = ~on & np.isfinite(weights)
    assert (slopes[finite] >= -alpha * weights[finite] - 1e-6).all()


def test_a_grid_of_ridges_starts_as_that_of_glmnet():
    """At the least alpha whose elastic net of l1_ratio 0.001 is 0; cv.glmnet(alpha = 0) has the same first lambda."""
    slopes_at_zero = np.abs((X - X.mean(axis=0)).T @ (Y - Y.mean())).max() / 80
    model = linear.ElasticNetCV(l1_ratio=0, n_alphas=30, cv=4, tol=1e-8).fit(X, Y)
    assert model.alphas_[0] == pytest.approx(1000 * slopes_at_zero, rel=1e-9)
    assert model.alphas_[0] > model.alpha_
    ridge = linear_model.Ridge(80 * model.alpha_, tol=1e-12).fit(X, Y)
    assert model.coef_ == pytest.approx(ridge.coef_, abs=1e-4)
    y = (Y > 0).astype(int)
    model = linear.LogisticRegressionCV(penalty="ridge", n_alphas=20, cv=4).fit(X, y)
    assert model.alphas_[0] == pytest.approx(1000 * np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / 80, rel=1e-6)
    assert model.score(X, y) > 0.8


def test_warm_start_takes_fewer_steps():
    model = linear.HuberRegression(0.05, warm_start=True).fit(X, Y)
    first = model.n_iter_
    assert model.fit(X, Y).n_iter_ <= first


def test_unfinished_fit_warns():
    with pytest.warns(sklearn.exceptions.ConvergenceWarning, match="raise max_iter"):
        linear.MCPRegression(0.1, tol=1e-14, max_iter=1).fit(X, Y)


def test_unfinished_alphas_are_not_chosen():
    with pytest.warns(sklearn.exceptions.ConvergenceWarning, match="alphas were not fitted to tol.*raise max_iter") as caught:
        model = linear.HuberRegressionCV(n_alphas=12, cv=3, max_iter=5).fit(*correlated())
    assert len(caught) == 1 and "fit at alpha_" not in str(caught[0].message)
    finished = ~model.path_.unfinished_
    assert finished.any() and model.alpha_ in model.alphas_[finished]
    assert f"{12 - finished.sum()} of 12 alphas" in str(caught[0].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not linear.LassoCV(n_alphas=6).fit(X, Y).path_.unfinished_.any()


def correlated(rows=60, cols=40):
    rng = np.random.default_rng(0)
    factors = rng.normal(size=(rows, 3))
    return factors @ rng.normal(size=(3, cols)) + 0.05 * rng.normal(size=(rows, cols)), 3.0 * rng.normal(size=rows)


@pytest.mark.parametrize("kind", [linear.LassoCV, linear.HuberRegressionCV, linear.LogisticRegressionCV, linear.MCPRegressionCV,
                                  linear.SquareRootLassoCV, linear.MultiTaskLassoCV])
def test_unfinished_fits_of_every_form_are_one_warning(kind):
    rows, y = correlated()
    with pytest.warns(sklearn.exceptions.ConvergenceWarning, match="raise max_iter or tol .claros help not-met") as caught:
        model = kind(n_alphas=12, cv=3, eps=1e-2, max_iter=1, tol=1e-10).fit(rows, y > 0 if hasattr(kind, "predict_proba") else y)
    assert len(caught) == 1 and model.path_.unfinished_.any()
    missed = model.path_.status_[list(model.alphas_).index(model.alpha_)] not in ("relative-gap", "residual")
    assert ("fit at alpha_" in str(caught[0].message)) == missed


def test_an_unfinished_fit_says_the_relative_gap_beside_a_relative_tol():
    """Of large y the gap itself is far above tol."""
    rows, y = correlated()
    with pytest.warns(sklearn.exceptions.ConvergenceWarning, match="no alpha of 12") as caught:
        model = linear.HuberRegressionCV(n_alphas=12, cv=3, max_iter=1, tol=1e-12, delta=1e6).fit(rows, 1e6 * (y**2 + rows[:, 0]))
    chosen = list(model.alphas_).index(model.alpha_)
    reached = float(re.search(r"fit at alpha_ ended at iterations with the relative gap ([\d.e+-]+);", str(caught[0].message))[1])
    assert reached == pytest.approx(model.dual_gap_ / model.path_.table_["value"][chosen], rel=1e-2) and reached < 1 < model.dual_gap_


def test_fits_leak_nothing():
    """tests/run --python-leaks: 10^4 fits of each."""
    from test_core import FITS, LEAST, resident

    kinds = [linear.Lasso(0.1), linear.LogisticRegression(0.02), linear.LassoCV(n_alphas=4, cv=2)]
    for model in kinds:
        y = Y > 0 if isinstance(model, linear.LogisticRegression) else Y
        fits = max(20, FITS // (10 if isinstance(model, linear.LassoCV) else 1))
        [model.fit(X, y) for _ in range(50)]
        gc.collect()
        before = resident()
        [model.fit(X, y) for _ in range(fits)]
        gc.collect()
        print(f"{type(model).__name__}: {fits} fits, {resident() - before} bytes more")
        assert resident() - before < LEAST


def test_offset_of_counts():
    exposure = RNG.uniform(1, 3, size=80)
    counts = RNG.poisson(exposure * np.exp(0.3 * X[:, 0]))
    model = linear.PoissonRegression(0.01).fit(X, counts, offset=np.log(exposure))
    assert model.predict(X, offset=np.log(exposure)).mean() == pytest.approx(counts.mean(), rel=1e-2)


def slopes(loss, y, z):
    """psi'(z), written from the definitions."""
    r = z - y
    return {"huber": np.clip(r, -1.35, 1.35), "poisson": np.exp(z) - y, "gamma": 1 - y * np.exp(-z),
            "tweedie": np.exp(0.5 * z) - y * np.exp(-0.5 * z), "squared": r}[loss]


@pytest.mark.parametrize("kind, loss", [
    (linear.Lasso, "squared"), (linear.HuberRegression, "huber"), (linear.PoissonRegression, "poisson"),
    (linear.GammaRegression, "gamma"), (linear.TweedieRegression, "tweedie")], ids=lambda each: getattr(each, "__name__", each))
@pytest.mark.parametrize("positive", [False, True])
def test_optimality_conditions_of_every_loss(kind, loss, positive):
    y = np.exp(0.4 * X[:, 0] - 0.3 * X[:, 1]) + 0.1
    weights, offset = RNG.uniform(0.5, 2, size=80), 0.1 * RNG.normal(size=80)
    model = kind(0.05, tol=1e-7 if positive else 1e-10, positive=positive, max_iter=100000).fit(X, y, weights, offset)
    z = X @ model.coef_ + model.intercept_ + offset
    slope = slopes(loss, y, z) * weights / weights.sum()
    gradient = X.T @ slope
    assert abs(slope.sum()) < 1e-5
    active = model.coef_ != 0
    assert active.any() and not active.all()
    assert gradient[active] == pytest.approx(-0.05 * np.sign(model.coef_[active]), abs=2e-5)
    assert np.all((gradient if positive else np.abs(gradient)) [~active] * (-1 if positive else 1) < 0.05 + 2e-5)
    assert not positive or np.all(model.coef_ >= 0)


def test_quantiles_are_those_asked_for():
    rng = np.random.default_rng(8)
    rows = rng.normal(size=(400, 3))
    y = rows[:, 0] + rng.normal(size=400)
    for quantile in (0.1, 0.5, 0.9):
        model = linear.QuantileRegression(1e-4, quantile=quantile).fit(rows, y)
        assert np.mean(y < model.predict(rows)) == pytest.approx(quantile, abs=0.01)


@pytest.mark.parametrize("quantile", [0.05, 0.5, 0.8])
@pytest.mark.parametrize("kind", ["dense", "csr", "weights", "no intercept", "positive", "alpha 0", "cv"])
def test_quantiles_do_not_depend_on_the_unit_of_y(kind, quantile):
    """y -> unit (y + away) gives the coefficients times the unit, at one alpha; shares of rows are those of the quantile."""
    rng = np.random.default_rng(21)
    rows = rng.normal(size=(120, 4))
    y = rows[:, 0] - 0.5 * rows[:, 1] + rng.standard_t(3, 120)
    make = linear.QuantileRegressionCV if kind == "cv" else linear.QuantileRegression
    settings = {"cv": {"n_alphas": 4, "cv": 3}, "alpha 0": {"alpha": 0}}.get(kind, {"alpha": 0.02})
    settings.update({"no intercept": {"fit_intercept": False}, "positive": {"positive": True}}.get(kind, {}))
    weights = rng.integers(0, 3, 120) if kind == "weights" else None

    def fitted(unit, away):
        model = make(quantile=quantile, tol=1e-8 if kind == "cv" else 1e-11, **settings)
        return model.fit(sparse.csr_matrix(rows) if kind == "csr" else rows, unit * (y + away), sample_weight=weights)

    first = fitted(1.0, 0.0)
    if kind != "no intercept":
        below = y < first.predict(rows) - 1e-9
        touched = np.abs(y - first.predict(rows)) <= 1e-9
        share = np.average(below, weights=weights), np.average(below | touched, weights=weights)
        assert share[0] <= quantile + 1e-9 and share[1] >= quantile - 1e-9
    digits = 1e-6 if kind == "cv" else 1e-8
    for unit, away in ((1e-6, 0.0), (1e6, 0.0), (3.0, 0.0 if kind == "no intercept" else 1e4)):
        model = fitted(unit, away)
        assert model.coef_ / unit == pytest.approx(first.coef_, abs=digits), (unit, away)
        assert model.intercept_ / unit - away == pytest.approx(first.intercept_, abs=10 * digits)


def test_a_huber_loss_is_in_the_units_of_y():
    first = linear.HuberRegression(0.05, delta=0.7, tol=1e-10).fit(X, Y)
    for unit in (1e-4, 1e4):
        model = linear.HuberRegression(0.05 * unit, delta=0.7 * unit, tol=1e-10).fit(X, unit * Y)
        assert model.coef_ / unit == pytest.approx(first.coef_, abs=1e-7)


def test_squared_hinge_is_that_of_linear_svc():
    from sklearn.svm import LinearSVC

    y = np.where(Y > 0, "yes", "no")
    ours = linear.SquaredHingeClassifier(0.02, fit_intercept=False, tol=1e-9).fit(X, y)
    theirs = LinearSVC(penalty="l1", dual=False, C=1 / (2 * 80 * 0.02), fit_intercept=False, tol=1e-10, max_iter=100000).fit(X, y)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-3)
    with pytest.raises(ValueError, match="Only binary"):
        ours.fit(X, np.arange(80) % 3)


def test_errors_in_variables_in_three_forms():
    """A number, a diagonal and a matrix are the same covariance; the point is stationary."""
    settings = {"alpha": 0.1, "rho": 10.0, "fit_intercept": False, "tol": 1e-9, "max_iter": 100000}
    forms = [linear.ErrorsInVariablesLasso(noise_variance=form, **settings).fit(X, Y)
             for form in (0.05, np.full(10, 0.05), 0.05 * np.eye(10))]
    for model in forms[1:]:
        assert model.coef_ == pytest.approx(forms[0].coef_, abs=1e-7)
    x = forms[0].coef_
    gradient = X.T @ (X @ x - Y) / 80 - 0.05 * x
    assert x == pytest.approx(np.sign(x - gradient) * np.maximum(np.abs(x - gradient) - 0.1, 0), abs=1e-6)
    assert abs(x[0]) > abs(linear.Lasso(0.1, fit_intercept=False).fit(X, Y).coef_[0])  # errors shrink, this undoes it
    with pytest.raises(ValueError, match="noise_variance"):
        linear.ErrorsInVariablesLasso(noise_variance="much").fit(X, Y)


def test_cross_validation_chooses_from_its_table_and_solves_there():
    model = linear.LassoCV(n_alphas=20, tol=1e-8).fit(X, Y)
    best = int(np.argmin(model.loss_path_))
    assert model.alpha_ == model.alphas_[best] and 0 < best < 19
    assert model.coef_ == pytest.approx(linear.Lasso(model.alpha_, tol=1e-10).fit(X, Y).coef_, abs=1e-4)
    wider = linear.LassoCV(n_alphas=20, selection="one-standard-error", n_jobs=2).fit(X, Y)
    limit = model.loss_path_[best] + model.loss_error_[best]
    assert wider.alpha_ == model.alphas_[np.argmax(model.loss_path_ <= limit)]
    classes = linear.LogisticRegressionCV(n_alphas=10).fit(X, Y > 0)
    assert classes.score(X, Y > 0) > 0.8 and classes.coef_.shape == (1, 10)


def test_multinomial_groups_use_a_column_for_all_classes_or_none():
    y = np.digitize(Y, [-1, 1])
    model = linear.LogisticRegression(0.05, penalty="group").fit(X, y)
    used = model.coef_ != 0
    assert np.array_equal(used.any(axis=0), used.all(axis=0)) and 0 < used.any(axis=0).sum() < 10


@pytest.mark.parametrize("intercept", [True, False])
def test_the_square_root_lasso_is_the_lasso_with_the_noise_of_its_solution(intercept):
    rng = np.random.default_rng(8)
    rows, truth = rng.normal(size=(80, 20)), np.r_[2.0, -1.0, np.zeros(18)]
    y, weights = 4.0 * intercept + rows @ truth + 0.5 * rng.normal(size=80), rng.uniform(0.5, 2.0, 80)
    model = linear.SquareRootLasso(fit_intercept=intercept, tol=1e-12).fit(rows, y, sample_weight=weights)
    assert model.alpha_ == pytest.approx(1.1 * np.sqrt(2 * np.log(40) / 80))
    residual = y - model.predict(rows)
    assert model.noise_ == pytest.approx(np.sqrt(np.average(residual**2, weights=weights)))
    lasso = linear.Lasso(model.alpha_ * model.noise_, fit_intercept=intercept, tol=1e-12).fit(rows, y, sample_weight=weights)
    assert model.coef_ == pytest.approx(lasso.coef_, abs=1e-5) and model.intercept_ == pytest.approx(lasso.intercept_, abs=1e-5)
    assert {0, 1} <= set(np.flatnonzero(model.coef_)) and np.count_nonzero(model.coef_) < 7
    # In other units the same alpha has the same columns, times the unit.
    other = linear.SquareRootLasso(fit_intercept=intercept, tol=1e-12).fit(rows, 1e6 * y, sample_weight=weights)
    assert other.coef_ / 1e6 == pytest.approx(model.coef_, abs=1e-5)


def test_the_square_root_lasso_of_a_constant_and_by_folds():
    rng = np.random.default_rng(9)
    rows = rng.normal(size=(60, 5))
    constant = linear.SquareRootLasso().fit(rows, np.full(60, 0.1))
    assert not constant.coef_.any() and constant.intercept_ == 0.1 and constant.noise_ == constant.dual_gap_ == 0
    y = rows[:, 0] + 0.3 * rng.normal(size=60) - 7.0
    model = linear.SquareRootLassoCV(n_alphas=15, eps=1e-2).fit(rows, y)
    assert model.alpha_ == model.alphas_[np.argmin(model.loss_path_)]
    assert model.coef_ == pytest.approx(linear.SquareRootLasso(model.alpha_).fit(rows, y).coef_, abs=1e-3)
    assert model.alphas_[0] == pytest.approx(np.abs((rows - rows.mean(0)).T @ (y - y.mean())).max() / 60 / y.std())
    assert 0.2 < model.loss_path_.min() < 0.5
    start = linear.SquareRootLasso(0.1, warm_start=True).fit(rows, y)
    coef = start.coef_.copy()
    assert start.fit(rows, y).n_iter_ == 1 and start.coef_ == pytest.approx(coef, abs=1e-4)


@pytest.mark.parametrize("level", [1e15, -1e15, 2.0**30])
def test_the_square_root_lasso_of_a_large_response_of_small_variation_is_solved(level):
    """A response is constant where its entries are equal, not where they vary little beside their size."""
    rng = np.random.default_rng(10)
    rows = rng.normal(size=(60, 5))
    y = np.round(4 * (rows[:, 0] + 0.3 * rng.normal(size=60))) / 4
    plain = linear.SquareRootLasso(0.1, tol=1e-10).fit(rows, y)
    model = linear.SquareRootLasso(0.1, tol=1e-10).fit(rows, level + y)
    assert model.coef_ == pytest.approx(plain.coef_, abs=1e-3) and model.coef_[0] > 0.5
    assert model.noise_ == pytest.approx(plain.noise_, rel=1e-3) and 0 <= model.dual_gap_ <= 1e-10 * model.result_.value


def test_no_result_of_an_earlier_fit_is_left_where_a_constant_response_has_nothing_to_solve():
    for kind in (linear.SquareRootLasso, linear.SquareRootLassoCV, linear.LassoCV, linear.MultiTaskLassoCV):
        model = kind(n_alphas=4, cv=3) if hasattr(kind, "_solved_by_zero") else kind()
        model.fit(X, Y)
        fitted = model.result_ if hasattr(model, "noise_") and kind is linear.SquareRootLasso else model.path_
        assert fitted is not None
        model.fit(X, np.full(80, 2.5))
        assert not model.coef_.any() and np.all(model.intercept_ == 2.5)
        if kind in (linear.SquareRootLasso, linear.SquareRootLassoCV):
            assert model.result_ is None and model.noise_ == model.dual_gap_ == 0
        if kind is not linear.SquareRootLasso:
            assert model.path_ is None and model.alpha_ == 1e-15 and np.array_equal(model.alphas_, [1e-15] * 4) and model.loss_path_ is None
            assert model.fit(X, Y).result_ is None and model.path_ is not None and model.alpha_ > 0


def derivative(kind, model, t):
    """Of the penalty at |x_j| = t > 0, for alpha = 1 times it: the docstrings' papers, written from their definitions."""
    if kind == "mcp":
        return np.maximum(model.alpha - t / model.b, 0.0)
    return np.where(t <= model.alpha, model.alpha, np.maximum(model.zeta * model.alpha - t, 0.0) / (model.zeta - 1))


@pytest.mark.parametrize("kind, settings", [
    ("mcp", {"b": 1.5}), ("mcp", {"b": 8.0}), ("scad", {"zeta": 2.5}), ("scad", {"zeta": 9.0})])
def test_concave_penalties_have_the_slope_of_their_shape(kind, settings):
    rng = np.random.default_rng(12)
    rows, y = X.copy(), X @ np.r_[2.0, -0.6, 0.45, 0.3, np.zeros(6)] + 0.3 * rng.normal(size=80)
    make = linear.MCPRegression if kind == "mcp" else linear.SCADRegression
    model = make(0.3, fit_intercept=False, tol=1e-10, max_iter=100000, **settings).fit(rows, y)
    gradient, on = rows.T @ (rows @ model.coef_ - y) / 80, model.coef_ != 0
    size = np.abs(model.coef_)[on]
    assert on.any() and not on.all() and derivative(kind, model, size).max() > 0.01
    assert gradient[on] == pytest.approx(-derivative(kind, model, size) * np.sign(model.coef_[on]), abs=1e-5)
    assert np.all(np.abs(gradient[~on]) <= 0.3 + 1e-5)


@pytest.mark.parametrize("loss", ["huber", "tweedie"])
@pytest.mark.parametrize("first, second", [((0.4, 0.2), (3.0, 0.7))])
def test_losses_have_the_slope_of_their_parameters(loss, first, second):
    y = np.exp(0.4 * X[:, 0] - 0.3 * X[:, 1]) + 0.1
    for size, quantile in (first, second):
        kind, settings, slope = {
            "huber": (linear.HuberRegression, {"delta": size}, lambda z: np.clip(z - y, -size, size)),
            "tweedie": (linear.TweedieRegression, {"power": 1 + quantile},
                        lambda z: np.exp((1 - quantile) * z) - y * np.exp(-quantile * z))}[loss]
        model = kind(0.02, tol=1e-9, max_iter=100000, **settings).fit(X, y)
        psi = slope(X @ model.coef_ + model.intercept_)
        gradient, on = X.T @ psi / 80, model.coef_ != 0
        assert on.any() and not on.all() and abs(psi.mean()) < 1e-5
        assert gradient[on] == pytest.approx(-0.02 * np.sign(model.coef_[on]), abs=2e-5)
        assert np.all(np.abs(gradient[~on]) <= 0.02 + 2e-5)


@pytest.mark.parametrize("l1_ratio", [0.0, 0.3, None])
@pytest.mark.parametrize("weights", ["none", "sqrt"])
def test_groups_satisfy_their_optimality_conditions(l1_ratio, weights):
    """Of x_g != 0 the gradient is -alpha (r s + (1 - r) u_g x_g/||x_g||), of x_g = 0 what soft thresholding by alpha r
    leaves of it is at most alpha (1 - r) u_g; r is 0 of the group lasso."""
    groups, alpha = [[0], [1, 4, 5, 9], [2, 3], [6, 7, 8]], 0.25
    ours = {"groups": groups, "group_weights": weights, "tol": 1e-11, "fit_intercept": False}
    model = (linear.GroupLasso(alpha, **ours) if l1_ratio is None else linear.SparseGroupLasso(alpha, l1_ratio=l1_ratio, **ours)).fit(X, Y)
    r, used = l1_ratio or 0.0, 0
    gradient = X.T @ (X @ model.coef_ - Y) / 80
    for group in groups:
        x, g, u = model.coef_[group], gradient[group], np.sqrt(len(group)) if weights == "sqrt" else 1.0
        on = x != 0
        used += on.any()
        if on.any():
            expected = -alpha * (r * np.sign(x) + (1 - r) * u * x / np.linalg.norm(x))
            assert g[on] == pytest.approx(expected[on], abs=1e-5) and np.all(np.abs(g[~on]) <= alpha * r + 1e-5)
        else:
            assert np.linalg.norm(np.maximum(np.abs(g) - alpha * r, 0)) <= alpha * (1 - r) * u + 1e-5
    assert 0 < used < len(groups)


def test_groups_of_labels_sizes_and_lists_hold_the_same_columns():
    """Groups that do not lie side by side, and a last one that is shorter."""
    by_label = linear.GroupLasso(0.2, groups=list("abbabbcccd")).fit(X, Y)
    by_list = linear.GroupLasso(0.2, groups=[[0, 3], [1, 2, 4, 5], [6, 7, 8], [9]]).fit(X, Y)
    assert by_label.coef_ == pytest.approx(by_list.coef_, abs=1e-7)
    by_size = linear.GroupLasso(0.2, groups=4).fit(X, Y)
    assert by_size.coef_ == pytest.approx(linear.GroupLasso(0.2, groups=[range(4), range(4, 8), [8, 9]]).fit(X, Y).coef_, abs=1e-7)
    with pytest.raises(ValueError, match="9 labels for 10 columns"):
        linear.GroupLasso(0.2, groups=list("abcabcabc")).fit(X, Y)


@pytest.mark.parametrize("columns", [1, 3])
def test_classes_with_few_columns_have_the_optimality_conditions_of_groups(columns):
    rows, y = X[:, :columns], np.digitize(Y, [-1, 1])
    model = linear.LogisticRegression(0.03, penalty="group", tol=1e-8, max_iter=100000).fit(rows, y)
    slope = rows.T @ (model.predict_proba(rows) - np.eye(3)[y]) / 80
    for j in range(columns):
        x = model.coef_[:, j]
        if x.any():
            assert slope[j] == pytest.approx(-0.03 * x / np.linalg.norm(x), abs=1e-5)
        else:
            assert np.linalg.norm(slope[j]) <= 0.03 + 1e-5
    assert model.coef_[:, 0].any()


def test_errors_in_variables_stay_in_their_ball():
    free = linear.ErrorsInVariablesLasso(0.01, noise_variance=0.1, rho=100.0).fit(X, Y)
    length = np.abs(free.coef_).sum()
    bound = linear.ErrorsInVariablesLasso(0.01, noise_variance=0.1, rho=0.5 * length).fit(X, Y)
    assert np.abs(bound.coef_).sum() == pytest.approx(0.5 * length, rel=1e-6)


def test_an_offset_is_as_good_as_other_responses_of_squared_losses():
    offset = 2.0 + X[:, 2]
    for kind in (linear.Lasso(0.1, tol=1e-11), linear.SquareRootLasso(0.2, tol=1e-11), linear.SquareRootLasso(0.2, fit_intercept=False)):
        ours, plain = clone(kind).fit(X, Y, offset=offset), clone(kind).fit(X, Y - offset)
        assert ours.coef_ == pytest.approx(plain.coef_, abs=1e-5) and ours.intercept_ == pytest.approx(plain.intercept_, abs=1e-5)
        assert ours.predict(X, offset=offset) == pytest.approx(offset + plain.predict(X), abs=1e-4)
        if hasattr(ours, "noise_"):
            assert ours.noise_ == pytest.approx(plain.noise_, rel=1e-6)


def test_class_weights_are_weights_of_rows_and_multiply_given_ones():
    y, weights = np.where(Y > 0.5, "b", "a"), RNG.uniform(0.5, 2, size=80)
    of_row = np.where(y == "a", 3.0, 0.5)
    count = (y == "a").sum()
    balanced = np.where(y == "a", 40 / count, 40 / (80 - count))
    for asked, factor in (({"a": 3.0, "b": 0.5}, of_row), ("balanced", balanced)):
        for given in (None, weights):
            ours = linear.LogisticRegression(0.02, class_weight=asked, tol=1e-9).fit(X, y, sample_weight=given)
            plain = linear.LogisticRegression(0.02, tol=1e-9).fit(X, y, sample_weight=factor * (1.0 if given is None else given))
            assert ours.coef_ == pytest.approx(plain.coef_, abs=1e-5) and ours.intercept_ == pytest.approx(plain.intercept_, abs=1e-5)
    with pytest.raises(ValueError, match="a class has no row"):
        linear.LogisticRegression(0.02).fit(X, y, sample_weight=(y == "a").astype(float))


@pytest.mark.parametrize("classes", [2, 3])
def test_probabilities_are_those_of_the_loss_however_far_rows_lie(classes):
    y = np.digitize(Y, [-1, 1][:classes - 1])
    model = linear.LogisticRegression(0.01).fit(X, y)
    z = model.decision_function(X)
    z = np.column_stack([np.zeros(80), z]) if classes == 2 else z
    odds = np.exp(z) / np.exp(z).sum(axis=1)[:, None]
    assert model.predict_proba(X) == pytest.approx(odds)
    far = model.predict_proba(1e4 * X)
    assert np.isfinite(far).all() and far.sum(axis=1) == pytest.approx(1.0)
    assert np.array_equal(model.classes_[far.argmax(axis=1)], model.predict(1e4 * X))


def test_a_gap_is_verified_where_the_module_says_that_one_is_known():
    y = np.digitize(Y, [-1, 1])
    model = linear.LogisticRegression(0.02, fit_intercept=False, tol=1e-7).fit(X, y)
    assert 0 <= model.dual_gap_ <= 1e-7 * model.result_.value
    for model in (linear.MCPRegression(0.1), linear.ElasticNet(0.1, positive=True, penalty_weights=[2, *[1] * 9]),
                  linear.Lasso(0.1, penalty_weights=[0, *[1] * 9])):
        assert model.fit(X, Y).result_.status == "residual"
    assert linear.Lasso(0.1, positive=True, penalty_weights=[2, *[1] * 9]).fit(X, Y).result_.status == "relative-gap"


def test_a_warm_start_of_other_data_is_a_fit_of_its_own():
    model = linear.Lasso(0.1, warm_start=True, tol=1e-9).fit(X, Y)
    assert model.fit(X[:, :4], Y).coef_ == pytest.approx(linear.Lasso(0.1, tol=1e-9).fit(X[:, :4], Y).coef_, abs=1e-5)
    assert model.set_params(fit_intercept=False).fit(X, Y).coef_ == pytest.approx(
        linear.Lasso(0.1, tol=1e-9, fit_intercept=False).fit(X, Y).coef_, abs=1e-5)


SEVERAL = np.column_stack([Y, X[:, 1] - 0.5 * Y, X[:, 2]])
CLASSES = np.digitize(Y, [-1, 1])
WARM = {  # an estimator and its targets; all take the settings of a fit
    "lasso": (linear.Lasso(0.05), Y), "targets": (linear.Lasso(0.05), SEVERAL),
    "square root": (linear.SquareRootLasso(0.1), Y), "quantile": (linear.QuantileRegression(0.05), Y),
    "tasks": (linear.MultiTaskLasso(0.05), SEVERAL), "one task": (linear.MultiTaskLasso(0.05), Y),
    "elastic tasks": (linear.MultiTaskElasticNet(0.05), SEVERAL),
    "rank": (matrix.LowRankRegression(0.05), SEVERAL),
    "poisson": (linear.PoissonRegression(0.05), np.exp(Y / 3)),
    "theta": (linear.GeneralizedLinearRegressor(loss="negative-binomial", theta=None), np.floor(np.exp(Y))),
    "two classes": (linear.LogisticRegression(0.02), Y > 0),
    "hinge": (linear.SquaredHingeClassifier(0.02), Y > 0),
    "classes": (linear.LogisticRegression(0.02), CLASSES),
    "grouped classes": (linear.LogisticRegression(0.02, penalty="group"), CLASSES),
}


@pytest.mark.filterwarnings("ignore:the counts vary no more")
@pytest.mark.parametrize("rows", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("name", WARM)
def test_a_warm_fit_is_the_cold_one_whatever_was_fitted_before(name, rows):
    """A start is dropped if the model has another shape, intercept or classes, or if it is worse than 0."""
    given, y = WARM[name]
    fits = [({}, X, y), ({"alpha": 0.1}, X, y), ({"fit_intercept": False}, X, y), ({}, X, y),
            ({}, X[:, :6], y), ({}, 1e-6 * X, y), ({}, X, y)]
    if y is SEVERAL:
        fits += [({}, X[:, :3], y[:, :2]), ({}, X[:, :2], y), ({}, X, y[:, :1])]
    if y is CLASSES:
        fits += [({}, X, y > 0), ({}, X, np.array(list("abc"))[y]), ({}, X, np.digitize(Y, [-1, 0, 1]))]
    for first in (True, False):  # also of a first fit without warm_start
        model = clone(given).set_params(tol=1e-10, warm_start=first)
        for settings, table, target in fits:
            settings = {"alpha": given.alpha, "fit_intercept": True, **settings}
            cold = clone(given).set_params(tol=1e-10, **settings).fit(rows(table), target)
            model.set_params(**settings).fit(rows(table), target).set_params(warm_start=True)
            values = "decision_function" if hasattr(model, "classes_") else "predict"
            assert np.allclose(getattr(model, values)(table), getattr(cold, values)(table), atol=2e-4)
            assert np.shape(model.coef_) == np.shape(cold.coef_)
        steps = np.sum(model.n_iter_)
        assert np.sum(model.fit(rows(table), target).n_iter_) <= steps


LOSSES = {**dict.fromkeys(("squared", "huber", "quantile"), Y), "negative-binomial": np.floor(np.exp(Y / 2)),
          **dict.fromkeys(("poisson", "gamma", "tweedie"), np.exp(Y / 3))}


@pytest.mark.parametrize("before", LOSSES)
@pytest.mark.parametrize("after", LOSSES)
def test_a_warm_start_of_another_loss_or_of_other_units_is_none(before, after):
    for scale in (1e4, 1e-4):
        model = linear.GeneralizedLinearRegressor(0.05, loss=before, warm_start=True, tol=1e-8)
        model.fit(X, scale * LOSSES[before] if before in ("squared", "huber", "quantile") else LOSSES[before])
        model.set_params(loss=after).fit(X, LOSSES[after])
        cold = linear.GeneralizedLinearRegressor(0.05, loss=after, tol=1e-8).fit(X, LOSSES[after])
        assert model.predict(X) == pytest.approx(cold.predict(X), rel=1e-3, abs=1e-3)
        again = clone(model).fit(1e-5 * X, LOSSES[after]).fit(X, LOSSES[after])
        assert again.predict(X) == pytest.approx(cold.predict(X), rel=1e-3, abs=1e-3)


def test_the_grid_of_a_cross_validation_is_that_of_its_parameters():
    slopes_at_zero = np.abs((X - X.mean(axis=0)).T @ (Y - Y.mean())).max() / 80
    for count, eps in ((7, 0.02), (3, 0.3)):
        model = linear.LassoCV(n_alphas=count, eps=eps, cv=3).fit(X, Y)
        assert model.alphas_ == pytest.approx(slopes_at_zero * np.geomspace(1.0, eps, count), rel=1e-9)
        assert model.loss_path_.shape == (count,) and model.coef_path_.shape == (10, count)
    constant = linear.LassoCV().fit(X, np.full(80, 2.5))
    assert not constant.coef_.any() and constant.intercept_ == pytest.approx(2.5) and constant.alpha_ == 1e-15
    rare = np.r_[np.ones(4, int), np.zeros(76, int)]
    for seed in range(3):  # every class in every training, whatever is drawn
        assert linear.LogisticRegressionCV(n_alphas=3, cv=4, random_state=seed).fit(X, rare).alphas_.size == 3


def test_every_parameter_of_a_cross_validation_can_be_given():
    """Of a small fit, each parameter at another value than its default: a parameter that no fit takes is none."""
    others = {"fit_intercept": False, "tol": 1e-3, "max_iter": 500, "random_state": 3, "penalty_weights": np.arange(1.0, 6.0),
              "positive": True, "l1_ratio": 0.3, "groups": 2, "group_weights": "sqrt", "b": 2.0, "zeta": 3.0, "delta": 0.5,
              "quantile": 0.4, "power": 1.2, "penalty": "group", "class_weight": "balanced", "n_alphas": 3, "eps": 0.1, "cv": 2,
              "selection": "one-standard-error", "n_jobs": 2, "explained": 0.5, "alphas": [0.1, 0.02], "scoring": "loss", "refit": False, "verbose": True,
              "precompute": True, "copy_X": False, "theta": 2.0, "loss": "poisson"}
    rows, y = X[:, :5], np.abs(Y) + 0.1
    for kind in (getattr(linear, name) for name in dir(linear) if name.endswith("CV")):
        responses = issubclass(kind, linear._Responses)
        target = np.column_stack([y, Y]) if responses else Y > 0 if hasattr(kind, "predict_proba") or kind._loss == "squared-hinge" else y
        for name in kind._parameters:
            model = kind(**{"n_alphas": 2, "cv": 2, "tol": 1e-2, "max_iter": 10000, **{name: others[name]}})
            assert np.isfinite(model.fit(rows, target).alpha_), (kind.__name__, name)


def test_limits_of_parameters_hold_their_ends():
    """As the table of claros.estimators states them: an end that belongs is taken, one that does not is refused."""
    from claros import estimators

    kinds = {"cv": linear.LassoCV, "eps": linear.LassoCV, "n_alphas": linear.LassoCV, "n_jobs": linear.LassoCV, "b": linear.MCPRegression,
             "zeta": linear.SCADRegression, "quantile": linear.QuantileRegression, "power": linear.TweedieRegression, "theta": linear.GeneralizedLinearRegressor,
             "delta": linear.HuberRegression, "l1_ratio": linear.ElasticNet, "rho": linear.ErrorsInVariablesLasso}
    ends = {"alpha": ([0], [-1e-9]), "tol": ([0.5], [0, 1]), "max_iter": ([1], [0, 1.5]), "l1_ratio": ([0, 1], [-0.1, 1.1]),
            "delta": ([0.1], [0]), "b": ([0.1], [0]), "zeta": ([2.1], [2]), "quantile": ([0.01, 0.99], [0, 1]),
            "power": ([0, 1, 1.01, 10], [-1, 11]), "theta": ([0.1], [0]), "rho": ([np.inf], [0]), "eps": ([0.5], [0, 1]), "n_alphas": ([1], [0]),
            "cv": ([2], [1, 2.0]), "n_jobs": ([1, 256], [0, 257])}
    for name, (taken, refused) in ends.items():
        limit = estimators.LIMITS[name]
        assert all(estimators._is_within(value, limit) for value in taken), name
        for value in refused:
            with pytest.raises(ValueError, match=name):
                kinds.get(name, linear.Lasso)(**{name: value}).fit(X, np.abs(Y) + 1)


def test_columns_are_those_of_the_fit_in_its_order():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=[f"c{j}" for j in range(10)])
    model = linear.Lasso(0.1).fit(frame, Y)
    with pytest.raises(ValueError, match="same order"):
        model.predict(frame[frame.columns[::-1]])
    for other in (frame.rename(columns={"c3": "x"}), frame.drop(columns="c3")):
        with pytest.raises(ValueError, match="c3"):
            model.predict(other)
    with pytest.warns(UserWarning, match="valid feature names"):
        model.predict(X)
    model.fit(X, Y)
    assert not hasattr(model, "feature_names_in_")
    for wrong in (X[:, :9], np.hstack([X, X])):
        with pytest.raises(ValueError, match="features"):
            model.predict(wrong)


def test_group_sizes_below_one_and_texts_are_refused():
    for groups in (0, -1, "abcde"):
        with pytest.raises(ValueError, match="groups"):
            linear.GroupLasso(0.1, groups=groups).fit(X, Y)


def test_means_of_single_precision_columns_are_those_of_doubles():
    rng = np.random.default_rng(1)
    rows = (rng.normal(size=(2000, 3)) + 1e4).astype(np.float32)
    responses = rows.astype(np.float64) @ rng.normal(size=(3, 2)) + rng.normal(size=(2000, 2))
    single, double = (linear.MultiTaskLasso(0.01).fit(x, responses) for x in (rows, rows.astype(np.float64)))
    assert single.coef_ == pytest.approx(double.coef_, abs=1e-6)
    assert single.intercept_ == pytest.approx(double.intercept_, rel=1e-6)


@pytest.mark.parametrize("kind", ["plain", "sparse", "weights", "offset"])
def test_outliers_are_those_of_scikit_learn_at_its_scale(kind):
    from sklearn.linear_model import HuberRegressor

    random = np.random.default_rng(4)
    X = random.normal(size=(80, 3))
    y = X @ [1.0, -2.0, 0.5] + 0.2 * random.normal(size=80) + 3.0
    y[:8] += 10.0
    weights = random.integers(1, 4, 80) if kind == "weights" else None
    theirs = HuberRegressor(alpha=0.0, tol=1e-10, max_iter=10000).fit(X, y, weights)
    shift = np.full(80, 2.0) if kind == "offset" else None
    ours = linear.HuberRegression(alpha=0.0, delta=theirs.epsilon * theirs.scale_, tol=1e-9)
    ours.fit(sparse.csr_matrix(X) if kind == "sparse" else X, y if shift is None else y + shift, weights, shift)
    assert np.allclose(ours.coef_, theirs.coef_, atol=1e-4) and np.isclose(ours.intercept_, theirs.intercept_, atol=1e-4)
    assert np.array_equal(ours.outliers_, theirs.outliers_) and ours.outliers_[:8].all()
    chosen = linear.HuberRegressionCV(delta=1.0, n_alphas=5).fit(X, y)
    assert np.array_equal(chosen.outliers_, np.abs(y - chosen.predict(X)) > 1.0)


@pytest.mark.parametrize("form", ["column", "frame", "list"])
@pytest.mark.parametrize("name", [
    "SquareRootLasso", "SquareRootLassoCV", "Lasso", "LassoCV", "HuberRegression", "QuantileRegression", "PoissonRegression",
    "GeneralizedLinearRegressor", "LogisticRegression", "LogisticRegressionCV"])
def test_a_column_of_offsets_is_the_vector(name, form):
    pandas = pytest.importorskip("pandas")
    offset, weights = RNG.normal(size=80), RNG.integers(0, 3, 80).astype(float)
    forms = {"column": lambda v: v[:, None], "frame": lambda v: pandas.DataFrame({"v": v}), "list": list}
    kind, y = getattr(linear, name), Y > 0 if "Logistic" in name else np.abs(Y)
    more = {"delta": None} if name == "HuberRegression" else {"n_alphas": 5, "cv": 3} if name.endswith("CV") else {}
    ours, vector = (kind(**more).fit(X, y, sample_weight=given(weights), offset=given(offset)) for given in (forms[form], np.asarray))
    assert np.array_equal(ours.coef_, vector.coef_) and np.array_equal(ours.intercept_, vector.intercept_)
    assert np.array_equal(ours.predict(X, forms[form](offset)), vector.predict(X, offset))
    with pytest.raises(ValueError, match="offset: an array of shape"):
        kind(**more).fit(X, y, offset=np.ones((80, 2)))


@pytest.mark.parametrize("kind", [linear.GroupLasso, linear.SparseGroupLasso, linear.GroupLassoCV])
def test_groups_are_lists_of_positions_or_labels(kind):
    with pytest.raises(ValueError, match="entry 0 of the variable .* is in no group"):
        kind(groups=[[2]]).fit(X, Y)  # one group of one column, no size
    for groups, said in (([[0, 1.7], [2, 3]], "groups: an array of float64"), ([["a", "b"], ["c", "d"]], "groups: an array of <U1"),
                         ([["a"]], "groups: an array of <U1"), ([[0, 10], [1]], "position 10"), (["a", None] * 5, "entry 1 has no label"),
                         ([np.nan] * 5 + [1.0] * 5, "entry 0 has no label")):
        with pytest.raises(ValueError, match=said):
            kind(groups=groups).fit(X, Y)
    one = linear.GroupLasso(0.1, groups=[[0]]).fit(X[:, :1], Y)
    assert one.coef_ == pytest.approx(linear.Lasso(0.1).fit(X[:, :1], Y).coef_, abs=1e-5)
    with pytest.raises(claros.UsageError, match="penalty.groups: an array of float64"):
        claros.solve(objective="linear-model", data=(X, Y), penalty={"use": "group", "lambda": 0.1, "groups": [[0, 1.7], [2, 3]]})


@pytest.mark.parametrize("settings", [
    {"positive": True}, {"penalty_weights": [np.inf, *np.ones(9)]}, {"penalty_weights": [np.inf, 0, *np.ones(8)]},
    {"penalty": "group", "groups": 2, "group_weights": [np.inf, 1, 1, 1, 1]}, {"penalty": "elastic-net", "positive": True}], ids=str)
def test_what_a_penalty_forbids_holds_at_alpha_zero_beside_a_constraint(settings):
    wide = {"use": "box", "lower": -50, "upper": 50}
    ours, plain = (linear.GeneralizedLinearRegressor(0.0, constraint=c, tol=1e-9, max_iter=100000, **settings).fit(X, Y) for c in (wide, None))
    assert ours.coef_ == pytest.approx(plain.coef_, abs=1e-4)


@pytest.mark.parametrize("weights, said", [
    ({False: -3, True: 1}, "-3 for the class"), ({False: np.nan}, "nan for the class"), ({True: 0, False: 1}, "0 for the class"),
    ({True: np.inf}, "inf for the class")])
def test_wrong_weights_of_classes_are_named(weights, said):
    for kind in (linear.LogisticRegression, linear.SquaredHingeClassifier, linear.LogisticRegressionCV):
        with pytest.raises(ValueError, match=f"^class_weight: .*{said}"):
            kind(class_weight=weights).fit(X, Y > 0)


def test_classes_that_are_missing_or_mixed_are_refused():
    for y, said in ((np.array(["a", "b", None, "c"] * 20, object), "entry 2 has no label"),
                    (np.array(["a", 1] * 40, object), "numbers and texts")):
        with pytest.raises(ValueError, match=f"^y: .*{said}"):
            linear.LogisticRegression().fit(X, y)


@pytest.mark.parametrize("kind", ["string", "object", "category", "Int64", "boolean"])
def test_a_class_that_is_missing_in_pandas_is_named(kind):
    pandas = pytest.importorskip("pandas")
    from claros import inference

    label = {"Int64": 1, "boolean": True}.get(kind, "a")
    y = pandas.Series([label, label, pandas.NA, label] * 20, dtype=kind)
    model = linear.LogisticRegression()
    for fit in (model.fit, linear.LogisticRegressionCV().fit, linear.SquaredHingeClassifier().fit,
                linear.LogisticRegressionCV(scoring="f1", cv=3).fit,
                lambda *rows: inference.bootstrap_support(model, *rows),
                lambda *rows: inference.prediction_error(model, *rows, loss=np.not_equal)):
        with pytest.raises(ValueError, match="^y: entry 2 has no label"):
            fit(X, y)


def test_constant_columns_and_responses_have_the_solution_zero_on_every_grid():
    for model in (linear.ElasticNetCV(l1_ratio=0), linear.ElasticNetCV(l1_ratio=0, alphas=[1.0]),
                  linear.GeneralizedLinearRegressorCV(penalty="ridge"), linear.LassoCV()):
        for rows, y in ((0 * X, Y), (np.ones((80, 2)), Y), (X, np.full(80, 2.5))):
            fit = clone(model).set_params(cv=3).fit(rows, y)
            assert np.abs(fit.coef_).max() < 1e-12 and fit.intercept_ == pytest.approx(y.mean())
    for penalty in ("l1", "ridge"):
        fit = linear.LogisticRegressionCV(penalty=penalty, cv=3).fit(0 * X, Y > 0)
        assert not fit.coef_.any() and fit.predict_proba(X)[0, 1] == pytest.approx((Y > 0).mean(), abs=1e-3)


_DAYS = np.arange(80) * np.timedelta64(1, "D")
TIMES = {"durations": _DAYS, "dates": np.datetime64("2020-01-01") + _DAYS, "nanoseconds": _DAYS.astype("m8[ns]"), "list": list(_DAYS)}


@pytest.mark.parametrize("times", ["durations", "dates", "nanoseconds", "list", "series", "objects", "periods", "frame"])
def test_dates_and_durations_are_no_numbers(times):
    pandas = pytest.importorskip("pandas")
    values = {**TIMES, "series": pandas.Series(TIMES["dates"]), "objects": pandas.Series(TIMES["durations"]).astype(object),
              "periods": pandas.Series(pandas.period_range("2020", periods=80)), "frame": pandas.DataFrame({"t": TIMES["durations"]})}[times]
    for kind in (linear.Lasso, linear.LassoCV, linear.SquareRootLasso, linear.MultiTaskLasso, linear.PoissonRegression):
        with pytest.raises(ValueError, match="^y: dates or durations"):
            kind().fit(X, values)
    for more in ({"sample_weight": values}, {"offset": values}):
        with pytest.raises(ValueError, match="not of numbers"):
            linear.Lasso().fit(X, Y, **more)
    with pytest.raises(ValueError, match="not of numbers"):
        claros.rows(X, values)
    table = values if times == "frame" else np.asarray(values)[:, None]
    for fit in (lambda: linear.Lasso().fit(table, Y), lambda: linear.Lasso().fit(X[:, :1], Y).predict(table)):
        with pytest.raises(ValueError, match="dates or durations|column 't' holds"):
            fit()


@pytest.mark.parametrize("kind", [linear.Lasso, linear.LassoCV, linear.LogisticRegression, linear.MultiTaskLasso, linear.SquareRootLassoCV])
def test_masked_numbers_of_rows_are_refused(kind):
    def masked(values):
        return np.ma.array(values, mask=np.arange(80) < 3)

    y = Y > 0 if kind is linear.LogisticRegression else Y
    for name, call in (("sample_weight", lambda: kind().fit(X, y, sample_weight=masked(np.ones(80)))),
                       ("y", lambda: kind().fit(X, masked(y)))):
        with pytest.raises(ValueError, match=f"^{name}: 3 entries that are masked"):
            call()
    assert np.array_equal(kind().fit(X, y, sample_weight=np.ma.array(np.ones(80))).coef_, kind().fit(X, y).coef_)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "float16", "float32", "uint64"])
def test_responses_of_any_type_are_numbers_in_double_precision(dtype):
    rng = np.random.default_rng(0)
    rows, y = X[:60], np.clip(np.round(60 + 25 * X[:60, 0] + 5 * rng.normal(size=60)), 1, 127)
    weights = rng.integers(1, 100, 60)
    for model in (linear.SquareRootLassoCV(refit=False, n_alphas=3, cv=3), linear.LassoCV(scoring="max_error", n_alphas=3, cv=3),
                  linear.HuberRegression(0.1, delta=5), linear.MultiTaskLasso(0.1), linear.PoissonRegression(0.01)):
        exact = clone(model).fit(rows, y, sample_weight=weights)
        found = clone(model).fit(rows, y.astype(dtype), sample_weight=weights.astype("int8"))
        for name in ("coef_", "intercept_", "noise_", "outliers_"):
            assert np.allclose(getattr(found, name, 0.0), getattr(exact, name, 0.0), rtol=1e-7), (model, name)
        assert found.score(rows, y.astype(dtype), weights.astype("int8")) == pytest.approx(exact.score(rows, y, weights))


@pytest.mark.parametrize("kind", [linear.Lasso, linear.LassoCV, linear.MCPRegression, linear.LogisticRegression, linear.MultiTaskLasso,
                                  linear.MultiTaskElasticNetCV, matrix.LowRankRegression, survival.CoxRegression])
def test_a_sparse_matrix_of_what_has_an_entry_a_row_is_refused(kind):
    y = np.column_stack([np.exp(Y), Y > -1]) if kind is survival.CoxRegression else (Y > 0).astype(float)
    for wrong in (sparse.csr_matrix(y.reshape(80, -1)), sparse.csc_matrix(np.column_stack([np.exp(Y), Y > -1]))):
        with pytest.raises(ValueError, match=r"^y: a sparse matrix, expected a dense array \(give y.toarray\(\)\)"):
            kind().fit(X, wrong)
        with pytest.raises(ValueError, match="^sample_weight: a sparse matrix"):
            kind().fit(X, y, sample_weight=wrong)
    assert np.isfinite(kind().fit(X, y, sample_weight=np.ones((80, 1))).coef_).all()
