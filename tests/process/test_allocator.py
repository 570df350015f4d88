"""The memory of a large page is the system's again when the page is done."""

from __future__ import annotations

import platform
import resource
import subprocess
import sys

import pytest

MB = 2**20
# A block of 15 MB is freed beneath one that is in use, after one of 20 MB was.
PROGRAM = """
import ctypes, sys
from wikicrawler.process.allocator import give_back_large_blocks

if sys.argv[1] == "with":
    give_back_large_blocks()
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


def given_back(how: str) -> int:
    """Bytes."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=True
    )
    return int(done.stdout) * resource.getpagesize()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs glibc, whose heap it is about")
def test_a_large_block_is_given_back_when_it_is_freed() -> None:
    assert given_back("without") < MB
    assert given_back("with") > 14 * MB
