"""Scrapy add-on that installs wikicrawler's components in a project."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware, RedirectMiddleware
from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.extensions.feedexport import FeedExporter
from scrapy.extensions.spiderstate import SpiderState
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.misc import load_object

from wikicrawler import options
from wikicrawler.console.c_locale import respect_c_locale
from wikicrawler.console.job_report import JobReport
from wikicrawler.console.progress import ProgressLine
from wikicrawler.console.project_notice import OURS, ProjectNotice
from wikicrawler.console.safe_log import protect_log
from wikicrawler.console.skipped import SkippedPages
from wikicrawler.console.summary import CrawlSummary
from wikicrawler.console.unseen_records import UnseenRecords
from wikicrawler.console.waiting import WaitingNotice
from wikicrawler.content.pipeline import MarkdownPipeline
from wikicrawler.feeds.chunks.feed import ChunkExporter
from wikicrawler.feeds.chunks.pipeline import ChunkPipeline
from wikicrawler.feeds.chunks.spans import ChunkSize
from wikicrawler.feeds.exporters import CsvExporter, JsonExporter, PlainCsvExporter, XmlExporter
from wikicrawler.feeds.feed_settings import RequiredFeedExporter
from wikicrawler.feeds.file_storage import FeedStorage
from wikicrawler.feeds.formats import CHUNKS, MARKDOWN, PARQUET
from wikicrawler.feeds.line_feeds import LineExporter, LineStdoutStorage
from wikicrawler.feeds.markdown.feed import MarkdownExporter
from wikicrawler.feeds.output_check import OutputCheck
from wikicrawler.feeds.parquet.feed import ParquetExporter
from wikicrawler.frontier.due import DueRequests
from wikicrawler.frontier.scheduler import FrontierScheduler
from wikicrawler.frontier.site_queue import SiteAwarePriorityQueue
from wikicrawler.frontier.spider_state import JsonSpiderState
from wikicrawler.frontier.state_folder import StateFolder
from wikicrawler.guard.address_guard import (
    AddressGuard,
    ProxiedRequestMiddleware,
    StartHostMiddleware,
)
from wikicrawler.guard.bodies import BodyDecodingMiddleware
from wikicrawler.guard.headers import BoundedHeadersHandler
from wikicrawler.guard.reactor import require_reactor
from wikicrawler.guard.redirects import SafeMetaRefreshMiddleware, SafeRedirectMiddleware
from wikicrawler.guard.site_proxies import SiteProxyMiddleware
from wikicrawler.guard.tls import SiteTLSHandler
from wikicrawler.guard.tls_settings import check_tls
from wikicrawler.politeness.chosen import uses_throttle
from wikicrawler.politeness.retry import SiteRetryMiddleware
from wikicrawler.politeness.robots import SiteRobotsMiddleware
from wikicrawler.politeness.slots import SiteSlotMiddleware
from wikicrawler.politeness.throttle import DomainThrottle
from wikicrawler.process.setting_names import check_setting_names
from wikicrawler.process.stopping import StopDeadline
from wikicrawler.scope import CrawlScope
from wikicrawler.scope.middlewares import ClosedFamilies, ScopedLinks
from wikicrawler.text.json_text import JSON_LINES
from wikicrawler.tiers.logins.middleware import SiteLoginMiddleware
from wikicrawler.tiers.middleware import TierMiddleware
from wikicrawler.tiers.paused_sites import PausedSites
from wikicrawler.tiers.policy import records_attempts
from wikicrawler.tiers.registry import TierRegistry
from wikicrawler.tiers.result_keys import ResultKeysMiddleware
from wikicrawler.version import PRODUCT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import Settings

logger = logging.getLogger(__name__)

_QUEUE = "SCHEDULER_PRIORITY_QUEUE"
_RECORDER = "wikicrawler.learning.recorder.AttemptRecorder"
_AUDIT_RECORDER = "wikicrawler.audit.recorder.AuditRecorder"
_FLEET_PACE = "wikicrawler.politeness.fleet.pace.FleetPace"
_FLEET_REPORT = "wikicrawler.console.fleet_report.FleetReport"
_FRONTIER_CHECK = "wikicrawler.frontier.redis.loading.SharedFrontierCheck"
_ALERTS = "wikicrawler.sources.alerts.extension.CrawlAlerts"
_COOKIES = "scrapy.downloadermiddlewares.cookies.CookiesMiddleware"
_SWITCHES = {
    "EXTENSIONS_BASE": {
        "scrapy.extensions.remote_control.RemoteControl": "REMOTE_CONTROL_ENABLED",
        "scrapy.extensions.telnet.TelnetConsole": "TELNETCONSOLE_ENABLED",
    },
    "DOWNLOADER_MIDDLEWARES_BASE": {_COOKIES: "COOKIES_ENABLED"},
}
"""Components of Scrapy, and the setting that switches each off."""


class WikiCrawler:
    """Scrapy add-on with the tiers, the throttle, the Markdown pipeline, the frontier and its
    feeds, the guards against hostile servers, and the console output.

    To install it, add ``ADDONS = {"wikicrawler.addon.WikiCrawler": 500}`` to a project's settings.
    The browser tier also needs ``CRAWL4AI_URL``.

    Settings switch parts off (``docs/settings.md``): ``WIKICRAWLER_TIERS_ENABLED``,
    ``DOMAIN_THROTTLE_ENABLED``, ``WIKICRAWLER_MARKDOWN_ENABLED``, ``WIKICRAWLER_PROGRESS_ENABLED``
    and ``WIKICRAWLER_SUMMARY_ENABLED``. Project settings override the add-on's defaults, with one
    exception: DomainThrottle, where the project asks for it, switches AutoThrottle off, because
    both control the same slots. ``docs/addon.md`` says what else changes in a project.
    """

    def update_settings(self, settings: Settings) -> None:
        protect_log(settings)
        respect_c_locale()
        check_setting_names(settings)
        require_reactor(settings)
        check_tls(settings)
        _leave_out_unused(settings)
        self._install_guards(settings)
        throttle = uses_throttle(settings)
        _set_default(settings, options.DOMAIN_THROTTLE_ENABLED.name, throttle)
        if options.TIERS_ENABLED.read(settings):
            # Responses reach it after RetryMiddleware, so that each tier has its own retries, and
            # before RedirectMiddleware, so that a redirect gets a new plan.
            settings.setdefault_in_component_priority_dict(
                "DOWNLOADER_MIDDLEWARES", TierMiddleware, 545
            )
            settings.setdefault_in_component_priority_dict(
                "DOWNLOADER_MIDDLEWARES", PausedSites, 95
            )
            settings.setdefault_in_component_priority_dict(
                "SPIDER_MIDDLEWARES", ResultKeysMiddleware, 10
            )
            for tier in TierRegistry.from_settings(settings).available():
                tier.update_settings(settings)
                if tier.renders or not tier.risks_ban:  # pages may have to wait for its service
                    _set_default(settings, _QUEUE, SiteAwarePriorityQueue)
            if records_attempts(settings):
                # Loaded by name: other crawls do not need its libraries.
                recorder = load_object(_RECORDER)
                settings.setdefault_in_component_priority_dict("EXTENSIONS", recorder, 500)
        for setting in (options.AUDIT_PATIENCE, options.AUDIT_KEPT_BODY):
            setting.read(settings)  # a wrong value ends the start, whether they are used or not
        if options.AUDIT.read(settings):
            # Loaded by name, as above. Before the extensions that may send requests at the start.
            auditor = load_object(_AUDIT_RECORDER)
            settings.setdefault_in_component_priority_dict("EXTENSIONS", auditor, -500)
        self._install_alerts(settings)
        _replace_component(
            settings, "DOWNLOADER_MIDDLEWARES", RobotsTxtMiddleware, SiteRobotsMiddleware
        )
        settings.setdefault_in_component_priority_dict("EXTENSIONS", CrawlScope, 0)
        settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", ClosedFamilies, 90)
        settings.setdefault_in_component_priority_dict("SPIDER_MIDDLEWARES", ScopedLinks, 950)
        if throttle:
            self._install_throttle(settings)
        settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", MarkdownPipeline, 300)
        # After the project's own, which may change the content.
        settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", ChunkPipeline, 900)
        ChunkSize.from_settings(settings)  # a wrong value ends the start, used or not
        settings.setdefault_in_component_priority_dict("EXTENSIONS", AddressGuard, 0)
        settings.setdefault_in_component_priority_dict(
            "DOWNLOADER_MIDDLEWARES", SiteLoginMiddleware, 560
        )
        settings.setdefault_in_component_priority_dict(
            "DOWNLOADER_MIDDLEWARES", SiteProxyMiddleware, 740
        )
        settings.setdefault_in_component_priority_dict(
            "DOWNLOADER_MIDDLEWARES", ProxiedRequestMiddleware, 800
        )
        settings.setdefault_in_component_priority_dict(
            "SPIDER_MIDDLEWARES", StartHostMiddleware, 100
        )
        self._install_frontier(settings)
        for extension in (
            ProjectNotice,
            SkippedPages,
            ProgressLine,
            CrawlSummary,
            WaitingNotice,
            UnseenRecords,
            JobReport,
            OutputCheck,
            StopDeadline,
        ):
            settings.setdefault_in_component_priority_dict("EXTENSIONS", extension, 500)
        _set_default(settings, "ROBOTSTXT_OBEY", True)
        _set_user_agent(settings)

    def _install_alerts(self, settings: Settings) -> None:
        for setting in (
            options.ALERT_SEVERITIES,
            options.ALERT_REMINDER_DAYS,
            options.ALERT_UNCHANGED_DAYS,
            options.ALERT_TIMEOUT,
        ):
            setting.read(settings)  # a wrong value ends the start, whether they are used or not
        if options.ALERTS.read(settings) or options.CREDITS.read(settings):
            alerts = load_object(_ALERTS)  # by name: other crawls do not need its libraries
            settings.setdefault_in_component_priority_dict("EXTENSIONS", alerts, 500)

    def _install_guards(self, settings: Settings) -> None:
        name = "DOWNLOADER_MIDDLEWARES"
        _replace_component(settings, name, RedirectMiddleware, SafeRedirectMiddleware)
        _replace_component(settings, name, MetaRefreshMiddleware, SafeMetaRefreshMiddleware)
        if settings.getbool("COOKIES_ENABLED"):
            bounded = load_object("wikicrawler.guard.cookies.BoundedCookiesMiddleware")
            _replace_component(settings, name, load_object(_COOKIES), bounded)
        _replace_component(settings, name, HttpCompressionMiddleware, BodyDecodingMiddleware)
        handlers = {"http": BoundedHeadersHandler, "https": SiteTLSHandler}
        _add_entries(settings, "DOWNLOAD_HANDLERS", handlers)

    def _install_frontier(self, settings: Settings) -> None:
        _set_default(settings, "SCHEDULER", FrontierScheduler)
        # First of all extensions: without the lock on the state folder, nothing may be changed.
        settings.setdefault_in_component_priority_dict("EXTENSIONS", StateFolder, -1000)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", DueRequests, 500)
        options.FRONTIER_LEASE.read(settings)  # a wrong value ends the start, used or not
        if options.FRONTIER.read(settings):
            # Loaded by name: other crawls do not need its libraries.
            # The report at last: its summary follows that of the worker.
            places = ((_FRONTIER_CHECK, -1001), (_FLEET_PACE, 0), (_FLEET_REPORT, 501))
            for name, place in places:
                extension = load_object(name)
                settings.setdefault_in_component_priority_dict("EXTENSIONS", extension, place)
        _replace_component(settings, "EXTENSIONS", SpiderState, JsonSpiderState)
        _replace_component(settings, "EXTENSIONS", FeedExporter, RequiredFeedExporter)
        is_ours = OURS in settings.getlist("SPIDER_MODULES")
        exporters: dict[str, type] = {
            "json": JsonExporter,
            "csv": CsvExporter if is_ours else PlainCsvExporter,
            "xml": XmlExporter,
        }
        exporters |= dict.fromkeys(JSON_LINES, LineExporter) | {CHUNKS: ChunkExporter}
        exporters |= dict.fromkeys(MARKDOWN, MarkdownExporter) | {PARQUET: ParquetExporter}
        _add_entries(settings, "FEED_EXPORTERS", exporters)
        _set_default(settings, "FEED_URI_PARAMS", "wikicrawler.feeds.file_storage.uri_params")
        storages: dict[str, type] = dict.fromkeys(("", "file"), FeedStorage)
        _add_entries(settings, "FEED_STORAGES", storages | {"stdout": LineStdoutStorage})

    def _install_throttle(self, settings: Settings) -> None:
        settings.setdefault_in_component_priority_dict(
            "DOWNLOADER_MIDDLEWARES", SiteSlotMiddleware, 950
        )
        _replace_component(settings, "DOWNLOADER_MIDDLEWARES", RetryMiddleware, SiteRetryMiddleware)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", DomainThrottle, 0)
        _set_default(settings, "CONCURRENT_REQUESTS_PER_DOMAIN", 1)
        _set_default(settings, _QUEUE, SiteAwarePriorityQueue)
        if settings.getbool("AUTOTHROTTLE_ENABLED"):
            logger.warning(
                "AUTOTHROTTLE_ENABLED is switched off: DomainThrottle replaces it "
                "(%s=False keeps AutoThrottle)",
                options.DOMAIN_THROTTLE_ENABLED.name,
            )
            settings.set("AUTOTHROTTLE_ENABLED", False, priority="cmdline")


def _set_user_agent(settings: Settings) -> None:
    """Add the operator's contact to our User-Agent, which a project gets that names a contact and
    no agent of its own."""
    contact = options.CONTACT.read(settings)
    if not contact:
        return
    agent = f"{PRODUCT} (+{contact})"
    if settings["USER_AGENT"] == PRODUCT:
        settings.set("USER_AGENT", agent, priority=_override_priority(settings, "USER_AGENT"))
    else:
        _set_default(settings, "USER_AGENT", agent)


def _override_priority(settings: Settings, name: str) -> int:
    """Return a priority for a value of *name* that contains the project's and replaces it."""
    return max(settings.getpriority(name) or 0, SETTINGS_PRIORITIES["addon"])


