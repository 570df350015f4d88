"""Whose turn it is among sites."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.frontier.site_turns import SiteTurns

SITES = st.sets(st.sampled_from("abcdefgh"), min_size=1)


@given(SITES, st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3)), st.text("adgz"))
def test_the_site_with_the_fewest_places_is_next_and_of_several_the_one_after_the_last(
    sites: set[str], held: dict[str, int], last: str
) -> None:
    turns = SiteTurns(sites)
    turns.last = last
    may = [site for site in sites if held.get(site, 0) < 3]
    expected = min(may, key=lambda site: (held.get(site, 0), site <= last, site), default=None)
    assert turns.choose(Counter(held), lambda _, count: count < 3) == expected


def test_all_sites_have_their_turn_while_some_come_and_go() -> None:
    turns = SiteTurns("bd")
    order = []
    for change in ("", "+a", "+c", "-d", "", "-b", ""):
        if change:
            (turns.add if change[0] == "+" else turns.remove)(change[1])
        turns.last = turns.choose(Counter(), lambda *_: True) or ""
        order.append(turns.last)
    assert "".join(order) == "bdabcac"
    assert list(turns) == ["a", "c"]
    assert len(turns) == 2


def test_no_more_sites_are_looked_at_than_hold_places() -> None:
    turns = SiteTurns(f"{n:04}" for n in range(1_000))
    looked_at: list[str] = []
    held = Counter({"0000": 1, "0001": 1})
    chosen = turns.choose(held, lambda site, _: bool(looked_at.append(site)) or True)
    assert chosen == "0002"
    assert looked_at == ["0000", "0002"]
