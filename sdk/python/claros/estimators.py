# SPDX-License-Identifier: BSD-3-Clause
"""What the estimators of `claros.linear` and `claros.matrix` share: parameters, their limits, names of columns."""
import functools
import inspect
import math
import numbers
import re
import sys
import textwrap
import warnings

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_is_fitted

from . import arrays, pictures
from .errors import ClarosWarning
from .solving import Interrupted, solve

try:
    from sklearn.utils._param_validation import InvalidParameterError
except ImportError:
    InvalidParameterError = ValueError

# Of check_array: whether numbers may be NaN; another word since scikit-learn 1.6.
FINITE = "ensure_all_finite" if "ensure_all_finite" in inspect.signature(check_array).parameters else "force_all_finite"
COMMON = {"fit_intercept": True, "tol": 1e-6, "max_iter": 10000, "warm_start": False, "random_state": None}
# Name: the type, and the least and the largest value with the ends that belong to it; a set of texts; a type; or None
# for what fit checks.
LIMITS = {
    "alpha": ("real", 0, math.inf, "left"), "tol": ("real", 0, 1, "neither"), "max_iter": ("int", 1, math.inf, "left"),
    "l1_ratio": ("real", 0, 1, "both"), "delta": ("real or None", 0, math.inf, "neither"), "b": ("real", 0, math.inf, "neither"),
    "zeta": ("real", 2, math.inf, "neither"), "quantile": ("real", 1e-6, 0.999999, "both"),
    "power": ("real or None", 0, 10, "both"), "theta": ("real or None", 0, math.inf, "neither"), "rho": ("real", 0, math.inf, "right"), "eps": ("real", 0, 1, "neither"),
    "n_alphas": ("int", 1, math.inf, "left"), "explained": ("real", 0, 1, "both"),
    **dict.fromkeys(("cv", "n_jobs", "alphas", "scoring", "verbose", "precompute", "copy_X")),  # checked by a fit, or free
    "fit_intercept": bool, "refit": bool, "warm_start": bool, "positive": bool, "center": bool, "assume_centered": bool,
    "unobserved": ("real", 0, math.inf, "left"), "sparsity": ("real or None", 0, math.inf, "neither"),
    "patience": ("int", 0, math.inf, "left"), "validation_fraction": ("real", 0, 0.5, "right"),
    "constraint": None, "selection": {"best", "one-standard-error", "cyclic", "random"}, "group_weights": None,
    "penalty": {"l1", "elastic-net", "elasticnet", "ridge", "l2", "group", "sparse-group", "mcp", "scad"},
    "loss": {"squared", "huber", "quantile", "poisson", "gamma", "tweedie", "negative-binomial"},
}
MEANINGS = {
    "b": "entries beyond b * lambda are not shrunk (> 0)", "delta": "the residual where the loss becomes linear (> 0); None: 1.35 times the scale of the residuals, estimated beside the fit",
    "l1_ratio": "share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])",
    "power": "the variance of a target is proportional to its mean to this power: 1 Poisson, 2 gamma, 3 inverse Gaussian, in [1.01, 10] any; "
             "0: squares, without a logarithm; None: that in (1, 2) of the greatest likelihood",
    "theta": "the variance of a target with mean m is m + m^2/theta; None: that of the greatest likelihood",
    "loss": "the loss",
    "quantile": "which quantile of y is predicted (in [1e-06, 0.999999])",
    "rho": "side constraint ||x||_1 <= rho; inf: none (> 0 or inf)",
    "zeta": "entries beyond zeta * lambda are not shrunk (> 2)",
    "alpha": "factor of the penalty", "tol": "verified relative gap, or relative residual where no gap is known",
    "max_iter": "most steps", "fit_intercept": "whether a free number is added to every prediction",
    "warm_start": "whether a fit starts from the solution of the one before", "random_state": "seed of what is random",
    "positive": "whether coefficients are at least 0; with rho, or penalty_weights beside an l1_ratio, no gap is known then",
    "constraint": "a set that the coefficients lie in; None: all of them",
    "penalty_weights": "a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1",
    "group_weights": "u_g: 1 for \"none\", the root of the group's size for \"sqrt\", or a number a group; of GroupLasso "
                     "also 0: it is free, and inf: it stays 0",
    "groups": "a size, a label a column, or lists of columns; None: every column is a group",
    "patience": "a fit ends after so many steps without a lower error on a held-out part; 0: there is none",
    "validation_fraction": "share of the ratings in that part", "n_alphas": "numbers of the grid",
    "explained": "once the model explains more of the loss than this share, the grid ends as soon as the folds have turned "
                 "away: an alpha is below half of the best one, and three have followed it; 1: it never ends early",
 "eps": "the least alpha of the grid, relative to the largest",
    "cv": "folds: their number, drawn at random (glmnet draws too; scikit-learn cuts rows in order: KFold(5)); a splitter of "
          "scikit-learn; or pairs (train, test) of positions or masks; None: 5. A fold that holds back rows of weight 0 alone is left out",
    "alphas": "the grid instead, in any order; an integer: n_alphas", "verbose": "whether a line shows how far the grid is",
    "scoring": "what chooses; None: the loss, with all weights of the fit; a metric by the name of claros path --by or of scikit-learn; or a "
               "function scoring(model, X, y), the larger the better, of rows of weight above 0. One of make_scorer has their sample_weight too. One "
               "that claros path does not have, or beside class_weight, takes a fit a fold and alpha",
    "refit": "whether the choice is fitted to all rows; False: coef_, intercept_ and alpha_ are means over the folds, of the "
             "best alpha of each",
    "precompute": "taken as a hint: Claros decides on a Gram matrix", "copy_X": "taken as a hint: X is never changed",
    "selection": "which alpha is taken; without CV, and as cyclic or random, a hint: Claros orders coordinates",
    "n_jobs": "folds at a time; None: 1, -1: all processors",
    "class_weight": "a dict of classes, or \"balanced\": factors of the rows' weights in fits and in the loss of folds, in no other score. "
                    "\"balanced\" counts the rows of weight above 0",
    "penalty": "the penalty", "center": "what is taken off before: the means of the columns, or those of the ratings",
    "assume_centered": "whether the mean of the columns is taken to be 0",
    "unobserved": "the weight of every position without a rating, as a 0",
    "sparsity": "factor of the l1 norm beside the nuclear norm; None: 1/sqrt(max(m, p))",
    "ties": "the rule for events at one time: \"breslow\" or \"efron\"",
    "noise_variance": "covariance of the errors of the columns: a number, one a column, or a matrix",
}
# What other libraries call parameters that an estimator does not have, if it has the one after "write", and a form with CV for {}.
ELSEWHERE = {
    "C": "write alpha = 1 / (n C) of n rows, or 1 / (2 n C) of the squared hinge", "Cs": "write n_alphas and eps, which make the grid",
    "epsilon": "write delta, the residual where the loss becomes linear, in the units of y, or None for 1.35 times their scale", "lambda_": "write alpha",
    "solver": "leave it out: Claros chooses the algorithm", "precompute": "leave it out: Claros decides on a Gram matrix",
    "copy_X": "leave it out: X is never changed", "verbose": "leave it out: result_ and path_ hold what was done",
    "alphas": "write alpha, or take {}", "cv": "take {}",
    "selection": "leave it out: coordinates are chosen by the algorithm", "normalize": "put StandardScaler before it in a pipeline",
    "multi_class": "leave it out: more than two classes are multinomial", "dual": "leave it out", "loss": "each loss has a class",
    "l1_ratios": "write l1_ratio, a number or several", "scoring": "take {}, or GridSearchCV",
    "refit": "take {}", "weights": "write penalty_weights, or sample_weight in fit",
    "fit_path": "leave it out: path_ holds the path", "ws_strategy": "leave it out", "gamma": "write b of MCPRegression, zeta of SCADRegression",
    "factors": "alpha decides the rank", "n_factors": "alpha decides the rank", "n_components": "alpha decides the rank",
    "rank": "alpha decides the rank", "regularization": "write alpha", "reg": "write alpha", "n_jobs": "one fit uses one thread; those with CV have n_jobs",
}
# Attributes of a fitted estimator: their types in stubs, and what they hold. A class names its own in _fitted.
ATTRIBUTES = {
    "coef_": ("ndarray", "coefficients, (p,); (K, p) of K classes or responses, (1, p) of two classes; float32 if X is"),
    "intercept_": ("Any", "the free number, or one a class or response"),
    "dual_gap_": ("float", "the value is at most this above the minimum; nan where no gap is known; (K,) of K fits"),
    "n_iter_": ("int", "steps"), "result_": ("Result | None", "the run, as claros.solve returns it; None of a path or without a step"),
    "n_features_in_": ("int", "columns of X"), "feature_names_in_": ("ndarray", "names of the columns, if X was a table"),
    "classes_": ("ndarray", "the classes, in the order of predict_proba and of the rows of coef_"),
    "alpha_": ("float", "the alpha that was taken"),
    "alphas_": ("ndarray", "the grid, from the largest; of several l1_ratio a row each, as loss_path_ and loss_error_; not if "
                            "alphas are given"),
    "l1_ratio_": ("float", "the l1_ratio that was taken"),
    "loss_parameters_": ("dict[str, float]", "those of the loss, given or estimated"),
    "noise_": ("float", "the root mean square of the residuals"), "value_": ("float", "what was minimised, at the solution"),
    "loss_path_": ("ndarray | None", "mean loss of the folds at each alpha"),
    "loss_error_": ("ndarray | None", "its standard errors"), "path_": ("Path | None", "the whole path"),
    "coef_path_": ("ndarray | None", "coefficients at each alpha (with l1_ratio_, or the nearest to it without refit), (p, alphas)"),
    "rank_": ("int", "the rank of the solution"),
    "strata_": ("ndarray", "labels of the strata"),
    "baseline_": ("list[tuple[ndarray, ndarray]]", "times and cumulative hazards of each stratum"),
    "components_": ("ndarray", "(rank, p): rows are combinations of them"), "mean_": ("ndarray", "means of the columns, (p,)"),
    "rows_": ("ndarray", "ids of the rows"), "cols_": ("ndarray", "ids of the columns"),
    "range_": ("tuple[float, float]", "the least and the largest rating"),
    "validation_rmse_": ("float | None", "the error on the ratings that were held out; None without any"),
    "rmse_path_": ("ndarray | None", "mean error of the folds at each alpha; None for too few ratings"),
    "rmse_error_": ("ndarray | None", "its standard errors"),
    "outliers_": ("ndarray", "whether the residual of a row is beyond delta, (n,)"), "scale_": ("float", "delta / 1.35"),
    "low_rank_": ("ndarray", "L, (m, p)"), "sparse_": ("ndarray", "S, (m, p)"), "singular_values_": ("ndarray", "of the matrix of low rank"),
    "sparsity_": ("float", "the factor that was taken"), "location_": ("ndarray", "the mean, (p,)"),
    "precision_": ("ndarray", "the inverse covariance, (p, p)"), "covariance_": ("ndarray", "its inverse"),
}
# What differs from the class of scikit-learn of that name or meaning; the form with CV adds its own.
DIFFERS = {
    "Lasso": "Lasso: tol bounds the gap relative to the value, and is reached", "ElasticNet": "ElasticNet: as Lasso",
    "LogisticRegression": "LogisticRegression: alpha = 1 / (n C); the default penalty is \"l1\", there \"l2\" with C = 1",
    "SquaredHingeClassifier": "LinearSVC: alpha = 1 / (2 n C); the default penalty is \"l1\", and the intercept is not penalised",
    "HuberRegression": "HuberRegressor: delta is in the units of y, there epsilon is relative to a scale that is estimated; with alpha = 0 "
                       "and delta=None, or delta = epsilon scale_ of it, coef_, intercept_, scale_ and outliers_ are the same",
    "QuantileRegression": "QuantileRegressor: alpha and quantile are the same",
    "PoissonRegression": "PoissonRegressor: the penalty is alpha ||x||_1, there alpha ||x||^2 / 2: GeneralizedLinearRegressor(loss=\"poisson\", "
                         "penalty=\"ridge\")",
    "GammaRegression": "GammaRegressor: as PoissonRegression",
    "TweedieRegression": "TweedieRegressor: as PoissonRegression; power 0 has no logarithm, all others have one",
    "MultiTaskLasso": "MultiTaskLasso: as Lasso", "MultiTaskElasticNet": "MultiTaskElasticNet: as Lasso",
    "GraphicalLasso": "GraphicalLasso: tol bounds the gap", "RobustPCA": "PCA: sparse errors of any size and NaN are taken apart",
    "CV": "the default's folds are drawn at random from random_state, there rows are cut in order; folds count as their "
          "rows, or their weights, in means; the grid may be widened, that of alphas is not",
}
COLUMNS = ("n_features_in_", "feature_names_in_")
_TYPES = {"real": numbers.Real, "real or None": numbers.Real, "int": numbers.Integral}
_WORDS = {"real": "a number", "real or None": "None or a number", "int": "an integer"}


