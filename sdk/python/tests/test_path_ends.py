# SPDX-License-Identifier: BSD-3-Clause
"""Where the grids of paths and of estimators with CV end, and what is said of a choice at an end."""
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")
from sklearn import linear_model  # noqa: E402
from sklearn.datasets import make_regression  # noqa: E402

import claros  # noqa: E402
from claros import linear, matrix, survival  # noqa: E402


def halves(rows, columns, noise):
    X, y = make_regression(n_samples=rows, n_features=columns, n_informative=10, noise=noise, random_state=0)
    return X[::2], y[::2], X[1::2], y[1::2]


def error(model, X, y):
    return np.sqrt(np.mean((model.predict(X) - y) ** 2))


def fitted(model, *data):
    """The model, and its warnings."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(*data)
    return model, [str(one.message) for one in said if one.category is claros.ClarosWarning]


@pytest.mark.parametrize("rows, columns, noise", [(200, 20, 0.0), (400, 50, 1.0), (200, 200, 0.5)])
def test_the_error_of_the_chosen_lasso_is_that_of_scikit_learn(rows, columns, noise):
    X, y, new, truth = halves(rows, columns, noise)
    ours, _ = fitted(linear.LassoCV(), X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = linear_model.LassoCV(cv=5).fit(X, y)
    assert error(ours, new, truth) < 1.3 * error(theirs, new, truth) + 1e-6
    whole, _ = fitted(linear.LassoCV(explained=1), X, y)
    if whole.alpha_ > whole.alphas_[-1]:
        assert whole.alpha_ == ours.alpha_
    else:  # the grid is widened
        assert whole.alpha_ > ours.alpha_ and len(ours.alphas_) > 100
    assert noise or whole.alpha_ == whole.alphas_[-1]
    assert len(whole.alphas_) == 100


def rows_without_noise(columns=6):
    X = np.random.default_rng(5).normal(size=(60, columns))
    return X, X @ np.r_[3.0, -2.0, np.zeros(columns - 2)]


MANY = [linear.LassoCV, linear.ElasticNetCV, linear.MCPRegressionCV, linear.SCADRegressionCV, linear.HuberRegressionCV,
        linear.GroupLassoCV, linear.SparseGroupLassoCV, linear.MultiTaskLassoCV, linear.MultiTaskElasticNetCV,
        matrix.LowRankRegressionCV, linear.SquareRootLassoCV, linear.LogisticRegressionCV, linear.PoissonRegressionCV]


@pytest.mark.parametrize("kind", MANY)
def test_a_choice_at_an_end_of_the_grid_is_a_warning_and_no_cut_of_the_grid(kind):
    X, y = rows_without_noise()
    if kind in (linear.MultiTaskLassoCV, linear.MultiTaskElasticNetCV, matrix.LowRankRegressionCV):
        y = np.column_stack([y, -y])
    elif kind is linear.LogisticRegressionCV:
        y = y > 0
    elif kind is linear.PoissonRegressionCV:
        y = np.random.default_rng(6).poisson(np.exp(0.3 * y))
    model, said = fitted(kind(n_alphas=25, cv=3), X, y)
    place = int(np.flatnonzero(model.alphas_ == model.alpha_)[0])
    at_end = place in (0, len(model.alphas_) - 1)
    if not model.path_.unfinished_[place]:
        assert at_end == any("the best alpha is" in text and "as good" not in text for text in said), said
    assert len(model.alphas_) >= 25 or model.alphas_[-1] <= 0.5 * model.alpha_
    assert len(model.alphas_) <= 25 + 2 * 8
    if model.path_.saturated_:
        assert not at_end


def test_the_edge_names_the_estimator_and_what_to_change():
    _, said = fitted(linear.LassoCV(n_alphas=20, eps=0.5), *rows_without_noise())
    assert said == ["LassoCV: the best alpha is the smallest of the grid: a smaller one may be better (lower eps)"]
    X = np.random.default_rng(8).normal(size=(80, 5))
    _, said = fitted(linear.LassoCV(n_alphas=20), X, np.random.default_rng(9).normal(size=80))
    assert said in ([], ["LassoCV: the best alpha is max, the largest: nothing that the penalty shrinks makes the model better"])
    _, said = fitted(linear.LassoCV(n_alphas=1), *rows_without_noise())
    assert said == []


def test_survival_and_graphs_warn_too():
    rng = np.random.default_rng(10)
    X = rng.normal(size=(60, 4))
    y = np.column_stack([rng.exponential(np.exp(-3 * X[:, 0])) + 0.01, np.ones(60)])
    model, said = fitted(survival.CoxRegressionCV(n_alphas=8, eps=0.5, cv=3), X, y)
    assert (model.alpha_ == model.alphas_[-1]) == any("smallest" in text for text in said)
    model, said = fitted(matrix.GraphicalLassoCV(n_alphas=6), rng.normal(size=(200, 5)))
    if model.alpha_ == model.alphas_[0]:
        assert said == ["GraphicalLassoCV: the best alpha is max, the largest, whose precision is diagonal"]


def test_a_path_shows_how_it_ended_and_warns_of_its_edge():
    X, y = rows_without_noise()
    problem = {"objective": "linear-model", "penalty": {"use": "l1", "lambda": "max"}, "data": (X, y)}
    plain = claros.Path(**problem, lambdas=40)
    assert len(plain.lambdas_) < 40 and "explains" in plain.saturated_ and plain.edge_ == ""
    assert f"{len(plain.lambdas_)} of 40 values of penalty.lambda; ended early: the model explains" in repr(plain)
    whole = claros.Path(**problem, lambdas=40, explained=1)
    assert len(whole.lambdas_) == 40 and whole.saturated_ == "" and "early" not in repr(whole)
    with pytest.warns(claros.ClarosWarning, match="the best lambda is the smallest of the grid") as said:
        chosen = claros.CrossValidation(**problem, lambdas=40, stop={"relative_gap": 1e-9})
    assert said[0].filename == __file__
    assert repr(chosen).startswith("<claros.CrossValidation: 66 of 66 values of penalty.lambda, best ")
    assert np.allclose(chosen.lambdas_[1:] / chosen.lambdas_[:-1], chosen.lambdas_[1] / chosen.lambdas_[0])
    with pytest.warns(claros.ClarosWarning, match="smallest"):
        own = claros.CrossValidation(**problem, grid="1,0.1,0.01")
    assert len(own.lambdas_) == 3
    with pytest.warns(claros.ClarosWarning, match="smallest"):
        claros.Path(**problem, lambdas=20, ratio=0.5, information="bic")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        two = claros.Path(objective="linear-model", penalty={"use": "elastic-net", "lambda": "max"}, data=(X, y),
                          over="penalty.ratio=0.2,0.9", lambdas=40)
    assert "at 0.9 the model explains" in two.saturated_


def test_explained_is_a_parameter_with_limits():
    for kind in MANY:
        assert kind().explained == 0.999 and "explained = 0.999" in kind.__doc__
    with pytest.raises(ValueError, match="explained"):
        linear.LassoCV(explained=1.5).fit(*rows_without_noise())


@pytest.mark.filterwarnings("ignore:the gap is")
@pytest.mark.parametrize("loss", ["squared", "logistic", "huber", "squared-hinge", "poisson"])
@pytest.mark.parametrize("units", [[1e16] * 4, [1e-16] * 4, [1e10, 1, 1, 1e-8], [1e-8, 1, 1e4, 1e8]])
def test_no_units_of_columns_make_a_value_zero_and_a_run_a_success(loss, units):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    z = X @ [2.0, -1, 0, 0.5] + 1 + 0.3 * rng.normal(size=60)
    y = {"squared": z, "huber": z, "poisson": np.floor(np.exp(0.5 * z))}.get(loss, np.where(z > 1, 1.0, -1.0))
    given = dict(objective={"use": "linear-model", "loss": loss, "intercept": True, "standardize": False},
                 stop={"relative_gap": 1e-6, "seconds": 5})
    weights = " ".join(repr(float(unit)) for unit in units)  # the same model: a penalty of each column in its unit
    plain = claros.solve(**given, penalty={"use": "l1", "lambda": 0.05}, data=(X, y))
    scaled = claros.solve(**given, penalty={"use": "l1", "lambda": 0.05, "weights": weights}, data=(X * units, y))
    assert plain.target
    assert not scaled.target or scaled.value == pytest.approx(plain.value, rel=2e-6)
    if scaled.status in ("relative-gap", "rounding", "stall"):
        assert scaled.value == pytest.approx(plain.value, rel=1e-3)


@pytest.mark.parametrize("loss, by", [("squared", linear.LassoCV), ("poisson", linear.GeneralizedLinearRegressorCV),
                                      ("logistic", linear.LogisticRegressionCV)])
@pytest.mark.parametrize("unit", [1e-9, 1e8, 1e13])
def test_the_chosen_alpha_does_not_hang_on_the_unit_of_the_design(loss, by, unit):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 8))
    z = X[:, 0] - 0.5 * X[:, 1] + 0.7
    y = {"squared": z + rng.normal(size=120), "poisson": rng.poisson(np.exp(z))}.get(loss, z + rng.logistic(size=120) > 0)
    more = {"loss": loss} if by is linear.GeneralizedLinearRegressorCV else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain, scaled = by(cv=5, n_alphas=30, **more).fit(X, y), by(cv=5, n_alphas=30, **more).fit(unit * X, y)
    assert scaled.alpha_ == pytest.approx(unit * plain.alpha_, rel=1e-9)
    assert unit * scaled.coef_ == pytest.approx(plain.coef_, abs=1e-5)
