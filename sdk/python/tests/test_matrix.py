# SPDX-License-Identifier: BSD-3-Clause
"""Several responses, imputation and ratings: against scikit-learn, optimality conditions, and data of known rank."""
import re
import warnings

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")
from scipy import sparse  # noqa: E402
from sklearn import covariance, linear_model  # noqa: E402
from sklearn.exceptions import ConvergenceWarning  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402

import claros  # noqa: E402
from claros import arrays, errors, linear, matrix  # noqa: E402

RNG = np.random.default_rng(5)
X = RNG.normal(size=(60, 8)) + 2.0
B = np.zeros((8, 4))
B[:3] = RNG.normal(size=(3, 4))
Y = X @ B + 1.0 + 0.3 * RNG.normal(size=(60, 4))


@pytest.mark.parametrize("rows", [60, 6], ids=["tall", "wide"])
@pytest.mark.parametrize("intercept", [True, False])
def test_multi_task_lasso_is_that_of_scikit_learn(rows, intercept):
    ours = linear.MultiTaskLasso(0.2, fit_intercept=intercept, tol=1e-10).fit(X[:rows], Y[:rows])
    theirs = linear_model.MultiTaskLasso(0.2, fit_intercept=intercept, tol=1e-12, max_iter=100000).fit(X[:rows], Y[:rows])
    assert ours.coef_.shape == (4, 8)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-4)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-3)
    residual = Y[:rows] - ours.predict(X[:rows])
    value = np.sum(residual**2) / (2 * rows) + 0.2 * np.linalg.norm(ours.coef_, axis=0).sum()
    assert ours.value_ == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("rows", [60, 6], ids=["tall", "wide"])
@pytest.mark.parametrize("alpha, l1_ratio", [(0.2, 0.5), (0.2, 1.0), (0.5, 0.1)])
def test_multi_task_elastic_net_is_that_of_scikit_learn(rows, alpha, l1_ratio):
    x, y = X[:rows], Y[:rows]
    ours = linear.MultiTaskElasticNet(alpha, l1_ratio=l1_ratio, tol=1e-13).fit(x, y)
    theirs = linear_model.MultiTaskElasticNet(alpha, l1_ratio=l1_ratio, tol=1e-12, max_iter=100000).fit(x, y)
    assert np.allclose(ours.coef_, theirs.coef_, atol=1e-6) and np.allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
    squares = ((y - ours.predict(x)) ** 2).sum() / (2 * rows)
    rest = l1_ratio * np.linalg.norm(ours.coef_, axis=0).sum() + 0.5 * (1 - l1_ratio) * (ours.coef_ ** 2).sum()
    assert np.isclose(ours.value_, squares + alpha * rest, rtol=1e-9) and ours.dual_gap_ <= 1e-9


def test_multi_task_elastic_net_of_squares_alone_is_ridge():
    ours = linear.MultiTaskElasticNet(0.3, l1_ratio=0.0, tol=1e-10).fit(X, Y)
    assert np.allclose(ours.coef_, linear_model.Ridge(0.3 * len(X)).fit(X, Y).coef_, atol=1e-7)


def test_multi_task_elastic_net_chooses_an_alpha_by_folds():
    """The fit at the chosen alpha is that of scikit-learn, the losses of the folds have their least there, and the
    largest alpha is the least whose solution is 0."""
    ours = linear.MultiTaskElasticNetCV(l1_ratio=0.7, n_alphas=12, eps=1e-2, cv=4, tol=1e-8).fit(X, Y)
    theirs = linear_model.MultiTaskElasticNet(ours.alpha_, l1_ratio=0.7, tol=1e-12, max_iter=100000).fit(X, Y)
    assert np.allclose(ours.coef_, theirs.coef_, atol=1e-4) and np.allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
    assert ours.alpha_ == ours.alphas_[np.argmin(ours.loss_path_)]
    slopes = (X - X.mean(axis=0)).T @ Y / len(X)
    assert np.isclose(ours.alphas_[0], np.linalg.norm(slopes, axis=1).max() / 0.7)
    # With B = 0 the loss of a row is half its squared distance to the means of the others.
    assert 0.4 * Y.var(axis=0).sum() < ours.loss_path_[0] < 0.7 * Y.var(axis=0).sum()


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_matrix, np.asfortranarray, np.float32])
def test_responses_of_rows_of_every_form(form, intercept):
    weights = RNG.integers(1, 3, size=60).astype(float)
    rows = np.where(RNG.uniform(size=X.shape) < 0.5, X, 0.0).astype(np.float32).astype(np.float64)
    for kind in (linear.MultiTaskLasso, linear.MultiTaskElasticNet, matrix.LowRankRegression):
        plain = kind(0.1, fit_intercept=intercept, tol=1e-9).fit(rows, Y, weights)
        other = kind(0.1, fit_intercept=intercept, tol=1e-9).fit(form(rows), Y, weights)
        assert np.allclose(other.coef_, plain.coef_, atol=1e-4) and np.allclose(other.intercept_, plain.intercept_, atol=1e-4)
        assert np.allclose(other.predict(form(rows)), plain.predict(rows), atol=1e-3)
        assert other.dual_gap_ <= 1e-9 * other.value_ * (1 + 1e-6)


@pytest.mark.parametrize("factor", [1e-8, 1.0, 1e8])
def test_responses_in_other_units(factor):
    plain, other = linear.MultiTaskLasso(0.2, tol=1e-12).fit(X, Y), linear.MultiTaskLasso(0.2 * factor, tol=1e-12).fit(X, Y * factor)
    assert np.allclose(other.coef_ / factor, plain.coef_, atol=1e-7)


def test_one_row_one_column_and_equal_columns():
    assert np.all(linear.MultiTaskLasso(0.1).fit(X[:1], Y[:1]).coef_ == 0)
    one = linear.MultiTaskLasso(0.05, tol=1e-12).fit(X[:, :1], Y)
    assert np.allclose(one.coef_, linear_model.MultiTaskLasso(0.05, tol=1e-14).fit(X[:, :1], Y).coef_, atol=1e-9)
    twice = linear.MultiTaskLasso(0.1, tol=1e-12).fit(np.hstack([X, X]), Y)
    assert np.allclose(twice.predict(np.hstack([X, X])), linear.MultiTaskLasso(0.1, tol=1e-12).fit(X, Y).predict(X), atol=1e-5)


def gaussian(rows, cols=12, seed=3):
    rng = np.random.default_rng(seed)
    precision = np.eye(cols) + 0.4 * (np.eye(cols, k=1) + np.eye(cols, k=-1))
    return 1.0 + rng.standard_normal((rows, cols)) @ np.linalg.cholesky(np.linalg.inv(precision)).T


@pytest.mark.parametrize("rows", [200, 8], ids=["tall", "wide"])
@pytest.mark.parametrize("assume_centered", [True, False])
def test_graphical_lasso_is_that_of_scikit_learn(rows, assume_centered):
    """To 5e-4: the two matrices of scikit-learn are inverses of each other to 2e-4 alone."""
    x = gaussian(rows)
    ours = matrix.GraphicalLasso(0.3, assume_centered=assume_centered, tol=1e-11, max_iter=100000).fit(x)
    theirs = covariance.GraphicalLasso(0.3, assume_centered=assume_centered, tol=1e-9, enet_tol=1e-10, max_iter=1000).fit(x)
    assert np.allclose(ours.precision_, theirs.precision_, atol=5e-4)
    assert np.allclose(ours.covariance_, theirs.covariance_, atol=5e-4)
    assert np.array_equal(ours.location_, theirs.location_) and 0 <= ours.dual_gap_ <= 1e-7
    assert np.isclose(ours.score(x), theirs.score(x), rtol=1e-5)
    assert np.allclose(ours.mahalanobis(x), theirs.mahalanobis(x), rtol=1e-3)


def test_graphical_lasso_satisfies_its_optimality_conditions():
    x = gaussian(200)
    model = matrix.GraphicalLasso(0.1, tol=1e-10).fit(x)
    slope = model.covariance_ - np.cov(x.T, bias=True)
    apart = ~np.eye(len(slope), dtype=bool)
    zero = (model.precision_ == 0) & apart
    assert 0 < zero.sum() < apart.sum()
    assert np.allclose(np.diag(slope), 0, atol=1e-4) and np.all(np.abs(slope[zero]) <= 0.1 + 1e-4)
    assert np.allclose(slope[apart & ~zero], 0.1 * np.sign(model.precision_[apart & ~zero]), atol=1e-4)


def test_graphical_lasso_without_a_penalty_and_with_a_large_one():
    x = gaussian(200)
    S = np.cov(x.T, bias=True)
    assert np.allclose(matrix.GraphicalLasso(0.0, tol=1e-9).fit(x).precision_, np.linalg.inv(S), atol=1e-4)
    largest = np.abs(S - np.diag(np.diag(S))).max()
    assert np.count_nonzero(matrix.GraphicalLasso(1.001 * largest).fit(x).precision_) == len(S)
    assert np.count_nonzero(matrix.GraphicalLasso(0.98 * largest).fit(x).precision_) == len(S) + 2


def test_graphical_lasso_refuses_a_column_without_a_variance():
    x = gaussian(20)
    x[:, 4] = 2.0
    with pytest.raises(ValueError, match="column 4 has no variance"):
        matrix.GraphicalLasso().fit(x)


