# SPDX-License-Identifier: BSD-3-Clause
"""The program `claros` of a wheel."""
import os
import pathlib
import sys


def main():
    """Becomes the program, with the arguments of this one."""
    program = pathlib.Path(__file__).parent / "bin" / "claros"
    os.execv(program, ["claros", *sys.argv[1:]])
