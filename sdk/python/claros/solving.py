# SPDX-License-Identifier: BSD-3-Clause
"""Solve, check, resume, compare and predict."""
import atexit
import configparser
import contextlib
import os
import time
import types
import warnings
import weakref

import numpy as np

from . import _claros, arrays, errors
from .progress import Progress, in_notebook
from .result import Result
from .threads import default_threads

ROLES = ("objective", "smoother", "penalty", "set", "estimator", "algorithm", "data")
SECTIONS = ("stop", "trace", "run", "start", "output")
_TARGETS = ("gap", "relative_gap", "residual", "value")
_WAIT = 0.05  # seconds after which signals are checked
_PATIENCE = 30.0  # seconds in which an interrupted run may end its step
_running = weakref.WeakSet()
_owner = os.getpid()


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a solve. `result` is the best point so far: reading it waits up to 30 seconds for the step under way;
    it is None if that does not end, and the thread of the solve then ends by itself."""

    _task = _made = _result = None

    @property
    def result(self):
        task = self._task
        if task is not None and task.wait(_PATIENCE):
            self._task = None
            if not task.has_raised():
                try:
                    self._result = self._made(task.result())
                except errors.Error:
                    pass
        return self._result


_ROWS = ("data", "vertices", "graph", "errors_in_variables")  # parameters with a point, an edge or a row of a matrix a row
_ENTRIES = ("weights", "shift", "center", "axes")  # with a number for each entry of the variable, column-major
_OF_FILES = ("test", "row_features", "col_features", "right", "truth", "responses", "response", "weights", "offset", "event", "entry",
             "strata", "groups")  # of objectives: a file, and no numbers written out
_OF_ROWS = ("linear-model", "cox", "square-root")
_OF_A_MATRIX = ("covariance", "distance", "linear", "log-det", "noisy-matrix", "quadratic")


def text_of(value, name=""):
    """A value of a parameter as a specification has it; numbers keep their bits."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if _is_array(value):
        return _text_of_array(value, name)
    raise errors.UsageError([(name, f"a value of type {type(value).__name__}",
                              "give a number, a text or an array of numbers")])


row_counts = weakref.WeakKeyDictionary()  # the numbers of rows in memory of requests
_row_names = weakref.WeakKeyDictionary()  # the texts of a DataFrame's index, of requests and tasks
_have_offset = weakref.WeakKeyDictionary()  # True for requests and tasks whose rows in memory have an offset
_files = weakref.WeakKeyDictionary()  # the files in memory of requests, tasks and prepared solvers


def _takes_file(name, value, use):
    """Whether a value is an array of numbers for a parameter that reads them from a file alone."""
    role, leaf = name.partition(".")[0], name.rpartition(".")[2]
    of_files = leaf in _OF_FILES and (use, leaf) != ("distance", "weights") if role == "objective" else name in (
        "trace.truth", "smoother.data")
    if not of_files or not _is_array(value):
        return False
    if leaf == "test" or arrays.is_sparse(value):
        return True
    try:
        dtype = np.asarray(value).dtype
    except ValueError:  # a list whose parts differ in shape, as _text_of_array says
        return False
    if dtype.kind not in "biuf" and not (leaf == "responses" and dtype.kind == "U"):  # which may be names of columns
        raise errors.UsageError([(name, f"an array of {dtype}", "give numbers, or the name of a file")])
    return dtype.kind in "biuf"


