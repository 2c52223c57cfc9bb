# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of losses that are estimated beside the fit: theta of the negative binomial and the power of Tweedie by the greatest
likelihood, delta of Huber's loss by the scale of the residuals."""
import warnings

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import gammaln, logsumexp
from sklearn.exceptions import ConvergenceWarning

from .errors import ClarosWarning
from .estimators import outside

_ROUNDS, _CLOSE = 25, 1e-3
_POWERS = (1.05, 1.95)
EPSILON = 1.35  # delta over the scale of the residuals: 95% of the efficiency of squares for normal noise (Huber 1981)
_POISSON = 1e6  # a theta from which on the variance is that of Poisson


def estimated(name, fit, y, offset, weights):
    """(value, what `fit(value)` returned) of the parameter `name`: theta, power or delta. fit(value) returns what is kept, and z of the
    rows, their offsets included. Raises ValueError if y says nothing of it."""
    w = np.ones(len(y)) if weights is None else weights
    if name == "delta":
        return _delta(fit, y, offset, w)
    level = np.average(y, weights=w) / np.average(np.exp(offset), weights=w)
    if not level > 0:
        raise ValueError(f"y: all are 0, and {name}=None is estimated from their variance")

    def means(value):
        made, z = fit(value)
        return made, np.exp(z)

    return _theta(means, y, level * np.exp(offset), w) if name == "theta" else _power(means, y, w)


def _delta(fit, y, offset, w):
    """The fit and the scale of its residuals in turn. Without a penalty both minimise sum_i w_i (s + H(r_i / s) s) over x and s, H of
    EPSILON, which is convex (Owen: A robust hybrid of lasso and ridge regression, 2007), as HuberRegressor of scikit-learn."""
    r = y - offset
    apart = np.abs(r - np.median(r))
    spread = np.median(apart[apart > 0]) if apart.any() else abs(r[0])
    scale = scale_of(apart, w) or spread  # many equal y have residuals all the same
    for _ in range(2 * _ROUNDS):
        if not scale > 1e-8 * spread:  # squares of these are rounding
            raise ValueError("delta=None is estimated from the residuals, and too many of them are 0 for a scale: give delta, in the units of y")
        made, z = fit(EPSILON * scale)
        last, scale = scale, scale_of(y - z, w)
        if abs(scale - last) <= 1e-2 * _CLOSE * scale:
            break
    else:
        warnings.warn(f"the scale of the residuals was {last:.6g} and {scale:.6g} in the last of {2 * _ROUNDS} rounds: give delta",
                      ConvergenceWarning, stacklevel=outside())
    return EPSILON * last, made


def scale_of(r, w):
    """The s with sum_i w_i min(|r_i| / s, EPSILON)^2 = sum_i w_i; 0 if fewer than a 1 / EPSILON^2-th of the weights has an r."""
    r = np.abs(r)
    low = r[r > 0].min(initial=np.inf) / (2 * EPSILON)

    def excess(s):
        return np.sum(w * np.minimum(r / s, EPSILON)**2) - np.sum(w)

    return 0.0 if not np.isfinite(low) or excess(low) <= 0 else float(brentq(excess, low, 2 * r.max(), xtol=1e-300, rtol=1e-12))


def _theta(fit, y, mean, w):
    """Fits and the theta of the greatest likelihood of their means in turn, as glm.nb of MASS: each lowers the sum of the negative
    log-likelihood and the penalty."""
    if np.any(y != np.floor(y)):
        raise ValueError("theta=None is estimated on counts, and y has numbers that are not whole: give theta")
    theta = theta_of(y, mean, w)
    for _ in range(_ROUNDS):
        made, mean = fit(theta)
        last, theta = theta, theta_of(y, mean, w)
        if abs(theta - last) <= _CLOSE * theta or min(theta, last) >= _POISSON:
            break
    else:
        warnings.warn(f"theta was {last:.4g} and {theta:.4g} in the last of {_ROUNDS} rounds: give theta", ConvergenceWarning, stacklevel=outside())
    if last >= _POISSON:
        warnings.warn("the counts vary no more than those of Poisson, and no theta is best: loss='poisson' is this fit", ClarosWarning, stacklevel=outside())
    return last, made


def theta_of(y, mean, w):
    """argmax over theta in [1e-4, 2e6] of sum_i w_i log NB(y_i; mean_i, theta)."""
    def cost(log_theta):
        theta = np.exp(log_theta)
        return -np.sum(w * (gammaln(y + theta) - gammaln(theta) - y * np.log1p(theta / mean) - theta * np.log1p(mean / theta)))

    return float(np.exp(minimize_scalar(cost, bounds=np.log([1e-4, 2 * _POISSON]), method="bounded", options={"xatol": 1e-6}).x))


