# SPDX-License-Identifier: BSD-3-Clause
"""How sure a sparse fit is: selection frequencies, confidence intervals and errors of prediction.

    >>> import numpy as np
    >>> from claros.inference import bootstrap_support, debiased_lasso, prediction_error, stability_selection
    >>> from claros.linear import Lasso
    >>> random = np.random.default_rng(0)
    >>> X = random.normal(size=(60, 5))
    >>> y = X[:, 0] - X[:, 1] + 0.3 * random.normal(size=60)
    >>> stability_selection(Lasso(), X, y, alphas=[0.2], pairs=10, random_state=0).selected
    array([0, 1])
    >>> intervals = debiased_lasso(X, y)
    >>> np.flatnonzero((intervals.low > 0) | (intervals.high < 0))
    array([0, 1])
    >>> bootstrap_support(Lasso(0.2), X, y, repetitions=10, random_state=0).shape
    (3, 5)
    >>> prediction_error(Lasso(0.01), X, y).mean < 0.2
    True

Estimators are those of `claros.linear`, or others of scikit-learn's with `alpha` and `coef_`.
"""
import dataclasses
import numbers

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import KFold, StratifiedKFold, check_cv
from sklearn.utils import (_safe_indexing, assert_all_finite, check_array, check_consistent_length, check_random_state, check_X_y,
                           column_or_1d)

from . import arrays
from .errors import NumericalError
from .estimators import FINITE
from .pictures import axes_of, table_of
from .solving import solve

__all__ = ["Intervals", "PredictionError", "Stability", "bootstrap_support", "debiased_lasso", "prediction_error",
           "stability_selection"]


@dataclasses.dataclass
class Stability:
    """frequencies: (alphas, p), the share of the halves in which a coefficient is not 0; selected: the columns whose
    frequency is at least the threshold for an alpha; per_half: the mean number of columns that a half selects for any
    alpha; false_bound: a bound on the expected number of columns in `selected` that have no influence."""

    alphas: np.ndarray
    frequencies: np.ndarray
    selected: np.ndarray
    per_half: float
    false_bound: float

    def plot(self, ax=None):
        """Draws the frequencies over alpha by matplotlib, with the columns that are selected named; returns the axes."""
        ax = axes_of(ax)
        for j in np.argsort(-self.frequencies.max(axis=0), kind="stable"):
            chosen = j in self.selected
            ax.plot(self.alphas, self.frequencies[:, j], marker=".", color=None if chosen else "0.8",
                    label=f"column {j + 1}" if chosen else None)
        ax.set_xlabel("alpha")
        ax.set_ylabel("share of the halves")
        ax.legend(fontsize="small")
        return ax


def stability_selection(estimator, X, y, *, alphas, threshold=0.75, pairs=50, random_state=None):
    """Fits on halves of the rows, in `pairs` random pairs of complementary halves, for each of `alphas`.

    With q columns that a half selects for any alpha on average, at most q^2 / ((2 threshold - 1) p) columns without
    influence are selected on average (Meinshausen, Buehlmann: Stability selection, JRSS B 72, 2010, Theorem 1, under
    exchangeability of the columns without influence; halves in pairs: Shah, Samworth: Variable selection with error
    control, JRSS B 75, 2013). For a classifier both halves of a pair have half the rows of each class, up to one row. Raises
    ValueError, also for a class of one row.
    """
    X, y = check_X_y(arrays.readable(X), arrays.classes(y, "y"))
    alphas = np.atleast_1d(np.asarray(alphas, dtype=float))
    if not 0.5 < threshold <= 1 or pairs < 1 or alphas.ndim != 1 or alphas.size == 0:
        raise ValueError(f"expected a threshold in (0.5, 1], a pair and an alpha at least, found {threshold}, {pairs} and "
                         f"{alphas.size} alphas")
    random, places = check_random_state(random_state), _strata(estimator, y)
    if len(places) > 1 and len(places[0]) < 2:
        raise ValueError(f"y: the class {y[places[0][0]]!r} has one row, and a row of each class is needed in both halves")
    chosen = np.zeros((2 * pairs, alphas.size, X.shape[1]), dtype=bool)
    for k in range(pairs):
        for part, rows in enumerate(_halves(random, places)):
            for a, alpha in enumerate(alphas):
                coef = clone(estimator).set_params(alpha=alpha).fit(X[rows], y[rows]).coef_
                chosen[2 * k + part, a] = (coef.reshape(-1, X.shape[1]) != 0).any(axis=0)  # of any class
    frequencies, q = chosen.mean(axis=0), float(chosen.any(axis=1).sum(axis=1).mean())
    return Stability(alphas, frequencies, np.flatnonzero(frequencies.max(axis=0) >= threshold), q,
                     q * q / ((2 * threshold - 1) * X.shape[1]))


def _strata(estimator, y):
    """The rows of each class, the smallest class first; of an estimator that is no classifier all rows."""
    if not is_classifier(estimator):
        return [np.arange(len(y))]
    codes = np.unique(y, return_inverse=True)[1]
    return sorted((np.flatnonzero(codes == k) for k in range(codes.max() + 1)), key=len)


