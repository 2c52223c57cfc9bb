# SPDX-License-Identifier: BSD-3-Clause
"""Every estimator under scikit-learn's checks: those of check_estimator, and those that it does not call."""
import inspect
import os
import pickle
import warnings

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.utils import all_estimators, estimator_checks  # noqa: E402

from claros import linear, matrix, survival  # noqa: E402
from claros.estimators import Estimator  # noqa: E402


def _public(module):
    return [kind for name, kind in sorted(vars(module).items())
            if inspect.isclass(kind) and issubclass(kind, Estimator) and kind.__module__ == module.__name__
            and not name.startswith("_")]


ALL = [kind for kind in _public(linear) + _public(matrix) if not issubclass(kind, matrix.RatingsModel)]
WEIGHTED = [kind for kind in ALL if "sample_weight" in inspect.signature(kind.fit).parameters]
NAMES_OF_SCIKIT_LEARN = {name for name, _ in all_estimators()}
SLOW = {"n_alphas": 4}  # of the grids of cross-validation
OTHERS = [linear.Lasso(positive=True), linear.Lasso(fit_intercept=False), linear.SparseGroupLasso(groups=2),
          linear.LogisticRegression(penalty="elastic-net"),
          linear.LogisticRegression(penalty="ridge", tol=1e-9),  # the order of rows decides on the last step of Newton's method
          linear.LogisticRegression(penalty="group"), linear.LogisticRegression(penalty="mcp"),
          linear.ErrorsInVariablesLasso(noise_variance=0.01, rho=10.0), matrix.MatrixImputer(center=False),
          matrix.RobustPCA(alpha=0.3, sparsity=0.2)]

# tests/run takes a third of them, tests/run --long all.
STEP = int(os.environ.get("CLAROS_EVERY_ESTIMATOR", 1))


def made(kind):
    return kind(**{name: value for name, value in SLOW.items() if name in kind._parameters})


def renamed(estimator):
    """scikit-learn exempts some names of classes from checks."""
    kind = type(estimator)
    name = "Renamed" + kind.__name__[::-1]
    globals()[name] = type(name, (kind,), {"__init__": kind.__init__, "__module__": __name__})  # for pickle
    return globals()[name](**estimator.get_params())


def name_of(check):
    """scikit-learn wraps the function of a check in partials, and what it skips in a function of its own."""
    while not hasattr(check, "__code__") or hasattr(check, "__wrapped__"):
        check = getattr(check, "__wrapped__", None) or check.func
    return check.__name__


