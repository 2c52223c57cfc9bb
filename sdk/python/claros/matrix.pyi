# SPDX-License-Identifier: BSD-3-Clause
# Written by sdk/python/tools/make_stubs.py.

"""Matrices of low rank: missing entries of a table, ratings, low rank plus sparse, and regression with several
responses; and sparse inverse covariance matrices.

All are minimised to a verified relative gap of `tol`. Fitted objects hold arrays, numbers and texts alone.
"""
from typing import Any, Literal

from numpy import ndarray
from typing_extensions import Self

from .estimators import Estimator

class LowRankRegression(Estimator):
    """(1/2n) ||Y - X B - 1 b'||_F^2 + alpha ||B||_*: the responses depend on few combinations of the columns.

    rank_: of B, with singular values above 1e-8 of the largest.

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

class LowRankRegressionCV(Estimator):
    """LowRankRegression with alpha chosen by cross-validation.

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

class MatrixImputer(Estimator):
    """Fills NaN with the entries of a matrix X of low rank: (1/2n) sum over the n observed entries (X_ij + c_j -
    Y_ij)^2 + alpha ||X||_*, with the means c of the columns where `center`. Observed entries stay as they are.

    New rows are combinations of the components of the fit, weighted as those of the fit are: transform gives a row of
    the fit its solution. alpha: None is 0.1 of the least alpha for which X is 0; alpha_ is what was taken.
    components_: (rank, p); mean_: (p,).

    Parameters
        alpha = None: factor of the penalty
        center = True: what is taken off before: the means of the columns, or those of the ratings
        tol = 0.0001: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: Any = None,
        *,
        center: bool = True,
        tol: float = 0.0001,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y: Any = None) -> Self:
        """X: (m, p), with NaN where an entry is not known. Raises ValueError; a column needs an entry."""
    def transform(self, X) -> ndarray:
        """X with its NaN filled: (m, p)."""

class RatingsModel(Estimator):
    """Ratings x_ij = mu + b_i + c_j + X_ij with X of low rank: (1/2n) sum over the n known ratings (x_ij - y_ij)^2 +
    alpha ||X||_*. mu, b and c are fitted before X (center: "biases", "mean" or "none"). With weights w the sum is
    that of w (x_ij - y_ij)^2, over 2 sum w. unobserved: the weight of every other position, as a 0 (views instead of
    ratings: values of 1, center="none"); every weight must be above it.

    Ids of rows and columns are numbers or texts. Not an estimator of scikit-learn's: fit takes three arrays.
    alpha: None is 0.1 of the least alpha for which X is 0; alpha_ is what was taken. rows_, cols_: the ids.

    Parameters
        alpha = None: factor of the penalty
        center = 'biases': what is taken off before: the means of the columns, or those of the ratings
        unobserved = 0.0: the weight of every position without a rating, as a 0
        tol = 0.0001: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: Any = None,
        *,
        center: str = 'biases',
        unobserved: float = 0.0,
        tol: float = 0.0001,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, rows, cols, values, sample_weight: Any = None) -> Self:
        """Ids of rows and columns, the ratings there and perhaps their weights, each (n,). Raises ValueError."""
    def fold_in(self, rows, cols, values, sample_weight: Any = None) -> Self:
        """A model that has these rows too; this one stays as it is. With columns and their biases held, a new row is
fitted as each row of the fit was: first its bias, then its row of X, a ridge regression on the columns. A row
of the fit is fitted anew, from these ratings alone; ratings of columns that the fit does not know are left
out. sample_weight: in the units of the fit. Columns stay as they are, so that no gap of the model with all rows
is known: dual_gap_ is NaN, and so are the numbers of result_. Raises ValueError."""
    def predict(self, rows, cols, clip: Any = True) -> ndarray:
        """(n,). An id without a known rating has no bias and no row or column of X; clip: to the range of the fit."""
    def recommend(self, row, count: Any = 10, known: Any = False) -> tuple[ndarray, ndarray]:
        """The `count` columns of the largest predictions for a row, and these; known: also those with a rating."""

