# ruff: noqa: E501, S105
"""The phrases that differ from visit to visit, or belong to the frame of a page.

All patterns match a whole segment: a line, or what stands between two ``|``, ``·`` or ``•`` of it.
A segment is cut to :data:`MAX_SEGMENT` characters first, so the time of a match is bounded.
"""

from __future__ import annotations

import re

from wikicrawler.sources.changes import languages

MAX_SEGMENT = 400

_N = r"\d[\d,.]{0,14}[KkMm]?"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?"
_TIME = (
    r"(?:[, ]{1,2}(?:at |um |à |a las |alle (?:ore )?|às |om |- |– |\()?\d{1,2}[:h]\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?"
    r"(?: ?\(?(?:[A-Z]{2,5}|UTC[+-]\d{1,2}|[+-]\d{2}:?\d{2}(?!\d))\)?)?\)?)?"
)
DATE = (
    rf"{_WEEKDAY}(?:{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|{_MONTH},? \d{{4}}"
    rf"|\d{{1,2}}[ -]{_MONTH}[, -]{{1,2}}\d{{4}}|\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}}|\d{{1,2}}/\d{{4}}"
    rf"|\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?:T[\d:.]{{1,20}}(?:Z|[+-]\d\d:?\d\d)?)?"
    rf"|{languages.DATE}){_TIME}"
)
AGO = (
    r"(?:(?:(?:about|over|almost|around|less than|more than) )?(?:\d{1,4}|an?|one|a few)[ -]?"
    r"(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mos?|months?"
    r"|y|yrs?|years?) ago|just now|moments? ago)"
)
_POSTED = (
    r"(?:(?:last )?(?:posted|published|updated|modified|edited|added|reviewed|uploaded|submitted"
    r"|refreshed|checked|activity|active|seen|cached|fetched|crawled|synced|retrieved|generated):? (?:on )?)"
)
_BY = r"(?: by [^|]{1,60})?"
RELATIVE_TIME = re.compile(
    rf"(?:{_POSTED}?{AGO}{_BY}|{_POSTED}(?:(?:yesterday|today){_TIME}|last (?:week|month|year)){_BY}"
    rf"|(?:{languages.POSTED})?{languages.AGO}(?: (?:von|par|por|da|door) [^|]{{1,60}})?|{languages.POSTED}{languages.RECENTLY}{_TIME})\.?",
    re.IGNORECASE,
)
RELATIVE_TIME_INSIDE = re.compile(
    rf"(?:^|(?<=[(\[] )|(?<=[(\[])|(?<=[—–-] )){_POSTED}?{AGO}(?=$| ?[)\]]| [—–-] )"
    rf"|^{_POSTED}{AGO}(?=[.:]? [A-Z])",
    re.IGNORECASE,
)

_UPDATED = (
    r"(?:(?:(?:this|the) )?(?:(?:web ?)?page|site|website|content|document|article)s? (?:was |were )?"
    r"(?:(?:last|content) )?(?:updated|modified|reviewed|revised|changed|edited|refreshed"
    r"|generated|printed|rendered|retrieved|accessed|current)"
    r"|last (?:updated|modified|reviewed|revised|changed|verified|edited|checked|refreshed"
    r"|page update|page review|update|modification|review)"
    r"|updated|date (?:last )?(?:modified|updated|reviewed)|(?:last )?(?:updated|reviewed|modified) date"
    rf"|content current as of|page current as of|{languages.UPDATED})(?: date| on| by| as of| at)?"
)
UPDATED_LINE = re.compile(
    rf"(?:{_UPDATED})\s?[:：;,-]?\s?(?:on )?{DATE}{_BY}\.?|{languages.CHECKED} {DATE} ?[-–—] ?[^|.]{{1,120}}",
    re.IGNORECASE,
)
UPDATED_LABEL = re.compile(rf"(?:{_UPDATED})\s?[:：]?", re.IGNORECASE)
DATE_LINE = re.compile(rf"{DATE}\.?", re.IGNORECASE)
UP_TO_DATE = re.compile(
    rf"\b(up to date as of|current (?:through|to)|complete through) {DATE}", re.IGNORECASE
)
"""The day to which eCFR has all issues: it moves daily. The day of the last amendment stands."""

