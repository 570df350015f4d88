"""The verdict on an answer, and why."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure
from wikicrawler.tiers.verdict.conditions import Sight
from wikicrawler.tiers.verdict.kinds import other_kind
from wikicrawler.tiers.verdict.markup import Markup, read_markup
from wikicrawler.tiers.verdict.rules import shipped_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wikicrawler.tiers.verdict.rules import Rule

# A site that blocks says so with any status; of other rules the status knows better.
_BLOCKS = frozenset({Reason.BLOCKED, Reason.BLOCKED_CAPTCHA, Reason.CONSENT, Reason.BUSY})

_LOOKED_AT = 4  # times what is enough: Markdown has so much else in it
_DESTINATION = re.compile(r"\]\([^()\s]*+\)|https?://[^\s|<>]++")
# "?" stays: it is what other letters are replaced by.
_NO_LETTERS = bytes(set(range(128)) - set(string.ascii_letters.encode() + b"0123456789?"))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer is, and why."""

    reason: Reason | None = None
    """None: nothing speaks against its being a page."""
    rule: str = ""
    """Id in ``wikicrawler/tiers/verdict/rules.yml``; ``status``, ``kind`` or ``no-text`` else."""
    vendor: str = ""
    evidence: tuple[str, ...] = ()
    """What the rule found, a line each. It may quote the page, on one line and escaped."""
    final: bool = False
    """Whether it is true of the page itself, so that no other tier would do better."""
    status: int | None = None

    @property
    def word(self) -> str:
        """The reason's word, or ``ok``."""
        return self.reason or "ok"

    def failure(self) -> Failure | None:
        """The same for a tier; its detail quotes nothing of the page. None where it is ok."""
        if self.reason is None:
            return None
        detail = f"{self.vendor} ({self.rule})" if self.vendor else ", ".join(self.evidence)
        if self.vendor and self.status is not None:
            detail += f", HTTP {self.status}"
        action = Action.FINAL if self.final else Action.NEXT
        return Failure(self.reason, detail, action, self.status, vendor=self.vendor)


def judge_response(status: int, headers: Mapping[str, str], body: bytes) -> Failure | None:
    """Why an HTTP answer holds no page, by all that is seen before the conversion; None where it
    may hold one.

    *headers* have lower-case names.
    """
    return explain_response(status, headers, body).failure()


def judge_early(status: int, headers: Mapping[str, str], body: bytes) -> Failure | None:
    """As :func:`judge_response`, but a good answer's document is not looked into.

    For who converts what seems to be a page and asks :func:`judge_page` then: nearly every page
    says enough, and need not be read twice.
    """
    return explain_early(status, headers, body).failure()


def judge_page(status: int, headers: Mapping[str, str], body: bytes, text: str) -> Failure | None:
    """Why an answer is no page after all, now that its content is known as Markdown *text*."""
    return explain_page(status, headers, body, text).failure()


def judge_status(status: int) -> Failure | None:
    """Why an answer of that HTTP *status* holds no page; None for 2xx but 206."""
    return _by_status(status).failure()


def judge_text(text: str, body: bytes) -> Failure | None:
    """Why an HTML page whose content is *text*, as Markdown, is none after all."""
    return explain_text(text, body).failure()


def shows_enough(body: bytes) -> bool:
    """Whether the document shows more text than any challenge, wall or shell does."""
    enough = shipped_rules().enough_text
    return read_markup(body, 2 * enough).length > enough


def explain_response(status: int, headers: Mapping[str, str], body: bytes) -> Verdict:
    """As :func:`judge_response`, with the reasons."""
    rules = shipped_rules()
    kind = other_kind(headers, body)
    # Twice, for white space and character references make text longer than it is.
    markup = Markup() if kind else read_markup(body, 2 * rules.enough_text)
    sight = Sight(status, headers, markup)
    blocks = (rule for rule in rules.on_response if rule.reason in _BLOCKS)
    if (found := _first(blocks, sight)) is not None:
        return found
    by_status = _by_status(status)
    if by_status.reason is not None:
        return by_status
    if kind:
        return Verdict(Reason.NOT_HTML, "kind", evidence=(kind,), final=True)
    others = (rule for rule in rules.on_response if rule.reason not in _BLOCKS)
    return _first(others, sight) or Verdict()


def explain_early(status: int, headers: Mapping[str, str], body: bytes) -> Verdict:
    """As :func:`judge_early`, with the reasons."""
    sight = Sight(status, headers)
    plain = (rule for rule in shipped_rules().on_response if not rule.text_max)
    if (
        _by_status(status).reason is None
        and not other_kind(headers, body)
        and _first(plain, sight) is None
    ):
        return Verdict()
    return explain_response(status, headers, body)


def explain_page(status: int, headers: Mapping[str, str], body: bytes, text: str) -> Verdict:
    """As :func:`judge_page`, with the reasons."""
    if says_enough(text):
        return Verdict()
    verdict = explain_response(status, headers, body)
    return verdict if verdict.reason is not None else explain_text(text, body)


def says_enough(text: str) -> bool:
    """Whether content with that Markdown says more than any rule allows.

    Only letters and the like are counted, and no addresses: less than a reader sees.
    """
    rules = shipped_rules()
    enough = max(rules.enough_text, rules.enough_content)
    if len(text) <= enough:
        return False
    start = _DESTINATION.sub("", text[: _LOOKED_AT * enough])
    return len(start.encode("ascii", "replace").translate(None, _NO_LETTERS)) > enough


def explain_text(text: str, body: bytes) -> Verdict:
    """As :func:`judge_text`, with the reasons."""
    rules = shipped_rules()
    text = text.strip()
    if len(text) > rules.enough_content:
        return Verdict()
    sight = Sight(markup=read_markup(body), content=text)
    found = _first(rules.on_content, sight)
    if found is not None:
        # The status was judged with the answer; here it is not known.
        return Verdict(found.reason, found.rule, found.vendor, found.evidence, found.final)
    if not text:
        return Verdict(Reason.EMPTY, "no-text", evidence=("no text on the page",))
    return Verdict()


def _by_status(status: int) -> Verdict:
    said = (f"HTTP {status}",)
    if status in {404, 410}:
        return Verdict(Reason.MISSING, "status", evidence=said, final=True, status=status)
    if status in {429, 503}:
        return Verdict(Reason.BUSY, "status", evidence=said, status=status)
    if status in {401, 403}:
        return Verdict(Reason.BLOCKED, "status", evidence=said, status=status)
    if not 200 <= status < 300 or status == 206:  # of which nobody asked for a part
        return Verdict(Reason.HTTP_ERROR, "status", evidence=said, status=status)
    return Verdict()


def _first(rules: Iterable[Rule], sight: Sight) -> Verdict | None:
    for rule in rules:
        evidence = rule.evidence(sight)
        if evidence is not None:
            return Verdict(
                rule.reason, rule.id, rule.vendor, evidence, rule.final, status=sight.status
            )
    return None
