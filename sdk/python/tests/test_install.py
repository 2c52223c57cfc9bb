# SPDX-License-Identifier: BSD-3-Clause
"""The package as it is installed: by CMake below a prefix, and as a wheel, both without a variable for plugins."""
import os
import pathlib
import shutil
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


@pytest.fixture
def backend(monkeypatch):
    """The backend, as pip calls it; the build that is tested takes the place of its own."""
    monkeypatch.syspath_prepend(os.path.join(SOURCE, "sdk", "python"))
    import build_backend
    monkeypatch.setattr(build_backend, "_built", lambda settings: pathlib.Path(BUILD))
    return build_backend


def test_wheel(tmp_path, backend):
    name = backend.build_wheel(tmp_path, {"bundle": "no"})
    target = tmp_path / "environment"
    run(sys.executable, "-m", "venv", "--system-site-packages", target)
    run(target / "bin" / "pip", "install", "--no-index", "--no-deps", tmp_path / name)
    assert os.fspath(target) in run(target / "bin" / "python", "-c", FIT)
    assert "l1" in run(target / "bin" / "claros", "list", "penalty")
    assert "claros" in run(target / "bin" / "pip", "list")
    package = run(target / "bin" / "claros", "--cmake-dir").strip()
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(stranger LANGUAGES CXX)\nfind_package(claros REQUIRED)\n")
    run("cmake", "-G", "Ninja", "-S", tmp_path, "-B", tmp_path / "stranger", f"-Dclaros_DIR={package}")
    run(target / "bin" / "pip", "uninstall", "--yes", "claros")
    assert [path for path in target.rglob("*claros*")] == []


def test_metadata_without_a_build(tmp_path, backend, monkeypatch):
    def refused(*command):
        raise AssertionError(command)
    monkeypatch.setattr(backend, "_run", refused)
    folder = tmp_path / backend.prepare_metadata_for_build_wheel(tmp_path, {"bundle": "no"})
    assert "Name: claros" in (folder / "METADATA").read_text()
    assert "claros.program:main" in (folder / "entry_points.txt").read_text()


def test_python_that_lacks_something_is_refused_in_one_sentence(tmp_path):
    """Without its packages a Python has no numpy."""
    code = f"import sys; sys.path.insert(0, {os.path.join(SOURCE, 'sdk', 'python')!r}); " \
           f"import build_backend; build_backend.prepare_metadata_for_build_wheel({os.fspath(tmp_path)!r})"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, env=clean())
    said = done.stderr.strip()
    assert done.returncode == 1 and said.count("\n") == 0
    assert sys.executable in said and "numpy" in said and "apps/install-packages" in said


def test_source_distribution_is_the_same_twice(tmp_path, backend):
    if not (pathlib.Path(SOURCE) / ".git").exists() or not shutil.which("git"):
        pytest.skip("no clone of git")
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        backend.build_sdist(tmp_path / name)
    first, second = (next((tmp_path / name).iterdir()).read_bytes() for name in ("first", "second"))
    assert first == second


@pytest.mark.skipif(not shutil.which("patchelf"), reason="patchelf is not installed")
def test_libraries_of_other_projects_come_along(tmp_path, backend):
    program = tmp_path / "claros" / "bin" / "claros"
    program.parent.mkdir(parents=True)
    shutil.copy(pathlib.Path(BUILD) / "bin" / "claros", program)
    run("patchelf", "--set-rpath", "$ORIGIN/../lib", program)
    (tmp_path / "claros" / "lib").mkdir()
    for library in (pathlib.Path(BUILD) / "lib").glob("libclaros*.so.*"):
        if library.is_symlink():
            shutil.copy(library.resolve(), tmp_path / "claros" / "lib" / library.name)
    backend._bundle(tmp_path)
    for name, place in backend._resolved(program).items():
        assert backend.SYSTEM.fullmatch(name) or place.startswith(os.fspath(tmp_path)), (name, place)
    assert "claros" in run(program, "version")
