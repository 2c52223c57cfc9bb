# SPDX-License-Identifier: BSD-3-Clause
"""Matrices of low rank: missing entries of a table, ratings, low rank plus sparse, and regression with several
responses; and sparse inverse covariance matrices.

All are minimised to a verified relative gap of `tol`; RatingsModel without an alpha is fitted for the least error on
ratings that it holds out. Fitted objects hold arrays, numbers and texts alone.
"""
import copy
import numbers
import warnings

import numpy as np
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.covariance import EmpiricalCovariance, empirical_covariance
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted

from . import arrays
from .errors import DataError
from .estimators import ATTRIBUTES, COLUMNS, COMMON, FINITE, Estimator, outside, weights_of
from .folds import FOUND, GRID, ByFolds, in_folds
from .linear import _Responses, require_rows, responses_cross_validated
from .paths import CrossValidation
from .result import relative_gap
from .solving import predict

_COMPLETION = {"alpha": None, "tol": 1e-4, "max_iter": 10000, "random_state": None}
_EITHER_GAP = "gap (absolute or relative)"
_FRACTION = 0.1  # of the least alpha whose solution is 0, where none is given
_FEWEST = 40  # ratings, of which some can be held out
_FEW_FACTORS = {"use": "alternating", "rank": 24}


class LowRankRegression(_Responses):
    """(1/2n) ||Y - X B - 1 b'||_F^2 + alpha ||B||_*: the responses depend on few combinations of the columns. rank_: of B,
    with singular values above 1e-8 of the largest."""

    _parameters = {"alpha": 1.0, **COMMON}
    _penalty, _fitted = "nuclear", (*_Responses._fitted, "rank_")

    def _penalty_of_rows(self):
        return {"use": "nuclear", "lambda": self._factor()}

    def fit(self, X, y, sample_weight=None):
        """X: (n, p), dense or sparse; y: (n,) or (n, K); sample_weight: (n,). Raises ValueError."""
        super().fit(X, y, sample_weight)
        s = np.linalg.svd(np.atleast_2d(self.coef_), compute_uv=False)
        self.rank_ = int(np.count_nonzero(s > 1e-8 * s[0]))
        return self


LowRankRegressionCV = responses_cross_validated(LowRankRegression)


class _Completion(Estimator):
    """Observed entries, completed with the nuclear norm as the penalty."""

    _fitted = ("alpha_", "dual_gap_", "n_iter_", "result_")
    _derived = {"singular_values_": ATTRIBUTES["singular_values_"]}
    _components = ("objective/matrix-completion", "penalty/nuclear")

    @property
    def singular_values_(self):
        check_is_fitted(self)
        return np.zeros(0) if self.result_ is None else _factors(self.result_)[1]

    def _limit(self, name):
        return ("real or None", 0, np.inf, "neither") if name == "alpha" else super()._limit(name)

    def _completed(self, row, col, values, shape, weights=None, alpha=f"{_FRACTION}*max", start=None, ends=None, algorithm=None,
                   **model):
        """alpha: where the model has none; if it is None too, Claros takes one that is good on entries that it holds
        out. start: factors (U, s, V), or None. ends: the targets; None is a relative gap of tol, and {} the steps that were
        best for these entries."""
        factor = alpha if self.alpha is None else float(self.alpha)
        parts = {"penalty": {"use": "nuclear", "lambda": factor}} if factor is not None else {}
        if algorithm:
            parts["algorithm"] = algorithm
        ends = {"relative_gap": float(self.tol)} if ends is None else ends
        result = self._solve(objective={"use": "matrix-completion", **model}, **parts,
                             data=arrays.ratings(row, col, values, shape, weights=weights), trace={"on": False}, start=start,
                             stop={"iterations": int(self.max_iter), **ends}, run={"threads": 1, "seed": self._seed()},
                             _folds=self._folds())
        self.result_, self.dual_gap_, self.n_iter_ = result, result.gap, max(1, int(result.iterations))
        self.alpha_ = result.resolved.get("penalty.lambda", factor)
        chosen = result.status == "iterations" and not ends and result.iterations < self.max_iter
        if not (result.target or result.status == "validation" or chosen):
            self._warn_of_end(result, ends)
        return result

    def _warn_of_end(self, result, ends):
        if "relative_gap" in ends:
            note = "" if self.tol else f"{ends['relative_gap']:g} here, raise max_iter or give a tol"
            self._warn_unfinished(result.status, "relative_gap", result.relative_gap, result.relative_gap and note)
        elif result.relative_gap != 0:
            warnings.warn(f"{type(self).__name__} ended at {result.status} after {self.n_iter_} steps, before the error on ratings held "
                          "out ends a fit: raise max_iter (claros help not-met)", ConvergenceWarning, stacklevel=outside())

    def _folds(self):
        """That choose alpha, where there are some."""
        return 1


