# SPDX-License-Identifier: BSD-3-Clause
"""Times until an event, some of them censored: Cox' proportional hazards.

The hazard of a row is h_0(t) exp(<a_i, x>): minus the logarithm of the partial likelihood, over the number of rows,
plus a penalty, is minimised to a verified relative gap of `tol`. Fitted objects hold arrays, numbers and texts alone.
"""
import os
import tempfile

import numpy as np
from sklearn.utils.validation import check_array

from . import _claros, arrays
from .estimators import COMMON, FINITE, weights_of, without_zeros
from .linear import _OF_SCIKIT_LEARN, _LinearModel, _cross_validated, _limit_of_concave, require_rows


def times_and_events(y):
    """Times of entry (n,) or None, times >= 0, (n,), and whether the event was seen, (n,).

    y: (n, 2) with the time and 0 or 1, or (n, 3) with the times of entry and end before it: a row is at risk in (entry, end].
    A table of the columns time and event, or start, stop and event; a structured array of a field of booleans (the event)
    and one of numbers, or the fields start and stop. Raises ValueError.
    """
    y = arrays.numeric(arrays.of_rows(y, "y"), "y")
    names = getattr(getattr(y, "dtype", None), "names", None)
    if names:
        events = [name for name in names if y.dtype[name].kind == "b"]
        times = [name for name in names if name not in events]
        if len(events) != 1 or len(times) not in (1, 2) or len(times) == 2 and {name.lower() for name in times} != {"start", "stop"}:
            raise ValueError(f"y has the fields {', '.join(names)}: expected one of booleans, the event, and one of times, or start and stop")
        times = sorted(times, key=str.lower)  # start comes before stop
        columns, event = [y[name].astype(float) for name in times], y[events[0]]
    else:
        known = {str(name).lower(): name for name in getattr(y, "columns", ())}
        for wanted in (("time", "event"), ("start", "stop", "event")):
            if known.keys() == set(wanted) and len(y.columns) == len(wanted):
                y = y[[known[name] for name in wanted]]
        if np.ndim(y) == 1:
            raise ValueError("y has one dimension: expected (n, 2), the time and 1 for an event or 0 (np.column_stack([time, event]))")
        table = check_array(y, dtype=np.float64, input_name="y")
        if table.shape[1] not in (2, 3):
            raise ValueError(f"y has the shape {table.shape}: expected (n, 2), the time and 1 for an event or 0, or (n, 3) with the "
                             "time of entry before")
        columns, event = list(table[:, :-1].T), table[:, -1]
        if not np.isin(event, (0, 1)).all():
            raise ValueError(f"y: {event[~np.isin(event, (0, 1))][0]:g} as an event, expected 0 (censored) or 1"
                             + ("; is the order (event, time)?" if np.isin(columns[0], (0, 1)).all() else ""))
    time, entry = np.array(columns[-1], dtype=float), np.array(columns[0], dtype=float) if len(columns) == 2 else None
    if not (np.isfinite(time).all() and (time >= 0).all()):
        raise ValueError("y: times have to be finite and at least 0")
    early = None if entry is None else np.isfinite(entry) & (entry < time)
    if early is not None and not early.all():
        row = int(np.flatnonzero(~early)[0])
        raise ValueError(f"y: row {row} enters at {entry[row]:g} and ends at {time[row]:g}; expected an entry before the end")
    event = event.astype(bool)
    if not event.any():
        raise ValueError("y: all rows are censored, so that no risk can be estimated")
    return entry, time, event


