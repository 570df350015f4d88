"""Markdown as HTML that cannot do anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from wikicrawler.dashboard.preview.documents import document
from wikicrawler.dashboard.visible import cut, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.renderer import RendererHTML
    from markdown_it.rules_core import StateCore
    from markdown_it.utils import EnvType, OptionsDict

MAX_CHARACTERS = 200_000
MAX_LINES = 10_000
_MAX_INLINE = 20_000
"""Characters of a paragraph whose emphasis and links are read. A longer one is shown as text."""
_MAX_MARKS = 1_000
"""Marks of a paragraph that may begin emphasis, links, code or tags. One with more is shown as
text."""
_MARKS = "[*_`<~"
_ALL_MARKS = 20_000
"""Marks of a document. Paragraphs behind those are shown as text."""
_MAX_URL = 300


def rendered(markdown: str) -> Markup:
    """Return the first 200,000 characters and 10,000 lines of *markdown* as HTML.

    HTML in it is shown as text. Links do not open: they are text with the address as its title.
    Images are not loaded: their alternative text stands for them. There are no ids.
    """
    text = str(visible(_cut(markdown)).unescape())
    return Markup(_PARSER.render(text))  # noqa: S704 - the parser escapes


def preview_document(markdown: str, title: str) -> str:
    """Return *markdown* as a whole document for a response with
    :data:`~wikicrawler.dashboard.preview.documents.PREVIEW_HEADERS`."""
    notice = ""
    kept = len(_cut(markdown))
    if kept < len(markdown):
        notice = f"Cut at {kept} of {len(markdown)} characters."
    return document(rendered(markdown), title=title, notice=notice)


def _cut(markdown: str) -> str:
    text = markdown[:MAX_CHARACTERS]
    if text.count("\n") < MAX_LINES:
        return text
    return "\n".join(text.split("\n", MAX_LINES)[:MAX_LINES])


def _leave_long_text(state: StateCore) -> None:
    """Take long paragraphs as text: reading emphasis and links may take quadratic time."""
    left = _ALL_MARKS
    for token in state.tokens:
        if token.type != "inline":
            continue
        marks = sum(map(token.content.count, _MARKS))
        left -= marks
        if len(token.content) > _MAX_INLINE or marks > _MAX_MARKS or left < 0:
            text = Token("text", "", 0)
            text.content = token.content
            token.children, token.content = [text], ""


def _open_link(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType
) -> str:
    address = str(tokens[at].attrGet("href") or "")
    return str(Markup('<span class="preview-link" title="{}">').format(cut(address, _MAX_URL)))


def _close_link(*_: Any) -> str:
    return "</span>"


def _image(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType
) -> str:
    text = self.renderInlineAsText(tokens[at].children or [], options, env)
    return str(
        Markup('<span class="preview-image">Image: {}</span>').format(text or "without a text")
    )


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "typographer": False})
    parser.enable(["table", "strikethrough"])
    parser.core.ruler.before("inline", "leave_long_text", _leave_long_text)
    parser.add_render_rule("link_open", _open_link)
    parser.add_render_rule("link_close", _close_link)
    parser.add_render_rule("image", _image)
    return parser


_PARSER = _parser()
