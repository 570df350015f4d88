"""A checker for names that Scrapy and other libraries keep private."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

OWN = "wikicrawler"

DOCUMENTED = frozenset(
    # of named tuples, and of the standard library
    {"_asdict", "_fields", "_make", "_replace", "_field_defaults", "_exit", "_getframe"}
)
"""Names with an underscore that are public."""
UNDOCUMENTED = frozenset(
    # of the scheduler, of the downloader's slots, of the engine
    {
        "csv_writer",
        "dqs",
        "downloader",
        "inprogress",
        "lastseen",
        "mqs",
        "rp",
        "scraper",
        "transferring",
        "xg",
    }
)
"""Names without an underscore that Scrapy's documentation does not have, and that nothing of ours
is called by."""
BY_NAME = frozenset({"getattr", "setattr", "hasattr", "delattr", "attrgetter", "methodcaller"})
PATH = re.compile(r"[A-Za-z]\w*(\.\w+)*\._[A-Za-z]\w*(\.\w+)*")


class Use(NamedTuple):
    line: int
    name: str


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("_") and name not in DOCUMENTED


def private_names(source: str) -> list[Use]:
    """Where *source*, a module, uses what is private to a library.

    - imports of a private module, or of a private name;
    - ``x._name``, read or written, unless ``x`` is an object of the module's own (``self``, a class
      of the module, a variable that was made by one or is annotated as one), and the name too;
    - a name of a class that a base class from a library already has: an override, or an accident;
    - the same by ``getattr()`` and its like, and by a dotted path in a string.
    """
    tree = ast.parse(source)
    return sorted(set(_Module(tree).uses()))


class _Module:
    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.imports = dict(_imports(tree))
        self.classes = {n.name: n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)}
        # A class is asked for its names at each use of one.
        self.foreign = cache(self._foreign)
        self.own = cache(self._own)

    def uses(self) -> Iterator[Use]:
        yield from self._imported()
        yield from self._strings()
        yield from self._visit(self.tree, None, frozenset())

    def _imported(self) -> Iterator[Use]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                of = getattr(node, "module", None)
                for alias in node.names:
                    name = f"{of}.{alias.name}" if of else alias.name
                    if any(is_private(part) for part in name.split(".")):
                        yield Use(node.lineno, name)

    def _strings(self) -> Iterator[Use]:
        for node in ast.walk(self.tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and PATH.fullmatch(node.value)
                and _is_module(node.value.partition(".")[0])
            ):
                yield Use(node.lineno, node.value)

    def _visit(
        self, node: ast.AST, inside: ast.ClassDef | None, own: frozenset[str]
    ) -> Iterator[Use]:
        """*inside* is the class whose body it is, *own* the variables that hold our own objects."""
        if isinstance(node, ast.ClassDef):
            inside = node
            foreign = self.foreign(node)
            yield from (Use(line, name) for line, name in _defined(node) if name in foreign)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            own = own | self._own_variables(node)
        elif isinstance(node, ast.Attribute):
            if node.attr in UNDOCUMENTED or self._is_foreign(node.value, node.attr, inside, own):
                yield Use(node.lineno, node.attr)
        elif isinstance(node, ast.Call):
            yield from self._by_name(node, inside, own)
        elif isinstance(node, ast.Subscript) and _is_namespace(node.value):
            key = node.slice
            if isinstance(key, ast.Constant) and is_private(str(key.value)):
                yield Use(node.lineno, str(key.value))
        for child in ast.iter_child_nodes(node):
            yield from self._visit(child, inside, own)

    def _by_name(
        self, call: ast.Call, inside: ast.ClassDef | None, own: frozenset[str]
    ) -> Iterator[Use]:
        called = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
        if called not in BY_NAME:
            return
        for argument in call.args:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                for name in argument.value.split("."):
                    if name in UNDOCUMENTED or self._is_foreign(call.args[0], name, inside, own):
                        yield Use(call.lineno, name)

    def _is_foreign(
        self, owner: ast.expr, name: str, inside: ast.ClassDef | None, own: frozenset[str]
    ) -> bool:
        if not is_private(name):
            return False
        owned_by = self._class_of(owner, inside, own)
        if owned_by is None:
            return True
        if name.startswith("__"):  # the compiler puts the name of the class before it
            return False
        return name in self.foreign(owned_by) or name not in self.own(owned_by)

    def _class_of(
        self, owner: ast.expr, inside: ast.ClassDef | None, own: frozenset[str]
    ) -> ast.ClassDef | None:
        """The class of the module that *owner* is, or is an object of."""
        if _is_super(owner):
            return inside
        if not isinstance(owner, ast.Name):
            return None
        if owner.id in self.classes:
            return self.classes[owner.id]
        if owner.id in {"self", "cls"}:
            return inside
        for entry in own:
            variable, _, of = entry.partition(":")
            if variable == owner.id:
                return self.classes.get(of, inside)
        return None

    def _own_variables(
        self, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    ) -> frozenset[str]:
        found = set()
        for arg in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
            if (of := self._own_type(arg.annotation)) is not None:
                found.add(f"{arg.arg}:{of}")
        for node in ast.walk(function):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                if (of := self._own_type(node.annotation)) is not None:
                    found.add(f"{node.target.id}:{of}")
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                made_by = node.value.func
                names = {"cls", *self.classes}
                if isinstance(made_by, ast.Name) and made_by.id in names:
                    found |= {
                        f"{t.id}:{made_by.id}" for t in node.targets if isinstance(t, ast.Name)
                    }
        return frozenset(found)

    def _own_type(self, annotation: ast.expr | None) -> str | None:
        if isinstance(annotation, ast.Constant):
            return None
        names = (
            {n.id for n in ast.walk(annotation) if isinstance(n, ast.Name)} if annotation else set()
        )
        if "Self" in names:
            return "cls"
        return next((name for name in sorted(names) if name in self.classes), None)

    def _foreign(self, of: ast.ClassDef) -> frozenset[str]:
        """Private names that the class has from a library."""
        found: set[str] = set()
        for base in of.bases:
            local = self.classes.get(base.id) if isinstance(base, ast.Name) else None
            if local is not None and local is not of:
                found |= self.foreign(local)
            elif isinstance(resolved := self._resolve(base), type):
                found |= _of_libraries(resolved)
        return frozenset(found)

    def _own(self, of: ast.ClassDef) -> frozenset[str]:
        """Private names that the class has from the module, or from others of ours."""
        found = {name for _, name in _defined(of)}
        for base in of.bases:
            local = self.classes.get(base.id) if isinstance(base, ast.Name) else None
            if local is not None and local is not of:
                found |= self.own(local)
            elif isinstance(resolved := self._resolve(base), type):
                found |= _of_ours(resolved)
        return frozenset(found)

    def _resolve(self, base: ast.expr) -> object:
        """The object that an expression of imported names stands for."""
        if isinstance(base, ast.Subscript):
            return self._resolve(base.value)
        if isinstance(base, ast.Attribute):
            return getattr(self._resolve(base.value), base.attr, None)
        if isinstance(base, ast.Name) and base.id in self.imports:
            return _load(*self.imports[base.id])
        return None


def _imports(tree: ast.Module) -> Iterator[tuple[str, tuple[str, str]]]:
    """Each name that an import makes, with the module and the name there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, (node.module, alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                yield alias.asname or name, (name, "")


@cache
def _load(module: str, name: str) -> object:
    loaded = importlib.import_module(module)
    if not name:
        return loaded
    return getattr(loaded, name, None) or importlib.import_module(f"{module}.{name}")


def _is_module(name: str) -> bool:
    return name != OWN and importlib.util.find_spec(name) is not None


def _defined(of: ast.ClassDef) -> Iterator[tuple[int, str]]:
    """Private names that the body of a class binds, or its methods on ``self`` and ``cls``."""
    for node, of_body in _within(of):
        name = ""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = node.name if of_body else ""
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node, ast.Name):
                name = node.id if of_body else ""
            elif _is_self(node.value, of):
                name = node.attr
        if is_private(name):
            yield node.lineno, name


