# ruff: noqa: E501
"""The words of furniture in English, German, French, Spanish, Italian, Portuguese and Dutch.

Each set is closed: a line with another word is no furniture. So names of forms, acts, offices and
persons must not be added. Words are in small letters, and an apostrophe or a hyphen ends a word.
"""

from __future__ import annotations


def words_of(*texts: str) -> frozenset[str]:
    """Return the words of *texts*."""
    return frozenset(word for text in texts for word in text.split())


THIS = words_of("this these our diese dieser dieses diesen diesem unsere unser cette cet ce ces notre nos")  | words_of(
    "esta este estos estas nuestra nuestro questa questo queste questi nostra nostro essa esse nossa nosso deze dit onze"
)  # fmt: skip
PAGE = words_of(
    "page pages webpage site website article content topic documentation post seite webseite website internetseite artikel beitrag inhalt inhalte",
    "contenu article fiche página sitio contenido artículo pagina sito contenuto articolo conteúdo artigo sítio inhoud webpagina",
)
"""What a reader looks at: no name of a document."""
OPINED = PAGE | words_of(
    "information informations info answer answers section guide guidance tutorial video tool translation question questions result results help text service entry",
    "information informationen antwort abschnitt frage fragen anleitung hilfe text réponse informations rubrique guide aide question questions información respuesta apartado guía ayuda pregunta",
    "informazioni informazione risposta guida sezione domanda informação informações resposta guia seção ajuda pergunta informatie antwoord uitleg vraag onderwerp tekst",
)
HELP = words_of(
    "help helps helped helpful helping useful find found answer answered answers rate rating feedback improve improving think opinion wrong missing problem clear easy understand understandable satisfied like",
    "hilfreich fanden geholfen nützlich hilft beantwortet bewerten bewerten bewertung verständlich verbessern gefallen weitergeholfen zufrieden finden gefunden fehler rückmeldung meinung",
    "utile aidé aidée aider répondu trouvé trouver noter évaluer améliorer avis clair claire compréhensible satisfait satisfaite erreur satisfaisante",
    "útil útiles ayudado ayudó servido sirvió respondió respondido encontró encontrado encontrar valorar valora valore calificar califique mejorar opinión clara claro satisfecho resuelto resolvió",
    "utile utili aiutato servita servito risposto trovato trovare valuta valutare migliorare opinione chiara chiaro chiare soddisfatto risolto errore",
    "útil úteis ajudou ajudado respondeu encontrou avaliar avalie avaliação melhorar opinião clara claro satisfeito esclareceu resolveu",
    "nuttig geholpen helpt behulpzaam beantwoord gevonden vinden beoordeel beoordelen verbeteren duidelijk mening tevreden handig fout",
)
SOUGHT = words_of(
    "looking need needed want wanted searching expected sought suchten gesucht suchen brauchen cherchiez cherchez cherché recherchiez buscaba buscabas buscado necesitaba procurava procura precisava cercava cercavi cercato cerchi zocht gezocht zoekt nodig"
)
FOUND = words_of(
    "find found fanden gefunden finden trouvé trouver encontró encontrado encontraste encontrou trovato trovare gevonden vinden"
)
_BETWEEN = words_of(
    "able experience did do does was is are were have has had you your we us it in on of for to the a an what how would could can will be any anything there with from about or and here please out let know today so that very more much",
    "war ist sind hat haben sie ihnen ihre ihr die der das den dem was wie wir uns war waren auf für mit von zu und oder bitte ein eine hier etwas wonach sehr würden können bewerten ihnen dir du deine",
    "vous avez ont a été est ces ce qu que la le les l des de du t elle elles il ils sur votre vos nous dans pour et ou cela c était s en à une un y comment ici aidez jugez",
    "le te ha sido fue resultó es son resultado la el los las lo que qué de su tu usted con en para por nos cómo una un o y aquí resulta ayúdenos ha han era",
    "quanto ti le vi è stata stato sono state la il lo le gli l per che cosa quello di su tua sua come una un o ci ha hai avete era qui questa utile stati",
    "foi é são a o os as lhe para você que de sua seu em com como um uma ou e nos isto isso está estas achou esta",
    "heeft hebt u je was is waren de het een voor wat op van uw jouw naar met hoe we ons of en vond vindt zijn kunnen er kon deze bent",
)
ANSWERS = words_of(
    "yes no not really somewhat partly partially maybe thumbs up down helpful unhelpful useful very",
    "ja nein teilweise etwas nicht oui non partiellement sí si sì parcialmente sim não nao em nee deels gedeeltelijk niet",
)
"""Labels below a question for feedback."""
FOLLOW_UP = ANSWERS | words_of(
    "what went wrong could we improve how can tell us more why optional send submit cancel thank thanks you for your feedback"
)
FEEDBACK = THIS | OPINED | HELP | SOUGHT | FOUND | _BETWEEN | ANSWERS
HELPFUL = words_of(
    "helpful useful hilfreich nützlich utile utili útil útiles úteis nuttig behulpzaam"
)
HOW = words_of("how where wie wo comment où cómo dónde come dove como onde hoe waar")
RATES = words_of(
    "please bitte rate tell give leave send share report help bewerten bewertung helfen évaluez notez donnez aidez valore valora califique ayúdenos valuta aiutaci avalie ajude beoordeel help geef"
)
"""What begins an invitation to give feedback, which is no question."""
RATED = words_of(
    "rate rating feedback improve improving think wrong problem bewerten bewertung verbessern évaluez notez améliorer avis valore valora valorar califique mejorar valuta migliorare avalie melhorar beoordeel verbeteren"
)
THANKS = words_of("thank thanks you for your the feedback rating vote letting us know helping improve this page so much danke vielen dank für ihr ihre ihren bewertung rückmeldung merci de votre pour vos avis retour gracias por su tu sus comentarios opinión valoración grazie per il tuo suo obrigado pelo seu sua bedankt voor je uw")  # fmt: skip