class CoxRegression(_LinearModel):
    """-(1/n) log partial likelihood + alpha sum_j v_j (l1_ratio |x_j| + (1 - l1_ratio)/2 x_j^2), v = penalty_weights, or another
    penalty of GeneralizedLinearRegressor.

    With weights w of the rows they are scaled to sum n. Rows of one stratum (`strata` of fit) are compared with each
    other alone. coef_: (p,). baseline_: for every stratum of strata_ the times of events and the cumulative hazard of a
    row of risk 0 there. The m events of one time share the risk set as in the likelihood: each has the whole of it
    (ties="breslow", Breslow 1974), or the k-th has it without k/m of the events (ties="efron", Efron 1977).
    With times of entry in y a row is at risk from its entry on alone: late entry (left truncation), or several rows of a
    subject, one for each span of time in which its columns stay the same.
    """

    _parameters = {"alpha": 0.1, "l1_ratio": 1.0, "ties": "breslow", "penalty": "elastic-net", "b": 3.0, "zeta": 3.7, "groups": None,
                   "group_weights": "none", "penalty_weights": None, "positive": False,
                   **{k: v for k, v in COMMON.items() if k != "fit_intercept"}}
    _fitted = (*(name for name in _LinearModel._fitted if name != "intercept_"), "strata_", "baseline_")
    _example = ("X, np.column_stack([np.exp(-y), y > -1])", "fit.predict_survival(X[:2], times=[1.0, 2.0, 3.0]).shape", "(2, 3)")
    _components = ("objective/cox", "penalty/elastic-net")
    _loss, fit_intercept = "cox", False  # a shift of all risks changes nothing

    @property
    def _penalty(self):
        named = _OF_SCIKIT_LEARN.get(self.penalty, self.penalty)
        return "l1" if named == "elastic-net" and np.all(np.equal(self.l1_ratio, 1)) else named

    def _limit(self, name):
        return {"breslow", "efron"} if name == "ties" else _limit_of_concave(self, name)

    def _objective(self):
        return {"use": "cox", "ties": self.ties, "standardize": False, **self._files}

    def fit(self, X, y, sample_weight=None, offset=None, strata=None):
        """X: (n, p), dense or sparse; y: see times_and_events; sample_weight and offset: (n,); strata: (n,) labels.
        Raises ValueError."""
        self._require_parameters()
        given, (entry, time, event) = X, times_and_events(y)
        X = check_array(arrays.readable(X), dtype=(np.float64, np.float32), estimator=self, accept_sparse=("csr", "csc"),
                        **{FINITE: True})
        if X.shape[0] != len(time):
            raise ValueError(f"X has {X.shape[0]} rows and y {len(time)}")
        division = getattr(self, "_division", 1)
        require_rows(X, division if isinstance(division, int) else 1)
        weights = weights_of(sample_weight, X.shape[0])
        offset = None if offset is None else arrays.vector(offset, "offset", X.shape[0])
        strata = np.zeros(len(time), int) if strata is None else arrays.labels(strata, "strata", len(time))
        weights, X, entry, time, event, strata, offset = without_zeros(weights, X, entry, time, event, strata, offset)
        self.strata_, stratum = np.unique(strata, return_inverse=True)
        if not event.any():
            raise ValueError("sample_weight: all rows with an event have the weight 0")
        with tempfile.TemporaryDirectory() as folder:
            self._files = self._columns(folder, entry, time, event, stratum)
            try:
                signed = time if "event" in self._files else np.where(event, time, -time)
                coefficients, _ = self._fit(X, signed, weights, offset)
            finally:
                del self._files
        self._remember_columns(given, X.shape[1])
        self.coef_ = np.array(coefficients, dtype=X.dtype)
        risk = np.asarray(X @ coefficients).ravel() + (0.0 if offset is None else offset)
        self._hazards = [_hazard(*(None if part is None else part[rows] for part in (entry, time, event, risk, weights)), self.ties)
                         for rows in (stratum == k for k in range(len(self.strata_)))]
        with np.errstate(over="ignore"):  # of columns far from 0, a risk of 0 may be out of any range
            self.baseline_ = [(at, np.exp(hazard)) for at, hazard in self._hazards]
        return self

    def _columns(self, folder, entry, time, event, stratum):
        """Options that name files: events where the sign of a time cannot tell, strata, and entries."""
        files = {}
        if (time == 0).any():
            files["event"] = event
        if len(self.strata_) > 1:
            files["strata"] = stratum
        if entry is not None:
            files["entry"] = entry
        for name, values in files.items():
            files[name] = os.path.join(folder, f"{name}.txt")
            np.savetxt(files[name], values, fmt="%.17g")
        return files

    def predict(self, X, offset=None):
        """(n,), the logarithm of the hazard ratio, X coef_ + offset. offset: (n,)."""
        return self._with_offset(np.asarray(self._rows(X, accept_sparse=("csr", "csc")) @ self.coef_).ravel(), offset)

    def predict_survival(self, X, times, stratum=None, offset=None):
        """(n, len(times)), the probability that the event comes later than a time. stratum: one of strata_; offset: (n,)."""
        risk = self.predict(X, offset)
        if stratum is None and len(self.strata_) > 1:
            raise ValueError(f"stratum: the fit has {len(self.strata_)}, name one of strata_")
        found = [k for k, label in enumerate(self.strata_) if stratum is None or label == stratum]
        if not found:
            raise ValueError(f"stratum: {stratum!r} is not in the fit, which has {str(self.strata_[:10].tolist())[1:-1]}")
        times = arrays.vector(np.atleast_1d(times), "times")
        if np.isnan(times).any():
            raise ValueError(f"times: entry {int(np.argmax(np.isnan(times)))} is NaN; expected numbers")
        at, hazard = self._hazards[found[0]]
        cumulative = np.concatenate([[-np.inf], hazard])[np.searchsorted(at, times, side="right")]
        with np.errstate(over="ignore"):
            return np.exp(-np.exp(risk[:, None] + cumulative[None, :]))

    def score(self, X, y, strata=None, offset=None):
        """The concordance: the share of the pairs of which it is known whose event comes first that the risk orders so.
        strata, offset: (n,)."""
        entry, time, event = times_and_events(y)
        labels = np.zeros(len(time), int) if strata is None else np.unique(arrays.labels(strata, "strata", len(time)), return_inverse=True)[1]
        return _claros.concordance(time, event, labels, self.predict(X, offset), np.empty(0) if entry is None else entry)


