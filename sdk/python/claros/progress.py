# SPDX-License-Identifier: BSD-3-Clause
"""Progress of a solve, in a terminal or a notebook."""
import math
import sys
import time

_INTERVAL = 0.1  # seconds


class Progress:
    """Called after every step; shows or passes on what is known ten times a second."""

    def __init__(self, callback=None):
        self._callback, self._due = callback, 0.0
        self._value = self._gap = math.nan
        self._shown = False

    def __call__(self, iteration, seconds, value, gap):
        if not math.isnan(value):
            self._value, self._gap = value, gap
        now = time.monotonic()
        if now < self._due:
            return True
        self._due = now + _INTERVAL
        if self._callback:
            return self._callback(iteration, seconds, self._value, self._gap)
        sys.stderr.write(f"\r{iteration} steps, {seconds:.1f} s, value {self._value:.6g}, gap {self._gap:.2e}  ")
        sys.stderr.flush()
        self._shown = True
        return True

    def end(self):
        """Leaves what was shown, and goes on below it."""
        if self._shown:
            sys.stderr.write("\n")
