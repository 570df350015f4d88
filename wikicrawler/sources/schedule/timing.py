"""What an operator decides about hours and time zones, for all sources."""

from __future__ import annotations

from dataclasses import dataclass

from wikicrawler.sources.schedule.zones import zone_named


@dataclass(frozen=True, slots=True)
class Timing:
    """Time zone of days, weeks and months, and the off-peak hours."""

    time_zone: str = "America/New_York"
    off_peak_start: int = 2
    """Hour at which the off-peak hours begin, 0 to 23."""
    off_peak_end: int = 6
    """Hour at which they end, 0 to 23; not after the start: on the next day."""
    off_peak_hosts: tuple[str, ...] = ("gov",)
    """Hosts whose sources are visited in the off-peak hours only, with the hosts below them."""

    def __post_init__(self) -> None:
        """Check the values.

        :raises ValueError: one of them is invalid
        """
        zone_named(self.time_zone)
        for name in ("off_peak_start", "off_peak_end"):
            hour = getattr(self, name)
            if not 0 <= hour <= 23:
                raise ValueError(f"{name}: {hour} is not an hour (0 to 23)")
        if self.off_peak_start == self.off_peak_end:
            raise ValueError(
                f"off_peak_end: {self.off_peak_end} is off_peak_start too (to have no off-peak "
                "hours, leave off_peak_hosts empty)"
            )
        for host in self.off_peak_hosts:
            plain = host.replace(".", "").replace("-", "")
            if host != host.lower().strip(".") or not plain.isalnum():
                raise ValueError(f"off_peak_hosts: {host[:60]!r} is not a host (like gov)")

    @property
    def spans_midnight(self) -> bool:
        return self.off_peak_end < self.off_peak_start

    def is_off_peak_host(self, host: str) -> bool:
        """Return whether sources on *host* are visited in the off-peak hours only."""
        return any(host == name or host.endswith(f".{name}") for name in self.off_peak_hosts)


DEFAULT_TIMING = Timing()