def _is_within(value, limit):
    if limit is None:
        return True
    if limit is bool:
        return isinstance(value, (bool, np.bool_))
    if isinstance(limit, set):
        return isinstance(value, str) and value in limit
    kind, low, high, ends = limit
    if kind == "real or None" and value is None:
        return True
    if not isinstance(value, _TYPES[kind]) or isinstance(value, (bool, np.bool_)) or math.isnan(value):
        return False
    above = value >= low if ends in ("left", "both") else value > low
    return above and (value <= high if ends in ("right", "both") else value < high)


def _sentence(limit):
    if limit is bool:
        return "True or False"
    if isinstance(limit, set):
        return f"one of {', '.join(map(repr, sorted(limit)))}"
    kind, low, high, ends = limit
    first, last = "[" if ends in ("left", "both") else "(", "]" if ends in ("right", "both") else ")"
    return f"{_WORDS[kind]} in {first}{low}, {high}{last}"


def _with_parameters(kind):
    """The docstring, and a line for each parameter and each attribute of a fit."""
    def line(text):
        return textwrap.fill(text, 116, initial_indent="    ", subsequent_indent=" " * 8)

    lines = [line(f"{name} = {default!r}: {MEANINGS[name]}") for name, default in kind._parameters.items()]
    attributes = [line(f"{name}: {ATTRIBUTES[name][1]}") for name in kind._fitted]
    attributes += [line(f"{name}: {meaning}") for name, (_, meaning) in kind._derived.items()]
    plain = kind.__name__.removesuffix("CV")
    differs = [DIFFERS[name] for name in (plain, "CV") if name in DIFFERS and name in (plain, kind.__name__[-2:])]
    differs = ["", "Differs from scikit-learn", *map(line, differs)] if plain in DIFFERS else []
    return "\n".join([inspect.cleandoc(kind.__doc__ or ""), "", "Parameters", *lines, "", "Attributes", *attributes, *differs,
                      "", "Examples", *_example(kind), "", "See also", *_related(kind, plain)])


