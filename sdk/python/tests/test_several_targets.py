# SPDX-License-Identifier: BSD-3-Clause
"""Several targets with a fit for each, coefficients in the width of the rows, scorers of one's own, folds without a last fit."""
import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn")
from sklearn import linear_model, model_selection  # noqa: E402
from sklearn.base import clone, is_classifier  # noqa: E402
from sklearn.metrics import get_scorer, mean_absolute_error  # noqa: E402

from claros import linear, matrix, survival  # noqa: E402

RNG = np.random.default_rng(8)
X = RNG.normal(size=(60, 7)) + [0, 0, 5, 0, 0, 0, -2]
Y = X[:, :3] @ RNG.normal(size=(3, 3)) + 0.3 * RNG.normal(size=(60, 3))
WEIGHTS = 1.0 + np.arange(60) % 3
KINDS = [(linear.Lasso(0.05), linear_model.Lasso(0.05)), (linear.Lasso(0.05, positive=True), linear_model.Lasso(0.05, positive=True)),
         (linear.ElasticNet(0.1, l1_ratio=0.3), linear_model.ElasticNet(0.1, l1_ratio=0.3)),
         (linear.ElasticNet(0.5, l1_ratio=0), linear_model.Ridge(0.5 * 60)), (linear.Lasso(0.05, fit_intercept=False), linear_model.Lasso(0.05, fit_intercept=False))]


@pytest.mark.parametrize("rows", [np.asarray, np.asfortranarray, sparse.csr_matrix, sparse.csc_matrix])
@pytest.mark.parametrize("ours, theirs", KINDS)
def test_a_fit_of_several_targets_is_that_of_each_and_of_scikit_learn(ours, theirs, rows):
    ours = clone(ours).set_params(tol=1e-12)
    fit = clone(ours).fit(rows(X), Y)
    alone = [clone(ours).fit(rows(X), Y[:, k]) for k in range(3)]
    assert np.array_equal(fit.coef_, [one.coef_ for one in alone])
    assert np.array_equal(fit.intercept_, [one.intercept_ for one in alone])
    assert np.array_equal(fit.dual_gap_, [one.dual_gap_ for one in alone]) and fit.n_iter_ == [one.n_iter_ for one in alone]
    assert np.allclose(fit.predict(rows(X)), np.column_stack([one.predict(rows(X)) for one in alone]), rtol=1e-12)
    given = theirs.set_params(tol=1e-12).fit(X, Y)
    assert fit.coef_.shape == given.coef_.shape == (3, 7) and np.shape(fit.intercept_) in (np.shape(given.intercept_), (3,))
    assert np.allclose(fit.coef_, given.coef_, atol=1e-5) and np.allclose(fit.intercept_, given.intercept_, atol=1e-5)
    assert fit.sparse_coef_.shape == (3, 7) and fit.score(X, Y) > 0.4


def test_targets_share_weights_and_offset_and_start_from_their_own_fits():
    offset = RNG.normal(size=60)
    fit = linear.Lasso(0.05).fit(X, Y, sample_weight=WEIGHTS, offset=offset)
    for k in range(3):
        alone = linear.Lasso(0.05).fit(X, Y[:, k], sample_weight=WEIGHTS, offset=offset)
        assert np.array_equal(alone.coef_, fit.coef_[k])
        assert np.allclose(alone.predict(X, offset=offset), fit.predict(X, offset=offset)[:, k])
    warm = linear.Lasso(0.05, warm_start=True).fit(X, Y)
    first = sum(warm.n_iter_)
    again = pickle.loads(pickle.dumps(warm)).fit(X, Y)
    assert sum(again.n_iter_) <= first and np.allclose(again.coef_, warm.coef_, atol=1e-4)
    assert np.allclose(warm.fit(X, Y[:, 1]).coef_, again.coef_[1], atol=1e-4)  # and one target after several
    assert np.allclose(warm.fit(X, Y[:, :2]).coef_, again.coef_[:2], atol=1e-4)


def test_one_column_is_one_target_as_in_scikit_learn():
    for ours, theirs in ((linear.Lasso(0.05), linear_model.Lasso(0.05)), (linear.ElasticNet(0.05), linear_model.ElasticNet(0.05))):
        fit, given = ours.fit(X, Y[:, :1]), theirs.fit(X, Y[:, :1])
        assert fit.coef_.shape == given.coef_.shape and fit.intercept_.shape == given.intercept_.shape
        assert fit.predict(X).shape == given.predict(X).shape and np.ndim(fit.dual_gap_) == 0


def test_several_targets_are_refused_where_there_is_one():
    for kind in (linear.LassoCV, linear.ElasticNetCV, linear.HuberRegression, linear.GroupLasso, linear.PoissonRegression):
        with pytest.raises(ValueError, match="1d array"):
            kind().fit(X, Y)


