# SPDX-License-Identifier: BSD-3-Clause
# Written by sdk/python/tools/make_stubs.py.

"""Times until an event, some of them censored: Cox' proportional hazards.

The hazard of a row is h_0(t) exp(<a_i, x>): minus the logarithm of the partial likelihood, over the number of rows,
plus a penalty, is minimised to a verified relative gap of `tol`. Fitted objects hold arrays, numbers and texts alone.
"""
from typing import Any, Literal

from numpy import ndarray
from typing_extensions import Self

from .estimators import Estimator

class CoxRegression(Estimator):
    """-(1/n) log partial likelihood + alpha sum_j v_j (l1_ratio |x_j| + (1 - l1_ratio)/2 x_j^2), v = penalty_weights.

    With weights w of the rows they are scaled to sum n. Rows of one stratum (`strata` of fit) are compared with each
    other alone. coef_: (p,). baseline_: for every stratum of strata_ the times of events and the cumulative hazard of a
    row of risk 0 there (Breslow 1974).

    Parameters
        alpha = 0.1: factor of the penalty
        l1_ratio = 1.0: share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])
        ties = 'breslow': the rule for events at one time: "breslow" or "efron"
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        warm_start = False: whether a fit starts from the solution of the one before
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: float = 0.1,
        *,
        l1_ratio: float = 1.0,
        ties: str = 'breslow',
        penalty_weights: Any = None,
        tol: float = 1e-06,
        max_iter: int = 10000,
        warm_start: bool = False,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None, strata: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: see times_and_events; sample_weight and offset: (n,); strata: (n,) labels.
Raises ValueError."""
    def predict(self, X) -> ndarray:
        """(n,), the logarithm of the hazard ratio."""
    def predict_survival(self, X, times, stratum: Any = None) -> ndarray:
        """(n, len(times)), the probability that the event comes later than a time. stratum: one of strata_."""

class CoxRegressionCV(Estimator):
    """CoxRegression with alpha chosen by cross-validation.

    Alpha from a grid: n_alphas numbers from the least alpha whose solution is 0 down to eps times it, each solution
    started from the one before, fewer if `explained` ends the grid. `cv` folds choose the least mean loss ("best"), or
    the largest alpha within one standard error of it; a ClarosWarning says if the best one is at an end of the grid.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the loss of the
    folds; coef_path_: (p, alphas); path_: the whole path.

    Parameters
        l1_ratio = 1.0: share of the sum of magnitudes; the rest is for half the sum of squares (in [0, 1])
        n_alphas = 100: numbers of the grid
        eps = 0.001: the least alpha of the grid, relative to the largest
        explained = 0.999: once the model explains more of the loss than this share, the grid ends as soon as the folds
            have turned away: an alpha is below half of the best one, and three have followed it; 1: it never ends early
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        ties = 'breslow': the rule for events at one time: "breslow" or "efron"
        penalty_weights = None: a factor of alpha for every column; 0: it is free, inf: its coefficient stays 0; None: 1
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        l1_ratio: float = 1.0,
        *,
        n_alphas: int = 100,
        eps: float = 0.001,
        explained: float = 0.999,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        ties: str = 'breslow',
        penalty_weights: Any = None,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y, sample_weight: Any = None, offset: Any = None, strata: Any = None) -> Self:
        """X: (n, p), dense or sparse; y: see times_and_events; sample_weight and offset: (n,); strata: (n,) labels.
Raises ValueError."""
    def predict(self, X) -> ndarray:
        """(n,), the logarithm of the hazard ratio."""
    def predict_survival(self, X, times, stratum: Any = None) -> ndarray:
        """(n, len(times)), the probability that the event comes later than a time. stratum: one of strata_."""
