# ruff: noqa: E501
"""What asides of a site say: about this moment, this reader, its own machine, or another page.

In English, German, French, Spanish, Italian, Portuguese and Dutch, as ``visit_words``.
"""

from __future__ import annotations

import re

from wikicrawler.sources.changes.furniture_words import words_of


def _all(*parts: str) -> str:
    return "|".join(parts)


def _words(*stems: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_all(*stems)})", re.IGNORECASE)


GREETING = re.compile(
    _all(
        r"(?:hello|hi|good (?:morning|afternoon|evening|day)|welcome(?: back)?|have a (?:nice|good|great) (?:day|week|weekend|evening))",
        r"guten (?:morgen|tag|abend)|hallo|(?:herzlich )?willkommen|einen? schönen? (?:tag|abend|woche|wochenende)|bonjour|bonsoir|bienvenue|bonne (?:journée|soirée|semaine)",
        r"buenos días|buenas (?:tardes|noches)|bienvenid[oa]s?|buon ?giorno|buona ?(?:sera|giornata|serata)|benvenut[oi]",
        r"bom dia|boa (?:tarde|noite)|bem-?vind[oa]s?|goede(?:n)? ?(?:morgen|middag|dag|avond)|welkom",
    ),
    re.IGNORECASE,
)
"""How a site greets, which says nothing more."""
TIP = re.compile(
    r"(?:(?:our |a )?(?:tip|hint|advice|reminder)|(?:unser )?(?:tipp|hinweis)|(?:notre )?(?:astuce|conseil)|consejo|consiglio|conselho|dica) ?: ?\S",
    re.IGNORECASE,
)
"""A tip, which is the text of a guide unless it stands beside an aside."""
IT_IS = re.compile(
    r"(?P<day>today(?:'s date)? is|heute ist(?: es)?|wir haben heute|(?:aujourd'hui,? )?nous sommes|aujourd'hui,? c'est|hoy es|estamos a|oggi è|hoje é|vandaag is(?: het)?)(?!\w)"
    r"|(?:it is(?: now)?|it's(?: now)?|the time(?: now)? is|(?:the )?(?:current|local) (?:date and )?time is|(?:jetzt ist es|es ist(?: jetzt| nun)?)|il est(?: maintenant)?|(?:ahora )?(?:son las|es la)|(?:adesso |ora )?(?:sono le|è l)|(?:agora )?são|het is(?: nu)?)(?!\w)",
    re.IGNORECASE,
)
"""What a sentence begins with that says what day or what time it is."""
BESIDE_TIME = words_of(
    "the on at now and of in monday tuesday wednesday thursday friday saturday sunday der den um uhr und es montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag le la les et il est à heures lundi mardi mercredi jeudi vendredi samedi dimanche",
    "el las los y son a de del día lunes martes miércoles jueves viernes sábado domingo e ore alle sono lunedì martedì mercoledì giovedì venerdì sabato domenica segunda terça quarta quinta sexta feira às horas en het om maandag dinsdag woensdag donderdag vrijdag zaterdag zondag am pm est edt et ct pt utc gmt cet",
)
PLACE = re.compile(
    r" (?:in|at|à|en|a|te) [A-ZÀ-Ý][\w.'-]{1,25}(?:,? [A-ZÀ-Ý][\w.'-]{0,25}){0,3}(?=$| )"
)
"""Where it is that time."""
LENGTH = re.compile(
    r"\b(?:in|noch|dans|en|tra|fra|em|over|faltan|quedan|restano|mancano|faltam|nog|left:?|remaining:?) "
    r"(?:(?:\d{1,3} ?(?:d(?:ays?)?|tage?n?|jours?|j|días?|giorni|dias?|dagen)[ ,]{1,2})?\d{1,2} ?(?:h|hrs?|hours?|std\.?|stunden?|heures?|horas?|ore|uur)[ ,]{1,2}\d{1,2} ?(?:m|min\.?|minutes?|minuten|minutos?|minuti)|\d{1,2}:\d{2}:(?!00)\d{2})(?!\w)",
    re.IGNORECASE,
)
"""A time from now to the minute, which is a rule unless it stands beside an aside."""
COUNTS_DOWN = _words(
    r"(?:clos(?:es|ing)|ends?|ending|opens?|starts?|begins?|expires?|left|remaining)\b|(?:schließt|öffnet|endet|beginnt|noch)\b|(?:ferme|ouvre|se termine|commence|reste)\b",
    r"(?:cierra|abre|termina|empieza|faltan|quedan)\b|(?:chiude|apre|finisce|inizia|mancano)\b|(?:fecha|começa|faltam)\b|(?:sluit|opent|eindigt|begint|nog)\b",
)
OBLIGES = _words(
    r"(?:must|shall|within|may not|muss|müssen|doit|doivent|debe|deben|deve|devono|devem|moet|moeten)\b"
)
OPEN_COUNT = re.compile(
    r"(?:open|aperti|aperte|geöffnet|ouverts?|ouvertes?|abiert[oa]s|abert[oa]s)\b[^|]{0,40}: ?\d{1,4} (?:of|out of|su|von|sur|de|di|van) \d{1,4}",
    re.IGNORECASE,
)
"""How many offices are open."""
BUSY = re.compile(
    r"(?:(?:our |the |all )?(?:phone )?(?:lines?|agents|advisers|advisors) (?:are|is) (?:currently |now |very )*(?:busy|busier)[^.!?]{0,40}|(?:windows?|counters?|desks?|schalter|guichets?|ventanillas?|sportelli) (?:open|geöffnet|ouverts?|abiertas?|aperti):? [\d, andundety]{1,40})",
    re.IGNORECASE,
)
"""That lines are busy, or which windows are open, beside an aside."""
HERE = re.compile(
    r"\b(?:from|on|desde|depuis|von|auf|an|da|a partir de) (?:this|este|cet?|diese[mr]|questo|deze) (?:computer|device|host|machine|workstation|equipo|dispositivo|ordenador|poste|ordinateur|appareil|gerät|rechner|terminal)\b",
    re.IGNORECASE,
)
"""The machine of the reader."""
SITE_COUNT = re.compile(
    r"(?:(?:this|the) (?:wiki|web ?site|site|forum|portal) (?:now |currently )?(?:has|contains|hosts)|dies(?:es|e) (?:wiki|website|portal|forum) (?:hat|enthält)|ce (?:wiki|site|forum) (?:a|contient|compte)|est[ea] (?:wiki|sitio|foro) (?:tiene|contiene)|questo (?:wiki|sito) (?:ha|contiene)|dit (?:wiki|forum) (?:heeft|bevat)|deze (?:wiki|site) (?:heeft|bevat))"
    r"(?: (?:now|currently|zurzeit|derzeit|aktuell|actuellement|actualmente|attualmente|momenteel|nu))? \d[\d,. ]{0,12} (?:articles?|pages?|entries|topics|posts|members|artikel|seiten|beiträge|mitglieder|páginas|artículos|pagine|articoli|voci|pagina's)",
    re.IGNORECASE,
)
"""How large the site is."""
NAMED_SPEAKER = re.compile(
    r"(?:[^\"]{0,40}: ?)?\"[^\"]{5,160}\" ?[-–—]{0,2} ?,? ?[A-ZÀ-Ý][a-zà-ÿ]{1,15} [A-ZÀ-Ý]\.(?:, [A-ZÀ-Ý][\w .'-]{1,40})?"
)
"""What a customer says, whose surname has one letter."""
SURVEY = re.compile(
    r"(?:please )?(?:take|answer|complete) (?:our|this|a) [\w -]{0,30}\b(?:survey|poll|questionnaire)\b[^.|:]{0,50}",
    re.IGNORECASE,
)
POLL = re.compile(
    r"(?:poll|quick poll|umfrage|sondage|encuesta|sondaggio|enquete|peiling)\b[^:?]{0,30}: ?[^?]{5,120}\?(?: ?[^\W\d_]{2,12}[: ]{1,2}\d{1,3} ?%,?){1,5}",
    re.IGNORECASE,
)
"""A question to visitors, with their answers until now."""
NUMBERED_TIP = re.compile(
    r"(?:tip|tipp|fact|hint|astuce|conseil|consejo|consiglio|dica|did you know) \d{1,4} (?:of|/|von|de|sur|di|van) ?\d{1,4} ?: ?\S",
    re.IGNORECASE,
)
PARTNER = re.compile(
    r"(?:(?:our )?partners? (?:offer|deal|message)s?|(?:offer|deal)s? (?:of|from) (?:our )?partners?|partner-?angebot|angebote? unsere[rs] partners?|offres? (?:de (?:nos|notre) )?partenaires?|ofertas? de (?:nuestros? )?(?:socios?|colaborador(?:es)?)|offert[ae] (?:dei nostri )?partner|ofertas? dos (?:nossos )?parceiros) ?: ?\S",
    re.IGNORECASE,
)
MOST_USED = re.compile(
    r"(?:(?:most|top) (?:asked|viewed|read|searched|visited|downloaded|clicked|popular)(?: [a-z]{3,12})?|(?:[a-zà-ÿ]{3,14} )?(?:más (?:vistas?|leíd[oa]s|consultad[oa]s|buscad[oa]s|vistos)|più (?:lett[ie]|cercat[ie]|vist[ie]|consultat[ie])|mais (?:lid[oa]s|vist[oa]s|procurad[oa]s))|(?:les )?(?:plus|pages les plus) (?:lus|lues|consultée?s|recherchée?s)|meist(?:gelesen|gesucht|geklickt|gefragt)\w*|am häufigsten (?:gesucht|gelesen|gefragt)|meest (?:gelezen|gezocht|bekeken))"
    r"(?: (?:today|now|this (?:week|month)|heute|diese woche|aujourd'hui|cette semaine|hoy|esta semana|oggi|questa settimana|hoje|vandaag|deze week))?",
    re.IGNORECASE,
)
"""A label of what visitors look for, which no document has."""
OPEN = re.compile(
    _all(
        r"(?:we|the office|our office|this office|the branch|this branch|the desk|the phone lines?|our lines?|they) (?:are|is) (?:now |currently )?(?:open|closed)(?: right now| now| today| at the moment| until \d[^|]{0,20})*",
        r"(?:open|closed)(?: now| right now| today| tonight| at the moment)(?: (?:until|till|from) \d[^|]{0,20})?",
        r"(?:wir haben |(?:die|unsere) \w{3,20} (?:ist|hat) )?(?:jetzt|heute|gerade|momentan) (?:bis \d[^|]{0,12} )?(?:geöffnet|geschlossen|offen)",
        r"(?:nous sommes |(?:l'|le |la )\w{3,20} est )?(?:actuellement )?(?:ouverte?|fermée?)s?(?: actuellement| maintenant| en ce moment| aujourd'hui)(?: jusqu'à \d[^|]{0,12})?",
        r"(?:estamos |(?:la|el) \w{3,20} está )?(?:abiert[oa]s?|cerrad[oa]s?) (?:ahora|hoy|en este momento)(?: hasta[^|]{0,20})?|(?:ahora|hoy) (?:está |estamos )?(?:abiert|cerrad)[oa]s?",
        r"(?:siamo |(?:lo|la|il) \w{3,20} è )?(?:apert[oai]|chius[oaie]) (?:ora|adesso|oggi|in questo momento)(?: fino[^|]{0,20})?|(?:estamos )?(?:abert|fechad)[oa]s? (?:agora|hoje)|(?:we zijn )?(?:nu|vandaag) (?:geopend|gesloten|open)",
    ),
    re.IGNORECASE,
)
"""Whether an office is open now; what day it closes is a fact."""

