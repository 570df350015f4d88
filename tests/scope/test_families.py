"""Families of URLs are left when their pages say nothing new, and not before."""

from __future__ import annotations

import tracemalloc

import pytest

from tests.servers.traps import MONTHS, prose
from wikicrawler.content.sketch import sketch_of
from wikicrawler.scope.families import LONG, PATIENCE, PATIENCE_SPENT, Families

HOST = "https://site.example"


def judge(
    families: Families, path: str, text: str, depth: int = 3, *, leads_on: bool = False
) -> None:
    families.judge(HOST + path, sketch_of(text), depth, leads_on=leads_on)


def is_closed(families: Families, path: str) -> bool:
    return families.is_closed(HOST + path)


def fetched(families: Families, pages: list[tuple[str, str]]) -> int:
    """How many of *pages*, each found by the one before, are fetched."""
    for number, (path, text) in enumerate(pages):
        if is_closed(families, path):
            return number
        judge(families, path, text, number)
    return len(pages)


def test_the_same_text_on_every_page_ends_a_family() -> None:
    pages = [(f"/list?page={n}", f"Page {n} of our lamps and chairs.") for n in range(1_000)]
    assert fetched(Families(), pages) <= PATIENCE + 3


def test_three_hundred_pages_with_a_thing_each_are_fetched() -> None:
    pages = [(f"/list?page={n}", prose(f"thing-{n}")) for n in range(300)]
    assert fetched(Families(), pages) == 300


def test_a_calendar_ends_when_all_months_were_seen() -> None:
    pages = [
        (f"/cal/{2026 + n // 12}/{n % 12 + 1}", f"# {MONTHS[n % 12]} {2026 + n // 12}\n\nNothing.")
        for n in range(1_000)
    ]
    assert fetched(Families(), pages) < 50


def test_an_event_now_and_then_keeps_a_calendar_open() -> None:
    pages = [
        (f"/cal/{2026 + n // 12}/{n % 12 + 1}", prose(f"party{n}") if n % 15 == 0 else "Nothing.")
        for n in range(1_000)
    ]
    assert fetched(Families(), pages) == 1_000


def test_pages_that_differ_by_their_number_in_the_path_are_pages() -> None:
    families = Families()
    for n in range(500):
        judge(families, f"/part/{n}", f"Part {n}, like any other.")
    assert not is_closed(families, "/part/500")


def test_a_chain_of_them_is_none_far_from_the_seed() -> None:
    pages = [(f"/list/{n}", f"Page {n}, like any other.") for n in range(1_000)]
    assert fetched(Families(), pages) < 100


def test_a_page_that_finds_another_is_of_use_whatever_it_says() -> None:
    families = Families()
    for n in range(100):
        judge(families, f"/list?page={n}", "The same.", leads_on=True)
    assert not is_closed(families, "/list?page=100")


def test_a_parameter_that_says_nothing_does_not_close_those_that_do() -> None:
    families = Families()
    for n in range(60):
        judge(families, f"/i?product={n}", prose(f"ware {n}"))
        judge(families, f"/i?product={n % 5}&sort=price", prose(f"ware {n % 5}"))
    assert is_closed(families, "/i?sort=name&product=99")
    assert is_closed(families, "/i?sort=name&product=99&page=2")
    assert not is_closed(families, "/i?product=99")
    assert not is_closed(families, "/i?sort=name")
    assert not is_closed(families, "/other?product=1&sort=name")


def test_where_many_parameters_said_nothing_the_next_is_given_less_time() -> None:
    families = Families()
    names = [f"{a}{b}" for a in "abcdefgh" for b in "ijklmnop"]
    for name in names[:20]:
        for n in range(PATIENCE_SPENT):
            judge(families, f"/shop?{name}={n}", "The same.")
    assert len(names[:20]) * PATIENCE_SPENT > LONG
    assert is_closed(families, f"/shop?{names[5]}=9")
    assert not is_closed(families, f"/shop?{names[40]}=0")


def test_parameters_without_number_end_too() -> None:
    families = Families()
    for n in range(2_000):
        path = f"/maze?{''.join(chr(97 + int(digit)) for digit in str(n))}=x"
        if is_closed(families, path):
            break
        judge(families, path, "The same.")
    assert n < 400


def test_a_family_that_gave_much_is_given_more_time() -> None:
    families = Families()
    for n in range(1_000):
        judge(families, f"/list?page={n}", prose(f"thing-{n}"))
    for n in range(PATIENCE + 50):
        judge(families, f"/list?page={n}", "The same.")
    assert not is_closed(families, "/list?page=7777")


def test_what_was_closed_is_closed_when_the_crawl_goes_on() -> None:
    closed: list[bytes] = []
    families = Families()
    families.resume([], closed.append)
    for n in range(PATIENCE + 2):
        judge(families, f"/list?page={n}", "The same.")
    assert len(closed) == 1
    again = Families()
    again.resume(closed, closed.append)
    assert is_closed(again, "/list?page=99")
    assert not is_closed(again, "/list2?page=99")


def test_a_family_that_said_much_keeps_its_patience_when_the_crawl_goes_on() -> None:
    notes: list[bytes] = []
    families = Families(notes.append)
    for n in range(1_000):
        judge(families, f"/part/{n}", f"Part {n}.")
    assert len(notes) < 60
    again = Families()
    again.resume(notes, notes.append)
    for n in range(1_000, 1_000 + 4 * PATIENCE):
        judge(again, f"/part/{n}", "To be announced.")
    assert not is_closed(again, "/part/2000")
    for n in range(2_000, 2_000 + 4 * PATIENCE):
        judge(again, f"/part/{n}", "To be announced.")
    assert is_closed(again, "/part/3000")


@pytest.mark.parametrize("shape", ["/{n}x1/list?page=1", "/same/page-1-{n}"])
def test_memory_is_bounded_over_a_great_many_families(shape: str) -> None:
    tracemalloc.start()
    try:
        families = Families()
        for n in range(22_000):
            name = "".join(chr(97 + int(digit)) for digit in str(n))
            for _ in range(2):
                judge(families, shape.replace("{n}", name), "A page.")
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert used < 40_000_000


def test_a_trap_is_seen_among_thousands_of_other_families() -> None:
    families = Families()
    for n in range(60):
        if is_closed(families, f"/cal/{n}"):
            break
        judge(families, f"/cal/{n}", "Nothing is planned.", 100)
        for m in range(300):
            name = f"x{chr(97 + n % 26)}{chr(97 + m % 26)}{chr(97 + m // 26)}"
            for k in range(2):
                judge(families, f"/{name}?colour={k}", prose(m))
    assert n < 40
