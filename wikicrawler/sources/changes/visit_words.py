# ruff: noqa: E501
"""Words and stems that are signs of the visit, and those that are signs of a fact.

In English, German, French, Spanish, Italian, Portuguese and Dutch. The sets of ``furniture_words``
are closed: a line has no other words. These are open: a line has one of them, and other signs.
"""

from __future__ import annotations

import re

from wikicrawler.sources.changes import furniture_words as words
from wikicrawler.sources.changes.furniture_words import words_of


def _any(*stems: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(stems)})", re.IGNORECASE)


ACCESS = _any(
    r"(?:retriev(?:ed|al)|accessed|viewed|displayed|generated|rendered|(?:re)?loaded|fetched|exported|downloaded|cached|synced|synchroni[sz]ed|crawled|queried|refreshed|polled|printed|printout)\b",
    r"abgerufen|\w*abruf|aufgerufen|\w*abfrage|seite (?:wurde )?(?:erstellt|aufgebaut)|abgefragt|angezeigt|erzeugt|generiert|exportiert|geladen|ausgegeben am|ausdruck|gedruckt|ausgedruckt|druckdatum",
    r"consult(?:ée?s?|ad[oa]s?|at[oaie])\b|(?:date|heure|fecha|hora|data|ora) (?:de |di |da |d')?(?:la )?consult",
    r"affichée?s?\b|générée?s?\b|imprimée?s?\b|extraite?s?\b|exportée?s?\b|chargée?s?\b|téléchargée?s?\b|actualisée?s?\b",
    r"impres[oa]\b|mostrad[oa]s?\b|generad[oa]s?\b|descargad[oa]s?\b|exportad[oa]s?\b|extraíd[oa]s?\b|cargad[oa]s?\b|visualizad[oa]s?\b",
    r"stampat[oa]\b|visualizzat[oaie]\b|generat[oaie]\b|estratt[oaie]\b|scaricat[oaie]\b|esportat[oaie]\b|caricat[oaie]\b",
    r"gerad[oa]s?\b|exibid[oa]s?\b|carregad[oa]s?\b|acedid[oa]\b|acessad[oa]\b",
    r"geraadpleegd|opgehaald|gegenereerd|afgedrukt|weergegeven|opgevraagd|geëxporteerd|ververst",
)
"""What happens to a page when somebody asks for it; a clock time says when."""
LOOKED_UP = _any(
    r"(?:retrieved|accessed|looked up|crawled|cached|synced)\b|abgerufen|abruf(?:datum| am)|geraadpleegd",
    r"consult(?:ée?s?|ad[oa]s?|at[oaie])\b|date de (?:la )?consult|fecha de (?:la )?consult|data (?:di|da|de) consult",
)
"""What has no other meaning, so that the date is enough."""
UPDATED = _any(
    r"(?:last update|updated?|modified|checked|as of|snapshot)\b|aktualisiert|stand\b|mise? à jour|actualizad|aggiornat|atualizad|bijgewerkt"
)
"""What documents are, too: only a time with seconds is that of a machine."""
CLOCK = _any(
    r"(?:server|system)\w*|time now\b|(?:local|current) (?:date and )?time\b|(?:aktuelle |orts|system)(?:uhr)?zeit\b",
    r"(?:heure|date) (?:et heure )?(?:du serveur|actuelle|locale|officielle)\b|hora (?:y fecha )?(?:del? servidor|actual|local|oficial|do servidor|atual)\b|(?:fecha|data) (?:y|e) hora (?:del? servidor|do servidor|actual|atual|local)\b",
    r"ora (?:del server|attuale|esatta|locale)\b|data e ora (?:del server|attual\w+)\b|(?:huidige|lokale) (?:datum en )?tijd\b",
)
TOOK = _any(
    r"(?:took|quer(?:y|ies)|search|completed|executed|response|request|execution|processing|process|load(?:ing)?|render(?:ing)?|server|backend)\b",
    r"ladezeit|antwortzeit|abfrage\w*|dauerte|suche\b|rechenzeit|temps de|durée de|requête|recherche\b|tiempo de|consulta\b|tempo (?:di|de)|ricerca\b|laadtijd|duurde",
)
TODAY = _any(r"(?:today(?:'s date)?|heute|aujourd'hui|nous sommes|hoy|oggi|hoje|vandaag)\b")
HOST = re.compile(
    r"(?:served by |via )?(?:node|server|host|pod|instance|worker|backend)s?[ :#]{1,2}(?=[a-z0-9.-]{0,30}[a-z])[a-z]{2,12}[a-z0-9.-]{0,20}\d[a-z0-9.-]{0,12}",
    re.IGNORECASE,
)
"""The name of one of several machines."""
MACHINE = re.compile(
    r"(?:(?:served|delivered|rendered|sent) (?:by|from) |via )?(?:web ?|app ?|cache ?)?(?:server|node|pod|worker|shard|replica|backend|nœud|nodo|knoten|serveur|servidor|nó)[ :#-]{0,2}[\w.-]{0,20}\d[\w.-]{0,12}",
    re.IGNORECASE,
)
"""Which of several machines has answered."""
BUILD = re.compile(
    r"(?:(?:(?:site|app|application|portal|software|system|platform|web) )(?:version|release|build)|build(?: (?:number|id|no\.))?|commit|rev(?:ision)?\.?)[ :#.v]{0,3}[\w.+-]{0,30}\d[\w.+-]{0,30}(?: ?\([^()]{1,40}\))?",
    re.IGNORECASE,
)
"""The version of the program that makes the page."""
POWERED = re.compile(
    r"(?:(?:this (?:site|page|forum|wiki) (?:is |was )?)?(?:powered by|built (?:with|by|using)|running(?: on)?|made with|generated (?:by|with))|propulsé par|betrieben mit|erstellt mit|desarrollado con|creado con|realizzato con|desenvolvido (?:com|em)|gemaakt met|aangedreven door) [A-Za-z][\w .+-]{1,40} v?\d{1,4}\.[\w.+-]{1,30}",
    re.IGNORECASE,
)
ID_LABEL = re.compile(
    r"(?:your |ihre |votre |su |a sua |uw )?(?:session|request|trace|correlation|visit(?:or)?|ray|debug|anfrage|sitzungs?|requête|sesión|sessione|sessão|sessie)"
    r"[ -]?(?:id|identifier|reference|ref\.?|no\.|nr\.?|n\.?[º°]|number|key|token|code|kennung|nummer|número|numéro|numero)?(?: is)? ?[:#=]? ?([\w-]{6,80})",
    re.IGNORECASE,
)
"""What names a visit, before a random value."""

