# SPDX-License-Identifier: BSD-3-Clause
"""What users of other libraries write first in Python: each error names what to write."""
import numpy as np
import pytest

import claros

pytest.importorskip("sklearn")
pandas = pytest.importorskip("pandas")
from claros import inference, linear, matrix, survival  # noqa: E402

X = np.random.default_rng(2).normal(size=(30, 3))
Y = X @ np.array([1.0, 2.0, 0.0])
TABLE = pandas.DataFrame(X, columns=["a", "b", "c"])
L1 = {"use": "l1", "lambda": 0.1}


@pytest.mark.parametrize("column, word", [
    (["low", "high", None] * 10, r"column 'd' holds 'low', not a number: claros.Table"),
    (pandas.Categorical(["red", "blue"] * 15), "column 'd' holds 'red'"),
    (pandas.date_range("2024-01-01", periods=30), "column 'd' holds '2024-01-01"),
    (pandas.array(["x", pandas.NA] * 15, dtype="string"), "column 'd' holds 'x'"),
])
def test_a_column_without_numbers_is_named(column, word):
    table = TABLE.assign(d=column)
    for fit in (lambda: linear.Lasso(0.1).fit(table, Y), lambda: matrix.GraphicalLasso(0.1).fit(table),
                lambda: linear.Lasso(0.1).fit(TABLE.assign(d=0.0), Y).predict(table)):
        with pytest.raises(ValueError, match=word):
            fit()


def test_objects_that_are_numbers_are_read():
    table = TABLE.astype(object)
    assert np.array_equal(linear.Lasso(0.1).fit(table, Y).coef_, linear.Lasso(0.1).fit(TABLE, Y).coef_)
    nullable = TABLE.astype("Float64")
    assert np.array_equal(linear.Lasso(0.1).fit(nullable, Y).coef_, linear.Lasso(0.1).fit(TABLE, Y).coef_)


def test_columns_of_one_name_are_read_by_their_places():
    table = TABLE.set_axis(list("aba"), axis=1)
    for given in (table, table.astype(object)):
        assert np.array_equal(linear.Lasso(0.1).fit(given, Y).coef_, linear.Lasso(0.1).fit(X, Y).coef_)
        asked = inference.debiased_lasso(given, Y + X[:, 2], columns=["b"]).estimate
        assert np.array_equal(asked, inference.debiased_lasso(X, Y + X[:, 2], columns=[1]).estimate)
        with pytest.raises(ValueError, match="columns: 2 columns are named 'a'; give positions"):
            inference.debiased_lasso(given, Y, columns=["b", "a"])
    with pytest.raises(ValueError, match="column 'a' holds 'low'"):
        linear.Lasso(0.1).fit(pandas.concat([TABLE[["a"]], pandas.DataFrame({"a": ["low"] * 30})], axis=1), Y)


@pytest.mark.parametrize("given, word", [
    ({"objective": "linear-model", "X": X, "y": Y}, r"write data=\(X, y\)"),
    ({"objective": "linear-model", "data": (X, Y), "penalty": 0.1}, "is the number 0.1 .name a component"),
    ({"objective": "linear-model", "data": (X, Y), "penalty": "l1", "lambda_": 0.1}, "'lambda': 0.1"),
    ({"objective": {"use": "quadratic", "Q": np.eye(2)}}, "write data, as in"),
    ({"objective": {"use": "linear", "C": [[1.0, 2.0]]}}, "write data, as in"),
])
def test_arguments_of_other_libraries(given, word):
    with pytest.raises(claros.UsageError, match=word):
        claros.solve(**given)


@pytest.mark.parametrize("make, kind, word", [
    (lambda: matrix.RatingsModel(factors=10), TypeError, "alpha decides the rank"),
    (lambda: matrix.RobustPCA(n_components=2), TypeError, "alpha decides the rank"),
    (lambda: survival.CoxRegression().fit(X, np.abs(Y), np.ones(30)), ValueError, r"np.column_stack\(\[time, event\]\)"),
    (lambda: linear.Ridge, ImportError, r"ElasticNet\(alpha / n, l1_ratio=0\)"),
    (lambda: linear.LinearSVC, ImportError, "SquaredHingeClassifier"),
])
def test_classes_and_parameters_of_other_libraries(make, kind, word):
    with pytest.raises(kind, match=word):
        make()


