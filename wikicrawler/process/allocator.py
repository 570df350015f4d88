"""Configuration of the C library's memory allocator."""

from __future__ import annotations

import ctypes

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8  # from glibc's <malloc.h>
_LARGE = 2**20


def return_large_blocks() -> None:
    """Make glibc return memory blocks of 1 MB and more to the system when they are freed.

    These blocks are mapped individually; smaller ones of all threads come from two arenas. By
    default glibc raises its mmap threshold when a mapped block is freed: later blocks of that size
    come from the heap, where a body of 20 MB leaves a hole that the next one may not fit into. This
    took a third more memory at the peak of a crawl of many large pages. Does nothing with another
    C library.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGE)
        mallopt(_M_ARENA_MAX, 2)
