"""The garbage collector while a crawl starts.

The start creates some 140,000 objects, nearly all of which live as long as the process. The
collector would look at them again and again for cycles: at the start for a tenth of its time, and
then in each full collection of the crawl.
"""

from __future__ import annotations

import gc


def pause_collection() -> None:
    """Collect nothing until :func:`resume_collection`."""
    gc.disable()


def resume_collection() -> None:
    """Collect again, but never what is there now."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
