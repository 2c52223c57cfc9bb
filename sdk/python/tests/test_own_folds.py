# SPDX-License-Identifier: BSD-3-Clause
"""Folds of the caller's own in every form, own grids, scores: each number is that of the folds by hand."""
import warnings

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn")
from sklearn import linear_model, model_selection  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.metrics import get_scorer  # noqa: E402

import claros  # noqa: E402
from claros import linear, matrix, survival  # noqa: E402

RNG = np.random.default_rng(3)
X = RNG.normal(size=(80, 6))
Y = X @ [1.0, -2.0, 0.5, 0, 0, 0] + RNG.normal(size=80)
GROUPS = RNG.integers(0, 11, 80)
ALPHAS = [0.3, 0.1, 0.03]
SPLITTERS = {
    "number": None, "unshuffled": model_selection.KFold(4), "shuffled": model_selection.KFold(4, shuffle=True, random_state=1),
    "time": model_selection.TimeSeriesSplit(4), "overlapping": model_selection.ShuffleSplit(5, test_size=0.3, random_state=0),
    "groups": model_selection.GroupKFold(4), "leave groups": model_selection.LeaveOneGroupOut(), "one": model_selection.ShuffleSplit(1, random_state=2),
    "pairs": [(np.arange(20, 80), np.arange(20)), (np.arange(30), np.arange(50, 70))],
    "masks": [(np.arange(80) >= 20, np.arange(80) < 20), (np.arange(80) < 60, np.arange(80) >= 60)],
    "predefined": model_selection.PredefinedSplit(np.arange(80) % 4 - 1)}


def folds_of(splitter, X, y, groups):
    if isinstance(splitter, list):
        return [tuple(np.flatnonzero(part) if part.dtype == bool else part for part in fold) for fold in splitter]
    return list(splitter.split(X, y, groups))


def losses_by_hand(kind, folds, alphas, X, y, measured, **settings):
    """(alphas, folds)"""
    return np.array([[measured(kind(alpha, tol=1e-9, **settings).fit(X[train], y[train]), X[test], y[test]) for train, test in folds]
                     for alpha in alphas])


@pytest.mark.parametrize("name", [name for name in SPLITTERS if name != "number"])
@pytest.mark.parametrize("rows", ["dense", "csr"])
def test_a_splitter_has_the_losses_of_its_folds_by_hand(name, rows):
    splitter = SPLITTERS[name]
    data = sparse.csr_matrix(X) if rows == "csr" else X
    model = linear.LassoCV(alphas=ALPHAS, cv=splitter, tol=1e-9).fit(data, Y, groups=GROUPS)
    folds = folds_of(splitter, X, Y, GROUPS)
    by_hand = losses_by_hand(linear.Lasso, folds, ALPHAS, X, Y, lambda fit, rows, y: np.mean((fit.predict(rows) - y) ** 2))
    assert model.alphas_.tolist() == ALPHAS
    assert model.mse_path_ == pytest.approx(by_hand, rel=1e-5)
    sizes = [len(test) for _, test in folds]
    assert model.loss_path_ == pytest.approx(0.5 * np.average(by_hand, axis=1, weights=sizes), rel=1e-5)
    assert model.alpha_ == ALPHAS[int(np.argmin(model.loss_path_))]
    theirs = linear_model.LassoCV(alphas=ALPHAS, cv=folds, tol=1e-10, max_iter=100000).fit(X, Y)
    assert model.mse_path_ == pytest.approx(theirs.mse_path_.reshape(len(ALPHAS), -1), rel=1e-4)
    if len(set(sizes)) == 1:
        assert model.alpha_ == theirs.alpha_ and model.coef_ == pytest.approx(theirs.coef_, abs=1e-4)


def test_groups_with_a_number_of_folds_stay_together_and_none_means_five():
    by_number = linear.LassoCV(alphas=ALPHAS, cv=4, tol=1e-9).fit(X, Y, groups=GROUPS)
    by_splitter = linear.LassoCV(alphas=ALPHAS, cv=SPLITTERS["groups"], tol=1e-9).fit(X, Y, groups=GROUPS)
    assert np.array_equal(by_number.mse_path_, by_splitter.mse_path_)
    assert np.array_equal(linear.LassoCV(alphas=ALPHAS, cv=None).fit(X, Y).mse_path_, linear.LassoCV(alphas=ALPHAS, cv=5).fit(X, Y).mse_path_)


def test_a_row_of_weight_zero_is_no_row_of_any_fold():
    weights = np.where(np.arange(80) % 7 == 0, 0.0, 1.0 + np.arange(80) % 3)
    folds = folds_of(SPLITTERS["shuffled"], X, Y, None)
    kept = weights > 0
    place = np.cumsum(kept) - 1
    fewer = [tuple(place[part[kept[part]]] for part in fold) for fold in folds]
    ours = linear.LassoCV(alphas=ALPHAS, cv=folds, tol=1e-9).fit(X, Y, sample_weight=weights)
    plain = linear.LassoCV(alphas=ALPHAS, cv=fewer, tol=1e-9).fit(X[kept], Y[kept], sample_weight=weights[kept])
    assert np.array_equal(ours.mse_path_, plain.mse_path_) and np.array_equal(ours.coef_, plain.coef_)


@pytest.mark.parametrize("kind, settings", [
    (linear.GroupLassoCV, {"groups": 2}), (linear.HuberRegressionCV, {}), (linear.QuantileRegressionCV, {"quantile": 0.3}),
    (linear.MCPRegressionCV, {}), (linear.GeneralizedLinearRegressorCV, {"loss": "poisson", "penalty": "ridge"})],
    ids=lambda value: getattr(value, "__name__", ""))
