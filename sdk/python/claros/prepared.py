# SPDX-License-Identifier: BSD-3-Clause
"""Many small problems of one composition."""
from . import _claros, errors
from .solving import _files, _with_start, finish, raise_own, request_of, request_of_changes, started, wait_for


class PreparedSolver:
    """Keeps its components from one run to the next; each run gives what `claros.solve` gives, bit for bit.

    One thread at a time uses an object; several objects may run at once.
    """

    def __init__(self, specification=None, **given):
        request = request_of(specification, _prepared={}, **_with_start(given))
        self._settings = dict(request.settings)
        self._files = _files.pop(request, [])
        task = _claros.prepare(request)
        del request  # as in claros.solve
        try:
            self._solver = wait_for(task)
        except errors.Error:
            raise_own(task)
            raise
        self._messages = task.messages()

    def solve(self, *, data=None, start=None, **changes):
        """A Result, with other data, another start, or other values of parameters, which stay for the runs after it
        unless they are refused.

        data, start   as in `claros.solve`
        **changes     penalty={"lambda": 0.2}, or by its dotted name **{"stop.relative_gap": 1e-8}
        """
        request = request_of_changes(data=data, _prepared=self._settings, **_with_start({"start": start, **changes}))
        self._files += _files.pop(request, [])
        if request.objects:
            raise errors.UsageError([(path, "an object of Python is given to a prepared solver",
                                      "give it to claros.prepare") for path in request.objects])
        return finish(started(self._solver.solve, request))


def prepare(specification=None, **given):
    """A PreparedSolver for many small problems in a loop. The arguments are those of `claros.solve`."""
    return PreparedSolver(specification, **given)