def test_unfinished_fits_of_the_graphical_lasso_say_the_gap_that_ends_a_fit():
    with pytest.warns(sklearn.exceptions.ConvergenceWarning, match=r"absolute or relative\) (\S+), tol") as caught:
        model = matrix.GraphicalLasso(max_iter=2).fit(gaussian(60, 6))
    assert f"{min(model.dual_gap_, model.result_.relative_gap):.2e}" in str(caught[0].message)
    with pytest.warns(sklearn.exceptions.ConvergenceWarning, match="no alpha of 4 .*absolute or relative") as caught:
        matrix.GraphicalLassoCV(n_alphas=4, cv=3, max_iter=1, tol=1e-12).fit(gaussian(60, 6))
    assert len(caught) == 1


def test_low_rank_regression_satisfies_its_optimality_conditions():
    """G = X'(Y - X B)/n has the spectral norm alpha, and <G, B> = alpha ||B||_*."""
    model = matrix.LowRankRegression(0.3, tol=1e-10).fit(X, Y)
    coefficients = model.coef_.T
    G = (X - X.mean(axis=0)).T @ (Y - model.predict(X)) / 60
    assert np.linalg.norm(G, 2) == pytest.approx(0.3, rel=1e-4)
    assert np.vdot(G, coefficients) == pytest.approx(0.3 * np.linalg.norm(coefficients, "nuc"), rel=1e-4)
    assert 0 < model.rank_ < 4 and model.dual_gap_ <= 1e-9 * model.value_


def test_weights_of_responses_are_repetitions():
    weights = RNG.integers(0, 3, size=60)
    repeated = np.repeat(np.arange(60), weights)
    for kind in (linear.MultiTaskLasso, matrix.LowRankRegression):
        weighted = kind(0.2, tol=1e-10).fit(X, Y, sample_weight=weights)
        assert weighted.coef_ == pytest.approx(kind(0.2, tol=1e-10).fit(X[repeated], Y[repeated]).coef_, abs=1e-5)


def test_low_rank_regression_chooses_alpha():
    model = matrix.LowRankRegressionCV(n_alphas=10, eps=1e-2).fit(X, Y)
    assert model.alpha_ == model.alphas_[np.argmin(model.loss_path_)] and model.score(X, Y) > 0.8
    other = matrix.LowRankRegressionCV(n_alphas=10, eps=1e-2, selection="one-standard-error").fit(X, Y)
    assert other.alpha_ >= model.alpha_


def low_rank(rows, cols, rank, known, seed=6):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, cols)) + 5.0
    return truth, np.where(rng.uniform(size=truth.shape) < known, truth, np.nan)


def test_imputation_recovers_a_matrix_of_low_rank():
    truth, seen = low_rank(80, 30, 2, 0.5)
    model = matrix.MatrixImputer(alpha=1e-4).fit(seen)
    filled = model.transform(seen)
    missing = np.isnan(seen)
    assert np.array_equal(filled[~missing], seen[~missing])
    assert np.sqrt(np.mean((filled - truth)[missing] ** 2)) < 0.05 < np.nanstd(seen - model.mean_)


def test_imputation_of_a_row_of_the_fit_is_its_solution():
    _, seen = low_rank(80, 30, 2, 0.5)
    model = matrix.MatrixImputer(tol=1e-12).fit(seen)
    missing = np.isnan(seen)
    assert model.transform(seen)[missing] == pytest.approx((model.result_.x + model.mean_)[missing], abs=1e-4)


def test_imputation_of_new_rows():
    truth, seen = low_rank(120, 30, 2, 0.6)
    model = matrix.MatrixImputer(alpha=1e-4).fit(seen[:80])
    missing = np.isnan(seen[80:])
    assert np.sqrt(np.mean((model.transform(seen[80:]) - truth[80:])[missing] ** 2)) < 0.1
    pipeline = make_pipeline(matrix.MatrixImputer(), linear.Lasso(0.01)).fit(seen, truth[:, 0])
    assert pipeline.score(seen, truth[:, 0]) > 0.8
    with pytest.raises(ValueError, match="column 3"):
        model.fit(np.where(np.arange(30) == 3, np.nan, seen))


@pytest.mark.parametrize("scale", [1e90, 1e100])
def test_graphical_lasso_out_of_the_range_of_numbers_ends_and_says_so(scale):
    """Steps then leave the positive definite matrices, where there is no gradient to go on with."""
    rows = np.random.default_rng(0).normal(size=(40, 6))
    with pytest.warns(sklearn.exceptions.ConvergenceWarning):
        model = matrix.GraphicalLasso(alpha=1e-2 * scale**2, max_iter=300).fit(scale * rows)
    assert not model.result_.target and not model.result_.certifies


def test_imputation_of_a_table_with_a_large_constant_column_is_that_of_the_others():
    """The variation of one column says nothing of another's, however large that one is."""
    rng = np.random.default_rng(1)
    seen = np.outer(rng.normal(size=20), rng.normal(size=4))
    seen[rng.random(seen.shape) < 0.2] = np.nan
    plain = matrix.MatrixImputer(alpha=1e-3, tol=1e-8).fit(np.c_[seen, np.ones(20)])
    for constant in (1e13, 1e300, -0.1):
        model = matrix.MatrixImputer(alpha=1e-3, tol=1e-8).fit(np.c_[seen, np.full(20, constant)])
        assert model.n_iter_ > 1 and len(model.components_) and model.mean_[4] == constant
        assert model.result_.value == pytest.approx(plain.result_.value, rel=1e-7)
        assert 0 <= model.dual_gap_ <= 1e-8 * model.result_.value


def test_imputation_of_constant_columns_is_exact_and_leaves_no_result_of_an_earlier_fit():
    _, seen = low_rank(30, 6, 2, 0.7)
    for alpha in (None, 0.3):
        model = matrix.MatrixImputer(alpha=alpha).fit(seen)
        assert model.result_.target
        constant = np.where(np.isnan(seen), np.nan, [0.1, 1e13, 1e-9, 3.0, -0.7, 0.0])
        filled = model.fit(constant).transform(constant)
        assert np.array_equal(filled, np.broadcast_to([0.1, 1e13, 1e-9, 3.0, -0.7, 0.0], filled.shape))
        assert model.result_ is None and model.dual_gap_ == 0.0 and model.alpha_ == (alpha or 0.0)
    # An entry that differs by one unit in the last place is data: its loss at 0 is all that is at stake.
    constant[0, 0] = np.nextafter(0.1, 1.0)
    assert model.fit(constant).result_.target and 0 <= model.dual_gap_ < 1e-32


def ratings():
    rng = np.random.default_rng(7)
    truth = 3.5 + rng.normal(size=(50, 1)) + rng.normal(size=(1, 40)) + rng.normal(size=(50, 2)) @ rng.normal(size=(2, 40))
    i, j = np.nonzero(rng.uniform(size=truth.shape) < 0.5)
    return truth, i, j


def test_ratings_are_predicted():
    truth, i, j = ratings()
    held = np.arange(i.size) % 5 == 0
    users, films = np.char.add("u", i.astype(str)), np.char.add("f", j.astype(str))
    model = matrix.RatingsModel(alpha=2e-4).fit(users[~held], films[~held], truth[i, j][~held])
    error = np.sqrt(np.mean((model.predict(users[held], films[held]) - truth[i, j][held]) ** 2))
    means = matrix.RatingsModel(alpha=1e3).fit(users[~held], films[~held], truth[i, j][~held])
    assert error < 0.5 * np.sqrt(np.mean((means.predict(users[held], films[held]) - truth[i, j][held]) ** 2))
    inside = model.predict(users, films)
    assert inside.min() >= model.range_[0] and inside.max() <= model.range_[1]


@pytest.mark.parametrize("tastes, share", [(1.0, 0.3), (1.0, 0.1), (0.3, 0.3), (0.0, 0.05)])
def test_without_an_alpha_a_fit_is_near_the_best_one_and_no_worse_than_its_biases(tastes, share):
    rng = np.random.default_rng(12)
    m, n = 300, 150
    truth = 3.5 + 0.5 * rng.normal(size=(m, 1)) + 0.5 * rng.normal(size=(1, n)) + tastes * (
        rng.normal(size=(m, 2)) @ rng.normal(size=(2, n)))
    i, j = np.nonzero(rng.uniform(size=truth.shape) < share)
    y = truth[i, j] + 0.5 * rng.normal(size=i.size)
    a, b = np.nonzero(rng.uniform(size=truth.shape) < 0.5)  # against the truth: no noise in the comparison

    def error(alpha):
        model = matrix.RatingsModel(alpha, tol=1e-3).fit(i, j, y)
        return np.sqrt(np.mean((model.predict(a, b, clip=False) - truth[a, b]) ** 2 + 0.25)), model

    chosen, model = error(None)
    grid = [error(model.alpha_ * factor)[0] for factor in (1e6, 2.0, 1.4, 0.7, 0.5)]
    assert any("held out at random" in text for text in model.result_.messages)
    assert chosen <= 1.005 * min(grid) and chosen <= grid[0] * (1 + 1e-9)
    assert matrix.RatingsModel(tol=1e-3).fit(i, j, y).alpha_ == model.alpha_