def _add_entries(settings: Settings, name: str, mine: Mapping[str, type]) -> None:
    """Add default entries to a dictionary setting; the project's entries take precedence."""
    settings.set(
        name, {**mine, **settings.getdict(name)}, priority=_override_priority(settings, name)
    )


def _replace_component(settings: Settings, name: str, old: type, new: type) -> None:
    """Replace the component *old* of Scrapy or the project by *new*, unless the project removed
    it."""
    own = settings.getdict(name)
    order = None
    for places in (settings.getdict(f"{name}_BASE"), own):
        for cls, place in places.items():
            if _is_component(cls, old):
                order = place
    if order is None or any(_is_component(cls, new) for cls in own):
        return
    keep = {cls: place for cls, place in own.items() if not _is_component(cls, old)}
    settings.set(name, keep | {old: None, new: order}, priority=_override_priority(settings, name))


def _is_component(key: str | type, component: type) -> bool:
    """Return whether *key* of a dictionary of components, a class or its path, is *component*."""
    if key == _path_of(component):
        return True
    if isinstance(key, str) and key.startswith("scrapy."):
        return False  # not imported only to be compared
    return bool(load_object(key) is component)


def _path_of(component: type) -> str:
    return f"{component.__module__}.{component.__qualname__}"


def _leave_out_unused(settings: Settings) -> None:
    """Remove components of Scrapy that their own setting switches off.

    Scrapy imports whatever is named, even with None for its place: for one a web server.
    """
    for name, switches in _SWITCHES.items():
        base = settings.getdict(name)
        off = {path for path, switch in switches.items() if not settings.getbool(switch)}
        if off & base.keys():
            kept = {key: place for key, place in base.items() if key not in off}
            settings.set(name, kept, priority=_override_priority(settings, name))


def _set_default(settings: Settings, name: str, value: object) -> None:
    """Set an add-on default; the project's own value takes precedence."""
    if (settings.getpriority(name) or 0) < SETTINGS_PRIORITIES["addon"]:
        settings.set(name, value, priority="addon")
