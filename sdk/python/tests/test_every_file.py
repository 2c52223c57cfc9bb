# SPDX-License-Identifier: BSD-3-Clause
"""Every parameter that reads a file, of every component of the catalogue, by file and by memory: the same bits."""
import numpy as np
import pytest

import claros
from claros import _claros

RANDOM = np.random.default_rng(7)
N = 6
Y = RANDOM.normal(size=N)
X = RANDOM.normal(size=(12, 3))
RESPONSE = X @ np.array([1.0, -2.0, 0.5]) + RANDOM.normal(size=12)
COUNTED = np.arange(12.0) % 3
SQUARE = RANDOM.normal(size=(N, 4)) @ RANDOM.normal(size=(4, N))
POSITIVE = SQUARE @ SQUARE.T + np.eye(N)
PAIRS = (np.array([0, 1, 2]), np.array([3, 2, 1]), np.array([0.5, -1.0, 2.0]))
PROGRAM = """minimize
 obj: x1
subject to
 c1: x1 + x2 <= 1
 c2: x3 + x4 + x5 + x6 >= -1
bounds
 -2 <= x1 <= 2
 -2 <= x2 <= 2
 -2 <= x3 <= 2
 -2 <= x4 <= 2
 -2 <= x5 <= 2
 -2 <= x6 <= 2
end
"""
WITH_HOLES = np.where(RANDOM.random((N, 4)) < 0.3, np.nan, RANDOM.normal(size=(N, 4)))
SENSED = RANDOM.normal(size=(20, 9))
LEFT = _claros.MemoryFile("objective.data", np.asfortranarray(X))
FALLING = np.array([3.0, 2.5, 2.0, 1.5, 1.0, 0.5])
GROUPS = [[0, 1, 2], [3, 4, 5]]
L1 = {"use": "l1", "lambda": 0.05}
NUCLEAR = {"use": "nuclear", "lambda": 0.01}
ROW = {"objective": {"use": "distance", "data": Y}}
SIMPLEX = {"use": "simplex", "radius": 1}

# Texts that are no numbers and name no file: columns, members of files, classes and shapes.
WORDS = {"columns", "without", "categorical", "dataset", "positive", "shape", "sizes"}
# Numbers and lists that are written out, and that no file holds.
WRITTEN = {("set/matroid-base", "rank")}


def model(objective="linear-model", **more):
    return {"objective": {"use": objective, "precision": "double", **more}, "data": (X, RESPONSE), "penalty": L1}


def penalty(name, **more):
    return {**ROW, "penalty": {"use": name, "lambda": 0.3, **more}}


def constraint(name, **more):
    return {**ROW, "set": {"use": name, **more}}