OPINION = (
    words.RATED
    | words.HELPFUL
    | words_of(
        "helped experience satisfied satisfaction recommend geholfen zufrieden aidé aidée satisfait satisfaite servido servida ayudó satisfecho aiutato aiutata soddisfatto soddisfatta ajudou satisfeito geholpen tevreden"
    )
)
"""What visitors are asked about a page."""

USED = _any(
    r"(?:page ?)?views?\b|page ?hits?\b|hits\b|clicks?\b|visits?\b|visitors?\b|readers?\b|reads\b|downloads?\b|accesses\b|look-?ups\b|searches\b",
    r"(?:seiten)?(?:auf|ab|zu)(?:ruf|griff)(?:e|en|s)?\b|klicks\b|besuch(?:e|er|erin|erinnen|en)?\b|leser\b",
    r"vues?\b|consultations?\b|visites?\b|visiteurs?\b|lectures?\b|lecteurs?\b|affichages?\b|téléchargements?\b",
    r"visitas?\b|visitantes?\b|lecturas?\b|lectores\b|vistas\b|accesos?\b|consultas?\b|descargas?\b|visualiza(?:ciones|ções)\b",
    r"visite\b|visitator[ie]\b|letture\b|lettori\b|access[io]\b|visualizzazioni\b|consultazioni\b",
    r"acess?os\b|leituras\b|leitores\b|bezoek(?:en|er|ers)?\b|weergaven\b|lezers\b|raadplegingen\b",
)
"""What is counted while a page is used, and by offices, too."""
SUBJECT = words.PAGE | words_of(
    "section text document record entry law file table form list dataset topic thread notice listing post abschnitt text dokument gesetz eintrag rubrique",
    "texte fiche notice sección texto documento ficha sezione testo scheda documento seção secção ficheiro tekst document wet",
)
"""What is read, behind ``this``."""
ASKED_ABOUT = words.PAGE | words_of("document dokument documento")
"""What visitors are asked about: no form and no law."""
SPAN = _any(
    r"(?:since|today|yesterday|so far|in total|(?:this|last|past) (?:hour|day|week|month|year)|all[ -]time|to date|per day so far)\b",
    r"(?:seit|heute|gestern|insgesamt|bisher|diese[nrs]? (?:woche|monat|jahr))\b",
    r"(?:depuis|aujourd'hui|hier|au total|ce mois(?:-ci)?|cette (?:semaine|année))\b",
    r"(?:desde|hoy|ayer|en total|este (?:mes|año)|esta semana|hoje|ontem|no total|este mês)\b",
    r"(?:dal|oggi|ieri|in totale|questo mese|questa settimana|sinds|vandaag|gisteren|in totaal|deze (?:week|maand))\b",
)
ONLINE = _any(
    r"(?:online|logged[ -]in|signed[ -]in|connected|viewing|watching|browsing|reading|available|active (?:right )?now|on(?:line)? now|looking at)\b",
    r"eingeloggt|angemeldet\b|verbunden\b|connectée?s?\b|en ligne\b|en línea\b|conectad[oa]s?\b|collegat[ie]\b|connessi\b|ligad[oa]s\b|ingelogd\b",
)
PEOPLE = _any(
    r"(?:people|persons?|users?|visitors?|guests?|members?|readers?|agents?|advis[eo]rs?|operators?|staff|experts|students?|others?|customers?|developers|colleagues)\b",
    r"nutzer|benutzer|besucher|gäste|mitglieder|personen|berater|utilisateurs?\b|visiteurs?\b|invités?\b|membres?\b|personnes?\b|internautes?\b|conseillers?\b",
    r"usuarios?\b|visitantes?\b|invitados?\b|personas?\b|agentes\b|utenti\b|visitatori\b|ospiti\b|persone\b|operatori\b|utilizadores\b|usuários?\b|pessoas\b",
    r"gebruikers?\b|bezoekers?\b|gasten\b|leden\b|mensen\b|personen\b|medewerkers\b",
)
NOW = _any(
    r"(?:now|currently|current|at the moment|at present|live|chat|right now|real[ -]?time|estimated)\b",
    r"(?:jetzt|aktuell\w*|derzeit\w*|momentan\w*|gerade|zurzeit|geschätzt\w*)\b",
    r"(?:maintenant|actuel\w*|en ce moment|en direct|estimée?)\b|(?:ahora|actual(?:mente)?|en este momento|estimad[oa])\b",
    r"(?:ora|adesso|attual\w*|in questo momento|stimat[oa])\b|(?:agora|atual(?:mente)?|neste momento)\b|(?:nu|momenteel|huidige|actuele|geschatte)\b",
)
MINUTES = re.compile(
    r"\b\d{1,3}(?: ?(?:-|to|bis|à|a) ?\d{1,3})? ?(?:h|hrs?|hours?|stunden?|heures?|horas?|ore|uur)?"
    r" ?(?:min(?:ute[ns]?|utos?|uti|uten|\.)?|secs?|seconds?)(?!\w)",
    re.IGNORECASE,
)
SCALE = re.compile(
    r"(?:(?:on a scale (?:of|from) |from )?\b[01] ?(?:to|-|–|bis|à|a) ?(?:5|10)\b|\d{1,6} (?:out )?of \d{1,6} (?:people|users|visitors|readers)|\b1[ /|]{1,3}2[ /|]{1,3}3[ /|]{1,3}4[ /|]{1,3}5\b(?:[ /|\d]{0,20})?)|[★☆⭐]{2,10}"
)
SHORT_TIME = re.compile(
    r"\b\d{1,6} ?ms\b|\b\d{1,3}[.,]\d{1,6} ?(?:s|secs?|seconds?|sekunden|secondes|segundos|secondi|seconden)\b"
)
PLACE = re.compile(
    r"(?:(?:showing |viewing |displaying )?(?:result|record|item|document|entry|match|hit|treffer|eintrag|"
    r"résultat|resultado|risultato|resultaat)s? )?(?:showing |viewing |displaying )?\d[\d,.]{0,8}(?: ?[-–] ?\d[\d,.]{0,8})? "
    r"(?:of|von|sur|de|di|van) \d[\d,.]{0,10} "
    r"(?:results?|records?|items?|documents?|entries|matches|hits|labels|treffern?|einträgen?|"
    r"résultats?|resultados?|risultati|resultaten)|"
    r"(?:showing |viewing |displaying )?(?:result|record|match|hit|treffer)s? \d[\d,.]{0,8} (?:of|von) \d[\d,.]{0,10}|"
    r"(?:(?:showing|viewing|displaying) )?[a-z]{3,12} \d[\d,.]{0,8} of \d[\d,.]{0,10} (?:from|in|of) your (?:search|results?|list)",
    re.IGNORECASE,
)
"""The place of the page among the results of a search."""
WAIT = _any(
    r"(?:wait(?:ing)? ?times?|queue|hold times?|(?:expected|estimated|average) waits?)\b|waits? (?:at|in) [\w' -]{2,30}:(?: (?:about|under|less than))?|wartezeit|warteschlange|(?:temps|durée|délai) d'attente|file d'attente",
    r"(?:tiempo|tempo)s? (?:de |d')?(?:espera|attesa)|tempo di attesa|fila de espera|in coda|wachttijd|wachtrij",
)
READ = _any(
    r"(?:min(?:ute)?s?[ -])?read(?:ing)?\b|lese(?:zeit|dauer)|zu lesen\b|lecture\b|à lire\b|lectura\b|lettura\b|leitura\b|leestijd\b|te lezen\b|listen(?:ing)?\b"
)
RATED = _any(
    r"rat(?:ed|e this|e our|ings?)\b|reviews?\b|votes?\b|bewert|rezension|stimmen\b|notée?\b|avis\b|votos?\b|valor[ea]|valoraci|reseñas?\b|opinion|recension|valutaz|voti\b|avalia|beoordeel|beoordeling|recensies|stemmen\b"
)
VOTES = re.compile(
    r"(?:[^\W\d_]{2,15} )?(?:ratings?|reviews?|votes?|raters|bewertungen|rezensionen|stimmen|avis|évaluations|votos|valoraciones|reseñas|opiniones|recensioni|valutazioni|voti|avaliações|opiniões|beoordelingen|recensies|stemmen)",
    re.IGNORECASE,
)
"""How many have rated, behind their number."""
WEATHER = _any(
    r"(?:light|heavy|partly|mostly|currently|today|now|leicht\w*|stark\w*|aktuell|légère?|ahora|sunny|outside temperature|current temperature|außentemperatur|aktuelle temperatur|température actuelle|temperatura actual|temperatura attuale|clear|cloudy|clouds?|overcast|rain|snow|showers|drizzle|fog|mist|haz[ey]|wind[ys]?|storms?|thunder\w*|weather|feels like|humidity)\b",
    r"sonnig|bewölkt|wolkig|heiter|regen\b|schnee|nebel|wetter|ensoleillé|nuageux|pluie|neige|météo|soleado|nublado|lluvia|despejado|tiempo\b|soleggiato|sereno|nuvoloso|pioggia|meteo\b|ensolarado|chuva|limpo\b|zonnig|bewolkt|weer\b",
)
COOKIES = _any(r"cookies?\b|traceurs?\b")
OURS = _any(
    r"(?:we|our|this (?:web ?)?site|your (?:browser|experience|preferences|privacy)|by (?:using|continuing|clicking)|accept all|wir|unsere|diese (?:web)?(?:seite|site)|nous|notre|ce site|en poursuivant|nuestr[oa]s?|este sitio|utilizamos|usamos|questo sito|utilizziamo|nostr[oi]|este site|deze (?:web)?site|wij|onze)\b"
)
CONSENT = _any(
    r"(?:use[sd]?|accept|agree|consent|allow|experience|traffic|analytics|preferences|settings|remember|essential|necessary|improve|verwende|nutz|setz|zustimm|akzeptier|einwillig)\w*",
    r"(?:utilis|accept|consent|améliorer|mesure|usa|utiliza|acept|mejorar|utilizz|accett|migliorare|aceit|melhorar|gebruik|accepteer|toestemming)\w*",
)
NEGATION = _any(
    r"(?:not|never|no|without|sell\w*|nicht|kein\w*|ne|pas|sans|sin|nunca|non|senza|não|sem|niet|geen|zonder)\b"
)
NEWSLETTER = _any(
    r"newsletters?\b|e-?mail (?:updates|alerts)\b|rundbrief|infolettre|lettre d'information|boletín|bollettino|boletim|nieuwsbrief"
)
INVITES = _any(
    r"(?:subscrib|sign up|join|get|receive|stay|register|keep up|follow|never miss|abonn|bestell|anmeld|melden sie sich|inscri|suscr|recib|iscriv|ricev|subscrev|assin|receb|ontvang|schrijf|blijf)\w*"
)
OF_DAY = re.compile(
    r"(?:quote|tip|word|photo|picture|fact|thought|image|hint|zitat|tipp|wort|bild|foto|citation|astuce|mot|frase|consejo|imagen|palabra|cita|consiglio|immagine|parola|dica|imagem|citaat|woord)"
    r" (?:of the (?:day|week|month)|des (?:tages|monats)|der woche|du jour|de la semaine|del (?:día|giorno|mese)|de la semana|della settimana|do dia|da semana|van de (?:dag|week)) ?(?:$|[:·-] ?)",
    re.IGNORECASE,
)
SPONSORED = re.compile(
    r"(?:ad|advert|advertisement|sponsored(?: (?:content|post|link))?|promoted|partner content|paid (?:content|post|partnership)|anzeige|gesponsert|werbung|publicité|sponsorisé|contenu sponsorisé|publicidad|patrocinado|contenido patrocinado|pubblicità|sponsorizzato|publicidade|advertentie|gesponsord) ?(?::|·|-|\|) ?\S",
    re.IGNORECASE,
)
MAINTENANCE = _any(
    r"maintenance\b|unavailable\b|outage\b|downtime\b|(?:be |is |are )(?:down|offline)\b|wartung(?:sarbeiten|sfenster)?\b|nicht (?:verfügbar|erreichbar)|störung",
    r"indisponibles?\b|mantenimiento\b|no (?:estará |está )?disponible|manutenzione\b|non (?:sarà |è )?disponibil|manutenção\b|indisponíve|onderhoud\b|niet beschikbaar|storing\b",
)
SOON = _any(
    r"(?:temporarily|currently|briefly|tonight|tomorrow|today|this (?:weekend|evening|morning)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|(?:from|between|until) \d|scheduled for",
    r"vorübergehend|derzeit|heute|morgen|(?:am|bis) \d|(?:mon|diens|donners|frei|sams|sonn)tag\b|mittwoch|temporairement|(?:lun|mar|mercre|jeu|vendre|same)di\b|dimanche\b|temporalmente|hoy\b|mañana\b|lunes|martes|miércoles|jueves|viernes|sábado\b|domingo\b",
    r"temporaneamente|oggi|domani|lunedì|martedì|mercoledì|giovedì|venerdì|sabato\b|domenica\b|temporariamente|hoje|amanhã|segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|tijdelijk|vandaag|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag",
)
SITE = _any(
    r"(?:web ?)?sites?\b|(?:web ?)?portal\b|online (?:services?|filing|bill pay|accounts?|applications?|banking|system|forms?)\b|log-?in\b|\w+\.(?:gov|com|org)\b|(?:scheduled|planned) (?:\w+ )?maintenance|system maintenance is\b",
    r"web ?(?:seite|auftritt)|onlinedienst|online-dienst|téléservice|site (?:web|internet)|sitio web|sede electrónica|sito (?:web|internet)|servizi online|sítio|webwinkel|website",
)
CLOSED = _any(
    r"(?:will be |are |is )?closed\b|geschlossen|fermée?s?\b|cerrad[oa]s?\b|chius[oaie]\b|fechad[oa]s?\b|gesloten"
)
OFFICES = _any(
    r"(?:our |the |all |city |town |county |state |branch )?(?:offices?|branches|lobby|counters?|city hall|town hall|library|libraries|courthouse)\b|büros?\b|bürgeramt|geschäftsstelle|ämter|rathaus|bureaux?\b|guichets?\b|mairie\b|oficinas?\b|uffici\b|ufficio\b|serviços\b|balcões\b|kantoor|kantoren|loket|gemeentehuis"
)
HOLIDAY = _any(
    r"holidays?\b|(?:in observance|for|on) [^|]{0,50}\bday\b|christmas|new year|thanksgiving|easter|juneteenth|feiertag|weihnacht|ostern|karneval|fasching|brückentag|betriebsausflug|jour férié|noël|pâques|festivo|navidad|semana santa|festa\b|festività|natale|pasqua|feriado|natal\b|páscoa|carnaval|feestdag|kerst|pasen|koningsdag|hemelvaart"
)

