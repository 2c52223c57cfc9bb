# SPDX-License-Identifier: BSD-3-Clause
# Written by sdk/python/tools/make_stubs.py.

"""Linear models as estimators of scikit-learn.

All minimise sum_i w_i psi(<a_i, x> + b + o_i, y_i) / sum_i w_i + alpha h(x), with b free. They end at a verified
relative gap of `tol`; where no gap is known (a concave penalty, alpha = 0, a penalty weight of 0, positive coefficients
with penalty weights, an intercept for each of several classes) at a relative residual of `tol`, the accuracy of a
stationary point.
Fitted objects hold arrays, numbers and texts alone.
"""
from typing import Any, Literal

from numpy import ndarray
from typing_extensions import Self

from .estimators import Estimator

class Lasso(Estimator):
    """(1/2n) sum_i w_i (<a_i, x> + b - y_i)^2 + alpha sum_j v_j |x_j|, v = penalty_weights, default 1.

    Parameters
        alpha = 1.0: factor of the penalty
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class ElasticNet(Estimator):
    """As Lasso, with alpha sum_j v_j (l1_ratio |x_j| + (1 - l1_ratio)/2 x_j^2).

    Parameters
        alpha = 1.0: factor of the penalty
        l1_ratio = 0.5: share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        l1_ratio: float = 0.5,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class SquareRootLasso(Estimator):
    """((1/n) sum_i w_i (<a_i, x> + b - y_i)^2)^(1/2) + alpha sum_j v_j |x_j|, weights w of sum n: the solution is that of
    Lasso with alpha noise_, so that alpha does not depend on the noise (Belloni, Chernozhukov, Wang 2011).

    alpha: None is 1.1 (2 log(2 p) / n)^(1/2), for columns of variance 1; alpha_ is what was taken. noise_: the root
    mean square of the residuals. Below 0.01 of that of y (less its mean) the root is smoothed (docs/components).

    Parameters
        alpha = None: factor of the penalty
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: Any = None,
        *,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class GroupLasso(Estimator):
    """As Lasso, with alpha sum_g u_g ||x_g||. groups: a size, a label a column, or lists of columns; None: one each.
    group_weights: u_g is 1 ("none") or the root of the group's size ("sqrt").

    Parameters
        alpha = 1.0: factor of the penalty
        groups = None: a size, a label a column, or lists of columns; None: every column is a group
        group_weights = 'none': u_g: 1 for "none", the root of the group's size for "sqrt"
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        groups: Any = None,
        group_weights: Literal['none', 'sqrt'] = 'none',
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class SparseGroupLasso(Estimator):
    """As GroupLasso, with alpha (l1_ratio ||x||_1 + (1 - l1_ratio) sum_g u_g ||x_g||).

    Parameters
        alpha = 1.0: factor of the penalty
        l1_ratio = 0.5: share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])
        groups = None: a size, a label a column, or lists of columns; None: every column is a group
        group_weights = 'none': u_g: 1 for "none", the root of the group's size for "sqrt"
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        l1_ratio: float = 0.5,
        groups: Any = None,
        group_weights: Literal['none', 'sqrt'] = 'none',
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class MCPRegression(Estimator):
    """As Lasso, with the minimax concave penalty (Zhang 2010): entries beyond b alpha are not shrunk. Not convex:
    `tol` is a relative residual, that of a stationary point.

    Parameters
        alpha = 1.0: factor of the penalty
        b = 3.0: entries beyond b * lambda are not shrunk (> 0)
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        b: float = 3.0,
        penalty_weights: Any = None,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class SCADRegression(Estimator):
    """As MCPRegression, with the smoothly clipped absolute deviation (Fan, Li 2001).

    Parameters
        alpha = 1.0: factor of the penalty
        zeta = 3.7: entries beyond zeta * lambda are not shrunk (> 2)
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        zeta: float = 3.7,
        penalty_weights: Any = None,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class HuberRegression(Estimator):
    """As Lasso, with the Huber loss: r^2/2 for |r| <= delta, delta |r| - delta^2/2 beyond.

    Parameters
        alpha = 1.0: factor of the penalty
        delta = 1.35: the residual where the loss becomes linear (> 0)
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        delta: float = 1.35,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class QuantileRegression(Estimator):
    """As Lasso, with the loss of a quantile of y, whose corner is rounded on [-delta, delta].

    Parameters
        alpha = 1.0: factor of the penalty
        quantile = 0.5: which quantile of y is predicted (in [0.01, 0.99])
        delta = 0.1: the residual where the loss becomes linear (> 0)
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        quantile: float = 0.5,
        delta: float = 0.1,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class PoissonRegression(Estimator):
    """As Lasso, with counts y >= 0 of the mean exp(z): psi = exp(z) - y z. offset: the log of an exposure.

    Parameters
        alpha = 1.0: factor of the penalty
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class GammaRegression(Estimator):
    """As PoissonRegression, with amounts y > 0 of a gamma distribution: psi = y exp(-z) + z.

    Parameters
        alpha = 1.0: factor of the penalty
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """As of PoissonRegression, y above 0."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class TweedieRegression(Estimator):
    """As PoissonRegression, with amounts y >= 0 whose variance is proportional to the power of the mean.

    Parameters
        alpha = 1.0: factor of the penalty
        power = 1.5: the variance of a target is proportional to its mean to this power; near 1 Poisson, near 2 gamma
            (in [1.01, 1.99])
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        power: float = 1.5,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class ErrorsInVariablesLasso(Estimator):
    """Lasso on columns that were measured with errors of the covariance S = noise_variance (a number, one a column,
    or a matrix): (1/2n) sum_i (<a_i, x> + b - y_i)^2 - x'Sx/2 + alpha ||x||_1 over ||x||_1 <= rho (Loh, Wainwright
    2012). Not convex: `tol` is a relative residual; without rho the minimum may not exist.

    Parameters
        alpha = 1.0: factor of the penalty
        noise_variance = 0.0: covariance of the errors of the columns: a number, one a column, or a matrix
        rho = inf: side constraint ||x||_1 <= rho; inf: none (> 0 or inf)
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        noise_variance: float = 0.0,
        rho: float = float("inf"),
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class LogisticRegression(Estimator):
    """Classes by log(1 + exp(-y z)), of more than two by the multinomial loss.

    penalty: "l1", "elastic-net" (with l1_ratio), "ridge", "group" (with groups) or "mcp" (with b); "elasticnet" and "l2"
    are scikit-learn's names of two. A group holds the coefficients of its columns for all classes. coef_: (1, p) of two
    classes, (K, p) of K.

    Parameters
        alpha = 0.01: factor of the penalty
        penalty = 'l1': the penalty
        l1_ratio = 0.5: share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])
        b = 3.0: entries beyond b * lambda are not shrunk (> 0)
        groups = None: a size, a label a column, or lists of columns; None: every column is a group
        class_weight = None: a dict of classes, or "balanced"
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 0.01,
        *,
        penalty: Literal['elastic-net', 'elasticnet', 'group', 'l1', 'l2', 'mcp', 'ridge'] = 'l1',
        l1_ratio: float = 0.5,
        b: float = 3.0,
        groups: Any = None,
        class_weight: Any = None,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def decision_function(self, X) -> ndarray:
        """z: (n,) of two classes, (n, K) of K."""
    def fit(self, X, y, sample_weight: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,), classes of any type; sample_weight: (n,). Raises ValueError."""
    def predict(self, X) -> ndarray:
        """(n,), of classes_."""
    def predict_proba(self, X) -> ndarray:
        """(n, K), in the order of classes_."""

