# SPDX-License-Identifier: BSD-3-Clause
"""Intervals, selection frequencies and errors of prediction: against closed forms, and their coverage in simulations."""
import numpy as np
import pytest

pytest.importorskip("sklearn")
from scipy import sparse  # noqa: E402
from sklearn.base import BaseEstimator  # noqa: E402
from sklearn.linear_model import LinearRegression, Ridge  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402

from claros import DataError, NumericalError, UsageError, inference  # noqa: E402
from claros.linear import Lasso, LogisticRegression, SquareRootLasso  # noqa: E402


def drawn(seed, n, p, nonzero=3, noise=1.0, correlation=0.5):
    """Rows with neighbours correlated, x of `nonzero` ones, normal noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p))
    for j in range(1, p):
        X[:, j] = correlation * X[:, j - 1] + np.sqrt(1 - correlation ** 2) * X[:, j]
    x = np.zeros(p)
    x[:2 * nonzero:2] = 1.0
    return X, X @ x + noise * rng.standard_normal(n) + 2.0, x


def test_intervals_without_a_penalty_are_those_of_least_squares():
    X, y, _ = drawn(1, 80, 4, nonzero=2)
    made = inference.debiased_lasso(X, y, lambda_=1e-6, tol=1e-7)
    A = np.column_stack([np.ones(80), X])
    estimate = np.linalg.lstsq(A, y, rcond=None)[0]
    r = y - A @ estimate
    variance = r @ r / (80 - 5) * np.linalg.inv(A.T @ A)
    assert np.allclose(made.estimate, estimate[1:], atol=1e-3)
    assert np.allclose(made.standard_error, np.sqrt(np.diag(variance))[1:], rtol=1e-3)
    assert np.allclose(made.high - made.low, 2 * 1.959964 * made.standard_error, rtol=1e-6)


def test_intervals_are_in_the_units_of_the_data():
    X, y, _ = drawn(2, 60, 8)
    plain, scaled = inference.debiased_lasso(X, y), inference.debiased_lasso(X * 1e3 + 5, 1e-2 * y, columns=[6, 0])
    assert np.allclose(scaled.estimate, 1e-5 * plain.estimate[[6, 0]], rtol=1e-3, atol=1e-8)
    assert np.allclose(scaled.standard_error, 1e-5 * plain.standard_error[[6, 0]], rtol=1e-3)
    assert scaled.sigma == pytest.approx(1e-2 * plain.sigma, rel=1e-3)


def test_intervals_cover_the_coefficients_in_simulations():
    """Two columns of 150 count; of four others one lies between them. 50 times 6 intervals of 0.9, on 300 rows."""
    columns = [0, 2, 1, 3, 7, 149]
    covered, widths = [], []
    for seed in range(50):
        X, y, x = drawn(100 + seed, 300, 150, nonzero=2)
        made = inference.debiased_lasso(X, y, level=0.9, columns=columns, tol=1e-5)
        covered.append((made.low <= x[columns]) & (x[columns] <= made.high))
        widths.append(made.high - made.low)
    assert 0.85 <= np.mean(covered) <= 0.96, np.mean(covered)
    assert np.mean(covered, axis=0).min() >= 0.78
    assert np.mean(widths) < 0.3  # and not by being wide: the coefficients are 1


def test_intervals_of_a_lasso_that_fits_every_row_are_refused():
    """Its residuals are those of the penalty alone, and intervals by them of any width that lambda_ asks for."""
    X, y, _ = drawn(3, 6, 9)
    with pytest.raises(ValueError, match="lambda_: the lasso of y selects 5 columns of 6 rows"):
        inference.debiased_lasso(X, y, lambda_=1e-4)
    assert np.isfinite(inference.debiased_lasso(X, y).standard_error).all()


def test_what_is_no_problem_of_intervals_is_refused():
    X, y, _ = drawn(1, 30, 4, nonzero=2)
    with pytest.raises(ValueError, match="level"):
        inference.debiased_lasso(X, y, level=1.0)
    for lambda_ in (0, -0.1, np.nan, np.inf):
        with pytest.raises(ValueError, match="lambda_ above 0"):
            inference.debiased_lasso(X, y, lambda_=lambda_)
    X[:, 2] = 1.0
    with pytest.raises(ValueError, match="column 2 is constant"):
        inference.debiased_lasso(X, y)


def test_stable_columns_are_those_that_count_and_errors_are_below_their_bound():
    wrong, bounds = [], []
    for seed in range(12):
        X, y, x = drawn(seed, 100, 40)
        made = inference.stability_selection(Lasso(), X, y, alphas=[0.4, 0.3], pairs=15, random_state=seed)
        assert made.frequencies.shape == (2, 40) and set(np.flatnonzero(x)) <= set(made.selected)
        wrong.append(np.count_nonzero(x[made.selected] == 0)), bounds.append(made.false_bound)
    assert np.mean(wrong) <= np.mean(bounds) < 3


@pytest.mark.parametrize("level, lambda_", [(0.95, None), (0.5, 0.3)])
def test_intervals_are_those_of_the_formula_of_the_docstring(level, lambda_):
    X, y, _ = drawn(11, 40, 12)
    made = inference.debiased_lasso(X, y, level=level, lambda_=lambda_, columns=[5, 0], tol=1e-9)
    a = (X - X.mean(axis=0)) / X.std(axis=0)
    factor = np.sqrt(2 * np.log(12) / 40) if lambda_ is None else lambda_

    def rest(A, b, alpha):
        model = SquareRootLasso(alpha, fit_intercept=False, tol=1e-10).fit(A, b)
        return model.coef_, b - A @ model.coef_

    x, r = rest(a, y - y.mean(), factor)
    assert 0 < np.count_nonzero(x) < 12  # with the mean so many numbers are fitted
    assert made.sigma == pytest.approx(np.sqrt(r @ r / (40 - 1 - np.count_nonzero(x))), rel=1e-4)
    quantile = {0.95: 1.959964, 0.5: 0.674490}[level]
    for k, j in enumerate([5, 0]):
        _, z = rest(np.delete(a, j, axis=1), a[:, j], 0.5 * factor)
        scale, along = X[:, j].std(), z @ a[:, j]
        assert made.estimate[k] == pytest.approx((x[j] + z @ r / along) / scale, rel=1e-3, abs=1e-5)
        assert made.standard_error[k] == pytest.approx(made.sigma * np.linalg.norm(z) / abs(along) / scale, rel=1e-3)
        assert made.high[k] - made.estimate[k] == pytest.approx(quantile * made.standard_error[k], rel=1e-5)
        assert made.estimate[k] - made.low[k] == pytest.approx(quantile * made.standard_error[k], rel=1e-5)


class Selector(BaseEstimator):
    """Selects column 0 always, column 1 for alpha 1, and column 2 for alpha 2 where the rows have row 0; notes its rows."""

    seen = []

    def __init__(self, alpha=1.0):
        self.alpha = alpha

    def fit(self, X, y):
        assert np.array_equal(X[:, 0], y)
        self.seen.append((self.alpha, y.copy()))
        self.coef_ = np.array([-1.0, 1.0 if self.alpha == 1 else 0.0, 1.0 if self.alpha == 2 and 0 in y else 0.0, 0.0])
        return self


@pytest.mark.parametrize("n", [10, 11])
@pytest.mark.parametrize("threshold", [0.6, 1.0])
def test_frequencies_bounds_and_halves_are_those_of_their_definitions(n, threshold):
    Selector.seen.clear()
    X = np.column_stack([np.arange(n), *np.ones((3, n))])
    made = inference.stability_selection(Selector(), X, np.arange(n), alphas=[1.0, 2.0], threshold=threshold, pairs=8, random_state=1)
    halves = [rows for alpha, rows in Selector.seen if alpha == 1.0]
    assert [len(half) for half in halves] == [n // 2] * 16
    for first, second in zip(halves[::2], halves[1::2]):
        assert not set(first) & set(second)
    for half, (alpha, again) in zip(halves, [each for each in Selector.seen if each[0] == 2.0]):
        assert np.array_equal(half, again)
    with_row = np.mean([0 in half for half in halves])
    assert np.allclose(made.frequencies, [[1, 1, 0, 0], [1, 0, with_row, 0]])
    assert list(made.selected) == [0, 1]  # a share that is the threshold is enough; of either alpha
    assert made.per_half == pytest.approx(2 + with_row)
    assert made.false_bound == pytest.approx((2 + with_row) ** 2 / ((2 * threshold - 1) * 4))


def test_an_error_of_prediction_is_a_loss_of_the_response_and_the_prediction():
    X, y, _ = drawn(5, 31, 4, nonzero=2)
    shifts = inference.prediction_error(LinearRegression(), X, y, cv=31, loss=lambda truth, predicted: truth - predicted)
    A = np.column_stack([np.ones(31), X])
    H = A @ np.linalg.inv(A.T @ A) @ A.T
    assert np.allclose(shifts.of_rows, (y - H @ y) / (1 - np.diag(H)))
    squares = inference.prediction_error(LinearRegression(), X, y, cv=31)
    assert np.allclose(squares.of_rows, shifts.of_rows ** 2)
    for made in (shifts, squares):
        mean = made.of_rows.sum() / 31
        assert made.mean == pytest.approx(mean)
        assert made.standard_error == pytest.approx(np.sqrt(((made.of_rows - mean) ** 2).sum() / 30 / 31))


def test_stability_selection_repeats_and_refuses():
    X, y, _ = drawn(3, 40, 10)
    first, second = (inference.stability_selection(Lasso(), X, y, alphas=0.2, pairs=3, random_state=5) for _ in range(2))
    assert np.array_equal(first.frequencies, second.frequencies)
    assert first.per_half == pytest.approx(first.frequencies.sum())
    assert first.false_bound == pytest.approx(first.per_half ** 2 / (0.5 * 10))
    for wrong in ({"threshold": 0.5}, {"pairs": 0}, {"alphas": []}):
        with pytest.raises(ValueError, match="threshold"):
            inference.stability_selection(Lasso(), X, y, **{"alphas": 0.2, **wrong})


def test_bootstrap_shares_are_of_fits_on_repeated_rows():
    X, y, x = drawn(4, 60, 10)
    shares = inference.bootstrap_support(Lasso(0.1), X, y, repetitions=30, random_state=7)
    assert np.allclose(shares.sum(axis=0), 1) and np.all(shares[2, x > 0] > 0.95)
    random, expected = np.random.RandomState(7), np.zeros((3, 10))
    for _ in range(30):
        rows = random.randint(60, size=60)
        signs = np.sign(Lasso(0.1, tol=1e-9).fit(X[rows], y[rows]).coef_).astype(int)
        expected[signs + 1, np.arange(10)] += 1 / 30
    assert np.abs(shares - expected).max() <= 2 / 30  # a coefficient on the edge


def test_prediction_errors_are_those_of_leaving_out_and_cover_the_error_in_simulations():
    X, y, _ = drawn(5, 30, 4, nonzero=2)
    A = np.column_stack([np.ones(30), X])
    H = A @ np.linalg.inv(A.T @ A) @ A.T
    left_out = ((y - H @ y) / (1 - np.diag(H))) ** 2
    made = inference.prediction_error(LinearRegression(), X, y, cv=30)
    assert np.allclose(made.of_rows, left_out) and made.mean == pytest.approx(left_out.mean())
    assert inference.prediction_error(Ridge(), X, y, loss=lambda a, b: np.abs(a - b)).mean < made.mean ** 0.5 * 2
    covered = []
    for seed in range(100):  # E (y - X x)^2 = 1 for a fit on all data, 1 + p/n about for one of a fold
        X, y, _ = drawn(300 + seed, 200, 5, nonzero=2)
        made = inference.prediction_error(LinearRegression(), X, y, cv=10)
        covered.append(abs(made.mean - (1 + 6 / 180)) <= 1.645 * made.standard_error)
    assert 0.8 <= np.mean(covered) <= 0.97, np.mean(covered)


def test_a_lasso_that_does_not_converge_is_an_error(monkeypatch):
    X, y, _ = drawn(6, 30, 40)
    solve = inference.solve
    monkeypatch.setattr(inference, "solve", lambda **problem: solve(**{**problem, "stop": {"iterations": 1}}))
    with pytest.raises(NumericalError, match="square-root lasso ended at iterations"):
        inference.debiased_lasso(X, y, lambda_=0.01)


def test_prediction_errors_are_those_of_the_rows_that_folds_test():
    from sklearn.model_selection import RepeatedKFold, ShuffleSplit, cross_val_score

    rng = np.random.default_rng(0)
    X, some = rng.normal(size=(60, 5)), ShuffleSplit(3, test_size=0.1, random_state=0)
    y = 2 * X[:, 0] + 0.5 * rng.normal(size=60)
    found = inference.prediction_error(Lasso(0.1), X, y, cv=some)
    tested = np.unique(np.concatenate([test for _, test in some.split(X)]))
    assert np.isnan(found.of_rows).sum() == 60 - len(tested)
    assert found.mean == pytest.approx(found.of_rows[tested].mean()) and found.mean > 0
    several = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
    theirs = -cross_val_score(Lasso(0.1), X, y, cv=several, scoring="neg_mean_squared_error").mean()
    assert inference.prediction_error(Lasso(0.1), X, y, cv=several).mean == pytest.approx(theirs)


@pytest.mark.parametrize("call", [
    lambda X, y: inference.bootstrap_support(Lasso(0.1), X, y, repetitions=2), lambda X, y: inference.debiased_lasso(X, y),
    lambda X, y: inference.prediction_error(Lasso(0.1), X, y, cv=2),
    lambda X, y: inference.stability_selection(Lasso(0.1), X, y, alphas=[0.1], pairs=1)],
    ids=["bootstrap", "debiased", "prediction", "stability"])
def test_rows_that_no_fit_takes_are_refused_here_too(call):
    X, y, _ = drawn(2, 20, 4)
    damaged = sparse.csr_matrix(X)
    damaged.indptr[2] = 10**8
    with pytest.raises((DataError, TypeError), match="damaged|dense"):
        call(damaged, y)
    for rows, targets in ((np.ma.masked_array(X, X > 2.0), y), (X, np.ma.masked_array(y, y > 2.0))):
        with pytest.raises(UsageError, match="masked"):
            call(rows, targets)
    for rows in (X[:0], X[:, :0]):
        with pytest.raises(ValueError, match="0 sample|0 feature"):
            call(rows, y[:len(rows)])


class Counts(BaseEstimator):
    """A classifier that notes how many rows of each class it is fitted to."""

    _estimator_type, seen = "classifier", []

    def __init__(self, alpha=1.0):
        self.alpha = alpha

    def fit(self, X, y, sample_weight=None):
        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        self.seen.append([weights[y == label].sum() for label in "abc"])
        self.coef_ = np.zeros((1, X.shape[1]))
        return self


@pytest.mark.parametrize("counts", [(2, 5, 30), (3, 40, 2), (7, 9, 13)])
def test_samples_and_halves_of_a_classifier_have_rows_of_every_class(counts):
    y = np.random.default_rng(0).permutation(np.repeat(list("abc"), counts))
    Counts.seen.clear()
    inference.bootstrap_support(Counts(), np.ones((len(y), 2)), y, repetitions=20, random_state=0)
    assert np.array_equal(Counts.seen, [counts] * 20)
    Counts.seen.clear()
    inference.stability_selection(Counts(), np.ones((len(y), 2)), y, alphas=[1.0], pairs=20, random_state=0)
    halves = np.array(Counts.seen)
    assert np.all(halves.sum(axis=1) == len(y) // 2) and np.all(np.abs(halves - np.array(counts) / 2) < 1)
    assert np.all(halves[::2] + halves[1::2] <= counts)


@pytest.mark.parametrize("rare", [1, 2])
def test_a_rare_class_ends_no_bootstrap(rare):
    X, y, _ = drawn(6, 50, 4)
    classes = np.where(np.argsort(np.argsort(-y)) < rare, "rare", "usual")
    shares = inference.bootstrap_support(LogisticRegression(0.01), X, classes, repetitions=20, random_state=0)
    assert np.allclose(shares.sum(axis=0), 1)
    if rare == 2:
        assert inference.stability_selection(LogisticRegression(), X, classes, alphas=[0.02], pairs=3).frequencies.shape == (1, 4)
    else:
        with pytest.raises(ValueError, match="^y: the class 'rare' has one row"):
            inference.stability_selection(LogisticRegression(), X, classes, alphas=[0.02])


def test_a_column_is_selected_for_any_class():
    X, y, _ = drawn(5, 90, 4)
    classes = np.array(["low", "middle", "high"])[np.digitize(y, np.quantile(y, [0.3, 0.7]))]
    found = inference.stability_selection(LogisticRegression(), X, classes, alphas=[0.05], pairs=5, random_state=0)
    assert found.frequencies.shape == (1, 4) and 0 in found.selected
    with pytest.raises(ValueError, match="^y: 3 classes have a coefficient each"):
        inference.bootstrap_support(LogisticRegression(), X, classes, repetitions=2)
    assert inference.bootstrap_support(LogisticRegression(), X, classes == "low", repetitions=2).shape == (3, 4)


def test_texts_and_names_where_numbers_are_expected():
    pandas = pytest.importorskip("pandas")
    X, y, _ = drawn(6, 60, 4)
    classes = np.where(y > 2, "high", "low")
    for wrong in (classes, classes == "high"):
        with pytest.raises(ValueError, match="loss=np.not_equal"):
            inference.prediction_error(LogisticRegression(), X, wrong)
    assert 0 <= inference.prediction_error(LogisticRegression(), X, classes, loss=np.not_equal).mean < 0.5
    for wrong in (classes, y.astype("m8[s]"), np.ma.array(y, mask=y > 2)):
        with pytest.raises(ValueError, match="^y: "):
            inference.debiased_lasso(X, wrong)
    table, whole = pandas.DataFrame(X, columns=list("abcd")), inference.debiased_lasso(X, y)
    assert np.array_equal(inference.debiased_lasso(X, y[:, None]).estimate, whole.estimate)
    for rows, columns in ((table, ["a", "c"]), (table, np.array(["a", "c"])), (table, [0, 2]), (X, [True, False, True, False]), (X, [0, -2])):
        assert np.array_equal(inference.debiased_lasso(rows, y, columns=columns).estimate, whole.estimate[[0, 2]])
    for rows, columns in ((X, ["a"]), (table, ["a", "z"]), (X, [0, 7]), (X, [1.5]), (X, [True, False]), (X, [[0, 1]])):
        with pytest.raises(ValueError, match="^columns: .*expected positions from 0 and below 4"):
            inference.debiased_lasso(rows, y, columns=columns)


@pytest.mark.parametrize("value", [0.1, 0.3, 1e8 / 3, 1e-9 / 3, -7.7])
def test_a_column_is_constant_up_to_rounding(value):
    from claros import matrix

    X, y, _ = drawn(7, 61, 3)
    rows = np.column_stack([X, np.full(61, value)])
    for call in (lambda: inference.debiased_lasso(rows, y), lambda: matrix.GraphicalLasso().fit(rows), lambda: matrix.GraphicalLassoCV().fit(rows)):
        with pytest.raises(ValueError, match="column 3 (is constant|has no variance)"):
            call()
    rows[:, 3] = value * (1 + 1e-6 * X[:, 0])  # that varies
    assert np.isfinite(matrix.GraphicalLasso(0.0, max_iter=1).fit(rows - [0, 0, 0, value]).precision_).all()
    assert not inference.arrays.constant(rows, rows.var(axis=0)).any()


@pytest.mark.parametrize("order", ["sorted", "shuffled"])
def test_errors_of_classifiers_do_not_hang_on_the_order_of_the_rows(order):
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression as Theirs

    X, y = load_iris(return_X_y=True)
    rows = np.arange(150) if order == "sorted" else np.random.default_rng(0).permutation(150)
    for model in (LogisticRegression(0.01), Theirs(max_iter=1000), make_pipeline(StandardScaler(), LogisticRegression(0.01))):
        for cv in (5, None, np.int64(3)):
            assert inference.prediction_error(model, X[rows], y[rows], cv=cv, loss=np.not_equal).mean < 0.15
    line = np.arange(40.0)
    assert inference.prediction_error(Ridge(0.01), line[:, None] ** [1, 2], np.repeat([0.0, 1, 2, 3], 10)).mean < 0.3


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "float16", "float32", "uint64"])
def test_numbers_of_any_type_have_their_errors_in_double_precision(dtype):
    X, y, _ = drawn(4, 60, 3)
    classes = np.where(y > 2, 120, 1)
    found = inference.prediction_error(LogisticRegression(0.01), X, classes.astype(dtype))
    assert np.array_equal(found.of_rows, inference.prediction_error(LogisticRegression(0.01), X, classes).of_rows)
    assert set(found.of_rows) == {0.0, 119.0 ** 2}
    rows, counts = np.round(20 * X + 60), np.clip(np.round(30 + 10 * y), 0, 127)
    exact, found = inference.debiased_lasso(rows, counts), inference.debiased_lasso(rows.astype("float16"), counts.astype(dtype))
    assert np.array_equal(found.estimate, exact.estimate) and found.sigma == exact.sigma


def test_a_number_of_folds_draws_those_of_the_estimators_with_cv():
    from sklearn.model_selection import KFold

    X, y, _ = drawn(3, 50, 4)
    made = [inference.prediction_error(Lasso(0.1), X, y, cv=cv, random_state=2).of_rows for cv in (4, KFold(4, shuffle=True, random_state=2))]
    assert np.array_equal(*made)


def test_a_pipeline_gets_the_frame_and_blanks():
    import claros
    from sklearn.impute import SimpleImputer

    pandas = pytest.importorskip("pandas")
    X, y, _ = drawn(3, 60, 3)
    frame = pandas.DataFrame(X, columns=list("abc"), index=np.arange(60)[::-1] + 7)
    plain = inference.prediction_error(Lasso(0.01), X, y)
    assert np.allclose(inference.prediction_error(Lasso(0.01), frame, pandas.Series(y, index=frame.index)).of_rows, plain.of_rows)
    text = frame.assign(s=np.where(np.arange(60) % 2, "u", "v"))
    shifted = y + 5.0 * (np.arange(60) % 2)
    by_hand = inference.prediction_error(Lasso(0.01, tol=1e-9), np.column_stack([X, np.arange(60) % 2]), shifted)
    found = inference.prediction_error(make_pipeline(claros.Table(), Lasso(0.01, tol=1e-9)), text, shifted)
    assert np.allclose(found.of_rows, by_hand.of_rows, atol=1e-4)
    X[3, 1] = np.nan
    assert np.isfinite(inference.prediction_error(make_pipeline(SimpleImputer(), Lasso(0.01)), X, y).mean)
    with pytest.raises(ValueError, match="NaN"):
        inference.prediction_error(Lasso(0.01), X, y)
    with pytest.raises(ValueError, match="NaN"):
        inference.prediction_error(Lasso(0.01), X[:3], [1.0, np.nan, 2.0])
    with pytest.raises(ValueError, match="inconsistent"):
        inference.prediction_error(Lasso(0.01), frame, y[1:])