def _file_of(name, value, first):
    """The file that holds an array. first: the number that the file has for the position 0."""
    if name.endswith(".test"):
        if isinstance(value, tuple) and len(value) != 3:
            raise errors.UsageError([(name, f"a tuple of {len(value)}", "give (rows, columns, values), or a matrix")])
        if not isinstance(value, tuple) and np.ndim(value) != 2 and not arrays.is_sparse(value):
            raise errors.UsageError([(name, f"an array of shape {np.shape(value)}", "give (rows, columns, values), or a matrix")])
        rows, cols, values = value if isinstance(value, tuple) else arrays.entries(value, where=name)[:3]
        i, j, v = arrays.positions(rows, name), arrays.positions(cols, name), arrays.vector(values, name)
        if not i.size == j.size == v.size:
            raise errors.UsageError([(name, f"{i.size} rows, {j.size} columns and {v.size} values", "give one of each an entry")])
        lines = [f"{row + first},{col + first},{arrays.text_of_number(entry)}\n"
                 for row, col, entry in zip(i.tolist(), j.tolist(), v.tolist(), strict=True)]
        return _claros.MemoryFile(name, "".join(lines))
    array = np.asarray(arrays.unmasked(value.toarray() if arrays.is_sparse(value) else value, name), dtype=float)
    if array.size == 0:
        raise errors.UsageError([(name, "an array of nothing", "leave it out for the default")])
    if array.ndim > 2:
        raise errors.UsageError([(name, f"an array of shape {array.shape}", "give an array of one or two dimensions")])
    return _claros.MemoryFile(name, np.asfortranarray(array.reshape(-1, 1) if array.ndim < 2 else array))


def _has_no_array(name, written):
    """Whether a parameter does not exist, or is one number or word: the library says so of any text."""
    path, _, leaf = name.rpartition(".")
    for kind in (path.rpartition(".")[2], path.partition(".")[0]):
        try:
            known = _claros.describe(f"{kind}/{written.get(path + '.use', '')}")["parameters"]
        except errors.Error:  # a role of another name than its kind, or an unknown component
            continue
        return all(row["name"] != leaf or row["type"] != "text" for row in known)
    return path in SECTIONS


def _texts(settings, request, written):
    """The settings as texts; the request keeps the files in memory that they name. written: what is set besides, too."""
    texts, kept = [], []
    for name, value in settings:
        if isinstance(value, _claros.MemoryFile):
            kept.append(value)
            value = value.name
        elif _takes_file(name, value, written.get("objective.use", "")):
            ones = request.data is not None and written.get("objective.ids") == "one-based"
            kept.append(_file_of(name, value, 1 if ones else 0))
            value = kept[-1].name
        elif _is_array(value) and (arrays.is_sparse(value) or _is_nested(value)) and _has_no_array(name, written):
            value = "a list of lists" if isinstance(value, (list, tuple)) else f"an array of shape {value.shape}"
        texts.append((name, text_of(value, name)))
    if kept:
        _files[request] = kept
    return texts


def started(make, request):
    """The task that `make` starts for a request, whose files in memory live as long as the task."""
    task = make(request)
    for held in (_files, _row_names, _have_offset):
        if request in held:
            held[task] = held.pop(request)
    return task


def _is_array(value):
    """Whether a value is an array, a table, a sparse matrix, or a list that may be one."""
    lists = isinstance(value, (list, tuple)) and not any(isinstance(part, dict) for part in value)
    return lists or arrays.is_sparse(value) or hasattr(value, "__array__")


def _is_dict(value):
    """Whether a value is a dict of parameters; the sparse matrices dok of scipy are dicts too."""
    return isinstance(value, dict) and not arrays.is_sparse(value)


def _is_nested(value):
    """Whether an array or a list has more than one dimension."""
    return any(np.ndim(part) > 0 for part in value) if isinstance(value, (list, tuple)) else np.ndim(value) > 1


def _text_of_array(value, name):
    """Entries with commas between them; a table has a ; between its rows, or its entries in column-major order."""
    leaf = name.rpartition(".")[2]
    if leaf == "groups" and _is_nested(value):
        return text_of_groups(value, name)
    try:
        array = np.asarray(arrays.unmasked(value.toarray() if arrays.is_sparse(value) else value, name))
    except ValueError as error:
        if isinstance(error, errors.Error):
            raise
        raise errors.UsageError([(name, "a list whose parts differ in shape", "give an array of one shape")]) from None
    if array.ndim == 0:
        return text_of(array.item(), name)
    if array.size == 0:
        raise errors.UsageError([(name, "an array of nothing", "leave it out for the default")])
    if array.ndim == 2 and (leaf in _ROWS or name == "objective.weights"):
        return "; ".join(",".join(map(text_of, row)) for row in array) + (";" if array.size == 1 else "")
    if array.ndim == 2 and (leaf in _ENTRIES or min(array.shape) == 1):
        array = array.ravel(order="F")
    if array.ndim > 1:
        raise errors.UsageError([(name, f"an array of shape {array.shape}, expected one dimension",
                                  "give a list of numbers, or the name of a file")])
    return ",".join(entry_of_list(text_of(entry, name), name) for entry in array)


