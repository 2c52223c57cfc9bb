# SPDX-License-Identifier: BSD-3-Clause
"""Claros: structured optimization, composed at run time from components.

    import claros
    result = claros.solve(objective="linear-model", penalty={"use": "l1", "lambda": 0.1}, data=(X, y))
    result.x, result.gap, result.certifies

`claros.linear`, `claros.matrix` and `claros.survival` have estimators for scikit-learn, which they import;
`claros.inference` says how sure their fits are.
"""
from ._claros import version as _version
from .arrays import ratings, rows
from .blocks import convert
from .catalogue import components, describe, doctor
from .errors import ClarosWarning, Complaint, DataError, Error, NumericalError, PluginError, UsageError
from .paths import CrossValidation, Path
from .prepared import PreparedSolver, prepare
from .result import Result
from .solving import Interrupted, check, compare, predict, resume, solve
from .threads import default_threads

__version__ = _version()
__all__ = [
    "ClarosWarning", "Complaint", "CrossValidation", "DataError", "Error", "Interrupted", "NumericalError", "Path",
    "PluginError", "PreparedSolver", "Result", "Table", "UsageError", "check", "compare", "components", "convert", "default_threads", "describe",
    "doctor", "predict", "prepare", "ratings", "resume", "rows", "solve",
]


def __getattr__(name):
    if name in _MODULES:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    if name == "Table":  # a transformer of scikit-learn, which is imported then
        from .table import Table

        return Table
    if name[:1].isupper():
        _say_where(name)
    from difflib import get_close_matches

    near = get_close_matches(name, [*__all__, *_MODULES], 1)
    lead = _ELSEWHERE.get(name) or (f"did you mean {near[0]!r}?" if near else "")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{lead and f' ({lead})'}")


_MODULES = ("inference", "linear", "matrix", "survival")
_ELSEWHERE = {**dict.fromkeys(("fit", "minimize", "minimise", "run", "optimize"), "write claros.solve, or an estimator of claros.linear"),
              **dict.fromkeys(("help", "list", "info"), "write claros.describe(NAME), or claros.components()"),
              "cv": "write claros.CrossValidation", "path": "write claros.Path", "fit_transform": "write claros.Table"}


def _say_where(name):
    """ImportError for a class of a module of the package: `from claros import Lasso` shows no other text."""
    from importlib import import_module

    for module in ("linear", "matrix", "survival"):
        try:
            there = import_module(f"{__name__}.{module}")
        except ImportError:  # without scikit-learn
            return
        if hasattr(there, name):
            raise ImportError(f"claros.{module} has {name}: from claros.{module} import {name}")
