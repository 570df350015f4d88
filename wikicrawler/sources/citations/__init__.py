"""Citations of regulatory text, found by rules: regulations, statutes, notices, guides.

``finder`` finds them in a Markdown text and has the readers' order; ``plain`` removes the markup
first. One reader for each kind: ``regulations`` (sections and parts of the Code of Federal
Regulations), ``attachments`` (subparts, appendices, supplements), ``comments`` (official comments),
``letters`` (Regulation Z), ``statutes`` and ``guides``. ``paragraphs`` reads designations like
(b)(2)(i), ``known`` knows the title of a part, ``display`` writes a citation in words. ``page`` and
``sections`` tell what a page or one of its sections is itself.

All functions are pure. They take time linear in the length of the text: each repetition in a
pattern has an upper bound, and no reader starts before the end of the one before it.
"""

from wikicrawler.sources.citations.display import cross_references
from wikicrawler.sources.citations.finder import find_citations
from wikicrawler.sources.citations.model import Citation
from wikicrawler.sources.citations.page import PageContext, page_context
from wikicrawler.sources.citations.sections import section_citation

__all__ = [
    "Citation",
    "PageContext",
    "cross_references",
    "find_citations",
    "page_context",
    "section_citation",
]