PROMOTES = _any(
    r"(?:webinars?|introducing|meet the new|save (?:your|a) (?:seat|spot|place)|book (?:your|a) (?:demo|seat|place|spot)|free trial|try (?:it|out|our)|take our|donate (?:today|now)|giveaway|early bird|black friday|spring sale|join us|get the app|download (?:the|our) app|we're hiring|is here\b.{0,40} what's new)\b",
    r"webseminar|gewinnspiel|jetzt (?:testen|sichern)|kostenlos testen|webinaire|essayez|faites un don|seminario web|prova gratis|experimente|probeer gratis",
)

FACT = re.compile(
    r"\b(?:must|shall|may not|requir\w+|deadline|due|closing|closes|effective|fees?|prices?|costs?|amount|appl(?:y|icants?|ications?)|filed|received|issued|enacted|adopted|approved|amended|hearings?|permit(?:s|ted)?|limit(?:s|ed)?|max(?:imum)?|minimum|capacity|per|between|before|each|at least|at most|up to|within|allowed|penalt(?:y|ies)|no longer|following|every|always|store|keep|discontinued|permanently"
    r"|frist(?:en)?|fällig|gültig|gebühr(?:en)?|muss|müssen|darf|dürfen|höchst\w*|mindest\w*|antr[aä]g\w*|je|pro|délais?|échéance|doi(?:t|vent)|frais|limites?|tarifs?|plazos?|límite|vigor|vigueur|debe[n]?|tasas?|precios?|scadenza|deve|devono|prazos?|taxas?|termijn(?:en)?|geldig|moet(?:en)?|tarie(?:f|ven)|kosten)\b|[%$€£§]",
    re.IGNORECASE,
)
"""What a fact has, so that a line with it is kept whatever else it has."""
TOPICS = (USED, WAIT, WEATHER, RATED, COOKIES, NEWSLETTER, MAINTENANCE, HOLIDAY, PROMOTES)
"""What a page may be about: below a heading with the same sign a line is no notice."""
KNOWN = (
    words.THIS
    | words.FEEDBACK
    | words.DATING
    | words.LOADING
    | words.TIMED_OUT
    | words.COUNTING
    | words.ANSWERS
    | SUBJECT
    | words_of(
        "or and our your the with about there here their data database hour hours more less ca etwa environ circa unas taken time temps tiempo tempo zeit tijd monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì giovedì venerdì sabato domenica feira segunda terça quarta quinta sexta maandag dinsdag woensdag donderdag vrijdag zaterdag zondag número numero numéro et von dans sur für",
        "ci ce cette mois",
    )
)
"""Words that say nothing of what a line is about."""

