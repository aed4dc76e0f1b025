"""The wheel, installed where there is no compiler and no repository. `make wheel` does more."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

from tests.support.wheels import ROOT, SMOKE, build, lean, without_compiler


def test_a_wheel_works_without_a_compiler(tmp_path: Path) -> None:
    wheel = build(Path(sys.executable), tmp_path / "wheel")
    names = zipfile.ZipFile(wheel).namelist()
    assert "sapper/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "core/", "docs/"))]
    lean(wheel)
    python = tmp_path / "clean" / "bin" / "python"
    venv.create(python.parents[1], with_pip=False)
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    pip += ["--python", python]
    subprocess.run([*pip, "install", "-q", "--no-deps", wheel], check=True)
    # Its dependencies are those of this environment; a .pth read from here does not bring the
    # editable sapper with it.
    (inside,) = python.parents[1].glob("lib/python*/site-packages")
    (inside / "others.pth").write_text(sysconfig.get_path("purelib"))
    env = without_compiler(python)
    subprocess.run([python, "-P", "-c", SMOKE], check=True, env=env, cwd=tmp_path)
    command: list[str | Path] = [
        python.parent / "sapper",
        "analyze",
        ROOT / "examples" / "small.txt",
    ]
    said = subprocess.run(command, check=True, env=env, capture_output=True, text=True)
    assert "safe to dig: 0,2" in said.stdout
