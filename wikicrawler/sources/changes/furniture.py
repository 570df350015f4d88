# ruff: noqa: E501
"""Short lines whose words are all those of the frame of a page, in any order and wording.

``phrases`` and ``live`` have what is said in one way. Here a line is masked, so that dates, times
and counts are signs, and is furniture if all of its other words belong to a closed set, some of
them to the ones that say what it is. One unknown word makes it text.
"""

from __future__ import annotations

import re
from functools import lru_cache

from wikicrawler.sources.changes import furniture_words as words
from wikicrawler.sources.changes import languages
from wikicrawler.sources.changes.live_languages import N
from wikicrawler.sources.changes.phrases import AGO, DATE, IDENTIFIER

MAX_LINE = 160
_MAX_WORDS = 24
_MAX_LABEL = 9
"""Words of a counter."""
_LEAST_QUESTION = 3
_MOST_ASIDE = 2
"""Words of a question beside those that answer it: "was this"."""
_MAX_FIRST = 30
"""Characters in which the first word of a line must begin."""
_MOST_OF_TIMES = 6
"""Words that a date, a clock time and their zone have at most."""
_WORD = re.compile(r"[^\W\d_]+")
DATE_SIGN, CLOCK_SIGN, AGO_SIGN, TOOK_SIGN, _COUNT = "\x01", "\x02", "\x03", "\x04", "\x05"
"""What stands for a date, a time of the day, a time before now, a duration and a count."""
_TIMES = re.compile(
    rf"(?P<ago>\b(?:{AGO}|{languages.AGO}|yesterday|gestern|hier|ayer|ieri|ontem|gisteren)(?!\w))"
    rf"|(?P<date>(?<![\w.,/-]){DATE}(?![\w/]))"
    r"|(?P<clock>(?<![\w.,:])\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?: ?[ap]\.?m\b\.?)?(?: ?(?:uhr|uur|h|[A-Z]{2,5}|(?:UTC|GMT) ?[+-]\d{1,2}(?::\d\d)?)\b)?(?!\w))"
    r"|(?P<took>(?<![\w.,])\d{1,4}(?:[.,]\d{1,6})? ?(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|sekunden?|minuten?|secondes?|segundos?|minutos?|secondi|minuti|seconden)\b)",
    re.IGNORECASE,
)
_SIGNS = {"ago": AGO_SIGN, "date": DATE_SIGN, "clock": CLOCK_SIGN, "took": TOOK_SIGN}
_COUNTS = re.compile(rf"(?<![\w.,]){N}(?![\w.,%]*[\w%])", re.IGNORECASE)
_SPAN = re.compile(
    r"\b((?:last|past|letzten|vergangenen|derniers|últimos|ultimi|laatste|afgelopen) )(?:7|14|28|30|60|90|180|365|12|24) (?=\w)",
    re.IGNORECASE,
)
_BY = re.compile(r" (?:by|von|par|por|da|door) [^|\d]{1,60}$")
_DIGIT = re.compile(r"\d")
_WITH_CLOCK = re.compile(r"\d[:h]\d{2}")
_PUNCTUATION = frozenset(" .,:;?!()[]/|·-–—'\"#¿¡>👍👎👋✓✔✗✘\ufe0f" + "\x01\x02\x03\x04\x05")


def is_furniture(line: str) -> bool:
    """Return True if all of *line* is furniture wherever it stands."""
    if len(line) > MAX_LINE:
        return False
    shown = frozenset(_words(line))
    if not shown.isdisjoint(_STATING) and _STATES.fullmatch(line.strip(" .!")):
        return True
    found = False
    if not shown.isdisjoint(words.ANY):
        found = asks_for_feedback(line) or (
            bool(_DIGIT.search(line))
            and (is_counter(line) or is_of_visit(line) or _is_dated_loosely(line))
        )
    return found and not IDENTIFIER.search(line)