def test_other_losses_and_penalties_take_folds_too(kind, settings):
    y = np.exp(0.3 * Y)
    folds = folds_of(SPLITTERS["time"], X, y, None)
    model = kind(alphas=ALPHAS, cv=folds, tol=1e-8, **settings).fit(X, y)
    plain = getattr(linear, kind.__name__[:-2])
    deviances = {linear.GeneralizedLinearRegressorCV: lambda z, y: z - y - y * np.log(z / y),
                 linear.HuberRegressionCV: lambda z, y: np.where(abs(z - y) <= 1.35, (z - y) ** 2 / 2, 1.35 * abs(z - y) - 1.35**2 / 2),
                 linear.QuantileRegressionCV: lambda z, y: np.maximum(0.7 * (z - y), -0.3 * (z - y))}
    loss = deviances.get(kind, lambda z, y: (z - y) ** 2 / 2)
    by_hand = losses_by_hand(plain, folds, ALPHAS, X, y, lambda fit, rows, y: np.mean(loss(fit.predict(rows), y)), **settings)
    assert model.path_.validation_["losses"] == pytest.approx(by_hand, rel=2e-4)
    if kind not in (linear.GroupLassoCV, linear.MCPRegressionCV):
        with pytest.raises(AttributeError, match="mse_path_"):
            model.mse_path_


def test_classes_responses_survival_and_precisions_take_folds_too():
    y = (Y > 0).astype(int)
    folds = list(model_selection.StratifiedKFold(3).split(X, y))
    model = linear.LogisticRegressionCV(alphas=[0.1, 0.01], cv=model_selection.StratifiedKFold(3), scoring="accuracy").fit(X, y)
    accuracy = [[clone(linear.LogisticRegression(alpha)).fit(X[a], y[a]).score(X[b], y[b]) for a, b in folds] for alpha in (0.1, 0.01)]
    found = model.cv_results_
    assert np.column_stack([found[f"split{k}_test_score"] for k in range(3)]) == pytest.approx(np.array(accuracy))
    assert model.alpha_ == found["params"][int(np.argmax(found["mean_test_score"]))]["alpha"]
    assert found["rank_test_score"].min() == 1
    several = linear.MultiTaskLassoCV(alphas=[0.1, 0.01], cv=folds, tol=1e-9).fit(X, np.column_stack([Y, X[:, 0]]))
    theirs = linear_model.MultiTaskLassoCV(alphas=[0.1, 0.01], cv=folds, tol=1e-10).fit(X, np.column_stack([Y, X[:, 0]]))
    assert several.mse_path_ == pytest.approx(theirs.mse_path_, rel=1e-4)
    times = np.column_stack([np.exp(-Y), Y > -1])
    cox = survival.CoxRegressionCV(alphas=[0.1, 0.01], cv=model_selection.KFold(3)).fit(X, times)
    assert cox.path_.validation_["losses"].shape == (2, 3)
    graph = matrix.GraphicalLassoCV(alphas=[0.3, 0.1], cv=model_selection.KFold(3)).fit(X + X[:, :1])
    assert graph.alphas_.tolist() == [0.3, 0.1] and graph.cv_results_["split2_test_score"].shape == (2,)


@pytest.mark.parametrize("scoring, metric", [("neg_mean_squared_error", "mse"), ("neg_mean_absolute_error", "mae"), ("r2", "r2")])
def test_scores_are_those_of_scikit_learn(scoring, metric):
    folds = folds_of(SPLITTERS["unshuffled"], X, Y, None)
    for word in (scoring, metric):
        model = linear.LassoCV(alphas=ALPHAS, cv=folds, scoring=word, tol=1e-9).fit(X, Y)
        by_hand = losses_by_hand(linear.Lasso, folds, ALPHAS, X, Y, lambda fit, rows, y: get_scorer(scoring)(fit, rows, y))
        found = model.cv_results_
        assert np.column_stack([found[f"split{k}_test_score"] for k in range(4)]) == pytest.approx(by_hand, rel=1e-5)
        assert found["mean_test_score"] == pytest.approx(by_hand.mean(axis=1), rel=1e-5)
        assert model.alpha_ == ALPHAS[int(np.argmax(found["mean_test_score"]))]


def _with_ratio(kind, **given):
    """A fit with the penalty elastic-net, and its response."""
    y = {survival.CoxRegressionCV: np.column_stack([np.exp(Y / 3), Y > -2]), linear.LogisticRegressionCV: Y > 0,
         linear.MultiTaskElasticNetCV: np.column_stack([Y, X[:, 3]])}.get(kind, Y)
    named = {"penalty": "elastic-net"} if kind._parameters.get("penalty") else {}
    return kind(**{"cv": 3, "n_alphas": 4, **named, **given}).fit(X, y)


def _forms_of(values):
    pandas = pytest.importorskip("pandas")
    numbers = np.array(values)
    return (tuple(values), numbers, numbers.astype(object), pandas.Series(values, index=range(7, 7 + len(values))), pandas.Index(values),
            pandas.Series(values, dtype="Int64" if numbers.dtype.kind == "i" else "Float64"))


@pytest.mark.parametrize("kind", [linear.ElasticNetCV, linear.LogisticRegressionCV, linear.GeneralizedLinearRegressorCV,
                                  survival.CoxRegressionCV, linear.MultiTaskElasticNetCV, linear.SparseGroupLassoCV])
@pytest.mark.parametrize("name, values", [("l1_ratio", [0.2, 0.8]), ("l1_ratio", [0.5]), ("l1_ratio", [1, 1]), ("alphas", [0.1, 0.02]),
                                          ("alphas", [1, 2])])
def test_a_list_of_numbers_may_be_any_array(kind, name, values):
    listed = _with_ratio(kind, **{name: values})
    for form in _forms_of(values):
        fit = _with_ratio(kind, **{name: form})
        assert (fit.alpha_, fit.l1_ratio_) == (listed.alpha_, listed.l1_ratio_) and np.array_equal(fit.coef_, listed.coef_)


@pytest.mark.parametrize("name, values", [("penalty_weights", [1.0, 2, 0, 1, 1, 2]), ("groups", [0, 0, 1, 1, 2, 2]), ("groups", [2, 3, 1]),
                                          ("group_weights", [1, 2, 3]), ("noise_variance", [0.01] * 6)])
