# SPDX-License-Identifier: BSD-3-Clause
"""Folds of the estimators with CV: drawn ones, those of a splitter of scikit-learn, and given ones; what they found."""
import functools
import inspect
import numbers
import os

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import GroupKFold, check_cv

from .estimators import InvalidParameterError

GRID = {"n_alphas": 100, "eps": 1e-3, "alphas": None, "explained": 0.999, "cv": 5, "selection": "best", "scoring": None, "n_jobs": None,
        "verbose": False}
FOUND = ("alpha_", "alphas_", "loss_path_", "loss_error_", "path_")
# What scikit-learn calls the metrics, and whether a larger number is better.
_METRICS = {"mse": "neg_mean_squared_error", "mae": "neg_mean_absolute_error", "rmse": "neg_root_mean_squared_error", "r2": "r2",
            "accuracy": "accuracy", "auc": "roc_auc", "concordance": "concordance", "loss": "neg_log_loss"}
_GAINS = ("r2", "accuracy", "auc", "concordance")
# Options of `claros path`, as they are called here.
_OPTIONS = {"folds": "cv", "seed": "random_state", "grid": "alphas =", "by": "scoring"}


def in_folds(fit):
    """`fit`, which divides the rows into folds before; groups: labels of the rows, for the splitter."""
    signature = inspect.signature(fit)

    @functools.wraps(fit)
    def fitted(self, *args, groups=None, **given):
        bound = signature.bind(self, *args, **given).arguments
        self._require_parameters()
        self._division = self._divided(bound["X"], bound.get("y"), bound.get("sample_weight"), groups)
        try:
            return fit(self, *args, **given)
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
        if self._metric() is None:
            known = ", ".join(repr(word) for pair in _METRICS.items() for word in dict.fromkeys(pair))
            raise InvalidParameterError(f"The 'scoring' parameter of {name} must be None (the loss), or one of {known}; for other scores "
                                        f"take GridSearchCV. Got {self.scoring!r} instead.")
        alphas = [1.0] if self.alphas is None else list(self.alphas) if np.ndim(self.alphas) == 1 else []
        if not alphas:
            raise InvalidParameterError(f"The 'alphas' parameter of {name} must be None, or numbers above 0. Got {self.alphas!r} instead.")
        for k, alpha in enumerate(alphas):
            if not isinstance(alpha, numbers.Real):
                raise TypeError(f"alphas[{k}] must be an instance of float, not {type(alpha).__name__}")
            if not 0 < alpha < np.inf:
                raise InvalidParameterError(f"alphas[{k}] == {alpha}, must be above 0 and finite")

    def _values(self, name):
        return list(self._ratios()) or super()._values(name) if name == "l1_ratio" else super()._values(name)

    def _ratios(self):
        """Several l1_ratio, or nothing."""
        given = getattr(self, "l1_ratio", None)
        return list(given) if np.ndim(given) == 1 and len(given) > 0 else []

    def _metric(self):
        if self.scoring is None:
            return "loss"
        words = {word: own for own, theirs in _METRICS.items() for word in (own, theirs)}
        return words.get(self.scoring) if isinstance(self.scoring, str) else None

    def _divided(self, X, y, sample_weight, groups):
        """The number of folds that are drawn, or the folds as positions in the rows of weight above 0."""
        cv = 5 if self.cv is None else self.cv
        if isinstance(cv, numbers.Integral) and groups is None:
            return int(cv)
        splitter = GroupKFold(int(cv)) if isinstance(cv, numbers.Integral) else check_cv(cv, classifier=is_classifier(self))
        folds = [tuple(np.flatnonzero(part) if np.asarray(part).dtype == bool else np.asarray(part, dtype=np.int64) for part in fold)
                 for fold in splitter.split(X, y, groups)]
        kept = np.ones(1) if sample_weight is None else np.asarray(sample_weight)
        if kept.ndim != 1 or not np.any(kept == 0):
            return folds
        place = np.cumsum(kept != 0) - 1
        return [tuple(place[part[kept[part] != 0]] for part in fold) for fold in folds]

    def _asked(self):
        """The arguments of CrossValidation."""
        jobs, folds, ratios = self.n_jobs or 1, self._division, self._ratios()
        made = {"lambdas": self.n_alphas, "ratio": self.eps, "explained": self.explained} if self.alphas is None else {
            "grid": np.unique(np.asarray(self.alphas, dtype=float)), "explained": 1}
        if len(ratios) > 1:
            made["over"] = "penalty.ratio=" + ",".join(repr(float(ratio)) for ratio in ratios)
        return {**made, "folds": folds, "stratified": isinstance(folds, int) and is_classifier(self), "by": self._metric(),
                "jobs": jobs if jobs > 0 else max(1, len(os.sched_getaffinity(0)) + 1 + jobs), "progress": True if self.verbose else None,
                "_warns": False, "_names": _OPTIONS}

    def _take(self, path):
        """The attributes that folds give; the position of the choice."""
        chosen = path.chosen_["one-standard-error" if self.selection == "one-standard-error" else "best"]
        self.path_, self.alphas_, self.alpha_ = path, by_ratio(path, path.lambdas_), float(path.lambdas_[chosen])
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
        path, metric = self.path_, self._metric()
        found, mean = (path.validation_[key] for key in (("losses", "loss") if metric == "loss" else ("others", "other_mean")))
        sign = 1 if metric in _GAINS else -1
        ranks = np.unique(-sign * mean, return_inverse=True)[1] + 1
        of = {"alpha": path.lambdas_, **({"l1_ratio": path.table_["over"]} if len(self._ratios()) > 1 else {})}
        return {**{f"param_{name}": values for name, values in of.items()},
                "params": [dict(zip(of, map(float, row))) for row in zip(*of.values())],
                **{f"split{k}_test_score": sign * found[:, k] for k in range(found.shape[1])},
                "mean_test_score": sign * mean, "std_test_score": found.std(axis=1), "rank_test_score": ranks}