def _hazard(entry, time, event, risk, weights, ties):
    """Times of events, ascending, and the logarithm of the cumulative hazard up to each of a row of risk 0.
    Sums are taken by logarithms: exponentials of the risks underflow if the fit has no attained infimum."""
    share = risk if weights is None else risk + np.log(weights)
    order = np.argsort(time, kind="stable")
    share, dies = share[order], event[order]
    times, first, place = np.unique(time[order], return_index=True, return_inverse=True)
    at_risk = (np.logaddexp.accumulate(share[::-1])[::-1][first] if entry is None
               else _sums_at_risk(times, entry[order], time[order], share))
    count = np.bincount(place[dies], minlength=len(times))
    dead = np.bincount(place[dies], None if weights is None else weights[order][dies], len(times))
    each = np.repeat(np.arange(len(times)), count)  # the time of each event
    left = at_risk[each]
    if ties == "efron":
        earlier = np.arange(len(each)) - np.repeat(np.cumsum(count) - count, count)
        dying = np.exp(_log_sums(place[dies], share[dies], len(times))[each] - left)
        left = left + np.log1p(-earlier / count[each] * dying)
    kept = count > 0
    steps = _log_sums(each, np.log(dead[each] / count[each]) - left, len(times))
    return times[kept], np.logaddexp.accumulate(steps[kept])


def _log_sums(place, logs, count):
    """The logarithms of the sums at each of `count` places of numbers that are given by their logarithms."""
    sums = np.full(count, -np.inf)
    np.logaddexp.at(sums, place, logs)
    return sums


def _sums_at_risk(times, entry, time, share):
    """For each of the ascending times t the logarithm of the sum of the shares, given by logarithms, of the
    rows with entry < t <= time. A row adds to the nodes of a tree over the times that cover its own, so that
    nothing is subtracted."""
    count = len(times)
    nodes = np.full(2 * count, -np.inf)
    low = np.searchsorted(times, entry, side="right") + count
    high = np.searchsorted(times, time, side="right") + count
    while (open_ := low < high).any():
        odd = open_ & (low % 2 == 1)
        np.logaddexp.at(nodes, low[odd], share[odd])
        low = low + odd
        odd = open_ & (high % 2 == 1)
        high = high - odd
        np.logaddexp.at(nodes, high[odd], share[odd])
        low, high = low // 2, high // 2
    first = 2
    while first < 2 * count:  # a level of the tree
        level = np.arange(first, min(2 * first, 2 * count))
        nodes[level] = np.logaddexp(nodes[level], nodes[level // 2])
        first *= 2
    return nodes[count:]


CoxRegressionCV = _cross_validated(CoxRegression)