LEGAL = re.compile(
    r"contact(?: us)?|privacy(?: (?:policy|notice|statement))?|accessibility(?: statement)?|site ?map|site index|imprint|legal notices?|terms (?:of (?:use|service)|and conditions|& conditions)|disclaimer|cookies?(?: (?:policy|settings|notice|preferences))?|feedback|careers|about us|help(?: centre| center)?"
    r"|kontakt|impressum|datenschutz(?:erklärung|hinweise?)?|barrierefreiheit(?:serklärung)?|leichte sprache|gebärdensprache|nutzungsbedingungen|agb|erklärung zur barrierefreiheit"
    r"|nous contacter|plan du site|mentions légales|données personnelles|accessibilité(?: ?: ?[a-zà-ÿ ]{3,30})?|politique de confidentialité|cgu|gestion des cookies|contacts?"
    r"|contacto|contáctenos|aviso legal|mapa (?:del sitio|web|do site)|accesibilidad|(?:política de )?privacidad|política de cookies"
    r"|contatti|note legali|informativa (?:sulla )?privacy|accessibilità|dichiarazione di accessibilità|mappa del sito|contacto|contactos|contato|acessibilidade|termos (?:de uso|e condições)|política de privacidade"
    r"|toegankelijkheid(?:sverklaring)?|privacy(?:verklaring)?|proclaimer|colofon|sitemap",
    re.IGNORECASE,
)
"""The links at the foot of each page of a site."""

