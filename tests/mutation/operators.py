"""Small changes that should not go unnoticed: each is one expression or statement of a file."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

_Path: TypeAlias = tuple[tuple[str, int | None], ...]

COMPARE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}


class Mutant(NamedTuple):
    """One change of one file."""

    function: str
    """Where it is, as ``Class.method``; empty at the top of the module."""
    line: int
    old: str
    new: str
    top: tuple[str, int] | None
    """Qualified name and first line of the outermost function that holds it; None if the change
    acts while the module is imported."""
    tree: Callable[[], ast.Module]
    """Makes the changed module."""

    @property
    def key(self) -> str:
        """A name that stays when lines above are added."""
        return f"{self.function}: {self.old} → {self.new}"


class _Site(NamedTuple):
    path: _Path
    function: str
    top: tuple[str, int] | None


def mutants(source: str) -> Iterator[Mutant]:
    """Yield every mutant of a file, in its order."""
    tree = ast.parse(source)
    for site, node in _sites(tree):
        for new in _changes(node):
            made = partial(_changed, tree, site.path, new)
            line: int = getattr(node, "lineno", 0) or getattr(node, "target", node).lineno  # type: ignore[union-attr]
            yield Mutant(site.function, line, _text(node), _text(new), site.top, made)


def _changed(tree: ast.Module, path: _Path, new: ast.AST) -> ast.Module:
    changed = copy.deepcopy(tree)
    place: Any = changed
    for field, index in path[:-1]:
        place = getattr(place, field) if index is None else getattr(place, field)[index]
    field, index = path[-1]
    if index is None:
        setattr(place, field, new)
    else:
        getattr(place, field)[index] = new
    return ast.fix_missing_locations(changed)


def _text(node: ast.AST) -> str:
    """Return one line of source, short enough for a table."""
    if isinstance(node, ast.keyword):
        text = f"{node.arg}={ast.unparse(node.value)}"
    elif isinstance(node, ast.If | ast.While):
        text = f"{'if' if isinstance(node, ast.If) else 'while'} {ast.unparse(node.test)}"
    else:
        text = ast.unparse(node)
    text = " ".join(text.split())
    return text if len(text) <= 90 else text[:89] + "…"


def _sites(tree: ast.Module) -> Iterator[tuple[_Site, ast.AST]]:
    """Yield the nodes that may be changed, with the way to each."""

    def walk(node: ast.AST, site: _Site) -> Iterator[tuple[_Site, ast.AST]]:
        yield site, node
        for field, value in ast.iter_fields(node):
            if _left_out(node, field):
                continue
            children = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
            for index, child in children:
                if isinstance(child, ast.AST) and not _is_text(child):
                    yield from walk(child, _inside(node, field, index, site))

    def _inside(node: ast.AST, field: str, index: int | None, site: _Site) -> _Site:
        path, function, top = (*site.path, (field, index)), site.function, site.top
        if isinstance(node, ast.ClassDef):
            function = f"{function}.{node.name}".lstrip(".")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and field == "body":
            function = f"{function}.{node.name}".lstrip(".")
            if top is None:
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                top = (function, first)
        return _Site(path, function, top)

    yield from walk(tree, _Site((), "", None))


def _left_out(node: ast.AST, field: str) -> bool:
    """Tell whether what a field holds is only for readers and type checkers."""
    if field in ("annotation", "returns", "type_comment", "type_params"):
        return True
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("cast", "TypeVar", "ParamSpec"):
        return field == "args"
    return isinstance(node, ast.FunctionDef) and any(
        ast.unparse(d) in ("overload", "abstractmethod") for d in node.decorator_list
    )


def _is_text(node: ast.AST) -> bool:
    """Tell whether a node is a docstring, an import or the list of public names."""
    if isinstance(node, ast.Import | ast.ImportFrom | ast.JoinedStr):
        return True
    if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return isinstance(node.value.value, str)
    if isinstance(node, ast.AnnAssign):
        return ast.unparse(node.annotation).endswith("TypeAlias")
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("__all__", "__slots__")


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in the place of a node."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            changed = copy.deepcopy(node)
            changed.ops[place] = COMPARE[type(operator)]()
            yield changed
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        if type(node.op) in ARITHMETIC and not _joins_text(node):
            other = copy.deepcopy(node)
            other.op = ARITHMETIC[type(node.op)]()
            yield other
    elif isinstance(node, ast.BoolOp):
        both = copy.deepcopy(node)
        both.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        yield both
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield copy.deepcopy(node.operand)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        if not isinstance(node.test, ast.Compare | ast.UnaryOp):
            turned = copy.deepcopy(node)
            turned.test = ast.UnaryOp(ast.Not(), turned.test)
            yield turned
    elif isinstance(node, ast.comprehension):
        for place in range(len(node.ifs)):
            every = copy.deepcopy(node)
            del every.ifs[place]
            yield every
    elif isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.Call):
        for place, keyword in enumerate(node.keywords):
            if keyword.arg is not None:
                fewer = copy.deepcopy(node)
                del fewer.keywords[place]
                yield fewer
    else:
        yield from _statements(node)


def _joins_text(node: ast.BinOp | ast.AugAssign) -> bool:
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.value]
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )


def _constants(node: ast.Constant) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
    elif isinstance(value, float):
        yield ast.Constant(value * 2 + 1)
    elif isinstance(value, str) and value and " " not in value:
        # Sentences are left alone: their words are looked at by people.
        yield ast.Constant(value + "!")


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Return):
        if node.value is not None and not (
            isinstance(node.value, ast.Constant) and node.value.value in (None, True, False)
        ):
            yield ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Raise | ast.Assert | ast.Delete) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ):
        yield ast.Pass()
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.Break):
        yield ast.Pass()
