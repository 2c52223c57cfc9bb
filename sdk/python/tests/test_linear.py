# SPDX-License-Identifier: BSD-3-Clause
"""The estimators of claros.linear: the solutions of scikit-learn, groups, weights and warm starts."""
import gc
import os
import pickle

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
from claros import linear  # noqa: E402

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
    ours = linear.Lasso(0.1, positive=True, tol=1e-8).fit(X, Y)
    theirs = linear_model.Lasso(0.1, positive=True, tol=1e-12).fit(X, Y)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-3)


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


def test_warm_start_takes_fewer_steps():
    model = linear.HuberRegression(0.05, warm_start=True).fit(X, Y)
    first = model.n_iter_
    assert model.fit(X, Y).n_iter_ <= first


def test_unfinished_fit_warns():
    with pytest.warns(sklearn.exceptions.ConvergenceWarning, match="raise max_iter"):
        linear.MCPRegression(0.1, tol=1e-14, max_iter=1).fit(X, Y)


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
        model = linear.QuantileRegression(1e-4, quantile=quantile, delta=0.01).fit(rows, y)
        assert np.mean(y < model.predict(rows)) == pytest.approx(quantile, abs=0.03)


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
    assert not constant.coef_.any() and constant.intercept_ == pytest.approx(0.1) and constant.noise_ == 0
    y = rows[:, 0] + 0.3 * rng.normal(size=60) - 7.0
    model = linear.SquareRootLassoCV(n_alphas=15, eps=1e-2).fit(rows, y)
    assert model.alpha_ == model.alphas_[np.argmin(model.loss_path_)]
    assert model.coef_ == pytest.approx(linear.SquareRootLasso(model.alpha_).fit(rows, y).coef_, abs=1e-3)
    assert model.alphas_[0] == pytest.approx(np.abs((rows - rows.mean(0)).T @ (y - y.mean())).max() / 60 / y.std())
    assert 0.2 < model.loss_path_.min() < 0.5
    start = linear.SquareRootLasso(0.1, warm_start=True).fit(rows, y)
    coef = start.coef_.copy()
    assert start.fit(rows, y).n_iter_ == 1 and start.coef_ == pytest.approx(coef, abs=1e-4)
