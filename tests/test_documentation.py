"""Every example in the README and in the documentation is run and compared."""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE


def blocks(text: str, language: str) -> list[tuple[int, str]]:
    """Return the fenced blocks in one language, each with its line number."""
    found = FENCE.finditer(text)
    return [
        (text.count("\n", 0, match.start(2)), match.group(2))
        for match in found
        if match.group(1) == language
    ]


def page_name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_python_examples(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    names: dict[str, object] = {}
    complaints: list[str] = []
    for line, source in blocks(page.read_text(encoding="utf-8"), "python"):
        test = parser.get_doctest(source, names, page_name(page), str(page), line)
        assert test.examples, f"{page_name(page)}:{line}: a Python block without '>>>'"
        runner.run(test, out=complaints.append, clear_globs=False)
        names = test.globs
    assert not complaints, "".join(complaints)


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_shell_examples(page: Path) -> None:
    checker = doctest.OutputChecker()
    examples: list[tuple[int, str, str]] = []
    for line, source in blocks(page.read_text(encoding="utf-8"), "console"):
        for session in re.split(r"^\$ ", source, flags=re.MULTILINE)[1:]:
            command, _, expected = session.partition("\n")
            if command.startswith("sapper "):
                examples.append((line, command, expected))
    said = run_sapper([shlex.split(command)[1:] for _, command, _ in examples])
    for (line, command, expected), got in zip(examples, said, strict=True):
        place = f"{page_name(page)}:{line}: $ {command}"
        assert checker.check_output(expected, got, doctest.ELLIPSIS), f"{place}\n{got}"


# Each command in a process of its own, forked when all that commands have in common is imported.
EACH = """
import json, os, sys, tempfile
import sapper.engine, sapper.render
from sapper.cli import app, main

said = []
for arguments in json.load(sys.stdin):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            sys.argv[1:] = arguments
            sys.exit(main())
        os.waitpid(child, 0)
        for file in (out, err):
            file.seek(0)
        said.append((out.read() + err.read()).decode())
json.dump(said, sys.stdout)
"""


def run_sapper(commands: list[list[str]]) -> list[str]:
    """Return what the installed command prints, for each list of arguments."""
    if not commands:
        return []
    done = subprocess.run(
        [sys.executable, "-c", EACH],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        input=json.dumps(commands),
        capture_output=True,
        encoding="utf-8",
        timeout=60 * len(commands),
        check=True,
    )
    found: list[str] = json.loads(done.stdout)
    return found


def test_every_method_is_documented() -> None:
    from sapper.analysis import names

    page = (ROOT / "docs" / "reference" / "methods.md").read_text(encoding="utf-8")
    assert [name for name in names() if f"| `{name}`" not in page] == []


def test_every_example_file_is_read() -> None:
    import sapper

    for path in sorted((ROOT / "examples").iterdir()):
        if path.suffix in (".txt", ".json") and path.stem != "costs":
            assert sapper.is_consistent(sapper.read(path)), path.name


def test_the_pictures_show_what_is_drawn_now() -> None:
    import runpy

    drawn = runpy.run_path(str(ROOT / "docs" / "theme" / "pictures.py"))["pictures"]()
    folder = ROOT / "docs" / "assets" / "boards"
    kept = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert kept == drawn, "python docs/theme/pictures.py draws them again"
