"""As much of JSON Schema as the interface's description uses."""

from __future__ import annotations

from typing import Any

_TYPES: dict[str, type | tuple[type, ...]] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "number": (int, float),
    "object": dict,
    "string": str,
}


def misfits(value: Any, schema: dict[str, Any], whole: dict[str, Any], at: str = "$") -> list[str]:
    """Return where a value does not fit a schema of an OpenAPI document, and why."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/components/schemas/")
        return misfits(value, whole["components"]["schemas"][name], whole, at)
    found = []
    if "type" in schema:
        fits = isinstance(value, _TYPES[schema["type"]])
        if not fits or (isinstance(value, bool) and schema["type"] != "boolean"):
            return [f"{at}: {value!r:.40} is no {schema['type']}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: {value!r:.40} is not in {schema['enum']}")
    if "anyOf" in schema and all(misfits(value, one, whole, at) for one in schema["anyOf"]):
        found.append(f"{at}: {value!r:.40} fits nothing of {schema['anyOf']}")
    found += [f"{at}: no {key}" for key in schema.get("required", ()) if key not in value]
    if isinstance(value, dict):
        known, other = schema.get("properties", {}), schema.get("additionalProperties", True)
        for key, part in value.items():
            if key in known:
                found += misfits(part, known[key], whole, f"{at}.{key}")
            elif other is False:
                found.append(f"{at}: {key} is not described")
            elif other is not True:
                found += misfits(part, other, whole, f"{at}.{key}")
    if isinstance(value, list) and "items" in schema:
        for place, part in enumerate(value):
            found += misfits(part, schema["items"], whole, f"{at}[{place}]")
    return found