def test_a_number_a_column_or_group_may_be_any_array(name, values):
    def fitted(form):
        model = {"penalty_weights": linear.Lasso(0.1), "noise_variance": linear.ErrorsInVariablesLasso(0.1, rho=5)}.get(
            name, linear.GroupLasso(0.1, groups=2))
        return model.set_params(**{name: form}).fit(X, Y).coef_

    for form in _forms_of(values):
        assert np.array_equal(fitted(form), fitted(values))


def test_a_ratio_of_0_is_a_ridge_and_needs_alphas_beside_others():
    ridge = linear.ElasticNetCV(l1_ratio=0, cv=3, n_alphas=4, tol=1e-9).fit(X, Y)
    for kind, ratio in ((linear.ElasticNetCV, [0]), (linear.ElasticNetCV, [0.0, 0]), (linear.GeneralizedLinearRegressorCV, np.zeros(1)),
                        (linear.MultiTaskElasticNetCV, 0), (linear.MultiTaskElasticNetCV, (0,))):
        named = {"penalty": "elastic-net"} if kind._parameters.get("penalty") else {}
        fit = kind(l1_ratio=ratio, cv=3, n_alphas=4, tol=1e-9, **named).fit(X, Y)
        assert fit.l1_ratio_ == 0 and fit.alphas_ == pytest.approx(ridge.alphas_) and fit.coef_ == pytest.approx(ridge.coef_, abs=1e-6)
    for kind, given in ((linear.ElasticNetCV, {"l1_ratio": 0, "positive": True}), (linear.GeneralizedLinearRegressorCV, {"l1_ratio": [0, 0.5]}),
                        (survival.CoxRegressionCV, {"l1_ratio": [0, 0.5]}), (linear.MultiTaskElasticNetCV, {"l1_ratio": np.array([0, 1])})):
        with pytest.raises(ValueError, match=r"^l1_ratio: at 0 no alpha has the solution 0.*\(give alphas"):
            _with_ratio(kind, **given)
        assert _with_ratio(kind, alphas=[0.1, 0.01], **given).alpha_ in (0.1, 0.01)
    with pytest.raises(ValueError, match="^l1_ratio: .*write the 0 first"):
        linear.ElasticNetCV(l1_ratio=[0.5, 0], alphas=ALPHAS).fit(X, Y)
    with pytest.raises(ValueError, match=r"^alphas: the largest alpha is undefined.*\(give alphas\)"):
        linear.GroupLassoCV(groups=3, group_weights=[0, 1], positive=True).fit(X, Y)


def test_several_l1_ratio_are_those_one_by_one():
    ratios = [0.1, 0.5, 0.9]
    folds = folds_of(SPLITTERS["unshuffled"], X, Y, None)
    model = linear.ElasticNetCV(l1_ratio=ratios, cv=folds, n_alphas=12, explained=1, tol=1e-9).fit(X, Y)
    ones = [linear.ElasticNetCV(l1_ratio=ratio, cv=folds, n_alphas=12, explained=1, tol=1e-9).fit(X, Y) for ratio in ratios]
    theirs = linear_model.ElasticNetCV(l1_ratio=ratios, cv=folds, n_alphas=12, tol=1e-10, max_iter=100000).fit(X, Y)
    assert model.alphas_.shape == model.loss_path_.shape and model.mse_path_.shape == (*model.alphas_.shape, 4)
    for k, one in enumerate(ones):
        count = len(one.alphas_)
        assert model.alphas_[k][:count] == pytest.approx(one.alphas_) and np.isnan(model.alphas_[k][count:]).all()
        assert model.mse_path_[k, :count] == pytest.approx(one.mse_path_, rel=1e-5)
        assert one.l1_ratio_ == ratios[k]
    best = min(ones, key=lambda one: one.loss_path_.min())
    assert (model.alpha_, model.l1_ratio_) == pytest.approx((best.alpha_, best.l1_ratio_))
    assert model.coef_ == pytest.approx(best.coef_, abs=1e-5) and model.coef_path_.shape == (6, len(best.alphas_))
    assert model.l1_ratio_ == theirs.l1_ratio_ and model.alphas_[:, :12] == pytest.approx(theirs.alphas_)
    assert [entry["l1_ratio"] for entry in model.cv_results_["params"]].count(0.5) == np.isfinite(model.alphas_[1]).sum()
    pytest.importorskip("matplotlib").use("Agg")
    model.plot("path"), model.plot("loss")


def test_own_alphas_are_solved_all_of_them_whatever_their_order():
    model = linear.LassoCV(alphas=[1e-8, 0.1, 1e-4, 10.0], tol=1e-7).fit(X, X @ np.r_[1.0, np.zeros(5)])
    assert model.alphas_.tolist() == [10.0, 0.1, 1e-4, 1e-8] and not model.coef_path_[:, 0].any()
    with pytest.warns(claros.ClarosWarning, match="add it to alphas"):
        linear.LassoCV(alphas=[3.0, 1.0]).fit(X, Y)


@pytest.mark.parametrize("make", [linear.LassoCV, linear.MultiTaskLassoCV, matrix.GraphicalLassoCV])
def test_an_integer_of_alphas_is_their_number_as_in_newer_scikit_learn(make):
    data = (X,) if make is matrix.GraphicalLassoCV else (X, Y if make is linear.LassoCV else X[:, :2])
    by_number, by_name = make(alphas=7, n_alphas=50, cv=3).fit(*data), make(n_alphas=7, cv=3).fit(*data)
    assert np.array_equal(by_number.alphas_, by_name.alphas_)  # 7, or more if the grid goes on below its end
    constant = linear.LassoCV(alphas=7, cv=3).fit(X, np.ones(80))
    assert len(constant.alphas_) == 7
    assert by_number.alpha_ == by_name.alpha_ and np.array_equal(by_number.loss_path_, by_name.loss_path_)