@pytest.mark.parametrize("tastes, share", [(1.0, 0.3), (1.0, 0.1), (0.3, 0.3), (0.0, 0.01)])
def test_as_it_comes_a_ratings_model_ends_by_the_error_of_ratings_held_out_near_the_best_minimum(tastes, share):
    rng = np.random.default_rng(14)
    m, n = 400, 200
    truth = 3.5 + 0.5 * rng.normal(size=(m, 1)) + 0.5 * rng.normal(size=(1, n)) + tastes * (
        rng.normal(size=(m, 2)) @ rng.normal(size=(2, n)))
    i, j = np.nonzero(rng.uniform(size=truth.shape) < share)
    y = truth[i, j] + 0.5 * rng.normal(size=i.size)
    known = np.isin(np.arange(m), i), np.isin(np.arange(n), j)
    a, b = np.nonzero(known[0][:, None] & known[1][None, :] & (rng.uniform(size=truth.shape) < 0.5))

    def error(model):
        return np.sqrt(np.mean((model.fit(i, j, y).predict(a, b, clip=False) - truth[a, b]) ** 2 + 0.25))

    model = matrix.RatingsModel()
    chosen = error(model)
    assert model.result_.status == "iterations" and not model.result_.target and model.validation_rmse_ > 0.0
    choice = model.result_.choices["penalty.lambda"]
    assert model.validation_rmse_ == choice["rmse"][choice["chosen"]] and model.alpha_ == choice["tried"][choice["chosen"]]
    assert any(f"RMSE {model.validation_rmse_:.5g} there" in text for text in model.result_.messages)
    assert model.result_.s is None or len(model.result_.s) <= 24
    others = [error(matrix.RatingsModel(model.alpha_ * factor, tol=1e-3)) for factor in (1e6, 2.0, 1.4, 1.0, 0.7, 0.5)]
    assert chosen <= 1.005 * min(others) and chosen <= others[0] * (1 + 1e-9)
    assert matrix.RatingsModel(patience=2).fit(i, j, y).result_.status == "validation"
    assert matrix.RatingsModel(tol=1e-3).fit(i, j, y).result_.status == "relative-gap"
    if tastes == 0.0:  # ratings without a taste end the path soon
        tried = [re.search(r"(\d+) lambdas tried", text) for text in model.result_.messages]
        assert all(int(found[1]) <= 10 for found in tried if found) and any(tried)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        assert matrix.RatingsModel(max_iter=1).fit(i, j, y).n_iter_ == 1
    with pytest.raises(ValueError, match="'tol'"):
        matrix.RatingsModel(tol=0.0).fit(i, j, y)


@pytest.mark.parametrize("kind", [matrix.RatingsModel, matrix.RatingsModelCV])
@pytest.mark.parametrize("value", [0.0, 4.0])
def test_ratings_that_a_model_fits_exactly_draw_no_warning_of_an_early_end(kind, value):
    i, j = np.divmod(np.arange(100), 10)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        fit = kind().fit(i, j, np.full(100, value))
    assert fit.dual_gap_ == 0 and fit.predict(i, j) == pytest.approx(np.full(100, value))


def test_too_few_ratings_to_hold_some_out_are_predicted_by_their_biases():
    model = matrix.RatingsModel().fit(IDS, ITEMS, STARS)
    alone = matrix.RatingsModel(1e3).fit(IDS, ITEMS, STARS)
    assert model.predict(IDS, ITEMS) == pytest.approx(alone.predict(IDS, ITEMS), abs=1e-9)
    assert any("too few" in text for text in model.result_.messages)


def test_ids_that_are_not_known():
    truth, i, j = ratings()
    model = matrix.RatingsModel().fit(i, j, truth[i, j])
    facts = model.result_.ratings
    assert model.predict([99, 3, 99], [99, 99, 5], clip=False) == pytest.approx(
        [facts["mean"], facts["mean"] + facts["row"][3], facts["mean"] + facts["col"][5]])


def test_recommendations_leave_out_what_is_rated():
    truth, i, j = ratings()
    model = matrix.RatingsModel(alpha=2e-4).fit(i, j, truth[i, j])
    films, values = model.recommend(7, count=5)
    assert len(films) == 5 and np.all(np.diff(values) <= 0) and not set(films) & set(j[i == 7])
    unseen = np.setdiff1d(np.arange(40), j[i == 7])
    assert set(films) == set(unseen[np.argsort(-model.predict(np.full(unseen.size, 7), unseen, clip=False))[:5]])
    assert model.recommend(999)[0].size == 10  # of the biases of the films
    with pytest.raises(ValueError, match="shapes"):
        model.fit(i, j[:5], truth[i, j])
    with pytest.raises(claros.DataError, match="two ratings"):
        model.fit(np.r_[i, i[:1]], np.r_[j, j[:1]], np.r_[truth[i, j], 1.0])


@pytest.mark.parametrize("center", ["none", "mean", "biases"])
def test_a_rating_of_weight_0_is_like_none(center):
    r = np.random.default_rng(0)
    i, j = np.repeat(np.arange(15), 8), np.concatenate([r.choice(12, 8, replace=False) for _ in range(15)])
    v = 3 + r.normal(size=15)[i] + r.normal(size=12)[j] + 0.1 * r.normal(size=120)
    kept = np.arange(120) % 10 != 0
    v[~kept] = 1e3
    weighted = matrix.RatingsModel(0.02, center=center, tol=1e-10).fit(i, j, v, kept * 1.0)
    without = matrix.RatingsModel(0.02, center=center, tol=1e-10).fit(i[kept], j[kept], v[kept])
    np.testing.assert_allclose(weighted.predict(i, j), without.predict(i, j), atol=1e-8)
    assert weighted.result_.value == pytest.approx(without.result_.value, rel=1e-8)
    assert weighted.range_ == without.range_


@pytest.mark.parametrize("name", ["RatingsModel", "RatingsModelCV"])
def test_ids_and_pairs_of_weight_0_are_those_without_a_rating(name):
    _, i, j, stars = noisy_ratings(20, 15)
    kept = (i != 3) & (j != 4) & (np.arange(i.size) % 7 > 0)
    stars[~kept] = 9.0
    weighted, without = getattr(matrix, name)(tol=1e-3), getattr(matrix, name)(tol=1e-3)
    weighted.fit(np.r_[i, i[kept][:2]], np.r_[j, j[kept][:2]], np.r_[stars, 7.0, 7.0], np.r_[kept, 0, 0])  # two pairs come twice
    without.fit(i[kept], j[kept], stars[kept])
    new = np.arange(15) % 3 > 0
    models = [(weighted, without), (weighted.fold_in([99] * 15, range(15), [4.0] * 15, new * 2.0),
                                    without.fold_in([99] * 10, np.flatnonzero(new), [4.0] * 10, [2.0] * 10))]
    for ours, theirs in models:
        assert list(ours.rows_) == list(theirs.rows_) and list(ours.cols_) == list(theirs.cols_)
        for found, expected in zip(ours.recommend([0, 3, 99], 15), theirs.recommend([0, 3, 99], 15)):
            np.testing.assert_allclose(found, expected, atol=1e-8)
        assert np.isin(j[(i == 0) & ~kept & (j != 4)], ours.recommend(0, 15)[0]).all()


def test_weights_of_ratings_are_those_of_a_weighted_mean():
    rng = np.random.default_rng(8)
    i, j = np.nonzero(rng.uniform(size=(12, 9)) < 0.6)
    y, w = rng.normal(size=i.size), rng.uniform(0.5, 3.0, size=i.size)
    model = matrix.RatingsModel(alpha=0.02, center="none", tol=1e-9).fit(i, j, y, sample_weight=w)
    at = model.predict(i, j, clip=False)
    loss = 0.5 * np.sum(w * (at - y) ** 2) / w.sum()
    assert model.result_.value == pytest.approx(loss + model.alpha_ * model.result_.s.sum(), rel=1e-9)
    equal = matrix.RatingsModel(alpha=0.02, center="none", tol=1e-9).fit(i, j, y, sample_weight=np.full(i.size, 3.0))
    plain = matrix.RatingsModel(alpha=0.02, center="none", tol=1e-9).fit(i, j, y)
    assert np.array_equal(equal.predict(i, j), plain.predict(i, j))
    with pytest.raises(ValueError, match="weight"):
        matrix.RatingsModel().fit(i, j, y, sample_weight=-w)
    with pytest.raises(ValueError, match="sample_weight"):
        matrix.RatingsModel().fit(i, j, y, sample_weight=w[1:])


def test_views_count_all_other_positions_as_zeros():
    rng = np.random.default_rng(9)
    seen, w0 = rng.uniform(size=(12, 9)) < 0.3, 0.2
    seen[np.arange(12), np.arange(12) % 9] = True
    i, j = np.nonzero(seen)
    views = matrix.RatingsModel(alpha=0.03, center="none", unobserved=w0, tol=1e-9).fit(i, j, np.ones(i.size))
    weights = np.where(seen, 1.0, w0).ravel()
    a, b = (ids.ravel() for ids in np.indices(seen.shape))
    ratio = weights.sum() / i.size
    every = matrix.RatingsModel(alpha=0.03 / ratio, center="none", tol=1e-9).fit(a, b, seen.ravel().astype(float), weights)
    assert views.result_.value == pytest.approx(ratio * every.result_.value, rel=1e-8)
    assert np.allclose(views.predict(a, b, clip=False), every.predict(a, b, clip=False), atol=1e-4)
    assert views.range_ == (0.0, 1.0)  # all other positions are 0
    assert np.allclose(views.predict(a, b), np.clip(views.predict(a, b, clip=False), 0.0, 1.0))
    with pytest.raises(ValueError, match="1.05"):
        matrix.RatingsModel(center="none", unobserved=2.0).fit(i, j, np.ones(i.size))