class SquaredHingeClassifier(Estimator):
    """Two classes by max(0, 1 - y z)^2 / 2, half the loss of LinearSVC; penalties as of LogisticRegression.

    Parameters
        alpha = 0.01: factor of the penalty
        penalty = 'l1': the penalty
        l1_ratio = 0.5: share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])
        b = 3.0: entries beyond b * lambda are not shrunk (> 0)
        groups = None: a size, a label a column, or lists of columns; None: every column is a group
        class_weight = None: a dict of classes, or "balanced"
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 0.01,
        *,
        penalty: Literal['elastic-net', 'elasticnet', 'group', 'l1', 'l2', 'mcp', 'ridge'] = 'l1',
        l1_ratio: float = 0.5,
        b: float = 3.0,
        groups: Any = None,
        class_weight: Any = None,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def decision_function(self, X) -> ndarray:
        """z: (n,) of two classes, (n, K) of K."""
    def fit(self, X, y, sample_weight: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,), classes of any type; sample_weight: (n,). Raises ValueError."""
    def predict(self, X) -> ndarray:
        """(n,), of classes_."""

class MultiTaskLasso(Estimator):
    """(1/2n) ||Y - X B - 1 b'||_F^2 + alpha sum_j ||row j of B||: columns are used for all responses or for none.

    Parameters
        alpha = 1.0: factor of the penalty
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,) or (n, K); sample_weight: (n,). Raises ValueError."""
    def predict(self, X) -> ndarray:
        """(n,) or (n, K), as y was."""