TODAY = _words(
    r"(?:today|tonight|right now|at (?:the|this) moment|this (?:hour|minute|morning|afternoon|evening|week|month)|so far)\b",
    r"(?:heute|zurzeit|momentan|im moment|aktuell|derzeit|gerade|in dieser (?:stunde|minute|woche)|diese (?:stunde|woche)|diesen monat)\b",
    r"(?:aujourd'hui|actuellement|en ce moment|cette (?:heure|semaine)|ce mois(?:-ci)?)\b|(?:hoy|ahora(?: mismo)?|en este momento|actualmente|esta (?:hora|semana)|este mes)\b",
    r"(?:oggi|adesso|in questo momento|attualmente|quest'ora|questa settimana|questo mese)\b|(?:hoje|agora|neste momento|esta semana|este mês)\b|(?:vandaag|nu|momenteel|deze (?:week|maand))\b",
)
"""A span of time that the moment of the visit ends."""
NOW = re.compile(
    r"\b(?:right now|now(?= ?[:;,]|$)|at (?:the|this) moment|currently|current|live|real[ -]?time)\b|^now:"
    r"|\b(?:jetzt(?= ?[:;,]|$)|zurzeit|momentan\w*|im moment|aktuell\w*|derzeit\w*|gerade|actuel\w*|en ce moment|en direct|temps réel|en este momento|actual(?:mente|es)?|en directo|en vivo|tiempo real|adesso|in questo momento|attual\w*|in diretta|tempo reale|neste momento|atual(?:mente)?|momenteel|actuele|huidige)\b",
    re.IGNORECASE,
)
SERVED = _words(
    r"(?:callers?|assistants?|chatbot)\b|(?:answered|assisted|chatted|(?:are |is )(?:editing|asking|calling|waiting|reading)|questions answered|in (?:the )?(?:queue|line)|(?:are|is) (?:now )?(?:chatting|helping|assisting)|on hold|on (?:the )?(?:site|page|line))\b",
    r"anrufer|beantwortet|bedient\b|warteschlange|warteschleife|in der leitung\b|(?:appelants?|conseiller virtuel|assistante? virtuel(?:le)?)\b|(?:a|ont|avons) répondu|(?:en|d')(?: |)attente\b",
    r"(?:hemos|ha) (?:atendid|respondid|contestad)\w+|llamadas en|en (?:la )?cola\b|en espera\b|asistente virtual|(?:abbiamo|ha) (?:rispost|servit)\w+|chiamate in|in (?:coda|attesa)\b|assistente virtuale",
    r"(?:atendemos|respondemos)\b|na fila\b|bellers\b|wachtenden\b|beantwoord\b|in de (?:wachtrij|wacht)\b",
)
"""That a site serves those who ask now, or who waits for it."""
AS_OF = re.compile(
    r"\b(?:as of|as at|at|stand|um|à|vers|a las?|alle|às|om|per)[: ]{1,2}(?P<clock>\d{1,2}(?:[:.h]\d{2})? ?(?:a\.?m\.?|p\.?m\.?|uhr|h|uur|noon)(?!\w)|\d{1,2}[:h]\d{2}(?![\d:]))",
    re.IGNORECASE,
)
"""The clock time at which a line was true, without a date."""
CONDITIONS = _words(
    r"(?:storms?|hurricanes?|atlantic|tides?|waves?|surf|river (?:level|stage)|snow(?:fall)?|air quality|aqi|pollen|uv(?: index)?|wildfires?|fires? nearby|earthquakes?|power outages?|alerts? nearby)\b",
    r"(?:traffic|travel times?|congestion|delays?|bridge (?:is )?(?:open|clear)|lanes?|incidents?|parking (?:spaces|spots)|spaces (?:free|left)|departures?|buses|trains?|ferr(?:y|ies)|flights?)\b",
    r"(?:unwetter|sturm|pegel|luftqualität|pollenflug|verkehr(?:slage)?|stau|verspätung\w*|parkplätze|abfahrt\w*|baustelle)\b|(?:tempête|orage|marée|qualité de l'air|trafic|circulation|bouchons?|retards?|places libres|départs?)\b",
    r"(?:tormenta|marea|calidad del aire|polen|tráfico|atascos?|retrasos?|plazas libres|salidas?)\b|(?:tempesta|marea|qualità dell'aria|pollini|traffico|code|ritardi|posti liberi|partenz[ae])\b",
    r"(?:tempestade|maré|qualidade do ar|trânsito|atrasos?|lugares livres|partidas?)\b|(?:storm|waterstand|luchtkwaliteit|verkeer|files?|vertraging(?:en)?|vertrek)\b",
)
"""Weather, traffic and the like, as they are at this moment."""

