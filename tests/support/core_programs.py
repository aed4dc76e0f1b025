"""Build the programs of ``core/tests``, for the tests and ``make test``.

They are built once: into ``build/core-tests`` with the library that the package was built from, and
with the sanitizers into ``build/core-sanitized``. A second call starts at once.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
SANITIZERS: Final = {
    **os.environ,
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
}


def run(command: list[str | Path], text: str = "") -> str:
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, check=False, env=SANITIZERS
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tool(name: str) -> str:
    """Return a program beside this Python, or else on the path."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert found, f"{name} is needed to build the tests of the core"
    return found


def build(name: str, programs: list[str], flags: str, *options: str) -> Path:
    """Build some programs; several test processes take turns."""
    folder = ROOT / "build" / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        configure: list[str | Path] = [tool("cmake"), "-S", ROOT, "-B", folder]
        configure += ["-DSAPPER_PYTHON=OFF", "-DSAPPER_TESTS=ON", *options]
        # Quick to compile, and indices are checked.
        configure += ["-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_CXX_FLAGS={flags} -D_GLIBCXX_ASSERTIONS"]
        ninja = shutil.which("ninja", path=str(Path(sys.executable).parent))
        if ninja and not (folder / "CMakeCache.txt").exists():
            configure += ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
        run(configure)
        make: list[str | Path] = [tool("cmake"), "--build", folder, "--target", *programs]
        run([*make, "--parallel", str(os.cpu_count() or 1)])
    return folder


def plain() -> Path:
    """Build what is quick, with the library of the package, and return its folder."""
    built = sorted(ROOT.glob("build/*/libsapper_core.a"), key=lambda path: path.stat().st_mtime)
    ours = [path for path in built if path.parent.name.startswith("cp")]
    # An empty name builds the core from its sources.
    library = ours[-1] if ours else ""
    return build("core-tests", ["exhaustive", "fuzz"], "-O1", f"-DSAPPER_LIBRARY={library}")


def sanitized() -> Path:
    """Build what runs under the sanitizers, as `make fuzz` does, and return its folder."""
    what, flags, option = ["classes"], "-Og -g1", "-DSAPPER_SANITIZE=ON"
    try:
        return build("core-sanitized", what, flags, option)
    except AssertionError:  # perhaps only because two files of a folder use one name
        return build("core-sanitized", what, flags, option, "-DSAPPER_APART=ON")


if __name__ == "__main__":
    sanitized()
    plain()