class MultiTaskElasticNet(Estimator):
    """As MultiTaskLasso, with alpha (l1_ratio sum_j ||row j of B|| + (1 - l1_ratio)/2 ||B||_F^2).

    Parameters
        alpha = 1.0: factor of the penalty
        l1_ratio = 0.5: share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 1.0,
        *,
        l1_ratio: float = 0.5,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,) or (n, K); sample_weight: (n,). Raises ValueError."""
    def predict(self, X) -> ndarray:
        """(n,) or (n, K), as y was."""

class LassoCV(Estimator):
    """Lasso with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        n_alphas: int = 100,
        *,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class ElasticNetCV(Estimator):
    """ElasticNet with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        l1_ratio = 0.5: share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        l1_ratio: float = 0.5,
        *,
        n_alphas: int = 100,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class GroupLassoCV(Estimator):
    """GroupLasso with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        groups = None: a size, a label a column, or lists of columns; None: every column is a group
        group_weights = 'none': u_g: 1 for "none", the root of the group's size for "sqrt"
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        n_alphas: int = 100,
        *,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        groups: Any = None,
        group_weights: Literal['none', 'sqrt'] = 'none',
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class SparseGroupLassoCV(Estimator):
    """SparseGroupLasso with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        l1_ratio = 0.5: share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        groups = None: a size, a label a column, or lists of columns; None: every column is a group
        group_weights = 'none': u_g: 1 for "none", the root of the group's size for "sqrt"
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        l1_ratio: float = 0.5,
        *,
        n_alphas: int = 100,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        groups: Any = None,
        group_weights: Literal['none', 'sqrt'] = 'none',
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class SquareRootLassoCV(Estimator):
    """SquareRootLasso with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        n_alphas = 100: numbers of the grid
        eps = 0.05: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        n_alphas: int = 100,
        *,
        eps: float = 0.05,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class MCPRegressionCV(Estimator):
    """MCPRegression with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        b = 3.0: entries beyond b * lambda are not shrunk (> 0)
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        n_alphas: int = 100,
        *,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        b: float = 3.0,
        penalty_weights: Any = None,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class SCADRegressionCV(Estimator):
    """SCADRegression with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        zeta = 3.7: entries beyond zeta * lambda are not shrunk (> 2)
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        n_alphas: int = 100,
        *,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        zeta: float = 3.7,
        penalty_weights: Any = None,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class HuberRegressionCV(Estimator):
    """HuberRegression with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        delta = 1.35: the residual where the loss becomes linear (> 0)
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        n_alphas: int = 100,
        *,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        delta: float = 1.35,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class QuantileRegressionCV(Estimator):
    """QuantileRegression with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        quantile = 0.5: which quantile of y is predicted (in [0.01, 0.99])
        delta = 0.1: the residual where the loss becomes linear (> 0)
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        n_alphas: int = 100,
        *,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        quantile: float = 0.5,
        delta: float = 0.1,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class PoissonRegressionCV(Estimator):
    """PoissonRegression with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        n_alphas: int = 100,
        *,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class GammaRegressionCV(Estimator):
    """GammaRegression with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        n_alphas: int = 100,
        *,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """As of PoissonRegression, y above 0."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class TweedieRegressionCV(Estimator):
    """TweedieRegression with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        power = 1.5: the variance of a target is proportional to its mean to this power; near 1 Poisson, near 2 gamma
            (in [1.01, 1.99])
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        positive = False: whether coefficients are at least 0; with penalty_weights or rho no gap is known then
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        n_alphas: int = 100,
        *,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        power: float = 1.5,
        penalty_weights: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,); sample_weight and offset: (n,). Raises ValueError."""
    def predict(self, X, offset: Any = None) -> ndarray:
        """(n,)."""