DATED = words_of("updated update refreshed checked verified reviewed edited revised modified changed synced modification review revision") | words_of(
    "aktualisiert aktualisierung geprüft überprüft überarbeitet bearbeitet geändert änderung",
    "jour actualisée actualisé vérifiée vérifié révisée révisé modifiée modifié modification actualisation révision",
    "actualizada actualizado actualización actualizó revisada revisado revisión modificada modificado modificación editada",
    "aggiornata aggiornato aggiornati aggiornamento verificata verificato revisionata modificata modificato modifica revisione",
    "atualizada atualizado atualização revista revisto revisada alterada modificada modificado editada modificação",
    "bijgewerkt gewijzigd aangepast gecontroleerd herzien bewerkt wijziging update",
)  # fmt: skip
OF_LAWS = words_of(
    "changed revised revision geändert änderung modifié modifiée modification révisé révisée révision",
    "modificado modificada modificación modificata modificato modifica alterada modificação gewijzigd aangepast wijziging herzien",
)
"""What a law or a part of it is, too."""
PUBLISHED = words_of(
    "published posted added uploaded created submitted veröffentlicht erstellt eingestellt publiée publié ajouté publicada publicado pubblicata pubblicato gepubliceerd geplaatst"
)
LAST = words_of(
    "last latest recently zuletzt letzte letzter letztmals dernière dernier última último ultima ultimo laatst laatste"
)
_DATING = words_of(
    "the was were is has been most to on at of by date time and or as",
    "wurde wird am um uhr der die das vom von datum den vor seite",
    "mise mis à a été le la les l du de date de dernière le par une cette",
    "fue ha sido el la los se por vez de del a las fecha hora en las esta",
    "è stata stato il la lo l del della alle ore data al per volta di",
    "foi em às a o da do data de pela vez no na por",
    "is werd op het de van om uur datum voor door",
)
LOOSELY = words_of(
    "information informationen informations información informazioni informações informatie status data prices list table map feed schedule dashboard forecast daten preise données datos dati dados gegevens"
)
"""What may be updated some time ago, but has dates of its own."""
DATING = THIS | PAGE | DATED | PUBLISHED | LAST | _DATING | LOOSELY

