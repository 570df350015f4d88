"""Changes of a document: whether it has changed, and where.

``document`` turns a body into blocks without noise, and hashes them. It uses, in this order:
``characters`` (one spelling of white space and quotation marks), ``markdown``, ``xml`` and ``data``
(blocks of each format), ``pages`` and ``headings`` (of PDFs and plain text), ``inline`` and
``addresses`` (links, emphasis, e-mail addresses), ``noise`` and ``frame`` (what is left out, by the
``phrases`` and ``tools``, what is ``live``, also in other ``languages``, and ``furniture``,
and at the ``edges`` of the document lines about the ``visit``, ``notices`` and ``asides``, by
several signs). Last, lines are ``ignored`` that the operator has named. ``comparison`` compares two
bodies:
``sections`` splits them, ``alignment`` pairs the sections, ``words`` has what counts in them and
``diff`` finds the words that differ.
"""

from wikicrawler.sources.changes.comparison import (
    Change,
    Limits,
    SectionChange,
    WordEdit,
    compare,
)
from wikicrawler.sources.changes.document import (
    RULES_VERSION,
    change_hash,
    content_hash,
    normalise,
)

__all__ = [
    "RULES_VERSION",
    "Change",
    "Limits",
    "SectionChange",
    "WordEdit",
    "change_hash",
    "compare",
    "content_hash",
    "normalise",
]