def entry_of_list(text, name):
    """The text. Raises UsageError if it holds a comma, which would make two entries of it."""
    if "," in text:
        raise errors.UsageError([(name, f"{text!r} holds a comma, which stands between the entries of a list",
                                  "rename it; a column may be given by its number, from 1")])
    return text


def text_of_groups(groups, name):
    """Lists of positions with ; between them. One group of one entry is a range, because a number alone is a size of groups."""
    texts = [", ".join(map(str, arrays.positions(np.atleast_1d(group), name))) for group in groups]
    return f"{texts[0]}-{texts[0]}" if len(texts) == 1 and "," not in texts[0] else "; ".join(texts)


def _fill(request, settings, path, given):
    """A role or a section: a name, a dict of parameters and roles within, or an object."""
    if isinstance(given, str):
        settings.append((f"{path}.use", given))
    elif _is_dict(given):
        for key, value in given.items():
            _fill_key(request, settings, f"{path}.{key}", value)
    elif isinstance(given, (list, tuple)):
        for number, part in enumerate(given, 1):
            _fill(request, settings, f"{path}.{number}", part)
    elif isinstance(given, (bool, int, float)):
        raise errors.UsageError([(path, f"is the number {given!r}", f"name a component, as in {path}={{'use': NAME, ...}}")])
    elif isinstance(given, types.FunctionType):
        raise errors.UsageError([(path, "a function alone", "give an object with the methods of its kind, as an objective has shape, "
                                  "value(x) and gradient(x): docs/guides/python-components.md")])
    else:
        request.objects = {**request.objects, path: given}


def _fill_key(request, settings, name, value):
    parts = _is_dict(value) or (isinstance(value, (list, tuple)) and any(isinstance(part, dict) for part in value))
    is_number = isinstance(value, (str, bool, int, float, np.generic, os.PathLike)) or _is_array(value)
    if parts or not is_number:
        _fill(request, settings, name, value)
    elif value is not None:
        settings.append((name, value))


def _data(data, settings, prepared=None):
    """A tuple (X, y) becomes rows of a linear model, one of three arrays entries of a matrix; what a matrix alone becomes
    depends on the objective."""
    if data is None or isinstance(data, _claros.Data):
        return data
    if _is_dict(data) and "X" in data:
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
    if not isinstance(data, tuple) and (_is_array(data) or hasattr(data, "__arrow_c_stream__")):
        return _matrix(data, settings, prepared)
    raise errors.UsageError([("data", f"an object of type {type(data).__name__}",
                              "give (X, y), (rows, cols, values), a matrix, claros.rows(...), claros.ratings(...) or a name")])


