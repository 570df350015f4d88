"""What a crawl does, and how it ended, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_ARGUMENT = 200
_MAX_NAMED = 8


def argument_text(spider: str, arguments: Mapping[str, Any]) -> str:
    """Return what a crawl of *spider* with *arguments* is about; foreign text in one line."""
    if spider == "sources":
        if arguments.get("scheduled"):
            return "what is due"
        only = str(arguments.get("only", "")).strip("[]").replace('"', "").replace(" ", "")
        if only:
            ids = only.split(",", _MAX_NAMED)
            more = f" and {only.count(',') + 1 - _MAX_NAMED} more" if len(ids) > _MAX_NAMED else ""
            return ", ".join(ids[:_MAX_NAMED]) + more
        return "all sources" if arguments.get("force") == "true" else "all sources that are due"
    given = (f"{name}={str(value)[:_MAX_ARGUMENT]}" for name, value in arguments.items())
    return f"{spider}: {', '.join(given)}" if arguments else spider


def described_end(reason: str | None) -> tuple[str, str]:
    """Return the kind of the badge of an ended crawl, and its word."""
    if reason == "finished":
        return "ok", "finished"
    if reason in {"stopped", "shutdown"} or (reason or "").startswith("stopped before"):
        return "info", "stopped"
    return "failed", "failed"