@pytest.mark.parametrize("weighted, model", [(False, {}), (True, {}), (True, {"center": "none", "unobserved": 0.1})])
def test_rows_folded_in_are_those_of_the_fit(weighted, model):
    """A row of the fit, folded in under another name, solves the same problem."""
    truth, i, j = ratings()
    y = np.ones(i.size) if "unobserved" in model else truth[i, j]
    w = np.random.default_rng(4).uniform(0.5, 2.0, i.size) if weighted else None
    fitted = matrix.RatingsModel(alpha=2e-3, tol=1e-9, **model).fit(i, j, y, sample_weight=w)
    some = np.isin(i, [3, 8, 20])
    more = fitted.fold_in(i[some] + 1000, j[some], y[some], None if w is None else w[some])
    cols = np.arange(40)
    for row in (3, 8, 20):
        expected = fitted.predict(np.full(40, row), cols, clip=False)
        assert more.predict(np.full(40, row + 1000), cols, clip=False) == pytest.approx(expected, abs=1e-3 * np.abs(expected).max())
        assert set(more.recommend(row + 1000, 5)[0]) == set(fitted.recommend(row, 5)[0])
    assert np.array_equal(more.predict(i, j), fitted.predict(i, j)) and 1003 not in fitted.rows_
    # Columns are not fitted to the rows that came: nothing is known of the minimum of the model with them.
    assert np.isnan([more.dual_gap_, more.result_.gap, more.result_.value, more.result_.lower_bound]).all()
    assert not more.result_.certifies and not more.result_.confirmed and not more.result_.target
    assert fitted.dual_gap_ == fitted.result_.gap >= 0 and fitted.result_.certifies and fitted.result_.target
    same = fitted.fold_in(i[some], j[some], y[some], None if w is None else w[some])
    assert np.array_equal(same.rows_, fitted.rows_)
    assert same.predict([8], [5], clip=False) == more.predict([1008], [5], clip=False)