def asks_for_feedback(line: str) -> bool:
    """Return True for a question whether the page helped, or a request to rate it."""
    if len(line) > MAX_LINE:
        return False
    start = _WORD.search(line[:_MAX_FIRST])
    first = start[0].lower() if start else ""
    if "?" not in line and first not in words.RATES and first not in words.THANKING:
        return False
    listed = _words(line)
    shown = frozenset(listed)
    if not _LEAST_QUESTION <= len(listed) <= _MAX_WORDS or not _is_plain(line.partition("?")[0]):
        return False
    if first in words.THANKING:
        return shown <= words.THANKS and len(shown & words.THANKED) > 0
    return shown <= words.ASKING and (
        _is_question(first, shown) if "?" in line else _is_request(shown)
    )


def _is_question(first: str, shown: frozenset[str]) -> bool:
    helps, about = shown & words.HELP, shown & words.OPINED
    if first in words.HOW:  # "How do we find this information?" has an answer
        helps -= words.FOUND
    elif shown & words.FOUND and shown & words.SOUGHT:
        return True
    if shown & words.HELPFUL and len(shown - words.ANSWERS) <= _MOST_ASIDE:
        return bool(shown & words.THIS) or first in words.HELPFUL  # "Was this helpful?"
    # "answer" and "help" may be what is asked about, or what it did.
    return bool(helps and about and len(helps | about) > 1 and shown & words.THIS)


def _is_request(shown: frozenset[str]) -> bool:
    return bool(shown & words.PAGE and shown & words.RATED and shown & words.THIS)


def is_answer(line: str) -> bool:
    """Return True for the labels below a question for feedback."""
    return len(line) <= MAX_LINE and set(_words(line)) <= words.FOLLOW_UP and _is_plain(line)


def is_counter(line: str) -> bool:
    """Return True for a label of something that is counted with use, and its count."""
    shown = _words(line)
    if len(line) > MAX_LINE or (words.COUNTED.isdisjoint(shown) and "used" not in shown):
        return False
    line = _SPAN.sub(r"\1", line).strip(" .")
    found = _COUNTS.findall(line)
    label = _COUNTS.sub(_COUNT, line).strip(" ()[]:#-+")
    shown = _words(label)
    if len(shown) > _MAX_LABEL or not words.COUNTING.issuperset(shown):
        return False
    if len(found) != 1 or not _is_plain(label):
        return False
    return _COUNT in (label[0], label[-1]) and _counts_use(shown, found[0])


def _counts_use(label: list[str], count: str) -> bool:
    """Return True if *label* counts with use alone, and not what an office counts, too."""
    counted = words.COUNTED.intersection(label)
    large = len(re.sub(r"\D", "", count)) > 1 or not count[-1].isdigit()
    if counted == {"stars"}:
        return not {"github", "gitlab"}.isdisjoint(label)
    if not counted:  # "Used by 1.2k repositories"
        return label[:2] == ["used", "by"] and len(label) > len("by") and large
    if counted <= words.VISITS:
        return not words.PAGE.isdisjoint(label)
    return large or counted.isdisjoint(words.RARE)


def is_of_visit(line: str) -> bool:
    """Return True for a sentence about the loading of the page, the session, or its last update,
    which is noise in a paragraph, too."""
    if len(line) > MAX_LINE or not _DIGIT.search(line):
        return False
    shown = frozenset(_words(line))
    known = words.LOADED | words.SESSION | (words.DATED if shown & words.PAGE else frozenset())
    if shown.isdisjoint(known) or len(shown - words.OF_VISIT) > _MOST_OF_TIMES:
        return False
    hidden = masked(line)
    signs, rest = signs_of(hidden), frozenset(_words(hidden))
    if not _is_plain(hidden) or len(signs) != 1:
        return False
    if rest & words.SESSION and rest <= words.TIMED_OUT:
        return signs[0] in (CLOCK_SIGN, TOOK_SIGN) and not rest.isdisjoint(words.YOURS)
    return _is_dated(rest, signs[0]) or _is_loading(rest, signs[0], line)


def _is_loading(rest: frozenset[str], sign: str, line: str) -> bool:
    if not rest <= words.LOADING or not rest & words.LOADED or not rest & words.PAGE:
        return False
    return sign in (CLOCK_SIGN, TOOK_SIGN) or (sign == DATE_SIGN and bool(_WITH_CLOCK.search(line)))


