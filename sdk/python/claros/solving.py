# SPDX-License-Identifier: BSD-3-Clause
"""Solve, check, resume, compare and predict."""
import atexit
import os
import time
import warnings
import weakref

import numpy as np

from . import _claros, arrays, errors
from .result import Result
from .threads import default_threads

ROLES = ("objective", "smoother", "penalty", "set", "estimator", "algorithm", "data")
SECTIONS = ("stop", "trace", "run", "start", "output")
_TARGETS = ("gap", "relative_gap", "residual", "value")
_WAIT = 0.05  # seconds after which signals are checked
_running = weakref.WeakSet()
_owner = os.getpid()


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a solve. `result` is the best point so far, or None where a step did not end in time; the
    thread of the solve then ends by itself."""

    result = None


def text_of(value):
    """A value of a parameter as a specification has it; numbers keep their bits."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(text_of(entry) for entry in np.asarray(value).ravel())
    raise errors.UsageError([("", f"a value of type {type(value).__name__}", "give a number, a text or a list of numbers")])


def _fill(request, settings, path, given):
    """A role or a section: a name, a dict of parameters and roles within, or an object."""
    if isinstance(given, str):
        settings.append((f"{path}.use", given))
    elif isinstance(given, dict):
        for key, value in given.items():
            _fill_key(request, settings, f"{path}.{key}", value)
    elif isinstance(given, (list, tuple)):
        for number, part in enumerate(given, 1):
            _fill(request, settings, f"{path}.{number}", part)
    else:
        request.objects = {**request.objects, path: given}


def _fill_key(request, settings, name, value):
    parts = isinstance(value, dict) or (isinstance(value, (list, tuple)) and any(isinstance(part, dict) for part in value))
    is_number = isinstance(value, (str, bool, int, float, list, tuple, np.ndarray, np.generic, os.PathLike))
    if parts or not is_number:
        _fill(request, settings, name, value)
    elif value is not None:
        settings.append((name, text_of(value)))


def _data(data):
    """A tuple (X, y) becomes rows of a linear model, one of three arrays entries of a matrix."""
    if data is None or isinstance(data, _claros.Data):
        return data
    if isinstance(data, dict) and "X" in data:
        known = ("X", "y", "sample_weight", "offset")
        complaints = [(f"data.{key}", "is not known", "write one of " + ", ".join(known)) for key in data if key not in known]
        if "y" not in data:
            complaints.append(("data.y", "is missing", "give a number or a class for every row of X"))
        if complaints:
            raise errors.UsageError(complaints)
        return arrays.rows(data["X"], data["y"], data.get("sample_weight"), data.get("offset"))
    if isinstance(data, tuple) and len(data) == 2:
        return arrays.rows(*data)
    if isinstance(data, tuple) and len(data) == 3:
        return arrays.ratings(*data)
    raise errors.UsageError([("data", f"an object of type {type(data).__name__}",
                              "give (X, y), (rows, cols, values), claros.rows(...), claros.ratings(...) or a name")])


def request_of(specification=None, *, data=None, start=None, on_step=None, **given):
    """The request of the library for the arguments of `solve`."""
    request = request_of_changes(data=data, start=start, **given)
    request.file = os.fspath(specification) if specification is not None else ""
    request.on_step = on_step
    if not any(name == "run.threads" for name, _ in request.settings) and not request.file:
        request.settings = request.settings + [("run.threads", str(default_threads()))]
    return request


def request_of_changes(*, data=None, start=None, **given):
    """The same without what a request has by default."""
    request = _claros.Request()
    settings = []
    for name, value in given.items():
        if value is None:
            continue
        if "." in name:
            _fill_key(request, settings, name, value)
        elif name == "stop" and not isinstance(value, dict):
            settings.append(("stop.relative_gap", text_of(value)))
        elif name in ROLES or name in SECTIONS:
            _fill(request, settings, name, value)
        else:
            from difflib import get_close_matches

            near = get_close_matches(name, ROLES + SECTIONS, 1)
            raise errors.UsageError([(name, "is not an argument", f"did you mean {near[0]!r}?" if near else
                                      f"write one of {', '.join(ROLES + SECTIONS)}, or a dotted name")])
    if isinstance(data, (str, dict)) and not (isinstance(data, dict) and "X" in data):
        _fill(request, settings, "data", data)
    else:
        request.data = _data(data)
    request.start = start
    request.settings = settings
    return request


@atexit.register
def _end_all():
    """Work that goes on when the interpreter ends is asked to end, and waited for a little."""
    if os.getpid() != _owner:
        return
    until = time.monotonic() + 2.0
    for task in list(_running):
        task.interrupt()
        task.wait(max(0.0, until - time.monotonic()))


def wait_for(task):
    """The result of a task. Ctrl-C is answered within 100 ms, whatever the task does."""
    _running.add(task)
    try:
        while not task.wait(_WAIT):
            pass
    except KeyboardInterrupt:
        task.interrupt()
        ended = task.wait(_WAIT)
        interruption = Interrupted()
        if ended and task.raised() is None:
            try:
                interruption.result = task.result()
            except errors.Error:
                pass
        raise interruption from None
    return task.result()


def _pass_on(task, facts, folder):
    messages = task.messages()
    for warned, text in messages:
        if warned:
            warnings.warn(text, errors.ClarosWarning, stacklevel=4)
    return Result(facts, messages, folder)


def _raise_failure(task, result):
    """What Python code raised comes out as itself; a failed run as an error. Both keep the run's best point."""
    raised = task.raised()
    if raised is not None:
        try:
            raised.claros_result = result
        except AttributeError:
            pass
        raise raised
    if result.failed:
        error = errors.make(result.failure_kind, [("", result.failure, "")])
        error.result = result
        raise error
    if result.trouble:
        warnings.warn(f"{result.status}: {result.failure or result.explanation}", errors.ClarosWarning, stacklevel=4)


