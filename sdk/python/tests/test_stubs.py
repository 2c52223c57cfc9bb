# SPDX-License-Identifier: BSD-3-Clause
"""The build makes the stubs; they can be parsed, and name what there is."""
import ast
import os
import pathlib
import subprocess
import sys

import pytest

import claros

SOURCE = pathlib.Path(os.environ.get("CLAROS_SOURCE", pathlib.Path(__file__).resolve().parents[3]))
STUBS = sorted(pathlib.Path(claros.__file__).parent.glob("*.pyi"))
# What an estimator passes on to a component under a name of its own.
PASSED = {"l1_ratio": ("penalty/elastic-net", "ratio"), "b": ("penalty/mcp", "b"), "zeta": ("penalty/scad", "zeta"),
          "rho": ("penalty/l1", "rho"), "quantile": ("loss/quantile", "tau")}


def test_the_build_has_made_them_of_this_package(tmp_path):
    subprocess.run([sys.executable, SOURCE / "sdk/python/tools/make_stubs.py", tmp_path], check=True)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {path.name: path.read_text() for path in STUBS}


def test_all_are_there():
    assert [path.name for path in STUBS] == ["components.pyi", "linear.pyi", "matrix.pyi", "solving.pyi", "survival.pyi"]


@pytest.mark.parametrize("path", STUBS, ids=lambda path: path.name)
def test_names_of_a_stub(path):
    tree = ast.parse(path.read_text())
    known = {name for node in ast.walk(tree) for name in (
        [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom)
        else [node.name] if isinstance(node, (ast.ClassDef, ast.FunctionDef))
        else [target.id for target in node.targets] if isinstance(node, ast.Assign) else [])}
    builtin = {"str", "int", "float", "bool", "dict", "list", "tuple", "property", "KeyboardInterrupt"}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    assert used <= known | builtin


def test_a_stub_has_the_attributes_of_a_fit():
    from claros import linear, matrix, survival

    for module in (linear, matrix, survival):
        tree = ast.parse((pathlib.Path(claros.__file__).parent / f"{module.__name__.split('.')[1]}.pyi").read_text())
        kinds = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        assert kinds
        for kind in kinds:
            annotated = [node.target.id for node in kind.body if isinstance(node, ast.AnnAssign)]
            assert annotated == list(getattr(module, kind.name)._fitted)


def test_docstrings_name_every_parameter():
    from claros import linear

    for kind in (linear.Lasso, linear.SCADRegression, linear.LogisticRegressionCV):
        for name in kind._parameters:
            assert f"\n    {name} = " in kind.__doc__
    assert claros.describe("penalty/scad")["parameters"][1]["meaning"] in " ".join(linear.SCADRegression.__doc__.split())


@pytest.mark.parametrize("name", PASSED)
def test_a_parameter_that_is_passed_on_has_the_meaning_of_the_component(name):
    from claros.estimators import MEANINGS

    component, parameter = PASSED[name]
    row, = [row for row in claros.describe(component)["parameters"] if row["name"] == parameter]
    assert MEANINGS[name] == f"{row['meaning']} ({row['range'] or row['type']})"
