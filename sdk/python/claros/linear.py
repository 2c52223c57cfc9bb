# SPDX-License-Identifier: BSD-3-Clause
"""Linear models as estimators of scikit-learn.

All minimise sum_i w_i psi(<a_i, x> + b + o_i, y_i) / sum_i w_i + alpha h(x), with b free. They end at a verified
relative gap of `tol`; where no gap is known (a concave penalty, alpha = 0, a penalty weight of 0, positive coefficients
with penalty weights, an intercept for each of several classes) at a relative residual of `tol`, the accuracy of a
stationary point.
Fitted objects hold arrays, numbers and texts alone.
"""
import functools
import math
import os
import re
import tempfile
import warnings

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score, d2_tweedie_score, r2_score
from sklearn.preprocessing import LabelEncoder
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_X_y

from . import arrays
from .estimators import COLUMNS, COMMON, FINITE, LIMITS, Estimator, InvalidParameterError, outside, weights_of, without_zeros
from .errors import ClarosWarning, DataError, UsageError
from .folds import FOUND, GRID, ByFolds, by_ratio, in_folds
from .likelihood import EPSILON, estimated, mean_loss
from .paths import CrossValidation
from .result import relative_gap
from .solving import text_of_groups

_CONCAVE = ("mcp", "scad")
_OF_PENALTIES = (("l1_ratio", "ratio", ("elastic-net", "sparse-group")), ("b", "b", ("mcp",)),
                 ("zeta", "zeta", ("scad",)), ("rho", "rho", ("l1",)))
_OF_SCIKIT_LEARN = {"l2": "ridge", "elasticnet": "elastic-net"}
_ONE_SIDED = ("l1", "elastic-net")  # of entries of at least 0 the penalty group, whose groups are single entries
_L1 = {"alpha": 1.0, "penalty_weights": None, "positive": False}
_OF_SCIKIT_LEARN_TOO = {"precompute": False, "copy_X": True, "selection": "cyclic"}  # of classes of its names
_LOGARITHMIC = ("poisson", "gamma", "tweedie", "negative-binomial")  # losses whose z is the logarithm of a mean
_OF_LOSSES = {"huber": {"delta": "delta"}, "quantile": {"quantile": "tau"}, "tweedie": {"power": "power"},
              "negative-binomial": {"theta": "theta"}}  # parameters of Python: of the component


def _groups_of(groups, p, outputs=1):
    """Columns as the text of a specification; of several outputs a group holds its columns of all. None: one each."""
    if isinstance(groups, (int, np.integer)) and not isinstance(groups, bool) and groups < 1:
        raise ValueError(f"groups: a size of {groups}; expected at least 1, labels of the columns, or lists of columns")
    if isinstance(groups, str):
        raise ValueError(f"groups: the text {groups!r}; expected a size, a label a column, or lists of columns")
    labels = np.arange(p) if groups is None else None
    if isinstance(groups, (int, np.integer)) and not isinstance(groups, bool):
        labels = np.arange(p) // int(groups)
    elif groups is not None and all(np.ndim(group) == 0 for group in groups):
        if len(groups) != p:
            sizes = arrays.labels(groups, "groups")
            if sizes.dtype.kind not in "iu" or sizes.min(initial=1) < 1 or sizes.sum() != p:
                raise ValueError(f"groups: {len(groups)} labels for {p} columns; give one a column, lists of columns, or sizes of the sum {p}")
            groups = np.repeat(np.arange(len(sizes)), sizes)
        labels = arrays.labels(groups, "groups")
    if labels is not None:
        groups = [np.flatnonzero(labels == label) for label in dict.fromkeys(labels.tolist())]
    groups = [arrays.positions(np.atleast_1d(group), "groups", p) for group in groups]
    return text_of_groups([np.add.outer(p * np.arange(outputs), group).ravel() for group in groups], "groups")


def _weights(given, name, count):
    weights = arrays.vector(given, name, count)
    if np.any(np.isnan(weights)) or np.any(weights < 0):
        raise ValueError(f"{name}: expected numbers of at least 0, or inf")
    return weights


def _doubles(y):
    """Responses as float64: means and squares of integers and of half precision leave their range."""
    return np.asarray(arrays.numeric(arrays.of_rows(y, "y"), "y"), dtype=np.float64)


def _in_words_of_constraint(error):
    """The error of a solve with the parameters of an estimator in the place of its set."""
    def named(text):
        text = re.sub(r"there is penalty/(\S+)", lambda found: f"write penalty={found[1]!r}" if found[1] in LIMITS["penalty"] else found[0], text)
        text = re.sub(r"set\.use=(\S+)", r"constraint={'use': '\1'}", text.replace("penalty.use=nonnegative", "positive=True"))
        return re.sub(r"^set(?=\.|$)", "constraint", text)

    return type(error)([tuple(map(named, complaint)) for complaint in error.complaints])


def _limit_of_concave(self, name):
    if name == "alpha" and getattr(self, "penalty", None) in _CONCAVE:
        return ("real", 0, np.inf, "neither")
    return LIMITS.get(name)


_named_penalty = property(lambda self: _OF_SCIKIT_LEARN.get(self.penalty, self.penalty))


