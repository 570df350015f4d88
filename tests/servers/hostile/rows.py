"""All rows, module by module."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.servers.hostile.fault import Fault

MODULES = (
    "ordinary",
    "connections",
    "bodies",
    "redirects",
    "tls",
    "robots",
    "retry_after",
    "encodings",
    "headers",
    "blocks",
    "markup",
    "links",
    "titles",
    "api",
    "work",
    "engines",
)

ALL: tuple[Fault, ...] = tuple(
    fault for module in MODULES for fault in import_module(f"tests.servers.hostile.{module}").FAULTS
)

assert not [name for name, count in Counter(fault.name for fault in ALL).items() if count > 1]