LISTS = words_of(
    "list saved favourites favorites bookmarks watchlist basket cart bag compare comments discuss reply replies share shares listen notifications merkzettel merkliste liste warenkorb vergleich favoriten kommentare favoris panier commentaires lista favoritos cesta carrito comentarios preferiti carrello commenti carrinho comentários lijst favorieten winkelmand reacties"
)
BESIDE_LISTS = words_of(
    "my your to save items add meine mein zur mes ma mi mis a i miei mia minha meus mijn op"
)

COMMANDS = words_of(
    "copy print share save download export email e-mail send listen cite open view edit translate bookmark follow report suggest expand collapse show hide",
    "zoom read tweet watch flag star improve discuss browse switch kopieren drucken teilen speichern herunterladen senden vorlesen zitieren öffnen anzeigen",
    "bearbeiten übersetzen merken melden copier imprimer partager enregistrer télécharger envoyer écouter citer ouvrir afficher modifier traduire signaler",
    "copiar imprimir compartir guardar descargar enviar escuchar citar abrir ver editar traducir denunciar compartilhar partilhar salvar guardar baixar",
    "ouvir traduzir copia stampa condividi salva scarica invia ascolta cita apri visualizza modifica traduci segnala kopieer kopiëren afdrukken delen",
    "opslaan downloaden versturen luisteren openen bekijken bewerken vertalen",
)
"""Verbs of buttons."""
OBJECTS = words_of(
    "page article link url section markdown text citation clipboard website site topic post chatgpt claude ai assistant",
    "image seite artikel link abschnitt text quelle quelltext beitrag zwischenablage page article lien section texte presse-papiers",
    "página artículo enlace sección texto fuente portapapeles artigo ligação secção seção pagina articolo link sezione testo fonte appunti artikel",
    "koppeling sectie tekst bron klembord",
)
BESIDE_COMMANDS = words_of(
    "this a as to for on in or and with your my all us by via github gitlab history full large print-friendly friendly diese dieser diesen den",
    "als in an auf per ce cet cette en comme à au par esta este como en al por a o esta este esse essa questa questo l",
    "come in su per deze dit als op naar via",
)