class LogisticRegressionCV(Estimator):
    """LogisticRegression with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        l1_ratio = 0.5: share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        penalty = 'l1': the penalty
        b = 3.0: entries beyond b * lambda are not shrunk (> 0)
        groups = None: a size, a label a column, or lists of columns; None: every column is a group
        class_weight = None: a dict of classes, or "balanced"
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        l1_ratio: float = 0.5,
        *,
        n_alphas: int = 100,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        penalty: Literal['elastic-net', 'elasticnet', 'group', 'l1', 'l2', 'mcp', 'ridge'] = 'l1',
        b: float = 3.0,
        groups: Any = None,
        class_weight: Any = None,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def decision_function(self, X) -> ndarray:
        """z: (n,) of two classes, (n, K) of K."""
    def fit(self, X, y, sample_weight: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,), classes of any type; sample_weight: (n,). Raises ValueError."""
    def predict(self, X) -> ndarray:
        """(n,), of classes_."""
    def predict_proba(self, X) -> ndarray:
        """(n, K), in the order of classes_."""

class SquaredHingeClassifierCV(Estimator):
    """SquaredHingeClassifier with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        l1_ratio = 0.5: share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        penalty = 'l1': the penalty
        b = 3.0: entries beyond b * lambda are not shrunk (> 0)
        groups = None: a size, a label a column, or lists of columns; None: every column is a group
        class_weight = None: a dict of classes, or "balanced"
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        l1_ratio: float = 0.5,
        *,
        n_alphas: int = 100,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        penalty: Literal['elastic-net', 'elasticnet', 'group', 'l1', 'l2', 'mcp', 'ridge'] = 'l1',
        b: float = 3.0,
        groups: Any = None,
        class_weight: Any = None,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def decision_function(self, X) -> ndarray:
        """z: (n,) of two classes, (n, K) of K."""
    def fit(self, X, y, sample_weight: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,), classes of any type; sample_weight: (n,). Raises ValueError."""
    def predict(self, X) -> ndarray:
        """(n,), of classes_."""

class MultiTaskLassoCV(Estimator):
    """MultiTaskLasso with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid. The loss of a row is half the sum of its squared errors.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; path_: the whole path.

    Parameters
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        n_alphas: int = 100,
        *,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,) or (n, K); sample_weight: (n,). Raises ValueError."""
    def predict(self, X) -> ndarray:
        """(n,) or (n, K), as y was."""

class MultiTaskElasticNetCV(Estimator):
    """MultiTaskElasticNet with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid. The loss of a row is half the sum of its squared errors.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; path_: the whole path.

    Parameters
        l1_ratio = 0.5: share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        fit_intercept = True: whether a free number is added to every prediction
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        l1_ratio: float = 0.5,
        *,
        n_alphas: int = 100,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        fit_intercept: bool = True,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: (n,) or (n, K); sample_weight: (n,). Raises ValueError."""
    def predict(self, X) -> ndarray:
        """(n,) or (n, K), as y was."""
