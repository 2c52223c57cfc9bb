# SPDX-License-Identifier: BSD-3-Clause
"""The package as it is installed: by CMake below a prefix, and as a wheel, both without a variable for plugins."""
import os
import pathlib
import subprocess
import sys

import pytest

BUILD, SOURCE = os.environ.get("CLAROS_BUILD"), os.environ.get("CLAROS_SOURCE")
pytestmark = pytest.mark.skipif(not BUILD or not SOURCE, reason="CLAROS_BUILD and CLAROS_SOURCE name no folders")
FIT = """
import claros, numpy as np, os, tempfile
X = np.eye(4)
with tempfile.TemporaryDirectory() as folder:
    result = claros.solve(objective="linear-model", penalty={"use": "l1", "lambda": 0.1}, data=(X, X[0]), out=folder + "/run")
    assert os.path.getsize(result.report()) > 10000
assert result.target and len(claros.components("penalty")) > 10
print(claros.__file__)
"""


def clean(**given):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "CLAROS", "LD_"))}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", **given}


def run(*command, **given):
    done = subprocess.run([os.fspath(part) for part in command], capture_output=True, text=True, env=clean(**given))
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_prefix_that_is_moved(tmp_path):
    for component in ("runtime", "python"):
        run("cmake", "--install", BUILD, "--prefix", tmp_path / "first", "--component", component)
    (tmp_path / "first").rename(tmp_path / "moved")
    package, = (tmp_path / "moved").glob("**/claros/__init__.py")
    found = run(sys.executable, "-c", FIT, PYTHONPATH=package.parents[1])
    assert found.strip() == os.fspath(package)


def test_wheel(tmp_path):
    """By the backend, as pip calls it, from the build that is tested."""
    sys.path.insert(0, os.path.join(SOURCE, "sdk", "python"))
    try:
        import build_backend
    finally:
        sys.path.pop(0)
    stage = tmp_path / "stage"
    stage.mkdir()
    build_backend._built = lambda settings: pathlib.Path(BUILD)  # it is built; a second build would wait for this test
    name = build_backend.build_wheel(tmp_path)
    target = tmp_path / "environment"
    run(sys.executable, "-m", "venv", "--system-site-packages", target)
    run(target / "bin" / "pip", "install", "--no-index", "--no-deps", tmp_path / name)
    assert os.fspath(target) in run(target / "bin" / "python", "-c", FIT)
    assert "l1" in run(target / "bin" / "claros", "list", "penalty")
    assert "claros" in run(target / "bin" / "pip", "list")
