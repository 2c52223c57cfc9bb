# SPDX-License-Identifier: BSD-3-Clause
"""The stubs are up to date, can be parsed, and name what there is."""
import ast
import os
import pathlib
import subprocess
import sys

import pytest

import claros

SOURCE = pathlib.Path(os.environ.get("CLAROS_SOURCE", pathlib.Path(__file__).resolve().parents[3]))
STUBS = sorted((SOURCE / "sdk/python/claros").glob("*.pyi"))


def test_they_are_up_to_date():
    done = subprocess.run([sys.executable, SOURCE / "sdk/python/tools/make_stubs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_all_are_there():
    assert [path.name for path in STUBS] == ["components.pyi", "linear.pyi", "matrix.pyi", "solving.pyi", "survival.pyi"]


@pytest.mark.parametrize("path", STUBS, ids=lambda path: path.name)
def test_names_of_a_stub(path):
    tree = ast.parse(path.read_text())
    known = {name for node in ast.walk(tree) for name in (
        [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom)
        else [node.name] if isinstance(node, (ast.ClassDef, ast.FunctionDef))
        else [target.id for target in node.targets] if isinstance(node, ast.Assign) else [])}
    builtin = {"str", "int", "float", "bool", "dict", "tuple", "KeyboardInterrupt"}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    assert used <= known | builtin


def test_docstrings_name_every_parameter():
    from claros import linear

    for kind in (linear.Lasso, linear.SCADRegression, linear.LogisticRegressionCV):
        for name in kind._parameters:
            assert f"\n    {name} = " in kind.__doc__
    assert claros.describe("penalty/scad")["parameters"][1]["meaning"] in " ".join(linear.SCADRegression.__doc__.split())
