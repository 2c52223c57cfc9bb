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


def main():
    """Becomes the program, with the arguments of this one."""
    os.execv(path(), ["claros", *sys.argv[1:]])
