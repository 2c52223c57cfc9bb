# SPDX-License-Identifier: BSD-3-Clause
"""Folds of the estimators with CV: drawn ones, those of a splitter of scikit-learn, and given ones; what they found."""
import functools
import inspect
import numbers
import os
import warnings

import numpy as np
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.base import is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import get_scorer
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from . import arrays, errors
from .estimators import InvalidParameterError, weights_of
from .paths import positions_of

GRID = {"n_alphas": 100, "eps": 1e-3, "alphas": None, "explained": 0.999, "cv": 5, "selection": "best", "scoring": None, "n_jobs": None,
        "verbose": False}
FOUND = ("alpha_", "alphas_", "loss_path_", "loss_error_", "path_")
# What scikit-learn calls the metrics, and whether a larger number is better.
_METRICS = {"mse": "neg_mean_squared_error", "mae": "neg_mean_absolute_error", "rmse": "neg_root_mean_squared_error", "r2": "r2",
            "accuracy": "accuracy", "auc": "roc_auc", "concordance": "concordance", "loss": "neg_log_loss"}
_GAINS = ("r2", "accuracy", "auc", "concordance")
# Options of `claros path`, as they are called here.
_OPTIONS = {"folds": "cv", "seed": "random_state", "grid": "alphas =", "by": "scoring"}


def _without_zeros_in(folds, weights):
    """The folds of positions in all rows as positions in the rows of weight above 0, which are the rows that a fit keeps. A fold that
    holds rows of weight 0 back and no others is left out."""
    if weights is None or not np.any(weights == 0):
        return folds
    for number, fold in enumerate(folds, 1):
        rows = np.concatenate(fold)
        outside = rows[(rows < 0) | (rows >= len(weights))]
        if outside.size:
            raise errors.UsageError([("cv", f"fold {number} has row {outside[0]}, counted from 0, of {len(weights)}", "change the folds given")])
    place = np.cumsum(weights != 0) - 1
    made = []
    for number, fold in enumerate(folds, 1):
        train, test = (place[part[weights[part] != 0]] for part in fold)
        if fold[1].size and not test.size:
            continue
        if fold[0].size and not train.size:
            raise errors.UsageError([("cv", f"fold {number} trains on rows of weight 0 alone", "change the folds given, or the weights")])
        made.append((train, test))
    if not made:
        raise errors.UsageError([("cv", "every fold holds rows of weight 0 back, and no others", "change the folds given, or the weights")])
    return made


def in_folds(fit):
    """`fit`, which divides the rows into folds before; groups: labels of the rows, for the splitter."""
    signature = inspect.signature(fit)

    @functools.wraps(fit)
    def fitted(self, *args, groups=None, **given):
        bound = signature.bind(self, *args, **given).arguments
        self._require_parameters()
        if is_classifier(self):
            arrays.classes(bound.get("y"), "y")
        y, weights = bound.get("y"), bound.get("sample_weight")
        if weights is not None:
            given_weights, weights = weights, weights_of(weights, _num_samples(y))
            bound["sample_weight"] = weights if np.asarray(given_weights).ndim else given_weights
        self._division = self._folds(bound["X"], y, groups, weights)
        try:
            made = fit(self, *args, **given)
            if self._by_fits():
                self._choose_by_fits({name: part for name, part in bound.items() if name != "self"}, self._division)
            return made
        finally:
            del self._division

    fitted.__signature__ = signature.replace(parameters=[
        *signature.parameters.values(), inspect.Parameter("groups", inspect.Parameter.KEYWORD_ONLY, default=None)])
    fitted.__doc__ = f"{fit.__doc__} groups: (n,) labels for the splitter cv; with a number of folds rows of a label stay together."
    return fitted


def by_ratio(path, values):
    """Numbers of the lambdas, (alphas, ...); of several l1_ratio (ratios, alphas, ...), nan where a grid is shorter."""
    over = path.table_["over"]
    if np.isnan(over).all():
        return values
    parts = [values[over == ratio] for ratio in dict.fromkeys(over)]
    made = np.full((len(parts), max(map(len, parts)), *values.shape[1:]), np.nan)
    for k, part in enumerate(parts):
        made[k, :len(part)] = part
    return made