def test_jobs_are_those_of_joblib_and_change_no_bit():
    one = linear.LassoCV(n_alphas=10).fit(X, Y)
    for jobs in (None, 2, -1, -100):
        assert np.array_equal(linear.LassoCV(n_alphas=10, n_jobs=jobs).fit(X, Y).mse_path_, one.mse_path_)


@pytest.mark.parametrize("given, said", [
    ({"cv": 1}, "'cv'.*splitter"), ({"cv": 2.5}, "'cv'"), ({"cv": "5"}, "'cv'"), ({"cv": True}, "'cv'"),
    ({"n_jobs": 0}, "'n_jobs'.*-1"), ({"n_jobs": 1.5}, "'n_jobs'"), ({"alphas": [1.0, 0.0]}, r"alphas\[1\] == 0"), ({"alphas": []}, "'alphas'"),
    ({"alphas": 3.0}, "'alphas'"), ({"alphas": 0}, "'alphas'.*their number"), ({"alphas": True}, "'alphas'"), ({"alphas": [np.nan]}, "alphas"), ({"scoring": "nothing"}, "'scoring'.*get_scorer_names"),
    ({"scoring": 3}, "'scoring'"), ({"scoring": "accuracy"}, "^scoring: accuracy"),
    ({"cv": [(np.arange(5), np.arange(3, 8))]}, "^cv: fold 1 trains on row 3"), ({"cv": [(np.arange(5), [80])]}, "^cv: fold 1 has row 80"),
    ({"cv": [(np.arange(5), np.empty(0, int))]}, "^cv: fold 1 holds no rows back")])
def test_wrong_folds_and_grids_are_refused_in_words_of_python(given, said):
    with pytest.raises(ValueError, match=said) as caught:
        linear.LassoCV(**given).fit(X, Y)
    assert "--" not in str(caught.value)


def test_a_text_among_alphas_is_a_type_error_as_in_scikit_learn():
    with pytest.raises(TypeError, match=r"alphas\[1\] must be an instance of float, not str"):
        linear.LassoCV(alphas=[1.0, "a"]).fit(X, Y)


def test_a_path_takes_pairs_of_a_splitter():
    folds = folds_of(SPLITTERS["time"], X, Y, None)
    path = claros.CrossValidation(objective={"use": "linear-model", "intercept": True}, penalty="l1", data=(X, Y), folds=folds,
                                  grid=ALPHAS, stop=1e-9)
    assert 2 * path.validation_["losses"] == pytest.approx(linear.LassoCV(alphas=ALPHAS, cv=folds, tol=1e-9).fit(X, Y).mse_path_, rel=1e-6)
    for wrong in ([1, 2], [(0.5, 1)], [([0.5], [1])]):
        with pytest.raises(claros.UsageError, match="splitter"):
            claros.CrossValidation(objective="linear-model", penalty="l1", data=(X, Y), folds=wrong)


def test_progress_of_a_path_says_where_it_is(capsys, monkeypatch):
    from claros import progress

    seen = []
    rows = np.random.default_rng(0).normal(size=(400, 500))
    claros.CrossValidation(objective="linear-model", penalty="l1", data=(rows, rows[:, 0] + 0.1 * rows[:, 1]), folds=3, stop=1e-10,
                           explained=1, progress=lambda *now: seen.append(now))
    assert all(-1 <= fold < 3 and 0 <= k <= count == 100 for fold, k, count in seen)
    shown = progress.PathProgress()
    shown(1, 4, 100), shown.end()
    assert "fold 2: lambda 5 of 100" in capsys.readouterr().err


def test_what_scikit_learn_calls_hints_is_taken_and_changes_nothing():
    plain = linear.Lasso(0.1).fit(X, Y)
    for hint in ({"precompute": True}, {"precompute": X.T @ X}, {"copy_X": False}, {"selection": "random"}):
        assert np.array_equal(linear.Lasso(0.1, **hint).fit(X, Y).coef_, plain.coef_)
    best = linear.LassoCV(n_alphas=8).fit(X, Y)
    for hint in ({"precompute": "auto"}, {"copy_X": False}, {"selection": "random"}, {"verbose": False}):
        assert np.array_equal(linear.LassoCV(n_alphas=8, **hint).fit(X, Y).coef_, best.coef_)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = linear.MultiTaskElasticNet(0.1, copy_X=False, selection="random").fit(X, np.column_stack([Y, Y]))
    assert ours.coef_.shape == (2, 6)


def test_groups_as_sizes_are_recognised_or_refused():
    by_size = linear.GroupLasso(0.1, groups=[2, 1, 3]).fit(X, Y)
    assert np.array_equal(by_size.coef_, linear.GroupLasso(0.1, groups=[[0, 1], [2], [3, 4, 5]]).fit(X, Y).coef_)
    for wrong in ([2, 3], [6, 0], [7, -1], ["a", "b"]):
        with pytest.raises(ValueError, match="sizes of the sum 6"):
            linear.GroupLasso(0.1, groups=wrong).fit(X, Y)


@pytest.mark.parametrize("model, y", [(linear.LassoCV(), Y), (linear.ElasticNetCV(l1_ratio=0.5, fit_intercept=False), Y),
                                      (linear.LassoCV(scoring="neg_mean_absolute_error"), Y), (linear.LassoCV(scoring="neg_median_absolute_error"), Y),
                                      (linear.LogisticRegressionCV(), Y > 0), (linear.HuberRegressionCV(), Y)])
