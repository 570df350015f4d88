"""All page titles of a wiki, by the API's ``list=allpages``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.tiers.mediawiki.api import as_dict, as_list, read_answer
from wikicrawler.tiers.mediawiki.titles import is_legal

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The limit for anonymous clients.
_BATCH = 500


class Titles(NamedTuple):
    """A batch of a wiki's titles."""

    titles: tuple[str, ...]
    following: str | None
    """Start of the next batch; None at the end."""


def allpages_url(api: str, namespace: int, following: str | None = None) -> str:
    """Return the API URL of a batch of titles in *namespace*, without redirects.

    :param following: :attr:`Titles.following` of the batch before; None for the first
    """
    query = {
        "action": "query",
        "list": "allpages",
        "format": "json",
        "formatversion": "2",
        "apnamespace": str(namespace),
        "apfilterredir": "nonredirects",
        "aplimit": str(_BATCH),
        "maxlag": "5",
    }
    if following is not None:
        query["apcontinue"] = following
    return f"{api}?{urlencode(query)}"


def read_allpages(body: bytes, headers: Mapping[str, str], status: int) -> Titles | Failure:
    """Return the titles in an API response. Never raises.

    :param headers: headers with lower-case names
    """
    answer = read_answer(body, headers, status)
    if isinstance(answer, Failure):
        return answer
    pages = as_dict(answer.get("query")).get("allpages")
    if not isinstance(pages, list):
        return Failure(Reason.API_ERROR, "no list of pages in the answer")
    titles = (as_dict(page).get("title") for page in as_list(pages))
    following = as_dict(answer.get("continue")).get("apcontinue")
    return Titles(
        tuple(title for title in titles if isinstance(title, str) and is_legal(title)),
        following if isinstance(following, str) else None,
    )
