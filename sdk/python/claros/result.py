# SPDX-License-Identifier: BSD-3-Clause
"""What a solve leaves: arrays, numbers and texts alone, so that it can be pickled."""
import html
import math

import numpy as np

_SHOWN = ("status", "value", "gap", "certifies", "iterations", "elapsed_seconds")


def relative_gap(gap, value):
    """gap / |value|; of the value 0 infinite, unless the gap is 0 too."""
    return gap / abs(value) if value else math.inf if gap else 0.0


def parted(x, linear):
    """Coefficients and intercept of the variable of a linear model."""
    outputs = linear["outputs"]
    if not linear["intercept"]:
        return x, (0.0 if outputs == 1 else np.zeros(outputs))
    flat = x.ravel(order="F")
    coefficients, intercept = flat[:-outputs], flat[-outputs:]
    if outputs == 1:
        return coefficients, float(intercept[0])
    return coefficients.reshape(-1, outputs, order="F"), intercept


class Result:
    """The solution of a solve and what is known of it.

    x              the solution, (p,) or (m, n), a list of blocks for a product; of low rank expanded when first read
    U, s, V        of a solution of low rank, X = U diag(s) V'; else None
    value, gap     at the solution, on all data; `certifies` says whether value - gap is a bound of the minimum
    certifies      what is proved of the solution, as a sentence; empty when nothing
    status         why the run ended: "relative-gap", "iterations", "interrupted", ...
    counts, trace  calls of the oracles; the measured points as a dict of arrays
    messages       notes and warnings of the run
    folder         where the run is kept, from solve(out=...) or resume; else None
    """

    def __init__(self, facts, messages=(), folder=""):
        solution = facts.pop("solution")
        self.__dict__.update(facts)
        self.folder = folder or None
        self.messages = [text for _, text in messages]
        self.U = self.s = self.V = None
        self._x = solution
        if isinstance(solution, tuple):
            self.U, self.s, self.V = solution
            self._x = None

    @property
    def x(self):
        if self._x is None:
            self._x = (self.U * self.s) @ self.V.T
        return self._x

    @property
    def relative_gap(self):
        """gap / |value|; 0 of a value that met its target as 0 to rounding."""
        if self.status == "relative-gap" and self.gap >= abs(self.value):
            return 0.0
        return relative_gap(self.gap, self.value)

    @property
    def coef(self):
        """Of a linear model: the coefficients, (p,) or (p, K) of K classes."""
        return self._parted()[0]

    @property
    def intercept(self):
        """Of a linear model: the intercept, or one a class; 0 without one."""
        return self._parted()[1]

    def _parted(self):
        if not self.linear:
            from .errors import UsageError

            raise UsageError([("result", "not of a linear model", "read x")])
        return parted(np.asarray(self.x), self.linear)

    def report(self, out=None):
        """Writes the page of `claros report` for a browser, by default report.html in `folder`; returns its name."""
        from .program import report_of

        return report_of(self.folder, out)

    def __repr__(self):
        rows = "".join(f"\n  {name:15} {getattr(self, name)}" for name in _SHOWN)
        return f"<claros.Result{rows}>"

    def _repr_html_(self):
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(str(getattr(self, name)))}</td></tr>"
            for name in _SHOWN
        )
        return f"<table>{rows}</table>"