COUNTER = re.compile(
    rf"(?:{_N} (?:total |unique )?(?:page ?)?(?:views?|hits|visitors?|shares?|likes?|downloads?"
    r"|followers?|reads|retweets?|impressions|reactions?|subscribers?|comments?)"
    rf"|(?:viewed|read|shared|downloaded|visited|accessed):? {_N} times?"
    rf"|(?:total |unique )?(?:page ?)?(?:views?|hits|visitors?|shares|likes|followers|visits"
    rf"|downloads|visitor (?:count|number)|hit counter|view count|reads):? ?#?{_N}"
    rf"|(?:this )?(?:page|article|document|post) (?:has been |was )?(?:viewed|read|downloaded|accessed"
    rf"|visited) {_N} times?(?: since {DATE})?"
    rf"|you are visitor (?:number |no\.? |# ?)?{_N}"
    rf"|(?:helpful\? )?{_N}(?: (?:out )?of {_N})? (?:people )?found this (?:page |article )?(?:helpful|useful)"
    rf"|(?:page|site) (?:generated|rendered|loaded|processed|created|executed) in {_N} ?(?:seconds?|secs?|ms|s)"
    rf"|(?:average )?rating:? {_N} ?(?:of|/|out of) ?(?:5|10)(?: stars?)? ?\({_N} (?:votes?|ratings?|reviews?)\)"
    rf"|{_N}[ -]min(?:ute)?s? read|(?:estimated )?reading time:? {_N} min(?:ute)?s?|{languages.COUNTER}|{languages.COUNTER_INSIDE})\.?",
    re.IGNORECASE,
)
COUNTER_IN_CHINESE = re.compile(languages.COUNTER_INSIDE)
COPYRIGHT = re.compile(
    r"((?:copyright|版权所有|©|\(c\))(?: ?(?:copyright|©|\(c\)))?:? ?)(?:\d{4} ?[-–—] ?)?\d{4}(?!\d),? ?",
    re.IGNORECASE,
)
"""The years of a notice of copyright at the start of a line."""
COPYRIGHT_BEHIND = re.compile(
    r"((?:©|\(c\)|copyright) ?(?:©|\(c\))?:? ?)(?:\d{4} ?[-–—] ?)?\d{4}(?!\d)", re.IGNORECASE
)
"""The years behind the name of the owner."""
NEIGHBOUR = re.compile(rf"[«<←]? ?{languages.NEIGHBOUR} ?[:：]? ?", re.IGNORECASE)
HERE = re.compile(rf"(?:{languages.HERE})(?: ?: ?| )", re.IGNORECASE)
NO_NEIGHBOUR = re.compile(languages.NO_NEIGHBOUR, re.IGNORECASE)
COUNTER_INSIDE = re.compile(
    rf"\({_N} (?:page ?)?(?:views?|hits|downloads?)\)"
    rf"|(?<=[.!?] ){_N} (?:page ?)?(?:views?|hits)(?=\.?$)",
    re.IGNORECASE,
)
VIEWS_CELL = re.compile(rf"{_N} (?:page ?)?views?", re.IGNORECASE)

_TOKEN = (
    r"(?:_?csrf[ _-]?(?:token)?|session[ _-]?id|request[ _-]?id|trace[ _-]?id|correlation[ _-]?id"
    r"|(?:cloudflare )?ray[ _-]?id|nonce|form_build_id|__viewstate\w*|__eventvalidation"
    r"|__requestverificationtoken|jsessionid|phpsessid|authenticity_token)"
)
TOKEN_LINE = re.compile(rf"{_TOKEN}\s?[:=#]?\s?[^\s|]++", re.IGNORECASE)
TOKEN_INSIDE = re.compile(rf"\b{_TOKEN}(?: ?= ?|: ?)(?=[^\s|]{{0,100}}\d)[^\s|]++", re.IGNORECASE)

PAGE_NUMBER = re.compile(
    r"(?:[-–—] ?)?(?:page|seite|página|pagina|pág\.|pag\.|blz\.) \d{1,5}(?: ?(?:of|/|von|sur|de|di|van) ?\d{1,5})?(?: ?[-–—])?|[-–—] ?\d{1,5} ?[-–—]",
    re.IGNORECASE,
)
AWARENESS = re.compile(rf"{_MONTH} is [A-Z][\w' ]{{2,60}} (?:Month|Week|Day)[.!]?", re.IGNORECASE)

_ASKED = (
    r"(?:(?:a|an|our|the|this|your|brief|short|quick|online|web|website|site|user|customer"
    r"|satisfaction|feedback|experience|\d{1,2}[ -](?:minute|question)) )*"
)
FRAME = re.compile(
    r"(?:skip|jump) (?:to|over) (?:the )?(?:main )?(?:content|navigation|search|footer|menu)(?: area)?"
    r"|(?:back|return|go) to (?:the )?top(?: of (?:the )?page)?|top of page|top"
    r"|edit(?: this)? page(?: on [a-z]{3,12})?|edit on (?:github|gitlab|bitbucket)|(?:view|show)(?: page)? source|improve this (?:page|doc(?:ument)?)|suggest (?:an )?edits?(?: to this page)?|report an issue(?: with this page)?"
    r"|(?:expand|collapse|open|close|show|hide) all(?: (?:sections|answers|questions|steps))?|print (?:this )?(?:page|article)|print[ -](?:friendly|version|friendly version|friendly page)"
    r"|printer[ -]friendly(?: version| page)?|(?:share|email|e-mail|tweet) this(?: page| article| post)?"
    r"|share (?:on|via|to) (?:facebook|twitter|x|linkedin|email|e-mail|reddit|whatsapp)"
    r"|(?:facebook|twitter|x|linkedin|email) share(?: link)?|copy link(?: to clipboard)?"
    r"|follow us(?: on [a-z ,&]{1,60})?|connect with us(?: on [a-z ,&]{1,60})?"
    r"|(?:(?:was|is|did) this (?:page|article|information|content|answer|document|topic)"
    r" (?:helpful|useful|answer your questions?)(?: to you)?|did you find (?:this|what you)"
    r" (?:page |article |were looking for|are looking for)?(?:helpful|useful)?)\??"
    r"(?: ?yes[ /|]{0,3}no)?(?: thank(?:s| you)[^|]{0,80})?"
    rf"|(?:please )?(?:take|complete|fill out|participate in) {_ASKED}(?:survey|poll|questionnaire)"
    r"|(?:give|send|provide|leave|share|submit) (?:us )?(?:your |website |site )?feedback"
    r"(?: (?:about|on) this (?:page|site))?"
    r"|tell us what you think(?: about (?:this|our) (?:page|site|website))?|rate this (?:page|article)"
    r"|help us improve(?: (?:this|our) (?:page|site|website))?|website feedback"
    r"|advertisement(?: ?[-–—:] ?(?:scroll|story|continue)[^|]{0,60})?|advertisements|sponsored(?: content| by [^|]{1,60})?"
    r"|promoted content|ad closed by google|continue reading below|article continues below(?: advertisement)?"
    r"|(?:retrieved from|abgerufen von|récupérée? de|obtenido de|estratto da|obtida de|overgenomen van) ?[\"'«]? ?https?://[^\s\"]{3,300}[\"'»]?"
    r"|(?:hello|hi|welcome(?: back)?),? guest[ _#-]?\d{0,8}|(?:what is|how much is|solve:?) \d{1,2} ?[+x*-] ?\d{1,2} ?[=?]{1,3}"
    r"|toggle (?:navigation|menu|search)|open menu|close menu|main menu|show menu|hide menu"
    r"|(?:accept|allow|reject|decline|manage|customi[sz]e) (?:all |all the |non-essential |optional )?cookies?"
    r"(?: (?:preferences|settings))?|cookie (?:settings|preferences|notice|consent)"
    r"|(?:subscribe|sign up) (?:to|for) (?:our |the )?(?:free |weekly |monthly )?(?:newsletter|e-?mail (?:updates|alerts))|get (?:updates|alerts) (?:by|via) e-?mail"
    rf"|loading\.{{0,3}}|please enable javascript(?: to [^|]{{1,80}})?|{languages.FRAME}",
    re.IGNORECASE,
)
NAVIGATION = re.compile(
    r"home(?: ?page)?|about(?: (?:us|the agency|hud|fha|cfpb|the bureau|the department|[a-z]{2,6}))?"
    r"|contact(?: us)?|menu|search|log ?in|sign in|log ?out|register|my account|site ?map|site index"
    r"|privacy(?: (?:policy|notice|statement))?|accessibility(?: statement)?|foia|careers|jobs|help|faqs?"
    r"|news ?room|news(?: (?:&|and) events)?|press(?: room)?|media|events|calendar|espa[ñn]ol|language"
    r"|terms(?: of (?:use|service))?|disclaimer|no fear act(?: data)?|open government|usa\.gov|whistleblower"
    r"|information quality|office of inspector general|a-z index|a to z index|resources|programs|services"
    r"|subscribe|rss|blog|translate|directory|topics|data|forms|publications|rules|policy|policies"
    rf"|{languages.NAVIGATION}",
    re.IGNORECASE,
)
RELATED = re.compile(
    r"(?:(?:related|recommended|popular|trending|more|other|suggested) (?:articles?|stories|posts?|news|content"
    r"|pages|reading|topics|links|blog posts?|blogs)|related (?:recalls?|alerts?|(?:press )?releases?|videos?|products?|questions|guides?|bulletins?)"
    r"|you (?:may|might) also (?:like|be interested in)|recommended for you|(?:people|others|readers|users|visitors) also (?:viewed|read|searched for|asked|liked|looked at|visited)"
    r"|(?:similar|related|recommended|suggested|nearby|featured|popular|trending) (?:jobs?|vacancies|positions|roles|openings|searches|items|properties|listings|courses|programmes|programs|events|recipes|tags|packages|projects|repositories|results|products?|services|guides|stories|reads|offers|tenders|grants|calls|opportunities|videos|downloads|destinations|hotels|pages)"
    r"|(?:jobs|products|items|articles|pages|courses|stories|posts) (?:like this(?: one)?|you (?:may|might) like|nearby|near you|for you|similar to this)|(?:more|others|also) like this|similar to this|see also on this site"
    r"|(?:most|top) (?:viewed|read|popular|shared|commented|visited|downloaded|searched)(?: (?:articles?|stories|pages|news|documents|posts|topics|items|today|this week|now))?"
    r"|(?:top|hot|trending|popular) (?:stories|topics|searches|articles|pages|posts|right now)|what's trending|editor'?s'? picks?|in case you missed it|don't miss|hot topics|readers' favou?rites"
    r"|most (?:read|popular|viewed)|trending(?: now)?|read next|up next|recent posts|more (?:from|in) [\w ]{2,40}|keep reading"
    rf"|{languages.RELATED}|{languages.MOST_READ})",
    re.IGNORECASE,
)
MENU = re.compile(
    r"(?:main|site|section|page|secondary|primary|footer)? ?(?:menu|navigation)|in this section"
    r"|(?:on|in) this page|(?:auf|in) dieser seite|inhalt|sommaire|sur cette page|en esta página|índice|目录|table of contents|contents|jump to(?: section)?|breadcrumbs?|you are here",
    re.IGNORECASE,
)
OFFERS = re.compile(
    r"customers (?:who [a-z ]{4,30} )?also (?:bought|viewed|liked|purchased|ordered|considered)|frequently bought together|(?:your )?recently viewed(?: (?:items|products|pages|jobs|properties))?|recently visited(?: pages)?|your (?:browsing )?history"
    r"|(?:you (?:may|might) also like|(?:related|similar|recommended|popular|featured) (?:products?|items|offers)|products related to this item|sponsored products|best ?sellers?|recommended for you|inspired by your browsing history|you recently viewed)"
    rf"|{languages.OFFERS}",
    re.IGNORECASE,
)
"""Labels of lists that a shop makes for the visitor, with or without prices."""
PRICE = re.compile(
    r"(?:(?:from|ab|dès|desde|da|a partir de|vanaf) )?(?:(?:[$€£¥]|EUR|USD|GBP|CHF|R\$) ?\d[\d,. ]{0,12}|\d[\d,. ]{0,12} ?(?:[$€£¥]|EUR|USD|GBP|CHF|kr|zł))(?: ?(?:each|/ ?\w{1,8}))?",
    re.IGNORECASE,
)
IDENTIFIER = re.compile(
    r"\b(?:ML|Mortgagee Letters?|Docket|RIN|CFR|U\.?S\.?C|FR|Fed\. Reg|Form|Bulletin|Announcement"
    r"|Handbook|Lender Letter|SEL|SVC|Notice|Circular|Chapter|Part|Section|PL|Pub)\b\.?[ :-]*[\w.-]*\d|§|\$ ?\d|\d ?%|[A-Z]\d-\d|\d{4}-\d",
)
"""What makes a link in the frame of a page worth a look: a document's number, an amount."""