def _is_dated(rest: frozenset[str], sign: str) -> bool:
    """Return True for the last update of a page; *rest* are the words beside its date."""
    if not (rest & words.PAGE and rest & words.DATED and rest <= words.DATING - words.LOOSELY):
        return False
    if sign in (AGO_SIGN, CLOCK_SIGN):
        return True
    return (
        sign == DATE_SIGN
        and bool(rest & (words.DATED - words.OF_LAWS) or rest & words.LAST)
        and not rest & words.PUBLISHED
    )


def _is_dated_loosely(line: str) -> bool:
    """Return True for ``Prices updated 3 minutes ago``: a time before now dates nothing else."""
    shown = frozenset(_words(line))
    if shown.isdisjoint(words.DATED) and shown.isdisjoint(words.PUBLISHED):
        return False
    hidden = masked(_BY.sub("", line))
    return (
        signs_of(hidden) == [AGO_SIGN]
        and _is_plain(hidden)
        and words.DATING.issuperset(_words(hidden))
    )


def is_update(line: str) -> bool:
    """Return True for a whole line that says when the page was updated last."""
    if len(line) > MAX_LINE or not _DIGIT.search(line) or IDENTIFIER.search(line):
        return False
    shown = frozenset(_words(line))
    if shown.isdisjoint(words.DATED) or len(shown - words.OF_VISIT) > _MOST_OF_TIMES:
        return False
    hidden = masked(line)
    signs, rest = signs_of(hidden), frozenset(_words(hidden))
    if (
        len(signs) != 1
        or not _is_plain(hidden)
        or not rest <= words.DATING - words.LOOSELY - words.PUBLISHED
    ):
        return False
    if rest & words.PAGE:
        return _is_dated(rest, signs[0])
    return signs[0] == DATE_SIGN and bool(
        rest & words.LAST and rest & (words.DATED - words.OF_LAWS)
    )


def is_picker(line: str) -> bool:
    """Return True for the names of languages between separators, by which a reader picks one."""
    return len(line) <= MAX_LINE and bool(_PICKER.fullmatch(line))


def masked(line: str) -> str:
    return _TIMES.sub(lambda found: _SIGNS[found.lastgroup or "date"], line)


def signs_of(masked: str) -> list[str]:
    return [character for character in masked if character < "\x06"]


@lru_cache(maxsize=64)
def _words(line: str) -> list[str]:
    """The words of *line*, which each kind of furniture asks for; not to be changed."""
    return _WORD.findall(line.lower())


def _is_plain(line: str) -> bool:
    """Return True if *line* has nothing but letters and marks between them."""
    return all(character.isalpha() or character in _PUNCTUATION for character in line)