class _LinearModel(Estimator):
    """Data, the composition, the fit and its attributes."""

    _loss, _penalty = "squared", "l1"
    _positive_y = _several = False  # _several: whether y may have several columns
    _loss_of_fit = None  # of a fit, whose predictions do not change with parameters that are set later
    _estimated = {}  # parameters of the loss: in a fit those that have the greatest likelihood, after it all
    _fitted = ("coef_", "intercept_", "dual_gap_", "n_iter_", "result_", *COLUMNS)

    def _more_tags(self):
        return {"requires_positive_y": self._positive_y, "multioutput": self._several}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse, tags.target_tags.positive_only = True, self._positive_y
        tags.target_tags.multi_output = self._several
        return tags

    def _outputs(self):
        return 1

    def _loss_settings(self):
        loss = self._loss_of_fit or self._loss
        own = {theirs: self._estimated.get(ours, getattr(self, ours)) for ours, theirs in _OF_LOSSES.get(loss, {}).items()}
        if loss == "tweedie":
            plain = {0: "squared", 1: "poisson", 2: "gamma"}.get(own["power"])
            own = {} if plain else own
            return {"use": plain or "tweedie", **own}
        return {"use": loss, **own}

    def _objective(self):
        return {"use": "linear-model", "loss": self._loss_settings(), "intercept": bool(self.fit_intercept), "standardize": False}

    def _penalty_of(self, p):
        settings = {"use": self._penalty, "lambda": self._factor()}
        if self._penalty == "elastic-net" and np.all(np.equal(self.l1_ratio, 0)) and not getattr(self, "positive", False):
            settings["use"] = "ridge"
        of_groups = self._penalty in ("group", "sparse-group")
        if of_groups:
            settings["groups"] = _groups_of(self.groups, p, self._outputs())
            settings["weights"] = self._group_weights(settings["groups"].count(";") + 1)
        for ours, theirs, penalties in _OF_PENALTIES:
            if ours in self._parameters and settings["use"] in penalties:
                settings[theirs] = np.ravel(getattr(self, ours))[0]  # several are varied by a path
        if getattr(self, "penalty_weights", None) is not None:
            if of_groups:
                raise ValueError("penalty_weights are factors of single columns: with groups give group_weights")
            settings["weights"] = np.tile(_weights(self.penalty_weights, "penalty_weights", p), self._outputs())
        if not getattr(self, "positive", False):
            return settings
        if self._penalty == "group":
            return {**settings, "nonnegative": True}
        if self._sums():
            return {"use": "sum", "terms": [settings, {"use": "nonnegative"}]}
        settings.pop("rho", None)
        return {**settings, "use": "group", "groups": "1", "nonnegative": True}  # |x_j| is the norm of a group of one

    def _penalty_and_set(self, p):
        constraint = getattr(self, "constraint", None)
        if not constraint:
            return {"penalty": self._penalty_of(p)}
        if not isinstance(constraint, dict) or "use" not in constraint:
            raise InvalidParameterError(f"constraint: {constraint!r}; expected None or a set as claros.solve takes it, such as "
                                        "{'use': 'monotone', 'lower': -5, 'upper': 5}")
        if self._loss == "quantile":
            raise InvalidParameterError(f"constraint: {constraint!r} beside loss='quantile', whose corner is solved for over all coefficients "
                                        "alone: leave constraint out, or round the corner by claros.solve(objective={'use': 'linear-model', "
                                        f"'loss': {{'use': 'quantile', 'tau': {self.quantile}, 'delta': 0.01}}}}, data=(X, y), set=...)")
        penalty = self._penalty_of(p)
        # At alpha = 0 the penalty still says which entries stay 0 or are at least 0.
        weights = penalty.get("weights", ())
        limits = getattr(self, "positive", False) or not isinstance(weights, str) and np.any(np.isinf(weights))
        return {"set": dict(constraint), **({"penalty": penalty} if self._factor() or limits else {})}

    def _group_weights(self, count):
        weights = getattr(self, "group_weights", "none")
        if not isinstance(weights, str):
            return _weights(weights, "group_weights", count)
        if weights not in ("none", "sqrt"):
            raise InvalidParameterError(f"group_weights: {weights!r}; expected 'none', 'sqrt', or a number a group")
        return weights

    def _sums(self):
        """Whether `positive` needs a sum of penalties, of which no gap is known."""
        own = self._penalty not in (*_ONE_SIDED, "group") or math.isfinite(getattr(self, "rho", math.inf))
        # The penalty group has no weights of squares.
        squares = self._penalty == "elastic-net" and getattr(self, "penalty_weights", None) is not None
        return getattr(self, "positive", False) and (own or squares)

    def _factor(self):
        return float(self.alpha)

    def _has_gap(self):
        """Whether a lower bound by duality is known of this problem."""
        given = getattr(self, "group_weights" if self._penalty == "group" else "penalty_weights", None)
        free = given is not None and not isinstance(given, str) and any(weight == 0 for weight in np.ravel(given))
        settings = self._loss_settings()
        bent = settings["use"] == "tweedie" and settings["power"] > 2  # no convex loss
        return not (getattr(self, "constraint", None) or self._penalty in _CONCAVE or self._factor() == 0 or self._sums() or free or bent)

    def _checked(self, X, y, sample_weight, **how):
        self._require_parameters()
        # The library checks that the rows it reads are finite; those of weight 0 it never sees.
        numeric = isinstance(self, RegressorMixin)
        y = arrays.numeric(arrays.of_rows(y, "y"), "y") if numeric else arrays.classes(y, "y")
        X, y = check_X_y(arrays.readable(X), y, dtype=(np.float64, np.float32), estimator=self, y_numeric=numeric,
                         **{"accept_sparse": ("csr", "csc"), "accept_large_sparse": True,
                            "multi_output": self._several, FINITE: sample_weight is not None, **how})
        return X, y.astype(np.float64) if numeric else y, weights_of(sample_weight, X.shape[0])

    def _fit(self, X, y, weights, offset=None):
        """The coefficients, (p,) or (p, outputs), and the intercepts."""
        weights, X, y, offset = without_zeros(weights, X, y, offset)
        self._has_offset = offset is not None and bool(np.any(offset))
        target = "relative_gap" if self._has_gap() else "residual"
        return self._solved(target, {
            "objective": self._objective(), **self._penalty_and_set(X.shape[1]),
            "data": self._data(X, y, weights, offset), "run": {"threads": 1, "seed": self._seed()},
            "stop": {target: float(self.tol), "iterations": int(self.max_iter)},
            **self._start_of(X, y, weights, offset, bool(self.fit_intercept))})

    def _data(self, X, y, weights, offset):
        try:
            return arrays.rows(X, y, weights, offset)
        except DataError:
            check_array(X, accept_sparse=("csr", "csc"), estimator=self, input_name="X")  # in scikit-learn's words
            raise

    def _solved(self, target, problem):
        """The coefficients and intercepts."""
        try:
            self.result_ = result = self._solve(**problem, trace={"on": False})
        except UsageError as error:
            raise _in_words_of_constraint(error) from None
        self.dual_gap_ = result.gap
        self.n_iter_ = max(1, int(result.iterations))  # the gap check of an optimal start counts as one
        self._start = self._start[0], result.x
        if not result.target:
            reached = result.relative_gap if target == "relative_gap" else result.residual
            note = result.note if result.status == "stall" else ""
            if result.trouble:  # more steps make it worse
                note = result.note or result.failure or result.explanation
            elif not note and target == "residual" and reached > 1:
                note = "it is above that of coefficients of 0, so that more steps may not help: standardise the columns, or raise alpha"
            self._warn_unfinished(result.status, target, reached, note)
        return result.coef, result.intercept

    def _start_of(self, X, y, weights, offset, free):
        """{"start": the solution of the fit before}, which need not have had warm_start. It is empty if that
        model had another shape, loss, intercept or classes, or if the loss of that solution is above that of
        0: a fit may not recover from there. free: whether the variable has intercepts."""
        p, loss = X.shape[1], self._loss_settings()
        model = loss["use"], self.fit_intercept, free, p, self._outputs(), *getattr(self, "classes_", ())
        before, point = getattr(self, "_start", (None, None))
        self._start = model, None
        if not self.warm_start or before != model or point is None:
            return {}
        x = np.ravel(point, order="F")
        B = x[:x.size - free * x.size // (p + free)].reshape(p, -1, order="F")
        none = np.zeros((1, 1)) if offset is None else offset[:, None]
        z = np.asarray(X @ B) + (x[B.size:] if free else 0.0) + none
        at_zero = mean_loss(loss, none + np.zeros((1, B.shape[1])), y, weights)
        return {"start": point} if mean_loss(loss, z, y, weights) <= at_zero else {}

    def _images(self, X, offset):
        """X coef_' + intercept_ + offset, (n, K) or (n,) as intercept_ is."""
        return self._with_offset(np.asarray(X @ self.coef_.T) + self.intercept_, offset)

    def _with_offset(self, z, offset):
        """z + offset; z if there is none, with a ClarosWarning if the fit had one."""
        if offset is not None:
            return (z.T + arrays.vector(offset, "offset", len(z))).T
        if getattr(self, "_has_offset", False):
            warnings.warn("the fit had an offset, and these rows are taken with an offset of 0: give offset", ClarosWarning, stacklevel=outside())
        return z

    @property
    def sparse_coef_(self):
        """coef_ as a sparse matrix."""
        from scipy.sparse import csr_matrix

        return csr_matrix(self.coef_)


class _Regression(RegressorMixin, _LinearModel):
    def fit(self, X, y, sample_weight=None, offset=None):
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
        given, self._estimated, self._loss_of_fit = X, {}, None
        X, y, weights = self._checked(X, y, sample_weight)
        offset = None if offset is None else arrays.vector(offset, "offset", X.shape[0])
        self._require_range(y if weights is None else y[weights > 0])
        fit = self._fit if y.ndim == 1 else self._fit_each
        coefficients, intercept = fit(X, y, weights, offset)
        self._remember_columns(given, X.shape[1])
        self.coef_, self.intercept_ = np.array(coefficients, dtype=X.dtype), float(intercept) if y.ndim == 1 else intercept
        self._estimated = {name: float(self._estimated.get(name, getattr(self, name))) for name in _OF_LOSSES.get(self._loss, {})}
        self._loss_of_fit = self._loss
        if "loss_parameters_" in self._fitted:
            self.loss_parameters_ = dict(self._estimated)
        return self

    def _fit_each(self, X, Y, weights, offset):
        """A fit for each column of Y: coefficients, (K, p), and intercepts, (K,). Those of one column are (p,) and (1,), as in
        scikit-learn."""
        starts, found = self.__dict__.pop("_starts", []), []
        for k, y in enumerate(Y.T):
            self._start = starts[k] if len(starts) == Y.shape[1] else (None, None)
            made = self._fit(X, y.copy(), weights, offset)
            found.append((*made, self.dual_gap_, self.n_iter_, self.result_, self._start))
        coefficients, intercepts, gaps, steps, results, starts = map(list, zip(*found))
        if len(found) > 1:
            self.dual_gap_, self.n_iter_, self.result_ = np.array(gaps), steps, results
        self._starts = starts
        return np.squeeze(coefficients, 0) if len(found) == 1 else coefficients, np.array(intercepts, dtype=X.dtype)

    def _require_parameters(self):
        super()._require_parameters()
        power = self.power if self._loss == "tweedie" else None
        if power is not None and 0 < power < 1.01 and power != 1:
            raise InvalidParameterError(f"The 'power' parameter of {type(self).__name__} must be 0, 1, None, or a number in [1.01, 10]. "
                                        f"Got {power!r} instead.")

    def _require_range(self, y):
        loss = self._loss_settings()
        if loss["use"] == "gamma" or loss.get("power") is not None and loss["power"] >= 2:
            if np.any(y <= 0):
                raise ValueError("y: values of at most 0, expected numbers above 0")
        elif loss["use"] in _LOGARITHMIC and np.any(y < 0):
            raise ValueError("y: negative values, expected numbers of at least 0")

    def _fit(self, X, y, weights, offset=None):
        weights, X, y, offset = without_zeros(weights, X, y, offset)
        open_ones = [name for name in _OF_LOSSES.get(self._loss, {}) if getattr(self, name) is None]
        if not open_ones:
            return self._fit_shifted(X, y, weights, offset)
        name, = open_ones
        shift = np.zeros(len(y)) if offset is None else offset

        def fitted(value):
            self._estimated = {name: value}
            coefficients, intercept = self._fit_shifted(X, y, weights, offset)
            return (coefficients, intercept), np.asarray(X @ coefficients).ravel() + intercept + shift

        value, made = estimated(name, fitted, y, shift, weights)
        self._estimated = {name: value}
        return made

    def _fit_shifted(self, X, y, weights, offset):
        """Less its median, a large response of small variation loses none of it to the rounding of a quantile."""
        middle = float(np.median(y)) if self._loss == "quantile" and self.fit_intercept else 0.0
        coefficients, intercept = _LinearModel._fit(self, X, y - middle, weights, offset)
        return coefficients, intercept + middle

    def predict(self, X, offset=None):
        """The means of rows, (n,), or (n, K) as y was; of a quantile the quantile."""
        X = self._rows(X, accept_sparse=("csr", "csc"))
        z = self._images(X, offset)
        return (np.exp(z) if self._loss_settings()["use"] in _LOGARITHMIC else z).astype(X.dtype, copy=False)

    def score(self, X, y, sample_weight=None, offset=None):
        """R^2; for the losses Poisson, gamma and Tweedie D^2, the share of the deviance that is explained, as
        in scikit-learn. sample_weight, offset: (n,)."""
        loss = self._loss_settings()
        power = {"poisson": 1, "gamma": 2}.get(loss["use"], loss.get("power"))
        means, y = self.predict(X, offset), _doubles(y)
        if power is None:
            return r2_score(y, means, sample_weight=sample_weight)
        means = np.maximum(means, np.finfo(means.dtype).tiny)
        weights, y, means = without_zeros(weights_of(sample_weight, len(means)), arrays.vector(y, "y", len(means)), means)
        return float(d2_tweedie_score(y, means, sample_weight=weights, power=power))


class _SeveralTargets(_Regression):
    """Of the classes of scikit-learn that take several columns of y."""

    _several = True

    def fit(self, X, y, sample_weight=None, offset=None, check_input=True):
        """X: (n, p), dense or sparse; y: (n,), or (n, K) of K targets; sample_weight and offset: (n,). check_input: taken as a hint, X
        is always checked. Raises ValueError."""
        return super().fit(X, y, sample_weight, offset)


class Lasso(_SeveralTargets):
    """(1/2n) sum_i w_i (<a_i, x> + b - y_i)^2 + alpha sum_j v_j |x_j|, v = penalty_weights, default 1.

    y of K columns has a fit for each: coef_ is (K, p), and dual_gap_, n_iter_ and result_ have K entries."""

    _parameters = {**_L1, **COMMON, **_OF_SCIKIT_LEARN_TOO}


class ElasticNet(_SeveralTargets):
    """As Lasso, with alpha sum_j v_j (l1_ratio |x_j| + (1 - l1_ratio)/2 x_j^2)."""

    _penalty, _parameters = "elastic-net", {"alpha": 1.0, "l1_ratio": 0.5, **_L1, **COMMON, **_OF_SCIKIT_LEARN_TOO}


class SquareRootLasso(_Regression):
    """((1/n) sum_i w_i (<a_i, x> + b - y_i)^2)^(1/2) + alpha sum_j v_j |x_j|, weights w of sum n: the solution is that of
    Lasso with alpha noise_, so that alpha does not depend on the noise (Belloni, Chernozhukov, Wang 2011).

    alpha: None is 1.1 (2 log(2 p) / n)^(1/2), for columns of variance 1; alpha_ is what was taken. noise_: the root
    mean square of the residuals. Below 0.01 of that of y (less its mean) the root is smoothed (docs/components).
    """

    _parameters = {"alpha": None, **{k: v for k, v in _L1.items() if k != "alpha"}, **COMMON}
    _fitted = (*_Regression._fitted, "alpha_", "noise_")
    _components = ("objective/square-root", "penalty/l1")

    def _limit(self, name):
        return ("real or None", 0, np.inf, "left") if name == "alpha" else super()._limit(name)

    def _objective(self):
        return {"use": "square-root", "intercept": bool(self.fit_intercept)}

    def _factor(self):
        return self.alpha_

    def _leave_alpha_open(self):
        """Of the form with CV: every alpha has the same solution."""

    def _solved(self, target, problem):
        if "start" in problem and self.fit_intercept:
            problem["start"] = problem["start"][:-1]  # the intercept is no part of the variable
        return super()._solved(target, problem)

    def _fit(self, X, y, weights, offset=None):
        weights, X, y, offset = without_zeros(weights, X, y, offset)
        n, p = X.shape
        self.alpha_ = 1.1 * float(np.sqrt(2.0 * np.log(2.0 * p) / n)) if getattr(self, "alpha", None) is None else float(self.alpha)
        rest = y if offset is None else y - offset
        if np.all(rest == (rest[0] if self.fit_intercept else 0.0)):  # 0 solves it, whatever alpha is
            self.noise_, self.dual_gap_, self.n_iter_, self.result_ = 0.0, 0.0, 1, None
            self._leave_alpha_open()
            return np.zeros(p), float(rest[0])
        # Less its mean, a large response of small variation loses none of it to rounding.
        middle = float(np.average(rest, weights=weights)) if self.fit_intercept else 0.0
        rest = rest - middle
        coefficients, intercept = super()._fit(X, rest, weights)
        self._take_residuals(np.asarray(X @ coefficients).ravel() + intercept - rest, weights)
        return coefficients, intercept + middle

    def _take_residuals(self, residual, weights):
        self.noise_ = float(np.sqrt(np.average(residual**2, weights=weights)))


class GroupLasso(_Regression):
    """As Lasso, with alpha sum_g u_g ||x_g||. groups: a size, sizes of groups that follow each other, a label a column (as
    many as columns are labels, never sizes), or lists of columns; None: one each.
    group_weights: u_g is 1 ("none"), the root of the group's size ("sqrt"), or a number a group, in the order of `groups`
    (of labels: of their first columns); 0 leaves a group free, and inf holds it at 0."""

    _penalty, _parameters = "group", {"alpha": 1.0, "groups": None, "group_weights": "none", "positive": False, **COMMON}


class SparseGroupLasso(_Regression):
    """As GroupLasso, with alpha (l1_ratio ||x||_1 + (1 - l1_ratio) sum_g u_g ||x_g||)."""

    _penalty = "sparse-group"
    _parameters = {"alpha": 1.0, "l1_ratio": 0.5, "groups": None, "group_weights": "none", **COMMON}


class MCPRegression(_Regression):
    """As Lasso, with the minimax concave penalty (Zhang 2010): entries beyond b alpha are not shrunk. Not convex:
    `tol` is a relative residual, that of a stationary point."""

    _penalty, _parameters = "mcp", {"alpha": 1.0, "b": 3.0, "penalty_weights": None, **COMMON}

    def _limit(self, name):
        return ("real", 0, np.inf, "neither") if name == "alpha" else super()._limit(name)


class SCADRegression(MCPRegression):
    """As MCPRegression, with the smoothly clipped absolute deviation (Fan, Li 2001)."""

    _penalty, _parameters = "scad", {"alpha": 1.0, "zeta": 3.7, "penalty_weights": None, **COMMON}


class HuberRegression(_Regression):
    """As Lasso, with the Huber loss: r^2/2 for |r| <= delta, delta |r| - delta^2/2 beyond. delta is in the units of y,
    and 1.35 is for noise of deviation 1: y, delta and alpha times a give the coefficients times a. delta=None is 1.35 times
    the scale of the residuals, which is estimated beside the fit, as in HuberRegressor."""

    _loss, _parameters = "huber", {"alpha": 1.0, "delta": 1.35, **_L1, **COMMON}
    _fitted = (*_Regression._fitted, "outliers_", "scale_")

    def _fit(self, X, y, weights, offset=None):
        coefficients, intercept = super()._fit(X, y, weights, offset)
        self._take_residuals(np.asarray(X @ coefficients).ravel() + intercept - y + (0.0 if offset is None else offset), weights)
        return coefficients, intercept

    def _take_residuals(self, residual, weights):
        delta = self._loss_settings()["delta"]
        self.outliers_, self.scale_ = np.abs(residual) > delta, delta / EPSILON


class QuantileRegression(_Regression):
    """As Lasso, with the loss of a quantile of y: (1 - quantile) r for r = z - y above 0, -quantile r below. The loss
    has its corner, so that y in other units gives the coefficients in these units, at the same alpha."""

    _loss, _parameters = "quantile", {"alpha": 1.0, "quantile": 0.5, **_L1, **COMMON}


class PoissonRegression(_Regression):
    """As Lasso, with counts y >= 0 of the mean exp(z): psi = exp(z) - y z. offset: the log of an exposure."""

    _loss, _positive_y, _parameters = "poisson", True, {**_L1, **COMMON}
    _example = ("X, np.exp(y)", *Estimator._example[1:])


class GammaRegression(PoissonRegression):
    """As PoissonRegression, with amounts y > 0 of a gamma distribution: psi = y exp(-z) + z."""

    _loss, _parameters = "gamma", {**_L1, **COMMON}


class TweedieRegression(PoissonRegression):
    """As PoissonRegression, with amounts whose variance is proportional to the power of the mean: y >= 0 of a power below
    2, y > 0 from 2 on. Above 2 the loss is not convex: `tol` is a relative residual, that of a stationary point."""

    _loss, _parameters = "tweedie", {"alpha": 1.0, "power": 1.5, **_L1, **COMMON}
    _fitted = (*_Regression._fitted, "loss_parameters_")


class GeneralizedLinearRegressor(_Regression):
    """Any loss with any penalty: (1/n) sum_i w_i psi(<a_i, x> + b + o_i, y_i) + alpha h(x).

    loss: "squared", "huber" (with delta), "quantile", "poisson", "gamma", "tweedie" (with power) or "negative-binomial" (with
    theta); penalty: "l1", "elastic-net" (with l1_ratio), "ridge", "group" or "sparse-group" (with groups), "mcp" (with b) or "scad"
    (with zeta); "elasticnet" and "l2" are scikit-learn's names of two. Means are exp(z) but of the first three losses, and offset is
    the log of an exposure. theta=None or power=None takes that of the greatest likelihood beside the fit: theta and the fit in turn
    (as glm.nb of MASS), power by a search, whose likelihood is a series (Dunn, Smyth 2005). Times until an event: CoxRegression.
    constraint: a set of claros.solve for the coefficients without the intercept, such as {"use": "monotone", "lower": -5, "upper": 5},
    {"use": "box", "lowers": l, "uppers": u} or, of three columns, {"use": "polytope", "program": "1 1 1 <= 2; 1 -1 0 <= 0"}, whose rows are
    of coefficients of at least 0 and have to bound each; a file of LP format gives other bounds. alpha=0 leaves the penalty out. The loss
    "quantile" takes no set. The fit ends at a residual.
    """

    _parameters = {"alpha": 1.0, "loss": "squared", "penalty": "l1", "l1_ratio": 0.5, "b": 3.0, "zeta": 3.7, "groups": None,
                   "group_weights": "none", "delta": 1.35, "quantile": 0.5, "power": 1.5, "theta": 1.0,
                   "penalty_weights": None, "positive": False, "constraint": None, **COMMON}
    _fitted = (*_Regression._fitted, "loss_parameters_")
    _components = (*(f"loss/{name}" for name in sorted(LIMITS["loss"])), "penalty/elastic-net", "penalty/group", "penalty/mcp")
    _loss = property(lambda self: self.loss)
    _penalty = _named_penalty
    _limit = _limit_of_concave
    _positive_y = property(lambda self: self.loss in _LOGARITHMIC)


class ErrorsInVariablesLasso(_Regression):
    """Lasso on columns that were measured with errors of the covariance S = noise_variance (a number, one a column,
    or a matrix): (1/2n) sum_i (<a_i, x> + b - y_i)^2 - x'Sx/2 + alpha ||x||_1 over ||x||_1 <= rho (Loh, Wainwright
    2012). Not convex: `tol` is a relative residual; without rho the minimum may not exist."""

    _parameters = {"alpha": 1.0, "noise_variance": 0.0, "rho": np.inf, **COMMON}

    def _has_gap(self):
        return False

    def _solved(self, target, problem):
        variance = arrays.numbers_of(np.asarray(self.noise_variance), "noise_variance", "give a number, one a column, or a matrix")
        if variance.dtype.kind == "b" or variance.ndim > 2 or not np.all(np.isfinite(variance)):
            raise ValueError("noise_variance: expected a number, one a column, or a matrix")
        with tempfile.TemporaryDirectory() as folder:
            covariance = float(variance) if variance.ndim == 0 else os.path.join(folder, "covariance.txt")
            if variance.ndim:
                np.savetxt(covariance, np.atleast_2d(variance), fmt="%.17g")
            problem["objective"]["errors_in_variables"] = covariance
            return super()._solved(target, problem)


class _Classifier(ClassifierMixin, _LinearModel):
    _binary = False
    _example = ("X, y > 0", "fit.predict(X[:2]).shape, fit.coef_.shape", "((2,), (1, 5))")
    _fitted = (*_LinearModel._fitted, "classes_")

    _penalty = _named_penalty
    _limit = _limit_of_concave

    def _outputs(self):
        return 1 if len(self.classes_) == 2 else len(self.classes_)

    def fit(self, X, y, sample_weight=None, offset=None):
        """X: (n, p), dense or sparse; y: (n,), classes of any type; sample_weight and, of two classes, offset: (n,). Raises
        ValueError."""
        given = X
        X, y, weights = self._checked(X, y, sample_weight)
        arrays.labels(y, "y")
        check_classification_targets(y)
        encoder = LabelEncoder().fit(y)
        if len(encoder.classes_) < 2:
            raise ValueError(f"y has one class, {encoder.classes_[0]!r}: at least 2 classes are needed")
        if self._binary and len(encoder.classes_) > 2:
            raise ValueError(f"Only binary classification is supported. y has {len(encoder.classes_)} classes; use "
                             "sklearn.multiclass.OneVsRestClassifier")
        self.classes_ = encoder.classes_
        codes = encoder.transform(y)
        if offset is not None and self._outputs() > 1:
            raise ValueError(f"offset: of two classes alone, and y has {self._outputs()}")
        offset = None if offset is None else arrays.vector(offset, "offset", X.shape[0])
        weights, X, codes, offset = without_zeros(weights, X, codes, offset)
        if len(np.unique(codes)) < len(self.classes_):
            raise ValueError("sample_weight: a class has no row of weight above 0")
        coefficients, intercept = self._fit(X, codes.astype(np.float64), self._with_class_weights(codes, weights), offset)
        self._remember_columns(given, X.shape[1])
        self.coef_ = np.array(coefficients, dtype=X.dtype).reshape(-1, self._outputs(), order="F").T.copy()
        self.intercept_ = np.atleast_1d(np.array(intercept, dtype=X.dtype))
        return self

    def _with_class_weights(self, codes, weights):
        if self.class_weight is None:
            return weights
        from sklearn.utils.class_weight import compute_class_weight

        # compute_class_weight wants the classes themselves
        of_class = compute_class_weight(self.class_weight, classes=self.classes_, y=self.classes_[codes])
        for label, weight in zip(self.classes_, of_class):
            if not 0 < weight < np.inf:
                raise ValueError(f"class_weight: {weight:g} for the class {label!r}, expected a finite number above 0")
        return of_class[codes] * (1.0 if weights is None else weights)

    def decision_function(self, X, offset=None):
        """z: (n,) of two classes, (n, K) of K."""
        X = self._rows(X, accept_sparse=("csr", "csc"))
        z = self._images(X, offset).astype(X.dtype, copy=False)
        return z.ravel() if self._outputs() == 1 else z

    def predict(self, X, offset=None):
        """(n,), of classes_."""
        z = self.decision_function(X, offset)
        return self.classes_[(z > 0).astype(int) if z.ndim == 1 else z.argmax(axis=1)]

    def score(self, X, y, sample_weight=None, offset=None):
        """The share of the rows whose class is predicted. sample_weight, offset: (n,)."""
        return accuracy_score(y, self.predict(X, offset), sample_weight=sample_weight)


class LogisticRegression(_Classifier):
    """Classes by log(1 + exp(-y z)), of more than two by the multinomial loss.

    penalty: "l1", "elastic-net" (with l1_ratio), "ridge", "group" or "sparse-group" (with groups), "mcp" (with b) or "scad" (with
    zeta); "elasticnet" and "l2" are scikit-learn's names of two. A group holds the coefficients of its columns for all classes. coef_: (1, p) of two
    classes, (K, p) of K.
    """

    _parameters = {"alpha": 0.01, "penalty": "l1", "l1_ratio": 0.5, "b": 3.0, "zeta": 3.7, "groups": None, "group_weights": "none",
                   "penalty_weights": None, "class_weight": None, **COMMON}
    _components = ("loss/logistic", "loss/multinomial", "penalty/l1", "penalty/elastic-net", "penalty/group", "penalty/mcp")

    @property
    def _loss(self):
        return "logistic" if self._outputs() == 1 else "multinomial"

    def predict_proba(self, X, offset=None):
        """(n, K), in the order of classes_."""
        z = self.decision_function(X, offset)
        if z.ndim == 1:
            z = np.column_stack([np.zeros_like(z), z])
        e = np.exp(z - z.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    def predict_log_proba(self, X, offset=None):
        """The logarithms of predict_proba, (n, K)."""
        z = self.decision_function(X, offset)
        z = np.column_stack([np.zeros_like(z), z]) if z.ndim == 1 else z
        return np.where(self.predict_proba(X, offset) == 1, 0, z - np.logaddexp.reduce(z, axis=1, keepdims=True)).astype(z.dtype)


class SquaredHingeClassifier(_Classifier):
    """Two classes by max(0, 1 - y z)^2 / 2, half the loss of LinearSVC; penalties as of LogisticRegression."""

    _loss, _binary, _parameters = "squared-hinge", True, LogisticRegression._parameters
    _components = ("loss/squared-hinge", *LogisticRegression._components[2:])

    def _more_tags(self):
        return {**super()._more_tags(), "binary_only": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class _Responses(RegressorMixin, _LinearModel):
    """Squared loss of several responses, (1/2n) ||Y - X B - 1 b'||_F^2 + alpha h(B), B: (p, K), X stored once.

    The means of dense rows are taken off, which solves for b; of sparse ones b is solved for.
    """

    _penalty, _several, _free_b = "group", True, False  # _free_b: whether b is solved for, whatever the means are
    _example = ("X, np.column_stack([y, X[:, 2]])", "fit.coef_.shape", "(2, 5)")
    _fitted = (*_LinearModel._fitted, "value_")

    def _checked(self, X, y, sample_weight, **how):
        return super()._checked(X, y, sample_weight, **{**how, FINITE: True})

    def fit(self, X, y, sample_weight=None):
        """X: (n, p), dense or sparse; y: (n,) or (n, K); sample_weight: (n,). Raises ValueError."""
        given = X
        X, Y, weights = self._checked(X, y, sample_weight)
        single = Y.ndim == 1
        weights, X, Y = without_zeros(weights, X, Y.reshape(X.shape[0], -1))
        B, intercept = (part.astype(X.dtype) for part in self._minimised(X, Y, weights))
        self._remember_columns(given, X.shape[1])
        self.coef_, self.intercept_ = (B[:, 0], float(intercept[0])) if single else (B.T.copy(), intercept)
        return self

    def _has_gap(self):
        return self._factor() != 0

    def _minimised(self, X, Y, weights):
        """B, (p, K), and b, (K,)."""
        free = self.fit_intercept and (self._free_b or arrays.is_sparse(X))
        if not self.fit_intercept:
            return self._with_intercept(X, Y, weights, False)
        around = np.average(Y, axis=0, weights=weights)
        if arrays.is_sparse(X):
            B, b = self._with_intercept(X, Y - around, weights, free)
            return B, b + around
        # In doubles, also of a float32 X.
        means = (X.mean(axis=0, dtype=np.float64, keepdims=True) if weights is None
                 else np.average(X, axis=0, weights=weights, keepdims=True).astype(np.float64))
        B, b = self._with_intercept(X - means, Y - around, weights, free)
        return B, b + around - (means @ B)[0]

    def _with_intercept(self, X, Y, weights, free):
        p, K = X.shape[1], Y.shape[1]
        target = "relative_gap" if self._has_gap() else "residual"
        B, b = self._solved(target, {
            "objective": {"use": "linear-model", "shape": f"{p}x{K}", "intercept": bool(free)},
            "penalty": self._penalty_of_rows(), "data": arrays.rows(X, Y, weights),
            "run": {"threads": 1, "seed": self._seed()},
            "stop": {target: float(self.tol), "iterations": int(self.max_iter)},
            **self._start_of(X, Y, weights, None, bool(free))})
        self.value_ = np.nan if getattr(self, "result_", None) is None else self.result_.value
        return np.asarray(B).reshape(p, K, order="F"), b + np.zeros(K)

    def predict(self, X):
        """(n,) or (n, K), as y was."""
        X = self._rows(X, accept_sparse=("csr", "csc"))
        return (np.asarray(X @ self.coef_.T) + self.intercept_).astype(X.dtype, copy=False)

    def score(self, X, y, sample_weight=None):
        """R^2, the mean over the responses. sample_weight: (n,)."""
        return super().score(X, _doubles(y), sample_weight)


class MultiTaskLasso(_Responses):
    """(1/2n) ||Y - X B - 1 b'||_F^2 + alpha sum_j ||row j of B||: columns are used for all responses or for none."""

    _parameters = {"alpha": 1.0, **COMMON, **_OF_SCIKIT_LEARN_TOO}

    def _penalty_of_rows(self):
        return {"use": "group", "lambda": self._factor(), "groups": "rows"}


class MultiTaskElasticNet(MultiTaskLasso):
    """As MultiTaskLasso, with alpha (l1_ratio sum_j ||row j of B|| + (1 - l1_ratio)/2 ||B||_F^2)."""

    _parameters = {"alpha": 1.0, "l1_ratio": 0.5, **COMMON, **_OF_SCIKIT_LEARN_TOO}

    def _penalty_of_rows(self):
        if np.all(np.equal(self.l1_ratio, 0)):
            return {"use": "ridge", "lambda": self._factor()}
        return {**super()._penalty_of_rows(), "ratio": float(np.ravel(self.l1_ratio)[0])}


_FOLDS = {"_xfail_checks": {
    "check_sample_weights_invariance": "folds depend on the order of the rows (docs/guides/python-estimators.md)"}}


def require_rows(X, folds):
    if X.shape[0] < folds:
        raise ValueError(f"n_samples={X.shape[0]} rows, expected at least one for each of {folds} folds")


class _CrossValidated(ByFolds):
    """Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid; or `alphas`. Folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; of several l1_ratio the best pair. If the best one is the smallest, the
    grid of the usual eps goes on by a decade, at most twice; a ClarosWarning says if the best one is at an end of the grid then.
    Folds that are drawn have a share of each class; a fold counts as its rows, or their weights. The
    solution is always that of all rows, but without refit."""

    _several = False
    _derived = {**ByFolds._derived, "mse_path_": ("ndarray", "of a squared loss: the mean squared error of each fold, (alphas, folds)")}

    @property
    def mse_path_(self):
        problem = self._objective()
        if problem["use"] != "linear-model" or problem["loss"]["use"] != "squared" or self.path_ is None:
            raise AttributeError(f"mse_path_: no squared errors of folds (path_.validation_ has their losses)")
        return by_ratio(self.path_, 2.0 / max(1, np.size(self.intercept_)) * self.path_.validation_["losses"])

    def _factor(self):
        return "max"

    def _more_tags(self):
        return {**super()._more_tags(), **_FOLDS}

    def _checked(self, X, y, sample_weight, **how):
        X, y, weights = super()._checked(X, y, sample_weight, **how)
        require_rows(X, self._division if isinstance(self._division, int) else 1)
        return X, y, weights

    def _solved(self, target, problem):
        if self._sums():
            raise ValueError("positive with rho, with penalty_weights and an l1_ratio, or of other penalties, is a sum, and a path "
                             "varies the lambda of one: leave one of them out, or fit a grid of alphas")
        if problem["penalty"]["use"] == "ridge":
            problem["penalty"].pop("lambda")  # no lambda has the solution 0; a grid starts as that of glmnet
        try:
            path = CrossValidation(**problem, **self._asked())
        except UsageError as error:
            # A ridge has no max: its grid begins at a multiple of the largest slope.
            zero = "max is 0" if self._own_alphas() is not None else "max is 0|numbers above 0, got 0"
            if not re.search(zero, str(error)):
                raise self._in_words_of_grid(error) from None
            return self._solved_by_zero(target, problem)
        chosen, self.result_ = self._take(path), None
        over = path.table_["over"]
        self.coef_path_ = self._coefficients_along(path, over[chosen])
        reached = (relative_gap(self.dual_gap_, path.table_["value"][chosen]) if target == "relative_gap"
                   else path.table_["residual"][chosen])
        self._warn_unfinished_path(path, chosen, target, reached)
        if not self._by_fits():
            self._warn_edge(path)
        return path.parted(chosen)

    def _in_words_of_grid(self, error):
        """The error of a path; of a grid that has no start the one with the parameters to change."""
        _, what, remedy = error.complaints[0]
        if "as a number" not in remedy:
            return error
        if np.all(getattr(self, "l1_ratio", 1)):
            return UsageError([("alphas", what.replace("'max'", "the largest alpha").replace("lambda", "alpha"), "give alphas")])
        remedy = "give alphas, or numbers above 0" if self._own_alphas() is None else "write the 0 first"
        return UsageError([("l1_ratio", "at 0 no alpha has the solution 0, from which a grid starts", remedy)])

    @staticmethod
    def _coefficients_along(path, ratio):
        """(p, alphas) with one of several l1_ratio; nan if there is one alone."""
        over = path.table_["over"]
        shown = np.flatnonzero(np.isnan(over) | (over == ratio))
        return np.column_stack([np.ravel(path.parted(k)[0], order="F") for k in shown])

    def _solved_by_zero(self, target, problem):
        """Where every alpha has the solution 0, as of a constant response: any of them gives it."""
        self._leave_alpha_open()
        problem["penalty"]["lambda"] = 1.0
        return super()._solved(target, problem)

    def _leave_alpha_open(self):
        self.path_, least = None, np.finfo(float).resolution  # as in scikit-learn
        self.alphas_ = np.full(self._count(), least) if self._own_alphas() is None else np.sort(np.asarray(self.alphas, dtype=float))[::-1]
        self.alpha_ = float(self.alphas_[0])
        if "l1_ratio_" in self._fitted:
            self.l1_ratio_ = float(np.ravel(self.l1_ratio)[0])
        self.loss_path_ = self.loss_error_ = self.coef_path_ = None


def _cross_validated(kind, mixin=_CrossValidated, **grid):
    """The class of the name with CV behind it; `grid`: other defaults than those of GRID."""
    grid = {**grid, **({"refit": True} if "intercept_" in kind._fitted else {})}
    keeps = isinstance(kind._penalty, property) or kind._penalty in (*_ONE_SIDED, "group")
    left = ("alpha", "warm_start", "constraint", *(() if keeps else ("positive",)))
    own = {name: value for name, value in kind._parameters.items() if name not in (*left, "selection")}
    ratio = {name: own.pop(name) for name in ("l1_ratio",) if name in own}
    found = (*kind._fitted, *FOUND, "coef_path_", *(("l1_ratio_",) if ratio else ()))
    return type(kind.__name__ + "CV", (mixin, kind), {
        "__doc__": f"{kind.__name__} with alpha chosen by cross-validation.\n\n    {mixin.__doc__}", "__module__": kind.__module__,
        "_plain": kind, "_parameters": {**ratio, **GRID, **grid, **own}, "_fitted": tuple(dict.fromkeys(found)), "fit": in_folds(kind.fit),
        **dict.fromkeys(left[1:], False)})


LassoCV, ElasticNetCV, GroupLassoCV, SparseGroupLassoCV = map(
    _cross_validated, (Lasso, ElasticNet, GroupLasso, SparseGroupLasso))
# Below some share of max, residuals vanish where p > n, and a fit is slow and worth nothing.
SquareRootLassoCV = _cross_validated(SquareRootLasso, eps=0.05)
MCPRegressionCV, SCADRegressionCV, HuberRegressionCV, QuantileRegressionCV = map(
    _cross_validated, (MCPRegression, SCADRegression, HuberRegression, QuantileRegression))
PoissonRegressionCV, GammaRegressionCV, TweedieRegressionCV, GeneralizedLinearRegressorCV = map(
    _cross_validated, (PoissonRegression, GammaRegression, TweedieRegression, GeneralizedLinearRegressor))
LogisticRegressionCV, SquaredHingeClassifierCV = map(_cross_validated, (LogisticRegression, SquaredHingeClassifier))


class _ResponsesCrossValidated(_CrossValidated):
    __doc__ = _CrossValidated.__doc__ + " The loss of a row is half the sum of its squared errors."

    _several = _free_b = True  # folds have means of their own


responses_cross_validated = functools.partial(_cross_validated, mixin=_ResponsesCrossValidated)
MultiTaskLassoCV, MultiTaskElasticNetCV = map(responses_cross_validated, (MultiTaskLasso, MultiTaskElasticNet))


_ELSEWHERE = {
    "Ridge": "ElasticNet(alpha / n, l1_ratio=0) of n rows", "RidgeCV": "ElasticNetCV(l1_ratio=0, alphas=...)",
    "LinearRegression": "Lasso(alpha=0)", "HuberRegressor": "HuberRegression", "QuantileRegressor": "QuantileRegression",
    "PoissonRegressor": "PoissonRegression", "GammaRegressor": "GammaRegression", "TweedieRegressor": "TweedieRegression",
    "LinearSVC": "SquaredHingeClassifier", "LassoLars": "Lasso", "LassoLarsIC": "claros.Path(information=...)",
    "SGDClassifier": "LogisticRegression", "SGDRegressor": "ElasticNet", "OrthogonalMatchingPursuit": "Lasso or MCPRegression",
}


def __getattr__(name):
    if name in _ELSEWHERE:
        raise ImportError(f"claros.linear has no {name}: take {_ELSEWHERE[name]}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
