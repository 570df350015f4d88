"""The operator's providers of reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest
from scrapy.settings import Settings

from wikicrawler.errors import ConfigError
from wikicrawler.reports.configuration import PROVIDER_CLASSES, ProviderFile, user_agent_of
from wikicrawler.reports.providers.base import ReportProvider

if TYPE_CHECKING:
    from wikicrawler.reports.fetching import Fetcher
    from wikicrawler.reports.models import CompanyRef, SourceRef

ROOT = Path(__file__).resolve().parents[2]
AGENT = "wikicrawler (+me@example.org)"
ACME = f"{__name__}.AcmeProvider"


class AcmeProvider(ReportProvider):
    """A provider of another package."""

    name: ClassVar[str] = "acme"

    async def find(
        self, company: CompanyRef, year: int, forms: tuple[str, ...], fetch: Fetcher
    ) -> list[SourceRef]:
        return []


def read(folder: Path, text: str) -> ProviderFile:
    path = folder / "mine.yml"
    path.write_text(text)
    return ProviderFile.from_settings(Settings({"WIKICRAWLER_REPORTS_PROVIDERS": str(path)}))


def test_the_copy_in_the_package_is_the_one_in_config() -> None:
    copy = ROOT / "wikicrawler" / "data" / "providers.yml"
    assert copy.read_bytes() == (ROOT / "config" / "providers.yml").read_bytes()


def test_without_a_file_of_the_project_the_copy_in_the_package_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = ProviderFile.from_settings(Settings())
    assert [one.name for one in found.entries] == list(PROVIDER_CLASSES)
    assert [one.name for one in found.entries if one.enabled] == ["sec_edgar", "company_ir"]
    for entry in found.entries:
        if entry.enabled:
            assert entry.load(AGENT, found.folder).name == entry.name


def test_a_provider_of_another_package_is_one_line(tmp_path: Path) -> None:
    found = read(
        tmp_path, f"providers:\n  acme: {{class: {ACME}, tier: 2, rate: 1.5, fast: true}}\n"
    )
    (entry,) = found.entries
    assert entry.options == {"rate": 1.5, "fast": True}
    provider = entry.load(AGENT, found.folder)
    assert (type(provider), provider.tier, provider.folder) == (AcmeProvider, 2, tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "mine.yml: is empty"),
        ("providers: {}\n", "mine.yml:1: no providers"),
        ("provider: {}\n", "mine.yml:1: provider: unknown key (did you mean providers?)"),
        ("providers:\n  sec_edgar: 1\n", "mine.yml:2: providers.sec_edgar: 1 is not a mapping"),
        ("providers:\n  sec_edgar: {}\n", "mine.yml:2: providers.sec_edgar: lacks tier"),
        ("providers:\n  gri: {tier: 4}\n", "mine.yml:2: providers.gri.tier: 4 is not a quality"),
        ("providers:\n  gri: {tier: 1, enabled: maybe}\n", "is not true or false"),
        ("providers:\n  sec_edga: {tier: 1}\n", "'sec_edga' is unknown (did you mean sec_edgar?)"),
        ("providers:\n  a: {tier: 1, class: 5}\n", "mine.yml:2: providers.a.class: 5 is not"),
        ("providers:\n  gri: {tier: 1}\n  gri: {tier: 1}\n", "appears twice"),
        ("providers: [\n", "is not YAML"),
    ],
)
def test_what_is_wrong_in_the_file_has_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as raised:
        read(tmp_path, text)
    assert said in str(raised.value)


def test_all_problems_are_reported_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as raised:
        read(tmp_path, "providers:\n  gri: {tier: 4}\n  company_ir: {}\n")
    places = [line.split("mine.yml:")[1][:2] for line in str(raised.value).splitlines()]
    assert places == ["2:", "2:", "3:"]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("sec_edgar: {tier: 1, requests_per_second: 50}", "requests_per_second"),
        ("company_ir: {tier: 3, max_page: 3}", "max_pages"),
        ("gri: {tier: 2}", "gri"),
        ("x: {tier: 1, class: no.such.Provider}", "x: class: "),
        ("x: {tier: 1, class: wikicrawler.reports.models.SourceRef}", "is not a subclass"),
        ("catalogue: {tier: 2}", "source"),
        ("catalogue: {tier: 2, source: none.csv}", "none.csv: cannot be read: No such file"),
        ("catalogue: {tier: 2, source: mine.yml}", "mine.yml "),
    ],
)
def test_a_wrong_option_has_the_line_of_its_provider(tmp_path: Path, entry: str, said: str) -> None:
    found = read(tmp_path, f"providers:\n  {entry}\n")
    with pytest.raises(ConfigError) as raised:
        found.entries[0].load(AGENT, found.folder)
    message = str(raised.value)
    assert message.startswith(f"{tmp_path}/mine.yml:2: {entry.partition(':')[0]}: ")
    assert said in message


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    settings = Settings({"WIKICRAWLER_REPORTS_PROVIDERS": str(tmp_path / "none.yml")})
    with pytest.raises(ConfigError, match=r"none.yml: cannot be read: No such file"):
        ProviderFile.from_settings(settings)


@pytest.mark.parametrize(
    ("settings", "agent"),
    [
        ({"USER_AGENT": "a/1"}, "a/1"),
        ({"USER_AGENT": "a/1", "WIKICRAWLER_CONTACT": "me@x.org"}, "a/1 (+me@x.org)"),
        ({"USER_AGENT": "a me@x.org", "WIKICRAWLER_CONTACT": "me@x.org"}, "a me@x.org"),
    ],
)
def test_the_user_agent_has_the_contact(settings: dict[str, str], agent: str) -> None:
    assert user_agent_of(Settings(settings)) == agent
