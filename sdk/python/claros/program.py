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


def report(folders, out=None):
    """The page that `claros report FOLDER... [--out FILE]` writes."""
    chosen = [] if out is None else ["--out", os.fspath(out)]
    command = [path(), "report", *map(os.fspath, folders), *chosen]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise errors.UsageError(done.stderr.strip() or f"claros report ended with the code {done.returncode}")
    return done.stdout.strip()


def report_of(folder, out):
    """The page of what was solved with out=folder."""
    if folder is None:
        raise errors.UsageError([("report", "the result is in no folder", "solve with out=FOLDER")])
    return report([folder], out)


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