def _halves(random, places):
    """Two random halves of the rows, with half the rows of each stratum and the rows that are left over in turn."""
    orders = [random.permutation(part) for part in places]
    rest = np.concatenate([order[len(order) // 2 * 2:] for order in orders])
    return [np.concatenate([*(order[len(order) // 2 * k:len(order) // 2 * (k + 1)] for order in orders), rest[k:len(rest) // 2 * 2:2]])
            for k in (0, 1)]


def bootstrap_support(estimator, X, y, *, repetitions=100, random_state=None):
    """The shares of `repetitions` bootstrap samples of the rows in which each coefficient is below, at and above 0:
    (3, p). A column that nearly all samples select is one that the selection does not owe to single rows; the shares
    are no confidence levels (Bach: Bolasso, ICML 2008; Efron: Bootstrap methods, Annals of Statistics 7, 1979).

    A sample is a fit with the numbers of times that it has each row as sample_weight. For a classifier rows are drawn within
    each class, so that a sample has as many rows of a class as y (Davison, Hinkley: Bootstrap methods and their application, 1997, 3.2).
    """
    X, y = check_X_y(arrays.readable(X), arrays.classes(y, "y"))
    random, shares, places = check_random_state(random_state), np.zeros((3, X.shape[1])), _strata(estimator, y)
    for _ in range(repetitions):
        rows = np.concatenate([part[random.randint(len(part), size=len(part))] for part in places])
        counts = np.bincount(rows, minlength=len(y))
        coef = clone(estimator).fit(X, y, sample_weight=counts).coef_
        if coef.size != X.shape[1]:
            raise ValueError(f"y: {len(coef)} classes have a coefficient each of every column, and no one sign; take stability_selection")
        signs = np.sign(coef.ravel()).astype(int)
        shares[signs + 1, np.arange(len(signs))] += 1 / repetitions
    return shares


@dataclasses.dataclass
class Intervals:
    """estimate, standard_error, low, high: (p,), in the units of X and y; sigma: the estimated noise."""

    estimate: np.ndarray
    standard_error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    sigma: float

    def plot(self, ax=None):
        """Draws every interval by matplotlib; returns the axes."""
        ax, places = axes_of(ax), np.arange(1, len(self.estimate) + 1)
        ax.errorbar(self.estimate, places, xerr=[self.estimate - self.low, self.high - self.estimate], fmt=".", capsize=2)
        ax.axvline(0.0, color="0.6", linewidth=0.8)
        ax.set_xlabel("coefficient")
        ax.set_ylabel("column")
        return ax

    def _repr_html_(self):
        numbers = zip(self.estimate, self.standard_error, self.low, self.high, strict=True)
        return table_of(("column", "estimate", "standard error", "low", "high"),
                        ((k, *(f"{number:.6g}" for number in row)) for k, row in enumerate(numbers, 1)))


def debiased_lasso(X, y, *, level=0.95, lambda_=None, columns=None, tol=1e-6):
    """Confidence intervals of the coefficients of y = b + X x + noise, p > n allowed, x sparse.

    With z_j the residual of the square-root lasso of column j on the others, and r that of y on all of them,
        b_j = x_j + z_j'r / z_j'a_j,   standard error sigma ||z_j|| / |z_j'a_j|,   sigma^2 = ||r||^2 / (n - 1 - |support|)
    (Zhang, Zhang: Confidence intervals for low dimensional parameters, JRSS B 76, 2014; van de Geer, Buehlmann, Ritov,
    Dezeure: On asymptotically optimal confidence regions, Annals of Statistics 42, 2014; Javanmard, Montanari:
    Confidence intervals and hypothesis testing for high-dimensional regression, JMLR 15, 2014; sigma: Reid,
    Tibshirani, Friedman: A study of error variance estimation in lasso regression, Statistica Sinica 26, 2016).

    They cover each coefficient with about the probability `level` where the number of nonzeros is small beside
    sqrt(n) / log p and the noise is independent and normal; not all coefficients at once. With more nonzeros the bias
    of columns beside them is of the size of the standard error, and they cover less. lambda_: of the square-root lasso
    of y, on columns of variance 1; None: sqrt(2 log p / n). Those of the columns have half of it, which makes
    intervals a little wider and the bias smaller. columns: the positions, names or mask of those whose intervals are made; None: all. Raises
    ValueError, and NumericalError where a lasso does not reach the relative gap `tol`.
    """
    from scipy.stats import norm

    names = arrays.names_of(X)
    X, y = check_X_y(arrays.readable(X), arrays.vector(y, "y"), dtype=np.float64)
    n, p = X.shape
    if not 0 < level < 1 or p < 2:
        raise ValueError(f"expected a level in (0, 1) and two columns at least, found {level} and {p}")
    if lambda_ is not None and not 0 < lambda_ < np.inf:
        raise ValueError(f"expected a lambda_ above 0, found {lambda_}: at 0 nothing is selected, and there is no noise to measure")
    A, around = X - X.mean(axis=0), y - y.mean()
    scale = A.std(axis=0)
    if (constant := arrays.constant(X, scale**2)).any():
        raise ValueError(f"column {int(np.argmax(constant))} is constant")
    A = A / scale
    factor = np.sqrt(2 * np.log(p) / n) if lambda_ is None else float(lambda_)
    x = _square_root_lasso(A, around, factor, tol)
    r = around - A @ x
    free = n - 1 - np.count_nonzero(x)
    if free < 1:
        raise ValueError(f"lambda_: the lasso of y selects {np.count_nonzero(x)} columns of {n} rows, which leaves no residual to "
                         "measure the noise by; give a larger one")
    sigma = np.sqrt(r @ r / free)
    asked = np.arange(p) if columns is None else _asked_columns(np.atleast_1d(columns), names, p)
    estimate, error = np.empty(len(asked)), np.empty(len(asked))
    for k, j in enumerate(asked):
        others = np.delete(A, j, axis=1)
        z = A[:, j] - others @ _square_root_lasso(others, A[:, j], 0.5 * factor, tol)
        estimate[k] = x[j] + z @ r / (z @ A[:, j])
        error[k] = sigma * np.linalg.norm(z) / abs(z @ A[:, j])
    estimate, error = estimate / scale[asked], error / scale[asked]
    reach = norm.ppf(0.5 + 0.5 * level) * error
    return Intervals(estimate, error, estimate - reach, estimate + reach, float(sigma))


def _asked_columns(columns, names, p):
    """The positions of columns that are given as positions, names or a mask."""
    if columns.dtype == bool and columns.shape == (p,):
        return np.flatnonzero(columns)
    known = {**{k: k % p for k in range(-p, p)}, **{name: k for k, name in enumerate(names)}}
    twice = [name for name in columns.ravel().tolist() if names.count(name) > 1]
    if twice:
        raise ValueError(f"columns: {names.count(twice[0])} columns are named {twice[0]!r}; give positions")
    wrong = [repr(column) for column in columns.ravel().tolist() if column not in known]
    if wrong or columns.dtype == bool or columns.ndim != 1:
        raise ValueError(f"columns: {(wrong or [f'an array of {columns.dtype} and shape {columns.shape}'])[0]}, expected positions from 0 and "
                         f"below {p}, names of a table's columns, or {p} booleans")
    return np.array([known[column] for column in columns.tolist()], dtype=int)


def _square_root_lasso(A, y, factor, tol):
    result = solve(objective="square-root", penalty={"use": "l1", "lambda": factor}, data=(A, y), trace={"on": False},
                   stop={"relative_gap": tol, "iterations": 10000}, run={"threads": 1})
    if not result.target:
        raise NumericalError([("tol", f"a square-root lasso ended at {result.status} with the relative gap "
                               f"{result.relative_gap:.2e}", "raise tol or lambda_")])
    return np.array(result.x).ravel()


@dataclasses.dataclass
class PredictionError:
    """mean: of the errors of the rows that a fold tests; standard_error: of the mean; of_rows: (n,), NaN of the others."""

    mean: float
    standard_error: float
    of_rows: np.ndarray


def prediction_error(estimator, X, y, *, cv=5, loss=None, random_state=0):
    """The error of predictions on rows that a fit has not seen, by cross-validation.

    estimator: also a pipeline, which gets a DataFrame as it is. cv: a number of folds, which are drawn from random_state with a share of
    each class for a classifier, as those of the estimators with CV; a splitter of scikit-learn; or pairs (train, test) of positions.
    loss(y, prediction): an error a row, as np.not_equal of classes; None: the squared one. standard_error is the deviation of the
    rows' errors over sqrt(n), which takes errors of one fold as independent: it is too small where few rows decide the fit (Bates,
    Hastie, Tibshirani: Cross-validation: what does it estimate and how well does it do it?, JASA 119, 2023).
    """
    y = column_or_1d(arrays.classes(y, "y"))
    if not hasattr(X, "iloc"):
        X = check_array(arrays.readable(X), accept_sparse="csr", **{FINITE: False})  # a pipeline may fill what is missing
    check_consistent_length(X, y)
    assert_all_finite(y)
    if loss is None and y.dtype.kind not in "fiu":
        raise ValueError(f"loss: y of {y.dtype} has no squared errors; give loss=np.not_equal for classes")
    sums, times = np.zeros(len(y)), np.zeros(len(y), dtype=int)
    if isinstance(cv, numbers.Integral):
        cv = (StratifiedKFold if is_classifier(estimator) else KFold)(int(cv), shuffle=True, random_state=random_state)
    for train, test in check_cv(cv, y, classifier=is_classifier(estimator)).split(X, y):
        predicted = clone(estimator).fit(_safe_indexing(X, train), y[train]).predict(_safe_indexing(X, test))
        sums[test] += np.subtract(y[test], predicted, dtype=np.float64) ** 2 if loss is None else loss(y[test], predicted)
        times[test] += 1
    errors = np.divide(sums, times, out=np.full(len(y), np.nan), where=times > 0)
    tested = errors[times > 0]
    return PredictionError(float(tested.mean()), float(tested.std(ddof=1) / np.sqrt(len(tested))), errors)
