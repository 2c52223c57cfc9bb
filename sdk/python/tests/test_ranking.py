# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of claros predict --ranking, and of a path by them: against scikit-learn's."""
import json
import os
import subprocess

import numpy as np
import pytest

metrics = pytest.importorskip("sklearn.metrics")

BUILD = os.environ.get("CLAROS_BUILD")
pytestmark = pytest.mark.skipif(not BUILD, reason="CLAROS_BUILD names no folder")
ROWS, COLS, K = 30, 25, 5


def claros(folder, *words):
    done = subprocess.run([os.path.join(BUILD, "bin/claros"), *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ratings(folder):
    """train.csv, held.csv, and which position is in which."""
    rng = np.random.default_rng(17)
    Y = np.round(3 + rng.normal(size=(ROWS, 3)) @ rng.normal(size=(3, COLS)), 3)
    part = rng.choice(3, size=(ROWS, COLS), p=[0.4, 0.2, 0.4])
    part[0, :], part[:, 0] = 0, 0  # every row and column is known
    for name, number in (("train.csv", 0), ("held.csv", 1)):
        lines = [f"{i + 1},{j + 1},{Y[i, j]}\n" for i, j in zip(*np.nonzero(part == number))]
        (folder / name).write_text("".join(lines))
    return Y, part


PROBLEM = ["objective.use=matrix-completion", "objective.data=train.csv", "objective.center=biases",
           f"objective.rows={ROWS}", f"objective.cols={COLS}", "set.use=nuclear-ball"]


@pytest.mark.parametrize("least", [None, 3.5])
def test_metrics_are_those_of_scikit_learn(tmp_path, least):
    Y, part = ratings(tmp_path)
    claros(tmp_path, "run", *PROBLEM, "set.radius=40", "stop.relative_gap=1e-4", "--quiet", "--out", "fit")
    pairs = "".join(f"{i + 1},{j + 1}\n" for i in range(ROWS) for j in range(COLS))
    (tmp_path / "all.csv").write_text(pairs)
    rows = json.loads(claros(tmp_path, "predict", "fit", "all.csv", "--json"))["rows"]
    scores = np.array([row["prediction"] for row in rows]).reshape(ROWS, COLS)

    ndcg, auc, precision, recall, average = [], [], [], [], []
    for i in range(ROWS):
        candidates = np.nonzero(part[i] != 0)[0]
        relevant = (part[i, candidates] == 1) & (Y[i, candidates] >= (-np.inf if least is None else least))
        if not relevant.any():
            continue
        found = scores[i, candidates]
        ndcg.append(metrics.ndcg_score([relevant.astype(float)], [found], k=K))
        auc.append(metrics.roc_auc_score(relevant, found) if not relevant.all() else 0.5)
        hits = relevant[np.argsort(-found)[:K]]
        precision.append(hits.sum() / K)
        recall.append(hits.sum() / relevant.sum())
        average.append(sum(hits[: r + 1].sum() / (r + 1) for r in np.nonzero(hits)[0]) / min(K, relevant.sum()))
    expected = {"ndcg": ndcg, "auc": auc, "precision": precision, "recall": recall, "map": average}

    words = ["predict", "fit", "held.csv", "--ranking", str(K), "--without", "train.csv", "--json"]
    if least is not None:
        words += ["--relevant", str(least)]
    ours = json.loads(claros(tmp_path, *words))["quality"]["ranking"]
    assert ours["rows"] == len(ndcg)
    for name, numbers in expected.items():
        assert ours[name] == pytest.approx(np.mean(numbers), rel=1e-12), name


def test_a_path_has_the_same_numbers(tmp_path):
    ratings(tmp_path)
    common = ["path", *PROBLEM, "objective.test=held.csv", "--grid", "10,40", "stop.relative_gap=1e-5", "--quiet",
              "--json", "--out", "kept", "--relevant", "3.5"]
    for metric in ("ndcg", "precision", "recall", "map"):
        record = json.loads(claros(tmp_path, *common, "--by", f"{metric}@{K}"))
        best = record["rows"][record["chosen"]["best"]["row"]]
        words = ["predict", "kept/best", "held.csv", "--ranking", str(K), "--without", "train.csv", "--relevant", "3.5", "--json"]
        ranking = json.loads(claros(tmp_path, *words))["quality"]["ranking"]
        assert best[f"{metric}@{K}"] == pytest.approx(ranking[metric], rel=1e-9)


def test_a_path_in_python_chooses_as_the_program_does(tmp_path):
    import claros as package

    ratings(tmp_path)
    record = json.loads(claros(tmp_path, "path", *PROBLEM, "objective.test=held.csv", "--grid", "10,40,90", "--by", f"ndcg@{K}",
                               "--relevant", "3.5", "--explained", "1", "stop.relative_gap=1e-3", "--quiet", "--json"))
    path = package.Path(objective={"use": "matrix-completion", "data": tmp_path / "train.csv", "test": tmp_path / "held.csv",
                                   "center": "biases", "rows": ROWS, "cols": COLS},
                        set={"use": "nuclear-ball"}, grid=[10, 90, 40], by=f"ndcg@{K}", relevant=3.5, explained=1,
                        stop={"relative_gap": 1e-3})
    assert list(path.lambdas_) == [10, 40, 90]
    assert path.chosen_["best"] == record["chosen"]["best"]["row"]
    # Python leaves OpenBLAS the kernels that numpy has; the program takes those of the processor.
    assert path.table_["value"] == pytest.approx([row["value"] for row in record["rows"]], rel=1e-6)