def _example(kind):
    rows, shown, found = kind._example
    alpha = "alpha=0.1" if "alpha" in kind._parameters else ""
    y = [">>> y = X[:, 0] - X[:, 1] + 0.3 * random.normal(size=60)"] if re.search(r"\by\b", rows) else []
    return ["    " + text for text in (
        ">>> import numpy as np", f">>> from {kind.__module__} import {kind.__name__}", ">>> random = np.random.default_rng(0)",
        ">>> X = random.normal(size=(60, 5))", *y,
        f">>> fit = {kind.__name__}({alpha}).fit({rows})", f">>> {shown}", found)]


def _related(kind, plain):
    """The class without CV, scikit-learn's class of that meaning, and the components; of a class without CV the one with
    it comes last, as the next class is made."""
    other = [] if plain == kind.__name__ else [f"{kind.__module__}.{plain}: alpha is given"]
    theirs = DIFFERS.get(plain, ":").partition(":")[0]
    if theirs:
        module = {"LinearSVC": "svm", "GraphicalLasso": "covariance", "PCA": "decomposition"}.get(theirs, "linear_model")
        other.append(f"sklearn.{module}.{kind.__name__ if theirs == plain else theirs}")
    components = kind._components or (f"loss/{kind._loss}", f"penalty/{kind._penalty}")
    return [f"    {text}" for text in (*other, *(f"claros.describe({name!r})" for name in components))]