def test_a_row_folded_in_minimises_its_own_problem():
    """Against scikit-learn's ridge regression on the columns of the fit."""
    from sklearn.linear_model import Ridge

    truth, i, j = ratings()
    y, new = truth[i, j], i % 5 == 0
    fitted = matrix.RatingsModel(alpha=2e-3, center="mean").fit(i[~new], j[~new], y[~new])
    more = fitted.fold_in(i[new], j[new], y[new])
    V, s = fitted.result_.V, fitted.result_.s
    of = i == 10
    ridge = Ridge(alpha=fitted.alpha_ * np.sum(~new), fit_intercept=False, solver="svd")
    Q = (V * np.sqrt(s))[np.searchsorted(fitted.cols_, j[of])]
    ridge.fit(Q, y[of] - fitted.result_.ratings["mean"])
    assert more.predict(i[of], j[of], clip=False) == pytest.approx(ridge.predict(Q) + fitted.result_.ratings["mean"], rel=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("center, unobserved", [("none", 0.0), ("none", 0.2), ("mean", 0.0), ("biases", 0.0)])
def test_rows_folded_in_solve_normal_equations_of_every_model(center, unobserved, weighted):
    """Of new rows, one of the fit and one with an unknown column, by least squares on rows that are stacked."""
    truth, i, j = ratings()
    rng = np.random.default_rng(12)
    y, w, new = truth[i, j], rng.uniform(0.5, 2.0, i.size), i % 5 == 0
    weights = (lambda which: w[which]) if weighted else (lambda which: None)
    fitted = matrix.RatingsModel(alpha=5e-3, center=center, unobserved=unobserved).fit(i[~new], j[~new], y[~new], weights(~new))
    facts, s = fitted.result_.ratings, fitted.result_.s
    Q = fitted.result_.V * np.sqrt(s)
    again = i == 3  # a row of the fit, with half of its ratings
    half = again & (np.cumsum(again) % 2 == 0)
    given = np.flatnonzero(new | half)[::-1]
    rows, cols, values = np.append(i[given], 10), np.append(j[given], 999), np.append(y[given], 7.0)
    more = fitted.fold_in(rows, cols, values, np.append(w[given], 1.5) if weighted else None)
    cols_bias = facts["col"] if facts["col"].size else np.zeros(len(fitted.cols_))
    assert facts["total_weight"] == pytest.approx(w[~new].sum() if weighted else np.sum(~new))
    for row in (0, 3, 10):
        of = given[i[given] == row]
        at = np.searchsorted(fitted.cols_, j[of])
        weight = w[of] if weighted else np.ones(of.size)
        rest = y[of] - facts["mean"] - cols_bias[at]
        bias = np.sum(weight * rest) / (weight.sum() + facts["row_bias"]) if center == "biases" else 0.0
        others = np.setdiff1d(np.arange(len(fitted.cols_)), at)
        left = np.vstack([np.sqrt(weight)[:, None] * Q[at], np.sqrt(unobserved) * Q[others],
                          np.sqrt(fitted.alpha_ * facts["total_weight"]) * np.eye(len(s))])
        right = np.concatenate([np.sqrt(weight) * (rest - bias), np.zeros(others.size + len(s))])
        p = np.linalg.lstsq(left, right, rcond=None)[0]
        expected = facts["mean"] + bias + cols_bias + Q @ p
        found = more.predict(np.full(len(fitted.cols_), row), fitted.cols_, clip=False)
        assert found == pytest.approx(expected, rel=1e-8, abs=1e-10)
    same = fitted.predict(np.full(40, 4), np.arange(40), clip=False)
    assert more.predict(np.full(40, 4), np.arange(40), clip=False) == pytest.approx(same, rel=1e-12)


def test_rows_that_cannot_be_folded_in():
    truth, i, j = ratings()
    fitted = matrix.RatingsModel(alpha=2e-3).fit(i, j, truth[i, j])
    facts = fitted.result_.ratings
    more = fitted.fold_in([500, 501, 501], [999, 999, 3], [1.0, 2.0, 4.0])
    assert more.predict([500], [3], clip=False) == pytest.approx(facts["mean"] + facts["col"][3])
    assert more.predict([501], [3], clip=False) != pytest.approx(facts["mean"] + facts["col"][3])
    with pytest.raises(ValueError, match="two ratings"):
        fitted.fold_in([500, 500], [3, 3], [1.0, 2.0])
    with pytest.raises(ValueError, match="shapes"):
        fitted.fold_in([500, 500], [3], [1.0, 2.0])
    with pytest.raises(ValueError, match="ids of type"):
        fitted.fold_in(["ann"], [3], [1.0])
    with pytest.raises(claros.DataError, match="^values: row 0"):
        fitted.fold_in([500], [3], [np.nan])
    with pytest.raises(ValueError, match="weight"):
        fitted.fold_in([500], [3], [1.0], [-1.0])


def test_a_checkpoint_is_of_the_weights_that_it_was_made_with(tmp_path):
    """f(0) is the same for both weights: the contents of the data alone tell them apart."""
    i, j, y = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.array([1.0, -1.0, 1.0, 1.0])

    def data(weights):
        return arrays.ratings(i, j, y, (2, 2), weights=np.array(weights))

    claros.solve(objective="matrix-completion", data=data([1.0, 2.0, 3.0, 4.0]), penalty={"use": "nuclear", "lambda": 0.01},
                 algorithm="proximal-gradient", stop={"iterations": 2}, out=tmp_path / "run")
    with pytest.raises(errors.Error, match="data"):
        claros.resume(tmp_path / "run", data=data([4.0, 3.0, 2.0, 1.0]), stop={"iterations": 4})
    resumed = claros.resume(tmp_path / "run", data=data([1.0, 2.0, 3.0, 4.0]), stop={"iterations": 4})
    assert resumed.iterations == 4


LOSSES = {
    "logistic": (lambda x, y: np.logaddexp(0.0, -y * x), lambda x, y: -y / (1.0 + np.exp(y * x))),
    "squared-hinge": (lambda x, y: 0.5 * np.maximum(0.0, 1.0 - y * x) ** 2, lambda x, y: -y * np.maximum(0.0, 1.0 - y * x)),
    "poisson": (lambda x, y: np.exp(x) - y * x - y + y * np.log(np.maximum(y, 1.0)), lambda x, y: np.exp(x) - y),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_signs_with_weighted_negatives_and_counts_satisfy_their_optimality_conditions(loss):
    """The gradient G has the spectral norm lambda, and <G, X> = -lambda ||X||_*: what numpy finds at the solution."""
    rng = np.random.default_rng(23)
    Z = rng.normal(size=(15, 2)) @ rng.normal(size=(2, 12))
    i, j = np.nonzero(rng.random((15, 12)) < 0.6)
    y = rng.poisson(np.exp(0.5 * Z[i, j])).astype(float) if loss == "poisson" else np.where(Z[i, j] > 0, 1.0, -1.0)
    w = np.ones(y.size) if loss == "poisson" else np.where(y > 0, 1.0, 0.2)
    psi, slope = LOSSES[loss]
    result = claros.solve(objective={"use": "matrix-completion", "loss": loss}, data=arrays.ratings(i, j, y, (15, 12), weights=w),
                          penalty={"use": "nuclear", "lambda": 0.02}, stop={"relative_gap": 1e-9})
    X = np.asarray(result.x)
    G = np.zeros((15, 12))
    G[i, j] = w * slope(X[i, j], y) / w.sum()
    norm = np.linalg.norm(X, "nuc")
    assert result.value == pytest.approx((w * psi(X[i, j], y)).sum() / w.sum() + 0.02 * norm, rel=1e-9)
    assert np.linalg.norm(G, 2) == pytest.approx(0.02, rel=1e-3)
    assert np.vdot(G, X) == pytest.approx(-0.02 * norm, rel=1e-4)
    assert norm > 0.1


def low_rank_plus_sparse(m, p, rank, share, noise=0.0, seed=0):
    """As in table 1 of Candes, Li, Ma, Wright 2011."""
    rng = np.random.default_rng(seed)
    L = rng.normal(0, 1 / np.sqrt(m), (m, rank)) @ rng.normal(0, 1 / np.sqrt(m), (p, rank)).T
    S = np.zeros((m, p))
    S.ravel()[rng.permutation(m * p)[:int(share * m * p)]] = rng.choice([-1.0, 1.0], int(share * m * p))
    return L, S, L + S + noise * rng.normal(size=(m, p))


def value_of_parts(L, S, seen, alpha, sparsity):
    return (0.5 * np.nansum((L + S - seen) ** 2) + alpha * np.linalg.norm(L, "nuc") + alpha * sparsity * np.abs(S).sum())


@pytest.mark.parametrize("share", [0.05, 0.10])
def test_robust_pca_recovers_low_rank_and_sparse(share):
    L, S, seen = low_rank_plus_sparse(100, 100, 5, share)
    alpha = 1e-4
    model = matrix.RobustPCA(alpha=alpha, tol=1e-8).fit(seen)
    assert model.rank_ == 5 and model.sparsity_ == pytest.approx(0.1)
    assert np.linalg.norm(model.low_rank_ - L) < 1e-3 * np.linalg.norm(L)
    assert np.array_equal(np.abs(model.sparse_) > 0.1, S != 0)


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_robust_pca_gap_is_confirmed_by_the_dual(scale):
    _, _, seen = low_rank_plus_sparse(30, 20, 2, 0.1, noise=0.05)
    seen *= scale
    seen[np.random.default_rng(3).random(seen.shape) < 0.3] = np.nan
    model = matrix.RobustPCA(tol=1e-6).fit(seen)
    alpha, value = model.alpha_, value_of_parts(model.low_rank_, model.sparse_, seen, model.alpha_, model.sparsity_)
    u = np.nan_to_num(seen - model.low_rank_ - model.sparse_)
    u *= min(1.0, alpha / np.linalg.norm(u, 2), alpha * model.sparsity_ / np.abs(u).max())
    bound = np.nansum(u * seen) - 0.5 * (u * u).sum()
    assert -1e-12 * value <= value - bound <= 1.01e-6 * value
    assert model.dual_gap_ == pytest.approx(value - bound, rel=1e-2, abs=1e-10 * value)
    assert not model.sparse_[np.isnan(seen)].any()


def test_robust_pca_is_the_superposition():
    _, _, seen = low_rank_plus_sparse(30, 20, 2, 0.1, noise=0.05)
    model = matrix.RobustPCA(alpha=0.3, tol=1e-8).fit(seen)
    parts = claros.solve(
        objective={"use": "superposition", "inner": {"use": "distance"}}, data=arrays.rows(seen, np.zeros(30)),
        penalty={"use": "separable-sum", "lambda": 0.3, "blocks": [{"use": "nuclear", "lambda": 1},
                                                                    {"use": "l1", "lambda": model.sparsity_}]},
        stop={"relative_gap": 1e-8})
    L, S = parts.x
    L = (L[0] * L[1]) @ L[2].T if isinstance(L, tuple) else L
    assert value_of_parts(model.low_rank_, model.sparse_, seen, 0.3, model.sparsity_) == pytest.approx(parts.value, rel=2e-8)
    assert model.low_rank_ == pytest.approx(L, abs=1e-3) and model.sparse_ == pytest.approx(S, abs=1e-3)


def test_robust_pca_at_the_edges():
    assert not matrix.RobustPCA().fit(np.zeros((4, 3))).low_rank_.any()
    with pytest.raises(ValueError, match="no entry that is not NaN"):
        matrix.RobustPCA().fit(np.full((4, 3), np.nan))
    assert matrix.RobustPCA().fit([[2.0]]).rank_ <= 1
    column = matrix.RobustPCA(tol=1e-8).fit(RNG.normal(size=(12, 1)))
    assert column.low_rank_.shape == (12, 1) and column.components_.shape == (column.rank_, 1)
    above = matrix.RobustPCA(alpha=1e6).fit(X)
    assert above.rank_ == 0 and not above.sparse_.any() and above.dual_gap_ == 0.0
    assert above.set_params(alpha=None).fit(X).result_.target and above.set_params(alpha=1e6).fit(X).result_ is None


def test_the_graphical_lasso_chooses_its_alpha_by_folds_as_scikit_learn_does():
    rng = np.random.default_rng(4)
    precision = np.eye(8) + 0.4 * (np.eye(8, k=1) + np.eye(8, k=-1))
    samples = rng.multivariate_normal(np.full(8, 3.0), np.linalg.inv(precision), 150)
    for center in (False, True):
        rows = samples - 3.0 * center
        model = matrix.GraphicalLassoCV(n_alphas=8, eps=0.02, cv=4, tol=1e-8, assume_centered=center).fit(rows)
        S = np.cov(rows, rowvar=False, bias=True) if not center else rows.T @ rows / 150
        assert model.alphas_[0] == pytest.approx(np.abs(S - np.diag(np.diag(S))).max())
        assert model.alpha_ == model.alphas_[np.argmin(model.loss_path_)]
        theirs = covariance.GraphicalLasso(model.alpha_, tol=1e-8, assume_centered=center).fit(rows)
        assert model.precision_ == pytest.approx(theirs.precision_, abs=1e-3)
        assert model.covariance_ == pytest.approx(np.linalg.inv(model.precision_))
        # With a diagonal precision 1/s_i the loss of rows held back is about the sum of log s_i, and 8.
        assert model.loss_path_[0] == pytest.approx(np.log(np.diag(S)).sum() + 8, abs=0.4)
    simple = matrix.GraphicalLassoCV(n_alphas=8, eps=0.02, cv=4, selection="one-standard-error").fit(samples)
    assert simple.alpha_ > model.alphas_[-1] and np.count_nonzero(simple.precision_) <= np.count_nonzero(model.precision_)
    with pytest.raises(ValueError, match="folds"):
        matrix.GraphicalLassoCV(cv=200).fit(samples)


def test_alpha_that_is_not_given_is_a_share_of_the_least_whose_solution_is_0():
    """A tenth of the spectral norm of the gradient at 0: of ratings that is over their number, of robust PCA a
    hundredth, of the sum of squares, or of the largest entry over the factor of the l1 norm."""
    _, seen = low_rank(40, 12, 2, 0.5)
    for center in (True, False):
        model = matrix.MatrixImputer(center=center).fit(seen)
        rest = np.nan_to_num(seen - (np.nanmean(seen, axis=0) if center else 0.0))
        least = np.linalg.norm(rest, 2) / np.count_nonzero(~np.isnan(seen))
        assert model.alpha_ == pytest.approx(0.1 * least, rel=1e-4)
        assert np.array_equal(model.mean_, np.nanmean(seen, axis=0) if center else np.zeros(12))
        assert len(matrix.MatrixImputer(center=center, alpha=1.001 * least).fit(seen).components_) == 0
        assert len(matrix.MatrixImputer(center=center, alpha=0.98 * least).fit(seen).components_) == 1


@pytest.mark.parametrize("sparsity", [None, 0.05, 2.0])
@pytest.mark.parametrize("shape", [(9, 30), (30, 9)])
def test_robust_pca_is_0_from_its_largest_alpha_on(shape, sparsity):
    _, _, seen = low_rank_plus_sparse(*shape, 2, 0.1, noise=0.05, seed=2)
    model = matrix.RobustPCA(sparsity=sparsity).fit(seen)
    factor = 1 / np.sqrt(30) if sparsity is None else sparsity
    least = max(np.linalg.norm(seen, 2), np.abs(seen).max() / factor)
    assert model.sparsity_ == pytest.approx(factor) and model.alpha_ == pytest.approx(0.01 * least)
    above, below = (matrix.RobustPCA(sparsity=sparsity, alpha=share * least, tol=1e-9).fit(seen) for share in (1.001, 0.98))
    assert not above.low_rank_.any() and not above.sparse_.any()
    assert below.low_rank_.any() or below.sparse_.any()


def test_imputation_of_constant_columns_is_their_constant():
    seen = np.where(RNG.uniform(size=(12, 4)) < 0.5, np.nan, [[0.1, -3.0, 1e9, 0.0]])
    seen[0] = [0.1, -3.0, 1e9, 0.0]
    assert matrix.MatrixImputer().fit(seen).transform(seen) == pytest.approx(np.tile(seen[0], (12, 1)), rel=1e-15)


def test_the_rank_of_a_regression_does_not_depend_on_units():
    model = matrix.LowRankRegression(0.3, tol=1e-10).fit(X, Y)
    for unit in (1e-12, 1e12):
        assert matrix.LowRankRegression(0.3 * unit, tol=1e-10).fit(X, Y * unit).rank_ == model.rank_


def test_recommendations_are_a_list_of_all_columns_in_order():
    """The largest first, of equal ones the first column, without what is rated, however many are asked for."""
    truth, i, j = ratings()
    model = matrix.RatingsModel(alpha=2e-3).fit(i, j, truth[i, j])
    assert model.range_ == (truth[i, j].min(), truth[i, j].max())
    for clip in (True, False):
        values = model.predict(np.full(40, 7), np.arange(40), clip=False)
        assert model.predict(np.full(40, 7), np.arange(40), clip=clip) == pytest.approx(
            np.clip(values, *model.range_) if clip else values)
    for known in (False, True):
        allowed = np.arange(40) if known else np.setdiff1d(np.arange(40), j[i == 7])
        films, values = model.recommend(7, count=100, known=known)
        assert list(films) == list(allowed[np.argsort(-model.predict(np.full(allowed.size, 7), allowed, clip=False), kind="stable")])
        assert values == pytest.approx(model.predict(np.full(films.size, 7), films, clip=False))
    flat = matrix.RatingsModel(alpha=1e3, center="mean").fit(i, j, truth[i, j])  # all predictions are the mean
    assert list(flat.recommend(7, count=100)[0]) == sorted(set(range(40)) - set(j[i == 7]))
    assert list(flat.recommend(7, count=3, known=True)[0]) == [0, 1, 2]


def test_what_a_folded_row_has_rated_is_not_recommended_to_it():
    truth, i, j = ratings()
    model = matrix.RatingsModel(alpha=2e-3).fit(i, j, truth[i, j])
    more = model.fold_in([-3, -3, 7, 1000], [5, 6, 0, 9], [4.0, 3.0, 2.0, 1.0])
    for row, rated in ((-3, {5, 6}), (7, {0}), (1000, {9}), (8, set(j[i == 8])), (49, set(j[i == 49]))):
        assert set(more.recommend(row, count=100)[0]) == set(range(40)) - rated, row
        if row in (8, 49):
            assert more.predict(np.full(40, row), np.arange(40)) == pytest.approx(model.predict(np.full(40, row), np.arange(40)))


def test_the_grid_of_the_graphical_lasso_falls_geometrically():
    samples = gaussian(60)
    model = matrix.GraphicalLassoCV(n_alphas=5, eps=0.05, cv=3).fit(samples)
    assert model.alphas_ == pytest.approx(model.alphas_[0] * np.geomspace(1.0, 0.05, 5))
    around = matrix.GraphicalLassoCV(n_alphas=3, eps=0.5, cv=3, assume_centered=True).fit(samples)
    # Rows around 0, whose means are 1, are far from what a centred precision says of them.
    assert around.loss_path_[0] > model.loss_path_[0] + 1.0 and np.array_equal(around.location_, np.zeros(12))


IDS, ITEMS, STARS = ["a", "b", "a", "c"], ["x", "x", "y", "y"], [5.0, 3.0, 4.0, 1.0]


@pytest.mark.parametrize("center", ["biases", "mean", "none"])
@pytest.mark.parametrize("alpha", [None, 1e-9])
def test_one_rating_is_predicted_as_itself(center, alpha):
    model = matrix.RatingsModel(alpha, center=center).fit(["a"], ["x"], [4.0])
    assert model.predict(["a"], ["x"]) == pytest.approx([4.0], rel=1e-6)
    films, values = model.recommend("a", known=True)
    assert list(films) == ["x"] and values.shape == (1,)
    assert model.fold_in(["b"], ["x"], [3.0]).predict(["b", "a"], ["x", "x"]).shape == (2,)


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (3, 1)])
@pytest.mark.parametrize("given", [{"penalty": {"use": "nuclear", "lambda": 1e-9}}, {"set": {"use": "nuclear-ball", "radius": 9}}])
def test_completions_of_one_row_or_column_are_matrices(shape, given):
    values = np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape)
    row, col = np.nonzero(values)
    result = claros.solve(objective="matrix-completion", data=(row, col, values.ravel()), stop={"gap": 1e-12}, **given)
    assert result.x.shape == shape and result.x == pytest.approx(values, abs=1e-4)
    assert np.array_equal(claros.predict(result, rows=row, cols=col), result.x.ravel())
    assert claros.predict(result, rows=[], cols=[]).shape == (0,)