def _matrix(data, settings, prepared):
    """A matrix as the file of the objective's parameter `data` would be read."""
    written = {**(prepared or {}), **dict(settings)}
    use = written.get("objective.use", "")
    try:
        objective = _claros.describe(f"objective/{use}")["name"]
    except errors.Error:
        objective = use
    if objective == "matrix-completion":
        return arrays.ratings(*arrays.entries(data, written.get("objective.layout", "auto")))
    if objective in _OF_ROWS and hasattr(data, "columns") and prepared is None:  # a table is read as its file is
        text = arrays.text_of_frame(data, written.get("objective.categorical", ()))
        settings += [("objective.data", _claros.MemoryFile("objective.data", text)), ("objective.header", "yes")]
        return None
    if objective not in _OF_A_MATRIX:
        raise errors.UsageError([("data", f"a matrix alone, which is no data of {f'the objective {use!r}' if use else 'its objective'}",
                                  "give (X, y), (rows, cols, values) of observed entries, or the name of the objective")])
    if objective in ("distance", "linear") and not _in_memory(data):
        data = np.reshape(data, (1, -1))  # a file of one row is a vector too
    table, names = arrays.matrix(data)
    if objective == "distance" and not arrays.is_sparse(table) and np.isnan(table).any():
        if prepared is not None or "objective.weights" in written:  # of a prepared solver they would stay for other data
            raise errors.UsageError([("data", "NaN in a matrix with weights, or of a prepared solver",
                                      "give NaN a number, and the weight 0 in objective.weights")])
        settings.append(("objective.weights", text_of(np.where(np.isnan(table), 0, 1), "objective.weights")))
        table = np.nan_to_num(table, nan=0.0, posinf=np.inf, neginf=-np.inf)
    made = arrays.rows(table, np.zeros(table.shape[0]), names=names)
    if objective in ("log-det", "quadratic") and "objective.form" not in written and (
            objective == "quadratic" or arrays.is_symmetric(table)):
        settings.append(("objective.form", "matrix"))  # as of a file; rows in memory are samples otherwise
    return made


def request_of(specification=None, *, data=None, start=None, on_step=None, _prepared=None, _folds=1, **given):
    """The request of the library for the arguments of `solve`."""
    request = request_of_changes(data=data, start=start, _prepared=_prepared, **given)
    request.file = os.fspath(specification) if specification is not None else ""
    request.on_step, request.choice_folds = on_step, _folds
    if not any(name == "run.threads" for name, _ in request.settings) and not request.file:
        request.settings = request.settings + [("run.threads", str(default_threads()))]
    return request


def _expect_working_folder():
    """Names of files are relative to it, and a specification is read there."""
    try:
        os.getcwd()
    except OSError as error:
        raise errors.DataError([("the working folder", f"cannot be found: {error.strerror}",
                                 "go to a folder that exists (os.chdir)")]) from None


_OTHER_ARGUMENTS = {"X": "write data=(X, y)", "y": "write data=(X, y)", "lambda_": "write penalty={'use': 'l1', 'lambda': 0.1}",
                    "sample_weight": "write data=claros.rows(X, y, sample_weight=...)"}


def request_of_changes(*, data=None, start=None, _prepared=None, **given):
    """The same without what a request has by default. _prepared: the settings that a prepared solver has."""
    _expect_working_folder()
    request = _claros.Request()
    settings, facts = [], {}
    given, in_memory = _without_data(given)
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

            is_plain = isinstance(value, (str, bool, int, float, np.generic))
            own, _, written = _claros.with_section(f"{name}={text_of(value)}" if is_plain else name).partition("=")
            if "." in own and " " not in written:
                settings.append((own, written))
                continue
            near = get_close_matches(name, ROLES + SECTIONS, 1)
            usual = f"did you mean {near[0]!r}?" if near else f"write one of {', '.join(ROLES + SECTIONS)}, or a dotted name"
            raise errors.UsageError([(name, "is not an argument", _OTHER_ARGUMENTS.get(name, usual))])
    if in_memory is not None:
        if data is not None:
            raise errors.UsageError([("data", "is given together with objective.data", "give one of them")])
        data = in_memory
    if isinstance(data, str) or _is_dict(data) and "X" not in data:
        _fill(request, settings, "data", data)
    else:
        request.data = made = _data(data, settings, _prepared)
        facts = {} if made is None else arrays.facts_of.get(made, {})
        if made in arrays.counts:
            row_counts[request] = arrays.counts[made]
    index = list(getattr(data, "index", ())) if hasattr(data, "columns") else []
    if index and all(isinstance(name, str) for name in index):
        _row_names[request] = index
    request.start = start
    written = {**(_prepared or {}), **dict(settings)}
    own = {name: written.get(f"objective.{name}", "") for name in ("weights", "offset")}
    for name in facts:
        if not isinstance(own[name], str) or own[name]:
            raise errors.UsageError([(f"objective.{name}", "is given together with that of the rows of data", "give one of them")])
    request.settings = _texts(settings, request, written)
    if np.any(facts.get("offset", 0)):
        _have_offset[request] = True
    return request


