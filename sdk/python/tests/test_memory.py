# SPDX-License-Identifier: BSD-3-Clause
"""A parameter that takes a file takes the same numbers in memory, and the run has the same bits."""
import subprocess
import sys

import numpy as np
import pytest

import claros

RANDOM = np.random.default_rng(1)
X = RANDOM.normal(size=(30, 4))
Y = X @ [1.0, 2.0, 0.0, -1.0] + 0.1 * RANDOM.normal(size=30)
TIMES = np.abs(Y) + 0.1
MATRIX = X[:4] + X[:4].T + 8.0 * np.eye(4)
ENTRIES = (np.repeat(np.arange(5), 4), np.tile(np.arange(4), 5), RANDOM.normal(size=20))
A_ROW = {"weights": RANDOM.random(30) + 0.1, "offset": RANDOM.random(30), "groups": np.arange(30) % 3, "response": TIMES}
SIMPLEX = {"use": "simplex", "radius": 1}
# What a component needs besides the parameter.
NEEDS = {
    "objective/cox": {"data": (X, TIMES)},
    "objective/linear-model": {"data": (X, Y), "set": {"use": "l1-ball", "radius": 1}},
    "objective/square-root": {"data": (X, Y), "penalty": {"use": "l1", "lambda": 0.1}},
    "objective/matrix-completion": {"data": ENTRIES, "set": {"use": "nuclear-ball", "radius": 3}},
    "objective/quadratic": {"set": SIMPLEX},
    "objective/distance": {"set": SIMPLEX},
    "objective/linear": {"set": SIMPLEX},
    "objective/covariance": {"penalty": {"use": "l1", "lambda": 0.1}},
    "objective/log-det": {"penalty": {"use": "l1", "lambda": 0.1}},
    "objective/noisy-matrix": {"set": {"use": "nuclear-ball", "radius": 3}, "estimator": "sg"},
    "smoother/log-sum-exp": {"objective": {"use": "distance", "data": "0.2 0.1 0.9 0.3"}, "set": SIMPLEX},
}
# Parameters of a component that its parameter goes with.
BESIDE = {
    "objective/quadratic.diagonal": {}, "objective/quadratic.linear": {"diagonal": "1 2 3 4"}, "smoother/log-sum-exp.data": {"mu": 0.1},
    "penalty/composed.data": {"map": "graph", "lambda": 0.1, "inner": {"use": "l1", "lambda": 1}},
    "penalty/slope.weights": {"lambda": 0.1}, "set/ellipsoid.axes": {"radius": 1}, "set/ellipsoid.center": {"radius": 1},
    "set/group-ball.groups": {"radius": 1}, "set/group-ball.weights": {"radius": 1, "groups": "2"}, "set/lp-ball.weights": {"p": 3, "radius": 1},
    "set/matroid-base.groups": {"matroid": "partition"}, "set/matroid-base.graph": {"matroid": "graphic"},
    "set/moved.shift": {"inner": {"use": "l2-ball", "radius": 1}}, "set/ordered-weight.weights": {"radius": 1},
    **{f"{kind}/box.lowers": {"upper": 5} for kind in ("set", "penalty")}, **{f"{kind}/box.uppers": {"lower": -5} for kind in ("set", "penalty")},
    "set/flow.graph": {"source": 1, "target": 5}, "objective/matrix-completion.test": {},
}
PATH = np.array([[1, 2], [2, 3], [3, 4], [4, 5]])
VALUES = {
    "event": (X[:, 0] > 0).astype(float), "entry": 0.5 * TIMES - 0.2, "strata": np.arange(30) % 2, "responses": X[:, :2], "errors_in_variables": np.diag([0.1, 0.2, 0.3, 0.4]),
    "row_features": X[:5, :2], "col_features": X[:4, :2], "diagonal": np.array([3.0, 2.0, 1.0, 4.0]), "linear": np.array([3.0, 2.0, 1.0, 4.0]),
    "axes": np.array([0.1, 0.2, 0.3, 0.4]), "center": np.array([0.1, 0.2, 0.3, 0.4]), "shift": np.array([0.5, 0.4, 0.3, 0.2]),
    "lowers": np.array([-1.0, 0.5, -2.0, 0.0]), "uppers": np.array([1.0, 0.5, 2.0, 3.0]), "values": np.array([4.0, 0.3, 2.0, 0.1]), "vertices": X[:5], "graph": PATH, "truth": np.array([1.0, 2.0, 0.0, -1.0]),
    "from": np.array([0.1, 0.1, 0.1, 0.1]), "test": None,
}
# Parameters whose text is no array of numbers.
NO_NUMBERS = {"set/polytope.program": "a program in the languages of MPS and LP", "objective/matrix-completion.dataset": "a name within a file",
              "objective/matrix-sensing.data": "measurements in memory are claros.Data", "objective/matrix-completion.data": "entries: data=",
              "objective/linear-model.data": "rows: data=", "objective/cox.data": "rows: data=", "objective/square-root.data": "rows: data=",
              "objective/matrix-sensing.right": "goes with measurements in a file", "objective/matrix-sensing.truth": "goes with draws of a file",
              **{f"objective/{use}.response": "is y of data in memory" for use in ("cox", "linear-model", "matrix-sensing", "square-root")},
              **{f"objective/matrix-sensing.{key}": "goes with measurements in a file" for key in ("weights", "offset", "groups")}}