@pytest.mark.parametrize("rows, cols, values, word", [
    ([], [], [], "at least one"), ([1, "a", 1, 3], ITEMS, STARS, "numbers and texts"), ([True, "a", 1, 3], ITEMS, STARS, "booleans"),
    (np.array([1, "a", 1, 3], dtype=object), ITEMS, STARS, "numbers and texts"), ([None, "a", "b", "c"], ITEMS, STARS, "entry 0 has no id"),
    ([1.0, 2.0, np.nan, 3.0], ITEMS, STARS, "entry 2 has no id"), (IDS, np.array([1.0, np.nan, 1.0, 2.0]), STARS, "entry 1 has no id"),
    (IDS, ITEMS, [5.0, None, 4.0, 1.0], "values: row 1 has a number that is NaN"),
    (IDS, ITEMS, ["5", "3", "4", "1"], "not of numbers"), (IDS, ITEMS, STARS[:3], "shapes"),
    ("a", "x", 1.0, "shapes"), (["a", "a"], ["x", "x"], [1.0, 2.0], "two ratings"),
])
def test_ratings_that_cannot_be_fitted_are_refused_and_leave_the_model_as_it_is(rows, cols, values, word):
    model = matrix.RatingsModel(1e-2).fit(IDS, ITEMS, STARS)
    expected = model.predict(IDS, ITEMS)
    with pytest.raises(ValueError, match=word):
        model.fit(rows, cols, values)
    assert np.array_equal(model.predict(IDS, ITEMS), expected)


@pytest.mark.parametrize("count", [-1, 2.5, None, "3"])
def test_a_count_that_is_none_is_refused(count):
    with pytest.raises(ValueError, match="count"):
        matrix.RatingsModel(1e-2).fit(IDS, ITEMS, STARS).recommend("b", count=count)


@pytest.mark.parametrize("call", [
    lambda model: model.predict([1], ["x"]), lambda model: model.predict(["a"], [1]), lambda model: model.predict("a", ["x", "y"]),
    lambda model: model.predict([None], ["x"]), lambda model: model.predict(["a", 1], ["x", "x"]), lambda model: model.recommend(1),
    lambda model: model.recommend([["a"]]), lambda model: model.fold_in([1], ["x"], [3.0]), lambda model: model.fold_in(["d"], [1], [3.0]),
    lambda model: model.fold_in(["d", 1], ["x", "x"], [3.0, 3.0]), lambda model: model.fold_in(["d"], ["x"], ["3"])])
def test_ids_of_another_kind_than_those_of_the_fit_are_refused(call):
    with pytest.raises(ValueError, match="ids of type|shape|no id|one kind|not of numbers"):
        call(matrix.RatingsModel(1e-2).fit(IDS, ITEMS, STARS))


BASE = 2**60


@pytest.mark.parametrize("given", [np.int64, np.uint64, list, "Int64", "UInt64", object])
@pytest.mark.parametrize("asked", [np.int64, np.uint64, list, object])
def test_integers_as_ids_are_compared_exactly_whatever_their_types(given, asked):
    def made(values, kind):
        if isinstance(kind, str):
            return pytest.importorskip("pandas").Series(values, dtype=kind)
        return list(values) if kind is list else np.array(values, dtype=kind)

    people = [BASE, BASE, BASE + 1, BASE + 1, BASE + 2]
    model = matrix.RatingsModel(1e-6, center="none").fit(made(people, given), [0, 1, 0, 1, 0], [1.0, 1, 5, 5, 3])
    assert list(model.rows_) == [BASE, BASE + 1, BASE + 2]
    assert model.predict(made([BASE, BASE + 1, BASE + 50], asked), [0, 0, 0]) == pytest.approx([1.0, 5.0, model.range_[0]], abs=1e-3)
    assert list(model.recommend(made([BASE + 2], asked))[0][0]) == [1, 0]
    more = model.fold_in(made([BASE + 3, BASE + 1], asked), [0, 0], [4.0, 2.0])
    assert list(more.rows_) == [BASE, BASE + 1, BASE + 2, BASE + 3] and more.predict([BASE + 1], [0]) == pytest.approx([2.0], abs=1e-3)


@pytest.mark.parametrize("ids", [
    [1, 2**63, 2**63 + 1], [np.uint64(2**63), np.int64(1), np.uint64(2**63 + 1)], np.array([1, 2**63, 2**63 + 1], np.uint64)])
def test_ids_that_take_all_of_64_bits_stay_apart(ids):
    model = matrix.RatingsModel(0.1).fit(ids, [0, 1, 2], [1.0, 2.0, 3.0])
    assert sorted(map(int, model.rows_)) == [1, 2**63, 2**63 + 1]
    assert model.fold_in([2, 2**62 + 1], [0, 0], [1.0, 1.0]).rows_.tolist() == [1, 2, 2**62 + 1, 2**63, 2**63 + 1]
    with pytest.raises(ValueError, match="give integers or texts"):
        model.fold_in([-1], [0], [1.0])


@pytest.mark.parametrize("ids, word", [
    (np.array([1.0, 2.0**53, 3.0]), "9007199254740992"), ([1.0, 2.5, 1e300], "entry 2"), ([2**53 + 1, 0.5, 1], "beside floats"),
    (np.array([1, 2, 2**24], np.float32), "float32"), ([1, 2, np.inf], "entry 2"), ([1, 2**70, 2], "give texts"),
    ([-1, 2**63, 2], "give texts")])
def test_ids_that_would_be_rounded_are_refused(ids, word):
    with pytest.raises(ValueError, match=word):
        matrix.RatingsModel(0.1).fit(ids, [0, 1, 2], [1.0, 2.0, 3.0])
    model = matrix.RatingsModel(0.1).fit([1, 2, 3], [0, 1, 2], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=word):
        model.predict(ids, [0, 1, 2])


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("asked", [np.int8, np.uint8, np.uint64, np.float32, np.float64])
def test_small_whole_numbers_are_one_id_in_every_type(kind, asked):
    model = matrix.RatingsModel(1e-6, center="none").fit(np.array([1, 2, 3], kind), [0, 0, 0], [1.0, 2.0, 3.0])
    assert model.predict(np.array([1, 2, 3], asked), [0, 0, 0]) == pytest.approx([1.0, 2.0, 3.0], abs=1e-3)
    assert model.predict([257, 2.5, -1], [0, 0, 0]) == pytest.approx([1.0, 1.0, 1.0])  # the least of the range, for unknown ids