def _power(fit, y, w):
    """The power of the greatest likelihood, the dispersion maximised too, by a bounded search (Dunn, Smyth 2005)."""
    if not np.any(y == 0):
        raise ValueError("power=None is estimated where some y are 0, and none is: give power, such as 2 (gamma)")
    fits = {}

    def cost(power):
        power = float(power)
        fits[power] = fit(power)
        return -tweedie_likelihood(y, fits[power][1], w, power)

    best = float(minimize_scalar(cost, bounds=_POWERS, method="bounded", options={"xatol": 5e-3}).x)
    if min(abs(best - end) for end in _POWERS) < 0.02:
        warnings.warn(f"the power of the greatest likelihood is {best:.3g}, at an end of [{_POWERS[0]}, {_POWERS[1]}]: compare loss='poisson' "
                      "and 'gamma'", ClarosWarning, stacklevel=outside())
    return best, fit(best)[0]  # of an estimator the last fit is the one that stays


_LOSSES = {
    "squared": lambda z, y, _: (z - y)**2 / 2,
    "squared-hinge": lambda z, y, _: np.maximum(0, 1 - (2 * y - 1) * z)**2 / 2,
    "huber": lambda z, y, loss: np.where(np.abs(z - y) <= loss["delta"], (z - y)**2 / 2,
                                         loss["delta"] * (np.abs(z - y) - loss["delta"] / 2)),
    "quantile": lambda z, y, loss: np.maximum((1 - loss["tau"]) * (z - y), loss["tau"] * (y - z)),
    "logistic": lambda z, y, _: np.logaddexp(0, z) - y * z, "poisson": lambda z, y, _: np.exp(z) - y * z,
    "gamma": lambda z, y, _: y * np.exp(-z) + z,
    "tweedie": lambda z, y, loss: (np.exp((2 - loss["power"]) * z) / (2 - loss["power"])
                                   - y * np.exp((1 - loss["power"]) * z) / (1 - loss["power"])),
    "negative-binomial": lambda z, y, loss: ((y + loss["theta"]) * np.logaddexp(0, z - np.log(loss["theta"]))
                                             - y * z),
    "multinomial": lambda z, y, _: logsumexp(z, axis=1) - np.take_along_axis(z, y.astype(int), axis=1)[:, 0],
    "cox": lambda z, *_: 0 * z,  # a fit recovers from any start
}


def mean_loss(loss, z, y, weights):
    """sum_i w_i psi(z_i, y_i) / sum_i w_i up to a constant of y; NaN if it is infinite. loss: its settings;
    z: (n, K) or, if equal for all rows, (1, K); y: (n,), or (n, K) of squares."""
    y = y.reshape(len(y), -1)
    with np.errstate(over="ignore", invalid="ignore"):
        each = _LOSSES[loss["use"]](np.broadcast_to(z, (len(y), z.shape[1])), y, loss)
        value = np.average(each.reshape(len(y), -1).sum(axis=1), weights=weights)
    return value if np.isfinite(value) else np.nan


def tweedie_likelihood(y, mean, w, power):
    """max over phi of sum_i w_i log f(y_i; mean_i, phi, power), 1 < power < 2."""
    unit = 2 * (np.where(y > 0, y, 0.0)**(2 - power) / ((1 - power) * (2 - power)) - y * mean**(1 - power) / (1 - power)
                + mean**(2 - power) / (2 - power))
    start = np.log(max(np.sum(w * unit) / np.sum(w), 1e-300))
    found = minimize_scalar(lambda log_phi: -np.sum(w * tweedie_log_density(y, mean, np.exp(log_phi), power)),
                            bounds=(start - 3, start + 3), method="bounded", options={"xatol": 1e-4})
    return -float(found.fun)


def tweedie_log_density(y, mean, phi, power):
    """log f(y; mean, phi, power) of the compound Poisson-gamma distribution, 1 < power < 2, by the series of Dunn and Smyth
    (Series evaluation of Tweedie exponential dispersion model densities, Statistics and Computing 15, 2005), around its
    largest term."""
    a, b = power - 1, 2 - power
    density = -mean**b / (phi * b) - np.where(y > 0, y, 0.0) * mean**(-a) / (phi * a)
    rows = np.flatnonzero(y > 0)
    for part in np.array_split(rows, max(1, len(rows) // 2000)):
        if not len(part):
            continue
        t = y[part]
        top = np.maximum(1.0, np.round(t**b / (phi * b)))
        spread = int(10 * np.sqrt(top.max() * a) + 10)  # ten deviations of the terms
        j = top[:, None] + np.arange(-spread, spread + 1)
        with np.errstate(invalid="ignore"):
            log_z = (b / a) * (np.log(t) - np.log(a)) - np.log(phi) / a - np.log(b)
            terms = np.where(j >= 1, j * log_z[:, None] - gammaln(j + 1) - gammaln(j * b / a), -np.inf)
        density[part] += logsumexp(terms, axis=1) - np.log(t)
    return density