CONSENTS = words_of(
    "accept decline reject agree allow deny akzeptieren ablehnen zustimmen accepter refuser aceptar rechazar accetta accetto rifiuta rifiuto aceitar rejeitar accepteren weigeren"
)
BESIDE_CONSENTS = words_of(
    "all cookies cookie settings manage preferences only necessary essential more learn options close ok and or i do not alle nur notwendige einstellungen und tout tous les personnaliser todas las solo necesarias configurar tutti i solo necessari personalizza tudo todos apenas necessários alleen noodzakelijke instellingen"
)
RELATING = words_of(
    "related similar recommended popular trending suggested also others ähnliche ähnlicher verwandte empfohlene beliebte auch andere similaires connexes associés associées recommandés populaires également aussi",
    "relacionados relacionadas similares recomendados recomendadas populares también correlati correlate simili consigliati consigliate popolari anche semelhantes também gerelateerde vergelijkbare aanbevolen populaire ook",
)
BESIDE_RELATING = words_of(
    "articles article stories posts post pages page topics topic news guides guide content reading reads items products services videos jobs questions threads discussions courses events",
    "and or of on in the this these our your you may might could be interested like liked want to from for more other people readers visitors users customers who viewed read looked at searched most top right now today week month here site",
    "artikel beiträge themen seiten meldungen nachrichten inhalte für sie dich das könnte interessieren interessant lesen lasen leser nutzer haben angesehen diese woche",
    "pages contenus sujets actualités à lire vous pourriez aimer intéresser les lecteurs ont lu consulté ces cette semaine",
    "artículos noticias páginas temas contenidos te le puede interesar otros lectores leyeron esta semana más articoli notizie pagine argomenti contenuti potrebbe interessarti altri lettori hanno letto",
    "artigos notícias conteúdos assuntos pode interessar outros leitores leram artikelen berichten onderwerpen pagina lezers lazen anderen interessant voor u",
)

