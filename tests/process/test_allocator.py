"""The memory of a large page is returned to the system."""

from __future__ import annotations

import platform
import resource
import subprocess
import sys

import pytest

MB = 2**20
# After a block of 20 MB, free one of 15 MB that lies below a block in use.
PROGRAM = """
import ctypes, sys
from wikicrawler.process.allocator import return_large_blocks

if sys.argv[1] == "with":
    return_large_blocks()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = [ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]
libc.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])


libc.free(libc.malloc(20 << 20))
page = libc.malloc(15 << 20)
libc.memset(page, 1, 15 << 20)
beside = libc.malloc(900_000)
before = resident()
libc.free(page)
print(before - resident())
"""


def returned_bytes(how: str) -> int:
    """Return the bytes that a program returns to the system, ``with`` or ``without`` the call."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=True
    )
    return int(done.stdout) * resource.getpagesize()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="tests glibc's allocator")
def test_a_large_block_is_returned_when_it_is_freed() -> None:
    assert returned_bytes("without") < MB
    assert returned_bytes("with") > 14 * MB
