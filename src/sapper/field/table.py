"""The table of topologies: every kind of field by its name.

A new kind is one file with its class and one row here; nothing else in the package knows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sapper.errors import PositionError, quoted
from sapper.field.graph import Graph, graph_from_spec
from sapper.field.lattice import Box, Grid, Hex, Lattice, Offset, Offsets, Torus
from sapper.field.topology import Topology

__all__ = [
    "TOPOLOGIES",
    "Kind",
    "as_topology",
    "kind_of",
    "topology_from_spec",
    "topology_names",
    "topology_of_shape",
]

_PAIR: Final = re.compile(r"[\s,;]*\(\s*([+-]?[0-9]{1,9})\s*,\s*([+-]?[0-9]{1,9})\s*\)")
_END: Final = re.compile(r"[\s,;]*\Z")


@dataclass(frozen=True, slots=True)
class Kind:
    """A row of the table.

    Frozen: threads can share one.

    Parameters
    ----------
    make
        Called with the sides in the order of `axes` and with `options` by name. It raises
        PositionError, with the path of the option that is wrong.
    axes
        The names of the sides, outermost first; none if the field has no rows.
    options
        What else a spec of this kind may hold. Offsets may stand in a name as well.
    """

    make: Callable[..., Topology]
    axes: tuple[str, ...] = ("height", "width")
    options: tuple[str, ...] = ()


def _flat(plain: type[Lattice], *, wrap: bool) -> Kind:
    def make(height: int, width: int, offsets: Any = None) -> Lattice:
        if offsets is None:
            return plain(height, width)
        return Offsets(height, width, offsets, wrap=wrap)

    return Kind(make, options=("offsets",))


def _bare(height: int, width: int, offsets: Any = None, wrap: Any = False) -> Offsets:
    if offsets is None:
        raise PositionError("offsets with pairs such as (1,2) (-1,-2) are missing")
    return Offsets(height, width, offsets, wrap=wrap)


TOPOLOGIES: Final[dict[str, Kind]] = {
    "grid": _flat(Grid, wrap=False),
    "torus": _flat(Torus, wrap=True),
    "hex": Kind(Hex),
    "knight": Kind(Offsets, options=("offsets", "wrap")),
    "offsets": Kind(_bare, options=("offsets", "wrap")),
    "box": Kind(Box, Box.axes),
    "graph": Kind(graph_from_spec, (), ("nodes", "edges")),
}
"""Every kind of field by name: in files, in JSON and on the command line."""


def topology_names() -> list[str]:
    """Return the names that stand for a field with rows by themselves."""
    return [name for name, kind in TOPOLOGIES.items() if kind.axes and name != "offsets"]


def as_topology(value: Any) -> Topology:
    """Return a field as it is, and a networkx graph as a `Graph`.

    Raises
    ------
    PositionError
        If it is neither, or the graph is not a simple one.
    """
    if isinstance(value, Topology):
        return value
    if hasattr(value, "is_directed") and hasattr(value, "edges"):
        return Graph(value)
    raise PositionError(
        f"a topology such as Grid(16, 30), or a networkx graph, is needed, not {quoted(value)}"
    )


def topology_of_shape(wanted: object, shape: tuple[int, ...]) -> Topology:
    """Return a field of a shape: one that is given, or that a name or None stands for.

    None is a grid, or a box if there are three sides.

    Raises
    ------
    PositionError
        If there is no such field, or it has another shape.

    Examples
    --------
    >>> topology_of_shape("torus", (3, 4)), topology_of_shape(None, (2, 2, 2))
    (Torus(3, 4), Box(2, 2, 2))
    """
    if isinstance(wanted, Topology):
        if wanted.shape != shape:
            raise PositionError(f"{wanted} has the shape {wanted.shape}, and the labels {shape}")
        return wanted
    if wanted is None:
        fitting = [name for name, kind in TOPOLOGIES.items() if len(kind.axes) == len(shape)]
        wanted = fitting[0] if fitting else "grid"
    if not isinstance(wanted, str):
        raise PositionError(f"a topology is a name or such as Grid(16, 30), not {quoted(wanted)}")
    axes = kind_of(wanted).axes
    if not axes:
        raise PositionError(f"a {wanted} has no rows: give a topology with its cells")
    if len(axes) != len(shape):
        sides = f"{len(axes)} dimensions ({', '.join(axes)})"
        raise PositionError(f"the topology {quoted(wanted)} has {sides}, the labels {len(shape)}")
    return topology_from_spec(wanted, shape)


def kind_of(spec: object) -> Kind:
    """Return the row of the table that a spec belongs to.

    Raises
    ------
    PositionError
        If there is none.
    """
    return TOPOLOGIES[_as_spec(spec)["kind"]]


def topology_from_spec(spec: object, shape: tuple[int, ...] | None = None) -> Topology:
    """Return the field that a name, or a spec as `Topology.spec` makes it, stands for.

    Parameters
    ----------
    spec
        A name such as ``"torus"`` or ``"(0,1) (0,-1)"``, or a mapping with ``"kind"``, the sides
        and what else makes the field. Offsets can be pairs or text.
    shape
        The sides, if they are known; then a spec need not have them, and must not contradict.

    Raises
    ------
    PositionError
        If there is no such field; its `path` tells which value is wrong.

    Examples
    --------
    >>> topology_from_spec({"kind": "torus", "width": 9, "height": 5})
    Torus(5, 9)
    >>> topology_from_spec("(0,1) (0,-1)", (2, 5))
    Offsets(2, 5, [(0, -1), (0, 1)])
    """
    given = _as_spec(spec)
    name = given["kind"]
    kind = TOPOLOGIES[name]
    for key in given:
        if key not in ("kind", *kind.axes, *kind.options):
            if key == "offsets":
                raise PositionError(f"the topology {name!r} takes no offsets", (key,))
            wanted = ", ".join(("kind", *kind.axes, *kind.options))
            raise PositionError(f"unknown key {quoted(key)}: use {wanted}", (key,))
    options = {key: value for key, value in given.items() if key in kind.options}
    return kind.make(*_sides(kind, given, shape), **options)


def _sides(kind: Kind, spec: Mapping[str, Any], shape: tuple[int, ...] | None) -> list[Any]:
    sides = []
    for axis, name in enumerate(kind.axes):
        side = spec.get(name)
        if name in spec and (isinstance(side, bool) or not isinstance(side, int)):
            raise PositionError(f"{name} must be a whole number, not {quoted(side)}", (name,))
        if shape is None:
            if side is None:
                raise PositionError(f"the topology has no {name!r}")
            sides.append(side)
            continue
        if side is not None and side != shape[axis]:
            raise PositionError(
                f"{name} is {quoted(side)}, but the labels have {shape[axis]}", (name,)
            )
        sides.append(shape[axis])
    return sides


def _as_spec(spec: object) -> Mapping[str, Any]:
    if isinstance(spec, str):
        return _from_name(spec)
    if not isinstance(spec, Mapping):
        raise PositionError(
            f"a topology must be a name or an object with a 'kind', not {quoted(spec)}"
        )
    if not isinstance(spec.get("kind"), str) or spec["kind"] not in TOPOLOGIES:
        known = ", ".join(TOPOLOGIES)
        where = ("kind",) if "kind" in spec else ()
        raise PositionError(f"unknown topology {quoted(spec.get('kind'))}: use {known}", where)
    if isinstance(spec.get("offsets"), str):
        return {**spec, "offsets": _pairs(spec["offsets"])}
    return spec


def _from_name(name: str) -> Mapping[str, Any]:
    word, parenthesis, rest = name.partition("(")
    kind = word.strip().lower()
    spec: dict[str, Any] = {"kind": kind or ("offsets" if parenthesis else "")}
    if spec["kind"] not in TOPOLOGIES:
        raise PositionError(
            f"unknown topology {quoted(name)}: use {', '.join(topology_names())} or offsets such as"
            " (1,2) (-1,-2)"
        )
    if parenthesis:
        spec["offsets"] = _pairs(parenthesis + rest)
    return spec


def _pairs(text: str) -> list[Offset]:
    """Return offsets written as pairs in parentheses."""
    offsets: list[Offset] = []
    at = 0
    while not _END.match(text, at):
        pair = _PAIR.match(text, at)
        if pair is None:
            raise PositionError(
                f"offsets must be pairs such as (1,2) (-1,-2), not {quoted(text[at:])}",
                ("offsets",),
            )
        offsets.append((int(pair[1]), int(pair[2])))
        at = pair.end()
    return offsets