_QUESTION = r"(?:(?:reader |customer )?questions?|polls?|surveys?|quiz(?:zes)?|riddles?|facts?|jokes?|quotes?|words?|photos?|pictures?|images?|recipes?|stor(?:y|ies)|videos?|books?|frage|leserfrage|umfrage|rätsel|zitat|wort|foto|bild|rezept|buch|fakt|question|sondage|photo|recette|citation|mot|image|livre|pregunta|encuesta|receta|frase|palabra|imagen|libro|domanda|sondaggio|ricetta|citazione|parola|immagine|libro|pergunta|enquete|receita|dica|vraag|peiling|recept|citaat|woord)"
_BROADCAST = r"(?:podcasts?|episodes?|videos?|live ?streams?|broadcasts?|blog(?: posts?)?|tweets?|recipes?|photos?|stories|newsletters?|folge|sendung|podcastfolge|blogbeitrag|rezept|épisode|vidéo|émission|billet|recette|episodio|vídeo|receta|puntata|ricetta|episódio|receita|aflevering|filmpje|recept)"
_EVENT = rf"(?:webinars?|trainings?|class(?:es)?|workshops?|seminars?|lessons?|courses?|schulung|kurs|seminar|vortrag|formation|atelier|cours|seminario|taller|curso|corso|laboratorio|oficina|cursus|{_QUESTION}|{_BROADCAST})"
OF_PERIOD = re.compile(
    rf"\b{_QUESTION}\b.{{0,20}} (?:of the (?:hour|day|week|month)|des (?:tages|monats)|der woche|du (?:jour|mois)|de la semaine|del (?:día|giorno|mese|mes)|della settimana|do (?:dia|mês)|da semana|van de (?:dag|week|maand))$",
    re.IGNORECASE,
)
NEWEST = re.compile(
    rf"\b(?:newest|latest|new|just (?:published|added)|neueste[rsn]?|neue[rs]?|aktuelle[rs]?|dernier|dernière|nouvel(?:le)?|nouveau|últim[oa]s?|nuev[oa]s?|ultim[oa]|nuov[oa]|nov[oa]|nieuwste|laatste|nieuwe) (?:\w{{2,20}} )?{_BROADCAST}$",
    re.IGNORECASE,
)
OF_TODAY = re.compile(
    rf"\b(?:(?:today's|tonight's|this week's|heutiger?s?) (?:\w{{2,20}} )?{_EVENT}|{_EVENT} (?:heute|d'aujourd'hui|de hoy|di oggi|de hoje|van vandaag))$",
    re.IGNORECASE,
)
APPOINTMENT = re.compile(
    r"\b(?:next|earliest|first|soonest|nächste[rs]?|frühester?|prochaine?|premier|próxim[oa]|primer[oa]?|prossim[oa]|prim[oa]|volgende|eerstvolgende|eerste) (?:(?:free|available|open|freier?|disponible|libre|disponibile|libero|disponível|beschikbare|vrije) ){0,2}"
    r"(?:appointment|slot|departure|termin|abfahrt|rendez-vous|créneau|départ|cita|turno|salida|appuntamento|partenza|marcação|vaga|partida|afspraak|vertrek)(?: (?:available|disponible|libre|disponibile|disponível))?$",
    re.IGNORECASE,
)
"""Labels of slots that have another content soon, up to their colon."""
SLOT = re.compile(
    _all(
        r"did you know\b|fun fact|(?:quick |online |reader )?(?:poll|quiz|trivia) ?[:?!]|our (?:latest |new |own )?(?:podcast|blog|magazine|video|channel)s?\b[^:]{0,30}:|(?:reader|customer|listener|user) (?:question|comment|story|tip|quote|voice)s?\b|on this day\b|now (?:playing|on air|streaming)\b|question of the (?:day|week|month)|what our (?:readers|customers|users|members) say",
        r"wussten sie(?: schon)?|schon gewusst|gewusst\b|leserfrage|(?:online-?|leser-?)?umfrage ?:|unser (?:neuer? )?(?:podcast|blog|magazin|video|kanal)\b[^:]{0,30}:|frage (?:des (?:tages|monats)|der woche)|jetzt (?:im radio|auf sendung)|le saviez-vous|sondage ?:|notre (?:nouveau )?(?:podcast|blog|magazine)\b[^:]{0,30}:|question (?:du jour|du mois|de la semaine)",
        r"¿?sabías? (?:usted )?que|¿?sabía usted|encuesta\b|pregunta (?:del (?:día|mes)|de la semana)|lo sapevi|sapevi che|lo sapevate|sondaggio ?:|il nostro (?:podcast|blog)\b[^:]{0,30}:|domanda (?:del (?:giorno|mese)|della settimana)",
        r"sabia que|você sabia|(?:enquete|sondagem) ?:|pergunta d[oa] (?:dia|semana|mês)|wist u dat|wist je dat|(?:poll|peiling|stelling) ?:|vraag van de (?:dag|week|maand)",
    ),
    re.IGNORECASE,
)
"""The label of a slot whose content has nothing to do with the page."""
OF_APP = re.compile(
    r"(?:(?:get|try|download|install|discover|meet|use) (?:our|the) (?:new |free |mobile )*app|our (?:new |free |mobile )*app\b|(?:holen sie sich|laden sie|jetzt) (?:unsere |die )?(?:neue |kostenlose )?app|unsere (?:neue |kostenlose )?app\b|(?:téléchargez|découvrez) (?:notre|l') ?(?:nouvelle )?appli|notre appli|(?:descarg[au]e|prueb[ae]) nuestra app|nuestra app\b|scarica (?:la nostra |l')app|la nostra app\b|(?:baixe|descarregue|experimente) (?:a nossa |o nosso )?app|download onze app|onze app\b)",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(
    _all(
        r"(?:also )?read (?:also|next|more|on)|also (?:interesting|of interest|read|on this site|in the news)|(?:up|coming) next|(?:more )?from (?:our|the) (?:blog|archive|archives|partners?|shop|sponsors?|magazine|podcast)|more (?:news|stories)|in other news|you may (?:also )?(?:like|be interested in)|(?:popular|trending) (?:searches|right now|now|today)|hot topics?|editor'?s'? (?:pick|choice)s?|(?:our )?partners? (?:offer|content|message)s?|offers? (?:of|from) (?:our )?partners?|sponsored (?:content|post|by)|message from our (?:sponsor|partner)s?",
        r"lesen sie (?:auch|weiter)|auch (?:interessant|lesenswert)|mehr zum thema|mehr aus(?: unserem)? (?:blog|magazin)|beliebte suchen|meistgesucht|angebote? unsere[rs] partners?|partner-?angebot|aus unserem (?:blog|magazin|shop|archiv)|im (?:fokus|rampenlicht)",
        r"(?:à )?(?:lire|voir) (?:aussi|également)|à découvrir(?: aussi)?|offres? (?:de (?:nos|notre) )?partenaires?|contenu sponsorisé|recherches populaires|sur notre blog",
        r"l[ée]a(?:se)? también|lee también|te puede interesar|le puede interesar|también te interesa|ofertas? de (?:nuestros? )?(?:socios?|colaborador(?:es)?)|búsquedas populares|lo más (?:leído|buscado)|en nuestro blog",
        r"leggi anche|in (?:primo piano|evidenza)|da non perdere|potrebbe interessarti|offert[ae] (?:dei nostri )?partner|ricerche popolari|i più (?:letti|cercati)|dal nostro blog|leia também|veja também|pode interessar|ofertas? dos (?:nossos )?parceiros|lees ook|ook interessant|aanbieding van onze partners?|uit onze blog",
    ),
    re.IGNORECASE,
)
"""A label before the title of another page, or before an offer."""
ANOTHER = re.compile(
    r"(?:select|choose|pick|see|view|change to|switch to) (?:another|a different|other) (?:areas?|pages?|cit(?:y|ies)|towns?|count(?:y|ies)|states?|regions?|countr(?:y|ies)|languages?|locations?|branch(?:es)?|offices?|topics?|categor(?:y|ies)|editions?|stations?|providers?):"
    r"|(?:andere|weitere|wählen sie eine?n? andere[ns]?) (?:orte?|städte|gemeinden?|seiten?|regionen|länder|land|sprachen?|themen|standorte?)(?: wählen)?:|(?:choisir|choisissez|voir) (?:une? autre|d'autres) (?:villes?|communes?|pages?|régions?|pays|départements?|sujets?):"
    r"|(?:elija|seleccione|elegir|ver) otr[oa]s? (?:ciudad(?:es)?|municipios?|páginas?|provincias?|regi[oó]n(?:es)?|país(?:es)?|temas?):|(?:scegli|seleziona|vedi) (?:un'?altr[oa]|altr[ie]) ?(?:città|comun[ei]|pagin[ae]|region[ei]|paes[ei]|tem[ai]):|(?:escolha|selecione|ver) outr[oa]s? (?:cidades?|páginas?|regi(?:ão|ões)|temas?):|kies (?:een )?andere? (?:stad|gemeente|pagina|regio|land|taal|onderwerp):",
    re.IGNORECASE,
)
"""A list of the other places or pages that the same form gives."""
IP = re.compile(
    r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]|/\d)|\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f:]{1,40}",
    re.IGNORECASE,
)
READER = re.compile(
    r"\b(?:your|you|ihre?|sie|votre|vous|su|tu|usted|tuo|tua|suo|sua|seu|você|uw|u)\b[^.:]{0,40}\b(?:address|ip|connected|connecting|visiting|browsing|ip-?adresse|adresse(?: ip)?|verbunden|connecté|dirección(?: ip)?|conectad[oa]|indirizzo(?: ip)?|conness[oa]|endereço(?: ip)?|ligad[oa]|ip-adres|verbonden)\b[^.:]{0,30}(?: is| ist| est| es| è| é| from| von| depuis| desde| da| van| lautet|:) ?$",
    re.IGNORECASE,
)
"""What stands before the network address of the reader."""
CONFIGURES = _words(
    r"(?:dns|server|gateway|router|static|default|printer|proxy|mail|configure|set|enter)\b"
)
NEAREST = re.compile(
    r"\b(?:near(?:est)? (?:to )?you|closest to you|your (?:nearest|closest|local)|in ihrer nähe|ihr\w* nächst\w*|près de chez vous|(?:la |le )?plus proches? de (?:vous|chez vous)|más cercan[oa]|cerca de usted|più vicin[oa] a (?:te|lei)|mais próxim[oa] de si|bij u in de buurt|dichtstbijzijnde)\b",
    re.IGNORECASE,
)
QUOTA = re.compile(
    r"\byou are (?:our |the )\d[\d,.]{0,12}(?:st|nd|rd|th) visitor\b|\byou (?:have|can|may|are|'ve|ve)\b[^.|]{0,60}\b(?:more|left|remaining)\b[^.|]{0,30}\b(?:today|this (?:hour|day|week|month))\b|\byou are (?:our )?visitor (?:number|no\.?)|\byou have (?:read |used )?\d{1,3} (?:of (?:your )?\d{1,3} )?free (?:articles?|searches|downloads)\b"
    r"|\b(?:sie haben|sie können) (?:heute |diese woche )?noch\b[^.|]{0,60}\b(?:heute|diese woche|diesen monat|abfragen|artikel)\b|\bil vous reste\b[^.|]{0,60}\b(?:aujourd'hui|requêtes|articles)\b|\b(?:le|te) quedan\b[^.|]{0,60}\b(?:hoy|búsquedas|artículos)\b|\b(?:ti|le) restano\b[^.|]{0,60}\b(?:oggi|ricerche|articoli)\b|\bu heeft nog\b[^.|]{0,60}\b(?:vandaag|artikelen)\b",
    re.IGNORECASE,
)
"""What is left to this visitor today."""
_RUN = r"(?:export|query|print ?job|print-?out|session|trace|log ?entry|look-?up|report run|vorgangs?|abfrage|ausdruck|druckauftrag|sitzungs?|sesión|sessione|sessão|sessie|afdruk|visit)"
_NUMBER = r"[ -]?(?:id|identifier|reference|ref\.?|key|token|code|kennung|number|no\.?|nr\.?|n\.?[º°]|nummer|número|numéro|numero)"
_SUPPORT = r"(?:(?:reference|code|id|number) (?:for|of) (?:the )?(?:support|help ?desk|incident|error)|(?:support|incident|error|diagnostic|help ?desk) (?:reference|id|code|key)|referenz für (?:den )?support|référence (?:du |pour le )support|referencia (?:de|para) (?:el )?soporte|riferimento (?:per il )?supporto)"
JOB = re.compile(
    rf"(?:your |this |ihre? |votre |su )?(?:(?:{_RUN}{_NUMBER}|{_SUPPORT}) ?[:#=]? ?(?P<value>(?=[\w/.:-]{{0,60}}\d)[\w/.:-]{{5,60}})"
    rf"|{_RUN} (?P<other>(?=[\w/.-]{{0,60}}\d)[\w/.-]{{5,60}}) (?:was )?(?:answered|served|handled|processed|executed|beantwortet|traitée?|atendida|servita) (?:by|von|par|por|da|door) [^|.]{{1,40}})",
    re.IGNORECASE,
)
"""A run of a program, and the number of it."""
STAMP = re.compile(
    r"[-–—*# ]{0,4}(?:this (?:page|document|copy|sheet|report) (?:was )?)?(?:retrieved|plotted|printed|exported|generated|rendered|downloaded|produced|output|fetched|captured|dumped|converted|spooled|gedruckt|erstellt|ausgedruckt|geplottet|exportiert|imprimé|généré|édité|exporté|impreso|generado|exportado|stampato|generato|esportato|gerado|impresso|afgedrukt|gegenereerd)\b(?= .{0,60}\d{1,2}:\d{2})",
    re.IGNORECASE,
)
"""What a machine writes on what it puts out, with the time."""
BY_WHOM = re.compile(
    r" (?:by|via|on|from|using|with|at|von|auf|über|par|sur|depuis|por|en|desde|da|su|con|door|op) [A-Za-z][\w@.:/-]{1,40}(?: [\w-]{0,20}\d[\w-]{0,20})?(?: ?\([^()]{1,30}\))?(?=$| |[.,;])"
)
WEEKDAY_AND_YEAR = re.compile(
    r"\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} {1,2}\d{1,2} (?=\d{1,2}:\d{2})|(?<=:\d\d) (?:19|20)\d\d\b",
    re.IGNORECASE,
)
"""The parts of a date as the C library writes it, around its clock time."""
SOFTWARE = re.compile(
    r"(?:(?:this )?(?:site|web ?site|portal|cms|server|forum|catalog(?:ue)?|page|wiki) (?:software|version|release|engine|platform|template)|software (?:of|version of) (?:this|the) (?:site|portal|page)|(?:portal|web|seiten)-?software|version (?:du site|du portail|del sitio|del portal|del sito|do site)|logiciel du site|software (?:del sitio|del sito|do site))"
    r" ?[:#]? ?(?:[A-Za-z][\w+-]{0,24} ?){0,3}v?\d{1,5}(?:\.[\w-]{1,12}){0,5}(?: ?\([^()]{1,40}\))?",
    re.IGNORECASE,
)
"""The program of the site, with its version."""
SUM = re.compile(
    r"(?:sum|result|what is|how much is|solve|answer|captcha|robot|human|spam|security|ergebnis|summe|rechne|wie viel|was ist|combien|résultat|calcule\w*|résolvez|cuánto|resultado|suma|resuelva|quanto|risultato|somma|risolvi|hoeveel|bereken)\b[^|]{0,80}?"
    r"\b(?:\d{1,2}|[^\W\d_]{2,12}) ?(?:[+×*x−-]|plus|minus|times|und|mal|plus|moins|fois|más|menos|più|meno|per|mais) ?(?:\d{1,2}|[^\W\d_]{2,12})\b",
    re.IGNORECASE,
)
NUMERALS = words_of(
    "zero one two three four five six seven eight nine ten eleven twelve null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf un deux trois quatre cinq sept huit neuf dix onze douze uno dos tres cuatro cinco seis siete ocho nueve diez due tre quattro cinque sei sette otto nove dieci um dois três quatro sete oito dez een twee drie vijf zes zeven negen tien"
)
SUM_SIGN = re.compile(
    r"\b(\d{1,2}|[^\W\d_]{2,12}) ?(?:[+×*−=-]|plus|minus|times|mal|moins|fois|más|menos|più|meno|mais) ?(\d{1,2}|[^\W\d_]{2,12})(?= ?(?:$|[?=)\]:]| (?:is|are) required| eingeben| ist\b))",
    re.IGNORECASE,
)
"""A sum that keeps robots out, which ends its question."""
SERVING = re.compile(
    r"(?:.{0,60}\bnow (?:serving|calling)(?: ticket| number| no\.)?|(?:number|ticket)s? (?:called|served) last|last (?:number|ticket) (?:called|served)|zuletzt aufgerufen|dernier numéro appelé|último número llamado|ultimo numero chiamato|current (?:ticket|turn)|ticket now served|jetzt bedient|wir bedienen(?: gerade)?|aufgerufene (?:nummer|wartenummer)|numéro appelé|ticket (?:appelé|en cours)|turno (?:actual|en curso)|numero (?:servito|chiamato)|turno attuale|senha (?:atual|chamada)|nu aan de beurt)"
    r"(?:[^:|]{0,40}?[: #]{1,3})(?:no\.? |nr\.? |n[º°] ?)?[A-Z]{0,3}[- ]?\d{1,5}",
    re.IGNORECASE,
)
"""The number of a queue that is called now."""
MONEY = _words(
    r"(?:euros?|dollars?|pounds?|cents?|pence|francs?|pesos?|fines?|tolls?|rates?|zins\w*|bußgeld\w*|amendes?|multas?|multe|boetes?)\b"
)
STATE = _words(
    r"(?:light|heavy|moderate|slow|normal|busy|clear|free|open|closed|minutes?|min|delays?|level|index|systems?|miles|spaces|moving|dicht|zähfließend|frei|minuten|stau|fluide|dense|chargé|fluido|denso|lento|normale?|scorrevole|intenso|rustig|druk)\b"
)
"""How traffic or the weather is."""
TRADED = re.compile(
    r"\b(?:(?:euros?|dollars?|pounds?|sterling|yen|yuan|francs?|pesos?|libras?|sterlina|bitcoin|ether|dólar(?:es)?|dollaro|pfund|franken|livre) ?[/-] ?(?:euros?|dollars?|pounds?|sterling|yen|yuan|francs?|pesos?|dólar(?:es)?|dollaro|pfund|franken|livre)|(?:NYSE|NASDAQ|LSE|XETRA|Euronext|BME|Borsa)[: ]{1,2}[A-Z]{1,5}|(?:our )?(?:share|stock) price|aktie(?:nkurs)?|cours de l'action|précio de la acción|cotización|prezzo delle azioni|quotazione|aandelenkoers)\b",
    re.IGNORECASE,
)
ARROW = re.compile(r"[▲▼△▽↑↓⬆⬇]|[+−-]\d{1,3}[.,]\d{1,3} ?%")
"""How a quote of a market has moved."""
OF_MARKETS = words_of(
    "rates excha curre share stock marke quote kurse wechs devis aktie börse markt chang bours actio cours cambi divis bolsa cotiz accio borsa azion quota moeda ações koers beurs aande wisse"
)
"""The beginnings of the words of titles of documents about such prices."""