def test_a_row_of_weight_two_is_the_row_twice_in_every_choice(model, y):
    """Of a fold whose rows have other weights than those of the others (but for a median, which has no weights)."""
    twice = np.r_[np.arange(20), np.arange(80)]
    fold = np.arange(80) // 20
    pairs = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(4)]
    repeated = [(np.flatnonzero(fold[twice] != k), np.flatnonzero(fold[twice] == k)) for k in range(4)]
    weighted = clone(model).set_params(alphas=np.geomspace(0.5, 0.005, 12), cv=pairs, tol=1e-9)
    weighted.fit(X, y, sample_weight=np.where(fold == 0, 2.0, 1.0))
    plain = clone(weighted).set_params(cv=repeated).fit(X[twice], y[twice])
    assert weighted.alpha_ == plain.alpha_ and weighted.coef_ == pytest.approx(plain.coef_, abs=1e-5)
    assert weighted.loss_path_ == pytest.approx(plain.loss_path_, rel=1e-6) and weighted.loss_error_ == pytest.approx(plain.loss_error_, rel=1e-4)
    assert weighted.cv_results_["mean_test_score"] == pytest.approx(plain.cv_results_["mean_test_score"], rel=1e-5)


ZEROS = np.where(np.arange(80) % 7 == 0, 0.0, 1.0 + np.arange(80) % 3)
PAIRS = [(np.arange(30), np.arange(40, 60)), (np.arange(35, 80), np.arange(5, 35))]


