"""The text of a PDF, read in a process of its own."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass

from wikicrawler.errors import ContentError, Reason
from wikicrawler.text.safe import one_line

CPU_SECONDS = 30
WALL_SECONDS = 60.0
MEMORY_MB = 1024
MAX_CHARACTERS = 5_000_000


@dataclass(frozen=True, slots=True)
class PdfText:
    """The text of a PDF."""

    text: str
    """Each page begins with a line like ``[page 1]``. A page without text has that line alone."""
    title: str
    """The document's own title; empty if it has none."""
    pages: int
    truncated: bool
    """True if it has more than 5,000 pages or 5 million characters."""


async def read_pdf(data: bytes) -> PdfText:
    """Return the text of a PDF.

    :raises ContentError: ``CONVERSION`` if it is damaged or needs a password, ``EMPTY`` if it has
        no text (scanned pages are images), ``CPU_LIMIT`` if it takes too long, ``MEMORY_LIMIT``
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "wikicrawler.documents.pdf_worker"),
        *(str(CPU_SECONDS), str(MEMORY_MB), str(MAX_CHARACTERS)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(WALL_SECONDS):
            output, _ = await process.communicate(data)
    except TimeoutError:
        raise ContentError(Reason.CPU_LIMIT, "the PDF takes too long to read") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return _result(output, process.returncode or 0)


def _result(output: bytes, status: int) -> PdfText:
    try:
        found = json.loads(output)
    except ValueError:  # the kernel ended it, or it ran out of memory
        reason = Reason.CPU_LIMIT if status < 0 else Reason.MEMORY_LIMIT
        raise ContentError(reason, "the PDF needs too much time or memory") from None
    if "error" in found:
        why = one_line(found["error"], 200)
        raise ContentError(Reason.CONVERSION, f"not a readable PDF: {why}")
    pages = [page.strip() for page in found["pages"]]
    if not any(pages):
        raise ContentError(Reason.EMPTY, "the PDF has no text: its pages may be images")
    text = "\n\n".join(f"[page {number}]\n{page}".strip() for number, page in enumerate(pages, 1))
    return PdfText(text, found["title"].strip(), len(pages), found["truncated"])
