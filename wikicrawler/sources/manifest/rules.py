"""What a manifest needs beyond its schema, and what is worth a notice.

The checks get values that may have any type: faults of the schema are reported beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.sources.changes.ignored import check_pattern
from wikicrawler.sources.manifest.patterns import PathFilter, compile_glob
from wikicrawler.sources.manifest.schema import matches, parse_time
from wikicrawler.sources.schedule.cron import check_cron
from wikicrawler.sources.schedule.zones import zone_names
from wikicrawler.text.safe import quoted
from wikicrawler.text.yaml import suggest
from wikicrawler.urls.addresses import parse_domain, parse_url
from wikicrawler.urls.sites import host_of, is_public_suffix, site_of_host

if TYPE_CHECKING:
    from wikicrawler.sources.manifest.faults import Path
    from wikicrawler.sources.manifest.tree import Tree

_OWN_HEADERS = {
    "user-agent": "the crawl's own User-Agent is sent, and robots.txt is read for it",
    "host": "it follows from the url",
    "cookie": "a manifest contains no logins",
    "authorization": "a manifest contains no logins",
    "proxy-authorization": "a manifest contains no logins",
    "connection": "the crawl sets it",
    "content-length": "the crawl sets it",
    "transfer-encoding": "the crawl sets it",
    "accept-encoding": "the crawl sets it",
    "if-none-match": "the crawl sets it",
    "if-modified-since": "the crawl sets it",
}
_SCHEDULES = {
    "cron": ("cron", "time_zone"),
    "adaptive": ("shortest_hours", "longest_hours"),
}
"""Keys of ``schedule`` that a frequency needs."""


def check_rules(tree: Tree) -> None:
    """Add the faults and notices of the values in *tree*."""
    root = tree.root
    if not isinstance(root, dict):
        return
    _check_times(root, tree)
    sources = root.get("sources")
    if not isinstance(sources, list):
        return
    ids: dict[str, int] = {}
    urls: dict[str, str] = {}
    for index, source in enumerate(sources):
        if isinstance(source, dict):
            check = _SourceCheck(source, ("sources", index), tree)
            check.check_id(ids)
            check.check_address(urls)
            check.check_patterns()
            check.check_headers()
            check.check_ignored()
            check.check_schedule()
            check.notice_reserved()
        if tree.faults.is_full:
            return


def _check_times(root: dict[str, Any], tree: Tree) -> None:
    try:
        is_earlier = parse_time(root["updated"]) < parse_time(root["created"])
    except (KeyError, TypeError, ValueError):  # a fault of the schema
        return
    if is_earlier:
        path = ("updated",)
        tree.faults.add(tree.place(path), path, "is before created (the later of the two)")


class _SourceCheck:
    """The checks of one source."""

    def __init__(self, source: dict[str, Any], path: Path, tree: Tree) -> None:
        self._source = source
        self._path = path
        self._tree = tree

    def check_id(self, ids: dict[str, int]) -> None:
        """Check that the id is in no source before; *ids* has the line of each."""
        if not (own := self._text("id")):
            return
        if own in ids:
            self._fault(
                ("id",), f"{quoted(own)} appears twice (first in line {ids[own]}; ids are unique)"
            )
        else:
            ids[own] = self._tree.place((*self._path, "id")).line

    def check_address(self, urls: dict[str, str]) -> None:
        """Check that the domain agrees with the url; *urls* has the ids of sources by url."""
        try:
            url = parse_url(self._text("url"))
        except ValueError:
            url = ""
        else:
            if (other := urls.setdefault(url, self._text("id"))) != self._text("id"):
                self._notice(("url",), f"is also the url of {quoted(other)} (it is visited twice)")
        domain = self._text("domain")
        if not domain:
            return
        host = host_of(url)
        right = f"write {quoted(site_of_host(host))}" if host else "like consumerfinance.gov"
        try:
            normal = parse_domain(domain)
        except ValueError as error:
            self._fault(("domain",), f"{quoted(domain)} {error}")
            return
        if normal != domain or domain.rpartition("]")[2].count(":"):
            bare = normal if normal.startswith("[") else normal.partition(":")[0]
            self._fault(
                ("domain",), f"{quoted(domain)} is not in its plain form (write {quoted(bare)})"
            )
        elif host and host != domain and not host.endswith(f".{domain}"):
            self._fault(("domain",), f"{quoted(domain)} is not a domain of the url ({right})")
        elif is_public_suffix(domain) and host != domain:
            self._fault(("domain",), f"{quoted(domain)} is a public suffix ({right})")

    def check_patterns(self) -> None:
        """Check that the patterns are globs and admit the page of the url."""
        config = self._object("scrape_config")
        globs: dict[str, list[str]] = {}
        for name in ("include_patterns", "exclude_patterns"):
            found = config.get(name)
            globs[name] = []
            for index, glob in enumerate(found if isinstance(found, list) else ()):
                if not isinstance(glob, str):
                    continue
                try:
                    compile_glob(glob)
                except ValueError as error:
                    self._fault(("scrape_config", name, index), f"{quoted(glob)} {error}")
                else:
                    globs[name].append(glob)
            if globs[name] and self._source.get("method") == "scrape":
                where = ("scrape_config", name)
                self._notice(where, "has no effect with the method scrape, which follows no links")
        try:
            url = parse_url(self._text("url"))
        except ValueError:
            return
        if not PathFilter.of((), globs["exclude_patterns"]).admits(url):
            where = ("scrape_config", "exclude_patterns")
            self._fault(where, "excludes the page of the url itself (narrow it)")

    def check_headers(self) -> None:
        """Check that no header is given that the crawl decides."""
        for name in self._object("scrape_config", "custom_headers"):
            if why := _OWN_HEADERS.get(name.lower()):
                where = (*self._path, "scrape_config", "custom_headers", name)
                self._tree.faults.add(
                    self._tree.key_place(where), where, f"cannot be set: {why} (remove it)"
                )

    def check_ignored(self) -> None:
        """Check that RE2 reads the patterns of lines to ignore, and that they leave something."""
        found = self._object("scrape_config").get("ignore_changes")
        for index, pattern in enumerate(found if isinstance(found, list) else ()):
            if not isinstance(pattern, str) or not pattern:
                continue  # the schema says so
            try:
                check_pattern(pattern)
            except ValueError as error:
                self._fault(
                    ("scrape_config", "ignore_changes", index), f"{quoted(pattern)} {error}"
                )

    def check_schedule(self) -> None:
        """Check that the schedule has what the frequency needs, and nothing else."""
        frequency, schedule = self._text("frequency"), self._object("schedule")
        needed = _SCHEDULES.get(frequency, ())
        for key in needed:
            if key not in schedule:
                where = ("schedule",) if "schedule" in self._source else ("frequency",)
                self._fault(where, f"the frequency {frequency} needs schedule.{key} (add it)")
        for key in schedule:
            if key not in needed and any(key in keys for keys in _SCHEDULES.values()):
                right = next(name for name, keys in _SCHEDULES.items() if key in keys)
                self._fault(
                    ("schedule", key),
                    f"belongs to the frequency {right}, which is not set (remove one of the two)",
                )
        short, long = schedule.get("shortest_hours"), schedule.get("longest_hours")
        if type(short) is type(long) is int and short > long:
            self._fault(
                ("schedule", "longest_hours"), "is less than shortest_hours (exchange them)"
            )
        if cron := self._schedule_text("cron"):
            try:
                check_cron(cron)
            except ValueError as error:
                self._fault(("schedule", "cron"), f"{quoted(cron, 100)} {error}")
        zone = self._schedule_text("time_zone")
        if zone and zone not in zone_names():
            names = suggest(zone, sorted(name for name in zone_names() if name[:1] == zone[:1]))
            hint = names if names.startswith("did") else "like America/New_York"
            self._fault(("schedule", "time_zone"), f"{quoted(zone, 60)} is unknown ({hint})")

    def _schedule_text(self, key: str) -> str:
        """Return the text *key* of the schedule; empty if the schema finds a fault in it."""
        value, path = self._object("schedule").get(key), (*self._path, "schedule", key)
        return value if isinstance(value, str) and matches(path, value) else ""

    def notice_reserved(self) -> None:
        """Add notices about keys that have no meaning yet."""
        if self._source.get("swagger") is not None:
            self._notice(("swagger",), "is reserved: it has no effect yet (null)")
        if self._source.get("auth_config") is not None:
            self._notice(
                ("auth_config",),
                "is reserved: it has no effect yet (null; a manifest contains no secrets)",
            )

    def _text(self, key: str) -> str:
        value = self._source.get(key)
        return value if isinstance(value, str) else ""

    def _object(self, *keys: str) -> dict[str, Any]:
        value = self._source
        for key in keys:
            below = value.get(key)
            if not isinstance(below, dict):
                return {}
            value = below
        return value

    def _fault(self, below: Path, message: str) -> None:
        path = (*self._path, *below)
        if not self._tree.is_refused(path):
            self._tree.faults.add(self._tree.place(path), path, message)

    def _notice(self, below: Path, message: str) -> None:
        path = (*self._path, *below)
        self._tree.faults.notice(self._tree.place(path), path, message)