@pytest.mark.parametrize("rows", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("given", ["rows", "dict", "array", "list", "column", "mask"])
def test_positions_of_a_path_count_rows_of_weight_zero(rows, given):
    problem = {"penalty": "l1", "grid": ALPHAS, "stop": 1e-9, "folds": PAIRS}
    objective = {"use": "linear-model", "intercept": True}

    def losses(weights, given):
        of_rows = {"rows": lambda: claros.rows(rows(X), Y, weights),
                   "dict": lambda: {"X": rows(X), "y": Y, "sample_weight": weights}}
        own = {"array": weights, "list": list(weights), "column": weights[:, None]}
        more = {"weights": own[given]} if given in own else {}
        data = of_rows.get(given, lambda: (rows(X), Y))()
        return claros.CrossValidation(**problem, objective={**objective, **more}, data=data).validation_["losses"]

    if given == "mask":
        problem["folds"], given = [tuple(np.isin(np.arange(80), part) for part in fold) for fold in PAIRS], "rows"
    small = np.where(ZEROS > 0, ZEROS, 1e-300)
    assert losses(ZEROS, given) == pytest.approx(losses(small, "rows"), rel=1e-6)
    estimator = linear.LassoCV(alphas=ALPHAS, cv=PAIRS, tol=1e-9).fit(X, Y, sample_weight=ZEROS)
    assert losses(ZEROS, given) == pytest.approx(estimator.path_.validation_["losses"], rel=1e-6)
    problem["folds"] = [(np.arange(30), np.arange(40, 81))]
    with pytest.raises(claros.UsageError, match="folds: fold 1 has row 80, counted from 0, of 80"):
        losses(ZEROS, given)


_ODD = np.where(np.arange(80) % 7 == 0, 0.0, 1.0 + np.arange(80) % 3)  # row weights
_RESPONSES = {"a": np.where(Y > 0.5, "b", "a"), "s": np.column_stack([np.exp(Y / 3), Y > -2]), "m": np.column_stack([Y, X[:, 0]]), "r": Y}


@pytest.mark.parametrize("rows", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("model, y", [
    (linear.LogisticRegression(0.01, class_weight="balanced"), "a"), (linear.SquaredHingeClassifier(0.01, class_weight="balanced"), "a"),
    (linear.LogisticRegressionCV(class_weight="balanced"), "a"), (linear.LogisticRegressionCV(class_weight="balanced", refit=False), "a"),
    (linear.LogisticRegressionCV(class_weight="balanced", scoring="accuracy"), "a"), (linear.LogisticRegressionCV(scoring="roc_auc", refit=False), "a"),
    (linear.LassoCV(refit=False), "r"), (linear.LassoCV(scoring="max_error"), "r"), (linear.LassoCV(cv=model_selection.LeaveOneOut()), "r"),
    (linear.LassoCV(cv=model_selection.LeaveOneOut(), scoring="max_error"), "r"), (linear.MultiTaskLassoCV(cv=model_selection.LeaveOneOut()), "m"),
    (survival.CoxRegressionCV(cv=[(np.arange(1, 80), np.array([0])), (np.arange(40), np.arange(40, 80))]), "s")], ids=lambda value: repr(value)[-60:])
def test_rows_of_weight_zero_are_like_rows_that_are_not_there(model, y, rows):
    model, y, kept = clone(model).set_params(tol=1e-9), _RESPONSES[y], np.flatnonzero(_ODD)
    if hasattr(model, "cv"):
        model.set_params(n_alphas=4, **({} if hasattr(model.cv, "split") or np.iterable(model.cv) else {"cv": 3}))
    one = model.fit(rows(X), y, sample_weight=_ODD)
    other = clone(model)
    if np.iterable(getattr(model, "cv", None)):
        other.set_params(cv=[tuple(np.flatnonzero(np.isin(kept, part)) for part in model.cv[1])])
    other.fit(rows(X[kept]), y[kept], sample_weight=_ODD[kept])
    for name in ("coef_", "intercept_", "alpha_", "alphas_", "loss_path_"):
        assert np.allclose(getattr(one, name, 0.0), getattr(other, name, 0.0), rtol=1e-4, atol=1e-5), name


@pytest.mark.parametrize("cv", [4, model_selection.LeaveOneGroupOut()], ids=str)
@pytest.mark.parametrize("refit", [True, False])
def test_a_group_of_weight_zero_is_no_fold(cv, refit):
    weights = np.where(GROUPS == 3, 0.0, 1.0)
    kept, model = weights > 0, linear.LassoCV(cv=cv, alphas=ALPHAS, refit=refit, tol=1e-9)
    one, other = clone(model).fit(X, Y, sample_weight=weights, groups=GROUPS), model.fit(X[kept], Y[kept], groups=GROUPS[kept])
    assert one.coef_ == pytest.approx(other.coef_, abs=1e-6) and one.mse_path_ == pytest.approx(other.mse_path_)


def test_weights_that_leave_no_fold_are_named_as_the_cause():
    odd, others = np.flatnonzero(_ODD == 0), np.flatnonzero(_ODD)
    for fold, said in (((others, odd), "every fold holds rows of weight 0 back"), ((odd, others), "fold 1 trains on rows of weight 0 alone")):
        with pytest.raises(ValueError, match=f"^cv: {said}.*the weights"):
            linear.LassoCV(cv=[fold]).fit(X, Y, sample_weight=_ODD)
        with pytest.raises(ValueError, match=f"^folds: {said}.*the weights"):
            claros.CrossValidation(objective="linear-model", penalty="l1", data=claros.rows(X, Y, _ODD), folds=[fold])
    with pytest.raises(ValueError, match="^sample_weight: .*not all 0"):
        linear.LassoCV(cv=model_selection.LeaveOneOut()).fit(X, Y, sample_weight=np.zeros(80))


@pytest.mark.parametrize("count", [79, 90])
def test_a_mask_has_an_entry_for_every_row(count):
    folds = [(np.arange(count) < 40, np.arange(count) >= 40)]
    for rows in (X, sparse.csr_matrix(X)):
        for weights in (None, _ODD):
            with pytest.raises(ValueError, match=f"^cv: a mask of {count} entries for 80 rows"):
                linear.LassoCV(cv=folds).fit(rows, Y, sample_weight=weights)
            with pytest.raises(ValueError, match=f"^folds: a mask of {count} entries for 80 rows"):
                claros.Path(objective="linear-model", penalty="l1", data=claros.rows(rows, Y, weights), folds=folds)
    with pytest.raises(ValueError, match=f"^cv: a mask of {count} entries for 80 rows"):
        matrix.GraphicalLassoCV(cv=folds).fit(X)
    with pytest.raises(ValueError, match=r"^groups: an array of shape \(79,\), expected one label a row, \(80,\)"):
        linear.LassoCV(cv=4).fit(X, Y, groups=GROUPS[1:])
def ways_of_weights(folder):
    """The weights ZEROS by a file, a column or a specification: arguments of a path."""
    frame = pytest.importorskip("pandas").DataFrame(X, columns=list("abcdef")).assign(w=ZEROS, y=Y)
    np.savetxt(folder / "w.txt", ZEROS)
    frame.to_csv(folder / "rows.csv", index=False, float_format="%.17g")
    (folder / "spec.ini").write_text(f"[objective]\nuse = linear-model\ndata = {folder / 'rows.csv'}\nresponse = y\nweights = w\nstandardize = no\n")
    of_rows, table = {"use": "linear-model", "intercept": True}, {"use": "linear-model", "response": "y", "standardize": False}
    return {"file": dict(objective={**of_rows, "weights": folder / "w.txt"}, data=(X, Y)),
            "column": dict(objective={**table, "weights": "w"}, data=frame), "number": dict(objective={**table, "weights": 7}, data=frame),
            "csv": dict(objective={**table, "weights": "w", "data": folder / "rows.csv"}),
            "csv and array": dict(objective={**table, "weights": ZEROS, "without": "w", "data": folder / "rows.csv"}),
            "specification": dict(specification=folder / "spec.ini")}


@pytest.mark.parametrize("way", ["file", "column", "number", "csv", "csv and array", "specification"])
def test_positions_of_a_path_count_rows_of_weight_zero_of_files_and_tables(way, tmp_path):
    kept, settings = ZEROS > 0, dict(penalty="l1", grid=ALPHAS, explained=1, stop=1e-10)
    place = np.cumsum(kept) - 1
    fewer = [tuple(place[part[kept[part]]] for part in fold) for fold in PAIRS]
    by_hand = claros.CrossValidation(objective={"use": "linear-model", "intercept": True}, folds=fewer, **settings,
                                     data=claros.rows(X[kept], Y[kept], sample_weight=ZEROS[kept]))
    given = ways_of_weights(tmp_path)[way]
    path = claros.CrossValidation(folds=PAIRS, **given, **settings)
    assert path.validation_["losses"] == pytest.approx(by_hand.validation_["losses"], rel=1e-6)
    with pytest.raises(claros.UsageError, match="folds: fold 1 has row 80, counted from 0, of 80"):
        claros.CrossValidation(folds=[(np.arange(30), np.arange(40, 81))], **given, **settings)


def test_positions_are_refused_where_rows_have_no_place(tmp_path):
    frame = pytest.importorskip("pandas").DataFrame(X, columns=list("abcdef")).assign(y=Y)
    frame.loc[5, "a"] = np.nan
    frame.to_csv(tmp_path / "rows.csv", index=False)
    (tmp_path / "spec.ini").write_text(f"[objective]\nuse = linear-model\ndata = {tmp_path / 'rows.csv'}\nmissing = drop\n")
    how = {"use": "linear-model", "missing": "drop"}
    for given in (dict(objective=how, data=frame), dict(objective={**how, "data": tmp_path / "rows.csv"}), dict(specification=tmp_path / "spec.ini")):
        with pytest.raises(claros.UsageError, match="folds: .*missing = drop leaves rows out.*remove these rows"):
            claros.CrossValidation(penalty="l1", folds=[(np.arange(25), np.arange(25, 45))], **given)
        assert claros.CrossValidation(penalty="l1", folds=3, lambdas=3, explained=1, **given).validation_["losses"].shape == (3, 3)
    i, j = np.divmod(np.arange(80)[::-1], 9)
    with pytest.raises(claros.UsageError, match="folds: .*ratings are sorted.*number of folds"):
        claros.CrossValidation(objective="matrix-completion", penalty="nuclear", data=claros.ratings(i, j, Y), folds=PAIRS)


@pytest.mark.parametrize("form", ["column", "list", "frame"])
@pytest.mark.parametrize("model, y", [
    (linear.LassoCV(), Y), (linear.LassoCV(refit=False), Y), (linear.LassoCV(scoring="neg_median_absolute_error"), Y),
    (linear.LogisticRegressionCV(), Y > 0), (linear.MultiTaskLassoCV(), np.column_stack([Y, X[:, 0]])),
    (survival.CoxRegressionCV(), np.column_stack([np.exp(-Y), Y > -1]))], ids=lambda value: repr(value)[:30])
def test_a_column_of_weights_has_the_folds_of_the_vector(model, y, form):
    pandas = pytest.importorskip("pandas")
    forms = {"column": ZEROS[:, None], "list": ZEROS.tolist(), "frame": pandas.DataFrame({"w": ZEROS})}
    ours, vector = (clone(model).set_params(alphas=ALPHAS, cv=PAIRS).fit(X, y, sample_weight=w) for w in (forms[form], ZEROS))
    assert np.array_equal(ours.loss_path_, vector.loss_path_) and np.array_equal(ours.coef_, vector.coef_) and ours.alpha_ == vector.alpha_


def test_a_score_leaves_out_rows_of_weight_zero_and_weighs_the_others():
    from sklearn.metrics import make_scorer, max_error, mean_squared_error

    seen = []

    def rated(model, rows, y):
        seen.append(len(y))
        return -float(np.mean((y - model.predict(rows)) ** 2))

    def scores(scoring, weights=ZEROS):
        model = linear.LassoCV(alphas=ALPHAS, cv=PAIRS, scoring=scoring, tol=1e-9)
        return model.fit(X, Y, sample_weight=weights).cv_results_["mean_test_score"]

    by_name = scores("neg_mean_squared_error")
    assert scores(make_scorer(mean_squared_error, greater_is_better=False)) == pytest.approx(by_name, rel=1e-6)
    assert scores(rated, np.minimum(ZEROS, 1)) == pytest.approx(scores("neg_mean_squared_error", np.minimum(ZEROS, 1)), rel=1e-6)
    assert set(seen) == {int(np.count_nonzero(ZEROS[test])) for _, test in PAIRS}
    assert np.isfinite(scores(make_scorer(max_error, greater_is_better=False))).all()  # which has no weights


@pytest.mark.parametrize("cv", [[], iter([]), [1, 2], [(np.arange(5),)], [("a", "b")]], ids=str)
@pytest.mark.parametrize("model", [linear.LassoCV(), linear.LassoCV(refit=False), matrix.GraphicalLassoCV(), survival.CoxRegressionCV()],
                         ids=lambda value: repr(value)[:30])
def test_no_folds_and_no_pairs_are_refused(model, cv):
    with pytest.raises(ValueError, match="^cv: (no folds: .*iterator|expected pairs)"):
        model.set_params(cv=cv).fit(X, np.column_stack([np.exp(-Y), Y > -1]) if isinstance(model, survival.CoxRegressionCV) else Y)
    with pytest.raises(ValueError, match="^folds: no folds"):
        claros.CrossValidation(objective="linear-model", penalty="l1", data=(X, Y), folds=[])


def test_an_iterator_of_folds_is_for_one_fit():
    model = linear.LassoCV(alphas=ALPHAS, cv=iter(PAIRS)).fit(X, Y)
    with pytest.raises(ValueError, match="^cv: no folds: the list is empty, or an iterator is at its end"):
        model.fit(X, Y)


@pytest.mark.parametrize("kind, penalty", [(linear.LogisticRegressionCV, "l1"), (linear.GeneralizedLinearRegressorCV, "ridge"),
                                           (survival.CoxRegressionCV, "mcp")])
def test_several_l1_ratio_need_a_penalty_that_has_one(kind, penalty):
    with pytest.raises(ValueError, match=f"'l1_ratio'.*the penalty '{penalty}' has no l1_ratio"):
        y = np.column_stack([np.exp(-Y), Y > 0]) if kind is survival.CoxRegressionCV else Y > 0
        kind(penalty=penalty, l1_ratio=[0.1, 0.5, 1]).fit(X, y)


def test_labels_of_groups_that_are_missing_or_mixed_are_refused():
    column = linear.LassoCV(alphas=ALPHAS, cv=4).fit(X, Y, groups=GROUPS[:, None])
    assert np.array_equal(column.mse_path_, linear.LassoCV(alphas=ALPHAS, cv=4).fit(X, Y, groups=GROUPS).mse_path_)
    for wrong, said in ((["a", "b", None, "c"] * 20, "entry 2 has no label"), (["a", 1] * 40, "numbers and texts"),
                        (np.ma.array(GROUPS, mask=GROUPS == 3), "masked"), (np.ones((80, 2)), "shape")):
        with pytest.raises(ValueError, match=f"^groups: .*{said}"):
            linear.LassoCV(cv=4).fit(X, Y, groups=wrong)


def _every_kind_with_cv():
    kinds = [kind for module in (linear, survival) for name, kind in vars(module).items() if name.endswith("CV")]
    settings = {linear.GeneralizedLinearRegressorCV: {"loss": "negative-binomial", "theta": None}, linear.HuberRegressionCV: {"delta": None}}
    return [(kind, settings.get(kind, {})) for kind in kinds]


def _response_for(kind):
    y = np.exp(0.3 * Y)
    if kind is survival.CoxRegressionCV:
        return np.column_stack([y, Y > -1])
    if issubclass(kind, linear.ClassifierMixin):
        return Y > 0
    if kind.__name__.startswith("MultiTask"):
        return np.column_stack([Y, X[:, 0]])
    return np.floor(y**4) if kind is linear.GeneralizedLinearRegressorCV else y


@pytest.mark.filterwarnings("ignore::claros.ClarosWarning")
@pytest.mark.parametrize("kind, settings", _every_kind_with_cv(), ids=lambda value: getattr(value, "__name__", ""))
def test_after_a_choice_by_fits_everything_is_of_one_fit(kind, settings):
    y, ratios = _response_for(kind), {"l1_ratio": [0.3, 0.9]} if kind is linear.ElasticNetCV else {}
    weights = np.where(np.arange(80) % 9 == 0, 0.0, 1.0)
    weighted = {} if kind.__name__.startswith("MultiTask") else {"sample_weight": weights}

    def smallest(model, rows, y):  # the least alpha is never that of the loss
        return -model.alpha - (model.l1_ratio if ratios else 0)

    model = kind(alphas=[0.5, 0.2, 1e-3], cv=3, scoring=smallest, random_state=0, **settings, **ratios).fit(X, y, **weighted)
    assert model.alpha_ == 1e-3
    one = kind._plain(**settings, **({"l1_ratio": 0.3} if ratios else {}), alpha=1e-3).fit(X, y, **weighted)
    assert set(vars(one)) - set(one._parameters) <= set(vars(model))
    for name in set(vars(one)) - set(one._parameters) - {"result_", "_start"}:
        np.testing.assert_equal(getattr(model, name), getattr(one, name), err_msg=name)
    if kind is survival.CoxRegressionCV:
        assert np.array_equal(model.predict_survival(X, [0.5, 1.0]), one.predict_survival(X, [0.5, 1.0]))
    if ratios:
        assert np.array_equal(model.coef_path_[:, -1], model.path_.parted(int(np.flatnonzero(model.path_.table_["over"] == 0.3)[-1]))[0])
        pytest.importorskip("matplotlib").use("Agg")
        for refit in (True, False):
            kind(alphas=ALPHAS, cv=3, refit=refit, **ratios).fit(X, y).plot("path")


@pytest.mark.filterwarnings("ignore::claros.ClarosWarning")
@pytest.mark.parametrize("kind, settings", [pair for pair in _every_kind_with_cv() if "refit" in pair[0]._parameters],
                         ids=lambda value: getattr(value, "__name__", ""))
def test_without_refit_everything_is_of_the_mean(kind, settings):
    y, offset = _response_for(kind), 0.1 * X[:, 3]
    given = {} if kind.__name__.startswith(("MultiTask", "LogisticRegressionCV")) else {"offset": offset.tolist()}
    model = kind(alphas=ALPHAS, cv=PAIRS, refit=False, **settings).fit(X, y, **given)
    ones = [kind._plain(alpha=alpha, **settings).fit(X[a], y[a], **({"offset": offset[a]} if given else {})) for (a, _), alpha in zip(
        PAIRS, np.array(model.alphas_)[np.argmin(model.path_.validation_["losses"], axis=0)])]
    assert model.coef_ == pytest.approx(np.mean([one.coef_ for one in ones], axis=0), abs=1e-9)
    for name in ("loss_parameters_", "_estimated"):
        for key, value in getattr(ones[0], name, {}).items():
            assert getattr(model, name)[key] == pytest.approx(np.mean([getattr(one, name)[key] for one in ones]))
    residual = None if y.ndim > 1 or y.dtype == bool else model._images(X, offset if given else None) - y
    if hasattr(model, "noise_"):
        assert model.noise_ == pytest.approx(np.sqrt(np.mean(residual**2)))
    if hasattr(model, "outliers_"):
        assert model.scale_ == pytest.approx(np.mean([one.scale_ for one in ones]))
        assert np.array_equal(model.outliers_, abs(residual) > 1.35 * model.scale_)


@pytest.mark.filterwarnings("ignore::claros.ClarosWarning")
@pytest.mark.parametrize("kind", [linear.LogisticRegressionCV, linear.SquaredHingeClassifierCV])
@pytest.mark.parametrize("scoring", ["accuracy", "auc", "roc_auc", "f1", "neg_log_loss"])
@pytest.mark.parametrize("class_weight, weights", [({True: 5, False: 1}, None), ("balanced", None), ({True: 5, False: 1}, ZEROS)], ids=str)
def test_class_weights_weigh_fits_and_no_scores(kind, scoring, class_weight, weights):
    if scoring == "neg_log_loss" and kind is linear.SquaredHingeClassifierCV:
        pytest.skip("has no probabilities")
    y, name = Y + RNG.normal(size=80) > 1.5, {"auc": "roc_auc"}.get(scoring, scoring)
    model = kind(alphas=ALPHAS, cv=PAIRS, scoring=scoring, class_weight=class_weight, tol=1e-8).fit(X, y, sample_weight=weights)
    w = np.ones(80) if weights is None else weights
    by_hand = np.array([[get_scorer(name)(kind._plain(alpha, class_weight=class_weight, tol=1e-8).fit(X[a], y[a], sample_weight=w[a]), X[b], y[b],
                                          sample_weight=w[b]) for a, b in PAIRS] for alpha in ALPHAS])
    found = model.cv_results_
    assert np.column_stack([found[f"split{k}_test_score"] for k in range(2)]) == pytest.approx(by_hand, rel=1e-6)
    assert found["mean_test_score"] == pytest.approx(np.average(by_hand, axis=1, weights=[w[b].sum() for _, b in PAIRS]), rel=1e-6)
    if scoring == "accuracy" and weights is None:
        theirs = model_selection.GridSearchCV(kind._plain(class_weight=class_weight), {"alpha": ALPHAS}, cv=PAIRS, scoring=name).fit(X, y)
        assert theirs.best_params_["alpha"] == ALPHAS[int(np.argmax(by_hand.mean(axis=1)))]


def test_the_loss_of_folds_has_class_weights_too():
    y = Y > 1
    w = np.where(y, 5.0, 1.0)
    for scoring in (None, "loss"):
        ours = linear.LogisticRegressionCV(alphas=ALPHAS, cv=PAIRS, class_weight={True: 5, False: 1}, scoring=scoring).fit(X, y)
        assert np.array_equal(ours.loss_path_, linear.LogisticRegressionCV(alphas=ALPHAS, cv=PAIRS).fit(X, y, sample_weight=w).loss_path_)
