# SPDX-License-Identifier: BSD-3-Clause
"""The blocks of the guides in Python run in the order of their page, in one folder, and print what the page shows.

A block of ```python is run; a block of ```text behind it has lines that it prints, up to the last character given. A
tutorial's blocks of ```sh are run between them. The folder is a copy of docs/examples/data. What a page takes for
granted is in PRELUDES. Commands `claros run` in indented blocks are checked, if their data are generated or there.
"""
import contextlib
import io
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import traceback

import pytest

import claros
from claros import program

SOURCE = pathlib.Path(os.environ.get("CLAROS_SOURCE", pathlib.Path(__file__).resolve().parents[3]))
GUIDES = SOURCE / "docs/guides"
PRELUDES = {"data-formats.md": """
import struct, numpy, scipy.sparse, numpy as np
X = np.random.default_rng(0).normal(size=(40, 9)); y = X[:, 0].copy(); a, x = X, X[0]
S = scipy.sparse.csr_matrix(X); R = scipy.sparse.coo_matrix(np.abs(X) * (X > 1))
user, item, stars = R.row, R.col, R.data
import pandas
pandas.DataFrame({"size": X[:, 0], "rooms": X[:, 1], "price": X[:, 2]}).to_csv("large.csv", index=False)
"""}
NEEDS = {"h5py": "import h5py"}  # of a block that is left out where the module is missing


def blocks_of(page):
    """Kind, text and first line of every fenced block."""
    blocks, kind = [], None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            kind = None if kind is not None else line[3:]
            if kind is not None:
                blocks.append([kind, "", number])
        elif kind is not None:
            blocks[-1][1] += line + "\n"
    return blocks


PAGES = [page for page in sorted(GUIDES.rglob("*.md")) if any(kind == "python" for kind, _, _ in blocks_of(page))]


def printed_by(text, place, names):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(text, place, "exec"), names)
        except Exception:
            pytest.fail(f"{place}:\n{text}\n{traceback.format_exc()}")
    return printed.getvalue()


def run_script(text, place, folder):
    path = f"{program.path().parent}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-ec", text], cwd=folder, capture_output=True, text=True, env={**os.environ, "PATH": path})
    assert done.returncode == 0, f"{place}:\n{text}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def is_left_out(text):
    return any(module in text and not _exists(module) for module in NEEDS)


def _exists(module):
    import importlib.util

    return importlib.util.find_spec(module) is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: os.fspath(page.relative_to(GUIDES)))
def test_blocks(page, tmp_path, monkeypatch):
    shutil.copytree(SOURCE / "docs/examples/data", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    names, printed = {"__name__": page.stem}, None
    exec(PRELUDES.get(page.name, ""), names)
    for kind, text, number in blocks_of(page):
        place = f"{page.name}, line {number}"
        if kind == "python" and not is_left_out(text):
            printed = printed_by(text, place, names)
        elif kind == "sh" and page.parent.name == "tutorials":
            printed = run_script(text, place, tmp_path)
        elif kind == "text" and printed is not None:
            missing = [line for line in text.splitlines() if line.strip() not in printed]
            assert not missing, f"{place}: not printed: {missing}\nprinted:\n{printed}"
        else:
            printed = None


def commands_of(page):
    """The words of each `claros run` of an indented block, with the number of its line."""
    lines = page.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("    claros run "):
            text, next_line = line, number
            while text.endswith("\\"):
                text, next_line = text[:-1] + lines[next_line].strip(), next_line + 1
            if "..." not in text and "$" not in text:
                yield number, shlex.split(text)[2:]


def is_there(word, folder):
    file = re.fullmatch(r"(?:[\w.]+=)?([\w./-]+\.(?:csv|tsv|ini|pgm|design|h5ad|txt|mtx|bin))", word)
    return not file or (folder / file[1]).exists() or (SOURCE / file[1]).exists()


@pytest.mark.parametrize("page", sorted(GUIDES.rglob("*.md")), ids=lambda page: os.fspath(page.relative_to(GUIDES)))
def test_commands(page, tmp_path):
    shutil.copytree(SOURCE / "docs/examples/data", tmp_path, dirs_exist_ok=True)
    (tmp_path / "docs").symlink_to(SOURCE / "docs")
    for number, words in commands_of(page):
        words = [word for word in words if word not in ("--watch", "--quiet")]
        if "--out" in words:
            del words[words.index("--out"):words.index("--out") + 2]
        if words and all(is_there(word, tmp_path) and "start.from=" not in word for word in words):
            done = subprocess.run([program.path(), "check", *words], cwd=tmp_path, capture_output=True, text=True)
            assert done.returncode == 0, f"{page.name}, line {number}: {words}\n{done.stderr}"


def test_there_are_pages_and_what_is_wrong_fails(tmp_path):
    assert len(PAGES) > 8
    assert sum(len(list(commands_of(page))) for page in GUIDES.rglob("*.md")) > 50
    with pytest.raises(pytest.fail.Exception, match="ZeroDivisionError"):
        printed_by("1 / 0", "here", {})
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\n```\ntext\n```text\n1\n```\n")
    assert [block[0] for block in blocks_of(page)] == ["python", "text"]


@pytest.mark.parametrize("script", sorted((SOURCE / "docs/examples/python").glob("*.py")), ids=lambda path: path.stem)
def test_examples(script, tmp_path):
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.fspath(pathlib.Path(claros.__file__).parents[1])})
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout
