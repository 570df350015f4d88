# ruff: noqa: E501
"""What a page counts while it is watched: readers, votes, ratings, clocks and times of loading.

All patterns match a whole segment, as those of ``phrases`` do. Each needs a number, so a segment
without a digit is never tried.
"""

from __future__ import annotations

import re

from wikicrawler.sources.changes import live_languages as languages
from wikicrawler.sources.changes.live_languages import N
from wikicrawler.sources.changes.phrases import DATE

MAX_SEGMENT = 160
_NOW = r"(?:(?:currently|now|also|already|recently|have|has|are|is) ){0,3}"
_PEOPLE = (
    r"(?:(?:other|more|registered|happy|verified) )?(?:people|persons?|users?|visitors?|viewers?|readers?|students?|travell?ers?|customers?|shoppers?|guests?|members?"
    r"|subscribers?|followers?|fans|candidates?|citizens|residents|players?|developers?|sellers?|buyers?|patients?|parents?|researchers|others|backers|supporters|learners|participants)"
)
_HERE = r"(?: (?:(?:to|for|on|in|at) )?(?:this|it|us|that|here|online|now|right now|at the moment|today|so far|recently)\b[a-z' ]{0,40})"
_PEOPLE_DO = (
    rf"{_NOW}(?:viewing|watching|looking at|browsing|reading|visiting|following|follow|watch|like|love|recommend|typing){_HERE}?"
    rf"|{_NOW}(?:online|logged in|active now|here now)(?: (?:right )?now| today| at the moment)?(?: ?\([^()]{{1,60}}\))?"
    rf"|{_NOW}(?:reacted|liked|loved|bookmarked|favou?rited|starred|upvoted|shared|downloaded|viewed|saved|unlocked|watched){_HERE}?"
    rf"|{_NOW}(?:applied|signed|joined|bought|purchased|booked|subscribed|commented|recommended|found|followed|asked|enrolled|visited|added){_HERE}"
    r"|(?:have|has) (?:already |recently |also )?(?:applied|signed|joined|bought|purchased|booked|subscribed|enrolled|registered)"
    r"|(?:in|in the) (?:queue|line|waiting room)|(?:have|has) (?:this|it|these) in their [a-z ]{3,20}|(?:found|think|thought) (?:this|it)[a-z ]{0,30} (?:helpful|useful)"
)
_THINGS = (
    r"(?:page ?views?|views?|hits|reads|shares?|likes?|dislikes?|downloads?|followers?|forks?|watchers?|upvotes?|claps?|retweets?|reposts?"
    r"|reactions?|subscribers?|comments?|repl(?:y|ies)|bookmarks?|favou?rites?|saves|plays|listens|ratings|reviews|impressions)"
)
_LABEL = r"(?:star|forks?|watch|likes?|follow|upvotes?|visits|visitors|visitors today|hits today|reviews)"
_MANY = r"(?:\d{2}[\d,.]{0,12}k?|\d\.\d{1,2}[km])"
_TIMES = r"(?:times?|x)(?: (?:today|this week|this month|so far|in total|since|in the (?:last|past) [\w ]{2,20}))?"
_SEEN = r"(?:viewed|read|shared|downloaded|visited|accessed|watched|played|cited|opened|seen|saved|printed|bookmarked|consulted|used|installed|borrowed)"
COUNTER = re.compile(
    rf"(?:(?:currently |now |there are (?:currently )?)?{N} {_PEOPLE} (?:{_PEOPLE_DO})(?: (?:since|as of) {DATE})?"
    rf"|{_PEOPLE} (?:online|viewing|watching|today|now|currently online)(?: now)? ?:? {N}"
    rf"|(?:join )(?:over |more than )?{N} {_PEOPLE}(?: [a-z' ]{{1,60}})?"
    rf"|(?:viewed|liked|starred|bookmarked|favou?rited|followed|loved|upvoted) by (?:over )?{N} {_PEOPLE}|(?:now |currently )?online ?:? {N}(?: {_PEOPLE})?|(?:{_PEOPLE} (?:currently )?(?:browsing|viewing|reading) (?:this|the) [a-z]{{3,12}}) ?:? {N} {_PEOPLE}"
    rf"|{N} people ahead of you|helpful ?\({N}\)|{N} {_THINGS}(?: (?:so far|today|this week|this month|in total|in the (?:last|past) [\w ]{{2,20}}))?"
    rf"|(?:total |unique |monthly |daily |weekly |number of |all |show |view |read |load |see )?{_THINGS} ?:? ?[(\[]?{N}[)\]]?"
    rf"|(?:all |show |view |read |load |see )(?:all )?{N} {_THINGS}|{_LABEL} ?:? ?[(\[]?{N}[)\]]?|{_MANY} stars|stars ?:? {_MANY}"
    rf"|(?:(?:this|the) (?:page|article|document|post|item|video|question|file|record|dataset|recipe|entry) (?:has been |was |is )?|page )?{_SEEN}:? (?:over |more than )?{N} {_TIMES}"
    rf"|{N} (?:commits?|pull requests?|releases?|downloads?|changes|contributors)(?: to [\w./-]{{1,40}})? since (?:this|the last|that) (?:release|version|tag|commit)"
    rf"|{N} (?:bought|sold|ordered|purchased|viewed|booked) (?:in|within) (?:the )?(?:past|last) [\w ]{{3,20}}|(?:bought|booked|ordered|viewed) {N} times? (?:in|within|since|today)[\w ]{{0,25}}"
    rf"|saved ?\({N}\)|(?:cart|basket|bag|my (?:cart|basket|list)|wish ?list|compare|notifications|inbox|messages|favou?rites|shortlist|items in (?:your )?(?:cart|basket)) ?[:(\[] ?\d{{1,4}} ?[)\]]?|(?:cart|basket):? \d{{1,4}} items?"
    rf"|you are (?:number |no\.? ?|# ?)?{N}(?:st|nd|rd|th)? (?:in (?:the )?(?:queue|line)|visitor[a-z ]{{0,20}})|(?:you are )?(?:our |the )?visitor (?:number|no\.?|#):? ?{N}|{N}(?:st|nd|rd|th) visitor"
    rf"|{N} (?:days?|hours?|hrs?|minutes?|mins?|weeks?) (?:left|remaining|to go)(?: to (?:apply|vote|register|bid|sign up))?|(?:closes|closing|ends|ending) in {N} (?:days?|hours?|minutes?|weeks?)"
    rf"|(?:your )?search returned {N}(?: of {N})? [a-z ]{{1,30}}|showing {N} ?(?:-|to) ?{N} of {N}(?: [a-z]{{1,20}})?"
    rf"|you have (?:read )?(?:only )?{N} (?:of (?:your )?{N} )?(?:free |more )?(?:articles?|stories|views|downloads)(?: [a-z ]{{1,40}})?"
    rf"|(?:about )?{N} (?:results|matches|hits)(?: found)? (?:in |\()\d{{1,3}}(?:[.,]\d{{1,4}})? ?(?:seconds?|secs?|ms|s)\)?"
    rf"|{languages.COUNTER})[.!]?",
    re.IGNORECASE,
)
WEAK = re.compile(
    rf"{N}\+? (?:applicants?|applications|candidates|members?|backers|supporters|signatures|bids?|bidders|sold|answers?|posts|topics|photos|issues|pull requests|contributors|visitors|guests|enrolled|participants|learners|watching|viewing|interested|going|attending)"
    rf"|(?:issues|pull requests|discussions|answers|applicants|applications|bids|members|topics|posts|active) ?:? ?\(?{N}\)?|{languages.WEAK}",
    re.IGNORECASE,
)
"""What is a counter next to other noise in the line, and could be a fact alone."""
EMOJI = re.compile(
    rf"(?:[👍👎❤♥♡😄😀🎉😕🚀👀💬🔥👏🙌😍😮😢😡🔖👁🗨]\ufe0f? ?{N} ?|[⭐★☆]\ufe0f? ?{_MANY} ?){{1,8}}"
)

_SCORE = r"\d{1,3}(?:[.,]\d{1,2})?"
_STARS = r"(?:stars?|★|sterne?n?|étoiles?|estrellas?|stelle|estrelas?|sterren)"
_VOTES = rf"(?:ratings?|reviews?|votes?|{_PEOPLE}|{languages.VOTES})"
_OF = r"(?:out of|of|von|sur|de|su|van|em|/)"
_RATED = r"(?:(?:average |overall |customer |user |star )?(?:rated|ratings?|scores?|reviews?)|bewertung|bewertet mit|durchschnittlich|note(?: moyenne)?|noté|avis|valoración(?: media)?|puntuación|calificación|valutazione(?: media)?|voto(?: medio)?|avaliação|nota(?: média)?|classificação|beoordeling|waardering)"
_BASED = r"(?:(?:based )?(?:on|by|from)|bei|aus|von|basée? sur|par|sur|basad[oa] en|según|su|sulla base di|com base em|op basis van|op)"
_NEXT = rf"(?: ?[,·|-])?(?: {_BASED})? [(\[]?{N} (?:[a-z]{{2,12}} )?{_VOTES}[)\]]?"
"""How many have voted, behind the score."""
_OF_MOST = rf" ?{_OF} ?(?:5|6|10|100)\b(?:[.,]0)?"
RATING = re.compile(
    rf"(?:[★☆⭐½]{{1,10}} ?)?(?:{_RATED} ?:? ?{_SCORE}(?:{_OF_MOST})?(?: ?{_STARS})?|{_SCORE}{_OF_MOST}(?: ?{_STARS})?|{_SCORE} ?{_STARS}){_NEXT}"
    rf"|(?:[★☆⭐½]{{1,10}} ?)?(?:{_RATED} ?:? ?)?{_SCORE}(?:{_OF_MOST}(?: ?{_STARS})?| ?{_STARS})[ ,·-]{{0,2}}[(\[]{N}(?: {_VOTES})?[)\]]"
    rf"|[★☆⭐½]{{1,10}} ?(?:{_SCORE} ?)?(?:[(\[]{N}(?: {_VOTES})?[)\]]|{N} {_VOTES})|{N} {languages.VOTES}",
    re.IGNORECASE,
)

