"""The process that reads one PDF: bytes on stdin, one JSON object on stdout.

A PDF may be built to keep its reader busy for hours, so the kernel bounds the time and the memory
of the process. Arguments: CPU seconds, memory limit in MB, maximum number of characters.
"""

from __future__ import annotations

import json
import resource
import sys

import pypdfium2

MAX_PAGES = 5_000
TITLE_CHARACTERS = 500


def main() -> None:
    """Read the PDF on stdin; exit with status 0 if it could be read."""
    seconds, memory, characters = map(int, sys.argv[1:4])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_DATA, (memory * 2**20, memory * 2**20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        result = read(sys.stdin.buffer.read(), characters)
    except (pypdfium2.PdfiumError, MemoryError) as error:
        result = {"error": str(error) or type(error).__name__}
    sys.stdout.write(json.dumps(result))


def read(data: bytes, characters: int) -> dict[str, object]:
    """Return the ``pages`` (list of str), the ``title`` and whether the text was ``truncated``.

    :raises pypdfium2.PdfiumError: *data* is not a PDF, is damaged, or needs a password
    """
    document = pypdfium2.PdfDocument(data)
    pages: list[str] = []
    room, truncated = characters, len(document) > MAX_PAGES
    for number in range(min(len(document), MAX_PAGES)):
        text_page = document[number].get_textpage()
        text = text_page.get_text_bounded().replace("\r\n", "\n").replace("\r", "\n")
        truncated = truncated or len(text) > room
        pages.append(text[:room])
        room -= len(pages[-1])
        if room <= 0:
            truncated = truncated or number + 1 < len(document)
            break
    title = document.get_metadata_value("Title")[:TITLE_CHARACTERS]
    return {"pages": pages, "title": title, "truncated": truncated}


if __name__ == "__main__":
    main()
