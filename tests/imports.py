"""A checker for circles among the imports of a package."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Graph = dict[str, set[str]]


def modules_of(package: Path) -> dict[str, Path]:
    """Return the modules of *package* by name; a package's ``__init__`` has the package's name."""
    found = {}
    for file in sorted(package.rglob("*.py")):
        parts = file.relative_to(package.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def imports_of(
    source: str, module: str, *, is_package: bool, known: Mapping[str, object]
) -> set[str]:
    """Return the modules among *known* that *source*, of *module*, imports anywhere: in functions
    and under ``TYPE_CHECKING`` too.

    ``from a import b`` imports the module ``a.b`` if there is one, else ``a``. That Python loads
    the package of each module that it imports counts for nothing.
    """
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, module, is_package=is_package)
            names = {f"{base}.{alias.name}" for alias in node.names}
            found |= names & known.keys()
            if not names <= known.keys():
                found.add(base)
    return (found & known.keys()) - {module}


def _base(node: ast.ImportFrom, module: str, *, is_package: bool) -> str:
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    parts = parts[: len(parts) - node.level + (1 if is_package else 0)]
    return ".".join([*parts, *([node.module] if node.module else [])])


def graph_of(package: Path) -> Graph:
    """Return what each module of *package* imports of it."""
    known = modules_of(package)
    return {
        name: imports_of(
            file.read_text("utf-8"), name, is_package=file.name == "__init__.py", known=known
        )
        for name, file in known.items()
    }


def circles(graph: Graph) -> list[list[str]]:
    """Return the strongly connected components of *graph* that have more than one module, each
    sorted (Tarjan's algorithm, with a stack of its own)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    found: list[list[str]] = []
    for root in sorted(graph):
        if root in order:
            continue
        visits: list[tuple[str, Iterator[str]]] = [(root, iter(sorted(graph[root])))]
        order[root] = lowest[root] = len(order)
        path.append(root)
        while visits:
            name, rest = visits[-1]
            for other in rest:
                if other not in order:
                    order[other] = lowest[other] = len(order)
                    path.append(other)
                    visits.append((other, iter(sorted(graph.get(other, ())))))
                    break
                if other in path:
                    lowest[name] = min(lowest[name], order[other])
            else:
                visits.pop()
                if visits:
                    above = visits[-1][0]
                    lowest[above] = min(lowest[above], lowest[name])
                if lowest[name] == order[name]:
                    start = path.index(name)
                    if len(path) - start > 1:
                        found.append(sorted(path[start:]))
                    del path[start:]
    return sorted(found)