_CLOCK = r"\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?: ?[ap]\.?m\.?)?(?: ?(?:uhr|uur|h|[A-Z]{2,5}|UTC ?[+-]\d{1,2}))?"
_DAY = rf"(?=[^|]{{0,60}}\d{{1,2}}[^|]{{1,30}}\d)(?=[^|]{{0,60}}\d{{1,2}}[:.h]\d{{2}}){DATE}"
"""A date with a clock time."""
_DAY_OF_MONTH = r"(?!(?:[^\W\d_]{3,10}\.?,? )?\d{4}\.?$|\d{1,2}/\d{4}\.?$)"
"""A month alone is the edition of a form."""
_SECONDS = r"\d{1,4}(?:[.,]\d{1,6})? ?(?:seconds?|secs?|ms|s|milliseconds?|sekunden?|sek\.?|secondes?|segundos?|secondi|seconden)"
STAMP = re.compile(
    rf"(?:(?:(?:server|current|system|page) (?:time|clock|date and time)|it is now|time now|{languages.CLOCK}) ?:? (?:(?:{DATE},? ?)?{_CLOCK}|{_DAY})"
    rf"|page (?:last )?(?:loaded|refreshed|rendered)(?: at)? ?:? {_CLOCK}"
    rf"|(?:today is|today's date(?: is)?|today|heute ist|nous sommes le|hoy es|oggi è|hoje é|vandaag is) ?:? {DATE}"
    rf"|(?:page |this page |site |content |report |file |document |list |copy |snapshot |view )?(?:was |is )?(?:printed|generated|rendered|retrieved|downloaded|exported|accessed|fetched|cached|queried|viewed|displayed) ?:?(?: on| at| from| by [^|\d]{{1,40}})? ?:? {_DAY_OF_MONTH}{DATE}(?: by [^|]{{1,60}}| from [^|]{{1,60}})?"
    rf"|(?:(?:this |the )?(?:data|information|status|page|list|calendar|schedule|prices|quotes|content) (?:is |are )?)?(?:current|accurate|correct|up[ -]to[ -]date) (?:as )?(?:of|at|on) {_DAY}"
    rf"|(?:page |site |content )?(?:generated|rendered|loaded|served|built)(?: (?:by|with|using) [\w .-]{{1,40}})?(?: (?:in|took|within))?:? {_SECONDS}(?: (?:by|with|using) [\w .-]{{1,40}}| \([^()]{{1,60}}\))?"
    rf"|(?:page |site )?(?:load(?:ing)?|render(?:ing)?|generation) ?time ?: {_SECONDS}"
    rf"|(?:(?:print|printing|printed|access|retrieval|download|run|export|generation) date|date (?:printed|accessed|retrieved|downloaded|generated|exported|of (?:access|retrieval|printing))|{languages.PRINT_DATE}) ?:? {_DAY_OF_MONTH}{DATE}"
    rf"|(?:this content )?downloaded from [^\s|]{{3,200}}(?: by [^|]{{1,60}})? (?:on|at) {DATE}(?: by [^|]{{1,60}})?"
    rf"|(?:your |this )?session (?:will )?(?:expires?|times? out|ends?) in \d{{1,3}}(?::\d{{2}}| ?(?:minutes?|min|seconds?|s))|(?:next (?:update|refresh)|auto[- ]?refresh(?:es)?|refresh(?:es|ing)?|page (?:refreshes|reloads)) in \d{{1,3}} ?(?:minutes?|min|seconds?|s)"
    r"|your ip(?: address)?(?: is)? ?:? [\da-f.:]{3,45}|(?:page )?served by (?:node |server |host )?(?=[^\s|]{0,60}\d)[^\s|]{2,60}"
    rf"|{languages.LOADED} ?:? {_SECONDS}|{languages.PRINTED} ?:? {_DAY_OF_MONTH}{DATE}(?: (?:von|par|por|da|door) [^|]{{1,60}})?|{languages.EDITED})\.?",
    re.IGNORECASE,
)
_VERB = r"(?:released|committed|commented|opened|merged|pushed|asked|answered|replied|uploaded|authored|contributed|tagged|edited|updated|posted|published|modified|reviewed|wrote|started)"
_SINCE = r"(?:(?:about |over |almost |around )?(?:\d{1,4}|an?|one|a few) (?:sec(?:ond)?|min(?:ute)?|hour|day|week|month|year)s? ago|yesterday|today|just now|last (?:week|month|year))"
SINCE_INSIDE = re.compile(
    rf"(?<=\) )({_VERB}(?: this(?: [a-z]{{1,20}})?)?) {_SINCE}(?=$| ?[|·•»›])|\b({_VERB} this(?: (?:release|issue|version|article|post|page|question|file|commit|job|listing))?) {_SINCE}(?=$| ?[|·•»›])",
    re.IGNORECASE,
)
"""When somebody did something, behind a link to them or before the end of a segment."""

_DIGIT = re.compile(r"\d")


def is_stamp(segment: str) -> bool:
    """Return True if all of *segment* is the time of the visit, or what the visit took."""
    if len(segment) > MAX_SEGMENT or not _DIGIT.search(segment):
        return False
    return bool(STAMP.fullmatch(segment))


def is_live(segment: str) -> bool:
    """Return True if all of *segment* is what the page counts or measures."""
    if len(segment) > MAX_SEGMENT or not _DIGIT.search(segment):
        return False
    return any(pattern.fullmatch(segment) for pattern in (COUNTER, RATING, EMOJI))