def _refused(kind, defaults, given):
    """The TypeError for keywords that a class does not have: what to write for each."""
    from difflib import get_close_matches

    def remedy(name):
        near, text = get_close_matches(name, defaults, 1), ELSEWHERE.get(name, "")
        written = re.match(r"write (\w+)", text)
        plain = next((own for own in kind.__mro__ if hasattr(sys.modules.get(own.__module__), own.__name__ + "CV")), kind)
        by_folds = getattr(sys.modules.get(plain.__module__), plain.__name__ + "CV", kind)
        if text and (not written or written[1] in (*defaults, "b")) and ("{}" not in text or not issubclass(kind, by_folds)):
            return text.format(by_folds.__name__)
        return f"did you mean {near[0]!r}?" if near else "its parameters are " + ", ".join(defaults)

    return TypeError("; ".join(f"{kind.__name__} has no parameter {name!r} ({remedy(name)})" for name in given if name not in defaults))


def initializer(defaults):
    """__init__ of an estimator: the first parameter by position or name, the others by name."""
    kinds = inspect.Parameter
    listed = [kinds("self", kinds.POSITIONAL_OR_KEYWORD)]
    listed += [kinds(name, kinds.KEYWORD_ONLY if k else kinds.POSITIONAL_OR_KEYWORD, default=value)
               for k, (name, value) in enumerate(defaults.items())]
    signature = inspect.Signature(listed)

    def __init__(self, *args, **given):
        if not defaults.keys() >= given.keys():
            raise _refused(type(self), defaults, given)
        if len(args) > 1:
            first = next(iter(defaults))
            raise TypeError(f"{type(self).__name__} takes one argument by its place, {first} (name the others)")
        bound = {**defaults, **dict(zip(defaults, args)), **given}
        if args and next(iter(defaults)) in given:
            signature.bind(self, *args, **given)  # raises Python's own TypeError
        for name, value in bound.items():
            setattr(self, name, value)

    __init__.__signature__ = signature
    return __init__


