# SPDX-License-Identifier: BSD-3-Clause
"""What a solve leaves: arrays, numbers and texts alone, so that it can be pickled."""
import html
import math

import numpy as np

_FEW = 10
_SHOWN = ("status", "value", "gap", "certifies", "iterations", "elapsed_seconds")


def relative_gap(gap, value):
    """gap / |value|; of the value 0 infinite, unless the gap is 0 too."""
    return gap / abs(value) if value else math.inf if gap else 0.0


def effects(coef, linear):
    """Coefficients times the deviations of their columns, if columns were standardised; coef else."""
    deviations = linear["deviations"]
    return coef * np.reshape(deviations, np.shape(coef), order="F") if len(deviations) == np.size(coef) else coef


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
    coef, intercept, coefficients
                   of a linear model; the last by the names of the columns, as a pandas Series
    solution       x by the names of the columns and rows, as a pandas Series or DataFrame
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

    @property
    def coefficients(self):
        """Of a linear model: coef with the names of the columns, a pandas Series (a DataFrame of several classes) if pandas is
        installed and the fit was on a table; else the array coef."""
        coef, names = self.coef, self.linear and self.linear["columns"]
        try:
            import pandas
        except ImportError:
            return coef
        if not names:
            return coef
        if coef.ndim == 1:
            return pandas.Series(coef, index=names, name="coefficient")
        return pandas.DataFrame(coef, index=names, columns=self.linear["classes"] or None)

    @property
    def solution(self):
        """x with the names of its rows and columns, a pandas Series or DataFrame if pandas is installed and there are names (of
        the columns of the data, the variables of a linear program, the arcs of a graph); else x. Of a linear model: coefficients."""
        if self.linear:
            return self.coefficients
        rows, cols = (names or None for names in self.names)
        try:
            import pandas
        except ImportError:
            return self.x
        if not (rows or cols):
            return self.x
        if self.x.ndim == 1:
            return pandas.Series(self.x, index=rows, name="value")
        return pandas.DataFrame(self.x, index=rows, columns=cols)

    def pairs(self):
        """The (row, column) of every entry that is not 0 of a matrix, by their names where they have some: an assignment."""
        rows, cols = self.names
        return [(rows[i] if rows else int(i), cols[j] if cols else int(j)) for i, j in zip(*np.nonzero(self.x), strict=True)]

    def _solution_text(self):
        """The solution in a line: named coefficients in the order of their effects, few entries, or the size and the rank."""
        if self.U is not None:
            return f"{len(self.U)} x {len(self.V)} of rank {len(self.s)}"
        if isinstance(self.x, list):
            return f"{len(self.x)} blocks"
        x = np.asarray(self.x)
        if self.linear and self.linear["columns"] and self.linear["outputs"] == 1:
            order = np.argsort(-np.abs(effects(self.coef, self.linear)), kind="stable")
            order = [j for j in order if self.coef[j] != 0]
            shown = [f"{self.linear['columns'][j]} {self.coef[j]:.6g}" for j in order[:_FEW]]
            return ", ".join(shown) + (f", and {len(order) - _FEW} more" if len(order) > _FEW else "") or "0"
        if x.ndim == 1 and x.size <= _FEW:
            return ", ".join(f"{name} {value:.6g}".strip() for name, value in zip(self.names[0] or [""] * x.size, x, strict=True))
        if x.ndim == 2 and 0 < np.count_nonzero(x) <= _FEW and any(self.names):
            return ", ".join(f"{i} -> {j}" + ("" if x[k] == 1 else f" {x[k]:.6g}")
                             for k, (i, j) in zip(zip(*np.nonzero(x), strict=True), self.pairs(), strict=True))
        size = f"{x.size} entries" if x.ndim == 1 else " x ".join(map(str, x.shape))
        return f"{size}, {np.count_nonzero(x)} of them not 0"

    def report(self, out=None):
        """Writes the page of `claros report` for a browser, by default report.html in `folder`; returns its name."""
        from .program import report_of

        return report_of(self.folder, out)

    def plot(self, what="convergence", out=None, ax=None):
        """The picture of "convergence" (the gap over passes) or the "solution", entry by entry and named as the data name them.
        With out=FOLDER as `claros plot` makes it (gnuplot), in `folder` or the file out (.svg, .png, .pdf): its name. Else, or with
        `ax`, by matplotlib: the axes."""
        from .pictures import plot_result
        from .program import known_picture, plot_of

        kinds = {"convergence": [], "solution": ["--solution"]}
        if ax is not None or (self.folder is None and out is None):
            return plot_result(self, known_picture(what, kinds), ax)
        return plot_of(self.folder, what, kinds, out)

    def _rows(self):
        shown = [(name, getattr(self, name)) for name in _SHOWN]
        rounded = [(name, f"{value:.{8 if name == 'value' else 3}g}" if isinstance(value, float) else value) for name, value in shown]
        return [*rounded, ("solution", self._solution_text())]

    def __repr__(self):
        rows = "".join(f"\n  {name:15} {value}" for name, value in self._rows())
        return f"<claros.Result{rows}>"

    def _repr_html_(self):
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>"
            for name, value in self._rows()
        )
        return f"<table>{rows}</table>"
