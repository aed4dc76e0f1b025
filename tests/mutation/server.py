"""Pytest as a server of forks: the tests are collected once, each mutant runs some of them.

A mutant of a function is that function with another code object, put into a forked process whose
tests are already collected; so it costs a fork and the tests that reach its line, fastest first,
until one fails. What acts while a module is imported gets a process of its own (`alone`).
"""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Final

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.operators import Mutant

MEMORY: Final = 3 << 30
"""Bytes of address space that a mutant may take beyond what the tests have."""


class Collected:
    """A plugin that hands the collected tests to somebody instead of running them."""

    def __init__(self, work: Callable[[dict[str, pytest.Item]], None]) -> None:
        self._work = work

    def pytest_configure(self) -> None:
        """Let hypothesis try the same examples every time."""
        from hypothesis import settings

        settings.register_profile("mutants", derandomize=True, database=None, deadline=None)
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Work instead of running the tests."""
        self._work({item.nodeid: item for item in session.items})
        return True


def collect(paths: Sequence[str], work: Callable[[dict[str, pytest.Item]], None]) -> None:
    """Collect tests and work with them."""
    options = ["-qq", "-p", "no:xdist", "-p", "no:cacheprovider", "-o", "addopts=--doctest-modules"]
    # Pytest would import modules whose doctests are asked by itself, to rewrite their assertions.
    options += ["--assert=plain", *paths]
    code = pytest.main(options, plugins=[Collected(work)])
    if code not in (0, 5):
        raise SystemExit(f"pytest cannot collect {' '.join(paths)}: exit code {code}")


def failing(items: Iterable[pytest.Item]) -> str | None:
    """Run tests until one fails, and return its name."""
    chosen = list(items)
    for item, following in zip(chosen, [*chosen[1:], None], strict=True):
        reports = runtestprotocol(item, nextitem=following, log=False)
        if any(report.failed for report in reports):
            return item.nodeid
    return None


def forked(work: Callable[[], str | None], seconds: float) -> tuple[str, str]:
    """Return ``survived`` or ``killed`` or ``timeout``, and what the work in a fork returned.

    It survives if that is None. `seconds` are of the processor; by the clock it may take ten times
    as long and a minute.
    """
    heard, told = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.setsid()
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            for name in (signal.SIGALRM, signal.SIGXCPU, signal.SIGINT):
                signal.signal(name, signal.SIG_DFL)
            used = time.process_time()
            resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds) + 1,) * 2)
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            most = pages * resource.getpagesize() + MEMORY
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            signal.setitimer(signal.ITIMER_REAL, 10 * seconds + 60)
            failed = work()
            code = 0 if failed is None else 1
            os.write(told, (failed or "").encode()[:4000])
        finally:
            os._exit(code)
    os.close(told)
    _, status = os.waitpid(pid, 0)
    os.set_blocking(heard, False)  # a process that the work left behind may hold the other end
    try:
        killer = os.read(heard, 4000).decode(errors="replace")
    except BlockingIOError:
        killer = ""
    os.close(heard)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    if os.WIFSIGNALED(status):
        late = os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGXCPU, signal.SIGKILL)
        return "timeout" if late else "killed", killer
    return "survived" if os.WEXITSTATUS(status) == 0 else "killed", killer


def functions_of(paths: Iterable[Path]) -> dict[tuple[str, str, int], list[FunctionType]]:
    """Return the living functions of some files by file, qualified name and first line."""
    files, found = {str(path) for path in paths}, defaultdict(list)
    for thing in gc.get_objects():
        if type(thing) is FunctionType and thing.__code__.co_filename in files:
            code = thing.__code__
            found[code.co_filename, code.co_qualname, code.co_firstlineno].append(thing)
    return dict(found)


def new_code(mutant: Mutant, path: Path, functions: Iterable[FunctionType]) -> CodeType | None:
    """Return the code of a mutant for some functions, or None if they cannot take it."""
    module = compile(mutant.tree(), str(path), "exec", dont_inherit=True)
    found = [c for c in _codes(module) if (c.co_qualname, c.co_firstlineno) == mutant.top]
    if len(found) != 1:
        return None
    free = len(found[0].co_freevars)
    return found[0] if all(len(f.__code__.co_freevars) == free for f in functions) else None


def _codes(code: CodeType) -> Iterable[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)
