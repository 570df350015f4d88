"""Has the C library give large blocks of memory back when they are freed."""

from __future__ import annotations

import ctypes

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # of glibc's <malloc.h>
_LARGE = 2**20


def give_back_large_blocks() -> None:
    """Have blocks of 1 MB and more mapped for themselves, so that they are the system's again when
    they are freed, and the smaller ones of all threads taken from two heaps.

    glibc does so by itself, until the first of them is freed: from then on it takes blocks of that
    size from its heap, where a body of 20 MB leaves a hole that the next one may not fit into. A
    crawl of many large pages took a third more memory at its peak. Does nothing where the C library
    has no such option.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGE)
        mallopt(_M_ARENA_MAX, 2)