_PLACE = r"(?:office|branch|store|shop|library|(?:help|service|information) ?desk|counter|(?:phone )?lines|call cent(?:re|er)|(?:live |web ?)?chat|clinic|pharmacy)"
_WEATHER = r"(?:sunny|clear|(?:partly |mostly )?cloudy|overcast|(?:light |heavy )?(?:rain|snow|showers|drizzle)|fog(?:gy)?|mist|windy|thunderstorms?|sonnig|bewölkt|heiter|regen|schnee|nebel|ensoleillé|nuageux|pluie|soleado|nublado|lluvia|soleggiato|nuvoloso|pioggia|ensolarado|chuva|zonnig|bewolkt)"
_DEGREES = r"[-−]?\d{1,3} ?°(?: ?[CF])?"
_QUOTED = (
    r"(?:[MTS]DAX|DAX|Dow(?: Jones)?|S&P 500|Nasdaq(?: (?:100|Composite))?|FTSE(?: 100| MIB)?|CAC(?: 40)?|Nikkei(?: 225)?|(?:Euro )?Stoxx(?: 50| 600)?|IBEX(?: 35)?|AEX|SMI|ATX|PSI(?: 20)?"
    r"|Hang Seng|Brent(?: crude)?|WTI|Gold|Bitcoin|BTC|EUR/[A-Z]{3}|[A-Z]{3}/(?:USD|EUR))"
)
_QUOTE = rf"{_QUOTED}:? ?[$€£]?\d[\d.,]{{0,12}} ?[$€£]?(?: ?[▲▼↑↓]){{0,2}} ?\(?(?:[▲▼↑↓] ?[+-]?|[+-])\d{{1,4}}[.,]\d{{1,3}} ?%?\)?[▲▼↑↓]?"
_NATIVE = r"(?:english|deutsch|français|francais|español|espanol|italiano|português|portugues|nederlands|polski|русский|українська|中文|简体中文|繁體中文|日本語|한국어|العربية|tiếng việt|tagalog|türkçe|svenska|dansk|norsk|suomi|čeština|magyar|română|ελληνικά|български|hrvatski|slovenčina|slovenščina|kreyòl ayisyen|हिन्दी|فارسی|עברית|gaeilge|cymraeg|català)"
_STATING = frozenset(
    [
        "now",
        "moment",
        "jetzt",
        "gerade",
        "ahora",
        "ora",
        "adesso",
        "agora",
        "nu",
        "online",
        "offline",
        "busy",
        "available",
        "wait",
        "waiting",
        "update",
        "refresh",
        "visit",
        "login",
        "log",
        "logged",
        "signed",
    ]
) | frozenset(
    re.findall(r"[^\W\d_]+", f"{_WEATHER} {_QUOTED} {_NATIVE}".lower().replace("a-z", ""))
)
"""Words of which each state has one at least."""
_STATES = re.compile(
    rf"(?:open|closed) (?:right )?now|(?:(?:the |our |this )?{_PLACE} (?:is|are) )(?:currently )?(?:open|closed) right now|(?:jetzt|gerade) (?:geöffnet|geschlossen)|(?:ouvert|fermé)e? en ce moment|(?:abiert|cerrad)[oa] ahora|(?:apert|chius)[oa] (?:ora|adesso)|(?:abert|fechad)[oa] agora|nu (?:open|geopend|gesloten)"
    r"|(?:our |the )?(?:live |web ?)?chat(?: is)? (?:currently |now )?(?:online|offline)|(?:our |all )?(?:agents|advisers|advisors|operators) are (?:currently |now )?(?:online|offline|busy|available)"
    r"|(?:current(?:ly)?|estimated|approximate) (?:chat |phone |call |queue )?wait(?:ing)? ?time(?: is)? ?:? (?:about |approx\.? |under |less than )?\d{1,3}(?: ?(?:-|to) ?\d{1,3})? ?(?:minutes?|mins?|seconds?|secs?)"
    rf"|next (?:update|refresh)(?: is)?(?: at| in)?:? (?:\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?: ?[ap]\.?m\.?)?(?: [A-Z]{{2,5}})?|\d{{1,3}} ?(?:minutes?|mins?|seconds?|secs?|s))"
    rf"|(?:(?:current )?weather(?: now| today)?:? )?(?:today:? |now:? )?(?:{_DEGREES},? (?:and )?{_WEATHER}|{_WEATHER},? {_DEGREES})"
    rf"|{_QUOTE}(?:[ ,;|·]{{1,3}}{_QUOTE}){{0,8}}"
    rf"|(?:(?:select |choose |change )?(?:your )?language|sprache(?: wählen)?|langue|idioma|lingua|taal)s?:? {_NATIVE}(?:[ |/·]{{1,3}}{_NATIVE}){{0,20}}"
    rf"|{_NATIVE}(?: {_NATIVE}){{2,20}}"
    rf"|(?:your )?last (?:visit|login|log-?in)(?: was)?(?: on)?:? {DATE}|(?:you are |you're )?(?:logged|signed) in as (?:a )?guest|you are not (?:logged|signed) in",
    re.IGNORECASE,
)
"""The state of an office or a chat at the time of the visit, weather, quotes, and languages."""
_CODE = r"(?:en|fr|de|es|it|pt|nl|pl|sv|da|fi|cs|sk|sl|hu|ro|bg|hr|el|et|lv|lt|mt|ga|zh|ja|ko|ru|uk|ar|tr)"
_PICKER = re.compile(
    rf"(?=[^|]{{0,12}}[|/·]){_NATIVE}(?: ?[|/·] ?{_NATIVE}){{1,24}}|(?=(?:.{{0,150}}\b)?en\b){_CODE}(?: ?[|/·] ?{_CODE}){{1,24}}",
    re.IGNORECASE,
)
