# SPDX-License-Identifier: BSD-3-Clause
"""Every block of code of the guides runs, in the order of its page, and prints what the page shows.

The pages are README.md, docs/overview.md, docs/guides and the pages of docs/examples. A page begins in a folder that is a copy of
docs/examples/data and its home (docs/examples/jobs.md shows outputs whole); PRELUDES makes the files that a reader has and the page does not. RUN says how a block of each
kind runs. A block of ```text behind one has lines that it prints. Blocks of ```cpp and ```cmake compile in tests/compile and
tests/install; for ```shell tests/check_guides says which test has its commands.
"""
import contextlib
import io
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import traceback

import pytest

import claros
from claros import program

SOURCE = pathlib.Path(os.environ.get("CLAROS_SOURCE", pathlib.Path(__file__).resolve().parents[3]))
PAGES = [SOURCE / "README.md", SOURCE / "docs/overview.md", *sorted((SOURCE / "docs/guides").rglob("*.md")),
         *sorted((SOURCE / "docs/examples").rglob("*.md"))]
LASSO = """
cat > lasso.ini <<END
[data]
use = synthetic-regression
rows = 50
cols = 50
nonzero = 5
[objective]
use = linear-model
[penalty]
use = l1
lambda = 0.1*max
END
"""
PRELUDES = {
    "compare-and-plot.md": {"sh": LASSO + """
claros run lasso.ini --out first
claros run lasso.ini algorithm.use=proximal-gradient --out second
printf '1,1\\n2,2.1\\n3,2.9\\n' > held-out.csv
claros run objective.use=linear-model objective.data=held-out.csv penalty.use=l1 penalty.lambda=0.1 --out fit
"""},
    "results.md": {"sh": LASSO},
    "compose/penalties.md": {"sh": """
printf 'height,weight,yield,water,sun\\n1,2,3,4,1\\n2,2,5,3,6\\n4,3,1,2,7\\n3,1,2,5,9\\n' > plants.csv
"""},
    "compose/regression.md": {"sh": "head -20 patients.csv > others.csv"},
    "data-formats.md": {"python": """
import struct, numpy, scipy.sparse, numpy as np
X = np.random.default_rng(0).normal(size=(40, 9)); y = X[:, 0].copy(); a, x = X, X[0]
S = scipy.sparse.csr_matrix(X); R = scipy.sparse.coo_matrix(np.abs(X) * (X > 1))
user, item, stars = R.row, R.col, R.data
import pandas
pandas.DataFrame({"size": X[:, 0], "rooms": X[:, 1], "price": X[:, 2]}).to_csv("large.csv", index=False)
""", "sh": """
echo 'X <- matrix(as.double(1:360), 40); y <- X[, 1]' > .Rprofile
printf 'day,who,what,how\\n1,ann,M,3\\n2,bob,N,4\\n3,ann,N,5\\n4,bob,M,1\\n' > log.csv
printf '1 1:2 3:4\\n2 2:1\\n' | tee day1.svm train.svm | gzip > day1.svm.gz
printf '0 1:1 3:1\\n' | gzip > day2.svm.gz
"""},
    "scale.md": {"python": """
import numpy as np
rng = np.random.default_rng(0)
for at, name in enumerate(["rows", "part-1", "part-2"]):
    A = rng.normal(size=(40, 5))
    np.savetxt(name + ".csv", np.column_stack([(A ** 2).sum(axis=1), A]), delimiter=",")
    with open(name + ".svm", "w") as file:
        file.writelines(f"{row[0]} 1:{row[1]} 2:{row[2]}\\n" for row in A)
    with open(name + ".tsv", "w") as file:
        file.writelines(f"{40 * at + i}\\t{j}\\t{A[i, j]}\\n" for i in range(40) for j in range(5) if (i + j) % 3)
"""}}
LACKS = {  # what a block is left out for where it is missing: a word of the block, and a command that finds what it needs
    "h5py": [sys.executable, "-c", "import h5py"], "rhdf5": ["Rscript", "-e", "library(rhdf5)"], ".h5ad": ["false"],
    "mpirun": ["mpirun", "--version"], "claros plot": ["gnuplot", "--version"]}


def blocks_of(page):
    """Kind, text and first line of every fenced block."""
    blocks, kind = [], None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip().startswith("```"):
            kind = None if kind is not None else line.strip()[3:]
            if kind is not None:
                blocks.append([kind, "", number])
        elif kind is not None:
            blocks[-1][1] += line + "\n"
    return blocks


def run_python(text, place, names):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(text, place, "exec"), names)
        except Exception:
            pytest.fail(f"{place}:\n{text}\n{traceback.format_exc()}")
    return printed.getvalue()