def _kept(fit):
    """`fit`, which after Ctrl-C leaves the best point so far as the fit, and raises then."""
    @functools.wraps(fit)
    def kept(self, *args, **given):
        made = fit(self, *args, **given)
        interruption = self.__dict__.pop("_interruption", None)
        if interruption is not None:
            raise interruption
        return made

    return kept


def outside():
    """The level in warnings of the first caller that is not of this package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("claros."):
        frame, level = frame.f_back, level + 1
    return level


class Estimator(BaseEstimator):
    """An estimator whose parameters are its table `_parameters` of names and defaults."""

    _parameters = {}
    _fitted = ()  # attributes of a fit, keys of ATTRIBUTES
    _derived = {}  # properties of a fit: their types and what they hold
    _example = ("X, y", "fit.coef_.shape", "(5,)")  # of docstrings: what fit takes, a line after it, and its output
    _components = ()  # of the problem, where they are not the loss and the penalty of a linear model

    def __init_subclass__(cls, **given):
        super().__init_subclass__(**given)
        if "fit" in cls.__dict__:
            cls.fit = _kept(cls.fit)
        if "_parameters" in cls.__dict__:
            cls.__init__ = initializer(cls._parameters)
            cls.__doc__ = _with_parameters(cls)
        for plain in cls.__mro__[1:]:
            if plain.__name__ + "CV" == cls.__name__:
                plain.__doc__ += f"\n    {cls.__module__}.{cls.__name__}: alpha is chosen by folds"

    @property
    def _parameter_constraints(self):
        """The limits in scikit-learn's words, for its check of them."""
        from sklearn.utils import _param_validation as theirs

        def of(limit):
            if limit is None:
                return "no_validation"
            if limit is bool:
                return ["boolean"]
            if isinstance(limit, set):
                return [theirs.StrOptions(limit)]
            kind, low, high, ends = limit
            between = theirs.Interval(_TYPES[kind], low, None if math.isinf(high) else high, closed=ends)
            return [between, None] if kind == "real or None" else [between]

        return {name: of(self._limit(name)) for name in self._parameters}

    def _limit(self, name):
        return LIMITS.get(name)

    def _values(self, name):
        """What the limit of a parameter holds for."""
        return [getattr(self, name)]

    def _require_parameters(self):
        wrong = [f"The {name!r} parameter of {type(self).__name__} must be {_sentence(self._limit(name))}. "
                 f"Got {value!r} instead."
                 for name in self._parameters for value in self._values(name) if not _is_within(value, self._limit(name))]
        if wrong:
            raise InvalidParameterError("\n".join(wrong))

    def _solve(self, **problem):
        """solve; the point that Ctrl-C leaves is the result, if there is one."""
        try:
            return solve(**problem)
        except Interrupted as interruption:
            if interruption.result is None or not np.isfinite(interruption.result.value):
                raise
            self._interruption = interruption
            return interruption.result

    def plot(self, what=None, ax=None, X=None):
        """Draws the fit by matplotlib, into `ax` or a new figure, and returns the axes. what: "coefficients"; of a fit with CV
        also "loss" (its default) and "path"; "survival" of CoxRegression; "low_rank" and "sparse" of RobustPCA;
        "precision" of GraphicalLasso; "singular_values" of matrices of low rank. X: rows, such as those of the fit: coefficients
        are drawn times the deviations of their columns then. Raises ValueError for another one, and ImportError without matplotlib."""
        check_is_fitted(self)
        return pictures.plot(self, what, ax, X)

    def report(self, X=None):
        """The numbers of the fit and its largest coefficients by name, as a table that prints itself. X: rows, such as those
        of the fit; the largest are those of the largest product with the deviation of their column then, which is shown."""
        check_is_fitted(self)
        return pictures.report(self, X)

    def _seed(self):
        state = self.random_state
        if state is None:
            return 0
        return int(state) if isinstance(state, numbers.Integral) else int(check_random_state(state).randint(2**31 - 1))

    def _warn_unfinished(self, status, target, reached, note=""):
        if reached == 0 and not note:
            return
        warnings.warn(f"{type(self).__name__} ended at {status} with the {target.replace('_', ' ')} {reached:.2e}, tol is "
                      f"{self.tol}: {note or 'raise max_iter or tol'} (claros help not-met)", ConvergenceWarning, stacklevel=outside())

    def _warn_unfinished_path(self, path, chosen, target, reached):
        """One warning where alphas have fits, on all rows or in a fold, that ended without tol: they are not chosen if others can be.
        reached: the number of the fit at alpha_ that is compared with tol."""
        count = int(path.unfinished_.sum())
        if count == 0:
            return
        what = (f"no alpha of {len(path.unfinished_)} was fitted to tol in every fold, and alpha_ is the best of them"
                if path.unfinished_[chosen] else
                f"{count} of {len(path.unfinished_)} alphas were not fitted to tol in every fold, and are not chosen")
        if path.status_[chosen] not in ("relative-gap", "gap", "residual"):
            what += f"; the fit at alpha_ ended at {path.status_[chosen]} with the {target.replace('_', ' ')} {reached:.2e}"
        warnings.warn(f"{type(self).__name__}: {what}; tol is {self.tol:g}: raise max_iter or tol (claros help not-met)", ConvergenceWarning,
                      stacklevel=outside())

    def _warn_edge(self, path):
        if path.edge_ and not path.unfinished_.any():  # which has a warning of its own
            own = np.ndim(getattr(self, "alphas", None)) == 1
            remedy = " (add it to alphas)" if own else " (lower eps)" if "a smaller one" in path.edge_ else ""
            warnings.warn(f"{type(self).__name__}: {path.edge_.replace('lambda', 'alpha')}{remedy}", ClarosWarning, stacklevel=outside())

    def _remember_columns(self, given, count):
        """Number and names of the columns, as scikit-learn has them: names only if all are texts."""
        names = arrays.names_of(given)
        self.n_features_in_ = count
        if names:
            self.feature_names_in_ = np.asarray(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _rows(self, X, **how):
        """New rows, of the columns of the fit."""
        check_is_fitted(self)
        _require_names(type(self).__name__, arrays.names_of(X), getattr(self, "feature_names_in_", None))
        X = check_array(arrays.readable(X), dtype=(np.float64, np.float32), estimator=self, **how)
        if X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input")
        return X


def _require_names(estimator, names, fitted):
    """The sentences are those of scikit-learn, which its checks expect."""
    if fitted is None and names:
        warnings.warn(f"X has feature names, but {estimator} was fitted without feature names")
    elif fitted is not None and not names:
        warnings.warn(f"X does not have valid feature names, but {estimator} was fitted with feature names")
    elif fitted is not None and list(fitted) != list(names):
        raise ValueError(_difference(list(fitted), list(names)))


def _difference(fitted, names):
    def listed(some):
        return "".join(f"- {name}\n" for name in sorted(some)[:5]) + ("- ...\n" if len(some) > 5 else "")

    unexpected, missing = set(names) - set(fitted), set(fitted) - set(names)
    message = "The feature names should match those that were passed during fit.\n"
    if unexpected:
        message += "Feature names unseen at fit time:\n" + listed(unexpected)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + listed(missing)
    if not missing and not unexpected:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


def weights_of(sample_weight, n):
    """One weight a row, or None: finite, at least 0, not all 0."""
    if sample_weight is None:
        return None
    given = np.asarray(arrays.of_rows(sample_weight, "sample_weight"))
    weights = np.full(n, float(given)) if given.ndim == 0 else arrays.vector(given, "sample_weight", n)
    if not np.all(np.isfinite(weights)) or np.any(weights < 0) or not np.any(weights > 0):
        raise ValueError("sample_weight: expected finite numbers of at least 0, not all 0")
    return weights


def without_zeros(weights, *tables):
    """The tables without rows of weight 0, and the weights, None where all are equal: a row of weight 0 is no row,
    and a fit does not depend on whether equal weights are given."""
    if weights is not None and np.any(weights == 0):
        kept = np.flatnonzero(weights > 0)
        weights, tables = weights[kept], [None if table is None else table[kept] for table in tables]
    if weights is not None and np.all(weights == weights[0]):
        weights = None
    return (weights, *tables)