class RobustPCA(Estimator):
    """X = L + S + noise with L of low rank and S sparse (stable principal component pursuit): (1/2) sum over the observed
    entries (L_ij + S_ij - X_ij)^2 + alpha (||L||_* + sparsity ||S||_1). NaN is not observed; S is 0 there.

    alpha: singular values of L below it are 0; noise of standard deviation s asks for s (sqrt(m) + sqrt(p)) times the
    root of the share that is observed; without noise L and S tend to the exact decomposition as alpha falls. None is
    0.01 of the least alpha for which both are 0; alpha_ is what was taken.

    S is eliminated: the minimum over S is the Huber loss of L - X with delta = alpha sparsity, which is minimised with
    the nuclear norm as the penalty. dual_gap_ bounds the distance of the value at both to the minimum.
    low_rank_, sparse_: (m, p). rank_, singular_values_, components_ (rank, p): of L. sparsity_: what was taken.

    Parameters
        alpha = None: factor of the penalty
        sparsity = None: factor of the l1 norm beside the nuclear norm; None: 1/sqrt(max(m, p))
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        alpha: Any = None,
        *,
        sparsity: Any = None,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y: Any = None) -> Self:
        """X: (m, p), with NaN where an entry is not known. Raises ValueError, also where none is."""

class GraphicalLasso(Estimator):
    """-log det P + <S, P> + alpha sum over i != j of |P_ij| on positive definite P, S the covariance of the rows of X.

    A zero of precision_ says that two columns are independent given all others. precision_, covariance_ (its inverse),
    location_: P, P^{-1} and the mean; score, error_norm and mahalanobis are those of scikit-learn. The fit ends where
    the gap relative to the value, or the gap itself, is at most tol. Columns of very different variance take many
    steps: standardise them.

    Parameters
        alpha = 0.01: factor of the penalty
        assume_centered = False: whether the mean of the columns is taken to be 0
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
    """
    def __init__(
        self,
        alpha: float = 0.01,
        *,
        assume_centered: bool = False,
        tol: float = 1e-06,
        max_iter: int = 10000,
    ) -> None: ...
    def fit(self, X, y: Any = None) -> Self:
        """X: (n, p), n and p at least 2. Raises ValueError, also for a column without a variance."""

class GraphicalLassoCV(Estimator):
    """GraphicalLasso with alpha from a grid: n_alphas numbers from the least alpha whose precision is diagonal down to
    eps times it, each solution started from the one before; `cv` folds of the rows choose the least mean of
    -log det P + <S, P>, S of the rows held back around the mean of the others ("best"), or the largest alpha within one
    standard error of it.

    alpha_, alphas_, loss_path_, loss_error_: the choice, the grid, and means and standard errors of the folds; path_:
    the whole path.

    Parameters
        n_alphas = 20: numbers of the grid
        eps = 0.01: the least alpha of the grid, relative to the largest
        cv = 5: number of folds
        selection = 'best': which alpha is taken
        n_jobs = 1: folds at a time
        assume_centered = False: whether the mean of the columns is taken to be 0
        tol = 1e-06: verified relative gap, or relative residual where no gap is known
        max_iter = 10000: most steps
        random_state = None: seed of what is random
    """
    def __init__(
        self,
        n_alphas: int = 20,
        *,
        eps: float = 0.01,
        cv: int = 5,
        selection: Literal['best', 'one-standard-error'] = 'best',
        n_jobs: int = 1,
        assume_centered: bool = False,
        tol: float = 1e-06,
        max_iter: int = 10000,
        random_state: Any = None,
    ) -> None: ...
    def fit(self, X, y: Any = None) -> Self:
        """X: (n, p), n at least the number of folds, p at least 2. Raises ValueError, also for a column without a
variance."""
