# SPDX-License-Identifier: BSD-3-Clause
"""Progress of a solve, in a terminal or a notebook."""
import math
import sys
import time

_INTERVAL = 0.1  # seconds
_PATIENCE = 1.0  # seconds after which a notebook shows what it did not ask for


def in_notebook():
    """Whether the interpreter is a kernel of Jupyter; IPython is not imported for it."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


class Progress:
    """Called after every step; shows or passes on what is known ten times a second: one line, which each time replaces."""

    def __init__(self, callback=None, patient=False):
        self._callback, self._due = callback, time.monotonic() + _PATIENCE if patient else 0.0
        self._value = self._gap = math.nan
        self._stream, self._shown = sys.stdout if in_notebook() else sys.stderr, ""

    def __call__(self, iteration, seconds, value, gap):
        if not math.isnan(value):
            self._value, self._gap = value, gap
        now = time.monotonic()
        if now < self._due:
            return True
        self._due = now + _INTERVAL
        if self._callback:
            return self._callback(iteration, seconds, self._value, self._gap)
        return self._show(f"{iteration} steps, {seconds:.1f} s, value {self._value:.6g}, gap {self._gap:.2e}")

    def _show(self, line):
        self._stream.write("\r" + line.ljust(len(self._shown)))
        self._stream.flush()
        self._shown = line
        return True

    def end(self):
        """Leaves what was shown, and goes on below it."""
        if self._shown:
            self._stream.write("\n")


class PathProgress(Progress):
    """The same of a path: so many lambdas of all, on all rows or in a fold."""

    def __call__(self, fold, k, count):
        if self._callback:
            return self._callback(fold, k, count)
        if time.monotonic() < self._due:
            return True
        where = "all rows" if fold < 0 else f"fold {fold + 1}"
        return self._show(f"{where}: lambda {min(k + 1, count)} of {count}")
