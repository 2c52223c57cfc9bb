# SPDX-License-Identifier: BSD-3-Clause
"""Errors of Claros: everything that is wrong, each with its place and what to do about it."""
from collections import namedtuple

Complaint = namedtuple("Complaint", "where what remedy")
Complaint.__doc__ = "One thing that is wrong: where, what was found and expected, and what to do (may be empty)."


class Error(Exception):
    """What the caller can act upon. `complaints` holds everything that was found, not only the first.

    `result` is what a run had when it failed, its last sound point as the solution; else None.
    """

    result = None
    kind = None

    def __init__(self, complaints):
        if isinstance(complaints, str):
            complaints = [("", complaints, "")]
        self.complaints = [Complaint(*complaint) for complaint in complaints]
        super().__init__("\n".join(_sentence(complaint) for complaint in self.complaints))

    def __reduce__(self):
        return type(self), ([tuple(complaint) for complaint in self.complaints],)


class UsageError(Error, ValueError):
    """A composition, an option or a call that cannot be meant."""


class PluginError(Error, RuntimeError):
    """A component that cannot be loaded, or that broke its contract."""


class DataError(Error, ValueError):
    """A file or an array whose content is not what was expected."""


class NumericalError(Error, ArithmeticError):
    """A computation that gave NaN, diverged, or did not converge."""


class ClarosWarning(UserWarning):
    """What the user should know of a run that goes on, or that ended without its target."""


_KINDS = (UsageError, PluginError, DataError, NumericalError)
for _number, _kind in enumerate(_KINDS):
    _kind.kind = _number


def _sentence(complaint):
    place = f"{complaint.where}: " if complaint.where else ""
    return f"{place}{complaint.what}" + (f" ({complaint.remedy})" if complaint.remedy else "")


def make(kind, complaints):
    """The exception of a kind of error of the library."""
    return _KINDS[kind](complaints)