class _WithHoles:
    """Estimators of tables in which NaN is not observed."""

    def _more_tags(self):
        return {"allow_nan": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class MatrixImputer(_WithHoles, OneToOneFeatureMixin, TransformerMixin, _Completion):
    """Fills NaN with the entries of a matrix X of low rank: (1/2n) sum over the n observed entries (X_ij + c_j -
    Y_ij)^2 + alpha ||X||_*, with the means c of the columns where `center`. Observed entries stay as they are.

    New rows are combinations of the components of the fit, weighted as those of the fit are: transform gives a row of
    the fit its solution. alpha: None is 0.1 of the least alpha for which X is 0.
    """

    _parameters = {"alpha": None, "center": True, **{k: v for k, v in _COMPLETION.items() if k != "alpha"}}
    _fitted = (*_Completion._fitted, "components_", "mean_", *COLUMNS)
    _example = ("np.where(X > 2, np.nan, X)", "fit.transform(np.full((1, 5), np.nan)).shape", "(1, 5)")

    def fit(self, X, y=None):
        """X: (m, p), with NaN where an entry is not known. Raises ValueError; a column needs an entry."""
        self._require_parameters()
        given = X
        X = check_array(arrays.readable(X), dtype=np.float64, estimator=self, **{FINITE: "allow-nan"})
        known = ~np.isnan(X)
        if not known.any(axis=0).all():
            raise ValueError(f"column {int(np.argmin(known.any(axis=0)))} has no entry that is not NaN")
        mean = _means_of_columns(X) if self.center else np.zeros(X.shape[1])
        row, col = np.nonzero(known)
        values = (X - mean)[known]
        if values.any():
            _, s, V = _factors(self._completed(row, col, values, X.shape))
            self.components_, self._ridge = (V * np.sqrt(s)).T, self.alpha_ * values.size
        else:  # the solution is 0, whatever alpha is, and the least alpha for that is 0
            self.components_, self._ridge = np.zeros((0, X.shape[1])), 0.0
            self.result_, self.n_iter_, self.dual_gap_, self.alpha_ = None, 1, 0.0, float(self.alpha or 0.0)
        self.mean_ = mean
        self._remember_columns(given, X.shape[1])
        return self

    def transform(self, X):
        """X with its NaN filled: (m, p)."""
        X = self._rows(X, copy=True, **{FINITE: "allow-nan"}).astype(np.float64, copy=False)
        for row in np.flatnonzero(np.isnan(X).any(axis=1)):
            known = ~np.isnan(X[row])
            combination = _combination(self.components_[:, known], X[row, known] - self.mean_[known], self._ridge)
            X[row, ~known] = combination @ self.components_[:, ~known] + self.mean_[~known]
        return X


def _means_of_columns(X):
    """Of the known entries; without rounding where all of a column are equal."""
    least = np.nanmin(X, axis=0)
    return np.where(least == np.nanmax(X, axis=0), least, np.nanmean(X, axis=0))


def _factors(result):
    if result.s is not None:
        return result.U, result.s, result.V
    x = np.reshape(result.x, (len(result.x), -1))  # one column is a vector
    U, s, Vt = np.linalg.svd(x, full_matrices=False)
    kept = s > 1e-12 * max(s[0], 1e-300)
    return U[:, kept], s[kept], Vt[kept].T


def _combination(W, y, ridge, w=1.0, w0=0.0, gram=0.0):
    """argmin over p of sum_e (w_e/2) (<p, W_e> - y_e)^2 + (w0/2) (p' gram p - sum_e <p, W_e>^2) + (ridge/2) ||p||^2, with
    W_e the columns of W."""
    return np.linalg.solve((W * (w - w0)) @ W.T + w0 * gram + ridge * np.eye(len(W)), W @ (w * y))


class RatingsModel(_Completion):
    """Ratings x_ij = mu + b_i + c_j + X_ij with X of low rank: (1/2n) sum over the n known ratings (x_ij - y_ij)^2 +
    alpha ||X||_*. mu, b and c are fitted before X (center: "biases", "mean" or "none"). With weights w the sum is
    that of w (x_ij - y_ij)^2, over 2 sum w. unobserved: the weight of every other position, as a 0 (views instead of
    ratings: values of 1, center="none"); every weight must be above it.

    Ids of rows and columns are integers, floats below 2^53, or texts. Not an estimator of scikit-learn's: fit takes three arrays.
    alpha: None is chosen on a random twentieth of the ratings, along a path that is fitted to the others (of views it is
    0.1 of the least alpha for which X is 0). alpha_ is what was taken, result_.messages says how it was chosen. rows_,
    cols_: the ids.

    patience: 0, or a number of steps. validation_fraction of the ratings is held out at random then, and a fit ends
    when their error has not fallen for so many steps, with the point of the least error. It is no minimum:
    result_.status is "validation", and dual_gap_ says how far its value is from one. validation_rmse_: that error.
    tol: None is 1e-4 with an alpha, for views, and for fewer than 40 ratings. Otherwise the error on ratings held out decides
    alone: at most 24 factors are fitted, by as many steps of alternating least squares as were best for a twentieth held
    out, whose error is validation_rmse_ (None if max_iter ends the fit before). That is no minimum either: result_.status is
    "iterations". A number goes to the
    minimum, however alpha is chosen.
    warm_start: whether a fit starts from the one before; rows and columns are found by their ids, new ones start at 0. It has
    no effect if the fit holds ratings out (patience above 0, or alpha None without views), because the one before was fitted to them.
    """

    _fitted = (*_Completion._fitted, "rows_", "cols_", "range_", "validation_rmse_")
    _example = ("*np.nonzero(X), X.ravel()", "fit.recommend(0, count=2, known=True)[0].shape", "(2,)")
    _parameters = {"alpha": None, "center": "biases", "unobserved": 0.0, "patience": 0, "validation_fraction": 0.05, "warm_start": False,
                   **{k: v for k, v in _COMPLETION.items() if k != "alpha"}, "tol": None}

    def _limit(self, name):
        if name == "tol":
            return "real or None", 0, 1, "neither"
        return {"none", "mean", "biases"} if name == "center" else super()._limit(name)

    def fit(self, rows, cols=None, values=None, sample_weight=None):
        """Ids of rows and columns, the ratings there and perhaps their weights, each (n,); a table of the three columns, in
        this order, or a sparse matrix, whose ids are its positions. A rating of weight 0 is like none. Raises ValueError."""
        self._require_parameters()
        if cols is None or values is None:
            rows, cols, values = _of_table(rows, cols, values)
        rows, cols, values, weights = _rated(rows, cols, values, sample_weight)
        row_ids, i = np.unique(rows, return_inverse=True)
        col_ids, j = np.unique(cols, return_inverse=True)
        order = np.lexsort((j, i))
        _require_once(i[order], j[order], row_ids, col_ids)
        views = {"unobserved": float(self.unobserved)} if self.unobserved else {}
        predicts = self.tol is None and self.alpha is None and not views and len(values) >= _FEWEST
        ends = {} if predicts else {"relative_gap": float(self.tol or _COMPLETION["tol"])}
        if self.patience:
            ends["patience"] = int(self.patience)
        part = {"held_out": float(self.validation_fraction)} if "patience" in ends else {}
        holds_out = self.patience or (self.alpha is None and not views)
        model = {"center": self.center, "start": None if holds_out else self._earlier(row_ids, col_ids), **views}
        ratings = i, j, values, (len(row_ids), len(col_ids)), weights
        few = _FEW_FACTORS if predicts and not self.patience else None
        self._completed(*ratings, alpha=f"{_FRACTION}*max" if views else None, ends=ends, algorithm=few, **model, **part)
        self._take_choice(self.result_.choices.get("penalty.lambda"))
        if not ends and self.n_iter_ >= self.max_iter:
            self.validation_rmse_ = None  # the error of the choice is that of more steps
        if part:
            self.validation_rmse_ = float(self.result_.test_rmse)
        self.rows_, self.cols_, self._unobserved = row_ids, col_ids, float(self.unobserved)
        self._known = (np.searchsorted(i[order], np.arange(len(row_ids) + 1)), j[order])
        other = 0.0 if self.unobserved else np.min(values)  # the value of all other positions
        self.range_ = (float(min(np.min(values), other)), float(max(np.max(values), other)))
        return self

    def _take_choice(self, choice):
        """What alpha was chosen by, or None."""
        self.validation_rmse_ = float(choice["rmse"][choice["chosen"]]) if choice else None

    def _earlier(self, rows, cols):
        """The factors of the fit before, for these ids; None without, and without a warm start."""
        if not self.warm_start or getattr(self, "result_", None) is None:
            return None
        U, s, V = _factors(self.result_)
        sides = []
        for factors, old, new in ((U, self.rows_, rows), (V, self.cols_, cols)):
            if _KINDS_OF_IDS[old.dtype.kind] != _KINDS_OF_IDS[new.dtype.kind]:
                return None
            at, found = _positions(new, old)
            side = np.zeros((len(new), len(s)))
            side[at[found]] = factors[found]
            sides.append(side)
        return (sides[0], s, sides[1]) if len(s) else None

    def fold_in(self, rows, cols, values, sample_weight=None):
        """A model that has these rows too; this one stays as it is. With columns and their biases held, a new row is
        fitted as each row of the fit was: first its bias, then its row of X, a ridge regression on the columns. A row
        of the fit is fitted anew, from these ratings alone; ratings of columns that the fit does not know are left
        out. sample_weight: in the units of the fit. Columns stay as they are, so that no gap of the model with all rows
        is known: dual_gap_ is NaN, and so are the numbers of result_. Raises ValueError.
        """
        check_is_fitted(self)
        rows, cols, y, weights = _rated(rows, cols, values, sample_weight, self)
        names, i = np.unique(rows, return_inverse=True)
        j, known = _positions(self.cols_, cols)
        order = np.lexsort((j, i))[known[np.lexsort((j, i))]]
        i, j, y, w = i[order], j[order], y[order], (np.ones(len(y)) if weights is None else weights)[order]
        _require_once(i, j, names, self.cols_)
        start = np.searchsorted(i, np.arange(len(names) + 1))
        return self._with_rows(names, start, j, *self._folded(start, j, y, w))

    def _folded(self, start, j, y, w):
        """Rows of U and biases of rows whose entries stand from start[k] to start[k + 1]."""
        facts, (_, s, V) = self.result_.ratings, _factors(self.result_)
        Q, ridge, w0 = (V * np.sqrt(s)).T, self.alpha_ * facts["total_weight"], self._unobserved
        gram = Q @ Q.T
        y = y - facts["mean"] - (facts["col"][j] if facts["col"].size else 0.0)
        U, biases = np.zeros((len(start) - 1, len(s))), np.zeros(len(start) - 1)
        for k, (first, last) in enumerate(zip(start[:-1], start[1:])):
            at, weight, rest = j[first:last], w[first:last], y[first:last]
            if facts["row"].size and weight.size:
                biases[k] = weight @ rest / (weight.sum() + facts["row_bias"])
            U[k] = _combination(Q[:, at], rest - biases[k], ridge, weight, w0, gram) / np.sqrt(s)
        return U, biases

    def _with_rows(self, names, start, cols, U, biases):
        made, result, (all_U, s, V) = copy.copy(self), copy.copy(self.result_), _factors(self.result_)
        made.rows_ = _union(self.rows_, names)
        old, new = _positions(made.rows_, self.rows_)[0], _positions(made.rows_, names)[0]

        def joined(before, after):
            whole = np.zeros((len(made.rows_), *before.shape[1:]))
            whole[old], whole[new] = before, after
            return whole

        result._x, result.U, result.s, result.V = None, joined(all_U, U), s, V
        result.value = result.gap = result.lower_bound = result.residual = made.dual_gap_ = np.nan
        result.certifies, result.confirmed, result.target = "", False, False
        result.ratings = dict(result.ratings)
        if result.ratings["row"].size:
            result.ratings["row"] = joined(result.ratings["row"], biases)
        lists = [None] * len(made.rows_)
        for at, (begin, have) in ((old, self._known), (new, (start, cols))):
            for k, place in enumerate(at):
                lists[place] = have[begin[k]:begin[k + 1]]
        made._known = (np.cumsum([0, *map(len, lists)]), np.concatenate(lists))
        made.result_ = result
        return made

    def predict(self, rows, cols, clip=True):
        """(n,), or a number of two ids. An id without a known rating has no bias and no row or column of X; clip: to the range
        of the fit."""
        check_is_fitted(self)
        if np.ndim(rows) == np.ndim(cols) == 0:
            return float(self.predict([rows], [cols], clip)[0])
        rows, cols = _ids(rows, "rows", self.rows_), _ids(cols, "cols", self.cols_)
        (i, known_i), (j, known_j) = _positions(self.rows_, rows), _positions(self.cols_, cols)
        facts = self.result_.ratings
        values = predict(self.result_, rows=i, cols=j)
        if not (known_i & known_j).all():
            alone = facts["mean"] + sum(np.where(known, facts[side][at], 0.0) for side, at, known in (
                ("row", i, known_i), ("col", j, known_j)) if facts[side].size)
            values = np.where(known_i & known_j, values, alone)
        return np.clip(values, *self.range_) if clip else values

    def score(self, rows, cols, values):
        """Minus the root mean square error of the predictions, (n,), for model selection: the larger, the better."""
        return -float(np.sqrt(np.mean((self.predict(rows, cols) - arrays.vector(values, "values")) ** 2)))

    def recommend(self, row, count=10, known=False, only=None, never=None):
        """The `count` columns of the largest predictions for a row, and these; known: also those with a rating. only,
        never: ids of columns; no others are recommended, or not these.

        For an array of n rows both are arrays (n, count). Where a row has fewer columns its list ends with predictions
        NaN, and ids 0 or "". Raises ValueError.
        """
        check_is_fitted(self)
        rows, one = _one_or_more(row, "row", self.rows_), np.ndim(row) == 0
        _require_count(count)
        i, found = _positions(self.rows_, rows)
        allowed = self._allowed(only, never)
        lists = [pair for k in range(0, len(rows), _BLOCK)
                 for pair in self._best(i[k:k + _BLOCK], found[k:k + _BLOCK], allowed, count, known)]
        return _of_lists(lists, self.cols_, one, count)

    def similar_items(self, col, count=10):
        """The `count` other columns whose columns of X make the smallest angles with that of `col`, and the cosines;
        for an array of columns as `recommend` does. A column that is 0 in X is like no other. Raises ValueError."""
        check_is_fitted(self)
        return self._similar(col, "col", self.cols_, count)

    def similar_users(self, row, count=10):
        """Likewise rows."""
        check_is_fitted(self)
        return self._similar(row, "row", self.rows_, count)

    def _similar(self, asked, where, names, count):
        ids = _one_or_more(asked, where, names)
        _require_count(count)
        at, found = _positions(names, ids)
        if not found.all():
            raise ValueError(f"{where}: {ids[np.argmin(found)]!r} is not in the fit")
        U, s, V = _factors(self.result_)
        own, other = (U * s, V) if where == "row" else (V * s, U)
        image = own @ (other.T @ other)
        length = np.sqrt(np.maximum((own * image).sum(axis=1), 0.0))
        lists = []
        for k in at:
            with np.errstate(divide="ignore", invalid="ignore"):
                cosines = np.clip(own @ image[k] / (length * length[k]), -1.0, 1.0)
            cosines[k] = np.nan
            lists.append(_largest(cosines, np.flatnonzero(np.isfinite(cosines)), count))
        return _of_lists(lists, names, np.ndim(asked) == 0, count)

    def _allowed(self, only, never):
        """Which columns may be recommended."""
        allowed = np.full(len(self.cols_), only is None)
        for where, ids, to in (("only", only, True), ("never", never, False)):
            if ids is None:
                continue
            at, found = _positions(self.cols_, _ids(ids, where, self.cols_))
            allowed[at[found]] = to
        return allowed

    def _best(self, i, found, allowed, count, known):
        """Lists of rows at positions i, of which the fit has those that were found."""
        facts, (U, s, V) = self.result_.ratings, _factors(self.result_)
        values = np.where(found[:, None], (U[i] * s) @ V.T, 0.0) + facts["mean"]
        if facts["row"].size:
            values += np.where(found, facts["row"][i], 0.0)[:, None]
        if facts["col"].size:
            values += facts["col"]
        start, cols = self._known
        for k in range(len(i)):
            may = allowed
            if found[k] and not known:
                may = allowed.copy()
                may[cols[start[i[k]]:start[i[k] + 1]]] = False
            yield _largest(values[k], np.flatnonzero(may), count)


class RatingsModelCV(RatingsModel):
    """RatingsModel with alpha from folds: each of `cv` random parts of the ratings is held out once, along a path that is
    fitted to the others, and the alpha of the least mean error is taken. It is the largest, whose X is 0, if no other is
    better than chance allows. tol: None and a number mean the same as in RatingsModel; a number makes paths of minima.

    alphas_, rmse_path_, rmse_error_: the alphas of the paths, the mean of the root mean square errors of the folds, and its
    standard error; validation_rmse_: that of alpha_.
    """

    _parameters = {"center": "biases", "cv": 5, **{k: v for k, v in _COMPLETION.items() if k != "alpha"}, "tol": None}
    _fitted = (*RatingsModel._fitted, "alphas_", "rmse_path_", "rmse_error_")
    alpha, unobserved, patience, warm_start = None, 0.0, 0, False

    def _limit(self, name):
        return ("int", 2, 1000, "both") if name == "cv" else super()._limit(name)

    def _folds(self):
        return int(self.cv)

    def _take_choice(self, choice):
        super()._take_choice(choice)
        numbers = choice or dict.fromkeys(("tried", "rmse", "error"))
        self.alphas_, self.rmse_path_, self.rmse_error_ = numbers["tried"], numbers["rmse"], numbers["error"]


_BLOCK = 256  # rows whose predictions are held at a time


def _require_count(count):
    if not isinstance(count, numbers.Integral) or count < 0:
        raise ValueError(f"count: {count!r}, expected an integer of at least 0")


def _one_or_more(asked, where, names):
    if np.ndim(asked) > 1:
        raise ValueError(f"{where}: an array of shape {np.shape(asked)}, expected an id or one dimension of them")
    return _ids([asked] if np.ndim(asked) == 0 else asked, where, names)


def _largest(values, candidates, count):
    """Positions of the largest values, of equal ones the first, and the values."""
    best = candidates[np.argsort(-values[candidates], kind="stable")[:count]]
    return best, values[best]


def _of_lists(lists, names, one, count):
    if one:
        best, values = lists[0]
        return names[best], values
    most = min(count, len(names))
    ids, values = np.zeros((len(lists), most), names.dtype), np.full((len(lists), most), np.nan)
    for k, (best, found) in enumerate(lists):
        ids[k, :len(best)], values[k, :len(best)] = names[best], found
    return ids, values


class RobustPCA(_WithHoles, Estimator):
    """X = L + S + noise with L of low rank and S sparse (stable principal component pursuit): (1/2) sum over the observed
    entries (L_ij + S_ij - X_ij)^2 + alpha (||L||_* + sparsity ||S||_1). NaN is not observed; S is 0 there.

    alpha: singular values of L below it are 0; noise of standard deviation s asks for s (sqrt(m) + sqrt(p)) times the
    root of the share that is observed; without noise L and S tend to the exact decomposition as alpha falls. None is
    0.01 of the least alpha for which both are 0; alpha_ is what was taken.

    S is eliminated: the minimum over S is the Huber loss of L - X with delta = alpha sparsity, which is minimised with
    the nuclear norm as the penalty. dual_gap_ bounds the distance of the value at both to the minimum.
    """

    _parameters = {"alpha": None, "sparsity": None, "tol": 1e-6, "max_iter": 10000, "random_state": None}
    _fitted = ("low_rank_", "sparse_", "rank_", "singular_values_", "components_", "alpha_", "sparsity_", "dual_gap_",
               "n_iter_", "result_", *COLUMNS)
    _example = ("X", "fit.low_rank_.shape, fit.sparse_.shape", "((60, 5), (60, 5))")
    _components = ("objective/matrix-completion", "loss/huber", "penalty/nuclear")

    def _limit(self, name):
        return ("real or None", 0, np.inf, "neither") if name == "alpha" else super()._limit(name)

    def fit(self, X, y=None):
        """X: (m, p), with NaN where an entry is not known. Raises ValueError, also where none is."""
        self._require_parameters()
        given = X
        X = check_array(arrays.readable(X), dtype=np.float64, estimator=self, **{FINITE: "allow-nan"})
        known = ~np.isnan(X)
        if not known.any():
            raise ValueError("X has no entry that is not NaN")
        self.sparsity_ = 1.0 / np.sqrt(max(X.shape)) if self.sparsity is None else float(self.sparsity)
        filled = np.where(known, X, 0.0)
        top = np.abs(filled).max()
        most = max(top * np.linalg.norm(filled / top, 2), top / self.sparsity_) if top > 0.0 else 0.0
        self.alpha_ = 0.01 * most if self.alpha is None else float(self.alpha)
        U, s, V = np.zeros((X.shape[0], 0)), np.zeros(0), np.zeros((X.shape[1], 0))
        self.result_, self.n_iter_, self.dual_gap_ = None, 1, 0.0
        if self.alpha_ < most:
            U, s, V = self._solved(X, known)
        self.low_rank_, self.singular_values_, self.components_, self.rank_ = (U * s) @ V.T, s, V.T, len(s)
        rest = np.where(known, X - self.low_rank_, 0.0)
        self.sparse_ = np.sign(rest) * np.maximum(np.abs(rest) - self.alpha_ * self.sparsity_, 0.0)
        self._remember_columns(given, X.shape[1])
        return self

    def _solved(self, X, known):
        row, col = np.nonzero(known)
        self.result_ = result = self._solve(
            objective={"use": "matrix-completion", "loss": {"use": "huber", "delta": self.alpha_ * self.sparsity_}},
            data=arrays.ratings(row, col, X[known], X.shape), penalty={"use": "nuclear", "lambda": self.alpha_ / len(row)},
            trace={"on": False}, stop={"relative_gap": float(self.tol), "iterations": int(self.max_iter)},
            run={"threads": 1, "seed": self._seed()})
        self.n_iter_, self.dual_gap_ = max(1, int(result.iterations)), len(row) * result.gap
        if not result.target:
            self._warn_unfinished(result.status, "relative_gap", result.relative_gap)
        return _factors(result)


class GraphicalLasso(Estimator, EmpiricalCovariance):
    """-log det P + <S, P> + alpha sum over i != j of |P_ij| on positive definite P, S the covariance of the rows of X.

    A zero of precision_ says that two columns are independent given all others. precision_, covariance_ (its inverse),
    location_: P, P^{-1} and the mean; score, error_norm and mahalanobis are those of scikit-learn. The fit ends where
    the gap relative to the value, or the gap itself, is at most tol. Columns of very different variance take many
    steps: standardise them.
    """

    _parameters = {"alpha": 0.01, "assume_centered": False, "tol": 1e-6, "max_iter": 10000}
    _fitted = ("precision_", "covariance_", "location_", "dual_gap_", "n_iter_", "result_", *COLUMNS)
    _example, _components = ("X + 0.5 * X[:, :1]", "fit.precision_.shape", "(5, 5)"), ("objective/log-det", "penalty/l1")
    store_precision = True  # of scikit-learn

    def __getattr__(self, name):  # scikit-learn's methods read what a fit has without asking for one
        if name in self._fitted:
            check_is_fitted(self)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def fit(self, X, y=None):
        """X: (n, p), n and p at least 2. Raises ValueError, also for a column without a variance."""
        self._require_parameters()
        given = X
        X = check_array(arrays.readable(X), dtype=np.float64, estimator=self, ensure_min_samples=2, ensure_min_features=2)
        self.location_ = np.zeros(X.shape[1]) if self.assume_centered else X.mean(axis=0)
        S = empirical_covariance(X, assume_centered=self.assume_centered)
        if (constant := arrays.constant(X, np.diag(S))).any():
            raise ValueError(f"column {int(np.argmax(constant))} has no variance: its precision is infinite")
        self.precision_ = self._solved(0.5 * (S + S.T))
        self.covariance_ = np.linalg.inv(self.precision_)
        self._remember_columns(given, X.shape[1])
        return self

    def _solved(self, S):
        self.result_ = result = self._solve(
            objective={"use": "log-det", "form": "matrix"}, data=arrays.rows(S, np.zeros(len(S))),
            penalty={"use": "l1", "lambda": float(self.alpha), "weights": "off-diagonal"}, algorithm="p-glasso",
            trace={"on": False},
            stop={"relative_gap": float(self.tol), "gap": float(self.tol), "iterations": int(self.max_iter)},
            run={"threads": 1})
        self.dual_gap_, self.n_iter_ = result.gap, max(1, int(result.iterations))
        if not result.target:
            self._warn_unfinished(result.status, _EITHER_GAP, np.fmin(result.gap, result.relative_gap))
        return np.array(result.x)


class GraphicalLassoCV(ByFolds, GraphicalLasso):
    """GraphicalLasso with alpha from a grid: n_alphas numbers from the least alpha whose precision is diagonal down to
    eps times it, each solution started from the one before, or `alphas`; folds of the rows choose the least mean of
    -log det P + <S, P>, S of the rows held back around the mean of the others ("best"), or the largest alpha within one
    standard error of it."""

    _parameters = {**{name: value for name, value in GRID.items() if name not in ("explained", "scoring")}, "n_alphas": 20, "eps": 1e-2,
                   "assume_centered": False, "tol": 1e-6, "max_iter": 10000, "random_state": None}
    explained, scoring = 1, None
    _fitted = (*(name for name in GraphicalLasso._fitted if name != "result_"),
               *FOUND)

    @in_folds
    def fit(self, X, y=None):
        """X: (n, p), n at least the number of folds, p at least 2. Raises ValueError, also for a column without a
        variance."""
        self._samples = np.atleast_2d(X) if isinstance(X, np.ndarray) else X
        try:
            return super().fit(X, y)
        finally:
            del self._samples

    def _solved(self, S):
        X = check_array(arrays.readable(self._samples), dtype=np.float64)
        require_rows(X, self._division if isinstance(self._division, int) else 1)
        most = np.abs(S - np.diag(np.diag(S))).max()
        if most == 0.0:
            raise ValueError("no two columns are correlated: the precision is diagonal for every alpha")
        asked = self._asked()
        if self._own_alphas() is None:
            asked["grid"] = most * np.geomspace(1.0, self.eps, self._count()) if self._count() > 1 else np.array([most])
        path = CrossValidation(
            objective={"use": "log-det", "form": "samples", "center": not self.assume_centered},
            data=arrays.rows(X, np.zeros(len(X))), penalty={"use": "l1", "lambda": float(most), "weights": "off-diagonal"},
            algorithm="p-glasso", trace={"on": False},
            stop={"relative_gap": float(self.tol), "gap": float(self.tol), "iterations": int(self.max_iter)},
            run={"threads": 1, "seed": self._seed()}, **asked)
        chosen = self._take(path)
        self._warn_unfinished_path(path, chosen, _EITHER_GAP,
                                   np.fmin(self.dual_gap_, relative_gap(self.dual_gap_, path.table_["value"][chosen])))
        if path.edge_ and path.chosen_["best"] == 0:
            path.edge_ = "the best lambda is max, the largest, whose precision is diagonal"
        self._warn_edge(path)
        return np.array(path.coefficients_[:, chosen]).reshape(S.shape, order="F")


_KINDS_OF_IDS = {"U": "texts", "S": "bytes", "i": "numbers", "u": "numbers", "f": "numbers", "b": "booleans"}


def _ids(values, where, fitted=None):
    """Ids of one kind, (n,), and of that of the fit. Raises ValueError."""
    array = arrays.labels(values, where, word="id")
    if array.dtype.kind == "O" and not len(array):
        array = np.empty(0, fitted.dtype if fitted is not None else int)
    kind = _KINDS_OF_IDS.get(array.dtype.kind)
    if kind is None:
        raise ValueError(f"{where}: ids of type {array.dtype}, expected numbers or texts")
    if fitted is not None and len(array) and kind != _KINDS_OF_IDS[fitted.dtype.kind]:
        raise ValueError(f"{where}: ids of type {array.dtype}, those of the fit have {fitted.dtype}")
    if array.dtype.kind == "f":
        least = 2.0 ** min(np.finfo(array.dtype).nmant + 1, 53)
        if (large := np.abs(array) >= least).any():
            raise ValueError(f"{where}: entry {int(np.argmax(large))} is {array[large][0]!r}: from {least:.0f} on {array.dtype} rounds "
                             "integers, give integers or texts")
    return array


def _of_table(table, cols, values):
    """The three columns of a table of ratings. Raises ValueError for all else that is not three arrays."""
    names = list(getattr(table, "columns", ()))
    if arrays.is_sparse(table) and cols is None and values is None:
        return arrays.entries(table)[:3]
    if cols is not None or values is not None or len(names) != 3:
        found = f"a table of the columns {', '.join(map(str, names))}" if names else f"one of type {type(table).__name__}"
        raise ValueError(f"expected rows, cols and values, found {found}: write fit(ids of rows, ids of columns, ratings), or give "
                         "a table of these three columns; a matrix with NaN is what MatrixImputer takes")
    for place, name in enumerate(names):
        starts = any(str(name).lower().startswith(word) for other, words in enumerate(_WORDS) for word in words if other != place)
        if starts or arrays.field_of(name) not in (None, ("rows", "cols", "values")[place]):
            raise ValueError(f"the columns {', '.join(map(str, names))}: expected users, items, ratings in this order")
    return (table[name] for name in names)


_WORDS = (("user", "row"), ("item", "col", "movie", "film"), ("rating", "value", "score"))  # of columns of a table of ratings


def _rated(rows, cols, values, sample_weight, fitted=None):
    """Ids of rows and columns, the ratings there and their weights (None: 1), without ratings of weight 0."""
    if not np.shape(rows) == np.shape(cols) == np.shape(values) or np.ndim(rows) != 1:
        raise ValueError(f"rows, cols and values have the shapes {np.shape(rows)}, {np.shape(cols)} and "
                         f"{np.shape(values)}: give one of each a rating")
    parts = [_ids(rows, "rows", fitted and fitted.rows_), _ids(cols, "cols", fitted and fitted.cols_),
             arrays.finite(arrays.vector(values, "values"), "values")]
    weights = weights_of(sample_weight, len(parts[2]))
    if weights is None or weights.all():
        return (*parts, weights)
    return tuple(part[weights > 0] for part in (*parts, weights))


def _require_once(i, j, rows, cols):
    """i, j: positions of ratings, in order."""
    twice = (np.diff(i) == 0) & (np.diff(j) == 0)
    if twice.any():
        at = int(np.argmax(twice))
        raise DataError([(f"row {rows[i[at]]!r}, column {cols[j[at]]!r}", "has two ratings", "give each once")])


def _cast(ids, dtype):
    """Ids as another type of numbers, and which of them stay the same."""
    if ids.dtype == dtype or ids.dtype.kind not in "iuf":
        return ids, np.ones(len(ids), bool)
    with np.errstate(invalid="ignore", over="ignore"):
        made = ids.astype(dtype)
        return made, (made.astype(ids.dtype) == ids) & ((made < 0) == (ids < 0))


def _positions(ids, asked):
    """Positions of the asked among ids in order, and which are there. Numbers of all types are compared exactly."""
    asked, same = _cast(asked, ids.dtype)
    at = np.minimum(np.searchsorted(ids, asked), len(ids) - 1)
    return at, same & (ids[at] == asked)


def _union(old, new):
    """The ids of both in order, of a type that has all of them."""
    for dtype in (old.dtype, new.dtype, np.dtype(np.int64), np.dtype(np.float64)):
        (ids, same), (others, equal) = _cast(old, dtype), _cast(new, dtype)
        if same.all() and equal.all():
            return np.union1d(ids, others)
    raise ValueError(f"rows: ids of type {new.dtype}, those of the fit have {old.dtype}: no type has all of them, give integers or texts")


_ELSEWHERE = {
    "AlternatingLeastSquares": "RatingsModel(unobserved=0.2, center='none')",
    "SVD": "RatingsModel", "NMF": "RatingsModel, whose factors have any sign", "PCA": "RobustPCA",
    "IterativeSVD": "MatrixImputer", "SoftImpute": "MatrixImputer", "IterativeImputer": "MatrixImputer", "GraphLasso": "GraphicalLasso",
}


def __getattr__(name):
    if name in _ELSEWHERE:
        raise ImportError(f"claros.matrix has no {name}: take {_ELSEWHERE[name]}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