def _in_memory(value):
    """Whether a value of `objective.data` is data in memory. A list of one dimension is numbers written out."""
    if isinstance(value, _claros.Data) or hasattr(value, "__arrow_c_stream__"):
        return True
    if not _is_array(value):
        return False
    return _is_nested(value) or np.ndim(value) == 0


def _without_data(given):
    """The arguments without data in memory that is given as the parameter `data` of the objective, and that data."""
    objective = given.get("objective")
    for name in ("Q", "C", "X", "Y", "A"):  # the letters of the formulas
        if isinstance(objective, dict) and _is_array(objective.get(name)):
            raise errors.UsageError([(f"objective.{name}", "is not a parameter", "write data, as in {'use': NAME, 'data': " + name + "}")])
    if isinstance(objective, dict) and _in_memory(objective.get("data")):
        rest = {key: value for key, value in objective.items() if key != "data"}
        return {**given, "objective": rest}, objective["data"]
    if _in_memory(given.get("objective.data")):
        return {name: value for name, value in given.items() if name != "objective.data"}, given["objective.data"]
    return given, None


@atexit.register
def _end_all():
    """Work that goes on when the interpreter ends is asked to end, and waited for a little."""
    if os.getpid() != _owner:
        return
    until = time.monotonic() + 2.0
    for task in list(_running):
        task.interrupt()
        task.wait(max(0.0, until - time.monotonic()))


def wait_for(task, made=lambda facts: facts):
    """The result of a task. Ctrl-C is answered within 100 ms, whatever the task does; `made` makes its `result`."""
    _running.add(task)
    try:
        while not task.wait(_WAIT):
            pass
    except KeyboardInterrupt:
        raise _interrupted(task, made) from None
    return task.result()


# Said by the first result. OpenBLAS does not choose again here, because a thread of numpy may be in it.
_kernels = [(False, "OpenBLAS does not know this processor and runs its oldest kernels: set "
             f"OPENBLAS_CORETYPE={_claros.faster_core} for faster ones")] if _claros.faster_core else []


def _interrupted(task, made):
    """The exception of Ctrl-C during a task, which is asked to end; `made` makes its `result`."""
    task.interrupt()
    interruption = Interrupted()
    interruption._task, interruption._made = task, made
    return interruption


def _pass_on(task, facts, folder):
    messages = [*task.messages(), *_kernels]
    _kernels.clear()
    for warned, text in messages:
        if warned:
            warnings.warn(text, errors.ClarosWarning, stacklevel=4)
    return Result(facts, messages, folder)


def raise_own(task, result=None):
    """Raises what Python code raised, if it did. The task gives it away and no local keeps it: the traceback of the exception
    holds the frames that hold the task."""
    raised = task.take_raised()
    try:
        if raised is not None:
            if result is not None:
                _give(raised, result)
            raise raised from raised.__cause__
    finally:
        del raised


def _give(exception, result):
    try:
        exception.claros_result = result
    except AttributeError:
        pass  # of a class with slots


def _raise_failure(task, result):
    """What Python code raised comes out as itself; a failed run as an error. Both keep the run's best point."""
    raise_own(task, result)
    if result.failed:
        error = errors.make(result.failure_kind, [("", result.failure, "")])
        error.result = result
        raise error
    if result.trouble:
        word = {"diverged": "diverged", "unbounded": "diverged", "stall": "stalled"}.get(result.status, "not-met")
        warnings.warn(f"{result.status}: {result.failure or result.explanation} (claros help {word})", errors.ClarosWarning, stacklevel=4)


