"""Parts of :mod:`wikicrawler.content.chunks`."""
