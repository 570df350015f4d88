"""Quotations by the rule of markdownify."""

from __future__ import annotations

from markdownify import MarkdownConverter

# Its rules depend on nothing but the options, so all pages share it.
_MARKDOWNIFY = MarkdownConverter(heading_style="atx", bullets="-")


def quotation(text: str, *, inline: bool) -> str:
    """Return *text*, the Markdown of a quotation, with its mark before each line.

    :param inline: whether it stands in a heading, which is one line
    """
    parents = {"_inline"} if inline else set()
    return str(_MARKDOWNIFY.convert_blockquote(None, text, parents))  # type: ignore[attr-defined]