DOCUMENT = re.compile(r"\.(?:pdf|docx?|xlsx?|csv|zip)(?:$|[?#])", re.IGNORECASE)
"""The address of a document, which is worth a look like its number."""

BANNER = re.compile(
    r"(?:an )?official (?:web ?)?site of the (?:united states government|u\.?s\.? government|(?:state|commonwealth) of [\w ]{2,30})"
    r"|here'?s how you know(?: it'?s official)?|official websites? uses? \.gov"
    r"|(?:a )?\.?(?:gov|mil) websites? belongs? to an official (?:government|u\.s\. department of \w+) organization"
    r"(?: in the united states| in the u\.s)?"
    r"|secure \.?gov websites use https|we (?:and|&) our \d{1,4} (?:[a-z]{3,12} )?(?:partners|vendors) [^.!?]{0,200}|we (?:value|respect) your privacy"
    r"|a lock (?:\( ?[\w :]{0,40}\)|icon)? ?or https://? ?means you'?(?:ve| have) safely connected to (?:the|a) \.?gov website"
    r"|share sensitive information only on official, secure websites"
    r"|(?:the )?\.gov means it'?s official|the site is secure"
    r"|federal government websites often end in \.gov or \.mil"
    r"|before sharing sensitive information, make sure you'?re on a federal government site"
    r"|the https:// ensures that you are connecting to the official website[^.!?]{0,120}"
    r"|(?:this (?:web)?site|our (?:web)?site|we|[a-z0-9.-]{3,40}\.(?:com|org|gov|net)) uses? (?:essential |optional )?cookies"
    r"(?: and (?:other |similar )?(?:similar |tracking )?technologies)?(?: ?(?:to|for|on|so)[^.!?]{0,160})?"
    r"|cookies help us [^.!?]{0,160}|by (?:continuing|using|clicking|visiting|browsing)[^.!?]{0,120}(?:our|the)? ?(?:use|placement|storing|terms)[^.!?]{0,60}cookies?[^.!?]{0,80}"
    rf"|(?:accept|allow|reject|decline|manage) (?:all |non-essential )?cookies|{languages.BANNER}",
    re.IGNORECASE,
)
BANNER_BUTTON = re.compile(
    r"(?:please )?(?:read|see|view|review) our (?:cookie|privacy) (?:policy|notice)(?: for (?:more )?(?:information|details))?"
    r"|(?:learn|find out) more(?: about (?:how we use |our )?cookies(?: use| policy)?)?|got it|(?:i )?(?:agree|accept)(?: all)?|ok(?:ay)?"
    r"|you can (?:change|manage|update) your (?:cookie )?(?:settings|preferences)[^.!?]{0,80}"
    r"|cookie (?:settings|preferences|policy|notice)|(?:reject|decline)(?: all)?|close|dismiss",
    re.IGNORECASE,
)
"""What is noise only next to a sentence of a banner."""
BANNER_HINT = re.compile(
    r"cookie|\d partn|\d vendors|your privacy|\d soci|\d fornit|\d parceir|\d proveed|\.gov\b|https|official (?:web ?)?site|how you know",
    re.IGNORECASE,
)
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\[*])")
AD_HOST = re.compile(
    r"doubleclick\.net|googlesyndication|googleadservices|adservice\.|/adserver|taboola|outbrain|//ads?\.|amazon-adsystem|adnxs",
    re.IGNORECASE,
)
SHARE_LINK = re.compile(
    r"facebook\.com/(?:sharer|share)|(?:twitter|x)\.com/(?:intent|share)|linkedin\.com/(?:share|cws)|/shareArticle"
    r"|reddit\.com/submit|wa\.me/|pinterest\.com/pin/create|javascript:|mailto:\?",
    re.IGNORECASE,
)
