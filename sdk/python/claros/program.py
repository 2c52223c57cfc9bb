# SPDX-License-Identifier: BSD-3-Clause
"""The program `claros` of this package, its build or its installation."""
import os
import pathlib
import subprocess
import sys

from . import errors

_HERE = pathlib.Path(__file__).parent


def path():
    """The program: in a wheel below the package, else in bin/ of the prefix or build folder above it."""
    for folder in (_HERE, *_HERE.parents):
        program = folder / "bin" / "claros"
        if os.access(program, os.X_OK):
            return program
    raise errors.UsageError([("claros", f"no program claros in the folders above {_HERE}", "install the package claros")])


def _run(command, words):
    done = subprocess.run([path(), command, *map(os.fspath, words)], capture_output=True, text=True)
    if done.returncode:
        raise errors.UsageError(done.stderr.strip() or f"claros {command} ended with the code {done.returncode}")
    return done.stdout.strip()


def _require_folder(folder, what):
    if folder is None:
        raise errors.UsageError([(what, "the result is in no folder", "solve with out=FOLDER")])


def report(folders, out=None):
    """The page that `claros report FOLDER... [--out FILE]` writes."""
    return _run("report", [*folders, *([] if out is None else ["--out", out])])


def report_of(folder, out):
    """The page of what was solved with out=folder."""
    _require_folder(folder, "report")
    return report([folder], out)


class Picture(str):
    """The name of a picture's file, which a notebook shows."""

    def _repr_mimebundle_(self, include=None, exclude=None):
        kind = {".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf"}[pathlib.Path(self).suffix]
        held = pathlib.Path(self).read_bytes()
        return {kind: held.decode() if kind == "image/svg+xml" else held}


def known_picture(what, kinds):
    """`what`. Raises UsageError if it is none of the kinds."""
    if what not in kinds:
        raise errors.UsageError([("plot", f"{what!r} is no picture of this", f"write one of {', '.join(kinds)}")])
    return what


def plot_of(folder, what, kinds, out):
    """The picture that `claros plot` makes of what was solved with out=folder; kinds: its words for each `what`."""
    _require_folder(folder, "plot")
    known_picture(what, kinds)
    out = os.path.join(folder, f"{what}.svg") if out is None else os.fspath(out)
    _run("plot", [folder, *kinds[what], "--out", out])
    return Picture(out)


def cmake_dir():
    """The folder of claros-config.cmake: cmake -Dclaros_DIR=$(claros --cmake-dir) finds this installation."""
    for folder in path().parents[1].glob("lib*/**/cmake/claros"):
        return folder
    raise errors.UsageError([("claros", f"no claros-config.cmake below {path().parents[1]}", "install the headers, too")])


def main():
    """Becomes the program, with the arguments of this one."""
    if sys.argv[1:] == ["--cmake-dir"]:
        print(cmake_dir())
        return
    os.execv(path(), ["claros", *sys.argv[1:]])
