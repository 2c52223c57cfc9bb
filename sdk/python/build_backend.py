# SPDX-License-Identifier: BSD-3-Clause
"""A build backend (PEP 517) that calls CMake: `pip install --no-build-isolation .` works without a network.

The wheel has the package, and below it the library, the plugins and the program, which find each other by relative
paths. The system's libraries (apps/debian-packages.txt) are not in it: it is for the machine that built it, and those
alike. --config-settings build-dir=DIR takes another build folder than build/wheel; one that is configured already
keeps its options.
"""
import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _version():
    return re.search(r"project\(claros VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def _metadata():
    return (f"Metadata-Version: 2.1\nName: claros\nVersion: {_version()}\n"
            "Summary: Structured optimization, composed at run time from plugins\nLicense: BSD-3-Clause\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\nProvides-Extra: sklearn\n"
            "Requires-Dist: scikit-learn >=1.2 ; extra == 'sklearn'\nRequires-Dist: scipy ; extra == 'sklearn'\n")


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def _run(*command):
    subprocess.run([os.fspath(part) for part in command], check=True)


def _built(config_settings):
    settings = config_settings or {}
    build = ROOT / settings.get("build-dir", "build/wheel")
    if not (build / "CMakeCache.txt").exists():
        ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
        _run("cmake", "-S", ROOT, "-B", build, *ninja, "-DCMAKE_BUILD_TYPE=Release", "-DCLAROS_UNITY=ON", "-DCLAROS_TESTS=OFF",
             "-DCLAROS_BENCHMARKS=OFF", f"-DPython3_EXECUTABLE={sys.executable}")
    _run("cmake", "--build", build, "--parallel")
    return build


def _stage(build, stage):
    """The package in stage/claros, and below it what an installation has below its prefix."""
    with tempfile.TemporaryDirectory() as prefix:
        _run("cmake", "--install", build, "--prefix", prefix, "--component", "python", "--strip")
        packages = list(pathlib.Path(prefix).glob("**/claros/__init__.py"))
        if len(packages) != 1:
            raise RuntimeError(f"{build} makes no Python package: install python3-dev, python3-numpy and pybind11-dev")
        shutil.copytree(packages[0].parent, stage / "claros")
    _run("cmake", "--install", build, "--prefix", stage / "claros", "--component", "runtime", "--strip")


def _entry(archive, name, content, mode):
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
    archive.writestr(info, content)
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def _described(archive, files):
    """Writes what describes a wheel, after `files`, its lines of RECORD."""
    info = f"claros-{_version()}.dist-info"
    wheel = f"Wheel-Version: 1.0\nGenerator: claros\nRoot-Is-Purelib: false\nTag: {_tag()}\n"
    entry_points = "[console_scripts]\nclaros = claros.program:main\n"
    for name, text in (("METADATA", _metadata()), ("WHEEL", wheel), ("entry_points.txt", entry_points)):
        files.append(_entry(archive, f"{info}/{name}", text.encode(), 0o644))
    files.append(f"{info}/RECORD,,\n")
    archive.writestr(f"{info}/RECORD", "".join(files))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The name of the wheel that was made in the directory."""
    name = f"claros-{_version()}-{_tag()}.whl"
    build = _built(config_settings)
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as archive:
        stage = pathlib.Path(folder)
        _stage(build, stage)
        files = []
        for path in sorted(stage.rglob("*")):
            if path.is_file():
                mode = 0o755 if os.access(path, os.X_OK) else 0o644
                files.append(_entry(archive, path.relative_to(stage).as_posix(), path.read_bytes(), mode))
        _described(archive, files)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """The tracked files of the tree."""
    base = f"claros-{_version()}"
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    with tempfile.TemporaryDirectory() as folder, tarfile.open(os.path.join(sdist_directory, f"{base}.tar.gz"), "w:gz") as archive:
        for name in listed:
            archive.add(ROOT / name, f"{base}/{name}", recursive=False)
        described = pathlib.Path(folder, "PKG-INFO")
        described.write_text(_metadata())
        archive.add(described, f"{base}/PKG-INFO")
    return f"{base}.tar.gz"