def run_program(*words):
    """Runs a text by a program that reads a file."""

    def run(text, place, names):
        path = pathlib.Path.home() / "commands"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([*words, path], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"{place}:\n{text}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    return run


def run_shell(text, place, names):
    """The next block begins in the folder where this one ends, as in a terminal."""
    last = pathlib.Path.home() / "folder"
    printed = run_program("bash", "-e")(f"{text}\npwd > ~/folder\n", place, names)
    os.chdir(last.read_text().strip())
    return printed


def run_specification(text, place, names):
    pathlib.Path("lasso.ini").write_text(text, encoding="utf-8")
    return run_shell("claros check lasso.ini", place, names)


RUN = {"python": run_python, "sh": run_shell, "ini": run_specification, "r": run_program("Rscript"),
       "julia": run_program("julia")}


def is_left_out(kind, text):
    needs = [command for word, command in LACKS.items() if word in text]
    needs += [[program, "--version"] for program in {"r": ["Rscript"], "julia": ["julia"]}.get(kind, [])]
    return any(not shutil.which(command[0]) or subprocess.run(command, capture_output=True).returncode for command in needs)


def missing_in(printed, text):
    return [line for line in text.splitlines() if line.strip() not in printed]


def differences(printed, text):
    """The lines in which a whole output differs from that of a page, but for times, counts of work, gaps, and the last digits."""
    return [(one, other) for one, other in itertools.zip_longest(*map(_lines_of, (printed, text)), fillvalue="") if not _are_same(one, other)]


def _lines_of(text):
    """The lines without what differs from run to run; a column of seconds is cut out."""
    lines, column = [], None
    for line in text.splitlines():
        cells = re.split(r"  +", line.strip())
        column = cells.index("seconds") if "seconds" in cells[1:] else column if len(cells) > 2 else None
        if column is not None:
            del cells[column:column + 1]
        if line.strip() and not re.match(r" +(gap|relative gap|lower bound|iterations|epochs|work|seconds|elapsed_seconds) | {14}", line):
            lines.append("  ".join(cells))
    return lines


def _are_same(one, other):
    def parts(line):
        return re.split(r"([-+]?\d+\.?\d*(?:e[-+]?\d+)?)", line)

    def near(a, b):
        try:
            return abs(float(a) - float(b)) <= 1e-2 * max(abs(float(a)), abs(float(b))) + 1e-5 * ("e-" in a + b)
        except ValueError:
            return a.split() == b.split()

    return len(parts(one)) == len(parts(other)) and all(map(near, parts(one), parts(other)))


@pytest.fixture
def reader(tmp_path, monkeypatch):
    """The folder, the home and the paths of one who reads a page."""
    shutil.copytree(SOURCE / "docs/examples/data", tmp_path, dirs_exist_ok=True)
    (tmp_path / "docs").symlink_to(SOURCE / "docs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", os.fspath(tmp_path))
    monkeypatch.setenv("PATH", os.pathsep.join([os.fspath(program.path().parent), os.fspath(pathlib.Path(sys.executable).parent), os.environ["PATH"]]))
    monkeypatch.setenv("CMAKE_PREFIX_PATH", os.environ.get("CLAROS_BUILD", ""))
    monkeypatch.delenv("CLAROS_BUILD", raising=False)
    monkeypatch.delenv("CLAROS_SOURCE", raising=False)
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"):
        monkeypatch.setenv(name, "1")


@pytest.mark.parametrize("page", [page for page in PAGES if any(kind in RUN for kind, _, _ in blocks_of(page))],
                         ids=lambda page: os.fspath(page.relative_to(SOURCE)))
def test_blocks(page, reader):
    names, printed = {"__name__": page.stem}, None
    for kind, text in PRELUDES.get(os.fspath(page.relative_to(SOURCE / "docs/guides")) if SOURCE / "docs/guides" in page.parents else "", {}).items():
        RUN[kind](text, f"what {page.name} takes for granted", names)
    for kind, text, number in blocks_of(page):
        place = f"{page.name}, line {number}"
        if kind == "text":
            shown = differences if page.name == "jobs.md" else missing_in
            missing = shown(printed, text) if printed is not None else []
            assert not missing, f"{place}: not printed: {missing}\nprinted:\n{printed}"
        else:
            printed = RUN[kind](text, place, names) if kind in RUN and not is_left_out(kind, text) else None


def test_there_are_pages_and_what_is_wrong_fails(reader):
    kinds = [kind for page in PAGES for kind, _, _ in blocks_of(page)]
    assert kinds.count("sh") > 100 and kinds.count("python") > 40
    with pytest.raises(pytest.fail.Exception, match="ZeroDivisionError"):
        run_python("1 / 0", "here", {})
    with pytest.raises(AssertionError, match="no objective named 'x'"):
        RUN["sh"]("claros check objective.use=x\ntrue", "here", {})
    with pytest.raises(AssertionError, match="there is no section"):
        RUN["ini"]("[objectiv]\nuse = linear\n", "here", {})
    page = pathlib.Path("page.md")
    page.write_text("```python\nx = 1\n```\ntext\n    ```text\n    1\n    ```\n")
    assert [block[0] for block in blocks_of(page)] == ["python", "text"]
    assert missing_in("a\nb\n", "  b\n\nc") == ["c"]
    assert differences("a  1.0  x\n  seconds 3\n", "a  1.001  x\n") == [] and len(differences("a 1\nb\n", "a 1.1\n")) == 2
    assert differences("loss  seconds  mse\n1  2  3\n", "loss  seconds  mse\n1  9  3\n") == []
    assert differences("loss  seconds  mse\n1  2  3\n", "loss  seconds  mse\n1  2  4\n") != []


@pytest.mark.parametrize("script", sorted((SOURCE / "docs/examples/python").glob("*.py")), ids=lambda path: path.stem)
def test_examples(script, tmp_path):
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.fspath(pathlib.Path(claros.__file__).parents[1])})
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout
