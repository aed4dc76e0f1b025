"""Experiments as commands: fields are the options, docstrings the help; who works, and where."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import typer

from sapper.cli.failures import complain
from sapper.cli.screen import Screen
from sapper.cli.task import UsageError
from sapper.errors import quoted

__all__ = ["Flag", "experiment_command", "hands", "say_where"]


@contextmanager
def hands(
    workers: int, scheduler: str | None, ahead: int, **limits: Any
) -> Iterator[tuple[Executor, int]]:
    """Yield those who do the work, processes here or a cluster, and how many jobs they get at once.

    `ahead` is how many a process gets; `limits` are those of `LimitedPool`.
    """
    from sapper.lab import LimitedPool, connected

    if scheduler is not None:
        with connected(scheduler) as cluster:
            yield cluster
        return
    with LimitedPool(workers, **limits) as pool:
        yield pool, ahead * workers


def say_where(screen: Screen, directory: Path) -> None:
    """Tell what a run has left in its directory."""
    names = sorted(path.name for path in directory.iterdir() if path.is_file())
    where = f"in {directory}: {', '.join(names)}"
    if screen.is_terminal:
        screen.say(where, "dim", hang=3)
    else:
        complain(where)


class Flag(NamedTuple):
    """An option that is not called as its field, or stands for something else on the command line.

    `values` are the words it takes and what each stands for.
    """

    name: str
    values: Mapping[str, Any] = {}


class _Option(NamedTuple):
    """An option: its name, what it shows in the help, and how its text is read."""

    flag: str
    metavar: str
    read: Callable[[str, str], Any]
    shown: Callable[[Any], str] = str


def experiment_command(
    experiment: type[Any], run: Callable[..., None], help_: str, flags: Mapping[str, Flag]
) -> Callable[..., None]:
    """Return a command that makes an experiment from its options and runs it.

    Parameters
    ----------
    experiment
        A dataclass whose fields have defaults.
    run
        Called with what the command is given besides, and with the experiment.
    help_
        What the help says.
    flags
        The fields that have other names on the command line.
    """
    kinds, helps = get_type_hints(experiment), documented(experiment)
    options: dict[str, _Option] = {}
    parameters = []
    for field in fields(experiment):
        assert field.default is not MISSING
        kind, flag = kinds[field.name], flags.get(field.name)
        name = flag.name if flag else "--" + field.name.replace("_", "-")
        if kind is bool and not (flag and flag.values):
            made = typer.Option(name, help=helps[field.name])
            parameters.append(_parameter(field.name, bool, made, field.default))
            continue
        option = options[field.name] = _option(name, kind, flag)
        made = typer.Option(name, metavar=option.metavar, help=helps[field.name])
        parameters.append(_parameter(field.name, str, made, option.shown(field.default)))

    def command(work: Any, **given: Any) -> None:
        read = {
            name: options[name].read(value, options[name].flag) if name in options else value
            for name, value in given.items()
        }
        run(work, experiment(**read))

    first = inspect.Parameter("work", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    command.__signature__ = inspect.Signature([first, *parameters])  # type: ignore[attr-defined]
    command.__doc__ = help_
    return command


def _parameter(name: str, kind: type, option: Any, default: Any) -> inspect.Parameter:
    annotation: Any = Annotated[kind, option]
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, keyword, default=default, annotation=annotation)


def _option(name: str, kind: Any, flag: Flag | None) -> _Option:
    if flag and flag.values:
        words = {value: word for word, value in flag.values.items()}

        def read(text: str, option: str) -> Any:
            return flag.values[_one_of(text, option, tuple(flag.values))]

        return _Option(name, "KIND", read, lambda value: words[value])
    parts = get_args(kind)
    if get_origin(kind) is Literal:
        return _Option(name, "|".join(parts), lambda text, option: _one_of(text, option, parts))
    if get_origin(kind) is tuple and parts[0] is int:
        return _Option(name, "LIST", read_integers, _listed)
    if get_origin(kind) is tuple and parts[0] is float:
        return _Option(name, "LIST", read_numbers, _listed)
    if get_origin(kind) is tuple:
        known = get_args(parts[0])
        return _Option(
            name, "NAMES", lambda text, option: _names(text, option, known), lambda v: " ".join(v)
        )
    if kind in (int, float):
        return _Option(name, "N", lambda text, option: _number(text, option, kind))
    return _Option(name, "LIST", read_shares, lambda value: "3" if value is None else str(value))


def documented(kind: type[Any]) -> dict[str, str]:
    """Return what the docstrings of a class and its bases say of its parameters.

    Examples
    --------
    >>> class Box:
    ...     '''A box.
    ...
    ...     Parameters
    ...     ----------
    ...     high, wide : int
    ...         Its sides.
    ...     '''
    >>> documented(Box)
    {'high': 'Its sides.', 'wide': 'Its sides.'}
    """
    found: dict[str, str] = {}
    for one in reversed(kind.__mro__):
        _, _, section = inspect.cleandoc(one.__doc__ or "").partition("Parameters\n----------\n")
        names: list[str] = []
        for line in section.split("\n\n")[0].splitlines():
            if line.startswith(" "):
                for name in names:
                    found[name] = f"{found[name]} {line.strip()}".strip()
            else:
                names = line.partition(" :")[0].split(", ")
                found |= dict.fromkeys(names, "")
    return {
        name: re.sub(r";? see `\w+`", "", text).replace("`", "") for name, text in found.items()
    }


def _one_of(text: str, option: str, known: tuple[str, ...]) -> str:
    if text not in known:
        raise UsageError(f"{option}: {quoted(text)} is none of {', '.join(known)}")
    return text


def _names(text: str, option: str, known: tuple[str, ...]) -> tuple[str, ...]:
    names = () if text == "none" else tuple(text.replace(",", " ").split())
    return tuple(_one_of(name, option, known) for name in names) if known else names


def _number(text: str, option: str, kind: type) -> Any:
    try:
        return kind(text)
    except ValueError:
        what = "whole number" if kind is int else "number"
        raise UsageError(f"{option}: {quoted(text)} is not a {what}") from None


def read_integers(text: str, option: str) -> tuple[int, ...]:
    """Return the integers in a list such as ``20,40,80``.

    Examples
    --------
    >>> read_integers("20,40 80", "--sizes")
    (20, 40, 80)
    """
    try:
        return tuple(int(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise UsageError(f"{option}: {quoted(text)} is not a list of whole numbers") from None


def read_numbers(text: str, option: str) -> tuple[float, ...]:
    """Return the numbers in a list such as ``0.1,0.2``, or of a range ``first:last:count``.

    Examples
    --------
    >>> read_numbers("0.1:0.3:3", "--densities"), read_numbers("0.2", "--densities")
    ((0.1, 0.2, 0.3), (0.2,))
    """
    from sapper.lab import spaced

    try:
        if ":" in text:
            first, last, count = text.split(":")
            if int(count) < 1:
                raise ValueError
            return spaced(float(first), float(last), int(count))
        return tuple(float(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise UsageError(
            f"{option}: {quoted(text)} is neither a list of numbers nor FIRST:LAST:COUNT"
        ) from None


def read_shares(text: str, option: str) -> dict[int, float]:
    """Return sizes and shares in ``3:0.5,4:0.5``; without shares all are equal.

    Examples
    --------
    >>> read_shares("3", ""), read_shares("3,4", ""), read_shares("3:0.25,4:0.75", "")
    ({3: 1.0}, {3: 0.5, 4: 0.5}, {3: 0.25, 4: 0.75})
    """
    pairs = [part.partition(":") for part in text.replace(",", " ").split()]
    try:
        return {int(size): float(share) if sign else 1 / len(pairs) for size, sign, share in pairs}
    except ValueError:
        raise UsageError(f"{option}: {quoted(text)} is not a list such as 3:0.5,4:0.5") from None


def _listed(values: tuple[float, ...]) -> str:
    """Return numbers as the command line reads them: evenly spaced ones as a range.

    Examples
    --------
    >>> _listed((20, 40)), _listed((0.1, 0.15, 0.2, 0.25, 0.3, 0.35))
    ('20,40', '0.1:0.35:6')
    """
    from sapper.lab import spaced

    if len(values) > 5 and spaced(values[0], values[-1], len(values)) == values:
        return f"{values[0]:g}:{values[-1]:g}:{len(values)}"
    return ",".join(f"{value:g}" for value in values)