def finish(task, folder=""):
    """A task of a solve to its Result; `folder`: where it is kept."""
    try:
        facts = wait_for(task, lambda facts: Result(facts, task.messages(), folder))
        rows, solution = _row_names.get(task, []), facts["solution"]
        solution = solution[0] if isinstance(solution, tuple) else solution  # a row of U is one of the solution
        shape = np.shape(solution) if not isinstance(solution, list) else ()
        if len(shape) == 2 and shape[0] == len(rows):
            facts["names"] = (rows, facts["names"][1])
        if facts["linear"] is not None:
            facts["linear"]["offset"] = _have_offset.get(task, False)
    except errors.Error:
        raise_own(task)
        raise
    result = _pass_on(task, facts, folder)
    _raise_failure(task, result)
    return result


def _of_objective(specification, key):
    """What the text of a specification has for a parameter of the objective; "" if it has none."""
    written = configparser.ConfigParser(interpolation=None, strict=False)
    written.read_string(specification)
    return written.get("objective", key, fallback="")


def _read_only(x):
    """A copy that a component cannot change."""
    x = x.copy()
    x.setflags(write=False)
    return x


def _warn_of_gradient(objective, result):
    """Warns if a run ended without its target and the value does not change along the gradient as the gradient says."""
    if result.target or isinstance(result.x, list) or not hasattr(objective, "gradient"):
        return
    try:
        x = np.array(result.x, dtype=float)
        g = np.asarray(objective.gradient(_read_only(x)), dtype=float)
        slope = float(np.linalg.norm(g))
        length = 1e-6 * max(1.0, float(np.linalg.norm(x)))
        if not slope > 100 * np.finfo(float).eps * abs(result.value) / length:  # rounding of the value would decide
            return
        there, back = (float(objective.value(_read_only(x + sign * length / slope * g))) for sign in (1, -1))
    except Exception:  # of the component, away from the points of the run
        return
    change = (there - back) / (2 * length)
    if np.isfinite(change) and abs(change - slope) > 0.1 * slope:
        warnings.warn(f"the gradient does not fit the value: along it the value changes at the rate {change:.4g}, and the "
                      f"gradient says {slope:.4g} (run claros.doctor on the objective)", errors.ClarosWarning, stacklevel=3)


def solve(specification=None, *, progress=None, out=None, **given):
    """Minimises f(x) + R(x) + h(x) over x in C, and returns a Result.

    specification   the file of a specification; the arguments are set on top of it
    objective, penalty, set, smoother, estimator, algorithm
                    a name ("l1"), a dict ({"use": "l1", "lambda": 0.1}) or an object with the methods of its kind
    data            (X, y), (rows, cols, values), a matrix alone where the objective is of one, a DataFrame with the response
                    (objective.response, else its last column), what claros.rows or claros.ratings made, or a data component;
                    a matrix of ratings has NaN at entries that are not observed, or is sparse. 3 to 8 columns without NaN are
                    refused if the first two hold whole numbers, because they may be a list: objective.layout="matrix" takes them
    stop            a dict of stopping rules, or a relative gap; default: a verified relative gap of 1e-6
    run, trace, start, output
                    dicts of the sections of these names; start may be a point, or factors (U, s, V) of one
    **{"a.b": c}    any parameter by its dotted name: **{"penalty.lambda": 0.1}
    on_step         called as on_step(iteration, seconds, value, gap) after every step; False ends the run
    progress        True: a line of progress; a callable gets the same arguments, ten times a second; None: a line in a
                    notebook, after the first second
    out             a folder for results and checkpoints, from which `resume` continues

    Raises claros.Error with all `complaints`; what Python code raised comes out as itself, with `claros_result`.
    """
    shown = progress_of(given, progress, Progress)
    request = request_of(specification, **_with_start({**given, "on_step": shown} if shown else given))
    request.folder = folder = _folder(out)
    task = None
    try:
        task = started(_claros.solve, request)
        del request  # a traceback keeps this frame, and the collector of cycles does not see what a request holds
        result = finish(task, folder)
        _warn_of_gradient(given.get("objective"), result)
        return result
    except KeyboardInterrupt as stop:  # also one that comes before the task is waited for
        if task is None or isinstance(stop, Interrupted):
            raise
        raise _interrupted(task, lambda facts: Result(facts, (), folder)) from None
    finally:
        if shown:
            shown.end()


