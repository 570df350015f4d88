"""The log-in to a MediaWiki by its API, and the answers that show that nobody is logged in.

https://www.mediawiki.org/wiki/API:Login. A bot password logs in by ``action=login``, an account by
``action=clientlogin``. MediaWiki accepts the session of a bot password, and an access token of
OAuth, for its API only; the session of an account is also valid for its HTML pages.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure
from wikicrawler.tiers.mediawiki.api import as_dict, is_login_code, read_answer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.http import Response

    from wikicrawler.credentials.logins import WikiLogin

_MAX_TOKEN = 500
_HEAD = 64 * 1024
_ANONYMOUS = b'"wgUserName":null'
_MEMBER = b'"wgUserName":"'
_SPECIAL = re.compile(rb'"wgCanonicalSpecialPageName":"(?:Badtitle|Userlogin)"')
"""The pages in place of one that only members may read, whatever the wiki's language."""
_ERROR = re.compile(rb'\s{0,9}\{\s?"error":\s?\{\s?"code":\s?"([a-z-]{1,80})"')
_CODE = re.compile(r"[a-z-]{1,80}")
_WORD = re.compile(r"[A-Za-z_-]{1,60}")
_STALE = frozenset({"WrongToken", "NeedToken", "badtoken", "sessionfailure"})
"""Answers to a token that no longer belongs to the session."""
_WHY = {
    "Failed": "the user or the password is wrong, or the bot password is gone",
    "WrongPass": "the password is wrong",
    "NotExists": "there is no such user",
    "wrongpassword": "the user or the password is wrong",
    "Throttled": "there were too many log-ins",
    "login-throttled": "there were too many log-ins",
    "UI": "more than a password is asked for: use a bot password",
    "REDIRECT": "another site is to log in: use a bot password",
    "Aborted": "more than a password is asked for: use a bot password",
}


def token_url(api: str) -> str:
    """Return the URL of the request for a token to log in with."""
    query = {"action": "query", "meta": "tokens", "type": "login"}
    return f"{api}?{urlencode({**query, 'format': 'json', 'formatversion': '2'})}"


def read_token(body: bytes, headers: Mapping[str, str], status: int) -> str | Failure:
    """Return the token in the response to :func:`token_url`. Never raises.

    :param headers: headers with lower-case names
    """
    answer = read_answer(body, headers, status)
    if isinstance(answer, Failure):
        return answer
    token = as_dict(as_dict(answer.get("query")).get("tokens")).get("logintoken")
    if isinstance(token, str) and token.isprintable() and 0 < len(token) <= _MAX_TOKEN:
        return token
    return Failure(Reason.API_ERROR, "no token to log in with in the answer")


def login_form(login: WikiLogin, api: str, token: str) -> tuple[dict[str, str], str]:
    """Return the fields of the POST that logs in, and the name of the one for the password."""
    form = {"format": "json", "formatversion": "2"}
    user = login.user or ""
    if login.is_bot:
        form |= {"action": "login", "lgname": user, "lgtoken": token}
        return form, "lgpassword"
    form |= {"action": "clientlogin", "username": user, "logintoken": token}
    form |= {"loginreturnurl": api}
    return form, "password"


def read_login(body: bytes, headers: Mapping[str, str], status: int) -> Failure | None:
    """Return why the log-in failed; None if it did not. Never raises.

    Only words of the API's own are recorded: another text might repeat the password.

    :param headers: headers with lower-case names
    """
    answer = read_answer(body, headers, status)
    if isinstance(answer, Failure):
        return answer
    login, client = as_dict(answer.get("login")), as_dict(answer.get("clientlogin"))
    if login.get("result") == "Success" or client.get("status") == "PASS":
        return None
    said = login.get("result") or client.get("messagecode") or client.get("status")
    if not isinstance(said, str) or not _WORD.fullmatch(said):
        return Failure(Reason.API_ERROR, "no result of the log-in in the answer")
    why = _WHY.get(said) or _WHY.get(str(client.get("status")))
    return Failure(Reason.LOGIN, f"{said}: {why}" if why else said, Action.FINAL)


def is_stale(failure: Failure) -> bool:
    """Return True if another token may help against *failure*."""
    return failure.detail in _STALE


def denial_of(response: Response) -> str:
    """Return the code, or a word, by which *response* says that nobody is logged in, or that the
    user may read nothing; an empty string if it does not."""
    body = response.body
    stated = (response.headers.get("MediaWiki-API-Error") or b"").decode("latin-1")
    if not stated and (error := _ERROR.match(body, 0, 200)):
        stated = error[1].decode()
    if stated:
        return stated if _CODE.fullmatch(stated) and is_login_code(stated) else ""
    head = body[:_HEAD]
    return "log-in page" if _ANONYMOUS in head and _SPECIAL.search(head) else ""


def shows_member(response: Response) -> bool:
    """Return True if *response* shows that somebody is logged in, on a page of the wiki."""
    return _MEMBER in response.body[:_HEAD]