def run_checks(estimator):
    for each, check in estimator_checks.check_estimator(estimator, generate_only=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                check(each)
            except Exception as error:
                if type(error).__name__ == "SkipTest" and name_of(check) in (estimator._get_tags()["_xfail_checks"] or ()):
                    continue
                raise AssertionError(f"{type(estimator).__name__}: {name_of(check)}") from error


@pytest.mark.parametrize("estimator", ([made(kind) for kind in ALL] + OTHERS)[::STEP], ids=str)
def test_check_estimator(estimator):
    run_checks(estimator)
    if type(estimator).__name__ in NAMES_OF_SCIKIT_LEARN:
        run_checks(renamed(estimator))


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("check", ["check_dataframe_column_names_consistency", "check_n_features_in_after_fitting",
                                   "check_param_validation"])
def test_checks_that_check_estimator_leaves_out(kind, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        getattr(estimator_checks, check)(kind.__name__, made(kind))


@pytest.mark.parametrize("check", ["check_set_output_transform", "check_set_output_transform_pandas",
                                   "check_transformer_get_feature_names_out",
                                   "check_transformer_get_feature_names_out_pandas"])
def test_checks_of_transformers(check):
    getattr(estimator_checks, check)("MatrixImputer", matrix.MatrixImputer())


def test_only_the_choice_of_alpha_is_exempt():
    exempt = {kind.__name__: set(made(kind)._get_tags().get("_xfail_checks") or ()) for kind in ALL}
    assert {name for name, checks in exempt.items() if checks} == {kind.__name__ for kind in WEIGHTED if kind.__name__.endswith("CV")}
    assert set().union(*exempt.values()) == {"check_sample_weights_invariance"}


@pytest.mark.parametrize("kind", [kind for kind in WEIGHTED if kind.__name__.endswith("CV")], ids=lambda kind: kind.__name__)
def test_weights_of_one_and_rows_of_weight_zero_under_cross_validation(kind):
    """In the order of the rows, a row of weight 0 is no row; weights that are all equal are none."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4))
    z = X @ [1.0, -1, 0, 0] + 0.1 * rng.normal(size=40)
    y = (z > 0).astype(int) if hasattr(kind, "decision_function") else np.exp(z)
    plain = made(kind).fit(X, y)
    for weights, rows, values in ((np.full(40, 3.0), X, y), (np.r_[np.ones(40), np.zeros(5)], np.r_[X, X[:5] + 9], np.r_[y, y[:5]])):
        assert np.array_equal(made(kind).fit(rows, values, sample_weight=weights).coef_, plain.coef_)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_fitted_estimators_hold_nothing_of_the_library(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    y = rng.integers(0, 2, 30) if hasattr(kind, "decision_function") else np.exp(X[:, 0])
    model = made(kind).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    for name in ("coef_", "components_"):
        assert np.array_equal(getattr(again, name, 0), getattr(model, name, 0))
    assert b"_claros\n" not in pickle.dumps(model, protocol=0)
    assert clone(model).get_params() == model.get_params()
    with pytest.raises(TypeError):
        kind(alhpa=1)


_ASKED = ("predict", "predict_proba", "predict_log_proba", "decision_function", "transform", "score", "mahalanobis", "recommend")
_OF_PARAMETERS = [linear.GeneralizedLinearRegressor(0.1, loss="poisson"), linear.GeneralizedLinearRegressor(0.1, loss="tweedie", power=1.2),
                  linear.GeneralizedLinearRegressorCV(loss="gamma", cv=3, n_alphas=3), linear.TweedieRegression(0.1, power=0),
                  linear.ElasticNetCV(l1_ratio=[0.2, 0.8], cv=3, n_alphas=3), linear.LassoCV(scoring="max_error", cv=3, n_alphas=3),
                  linear.GeneralizedLinearRegressorCV(loss="tweedie", power=1.5, refit=False, cv=3, n_alphas=3), survival.CoxRegression(0.1)]


@pytest.mark.parametrize("model", [made(kind) for kind in ALL] + _OF_PARAMETERS, ids=str)
def test_a_fit_does_not_change_with_parameters_that_are_set_later(model):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4))
    z = X[:, 0] - 0.5 * X[:, 1] + 0.2 * rng.normal(size=40)
    y = np.column_stack([np.exp(z), z > -1]) if isinstance(model, survival.CoxRegression) else z > 0 if hasattr(
        model, "decision_function") else np.exp(z)

    def answers():
        of_rows = [getattr(model, name)(*((X, y) if name == "score" else (X,))) for name in _ASKED if hasattr(model, name)]
        return [*of_rows, *(getattr(model, name, None) for name in ("mse_path_", "cv_results_"))]

    model.fit(X, y)
    before = answers()
    model.set_params(**dict.fromkeys(model.get_params(), "another"))
    np.testing.assert_equal(answers(), before)


def test_a_model_of_ratings_folds_in_by_the_weights_of_its_fit():
    rng = np.random.default_rng(0)
    rows, cols = np.nonzero(rng.random((30, 12)) < 0.4)
    model = matrix.RatingsModel(1e-3, unobserved=0.1, center="none").fit(rows, cols, np.ones(len(rows)))
    before = model.fold_in([99] * 3, [1, 4, 6], [1, 1, 1]).predict([99] * 12, range(12))
    model.set_params(unobserved=0.5, alpha=9.0, center="biases")
    assert np.array_equal(model.fold_in([99] * 3, [1, 4, 6], [1, 1, 1]).predict([99] * 12, range(12)), before)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_a_fit_has_the_attributes_that_its_docstring_and_its_stub_name(kind):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = pandas.DataFrame(rng.normal(size=(40, 4)), columns=list("abcd"))
    y = np.abs(X.to_numpy() @ [1.0, 2.0, 0.0, 0.0]) + 0.1
    if issubclass(kind, linear._Responses):
        y = np.column_stack([y, 2 * y + X["a"]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = made(kind).fit(X, y > 1 if hasattr(kind, "predict_proba") or hasattr(kind, "decision_function") else y)
    assert {name for name in vars(model) if name.endswith("_")} == set(kind._fitted)
    for name in kind._fitted:
        assert f"\n    {name}: " in kind.__doc__


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_a_keyword_of_another_library_is_refused_with_what_to_write(kind):
    needed = {"C": "alpha", "epsilon": "delta", "solver": None, "precompute": None, "copy_X": None}
    for name in needed.keys() - kind._parameters.keys():
        said = "(write|leave)" if needed[name] in (None, *kind._parameters) else "(did you mean|its parameters are)"
        with pytest.raises(TypeError, match=rf"^{kind.__name__} has no parameter '{name}' \({said}"):
            kind(**{name: 1})
    with pytest.raises(TypeError, match="did you mean 'max_iter'"):
        kind(max_itr=1)
    with pytest.raises(TypeError, match="^.*its parameters are .*tol"):
        kind(qqq=1)
    with pytest.raises(TypeError, match=f"^{kind.__name__} takes one argument by its place, {next(iter(kind._parameters))} "):
        kind(1, 2)


def test_logarithms_of_probabilities_and_sparse_coefficients():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    for classes in (2, 3):
        model = linear.LogisticRegression().fit(X, y % classes)
        np.testing.assert_allclose(model.predict_log_proba(X), np.log(model.predict_proba(X)), rtol=1e-12)
        assert (model.sparse_coef_.toarray() == model.coef_).all()
    assert np.isfinite(model.predict_log_proba(1e5 * X)).all()
