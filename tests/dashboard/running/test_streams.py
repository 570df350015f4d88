"""A browser keeps connections for its pages."""

from __future__ import annotations

from contextlib import ExitStack

from wikicrawler.dashboard.running.streams import MAX_BROWSERS, MAX_STREAMS, Stream, Streams


def test_the_oldest_stream_of_a_browser_ends_when_there_is_another() -> None:
    streams = Streams()
    opened = [Stream() for _ in range(MAX_STREAMS + 2)]
    with ExitStack() as stack:
        for one in opened:
            stack.enter_context(streams.counted("mine", one))
        other = Stream()
        stack.enter_context(streams.counted("another's", other))
        assert [one.is_replaced for one in opened] == [True] * 2 + [False] * MAX_STREAMS
        assert not other.is_replaced
        assert streams.count("mine") == MAX_STREAMS
    assert streams.count("mine") == streams.count("another's") == 0


def test_a_stream_that_has_ended_does_not_count() -> None:
    streams = Streams()
    stays = Stream()
    with streams.counted("mine", stays):
        for _ in range(MAX_STREAMS * 3):
            with streams.counted("mine", Stream()):
                pass
        assert not stays.is_replaced


def test_the_number_of_browsers_is_bounded() -> None:
    streams = Streams()
    opened = [Stream() for _ in range(MAX_BROWSERS + 1)]
    with ExitStack() as stack:
        for number, one in enumerate(opened):
            stack.enter_context(streams.counted(str(number), one))
        assert [one.is_replaced for one in opened] == [True] + [False] * MAX_BROWSERS