class ByFolds:
    """The parameters of GRID, and the choice of alpha."""

    refit = True  # of classes without the parameter
    _derived = {"cv_results_": ("dict", "the scores of the folds, under the keys of GridSearchCV; their mean weighs the rows")}

    def _require_parameters(self):
        super()._require_parameters()
        name, cv, jobs = type(self).__name__, self.cv, self.n_jobs
        counts = isinstance(cv, numbers.Integral) and not isinstance(cv, bool)
        own = not isinstance(cv, str) and (hasattr(cv, "split") or np.iterable(cv))
        if not (cv is None or counts and cv >= 2 or own):
            raise InvalidParameterError(f"The 'cv' parameter of {name} must be an integer in [2, inf), None (5), a splitter of "
                                        f"scikit-learn, or pairs (train, test) of positions. Got {cv!r} instead.")
        if jobs is not None and (not isinstance(jobs, numbers.Integral) or isinstance(jobs, bool) or jobs == 0 or jobs > 256):
            raise InvalidParameterError(f"The 'n_jobs' parameter of {name} must be an integer in [1, 256], None (1), or -1 for all "
                                        f"processors. Got {jobs!r} instead.")
        try:
            self._scorer()
        except ValueError:
            known = ", ".join(repr(word) for pair in _METRICS.items() for word in dict.fromkeys(pair))
            raise InvalidParameterError(f"The 'scoring' parameter of {name} must be None (the loss), one of {known}, another name of "
                                        f"sklearn.metrics.get_scorer_names(), or a function. Got {self.scoring!r} instead.") from None
        if len(self._ratios()) > 1 and "penalty" in self._parameters and self._penalty not in ("elastic-net", "sparse-group"):
            raise InvalidParameterError(f"The 'l1_ratio' parameter of {name} has several numbers, and the penalty {self._penalty!r} has no "
                                        "l1_ratio: give one number, or another penalty.")
        own = self._own_alphas()
        alphas = [] if own is None else list(own) if np.ndim(own) == 1 else None
        if alphas is None or own is not None and not alphas or own is None and self.alphas is not None and self.alphas < 1:
            raise InvalidParameterError(f"The 'alphas' parameter of {name} must be None (n_alphas of them), an integer in [1, inf), which "
                                        f"is their number, or an array of numbers above 0. Got {self.alphas!r} instead.")
        for k, alpha in enumerate(alphas):
            if not isinstance(alpha, numbers.Real):
                raise TypeError(f"alphas[{k}] must be an instance of float, not {type(alpha).__name__}")
            if not 0 < alpha < np.inf:
                most = "must be >= 0.0." if alpha < 0 else "must be above 0 and finite"  # the first in scikit-learn's words
                raise InvalidParameterError(f"alphas[{k}] == {alpha}, {most}")

    def _own_alphas(self):
        """The alphas that are given; None if the grid is made."""
        is_number = isinstance(self.alphas, numbers.Integral) and not isinstance(self.alphas, bool)
        return None if is_number else self.alphas

    def _count(self):
        """Of the alphas of a grid that is made."""
        return self.n_alphas if self.alphas is None else self.alphas

    def _values(self, name):
        return list(self._ratios()) or super()._values(name) if name == "l1_ratio" else super()._values(name)

    def _ratios(self):
        """The different numbers of an l1_ratio that is a list, or nothing."""
        given = getattr(self, "l1_ratio", None)
        return list(dict.fromkeys(given)) if np.ndim(given) == 1 else []

    def _metric(self):
        if self.scoring is None:
            return "loss"
        words = {word: own for own, theirs in _METRICS.items() for word in (own, theirs)}
        metric = words.get(self.scoring) if isinstance(self.scoring, str) else None
        # claros path has one weight for fits and scores, and class weights are of fits alone.
        is_loss = self.scoring == "loss" or metric == "loss" and not hasattr(self, "predict_proba")
        return metric if is_loss or getattr(self, "class_weight", None) is None else None

    def _scorer(self):
        """The caller's function, or that of a metric which claros path does not measure; None for one that it does. Raises ValueError."""
        theirs = _METRICS.get(self.scoring, self.scoring) if isinstance(self.scoring, str) else self.scoring
        scorer = None if self._metric() else get_scorer(theirs)
        if scorer is not None and not callable(scorer):
            raise ValueError("no function")
        return scorer

    def _by_fits(self):
        """Whether the choice takes fits of the class without CV on the rows of each fold."""
        return self._metric() is None or not self.refit

    def _folds(self, X, y, groups, weights):
        """The number of folds that are drawn, or the folds as positions in the rows of weight above 0."""
        cv = 5 if self.cv is None else self.cv
        if isinstance(cv, numbers.Integral) and groups is None and not self._by_fits():
            return int(cv)
        count = _num_samples(X if y is None else y)
        groups = None if groups is None else arrays.labels(groups, "groups", count)
        if not isinstance(cv, numbers.Integral):
            folds = positions_of(cv.split(X, y, groups) if hasattr(cv, "split") else cv, "cv", count)
            return _without_zeros_in(folds, weights)
        rows = np.arange(count) if weights is None else np.flatnonzero(weights)
        if groups is not None:
            return positions_of(GroupKFold(int(cv)).split(rows, groups=groups[rows]), "cv")
        drawn = StratifiedKFold if is_classifier(self) else KFold
        cv = drawn(int(cv), shuffle=True, random_state=self._seed())
        return positions_of(cv.split(rows, _safe_indexing(y, rows) if is_classifier(self) else None), "cv")

    def _choose_by_fits(self, rows, folds):
        """The choice by a scorer, and the mean of the folds without refit: fits of the class without CV, along the alphas of the path.
        rows: the arguments of fit; folds: positions in its rows of weight above 0."""
        path, scorer, plain = self.path_, self._scorer(), self._plain
        if path is None:
            return
        if scorer and rows.get("offset") is not None:
            raise ValueError("scoring: a function, and a metric beside class_weight, calls predict(X), which has no offset: leave scoring or "
                             "offset out")
        shared = {name: getattr(self, name) for name in plain._parameters if name in self._parameters and name != "selection"}
        over, ratio = path.table_["over"], float(np.ravel(shared["l1_ratio"])[0]) if "l1_ratio" in shared else np.nan
        ratios = np.where(np.isnan(over), ratio, over)

        def at(k):
            return {"alpha": float(path.lambdas_[k]), **({"l1_ratio": float(ratios[k])} if "l1_ratio" in shared else {})}

        rows = {name: value.tocsr() if sparse.issparse(value) else value for name, value in rows.items() if value is not None}
        given = rows

        def part(places):
            return {name: _safe_indexing(value, places) if np.ndim(value) or sparse.issparse(value) else value
                    for name, value in rows.items()}

        if np.ndim(rows.get("sample_weight")) and np.any(rows["sample_weight"] == 0):
            rows = part(np.flatnonzero(rows["sample_weight"]))
        # A function has no argument for weights; a scorer of a metric that knows them has.
        weighs = "sample_weight" in inspect.signature(getattr(scorer, "_score_func", len)).parameters

        def scores_of(train, test):
            model, kept, held = plain(**{**shared, **at(0), "warm_start": True}), part(train), part(test)
            more = {"sample_weight": held["sample_weight"]} if weighs and np.ptp(held.get("sample_weight", 1)) > 0 else {}
            return [scorer(model.set_params(**at(k)).fit(**kept), held["X"], held.get("y"), **more) for k in range(len(over))]

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the path has warned
            if scorer:
                found = np.array(Parallel(n_jobs=self.n_jobs, prefer="threads")(delayed(scores_of)(*fold) for fold in folds)).T
                if not np.isfinite(found).all():
                    raise ValueError(f"scoring: {found[~np.isfinite(found)][0]} in a fold; expected finite numbers")
                self._by_scorer = found, np.average(found, axis=1, weights=[self._mass(test, rows) for _, test in folds])
            chosen = [self._best_by_fits(over)] if self.refit else self._found()[0].argmax(axis=0)
            models = [plain(**{**shared, **at(k)}).fit(**(given if self.refit else part(train)))
                      for k, (train, _) in zip(chosen, folds, strict=False)]
        if self.refit:
            self._warn_edge_of(path, path.lambdas_[np.isnan(over) | (over == over[chosen[0]])], path.lambdas_[chosen[0]])
        self.alpha_ = float(np.mean(path.lambdas_[chosen]))
        if "l1_ratio_" in self._fitted:
            self.l1_ratio_ = float(np.mean(ratios[chosen]))
        if "coef_path_" in self._fitted:
            nearest = over[np.nanargmin(np.abs(over - self.l1_ratio_))] if len(self._ratios()) > 1 else np.nan
            self.coef_path_ = self._coefficients_along(path, nearest)
        if self.refit:  # everything that a fit leaves is that of this one fit
            self.__dict__.update({name: value for name, value in vars(models[0]).items() if name not in plain._parameters})
        else:
            self._take_means(models, given)

    def _take_means(self, models, rows):
        """The attributes of the mean of models, whose residuals are those of all rows."""
        for name in ("coef_", "intercept_"):
            setattr(self, name, np.mean([getattr(model, name) for model in models], axis=0))
        self.dual_gap_, self.n_iter_ = np.nan, max(model.n_iter_ for model in models)
        for name in ("_estimated", "loss_parameters_"):
            of_each = [getattr(model, name, {}) for model in models]
            if of_each[0]:
                setattr(self, name, {key: float(np.mean([of_one[key] for of_one in of_each])) for key in of_each[0]})
        if hasattr(self, "_take_residuals"):
            X, y, weights = self._checked(rows["X"], rows["y"], rows.get("sample_weight"))
            offset = arrays.vector(rows["offset"], "offset", len(y)) if "offset" in rows else 0.0
            self._take_residuals(np.asarray(X @ self.coef_).ravel() + (self.intercept_ + offset - y), weights)

    @staticmethod
    def _mass(places, rows):
        weights = rows.get("sample_weight")
        return len(places) if np.ndim(weights) == 0 else float(np.sum(np.asarray(weights)[places]))

    def _warn_edge_of(self, path, grid, alpha):
        """As the path itself, of the choice by a scorer."""
        end = ("smallest", "smaller") if alpha == grid.min() else ()
        if alpha == grid.max() and self._own_alphas() is not None:
            end = ("largest", "larger")
        path.edge_ = f"the best lambda is the {end[0]} of the grid: a {end[1]} one may be better" if end and len(grid) > 1 else ""
        self._warn_edge(path)

    def _best_by_fits(self, over):
        """The position of the best mean, or of the largest alpha within a standard error of it."""
        scores, mean = self._found()
        best = int(np.argmax(mean))
        if self.selection != "one-standard-error" or scores.shape[1] < 2:
            return best
        error = scores[best].std(ddof=1) / np.sqrt(scores.shape[1])
        return int(np.argmax((np.isnan(over) | (over == over[best])) & (mean >= mean[best] - error)))

    def _found(self):
        """The scores of the folds, the larger the better, (alphas, folds), and their means."""
        metric = self._metric_of_fit
        if metric is None:
            return self._by_scorer
        found, mean = (self.path_.validation_[key] for key in (("losses", "loss") if metric == "loss" else ("others", "other_mean")))
        sign = 1 if metric in _GAINS else -1
        return sign * found, sign * mean

    def _asked(self):
        """The arguments of CrossValidation."""
        jobs, folds, ratios, own = self.n_jobs or 1, self._division, self._ratios(), self._own_alphas()
        made = {"lambdas": self._count(), "ratio": self.eps, "explained": self.explained} if own is None else {
            "grid": np.unique(np.asarray(own, dtype=float)), "explained": 1}
        if len(ratios) > 1:
            made["over"] = "penalty.ratio=" + ",".join(repr(float(ratio)) for ratio in ratios)
        return {**made, "folds": folds, "stratified": isinstance(folds, int) and is_classifier(self), "by": self._metric(),
                "jobs": jobs if jobs > 0 else max(1, len(os.sched_getaffinity(0)) + 1 + jobs), "progress": True if self.verbose else None,
                "_warns": False, "_names": _OPTIONS}

    def _take(self, path):
        """The attributes that folds give; the position of the choice."""
        chosen = path.chosen_["one-standard-error" if self.selection == "one-standard-error" else "best"]
        self.path_, self.alphas_, self.alpha_ = path, by_ratio(path, path.lambdas_), float(path.lambdas_[chosen])
        self._metric_of_fit = self._metric()
        if self._own_alphas() is not None and self.alphas_.ndim == 2:
            self.alphas_ = self.alphas_[0]  # those that are given are the same for every l1_ratio
        self.loss_path_, self.loss_error_ = (by_ratio(path, path.validation_[key]) for key in ("loss", "loss_error"))
        if "l1_ratio_" in self._fitted:
            self.l1_ratio_ = float(path.table_["over"][chosen] if len(self._ratios()) > 1 else np.ravel(self.l1_ratio)[0])
        self.dual_gap_ = float(path.table_["gap"][chosen])
        self.n_iter_ = max(1, int(path.table_["iterations"][chosen]))
        return chosen

    @property
    def cv_results_(self):
        if self.path_ is None:
            raise AttributeError("cv_results_: every alpha has the same solution, and no folds were fitted")
        path = self.path_
        found, mean = self._found()
        ranks = np.unique(-mean, return_inverse=True)[1] + 1
        of = {"alpha": path.lambdas_, **({} if np.isnan(path.table_["over"]).all() else {"l1_ratio": path.table_["over"]})}
        return {**{f"param_{name}": values for name, values in of.items()},
                "params": [dict(zip(of, map(float, row))) for row in zip(*of.values())],
                **{f"split{k}_test_score": found[:, k] for k in range(found.shape[1])},
                "mean_test_score": mean, "std_test_score": found.std(axis=1), "rank_test_score": ranks}
