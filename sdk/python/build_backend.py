# SPDX-License-Identifier: BSD-3-Clause
"""A build backend (PEP 517) that calls CMake: `pip install --no-build-isolation .` works without a network.

The wheel has the package, and below it the libraries, the plugins and the program, which find each other by relative
paths. Where patchelf is installed it also has the libraries that are not part of every Linux system, and its tag is
that of the machine's glibc (manylinux_2_36 on Debian 12); without patchelf it is for this machine and those alike.

    --config-settings build-dir=DIR   builds in DIR. Without it: build/wheel, or build/release if that was built
                                      for this Python
    --config-settings bundle=no       leaves the libraries of other projects out
"""
import base64
import gzip
import hashlib
import io
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a system of the tag has: the list of PEP 600's manylinux profiles, as far as Claros links it. BLAS and the
# runtime of Fortran are not in it.
SYSTEM = re.compile(r"(ld-linux-.*|linux-vdso|lib(c|m|dl|rt|pthread|util|resolv|stdc\+\+|gcc_s|z))\.so.*")
OURS = re.compile(r"libclaros.*")
# The world of MPI is the machine's own, and so is its libclaros-mpi: a wheel has neither.
NOT_IN_A_WHEEL = ("libclaros-mpi.so",)


def _version():
    return re.search(r"project\(claros VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def _metadata():
    return (f"Metadata-Version: 2.1\nName: claros\nVersion: {_version()}\n"
            "Summary: Structured optimization, composed at run time from plugins\nLicense: BSD-3-Clause\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\nProvides-Extra: sklearn\n"
            "Requires-Dist: scikit-learn >=1.2 ; extra == 'sklearn'\nRequires-Dist: scipy ; extra == 'sklearn'\n")


def _bundles(config_settings):
    return (config_settings or {}).get("bundle", "yes") != "no" and shutil.which("patchelf") is not None


def _tag(bundles):
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    system = sysconfig.get_platform()
    library, number = platform.libc_ver()
    if bundles and library == "glibc":
        system = system.replace("linux", f"manylinux_{number}", 1)
    return f"{python}-{python}-{re.sub('[-.]', '_', system)}"


def _run(*command):
    subprocess.run([os.fspath(part) for part in command], check=True)


def _refuse_unfit_python():
    """Ends with one sentence if the package cannot be compiled for this Python."""
    lacks = []
    if not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists():
        lacks.append("its headers (Python.h)")
    try:
        import numpy  # noqa: F401
    except ImportError:
        lacks.append("numpy")
    for command in ("cmake", "c++"):
        if not shutil.which(command):
            lacks.append(command)
    if lacks:
        isolated = "pip-build-env" in sys.prefix or "pip-build-env" in os.environ.get("PYTHONPATH", "")
        remedy = ("add --no-build-isolation, so that pip uses this Python's own packages" if isolated else
                  "install them, or use the system's python3 (apps/install-packages build python)")
        raise SystemExit(f"claros cannot be built for {sys.executable} (Python {platform.python_version()}), "
                         f"which lacks {' and '.join(lacks)}: {remedy}")


def _built(config_settings):
    """The build tree, after what was missing in it has been built."""
    module = "_claros" + sysconfig.get_config_var("EXT_SUFFIX")
    chosen = (config_settings or {}).get("build-dir")
    if not chosen:
        fits = (ROOT / "build/release/python/claros" / module).exists() and not (ROOT / "build/wheel").exists()
        chosen = "build/release" if fits else "build/wheel"
    build = ROOT / chosen
    if not (build / "CMakeCache.txt").exists():
        ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
        _run("cmake", "-S", ROOT, "-B", build, *ninja, "-DCMAKE_BUILD_TYPE=Release", "-DCLAROS_UNITY=ON", "-DCLAROS_TESTS=OFF",
             "-DCLAROS_BENCHMARKS=OFF", f"-DPython3_EXECUTABLE={sys.executable}")
    os.environ.setdefault("NINJA_STATUS", "[%f/%t, %es] ")
    _run("cmake", "--build", build, "--parallel")
    if not (build / "python/claros" / module).exists():
        raise SystemExit(f"claros: {build} makes no {module}: remove it, or configure it with -DPython3_EXECUTABLE={sys.executable} "
                         "where pybind11 is installed")
    return build


def _stage(build, stage):
    """The package in stage/claros, and below it what an installation has below its prefix."""
    with tempfile.TemporaryDirectory() as prefix:
        _run("cmake", "--install", build, "--prefix", prefix, "--component", "python", "--strip")
        package, = pathlib.Path(prefix).glob("**/claros/__init__.py")
        shutil.copytree(package.parent, stage / "claros")
    for component in ("runtime", "development"):
        _run("cmake", "--install", build, "--prefix", stage / "claros", "--component", component, "--strip")
    for name in NOT_IN_A_WHEEL:
        for path in stage.glob(f"claros/**/{name}"):
            path.unlink()
    # A wheel has no links: of the names of a library, the one that the loader asks for stays.
    for path in sorted(stage.rglob("lib*.so*"), reverse=True):
        if path.is_symlink() and path.suffix == ".so":
            path.unlink()
        elif path.is_symlink():
            path.resolve().rename(path)
    for path in stage.glob("claros/lib/cmake/claros/claros-targets-*.cmake"):
        path.write_text(re.sub(r"(libclaros[\w-]*\.so\.\d+\.\d+)\.\d+", r"\1", path.read_text()))


def _is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def _needed(path):
    return subprocess.run(["patchelf", "--print-needed", os.fspath(path)], check=True, capture_output=True, text=True).stdout.split()


def _resolved(path):
    """Names of libraries that the loader finds for a file, and where."""
    listed = subprocess.run(["ldd", os.fspath(path)], check=True, capture_output=True, text=True).stdout
    return {name: place for name, place in re.findall(r"^\s*(\S+) => (\S+) \(", listed, re.M)}


def _licence(library):
    """What dpkg knows about the licence of a library: the package and its file, or nothing."""
    for place in (library, os.path.realpath(library)):
        owner = subprocess.run(["dpkg", "-S", place], capture_output=True, text=True).stdout.partition(":")[0]
        file = pathlib.Path("/usr/share/doc", owner, "copyright")
        if owner and file.exists():
            return owner, file.read_text(errors="replace")
    return None


def _bundle(stage):
    """Copies the libraries that not every system has to claros/libs, where what needs them finds them, with their
    licences."""
    libs = stage / "claros" / "libs"
    libs.mkdir()
    waiting, names = [path for path in sorted(stage.rglob("*")) if _is_elf(path)], {}
    while waiting:
        file = waiting.pop()
        places = _resolved(file)
        for name in _needed(file):
            if SYSTEM.fullmatch(name) or OURS.fullmatch(name):
                continue
            if name not in names:
                if name not in places:
                    raise SystemExit(f"claros: {file.name} needs {name}, which the loader does not find")
                # The name holds what is in it, so that it never is taken for another library of this process.
                content = pathlib.Path(places[name]).read_bytes()
                stem, _, rest = name.partition(".so")
                names[name] = f"{stem}-{hashlib.sha256(content).hexdigest()[:8]}.so{rest}"
                copy = libs / names[name]
                copy.write_bytes(content)
                copy.chmod(0o755)
                licence = _licence(places[name]) if shutil.which("dpkg") else None
                if licence:
                    (libs / f"{licence[0]}.copyright").write_text(licence[1])
                _run("patchelf", "--set-soname", names[name], copy)
                waiting.append(copy)
            _run("patchelf", "--replace-needed", name, names[name], file)
        if any(name in names for name in places):
            before = subprocess.run(["patchelf", "--print-rpath", os.fspath(file)], check=True, capture_output=True, text=True).stdout.strip()
            to_libs = "$ORIGIN/" + os.path.relpath(libs, file.parent)
            own = [entry for entry in before.split(":") if entry.startswith("$ORIGIN")]
            _run("patchelf", "--set-rpath", ":".join(dict.fromkeys([*own, to_libs])), file)


def _entry(archive, name, content, mode):
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
    archive.writestr(info, content, compresslevel=9)
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def _description(bundles):
    """The files that describe a wheel, but RECORD."""
    wheel = f"Wheel-Version: 1.0\nGenerator: claros\nRoot-Is-Purelib: false\nTag: {_tag(bundles)}\n"
    return {"METADATA": _metadata(), "WHEEL": wheel, "entry_points.txt": "[console_scripts]\nclaros = claros.program:main\n"}


def _info():
    return f"claros-{_version()}.dist-info"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """The folder with the wheel's metadata; nothing is compiled."""
    _refuse_unfit_python()
    folder = pathlib.Path(metadata_directory, _info())
    folder.mkdir()
    for name, text in _description(_bundles(config_settings)).items():
        (folder / name).write_text(text)
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The name of the wheel that was made in the directory."""
    _refuse_unfit_python()
    bundles = _bundles(config_settings)
    name = f"claros-{_version()}-{_tag(bundles)}.whl"
    build = _built(config_settings)
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as archive:
        stage = pathlib.Path(folder)
        _stage(build, stage)
        if bundles:
            _bundle(stage)
        files = []
        for path in sorted(stage.rglob("*")):
            if path.is_file():
                mode = 0o755 if os.access(path, os.X_OK) else 0o644
                files.append(_entry(archive, path.relative_to(stage).as_posix(), path.read_bytes(), mode))
        for part, text in _description(bundles).items():
            files.append(_entry(archive, f"{_info()}/{part}", text.encode(), 0o644))
        _entry(archive, f"{_info()}/RECORD", "".join([*files, f"{_info()}/RECORD,,\n"]).encode(), 0o644)
    return name


def _sources():
    """The files of the tree: those that git tracks, or all of an unpacked source distribution."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        return listed.splitlines()
    return [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.rglob("*"))
            if (path.is_file() or path.is_symlink()) and path.relative_to(ROOT).parts[0] not in ("build", "out", "PKG-INFO")]


def build_sdist(sdist_directory, config_settings=None):
    """The tracked files of the tree; the same bytes from the same files."""
    base = f"claros-{_version()}"
    plain = io.BytesIO()

    def unowned(info):
        info.uid = info.gid = 0
        info.uname = info.gname = ""
        info.mtime = int(os.environ.get("SOURCE_DATE_EPOCH", 315532800))
        info.mode = 0o755 if info.mode & 0o100 else 0o644
        return info

    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name in _sources():
            archive.add(ROOT / name, f"{base}/{name}", recursive=False, filter=unowned)
        described = tarfile.TarInfo(f"{base}/PKG-INFO")
        described.size = len(_metadata().encode())
        archive.addfile(unowned(described), io.BytesIO(_metadata().encode()))
    target = pathlib.Path(sdist_directory, f"{base}.tar.gz")
    with target.open("wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
        packed.write(plain.getvalue())
    return target.name