def _within(of: ast.AST, *, of_body: bool = True) -> Iterator[tuple[ast.AST, bool]]:
    """The nodes of a class without those of the classes in it, and whether each is of its body, not
    of a function."""
    for child in ast.iter_child_nodes(of):
        yield child, of_body
        if not isinstance(child, ast.ClassDef):
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from _within(child, of_body=of_body and not function)


def _is_self(node: ast.expr, of: ast.ClassDef) -> bool:
    return isinstance(node, ast.Name) and node.id in {"self", "cls", of.name}


def _is_super(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
    )


def _is_namespace(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__"
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "vars"


@cache
def _of_libraries(cls: type) -> frozenset[str]:
    """Private names of *cls* that come from classes which are not ours: what they have, and what
    their methods set."""
    found: set[str] = set()
    for base in cls.__mro__:
        if base.__module__.partition(".")[0] != OWN:
            found |= {name for name in vars(base) if is_private(name)}
            found |= _in_source(base)
    return frozenset(name for name in found if not name.startswith("__"))


@cache
def _of_ours(cls: type) -> frozenset[str]:
    found: set[str] = set()
    for base in cls.__mro__:
        if base.__module__.partition(".")[0] == OWN:
            found |= _in_source(base)
    return frozenset(found)


@cache
def _in_source(cls: type) -> frozenset[str]:
    made = _classes_of(cls.__module__).get(cls.__qualname__)
    return frozenset(name for _, name in _defined(made)) if made is not None else frozenset()


@cache
def _classes_of(module: str) -> dict[str, ast.ClassDef]:
    """The classes of a module by qualified name; none if it is not written in Python."""
    try:
        tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    except (OSError, TypeError):
        return {}
    return dict(_named_classes(tree, ""))


def _named_classes(of: ast.AST, prefix: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for child in ast.iter_child_nodes(of):
        inner = prefix
        if isinstance(child, ast.ClassDef):
            yield prefix + child.name, child
            inner = f"{prefix}{child.name}."
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = f"{prefix}{child.name}.<locals>."
        yield from _named_classes(child, inner)