ONES = np.ones(len(SQUARE))
# The problem that a value of a parameter belongs to, and the value.
CASES = {
    ("objective/covariance", "data"): ({"objective": "covariance", "set": {"use": "spectrahedron", "radius": 1}}, X),
    ("objective/distance", "data"): ({"objective": "distance", "penalty": {"use": "tv", "along": "both", "lambda": 0.3}}, WITH_HOLES),
    ("objective/distance", "weights"): ({"objective": {"use": "distance", "data": SQUARE}, "penalty": L1}, np.abs(SQUARE)),
    ("objective/linear", "data"): ({"objective": "linear", "set": "birkhoff"}, SQUARE),
    ("objective/log-det", "data"): ({"objective": {"use": "log-det", "form": "matrix"}, "penalty": L1}, POSITIVE),
    ("objective/noisy-matrix", "data"): ({"objective": {"use": "noisy-matrix", "sigma": 0}, "set": {"use": "nuclear-ball", "radius": 1}}, SQUARE),
    ("objective/quadratic", "data"): ({"objective": {"use": "quadratic", "form": "matrix"}, "set": SIMPLEX}, POSITIVE),
    ("objective/quadratic", "diagonal"): ({"objective": {"use": "quadratic", "form": "matrix", "data": POSITIVE}, "set": SIMPLEX}, FALLING),
    ("objective/quadratic", "linear"): ({"objective": {"use": "quadratic", "form": "matrix", "data": POSITIVE}, "set": SIMPLEX}, Y),
    ("objective/linear-model", "data"): ({"objective": "linear-model", "penalty": L1}, (X, RESPONSE)),
    ("objective/linear-model", "responses"): (model(), np.column_stack([RESPONSE, -RESPONSE])),
    ("objective/linear-model", "errors_in_variables"): ({**model(), "set": {"use": "l1-ball", "radius": 2}, "penalty": None}, 0.01 * np.eye(3)),
    ("objective/matrix-completion", "data"): ({"objective": {"use": "matrix-completion", "layout": "matrix"}, "penalty": NUCLEAR}, WITH_HOLES),
    ("objective/matrix-completion", "test"): ({"objective": "matrix-completion", "data": WITH_HOLES, "penalty": NUCLEAR}, PAIRS),
    ("objective/matrix-completion", "row_features"): (
        {"objective": "matrix-completion", "data": WITH_HOLES, "penalty": NUCLEAR}, SQUARE[:, :2]),
    ("objective/matrix-completion", "col_features"): (
        {"objective": "matrix-completion", "data": WITH_HOLES, "penalty": NUCLEAR}, SQUARE[:4, :2]),
    ("objective/matrix-sensing", "data"): (
        {"objective": {"use": "matrix-sensing", "rows": 3, "cols": 3, "measurements": "dense"}, "penalty": NUCLEAR},
        (SENSED, SENSED @ np.arange(9.0))),
    ("objective/matrix-sensing", "right"): (
        {"objective": {"use": "matrix-sensing", "measurements": "rank-one", "data": LEFT.name, "response": RESPONSE}, "penalty": NUCLEAR},
        SQUARE.repeat(2, 0)[:, :2]),
    ("objective/matrix-sensing", "truth"): (
        {"objective": {"use": "matrix-sensing", "draws": "gaussian"}, "penalty": NUCLEAR, "estimator": {"use": "sg", "batch": 5},
         "algorithm": {"use": "proximal-gradient", "step": 0.01}}, SQUARE),
    ("objective/cox", "data"): ({"objective": "cox", "penalty": L1}, (X, np.abs(RESPONSE))),
    ("objective/cox", "event"): ({**model("cox"), "data": (X, np.abs(RESPONSE))}, (COUNTED > 0).astype(float)),
    ("objective/cox", "entry"): ({**model("cox"), "data": (X, np.abs(RESPONSE))}, 0.5 * np.abs(RESPONSE)),
    ("objective/cox", "strata"): ({**model("cox"), "data": (X, np.abs(RESPONSE))}, COUNTED),
    ("objective/square-root", "data"): ({"objective": "square-root", "penalty": L1}, (X, RESPONSE)),
    ("smoother/log-sum-exp", "data"): ({**ROW, "smoother": {"use": "log-sum-exp", "mu": 0.3}, "set": SIMPLEX}, RANDOM.normal(size=(3, N + 1))),
    ("penalty/composed", "data"): ({**ROW, "penalty": {"use": "composed", "map": "matrix", "inner": {"use": "l1", "lambda": 0.3}}}, SQUARE[:4]),
    ("set/ellipsoid", "axes"): (constraint("ellipsoid", radius=1), FALLING / 4),
    ("set/ellipsoid", "center"): (constraint("ellipsoid", radius=1), Y / 3),
    ("set/flow", "graph"): ({"objective": {"use": "linear", "data": [1.0, 2.0, 1.5]}, "set": {"use": "flow", "source": 1, "target": 3}},
                            np.array([[1, 2], [2, 3], [1, 3]])),
    ("set/lp-ball", "weights"): (constraint("lp-ball", p=2, radius=1), FALLING),
    ("set/ordered-weight", "weights"): (constraint("ordered-weight", radius=1), FALLING),
    ("set/matroid-base", "graph"): ({"objective": {"use": "linear", "data": [1.0, 2.0, 1.5]}, "set": {"use": "matroid-base", "matroid": "graphic"}},
                                    np.array([[1, 2], [2, 3], [1, 3]])),
    ("set/moved", "shift"): (constraint("moved", inner={"use": "l1-ball", "radius": 1}), Y / 2),
    ("set/permutahedron", "values"): (constraint("permutahedron"), FALLING),
    ("set/polytope", "program"): (constraint("polytope"), PROGRAM),
    ("set/vertices", "vertices"): (constraint("vertices"), SQUARE),
    ("set/box", "lowers"): (constraint("box", upper=5), -FALLING),
    ("set/box", "uppers"): (constraint("box", lower=-5), FALLING),
    ("penalty/box", "lowers"): ({**ROW, "penalty": {"use": "box", "upper": 5}}, -FALLING),
    ("penalty/box", "uppers"): ({**ROW, "penalty": {"use": "box", "lower": -5}}, FALLING),
    ("set/transport", "rows"): ({"objective": {"use": "linear", "data": SQUARE}, "set": {"use": "transport", "columns": ONES}}, ONES),
    ("penalty/slope", "weights"): (penalty("slope"), FALLING),
}
for name in ("capped-l1", "elastic-net", "l1", "log-sum", "mcp", "ridge", "scad"):
    CASES[f"penalty/{name}", "weights"] = (penalty(name), FALLING)