def test_the_class_named_for_ridge_is_ridge():
    from sklearn.linear_model import Ridge

    ours = linear.ElasticNet(2.0 / len(X), l1_ratio=0, tol=1e-12).fit(X, Y).coef_
    assert np.allclose(ours, Ridge(2.0, tol=1e-12).fit(X, Y).coef_, atol=1e-6)


@pytest.mark.parametrize("name, word", [
    ("fit", r"claros\.solve, or an estimator of claros\.linear"), ("help", r"claros\.describe\(NAME\)"), ("solv", "did you mean 'solve'"),
    ("crossvalidation", "did you mean 'CrossValidation'"), ("qqq", "no attribute 'qqq'$"),
    ("linaer", "did you mean 'linear'"),
])
def test_a_name_that_the_module_has_not(name, word):
    with pytest.raises(AttributeError, match=word):
        getattr(claros, name)
    assert not hasattr(claros, name)
    with pytest.raises(ImportError, match=r"claros\.linear has no Ridge: take ElasticNet"):
        claros.Ridge


@pytest.mark.parametrize("role", ["objective", "penalty", "set", "algorithm"])
def test_a_function_is_no_component(role):
    with pytest.raises(claros.UsageError, match=f"^{role}: a function alone .give an object with the methods"):
        claros.solve(**{"objective": "linear-model", "data": (X, Y), role: lambda x: x @ x})


RATINGS = pandas.DataFrame({"user": list("abab"), "item": list("xyyx"), "rating": [1.0, 2.0, 3.0, 4.0]})


def test_ratings_may_be_a_table_of_three_columns():
    own = matrix.RatingsModel(0.1).fit(RATINGS)
    apart = matrix.RatingsModel(0.1).fit(RATINGS["user"], RATINGS["item"], RATINGS["rating"])
    assert np.array_equal(own.predict(["a"], ["x"]), apart.predict(["a"], ["x"])) and list(own.rows_) == ["a", "b"]
    plain = RATINGS.set_axis(["who", "what", "stars"], axis=1)
    assert np.array_equal(matrix.RatingsModel(0.1).fit(plain).predict(["a"], ["x"]), own.predict(["a"], ["x"]))


@pytest.mark.parametrize("given, word", [
    ((RATINGS[["rating", "user", "item"]],), "users, items, ratings in this order"),
    ((RATINGS[["item", "user", "rating"]],), "users, items, ratings in this order"),
    ((RATINGS[["user", "item"]], RATINGS["rating"]), "found a table of the columns user, item: write fit"),
    ((np.eye(3),), "a matrix with NaN is what MatrixImputer takes"),
    ((RATINGS.assign(time=1),), "user, item, rating, time: write fit"),
    ((["a"], ["x"]), "expected rows, cols and values"),
])
def test_all_else_that_is_no_ratings_is_refused(given, word):
    with pytest.raises(ValueError, match=word):
        matrix.RatingsModel().fit(*given)


def test_ratings_without_a_penalty_draw_the_warning_of_the_program():
    ratings = (np.array([0, 1, 0, 1]), np.array([0, 1, 1, 0]), np.array([1.0, 2.0, 3.0, 4.0]))
    with pytest.warns(claros.ClarosWarning, match="no penalty and no set: the minimum repeats the known entries"):
        claros.solve(objective={"use": "matrix-completion", "unobserved": 0.1, "center": "none"}, data=ratings)
    chosen = claros.solve(objective="matrix-completion", data=ratings)
    assert any(text.startswith("penalty: nuclear with lambda") for text in chosen.messages)


CLASSES = [kind for module in (linear, matrix, survival) for kind in vars(module).values()
           if isinstance(kind, type) and kind.__module__ == module.__name__ and getattr(kind, "_parameters", None)]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_a_remedy_fits_the_class(kind):
    """It sends to a form with CV where there is one, and to no parameter that the class does not have."""
    form = kind.__name__ + "CV"
    has_form = any(hasattr(module, form) for module in (linear, matrix, survival))
    for name in ("alphas", "cv", "refit", "scoring", "C", "l1_ratios", "lambda_", "reg"):
        if name in kind._parameters:
            continue
        with pytest.raises(TypeError) as caught:
            kind(**{name: 1})
        said = str(caught.value)
        assert "CVCV" not in said and (form in said) == (has_form and name in ("alphas", "cv", "refit", "scoring")), said
        if "write " in said:
            assert said.partition("write ")[2].partition(" ")[0].strip(",)") in kind._parameters, said
