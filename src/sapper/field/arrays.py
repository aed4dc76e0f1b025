"""Positions as numpy arrays; imported only when an array is."""

from __future__ import annotations

import sys
from typing import Any

import numpy

from sapper.errors import PositionError, quoted
from sapper.field.cells import whole
from sapper.field.labels import FREE, MAX_NUMBER, LabelError, code_of
from sapper.field.table import topology_of_shape
from sapper.field.topology import Topology

__all__ = ["codes_of_stack", "edge_rows", "from_array", "to_array"]


def from_array(values: Any, topology: str | Topology | None) -> tuple[Topology, bytes]:
    """Return the field and the codes that an array stands for."""
    values = _as_array(values)
    topology = topology_of_shape(topology, values.shape)
    return topology, _codes(values).tobytes()


def codes_of_stack(
    values: Any, topology: str | Topology | None
) -> tuple[Topology, numpy.ndarray[Any, numpy.dtype[numpy.int32]]]:
    """Return the field of many boards in one array, and a row of codes for each of them."""
    values = _as_array(values)
    if values.ndim < 2:
        raise PositionError(f"many boards have the shape (n, height, width), not {values.shape}")
    topology = topology_of_shape(topology, values.shape[1:])
    return topology, _codes(values).reshape(len(values), len(topology))


def _as_array(values: Any) -> Any:
    try:
        return numpy.asarray(values)
    except ValueError:
        raise PositionError("the rows of an array must be equally long") from None


def _codes(values: Any) -> Any:
    if values.dtype.kind in "iu":
        if values.size and not (values.min() >= FREE and values.max() <= MAX_NUMBER):
            wrong = (values < FREE) | (values > MAX_NUMBER)
            place = tuple(map(int, numpy.argwhere(wrong)[0]))
            raise PositionError(
                f"entry {place} is {values[place]}: use a number, -1 (covered), -2 (mine)"
                " or -3 (free)"
            )
        return numpy.ascontiguousarray(values, dtype=numpy.int32)
    if values.dtype.kind not in "UO":
        raise PositionError(
            f"an array of {values.dtype} holds no labels: use whole numbers or characters"
        )
    _check_characters(values)
    codes = numpy.empty(values.shape, dtype=numpy.int32)
    for place, label in numpy.ndenumerate(values):
        try:
            codes[place] = code_of(label)
        except LabelError as error:
            raise PositionError(f"entry {place}: {error}") from None
    return codes


def _check_characters(values: Any) -> None:
    """Raise if a damaged array has numbers that are no characters; numpy does not look."""
    if values.dtype.kind != "U" or not values.nbytes:
        return
    number = numpy.dtype(numpy.uint32).newbyteorder(values.dtype.byteorder)
    if numpy.ascontiguousarray(values).view(number).max() > sys.maxunicode:
        raise PositionError("the array has an entry that is no text")


def to_array(topology: Topology, codes: bytes) -> numpy.ndarray[Any, numpy.dtype[numpy.int32]]:
    """Return a fresh array of codes in the shape of the field."""
    return numpy.frombuffer(codes, dtype=numpy.int32).reshape(topology.shape).copy()


def edge_rows(size: int, edges: Any) -> tuple[bytes, bytes]:
    """Return the neighbour lists of an array of edges, in compressed rows of 32-bit integers."""
    size, edges = whole(size, "the number of cells"), _as_array(edges)
    if not edges.size:
        edges = numpy.empty((0, 2), dtype=numpy.int64)
    if edges.ndim != 2 or edges.shape[1] != 2 or edges.dtype.kind not in "iu":
        raise PositionError(
            f"edges must be an integer array of shape (m, 2), not {edges.dtype} of {edges.shape}"
        )
    if not 0 <= size < 2**31 or 2 * len(edges) >= 2**31:
        raise PositionError(f"a graph has fewer than 2³¹ cells and ends of edges: {quoted(size)}")
    if edges.size and not (edges.min() >= 0 and edges.max() < size):
        _refuse(edges, ((edges < 0) | (edges >= size)).any(axis=1), f"leaves 0 … {size - 1}")
    _refuse(edges, edges[:, 0] == edges[:, 1], "is a self-loop")
    edges = edges.astype(numpy.int64, copy=False)
    # Both directions of each edge, packed into one number: sorting them sorts the rows, and each.
    bits, count = size.bit_length(), len(edges)
    ends = numpy.empty(2 * count, dtype=numpy.int64)
    for half, (source, target) in ((ends[:count], edges.T), (ends[count:], edges.T[::-1])):
        half[:] = source
        half <<= bits
        half |= target
    ends.sort()
    twice = numpy.flatnonzero(ends[1:] == ends[:-1])
    if twice.size:
        pair = tuple(map(int, divmod(int(ends[twice[0]]), 1 << bits)))
        raise PositionError(f"edge {pair} is given twice")
    targets = (ends & ((1 << bits) - 1)).astype(numpy.int32)
    ends >>= bits
    starts = numpy.zeros(size + 1, dtype=numpy.int32)
    numpy.cumsum(numpy.bincount(ends, minlength=size), out=starts[1:])
    return starts.tobytes(), targets.tobytes()


def _refuse(edges: Any, wrong: Any, why: str) -> None:
    places = numpy.flatnonzero(wrong)
    if places.size:
        raise PositionError(f"edge {tuple(map(int, edges[places[0]]))} {why}")