def file_parameters():
    """Every parameter of the catalogue whose meaning names a file."""
    labels = [f"{kind}/{name}" for kind, names in claros.components().items() for name in names] + ["trace", "start"]
    for label in labels:
        for row in claros.describe(label)["parameters"]:
            if row["type"] == "text" and " file" in " " + row["meaning"]:
                yield f"{label}.{row['name']}"


def value_of(label, key):
    kind, _, use = label.partition("/")
    if kind == "penalty" or kind == "set":
        if key == "groups":
            return [[0, 1], [2, 3]] if use == "tree-group" else np.array([[0, 1], [2, 3]])
        if key == "weights":
            grouped = "group" in use or use == "exclusive"
            return np.array([1.0, 0.5]) if grouped else np.array([4.0, 3.0, 2.0, 1.0])
    if key == "data":
        return {"composed": np.array([[1, 2], [2, 3], [3, 4]]), "log-sum-exp": np.hstack([X, X[:, :1]])[:5], "quadratic": MATRIX, "log-det": MATRIX,
                "distance": MATRIX[:, :1], "linear": MATRIX[:, :1]}.get(use, X)
    return A_ROW[key] if kind == "objective" and key in A_ROW else VALUES[key]


def problem(label, key, value):
    kind, _, use = label.partition("/")
    if kind in ("trace", "start"):
        return {"objective": "linear-model", "data": (X, Y), f"{kind}.{key}": value}
    part = {"use": use, key: value, **BESIDE.get(f"{label}.{key}", {})}
    if kind == "penalty" and f"{label}.{key}" not in BESIDE:
        part["lambda"] = 0.1
        if key == "weights" and ("group" in use or use == "exclusive"):
            part["groups"] = "0-1; 2-3"
    other = NEEDS.get(label, {"objective": {"use": "distance", "data": "1 2 3 4"}})
    return {**other, kind: {**other.get(kind, {}), **part} if isinstance(other.get(kind), dict) else part}


def written(tmp_path, label, key, value):
    """The file that a user writes."""
    path = tmp_path / f"{key}.txt"
    if key == "groups" and not label.startswith("objective"):
        path.write_text("".join(",".join(map(str, group)) + "\n" for group in np.asarray(value).tolist()))
    elif key == "test":
        path.write_text("".join(f"{i},{j},{v!r}\n" for i, j, v in zip(*(part.tolist() for part in value))))
    else:
        np.savetxt(path, value, fmt="%.17g")
    return str(path)


@pytest.mark.parametrize("name", [name for name in file_parameters() if name not in NO_NUMBERS])
@pytest.mark.filterwarnings("ignore")
def test_a_parameter_that_takes_a_file_takes_memory_with_the_same_bits(tmp_path, name):
    label, _, key = name.rpartition(".")
    value = ENTRIES if key == "test" else value_of(label, key)
    stop = {"iterations": 20}
    by_file = claros.solve(**problem(label, key, written(tmp_path, label, key, value)), stop=stop)
    by_memory = claros.solve(**problem(label, key, value), stop=stop)
    assert by_file.value == by_memory.value
    assert np.array_equal(np.asarray(by_file.x), np.asarray(by_memory.x))