def _folder(out):
    _expect_working_folder()
    return os.path.abspath(out) if out is not None else ""


def _with_start(given):
    start = given.get("start")
    if start is None or isinstance(start, (dict, str)):
        sections = {} if start is None else {"start": None}
        named = {f"start.{key}": value for key, value in start.items()} if isinstance(start, dict) else {}
        if isinstance(start, str):
            named = {"start.from": start}
        given = {**given, **sections, **named}
    if _is_array(given.get("start.from")):
        given = {**given, "start": given["start.from"], "start.from": None}
    return given


def progress_of(given, progress, kind):
    """What shows the progress, a Progress of that kind, or None."""
    asked = progress is not None
    if not (progress if asked else in_notebook() and given.get("on_step") is None):
        return None
    if given.get("on_step") is not None:
        raise errors.UsageError([("progress", "is given together with on_step", "give one of them")])
    return kind(progress if callable(progress) else None, patient=not asked)


def check(specification=None, **given):
    """Reports everything that `solve` would refuse, without a step; returns every parameter as a specification."""
    request = request_of(specification, **_with_start(given))
    task = started(_claros.check, request)
    del request  # as in solve
    try:
        return wait_for(task)
    except errors.Error:
        raise_own(task)
        raise


def resume(folder, **given):
    """Continues the run of a folder that `solve(out=...)` or `claros run --out` made, bit for bit."""
    known = _objective_in(folder)  # on which data in memory depend
    request = request_of(None, **{**known, **given})
    request.settings = [pair for pair in request.settings if pair[0] != "run.threads" and pair not in known.items()]
    request.folder, request.resumes = _folder(folder), True
    task = started(_claros.solve, request)
    del request  # as in solve
    return finish(task, _folder(folder))


def _objective_in(folder):
    """The objective that the specification of a folder names, and its form."""
    written = configparser.ConfigParser(interpolation=None, strict=False)
    with contextlib.suppress(configparser.Error, UnicodeDecodeError):  # the library says what is wrong with it
        written.read(os.path.join(folder, "spec.ini"), encoding="utf-8")
    return {f"objective.{key}": written["objective"][key] for key in ("use", "form") if written.has_option("objective", key)}


class Comparison(dict):
    """Names of variants, and their Results."""

    folder = None

    def report(self, out=None):
        """Writes one page of all variants, by default report.html in the folder of `compare(out=...)`; returns its name."""
        from . import program

        if self.folder is None:
            raise errors.UsageError([("report", "the comparison is in no folder", "compare with out=FOLDER")])
        return program.report([result.folder for result in self.values()], out or os.path.join(self.folder, "report.html"))

    def plot(self, ax=None):
        """Draws the convergence of every variant by matplotlib, into `ax` or a new figure; returns the axes."""
        from .pictures import plot_comparison

        return plot_comparison(self, ax)

    def _repr_html_(self):
        from .pictures import table_of

        shown = ("status", "value", "gap", "iterations", "elapsed_seconds")
        return table_of(("variant", *shown), ((name, *(f"{value:.6g}" if isinstance(value, float) else value for value in (
            getattr(result, key) for key in shown))) for name, result in self.items()))


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


def _columns_of_fit(table, names, linear):
    """The columns in the order of the fit: by their names if both have some, and of the same number otherwise."""
    fitted = linear["columns"]
    if names and fitted and names != fitted:
        places, known = {name: place for place, name in enumerate(names)}, set(fitted)
        complaints = [("X", f"no column {name!r}, which the fit had", "add it") for name in fitted if name not in places]
        complaints += [("X", f"the column {name!r}, which the fit had not", "leave it out") for name in places if name not in known]
        if not complaints and len(names) > len(places):
            complaints = [("X", "columns that share a name, in another order than those of the fit", "name each once")]
        if complaints:
            raise errors.UsageError(complaints[:5])
        return table[:, [places[name] for name in fitted]]
    if table.shape[1] != linear["features"]:
        raise errors.UsageError([("X", f"{table.shape[1]} columns, expected {linear['features']}", "give the columns of the fit")])
    return table


