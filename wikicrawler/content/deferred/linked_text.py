"""The text of a page in its JSON-LD (https://schema.org)."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from wikicrawler.content.deferred.prose import as_html
from wikicrawler.content.linked_data import clean_line, kinds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_REPLIES = 1000
"""Answers and comments that are read."""

_ANSWERS = ("acceptedAnswer", "suggestedAnswer")


def linked_text(nodes: list[dict[str, Any]], title: str) -> str:
    """Return the text of the page that one of *nodes* states, as HTML, or an empty string.

    That is the body of an article, a question with its answers, a posting with its comments, or the
    description of a job. If several nodes have one, the *title* of the page says which it is.
    """
    found = {html: _name(node) for node in nodes if (html := "".join(_parts(node)))}
    if len(found) > 1:
        whole = title.casefold()
        found = {html: name for html, name in found.items() if name and name.casefold() in whole}
    return next(iter(found)) if len(found) == 1 else ""


def _parts(node: dict[str, Any]) -> Iterator[str]:
    """Yield the HTML of a node, nothing if it has no text."""
    kinds = kinds_of(node)
    if "Question" in kinds:
        replies = [reply for name in _ANSWERS for reply in _as_list(node.get(name))]
        text = node.get("text") or node.get("articleBody")
        if not replies:
            return
    elif kinds & {"DiscussionForumPosting", "SocialMediaPosting"}:
        replies = _as_list(node.get("comment"))
        text = node.get("text") or node.get("articleBody")
    elif "JobPosting" in kinds:
        replies, text = [], node.get("description")
    else:
        replies, text = [], node.get("articleBody")
    if not isinstance(text, str) or not text.strip():
        text = ""
        if not replies:
            return
    if name := _name(node):
        yield f"<h1>{escape(name)}</h1>"
    yield as_html(text)
    for reply in replies[:MAX_REPLIES]:
        said = reply.get("text") if isinstance(reply, dict) else None
        if isinstance(said, str):
            yield as_html(said)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []


def _name(node: dict[str, Any]) -> str:
    for key in ("headline", "name", "title"):
        if isinstance(node.get(key), str) and (name := clean_line(node[key])):
            return name
    return ""