def test_held_out_entries_are_taken_as_triplets_as_a_sparse_matrix_and_with_nan(tmp_path):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    held = (np.array([0, 1, 4]), np.array([0, 3, 2]), np.array([0.5, -1.0, 2.0]))
    dense = np.full((5, 4), np.nan)
    dense[held[0], held[1]] = held[2]

    def error(test):
        result = claros.solve(objective={"use": "matrix-completion", "test": test}, data=ENTRIES, set={"use": "nuclear-ball", "radius": 3},
                              stop={"iterations": 20})
        return result.trace["test_rmse"][-1]

    wanted = error(written(tmp_path, "objective/matrix-completion", "test", held))
    assert np.isfinite(wanted)
    for test in (held, scipy_sparse.coo_matrix((held[2], held[:2]), shape=(5, 4)), dense):
        assert error(test) == wanted


@pytest.mark.parametrize("name", ["weights", "offset", "test", "truth", "event", "responses"])
def test_what_is_wrong_with_an_array_is_said_of_its_parameter(name):
    label = {"test": "objective/matrix-completion", "truth": "trace", "event": "objective/cox"}.get(name, "objective/linear-model")
    parameter = "trace.truth" if name == "truth" else f"objective.{name}"
    given = ([0], [1], [np.nan]) if name == "test" else np.full((2, 3), 0.5)
    with pytest.raises(claros.DataError) as raised:
        claros.solve(**problem(label, name, given))
    assert f"the array given for {parameter}" in str(raised.value)
    assert "/proc" not in str(raised.value)


@pytest.mark.parametrize("weights", [np.ones((3, 5, 2)), np.array(["1"] * 30), [1.0] * 29 + [None], [[1.0], [1.0, 2.0]],
                                     np.arange(30).astype("datetime64[D]")])
def test_an_array_that_is_no_table_of_numbers_is_refused(weights):
    with pytest.raises(claros.UsageError, match="objective.weights: "):
        claros.solve(objective={"use": "linear-model", "weights": weights}, data=(X, Y), penalty={"use": "l1", "lambda": 0.1})


@pytest.mark.parametrize("test", [([0, 1], [1.0, 2.0]), ([0], [0], [1.0], [1.0]), np.ones(3), np.ones((1, 2, 3)), ([0, 1], [0], [1.0])])
def test_held_out_entries_of_another_form_are_refused(test):
    with pytest.raises(claros.UsageError, match="objective.test: "):
        claros.solve(objective={"use": "matrix-completion", "test": test}, data=ENTRIES, set={"use": "nuclear-ball", "radius": 3})


def test_a_prepared_solver_keeps_what_it_has_in_memory():
    weights = RANDOM.random(30)
    given = {"objective": {"use": "linear-model", "weights": weights}, "stop": {"relative_gap": 1e-8}, "penalty": {"use": "l1", "lambda": 0.1}}
    prepared = claros.prepare(data=(X, Y), **given)
    for response in (Y, 2.0 * Y):
        assert prepared.solve(data=(X, response)).value == claros.solve(data=(X, response), **given).value


def test_without_a_descriptor_the_cause_is_said_and_a_later_call_finds_the_components():
    code = """
import os, resource, claros
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
free = os.dup(0)
os.close(free)
resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
for call in (claros.components, lambda: claros.describe("penalty/l1")):
    try:
        call()
    except claros.PluginError as error:
        assert "ulimit -n" in str(error)
    else:
        raise AssertionError("no error")
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
assert "l1" in claros.components("penalty")
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_working_folder_that_is_gone_is_an_error_of_claros(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    given = {"objective": {"use": "distance", "data": "1 2 3"}, "set": {"use": "l2-ball", "radius": 1}}
    calls = (lambda: claros.solve(**given), lambda: claros.solve(out="x", **given), lambda: claros.check(**given), lambda: claros.solve("spec.ini"),
             lambda: claros.prepare(**given), lambda: claros.Path(objective="linear-model", data=(X, Y), penalty="l1", out="x"),
             lambda: claros.compare({"a": {}}, out="x", **given), lambda: claros.resume("x"))
    for call in calls:
        with pytest.raises(claros.DataError, match="the working folder: cannot be found"):
            call()
