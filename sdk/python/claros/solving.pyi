# SPDX-License-Identifier: BSD-3-Clause
# Written by sdk/python/tools/make_stubs.py.

"""Solve, check, resume, compare and predict."""
from os import PathLike
from typing import Any, Callable, Mapping

from numpy import ndarray

from .components import (Algorithm, Data, Estimator, Objective, Output, Penalty, Run, Set, Smoother, Start,
    Stop, Trace)
from .result import Result

class Interrupted(KeyboardInterrupt):
    result: Result | None

def solve(
    specification: str | PathLike[str] | None = None,
    *,
    objective: Objective | Any = None,
    smoother: Smoother | Any = None,
    penalty: Penalty | Any = None,
    set: Set | Any = None,
    estimator: Estimator | Any = None,
    algorithm: Algorithm | Any = None,
    data: Data | Any = None,
    stop: Stop | float | None = None,
    trace: Trace | None = None,
    run: Run | None = None,
    start: Start | Any | None = None,
    output: Output | None = None,
    on_step: Callable[[int, float, float, float], bool | None] | None = None,
    progress: bool | Callable[[int, float, float, float], bool | None] | None = None,
    out: str | PathLike[str] | None = None,
    **dotted: Any,
) -> Result:
    """Minimises f(x) + R(x) + h(x) over x in C, and returns a Result.

    specification   the file of a specification; the arguments are set on top of it
    objective, penalty, set, smoother, estimator, algorithm
                    a name ("l1"), a dict ({"use": "l1", "lambda": 0.1}) or an object with the methods of its kind
    data            (X, y), (rows, cols, values), a matrix alone where the objective is of one, what claros.rows or
                    claros.ratings made, or a data component
    stop            a dict of stopping rules, or a relative gap; default: a verified relative gap of 1e-6
    run, trace, start, output
                    dicts of the sections of these names; start may be a point
    **{"a.b": c}    any parameter by its dotted name: **{"penalty.lambda": 0.1}
    on_step         called as on_step(iteration, seconds, value, gap) after every step; False ends the run
    progress        True: a line of progress; a callable gets the same arguments, ten times a second
    out             a folder for results and checkpoints, from which `resume` continues

    Raises claros.Error with all `complaints`; what Python code raised comes out as itself, with `claros_result`.
    """

def check(
    specification: str | PathLike[str] | None = None,
    *,
    objective: Objective | Any = None,
    smoother: Smoother | Any = None,
    penalty: Penalty | Any = None,
    set: Set | Any = None,
    estimator: Estimator | Any = None,
    algorithm: Algorithm | Any = None,
    data: Data | Any = None,
    stop: Stop | float | None = None,
    trace: Trace | None = None,
    run: Run | None = None,
    start: Start | Any | None = None,
    output: Output | None = None,
    on_step: Callable[[int, float, float, float], bool | None] | None = None,
    **dotted: Any,
) -> str:
    """Reports everything that `solve` would refuse, without a step; returns every parameter as a specification.
    """

def resume(folder: str | PathLike[str], **given: Any) -> Result: ...
class Comparison(dict[str, Result]):
    folder: str | None
    def report(self, out: str | PathLike[str] | None = None) -> str: ...
def compare(
    variants: Mapping[str, Mapping[str, Any]], *, out: str | PathLike[str] | None = None, **common: Any
) -> Comparison: ...
def predict(result: Result, X: Any = None, *, rows: Any = None, cols: Any = None, offset: Any = None) -> ndarray: ...