def _column_of_offset(result, X):
    """The column of the table X that was the offset of the fit; None if the fit had no offset. Draws a ClarosWarning, and is None, if
    the fit had another one or X has not this column."""
    linear, name = result.linear, _of_objective(result.specification, "offset")
    is_column = linear["record"] is not None and name in linear["record"][1]
    names = arrays.names_of(X, as_texts=True)
    if is_column and name in names:
        return X[list(X.columns)[names.index(name)]]
    if name or linear.get("offset"):
        warnings.warn("the fit had an offset, and these rows are taken with an offset of 0: give "
                      + (f"the column {name!r}, or offset" if is_column else "offset"), errors.ClarosWarning, stacklevel=3)
    return None


def _places(asked, names, where):
    """Positions of texts among the names of a side of the solution; else what is asked. Raises UsageError."""
    given = np.asarray(asked)
    if not given.size or not all(isinstance(entry, str) for entry in given.flat):
        return asked
    places = {name: place for place, name in enumerate(names)}
    if unknown := [entry for entry in given.flat if entry not in places]:
        raise errors.UsageError([(where, f"the text {unknown[0]!r}" + (", which names none of them" if names else ""),
                                  "give positions from 0; claros.matrix.RatingsModel and claros predict take ids")])
    return [places[entry] for entry in given.flat]


def predict(result, X=None, *, rows=None, cols=None, offset=None):
    """What a solution says of new data: <a_i, x> + intercept of rows X, or entries (rows, cols) of a matrix.

    Columns of a table are found by their names if the fit was on a table too, and by their places otherwise; text and blanks are
    read as those of the fit were.
    offset, (n,), is added. Its default is the column of X that was the offset of the fit; a fit with an offset and rows without one
    draw a ClarosWarning.
    Of a linear model these are the numbers z; the estimators of claros.linear turn them into classes and counts.
    rows, cols: positions from 0, or names that result.names has. The ids of a file have the order of solution/rows.csv and
    columns.csv in the folder of the run; `claros predict` takes ids, and claros.matrix.RatingsModel does.
    """
    if X is not None:
        if result.linear is None:
            raise errors.UsageError([("X", "the result is not of a linear model", "give rows and cols of entries")])
        record = result.linear["record"]
        if record is not None and hasattr(X, "columns"):
            words = {key: word for key in arrays.READ_AS_FITTED if (word := _of_objective(result.specification, key))}
            text = arrays.text_of_frame(X, arrays.categories_of(record))
            table, names = _claros.read_frame(text, len(X.columns), words, record)[:2]
        else:
            table, names = arrays.matrix(X)
        table = _columns_of_fit(table, names, result.linear)
        z = arrays.finite(table) @ result.coef + result.intercept
        offset = _column_of_offset(result, X) if offset is None else offset
        return z if offset is None else (z.T + arrays.vector(offset, "offset", table.shape[0])).T
    if rows is None or cols is None:
        raise errors.UsageError([("predict", "neither X nor rows and cols", "give one of them")])
    if result.U is None and (isinstance(result.x, list) or np.ndim(result.x) != 2):
        raise errors.UsageError([("predict", "the result is not of a matrix", "give X, the rows of a linear model")])
    m, n = (result.U.shape[0], result.V.shape[0]) if result.U is not None else np.shape(result.x)
    i, j = (arrays.positions(_places(asked, names, where), where, size) for asked, names, where, size in zip(
        (rows, cols), result.names, ("rows", "cols"), (m, n), strict=True))
    if i.size != j.size:
        raise errors.UsageError([("predict", f"{i.size} rows and {j.size} cols", "give one of each an entry")])
    values = np.einsum("kr,kr->k", result.U[i] * result.s, result.V[j]) if result.U is not None else result.x[i, j]
    facts = result.ratings or {"mean": 0.0, "row": np.empty(0), "col": np.empty(0)}
    values = values + facts["mean"]
    for biases, index in ((facts["row"], i), (facts["col"], j)):
        if biases.size:
            values = values + biases[index]
    return values