NAME_PARTS = re.compile(r"[A-Z]+(?![a-zà-ÿ])|[A-ZÀ-Ý]?[a-zß-ÿ]+|\d+")
MADE = words_of(
    "generated rendered retrieved fetched served cached queried exported synced crawled processed computed snapshot timestamp horodatage zeitstempel tijdstempel marca erzeugt generiert abgerufen abruf abfrage exportiert généré générée genere generee consulté consulte exporté exporte extrait generado consultado exportado extraido extraído generato consultato esportato estratto gerado gegenereerd opgehaald geraadpleegd geëxporteerd request trace correlation session query response nonce requête requete anfrage solicitud richiesta pedido sesion sesión sessione sessão sessie sitzung"
)
BESIDE_MADE = words_of(
    "at on by last date time datetime utc iso ms epoch id uuid the of server api job run build datum zeit zeitpunkt am uhrzeit heure le la du de fecha hora el en ora data il em tijd op temps tiempo tempo"
)
MOMENT = re.compile(
    r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)? ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})?|1[5-9]\d{8}(?:\d{3}|\.\d{1,6})?"
    r"|(?:[A-Z][a-z]{2}, )?\d{1,2}[ ./-](?:[A-Z][a-z]{2}|\d{1,2})[ ./-]\d{4},? \d{2}:\d{2}(?::\d{2})?(?: ?(?:[A-Z]{2,4}|[+-]\d{4}))?"
)
"""A time to the minute, or in seconds since 1970: the value of a field that says when."""

TURNS = re.compile(
    r"(?:[«‹<←] ?)?(?:prev(?:ious)?|next|zurück|weiter|vorherige[rs]?|nächste[rs]?|précédente?|suivante?"
    r"|anterior|siguiente|próxim[oa]|seguinte|precedente|successiv[oa]|vorige|volgende)"
    r"(?: (?:page|article|topic|chapter|post|section|seite|kapitel|thema|página|pagina|artículo|artigo|capitolo|pagina))?"
    r" ?(?:[:»›>→-] ?.{0,160})?",
    re.IGNORECASE,
)
"""What the text of a link to the next page begins with."""