@pytest.mark.parametrize("rows", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
def test_coefficients_have_the_width_of_the_rows(rows):
    y, times = Y[:, 0], np.column_stack([np.exp(Y[:, 0] / 5), np.arange(60) % 3 > 0])
    classes = (y > 0).astype(int) + (y > 1)
    fits = [(linear.Lasso(0.05), y), (linear.ElasticNet(0.05), Y), (linear.LassoCV(cv=3, n_alphas=9), y), (linear.HuberRegression(0.05), y),
            (linear.MultiTaskLasso(0.05), Y), (matrix.LowRankRegression(0.05), Y), (linear.PoissonRegression(0.05), np.exp(y / 5)),
            (linear.LogisticRegression(0.05), classes), (linear.LogisticRegression(0.05), y > 0), (survival.CoxRegression(0.05), times),
            (linear.LassoCV(cv=3, n_alphas=5, scoring="neg_median_absolute_error"), y), (linear.LassoCV(cv=3, n_alphas=5, refit=False), y)]
    for model, target in fits:
        wide, narrow = clone(model).fit(rows(X), target), clone(model).fit(rows(X.astype(np.float32)), target)
        assert wide.coef_.dtype == np.float64 and narrow.coef_.dtype == np.float32, model
        assert np.allclose(wide.coef_, narrow.coef_, rtol=1e-3, atol=1e-3), model
        if not is_classifier(model):
            assert narrow.predict(rows(X.astype(np.float32))).dtype == np.float32
            assert np.allclose(narrow.predict(rows(X)), wide.predict(rows(X)), rtol=1e-3, atol=1e-2)


def largest_error(model, X, y):
    return -float(np.max(np.abs(model.predict(X) - y)))


SCORED = [(linear.LassoCV(), linear.Lasso, Y[:, 0], largest_error), (linear.LassoCV(), linear.Lasso, Y[:, 0], "neg_median_absolute_error"),
          (linear.HuberRegressionCV(delta=None), linear.HuberRegression, Y[:, 0], "max_error"),
          (linear.QuantileRegressionCV(quantile=0.7), linear.QuantileRegression, 100 + Y[:, 0], largest_error),
          (linear.MultiTaskLassoCV(), linear.MultiTaskLasso, Y, "neg_mean_absolute_percentage_error"),
          (linear.LogisticRegressionCV(), linear.LogisticRegression, np.where(Y[:, 0] > 0, "yes", "no"), "balanced_accuracy"),
          (linear.LogisticRegressionCV(), linear.LogisticRegression, np.digitize(Y[:, 0], [-1, 1]), "f1_macro"),
          (linear.PoissonRegressionCV(), linear.PoissonRegression, RNG.poisson(np.exp(X[:, 0] / 2)), "neg_mean_poisson_deviance"),
          (survival.CoxRegressionCV(), survival.CoxRegression, np.column_stack([np.exp(Y[:, 0] / 5), np.arange(60) % 3 > 0]),
           lambda model, X, y: model.score(X, y))]


@pytest.mark.parametrize("rows", [np.asarray, sparse.csr_matrix])
@pytest.mark.parametrize("model, plain, y, scoring", SCORED)
def test_a_scorer_chooses_the_alpha_of_its_best_mean_over_the_folds(model, plain, y, scoring, rows):
    splitter = model_selection.KFold(3, shuffle=True, random_state=1)
    chosen = clone(model).set_params(scoring=scoring, cv=splitter, alphas=[0.5, 0.1, 0.02, 0.004], tol=1e-8).fit(rows(X), y)
    shared = {name: value for name, value in model.get_params().items() if name in plain().get_params() and name not in ("selection",)}
    scorer = scoring if callable(scoring) else get_scorer(scoring)
    by_hand = np.array([[scorer(plain(**{**shared, "alpha": alpha, "tol": 1e-8}).fit(rows(X)[train], y[train]), rows(X)[test], y[test])
                         for train, test in splitter.split(X)] for alpha in chosen.alphas_])
    found = np.array([chosen.cv_results_[f"split{k}_test_score"] for k in range(3)]).T
    assert np.allclose(found, by_hand, rtol=1e-3, atol=1e-5)
    assert chosen.alpha_ == chosen.alphas_[by_hand.mean(axis=1).argmax()]
    last = plain(**{**shared, "alpha": chosen.alpha_, "tol": 1e-8}).fit(rows(X), y)
    assert np.allclose(chosen.coef_, last.coef_, atol=1e-5)


def test_a_scorer_chooses_an_l1_ratio_too_and_a_standard_error():
    alphas, ratios = [0.5, 0.1, 0.02], [0.2, 0.9]
    best = linear.ElasticNetCV(l1_ratio=ratios, alphas=alphas, cv=4, random_state=0, scoring=largest_error).fit(X, Y[:, 0])
    results = best.cv_results_
    place = int(results["mean_test_score"].argmax())
    assert (best.alpha_, best.l1_ratio_) == (results["param_alpha"][place], results["param_l1_ratio"][place])
    simple = clone(best).set_params(selection="one-standard-error").fit(X, Y[:, 0])
    scores = np.array([results[f"split{k}_test_score"] for k in range(4)]).T
    bound = results["mean_test_score"][place] - scores[place].std(ddof=1) / 2
    near = (results["mean_test_score"] >= bound) & (results["param_l1_ratio"] == best.l1_ratio_)
    assert simple.alpha_ == results["param_alpha"][near].max() and simple.l1_ratio_ == best.l1_ratio_


def test_folds_that_are_drawn_for_a_scorer_depend_on_the_seed_alone_and_have_a_share_of_each_class():
    rare = np.arange(60) % 10 == 0
    for model, y in ((linear.LassoCV(scoring=largest_error, cv=5, n_alphas=6), Y[:, 0]),
                     (linear.LogisticRegressionCV(scoring="balanced_accuracy", cv=5, n_alphas=6), rare)):
        one, same = (clone(model).set_params(random_state=3).fit(X, y) for _ in range(2))
        assert np.array_equal(one.coef_, same.coef_) and one.alpha_ == same.alpha_
    assert np.isfinite(one.cv_results_["mean_test_score"]).all()


def test_wrong_scorers_are_refused_and_an_offset_too():
    for scoring in ("nothing", 3):
        with pytest.raises(ValueError, match="'scoring' parameter"):
            linear.LassoCV(scoring=scoring).fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="nan in a fold"):
        linear.LassoCV(scoring=lambda *_: np.nan, n_alphas=3).fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="offset"):
        linear.LassoCV(scoring=largest_error, n_alphas=3).fit(X, Y[:, 0], offset=Y[:, 1])


