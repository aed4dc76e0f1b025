"""The description of the interface as an OpenAPI document, read off the types."""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from typing import Any, Final, Literal, NotRequired

from sapper.web.replies import AboutReply, BoardsReply, ErrorReply
from sapper.web.tasks import TASKS

__all__ = ["document"]

_PLAIN: Final = {
    bool: {"type": "boolean"},
    float: {"type": "number"},
    int: {"type": "integer"},
    str: {"type": "string"},
    type(None): {"type": "null"},
}
_FAILURES: Final = {
    "400": "The request makes no sense.",
    "403": "It comes from a page of another origin, or by a strange host name.",
    "408": "Its body did not come in time.",
    "413": "The request or the board is too large.",
    "422": "There is no legal assignment to answer with, or the method cannot answer.",
    "503": "Too many are waiting, or the process that worked on it ended: try again.",
    "504": "A limit was hit.",
}
_JSON: Final = "application/json"


def document(version: str) -> dict[str, Any]:
    """Return the OpenAPI document of the interface.

    Examples
    --------
    >>> sorted(document("1")["paths"])[0]
    '/api/about'
    """
    schemas: dict[str, Any] = {}
    error = _content(ErrorReply, schemas)
    failures = {code: {"description": why, "content": error} for code, why in _FAILURES.items()}
    paths: dict[str, Any] = {}
    for name, task in TASKS.items():
        paths[f"/api/{name}"] = {
            "post": {
                "operationId": name,
                "summary": inspect.getdoc(task.do),
                "requestBody": {"required": True, "content": _content(task.request, schemas)},
                "responses": {
                    "200": {
                        "description": inspect.getdoc(task.reply),
                        "content": _content(task.reply, schemas),
                    },
                    **failures,
                },
            }
        }
    for name, reply in (("about", AboutReply), ("boards", BoardsReply)):
        paths[f"/api/{name}"] = {
            "get": {
                "operationId": name,
                "summary": inspect.getdoc(reply),
                "responses": {
                    "200": {
                        "description": inspect.getdoc(reply),
                        "content": _content(reply, schemas),
                    },
                    "403": failures["403"],
                },
            }
        }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "sapper",
            "version": version,
            "summary": "Exact answers about minefields: what is certain, how likely, how many.",
            "description": "A request that asks nothing but a position may be the position itself,"
            " as JSON, as {text, format, mines, topology} or, if it is a"
            " file, as {data, name} in base64. Integers have any length; those that"
            " may exceed 53 bits stand there as text too, under a key that ends in _text.",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": dict(sorted(schemas.items()))},
    }


def _content(kind: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    return {_JSON: {"schema": _schema(kind, schemas)}}


def _schema(kind: Any, schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of a type; typed dictionaries are put aside by their names."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return {}
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    if typing.is_typeddict(kind):
        _add(kind, schemas)
        return {"$ref": f"#/components/schemas/{kind.__name__}"}
    if origin is NotRequired:
        return _schema(arguments[0], schemas)
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_schema(one, schemas) for one in arguments]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(arguments[1], schemas)}
    assert origin in (list, collections.abc.Iterable), kind
    return {"type": "array", "items": _schema(arguments[0], schemas)}


def _add(kind: Any, schemas: dict[str, Any]) -> None:
    name = kind.__name__
    if name in schemas:
        return
    schemas[name] = {}  # so that a type may refer to itself
    hints = typing.get_type_hints(kind, include_extras=True)
    made: dict[str, Any] = {
        "type": "object",
        "description": inspect.getdoc(kind),
        "properties": {key: _schema(hint, schemas) for key, hint in hints.items()},
    }
    needed = [key for key in hints if key in kind.__required_keys__ and key != "position"]
    if "position" in hints:
        # The position alone, or a text beside the other keys, will do.
        made["anyOf"] = [
            {"required": [key]} for key in ("position", "text", "data", "labels", "clues")
        ]
    else:
        made["additionalProperties"] = False
    if needed:
        made["required"] = needed
    schemas[name] = made
