"""Previews of what was stored: the text as it is written, rendered Markdown, the original HTML.

:func:`raw` and :func:`rendered` are parts of a page. :func:`preview_document` and
:func:`original_document` are documents for ``<iframe sandbox src=…>`` on paths of their own, which
answer with :data:`PREVIEW_HEADERS`; a direct visit to such a path is as safe as the frame.

Classes in pages: ``preview-raw``, ``preview-line``, ``preview-link``, ``preview-image``,
``preview-notice`` and ``preview-empty``.
"""

from wikicrawler.dashboard.preview.documents import PREVIEW_HEADERS
from wikicrawler.dashboard.preview.original import original_document
from wikicrawler.dashboard.preview.raw_text import raw
from wikicrawler.dashboard.preview.rendered import preview_document, rendered

__all__ = ["PREVIEW_HEADERS", "original_document", "preview_document", "raw", "rendered"]