LOADED = words_of(
    "loaded reloaded refreshed rendered served generated displayed built fetched retrieved created processed loading load render rendering generation geladen erzeugt generiert aufgebaut ausgeliefert abgerufen ladezeit chargée chargé affichée générée chargement cargada cargado generada carga caricata caricato generata caricamento carregada carregado gerada carregamento gegenereerd opgebouwd laadtijd opgehaald"
)
_LOADING = words_of("last the this was is in at on by from your you time local server cache cached it took web on for request host node with within und um am in von der die diese dieser wurde uhr à a été la le en cette las la el esta fue il è stata alle in questa às foi em a de om in werd is de op deze het uur duration dauer")  # fmt: skip
LOADING = THIS | PAGE | LOADED | _LOADING

SESSION = words_of(
    "session sitzung sesión sessione sessão sessie logged signed angemeldet abgemeldet"
)
YOURS = words_of("your you ihre sie votre su tu tua sua uw")
TIMED_OUT = SESSION | words_of(
    "minutes minuten minutos minuti seconds sekunden your the this will expire expires expiring time times out timeout end ends ending in at you be are have been automatically remaining left due to ihre die läuft ab endet in noch sie werden automatisch votre la expire expirera dans su tu la caduca caducará expira expirará en la tua sua scade tra scadrà a sua em uw verloopt over"
)

COUNTED = words_of("downloads download installs installations installationen installs stars forks dependent dependents dependants views pageviews hits plays clones pulls reads visits visitors followers likes upvotes watchers subscribers favourites favorites bookmarks shares impressions altmetric popularity klicks") | words_of(
    "aufrufe seitenaufrufe zugriffe abrufe téléchargements vues descargas visualizaciones visualizzazioni scaricamenti letture visualizações acessos transferências weergaven bezoeken"
)  # fmt: skip
"""What is counted while a page or a package is used."""
COUNTING = COUNTED | words_of(
    "weekly monthly daily yearly annual total all time overall last past this week month year day days today yesterday recent unique number of on count counter the in since github gitlab npm pypi crates docker hub page article story post package repository repositories packages projects used by active ever so far latest version release file video",
    "gesamt letzte letzten letzter woche monat tage tagen heute seit anzahl der im diese dieser seite wöchentliche monatliche tägliche",
    "total dernier dernière derniers mois semaine jours aujourd hui nombre de ce cette page hebdomadaires mensuels",
    "último última últimos últimas mes semana días hoy totales número esta página semanales mensuales del la",
    "ultimo ultima ultimi settimana mese giorni oggi totali totale numero di questa pagina settimanali mensili",
    "mês dias hoje últimos totais semanais mensais no na nesta afgelopen laatste week maand dagen vandaag totaal aantal",
)
RARE = words_of("dependent dependents dependants installs installations reads")
"""What a form may count, too, so only greater numbers are a counter's."""
VISITS = words_of("visits visitors subscribers bezoeken")
"""What offices count, too: people who came, or who ordered a paper."""
ASKING = FEEDBACK | RATES
THANKING = words_of("thank thanks danke vielen merci gracias grazie obrigado bedankt")
THANKED = words_of(
    "feedback rating vote know helping bewertung rückmeldung avis retour opinión valoración"
)
OF_VISIT = DATING | LOADING | TIMED_OUT
ANY = HELP | RATES | THANKING | SOUGHT | COUNTED | {"used"} | DATED | PUBLISHED | LOADED | SESSION
"""Words of which each line that is recognised by its words has one at least."""
