"""What all tests share."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from tests.servers.mediawiki import RealMediaWiki
from tests.servers.mediawiki_build import missing

if TYPE_CHECKING:
    from collections.abc import Iterator

# A shell starts what it puts in the background with Ctrl-C ignored, and children inherit that: the
# tests that interrupt one need it as it is in a terminal.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what uses the wiki, so that ``-m "not mediawiki"`` leaves all of it out."""
    for item in items:
        if "mediawiki_server" in getattr(item, "fixturenames", ()):
            item.add_marker("mediawiki")


@pytest.fixture(scope="session")
def mediawiki_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealMediaWiki]:
    """The one MediaWiki of a test run; tests use the fixture ``mediawiki``."""
    if lacks := missing():
        reason = f"needs Debian's mediawiki ({', '.join(lacks)}): run scripts/install-test-packages"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with RealMediaWiki(tmp_path_factory.mktemp("mediawiki")) as wiki:
        yield wiki


@pytest.fixture
def mediawiki(mediawiki_server: RealMediaWiki) -> Iterator[RealMediaWiki]:
    """A real MediaWiki with all switches off and an empty access log."""
    mediawiki_server.reset()
    mediawiki_server.clear_log()
    yield mediawiki_server
    mediawiki_server.reset()