@pytest.mark.parametrize("scoring", [None, "r2", largest_error])
def test_without_a_last_fit_coefficients_are_means_over_the_folds(scoring):
    splitter, alphas = model_selection.KFold(4), [0.5, 0.1, 0.02, 0.004]
    fit = linear.LassoCV(alphas=alphas, cv=splitter, refit=False, scoring=scoring, tol=1e-9).fit(X, Y[:, 0])
    scorer = largest_error if callable(scoring) else lambda model, X, y: model.score(X, y)
    best = []
    for train, test in splitter.split(X):
        models = [linear.Lasso(alpha, tol=1e-9).fit(X[train], Y[train, 0]) for alpha in alphas]
        best.append(models[int(np.argmax([scorer(model, X[test], Y[test, 0]) for model in models]))])
    assert np.allclose(fit.coef_, np.mean([model.coef_ for model in best], axis=0), atol=1e-5)
    assert np.isclose(fit.intercept_, np.mean([model.intercept_ for model in best]), atol=1e-5)
    assert np.isclose(fit.alpha_, np.mean([model.alpha for model in best])) and np.isnan(fit.dual_gap_)
    with pytest.raises(TypeError, match="refit"):
        survival.CoxRegressionCV(refit=False)


def test_classes_without_a_last_fit_agree_with_scikit_learn_on_every_row():
    y = np.where(Y[:, 0] > 0, "yes", "no")
    folds = list(model_selection.StratifiedKFold(3).split(X, y))
    n, strengths = len(folds[0][0]), [0.1, 1.0, 10.0]
    ours = linear.LogisticRegressionCV(penalty="ridge", alphas=[1 / (C * n) for C in strengths], cv=folds, refit=False, scoring="accuracy", tol=1e-9).fit(X, y)
    theirs = linear_model.LogisticRegressionCV(Cs=strengths, cv=folds, refit=False, tol=1e-8, max_iter=5000).fit(X, y)
    assert np.mean(ours.predict(X) == theirs.predict(X)) > 0.98
    assert np.allclose(ours.coef_, theirs.coef_, rtol=0.05, atol=0.02) or ours.alpha_ != pytest.approx(1 / (theirs.C_[0] * n), rel=0.05)


def test_weights_of_zero_and_rows_as_tables_reach_a_scorer():
    pandas = pytest.importorskip("pandas")
    table, weights = pandas.DataFrame(X, columns=list("abcdefg")), np.where(np.arange(60) % 7 == 0, 0.0, 1.0)

    def seen(model, rows, y):
        assert list(rows.columns) == list("abcdefg") and list(model.feature_names_in_) == list("abcdefg")
        assert mean_absolute_error(y, model.predict(rows)) < 3
        return -abs(np.log(model.alpha / 0.1))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = linear.LassoCV(scoring=seen, cv=3, alphas=[3.0, 0.1, 0.03, 1e-3]).fit(table, pandas.Series(Y[:, 0]), sample_weight=weights)
    assert list(fit.feature_names_in_) == list("abcdefg") and fit.alpha_ == 0.1


def test_a_choice_at_an_end_of_the_grid_is_that_of_the_scorer():
    said = {"smallest": lambda model, *_: -model.alpha, "largest": lambda model, *_: model.alpha, "": lambda model, *_: -abs(model.alpha - 0.1)}
    for end, scoring in said.items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            fit = linear.LassoCV(scoring=scoring, cv=3, alphas=[0.3, 0.1, 0.03]).fit(X, Y[:, 0])
        assert [f"is the {end} of the grid" in str(one.message) for one in caught] == ([True] if end else [])
        assert fit.alpha_ == {"smallest": 0.03, "largest": 0.3, "": 0.1}[end]