@pytest.mark.parametrize("given", [{}, {"patience": 3}, {"patience": 3, "center": "none"}])
def test_a_fit_that_max_iter_ends_before_held_out_ratings_do_says_so(given):
    _, i, j, stars = noisy_ratings(40, 30)
    with pytest.warns(ConvergenceWarning, match="after 2 steps.*held out.*: raise max_iter \\(") as caught:
        model = matrix.RatingsModel(max_iter=2, **given).fit(i, j, stars)
    assert "tol" not in str(caught[0].message) and model.validation_rmse_ == (model.result_.test_rmse if given else None)
    with pytest.warns(ConvergenceWarning, match="0.0001 here, raise max_iter"):
        matrix.RatingsModel(1e-3, max_iter=2).fit(i, j, stars)


@pytest.mark.parametrize("names", ["item,user,rating", "iid,uid,stars", "product,customer,rating", "user,rating,item", "movieId,userId,x"])
def test_a_table_of_ratings_in_another_order_is_refused(names):
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="in this order"):
        matrix.RatingsModel(0.1).fit(pandas.DataFrame([[1, 2, 3.0], [2, 1, 4.0]], columns=names.split(",")))


METHODS = [lambda model: model.predict(1, 1), lambda model: model.score([1], [1], [1.0]), lambda model: model.recommend(1),
           lambda model: model.similar_items(1), lambda model: model.similar_users(1), lambda model: model.fold_in([1], [1], [1.0]),
           lambda model: model.plot(), lambda model: model.report(), lambda model: model.singular_values_]


@pytest.mark.parametrize("call", [(kind, method) for kind in (matrix.RatingsModel, matrix.RatingsModelCV) for method in METHODS] + [
    (matrix.MatrixImputer, lambda model: model.transform([[1.0]])), (matrix.MatrixImputer, lambda model: model.singular_values_),
    (matrix.LowRankRegression, lambda model: model.predict([[1.0]])), (matrix.RobustPCA, lambda model: model.report())] + [
    (kind, method) for kind in (matrix.GraphicalLasso, matrix.GraphicalLassoCV) for method in (
        lambda model: model.score([[1.0]]), lambda model: model.mahalanobis([[1.0]]), lambda model: model.error_norm([[1.0]]),
        lambda model: model.get_precision())])
def test_methods_before_a_fit_ask_for_one(call):
    kind, method = call
    assert not hasattr(kind(), "result_")
    with pytest.raises(sklearn.exceptions.NotFittedError, match="fit"):
        method(kind())


def test_calls_with_nothing_return_nothing():
    model = matrix.RatingsModel(1e-2).fit(IDS, ITEMS, STARS)
    assert model.predict([], []).shape == (0,) and model.recommend("a", count=0)[0].shape == (0,)
    assert np.array_equal(model.fold_in([], [], []).predict(IDS, ITEMS), model.predict(IDS, ITEMS))


def test_ids_and_ratings_of_pandas_are_those_of_lists():
    pandas = pytest.importorskip("pandas")
    expected = matrix.RatingsModel(1e-2).fit([1, 2, 1, 3], ITEMS, STARS).predict([1, 2], ["x", "y"])
    model = matrix.RatingsModel(1e-2).fit(pandas.Series([1, 2, 1, 3], dtype="Int64"), pandas.Series(ITEMS, dtype="category"),
                                          pandas.Series([5, 3, 4, 1], dtype="Int64"))
    assert np.array_equal(model.predict(pandas.Series([1, 2], dtype="Int64"), ["x", "y"]), expected)
    with pytest.raises(ValueError, match="entry 1 has no id"):
        model.fit(pandas.Series([1, None, 1, 3], dtype="Int64"), ITEMS, STARS)


@pytest.mark.parametrize("scale", [1e160, 1e200, 1e300])
def test_values_whose_squares_overflow_are_refused_as_data(scale):
    table = scale * np.array([[1.0, 2.0, np.nan], [2.0, np.nan, 8.0], [3.0, 6.0, 12.0]])
    with pytest.raises(claros.Error, match="overflow") as caught:
        matrix.MatrixImputer().fit(table)
    assert not isinstance(caught.value, claros.PluginError)


def noisy_ratings(people=80, films=50, seed=3):
    rng = np.random.default_rng(seed)
    i, j = np.nonzero(rng.uniform(size=(people, films)) < 0.5)
    truth = rng.normal(size=(people, 2)) @ rng.normal(size=(2, films))
    return truth, i, j, 3.0 + truth[i, j] + rng.normal(size=i.size)


@pytest.mark.parametrize("alpha", [1e-6, 1e-4, None])
@pytest.mark.parametrize("center", ["biases", "none"])
def test_patience_ends_a_fit_where_the_held_out_part_is_predicted_best(alpha, center):
    _, i, j, stars = noisy_ratings()
    model = matrix.RatingsModel(alpha, center=center, patience=4, random_state=2).fit(i, j, stars)
    assert model.validation_rmse_ == model.result_.test_rmse
    assert np.isfinite(model.dual_gap_) and model.dual_gap_ >= 0.0
    if alpha == 1e-6:  # the minimum follows the noise
        assert model.result_.status == "validation" and not model.result_.target
        assert "no target" in model.result_.note
        minimum = claros.solve(objective={"use": "matrix-completion", "center": center, "held_out": 0.05}, data=(i, j, stars),
                               penalty={"use": "nuclear", "lambda": alpha}, stop={"relative_gap": 1e-3}, run={"seed": 2})
        assert model.validation_rmse_ < minimum.test_rmse
    again = matrix.RatingsModel(alpha, center=center, patience=4, random_state=2).fit(i, j, stars)
    assert np.array_equal(again.predict(i, j), model.predict(i, j))
    assert matrix.RatingsModel(1e-2).fit(i, j, stars).validation_rmse_ is None


@pytest.mark.parametrize("tol", [None, 1e-4])
def test_folds_choose_the_alpha_whose_fits_predict_the_ratings_held_out_best(tol):
    _, i, j, stars = noisy_ratings(200, 100)
    model = matrix.RatingsModelCV(cv=4, tol=tol, random_state=1).fit(i, j, stars)
    best = int(np.argmin(model.rmse_path_))
    assert model.alpha_ == model.alphas_[best] and model.validation_rmse_ == model.rmse_path_[best]
    assert 0 < best and len(model.alphas_) == len(model.rmse_path_) == len(model.rmse_error_)
    assert np.all(np.diff(model.alphas_) < 0) and np.all(model.rmse_error_ > 0)
    assert model.result_.choices["penalty.lambda"]["held_out"] == len(stars)  # each once
    fold = np.arange(len(stars)) % 4
    for k in (0, best):
        errors = []
        for part in range(4):
            kept, out = fold != part, fold == part
            fit = matrix.RatingsModel(model.alphas_[k] / np.sqrt(0.75), tol=1e-4).fit(i[kept], j[kept], stars[kept])
            errors.append(np.sqrt(np.mean((fit.predict(i[out], j[out], clip=False) - stars[out]) ** 2)))
        if tol:  # the points of few factors on the way to a minimum predict better than it does
            assert np.mean(errors) == pytest.approx(model.rmse_path_[k], rel=0.03)
        assert model.rmse_path_[k] <= 1.03 * np.mean(errors)
    again = matrix.RatingsModelCV(cv=4, tol=tol, random_state=1).fit(i, j, stars)
    assert np.array_equal(again.predict(i, j), model.predict(i, j))
    fewer = matrix.RatingsModelCV().fit(IDS, ITEMS, STARS)
    assert fewer.alphas_ is None and fewer.validation_rmse_ is None


@pytest.mark.parametrize("wrong", [1, 2.5, None, "five"])
def test_folds_that_are_no_number_are_refused(wrong):
    with pytest.raises(ValueError, match="'cv'"):
        matrix.RatingsModelCV(cv=wrong).fit(IDS, ITEMS, STARS)


@pytest.mark.parametrize("wrong", [{"patience": -1}, {"patience": 2.5}, {"patience": None}, {"validation_fraction": 0.0},
                                   {"validation_fraction": 0.6}])
def test_a_patience_or_a_fraction_that_is_none_is_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        matrix.RatingsModel(1e-2, **wrong).fit(IDS, ITEMS, STARS)


@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize("center", ["biases", "mean", "none"])
def test_lists_of_many_rows_are_those_of_each(names, center):
    truth, i, j = ratings()
    people, films = (np.char.add("p", i.astype(str)), np.char.add("f", j.astype(str))) if names else (i, j)
    model = matrix.RatingsModel(alpha=2e-3, center=center).fit(people, films, truth[i, j])
    asked = [model.rows_[7], model.rows_[3], "nobody" if names else 999, model.rows_[7]]
    for limits in ({}, {"known": True}, {"only": model.cols_[:6]}, {"never": model.cols_[5:]}, {"only": model.cols_[:9], "never": model.cols_[2:4]},
                   {"only": []}, {"never": []}):
        for count in (0, 3, 100):
            ids, values = model.recommend(asked, count=count, **limits)
            assert ids.shape == values.shape == (4, min(count, len(model.cols_)))
            for k, row in enumerate(asked):
                alone, scores = model.recommend(row, count=count, **limits)
                assert np.array_equal(ids[k, :len(alone)], alone) and values[k, :len(alone)] == pytest.approx(scores)
                assert np.isnan(values[k, len(alone):]).all()
                assert values[k, :len(alone)] == pytest.approx(model.predict([row] * len(alone), alone, clip=False))
                if "only" in limits:
                    assert set(alone) <= set(limits["only"])
                assert not set(alone) & set(limits.get("never", []))
    assert model.recommend(asked[:0])[0].shape == (0, 10)
    unknown = ["what"] if names else [-5]
    assert model.recommend(asked[0], only=unknown)[0].size == 0
    assert np.array_equal(model.recommend(asked[0], never=unknown)[0], model.recommend(asked[0])[0])
    with pytest.raises(ValueError, match="shape"):
        model.recommend([asked])


