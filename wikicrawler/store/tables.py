"""The tables. Enumerations are stored as text, so that a new tier, error or heuristic needs no new
schema.

Features that every page has before it is fetched are columns of ``attempts``, because estimates are
grouped by them; any other heuristic is a row of ``attempt_heuristics``.

The tables of the audit log are in ``audit_tables``.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    text,
)

VERSION = 6
"""Version of the schema. An older schema is upgraded (``upgrade``), a newer one is refused."""

metadata = MetaData()

#: Properties of the database: ``schema_version``.
about = Table(
    "about",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

#: The crawls that recorded attempts. A crawl that still runs, or was killed and had no successor
#: yet, has not ended.
runs = Table(
    "runs",
    metadata,
    Column("run", BigInteger, primary_key=True, autoincrement=False),
    Column("spider", Text, nullable=False),
    Column("started", Double, nullable=False),  # seconds since the epoch, as all times here
    Column("ended", Double),  # of a crawl that was killed: when that was found out
    Column("begun", Integer),  # attempts that it made
    Column("lost", Integer),  # of those, attempts that are not in the database
    sqlite_with_rowid=False,
)

#: Fetches, each by one tier.
attempts = Table(
    "attempts",
    metadata,
    Column("run", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),  # 1 is the run's first
    Column("at", Double, nullable=False),  # when it ended
    Column("url", Text, nullable=False),  # of the page, without fragment, cut where it is endless
    Column("domain", Text, nullable=False),
    Column("registered_domain", Text, nullable=False),
    Column("suffix", Text, nullable=False),
    Column("shape", Text, nullable=False),
    Column("scheme", Text, nullable=False),
    Column("wiki", Text, nullable=False),
    Column("configured", Text, nullable=False),
    Column("tier", Text, nullable=False),
    Column("ok", Boolean, nullable=False),
    Column("reason", Text, nullable=False),  # ok, or why there is no page
    Column("final", Boolean, nullable=False),  # the reason is true of the page itself
    Column("is_banned", Boolean, nullable=False),
    Column("status", Integer),  # HTTP; none where no answer came
    Column("latency", Double),  # seconds from the request to the answer's head
    Column("size", Integer),  # bytes of the answer's body
    Column("cost", Double, nullable=False),  # in plain GETs
    Column("policy", Text, nullable=False),  # what chose the tiers
    Column("propensity", Double),  # probability of that choice; none where it is not known
    Column("step", Integer, nullable=False),  # 1 is the first tier tried for the page
    Column("expected", Double),  # P(success) that was believed before; none where nothing was
    Index("attempts_of_domain", "domain", "at"),
    # The columns after "at" let a site's history be counted from the index.
    Index("attempts_by_site", "registered_domain", "at", "tier", "ok", "is_banned", "latency"),
    Index("attempts_in_time", "at"),
    sqlite_with_rowid=False,
)

#: What else was known of an attempt's page before it was fetched (phase ``before``), and what its
#: answer showed (``after``).
attempt_heuristics = Table(
    "attempt_heuristics",
    metadata,
    Column("run", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("type", Text, primary_key=True),
    Column("phase", Text, nullable=False),
    Column("value", Text, nullable=False),
    ForeignKeyConstraint(["run", "seq"], ["attempts.run", "attempts.seq"], ondelete="CASCADE"),
    Index("heuristics_by_value", "type", "value"),
    sqlite_with_rowid=False,
)

#: What is done with whom, by politeness budget.
sites = Table(
    "sites",
    metadata,
    Column("site", Text, primary_key=True),  # of ``Config.budget_of``
    Column("paused_until", Double),  # none where it never was, or was released
    Column("risk_level", Integer, nullable=False),  # pauses in a row without a page between
    Column("attempt_count", BigInteger, nullable=False),  # all that were ever recorded
    Column("last_attempt_at", Double),
    Column("reason", Text),  # why it was paused last
    sqlite_with_rowid=False,
)

#: Changes that were told: from then on a tier has done on a domain what it did not do before.
tier_changes = Table(
    "tier_changes",
    metadata,
    Column("run", BigInteger, primary_key=True, autoincrement=False),
    Column("seq", Integer, primary_key=True, autoincrement=False),  # 1 is the run's first change
    Column("at", Double, nullable=False),
    Column("registered_domain", Text, nullable=False),
    Column("domain", Text, nullable=False),
    Column("tier", Text, nullable=False),
    Column("kept", Double, nullable=False),  # weight left to what was seen before, 1 being all
    Column("better", Boolean, nullable=False),  # it works now, where it failed
    Index("changes_of_domain", "domain", "tier", "at"),
    Index("changes_of_site", "registered_domain", "at"),
    sqlite_with_rowid=False,
)

#: Manifests of watched sources that were activated. Rows are never changed.
manifests = Table(
    "manifests",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),  # the highest is active
    Column("at", Double, nullable=False),
    Column("version", Text, nullable=False),  # of the manifest; several rows may have the same
    Column("vertical", Text, nullable=False),
    Column("sha256", Text, nullable=False),  # of the file, in hexadecimal
    Column("activated_by", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("restored", Integer),  # number of the row whose text this one restores
    Column("robots_checked", Boolean, nullable=False),
    Column("source_count", Integer, nullable=False),
    Column("active_count", Integer, nullable=False),  # sources with the status active
    Column("text", Text, nullable=False),  # the file as it was
)

#: What is known of each document of a watched source: its last version, and how to ask whether it
#: changed.
source_pages = Table(
    "source_pages",
    metadata,
    Column("source", Text, primary_key=True),  # id in the manifest
    Column("url", Text, primary_key=True),  # as it is requested
    Column("present", Boolean, nullable=False),  # False: the server reported it as gone
    Column("content_hash", Text),  # of the body as written; none where no version was staged
    Column("change_hash", Text),  # of the normalised text
    Column("rules", Text, nullable=False),  # versions of the converter and of the normalisation
    Column("tier", Text, nullable=False),  # that brought the last version
    Column("etag", Text),
    Column("last_modified", Text),
    Column("revid", BigInteger),  # of a MediaWiki page
    Column("unread", Integer, nullable=False),  # visits in a row without the document itself
    Column("envelope_id", Text),  # of the last version
    Column("path", Text),  # of that envelope in the staging folder
    Column("depth", Integer, nullable=False),  # links from the url of the source
    Column("first_seen", Double, nullable=False),
    Column("last_checked", Double, nullable=False),
    Column("last_changed", Double),
    sqlite_with_rowid=False,
)

#: Envelopes that are being written to the staging folder. A row that a killed process left tells
#: the next one what to finish.
staging = Table(
    "staging",
    metadata,
    Column("envelope_id", Text, primary_key=True),
    Column("folder", Text, nullable=False),  # the staging folder
    Column("run", Text, nullable=False),  # of the process that writes it
    Column("at", Double, nullable=False),
    Column("path", Text, nullable=False),  # in the folder, preferred; see wikicrawler.sources
    Column("page", Text, nullable=False),  # JSON of the row of source_pages that follows
    sqlite_with_rowid=False,
)

#: Envelopes that are staged, and that no event has named yet.
staged = Table(
    "staged",
    metadata,
    Column("envelope_id", Text, primary_key=True),
    Column("folder", Text, nullable=False),  # the staging folder
    Column("run", Text, nullable=False),  # that fetched the document
    Column("owner", Text, nullable=False),  # process that makes the event
    Column("at", Double, nullable=False),
    Column("source", Text, nullable=False),
    Column("path", Text, nullable=False),  # of the envelope in the folder
    Column("change_type", Text, nullable=False),
    Column("index_path", Text, nullable=False),  # of what has its line of the index
    Index("staged_by_owner", "folder", "owner"),
    sqlite_with_rowid=False,
)

#: Events that no consumer has confirmed yet.
staging_events = Table(
    "staging_events",
    metadata,
    Column("event_id", Text, primary_key=True),
    Column("folder", Text, nullable=False),  # the staging folder
    Column("run", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("body", Text, nullable=False),  # JSON, as it is sent
    Column("attempts", Integer, nullable=False),
    Column("owner", Text),  # process that sends it; none if nobody does
    Column("leased_until", Double),
    sqlite_with_rowid=False,
)

HAS_CHANGES = text("new + modified + deleted > 0")
"""Condition of the index of the visits that found a change. A query needs it word for word."""

#: Visits to watched sources, each with what came of it.
source_visits = Table(
    "source_visits",
    metadata,
    Column("run", Text, primary_key=True),  # UUID, shared by the sources of one crawl
    Column("source", Text, primary_key=True),
    Column("manifest_version", Text, nullable=False),
    Column("started", Double, nullable=False),
    Column("ended", Double),  # none while it runs, and of a visit that was killed
    Column("forced", Boolean, nullable=False),
    Column("ok", Boolean),  # none until it ended
    Column("error", Text),  # of a failed visit
    Column("found", Integer, nullable=False),  # URLs, before the patterns were applied
    Column("fetched", Integer, nullable=False),
    Column("new", Integer, nullable=False),
    Column("modified", Integer, nullable=False),
    Column("unchanged", Integer, nullable=False),
    Column("deleted", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Index("visits_of_source", "source", "started"),
    Index(
        "failed_visits",
        "started",
        sqlite_where=text("ok IS 0"),
        postgresql_where=text("ok IS FALSE"),
    ),
    Index(
        "changed_visits",
        *("source", "started", "new", "modified", "deleted"),
        sqlite_where=HAS_CHANGES,
        postgresql_where=HAS_CHANGES,
    ),
    sqlite_with_rowid=False,
)

#: Watched sources: what decides when each is due, and who visits it now.
source_states = Table(
    "source_states",
    metadata,
    Column("source", Text, primary_key=True),  # id in the manifest
    Column("since", Double, nullable=False),  # when it was first seen
    Column("last_started", Double),  # of the last visit that ended
    Column("last_success", Double),
    Column("last_changed", Double),
    Column("interval", Double),  # seconds, with the frequency adaptive
    Column("consecutive_failures", Integer, nullable=False),  # of scheduled visits
    Column("reduced", Integer, nullable=False),  # steps by which the frequency is lowered
    Column("successes", Integer, nullable=False),  # in a row, while it is lowered
    Column("not_before", Double),  # as the server asked
    Column("paused_at", Double),  # by an operator
    Column("pause_reason", Text),
    Column("override_at", Double),  # a visit that an operator asked for, once
    Column("visits", Integer, nullable=False),  # that were begun
    Column("owner", Text),  # process that visits it; none if nobody does
    Column("leased_until", Double),
    sqlite_with_rowid=False,
)

#: Sites that an operator has paused or released, by politeness budget. They are apart from
#: ``sites``: what a crawl learns of a site does not end a pause of an operator.
site_holds = Table(
    "site_holds",
    metadata,
    Column("site", Text, primary_key=True),  # of ``Config.budget_of``
    Column("changed_at", Double, nullable=False),
    Column("changed_by", Text, nullable=False),
    Column("held_until", Double),  # none where the site was released
    Column("reason", Text, nullable=False),
    sqlite_with_rowid=False,
)

#: What an operator has switched off as a whole: ``scheduler``. No row: it is on.
switches = Table(
    "switches",
    metadata,
    Column("name", Text, primary_key=True),
    Column("off_since", Double),  # none where it is on again
    Column("changed_at", Double, nullable=False),
    Column("changed_by", Text, nullable=False),
    Column("reason", Text, nullable=False),
    sqlite_with_rowid=False,
)

#: Crawls, from their request or start on. The last ones are kept.
jobs = Table(
    "jobs",
    metadata,
    Column("id", Text, primary_key=True),  # UUID
    Column("spider", Text, nullable=False),
    Column("arguments", Text, nullable=False),  # JSON, without secrets
    Column("requested_at", Double, nullable=False),
    Column("requested_by", Text),  # none of a crawl that nobody requested through a control
    Column("via", Text),  # command, dashboard or api
    Column("owner", Text),  # process that crawls, by ``process.owner``; none before it began
    Column("pid", BigInteger),
    Column("host", Text),
    Column("started", Double),  # none while it is only requested
    Column("heartbeat", Double),
    Column("ended", Double),  # none while it runs, and of a crawl that was killed
    Column("finish_reason", Text),
    Column("log_file", Text),
    Column("progress", Text),  # JSON
    Column("stop_requested_at", Double),
    Column("stop_requested_by", Text),
    Index("jobs_in_time", "requested_at"),
    sqlite_with_rowid=False,
)

#: When the sites of watched sources may be asked again, by whichever process.
site_turns = Table(
    "site_turns",
    metadata,
    Column("site", Text, primary_key=True),  # of ``Config.budget_of``
    Column("last_at", Double, nullable=False),  # last start or end of a request
    Column("not_before", Double, nullable=False),  # end of its delay or pause; may be in the past
    sqlite_with_rowid=False,
)

#: Requests to the sites of watched sources that are under way, over all processes.
transfers = Table(
    "transfers",
    metadata,
    Column("owner", Text, primary_key=True),  # process
    Column("number", Integer, primary_key=True, autoincrement=False),  # 1 is its first
    Column("site", Text, nullable=False),
    Column("started", Boolean, nullable=False),  # surely sent
    Column("leased_until", Double, nullable=False),
    sqlite_with_rowid=False,
)

#: Credits of the services behind tiers, by calendar month. Several processes add to a row.
spending = Table(
    "spending",
    metadata,
    Column("service", Text, primary_key=True),  # name of the tier
    Column("month", Text, primary_key=True),  # like 2026-08, in UTC
    Column("credits", Double, nullable=False),  # those of requests in flight at their price
    Column("requests", BigInteger, nullable=False),  # that cost credits, or might have
    Column("first_at", Double, nullable=False),  # time of the first request
    Column("last_at", Double, nullable=False),
    sqlite_with_rowid=False,
)

#: Calls of language models, by day.
model_usage = Table(
    "model_usage",
    metadata,
    Column("day", Text, primary_key=True),  # like 2026-08-31, in UTC
    Column("model", Text, primary_key=True),
    Column("site", Text, primary_key=True),  # of the pages that were read
    Column("requests", BigInteger, nullable=False),
    Column("cached", BigInteger, nullable=False),  # answers of the own cache
    Column("prompt_tokens", BigInteger, nullable=False),
    Column("completion_tokens", BigInteger, nullable=False),
    Column("cost", Double, nullable=False),  # US dollars, of the calls whose price is known
    Column("unpriced", BigInteger, nullable=False),  # calls whose price is not known
    sqlite_with_rowid=False,
)

#: Alerts about watched sources and paid services. A problem is one row while it lasts.
alerts = Table(
    "alerts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("event", Text, nullable=False),
    Column("subject", Text, nullable=False),  # id of the source, or name of the service
    Column("severity", Text, nullable=False),
    Column("message", Text, nullable=False),  # of the last time that it was seen
    Column("url", Text),  # of the source
    Column("first_seen", Double, nullable=False),
    Column("last_seen", Double, nullable=False),
    Column("times", Integer, nullable=False),  # how often it was seen
    Column("notified_at", Double, nullable=False),  # when the last message was queued
    Column("resolved_at", Double),  # none while the alert is open
    Column("resolution", Text),  # why it is no longer open
    Index(
        "open_alerts",
        "event",
        "subject",
        unique=True,
        sqlite_where=text("resolved_at IS NULL"),
        postgresql_where=text("resolved_at IS NULL"),
    ),
    Index("alerts_of_subject", "subject", "event"),
)

#: Messages about alerts, one row for each channel. Those that were not delivered wait.
alert_deliveries = Table(
    "alert_deliveries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("alert", Integer, nullable=False),
    Column("kind", Text, nullable=False),  # raised, reminder or resolved
    Column("channel", Text, nullable=False),  # its name, without secrets
    Column("at", Double, nullable=False),  # when it was queued
    Column("severity", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("attempts", Integer, nullable=False),  # that failed
    Column("error", Text),  # of the last one
    Column("delivered_at", Double),
    Column("owner", Text),  # process that delivers it; none if nobody does
    Column("leased_until", Double),
    Index("deliveries_of_alert", "alert"),
    Index(
        "waiting_deliveries",
        "channel",
        sqlite_where=text("delivered_at IS NULL"),
        postgresql_where=text("delivered_at IS NULL"),
    ),
)