for name in ("exclusive", "group", "group-mcp", "group-scad", "overlapping-group", "sparse-group", "tree-group"):
    CASES[f"penalty/{name}", "groups"] = (penalty(name), GROUPS)
    CASES[f"penalty/{name}", "weights"] = (penalty(name, groups=GROUPS), np.array([2.0, 0.5]))
CASES["set/group-ball", "groups"] = (constraint("group-ball", radius=1), GROUPS)
CASES["set/group-ball", "weights"] = (constraint("group-ball", radius=1, groups=GROUPS), np.array([2.0, 0.5]))
CASES["set/matroid-base", "groups"] = (
    {"objective": {"use": "linear", "data": Y}, "set": {"use": "matroid-base", "matroid": "partition", "rank": 1}}, GROUPS)
for name in ("cox", "linear-model", "matrix-sensing", "square-root"):
    # responses of rows, those of a sensing problem, times of a survival
    rows = {**model(name), "data": (X, np.abs(RESPONSE))} if name == "cox" else model(name)
    if name == "matrix-sensing":
        rows = {"objective": {"use": name, "rows": 3, "cols": 1, "measurements": "dense"}, "data": (X, RESPONSE), "penalty": NUCLEAR}
    for leaf, value in (("weights", np.abs(RESPONSE)), ("offset", X[:, 0]), ("groups", COUNTED)):
        CASES[f"objective/{name}", leaf] = (rows, value)
    objective = rows["objective"] if isinstance(rows["objective"], dict) else {"use": rows["objective"]}
    of_file = {"objective": {**objective, "data": LEFT.name}, **{key: part for key, part in rows.items() if key not in ("objective", "data")}}
    CASES[f"objective/{name}", "response"] = (of_file, np.abs(RESPONSE))


def texts_of_catalogue():
    """(component, parameter) of every parameter that is a text of any words."""
    return [(f"{kind}/{name}", row["name"]) for kind, names in claros.components().items() for name in names
            for row in claros.describe(f"{kind}/{name}")["parameters"] if row["type"] == "text"]


def test_every_text_of_the_catalogue_is_tested_or_names_no_file():
    known = {key for key in texts_of_catalogue() if key[1] not in WORDS and key not in WRITTEN}
    assert known == set(CASES)


def written_to(folder, value):
    """A file of the value, as people have it."""
    path = folder / "value.txt"
    if isinstance(value, str):
        path.write_text(value)
    elif isinstance(value, list):
        path.write_text("\n".join(",".join(map(str, group)) for group in value) + "\n")
    elif value is PAIRS:
        path.write_text("".join(f"{i + 1},{j + 1},{v!r}\n" for i, j, v in zip(*value)))
    elif isinstance(value, tuple):
        np.savetxt(path, np.column_stack(value), fmt="%r", delimiter=",")
    else:
        path = folder / "value.npy"
        np.save(path, value)
    return path


def solved(problem, kind, leaf, value):
    given = {name: part if isinstance(part, dict) or name == "data" else {"use": part}
             for name, part in problem.items() if part is not None}
    changed = {leaf: value} if kind is None else {kind: {**given[kind], leaf: value}}
    return claros.solve(**{**given, **changed}, stop={"iterations": 15})


@pytest.mark.parametrize("component, leaf", sorted(CASES))
def test_a_file_and_memory_are_the_same_problem(tmp_path, component, leaf):
    problem, value = CASES[component, leaf]
    kind = component.partition("/")[0]
    by_file = solved(problem, kind, leaf, written_to(tmp_path, value))
    if value is not PROGRAM:
        is_data = leaf == "data" and isinstance(value, tuple)
        by_memory = solved(problem, None, "data", value) if is_data else solved(problem, kind, leaf, value)
        assert by_memory.x.shape == by_file.x.shape and by_memory.x.tobytes() == by_file.x.tobytes()
        assert by_memory.value == by_file.value
    if isinstance(value, (np.ndarray, str)):  # as programs of C++ give it
        table = value if isinstance(value, str) else np.asfortranarray(value.reshape(len(value), -1), dtype=float)
        held = _claros.MemoryFile(f"{kind}.{leaf}", table)
        by_name = solved(problem, kind, leaf, held.name)
        assert by_name.x.tobytes() == by_file.x.tobytes() and by_name.value == by_file.value
