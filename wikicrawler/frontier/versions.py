"""What is said of state folders that an earlier version of the project wrote."""

from __future__ import annotations

OLD_FORMAT = (
    "was written by an earlier version of wikicrawler, as pickles, which are not read because they "
    "can run code: finish the crawl with that version, or start a new one with another JOBDIR and "
    "-O"
)
"""What is wrong with such a file, and what to do."""