def finish(task, folder=""):
    """A task of a solve to its Result; `folder`: where it is kept."""
    try:
        facts = wait_for(task)
    except Interrupted as interruption:
        if interruption.result is not None:
            interruption.result = Result(interruption.result, task.messages(), folder)
        raise
    except errors.Error:
        raised = task.raised()
        if raised is not None:
            raise raised from None
        raise
    result = _pass_on(task, facts, folder)
    _raise_failure(task, result)
    return result


def solve(specification=None, *, progress=None, out=None, **given):
    """Minimises f(x) + R(x) + h(x) over x in C, and returns a Result.

    specification   the file of a specification; the arguments are set on top of it
    objective, penalty, set, smoother, estimator, algorithm
                    a name ("l1"), a dict ({"use": "l1", "lambda": 0.1}) or an object with the methods of its kind
    data            (X, y), (rows, cols, values), what claros.rows or claros.ratings made, or a data component
    stop            a dict of stopping rules, or a relative gap; default: a verified relative gap of 1e-6
    run, trace, start, output
                    dicts of the sections of these names; start may be a point
    **{"a.b": c}    any parameter by its dotted name: **{"penalty.lambda": 0.1}
    on_step         called as on_step(iteration, seconds, value, gap) after every step; False ends the run
    progress        True: a line of progress; a callable gets the same arguments, ten times a second
    out             a folder for results and checkpoints, from which `resume` continues

    Raises claros.Error with all `complaints`; what Python code raised comes out as itself, with `claros_result`.
    """
    shown = _progress(given, progress)
    request = request_of(specification, **_with_start({**given, "on_step": shown} if shown else given))
    request.folder = _folder(out)
    try:
        return finish(_claros.solve(request), request.folder)
    finally:
        if shown:
            shown.end()


def _folder(out):
    return os.path.abspath(out) if out is not None else ""


def _with_start(given):
    start = given.get("start")
    if start is None or isinstance(start, (dict, str)):
        sections = {} if start is None else {"start": None}
        named = {f"start.{key}": value for key, value in start.items()} if isinstance(start, dict) else {}
        if isinstance(start, str):
            named = {"start.from": start}
        return {**given, **sections, **named}
    return given


def _progress(given, progress):
    if not progress:
        return None
    if given.get("on_step") is not None:
        raise errors.UsageError([("progress", "is given together with on_step", "give one of them")])
    from .progress import Progress

    return Progress(progress if callable(progress) else None)


def check(specification=None, **given):
    """Reports everything that `solve` would refuse, without a step; returns every parameter as a specification."""
    request = request_of(specification, **_with_start(given))
    task = _claros.check(request)
    try:
        return wait_for(task)
    except errors.Error:
        if task.raised() is not None:
            raise task.raised() from None
        raise


def resume(folder, **given):
    """Continues the run of a folder that `solve(out=...)` or `claros run --out` made, bit for bit."""
    request = request_of(None, **given)
    request.settings = [pair for pair in request.settings if pair[0] != "run.threads"]
    request.folder, request.resumes = _folder(folder), True
    return finish(_claros.solve(request), request.folder)


class Comparison(dict):
    """Names of variants, and their Results."""

    folder = None

    def report(self, out=None):
        """Writes one page of all variants, by default report.html in the folder of `compare(out=...)`; returns its name."""
        from . import program

        if self.folder is None:
            raise errors.UsageError([("report", "the comparison is in no folder", "compare with out=FOLDER")])
        return program.report([result.folder for result in self.values()], out or os.path.join(self.folder, "report.html"))


def compare(variants, *, out=None, **common):
    """Solves every variant, a dict of names to arguments of `solve`, with the arguments that all share.

    out: a folder that gets a folder of each name, as `solve(out=...)` writes it. Returns a dict of names to Results.
    """
    made = Comparison()
    made.folder = _folder(out) or None
    for name, variant in variants.items():
        own = {} if out is None else {"out": os.path.join(made.folder, name)}
        made[name] = solve(**{**common, **own, **variant})
    return made


def predict(result, X=None, *, rows=None, cols=None, offset=None):
    """What a solution says of new data: <a_i, x> + intercept of rows X, or entries (rows, cols) of a matrix.

    Of a linear model these are the numbers z; the estimators of claros.linear turn them into classes and counts.
    """
    if X is not None:
        table = arrays.finite(arrays.matrix(X)[0])
        if result.linear is None or table.shape[1] != result.linear["features"]:
            expected = result.linear["features"] if result.linear else "no"
            raise errors.UsageError([("X", f"{table.shape[1]} columns, expected {expected}", "give the columns of the fit")])
        z = table @ result.coef + result.intercept
        return z if offset is None else z + arrays.vector(offset, "offset", table.shape[0])
    if rows is None or cols is None:
        raise errors.UsageError([("predict", "neither X nor rows and cols", "give one of them")])
    m, n = (result.U.shape[0], result.V.shape[0]) if result.U is not None else np.shape(result.x)
    i, j = arrays.positions(rows, "rows", m), arrays.positions(cols, "cols", n)
    if i.size != j.size:
        raise errors.UsageError([("predict", f"{i.size} rows and {j.size} cols", "give one of each an entry")])
    values = np.einsum("kr,kr->k", result.U[i] * result.s, result.V[j]) if result.U is not None else result.x[i, j]
    facts = result.ratings or {"mean": 0.0, "row": np.empty(0), "col": np.empty(0)}
    values = values + facts["mean"]
    for biases, index in ((facts["row"], i), (facts["col"], j)):
        if biases.size:
            values = values + biases[index]
    return values