@pytest.mark.parametrize("side", ["items", "users"])
@pytest.mark.parametrize("alpha", [2e-3, 1e3])
def test_similar_ones_make_the_smallest_angles_in_x(side, alpha):
    truth, i, j = ratings()
    model = matrix.RatingsModel(alpha=alpha).fit(i, j, truth[i, j])
    X = model.result_.x if side == "users" else model.result_.x.T
    similar, names = (model.similar_users, model.rows_) if side == "users" else (model.similar_items, model.cols_)
    lengths = np.linalg.norm(X, axis=1)
    for k in (0, 5):
        ids, cosines = similar(names[k], count=1000)
        expected = [n for n in range(len(names)) if n != k and lengths[n] > 0 and lengths[k] > 0]
        assert sorted(ids) == sorted(names[expected])
        at = np.searchsorted(names, ids)
        assert cosines == pytest.approx(X[at] @ X[k] / (lengths[at] * lengths[k]), abs=1e-9)
        assert np.all(np.diff(cosines) <= 0) and np.all(np.abs(cosines) <= 1.0)
    ids, cosines = similar(names[:3], count=4)
    assert ids.shape == cosines.shape == (3, 4)
    assert np.isnan(cosines).all() == (alpha == 1e3)
    for wrong in (-1, "nobody", [names[0], 10**6], [[names[0]]]):
        with pytest.raises(ValueError):
            similar(wrong)
    with pytest.raises(ValueError, match="count"):
        similar(names[0], count=-1)


@pytest.mark.parametrize("names", [False, True])
def test_a_warm_fit_finds_rows_and_columns_by_their_ids(names):
    truth, i, j = ratings()
    people, films = (np.char.add("p", i.astype(str)), np.char.add("f", j.astype(str))) if names else (i, j)
    stars, old = truth[i, j], (i > 1) & (j > 2)  # the first rows and columns come later
    cold = matrix.RatingsModel(2e-3, tol=1e-8).fit(people, films, stars)
    warm = matrix.RatingsModel(2e-3, tol=1e-8, warm_start=True).fit(people[old], films[old], stars[old])
    with pytest.warns(UserWarning, match="ended at iterations"):  # values after one step
        once = warm.set_params(max_iter=1).fit(people[old][::-1], films[old][::-1], stars[old][::-1]).result_.value
        least = matrix.RatingsModel(2e-3, tol=1e-8).fit(people[old], films[old], stars[old]).result_.value
        assert once == pytest.approx(least, rel=1e-3)
        first = matrix.RatingsModel(2e-3, max_iter=1).fit(people, films, stars).result_.value
        assert warm.set_params(max_iter=1).fit(people, films, stars).result_.value < first
    warm.set_params(max_iter=10000, tol=1e-8).fit(people, films, stars)
    assert len(warm.rows_) == len(cold.rows_)
    assert warm.predict(people, films) == pytest.approx(cold.predict(people, films), abs=1e-3)
    warm.fit(people[~old], films[~old], stars[~old])  # rows and columns that are gone
    fewer = matrix.RatingsModel(2e-3, tol=1e-8).fit(people[~old], films[~old], stars[~old])
    assert warm.predict(people[~old], films[~old]) == pytest.approx(fewer.predict(people[~old], films[~old]), abs=1e-3)
    other = matrix.RatingsModel(2e-3, warm_start=True).fit(IDS, ITEMS, STARS)
    if not names:
        assert other.fit([1, 2, 1, 3], [1, 1, 2, 2], STARS).predict([1], [1]).shape == (1,)


@pytest.mark.parametrize("given", [
    {}, {"tol": 1e-3}, {"patience": 3}, {"alpha": 2e-3, "patience": 3}, {"alpha": 2e-3, "patience": 3, "tol": 1e-3}])
def test_a_fit_that_holds_ratings_out_does_not_start_from_one_that_was_fitted_to_them(given):
    _, i, j, stars = noisy_ratings(40, 30)
    cold = matrix.RatingsModel(**given).fit(i, j, stars)
    warm = matrix.RatingsModel(warm_start=True, **given)
    for part in (i > 3, i >= 0):
        warm.fit(i[part], j[part], stars[part])
    assert np.array_equal(warm.predict(i, j), cold.predict(i, j)) and warm.validation_rmse_ == cold.validation_rmse_
    assert warm.n_iter_ == cold.n_iter_


def test_factors_are_a_start_and_refused_if_they_do_not_fit():
    truth, i, j = ratings()
    problem = dict(objective="matrix-completion", data=(i, j, truth[i, j]), penalty={"use": "nuclear", "lambda": 1e-2},
                   stop={"relative_gap": 1e-6})
    result = claros.solve(**problem)
    U, s, V = result.U, result.s, result.V
    assert claros.solve(start=(U, s, V), **problem).iterations == 0
    for wrong in ((U, s[1:], V), (U, s, V[:, 1:]), (U[1:], s, V), (V, s, U), (U, np.diag(s), V), (U, s * np.nan, V), (U, s), ("U", s, V)):
        with pytest.raises(claros.Error):
            claros.solve(start=wrong, **problem)


def test_ratings_as_a_sparse_matrix_a_score_and_two_ids_are_what_they_are_by_arrays():
    values = sparse.random(20, 12, 0.5, format="csr", random_state=0)
    values.data = 1 + np.floor(5 * values.data)
    found = values.tocoo()
    by_arrays = matrix.RatingsModel(0.01).fit(found.row, found.col, found.data)
    for form in ("csr", "csc", "coo", "lil", "dok", "dia", "bsr"):  # blocks of bsr are filled with zeros
        model = matrix.RatingsModel(0.01).fit(values.asformat(form))
        assert np.allclose(model.predict(found.row, found.col), by_arrays.predict(found.row, found.col), atol=1e-4)
    one = by_arrays.predict(found.row[0], found.col[0])
    assert isinstance(one, float) and one == by_arrays.predict(found.row[:1], found.col[:1])[0]
    errors = by_arrays.predict(found.row, found.col) - found.data
    assert by_arrays.score(found.row, found.col, found.data) == pytest.approx(-np.sqrt(np.mean(errors**2)))
    assert by_arrays.singular_values_.shape == (len(by_arrays.result_.s),)


@pytest.mark.parametrize("name, instead", [("PCA", "RobustPCA"), ("SoftImpute", "MatrixImputer")])
def test_classes_of_other_libraries_lead_to_ours(name, instead):
    with pytest.raises(ImportError, match=instead):
        getattr(matrix, name)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        matrix.nothing


def test_a_sum_of_many_vertices_is_returned_in_few_columns_with_its_own_numbers():
    rng = np.random.default_rng(5)
    m, n, radius = 900, 800, 40.0
    truth = rng.normal(size=(m, 3)) @ rng.normal(size=(3, n))
    i, j = np.nonzero(rng.uniform(size=truth.shape) < 0.05)
    y = truth[i, j] / np.linalg.norm(truth, "nuc") * 1.5 * radius
    for steps, shortened in ((150, True), (60, False)):
        result = claros.solve(objective={"use": "matrix-completion", "center": "none"}, data=(i, j, y), run={"seed": 1},
                              set={"use": "nuclear-ball", "radius": radius}, trace={"on": False}, stop={"iterations": steps},
                              algorithm={"use": "frank-wolfe", "step": "agnostic"})
        assert (len(result.s) < steps / 2) == shortened and result.s.sum() <= radius * (1 + 1e-9)
        z = np.einsum("ek,k,ek->e", result.U[i], result.s, result.V[j])
        slopes = np.zeros((m, n))
        slopes[i, j] = (z - y) / len(y)
        gap = (slopes[i, j] * z).sum() + radius * np.linalg.norm(slopes, 2)
        assert result.value == pytest.approx(0.5 * np.mean((z - y) ** 2), rel=1e-9)
        assert result.gap == pytest.approx(gap, rel=1e-2) and result.confirmed


def test_factors_of_a_penalty_gain_columns_in_short_rounds_while_all_of_them_are_above_lambda():
    rng = np.random.default_rng(3)
    m = n = 1400  # too large for full decompositions, which would know the rank at once
    M = rng.normal(size=(m, 3)) @ rng.normal(size=(3, n)) + rng.normal(size=(m, n))
    i, j = np.nonzero(rng.uniform(size=M.shape) < 0.02)
    result = claros.solve(objective={"use": "matrix-completion"}, data=(i, j, M[i, j]), trace={"on": False},
                          penalty={"use": "nuclear", "lambda": "0.1*max"}, stop={"iterations": 30}, run={"threads": 1})
    assert result.components["algorithm"] == "algorithm/factored"
    assert len(result.s) > 90  # 50 in rounds of 20 steps


def test_alternating_linear_minimisation_finds_the_distance_of_two_sets_and_proves_it():
    for upper, apart in ((0.15, 0.05), (0.1, 0.1), (0.3, 0.0)):  # of each of 5 entries
        negated = {"use": "moved", "factor": -1, "inner": {"use": "box", "lower": 0, "upper": upper}}
        result = claros.solve(objective={"use": "superposition", "inner": {"use": "distance", "data": "0 0 0 0 0"}},
                              set={"use": "product", "blocks": [{"use": "simplex", "radius": 1}, negated]},
                              algorithm={"use": "block-coordinate-frank-wolfe", "order": "cyclic", "direction": "pairwise"},
                              stop={"gap": 1e-6, "iterations": 2000})
        assert result.target and result.confirmed
        assert result.value == pytest.approx(2.5 * apart**2, abs=2e-6)
