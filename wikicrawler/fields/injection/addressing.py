"""Phrases that address a model, in thirteen languages, and imitations of chat markup.

All patterns are linear (RE2). Those of phrases are for folded text
(:func:`wikicrawler.fields.evidence.folding.fold`): lower case, without markup, brackets and invisible
characters, ``'`` for each quotation mark.
"""

# ruff: noqa: E501 - tables of phrases

from __future__ import annotations

from typing import Any

import re2

_MODELS = (
    r"(?:ais?|a\.i\.|llms?|(?:large )?language models?|chat ?bots?|chatgpt|gpt|claude|gemini|copilot|"
    r"(?:ai|web|automated|virtual|digital|language|machine)[ -](?:agents?|assistants?|crawlers?|"
    r"models?|systems?|readers?|tools?|bots?|scrapers?|parsers?|extractors?)|"
    r"(?:data )?(?:extractors?|scrapers?|parsers?|summari[sz]ers?)|crawlers?|"
    r"(?:extraction|reading|answering|vision|summari[sz]ation) (?:models?|engines?|agents?)|"
    r"(?:machine|automated|automatic) (?:readers?|clients?|visitors?|processors?)|"
    r"automated (?:processing|extraction))"
)
_OLD = r"(?:previous|prior|preceding|above|earlier|foregoing|former|original|initial|system|your|other)"
_ORDERS = r"(?:instructions?|prompts?|directions|directives?|rules|guidelines|guidance|commands?|constraints)"
_IGNORE = r"(?:ignore|disregard|forget|discard|dismiss|abandon|set aside|pay no attention to)"
_SAY = r"(?:answer|respond|reply|say|report|state|output|return|extract|give|use|write|print)"
_DO = (
    rf"(?:{_SAY}|take|put|set|record|list|ignore|treat|prefer|replace|choose|quote|rank|recommend)"
)
_DE_ORDERS = r"(?:anweisung|instruktion|anordnung|regel|vorgabe|befehl|prompt)"
_DE_MODELS = r"(?:kis?\b|ki-|künstliche|sprachmodell|llm|chatbot|crawler|automatische)"
_FR_ORDERS = r"(?:instructions?|consignes?|directives?|règles|invites?)"
_FR_MODELS = (
    r"(?:ia\b|intelligences? artificielles?|modèles? de langage|llm|assistants? (?:ia|virtuel))"
)
_ES_ORDERS = r"(?:instrucci[oó]n(?:es)?|indicaciones|[oó]rdenes|reglas|directrices)"
_ES_MODELS = (
    r"(?:ias?\b|inteligencias? artificial|modelos? de lenguaje|llms?|asistentes? (?:de ia|virtual))"
)
_PT_ORDERS = r"(?:instruç(?:ão|ões)|instrucoes|orientações|regras|comandos|diretrizes)"
_PT_MODELS = (
    r"(?:ias?\b|inteligências? artificia|modelos? de linguagem|llms?|assistentes? (?:de ia|virtua))"
)
_IT_ORDERS = r"(?:istruzion[ei]|indicazioni|direttive|regole|comandi)"
_IT_MODELS = r"(?:ia\b|ai\b|intelligenz[ae] artificial[ei]|modell[oi] linguistic[oi]|llm|assistent[ei] (?:ia|ai|virtual))"
_RU_MODELS = r"(?:ии|ai|искусственн|языков|нейросет|чат-?бот|llm)"
_ZH_MODELS = r"(?:ai|人工智能|人工智慧|大?语言模型|大?語言模型|大模型|聊天机器人|llm)"
_JA_MODELS = r"(?:ai|人工知能|言語モデル|llm|チャットボット)"

_NL_MODELS = r"(?:ai\b|ai-|llm|taalmodel|chatbot|kunstmatige intelligentie)"
_AR_MODELS = r"(?:الذكاء الاصطناعي|ذكاء اصطناعي|نموذج لغوي|نموذج لغة|النماذج اللغوية|روبوت)"
_AR_ORDERS = r"(?:التعليمات|تعليمات|الأوامر|الاوامر|التوجيهات|القواعد|الإرشادات)"

STRONG = (
    rf"\b(?:{_IGNORE}|override|bypass|neglect|(?:do not|don't|stop) (?:follow|obey)(?:ing)?)"
    rf"\b[^.!?]{{0,30}}\b{_OLD} (?:[a-z]+ ){{0,2}}{_ORDERS}\b",
    rf"\b{_IGNORE} (?:all|any|every one)(?: of)?(?: the| your| these| those)? (?:instructions|prompts|directives|guidelines)\b",
    rf"\b{_IGNORE} [^.!?]{{0,30}}\b{_ORDERS}\b[^.!?]{{0,20}}\byou (?:were|have been|had been|got|received)\b",
    r"\byou are (?:now )?(?:[a-z]{1,20}(?:gpt|[a-np-z]bot)\b|[a-z0-9-]{1,20}, an? (?:ai|llm|language model|chatbot)\b)",
    r"\b(?:ignore|disregard|forget) (?:everything|anything|all(?: of)? (?:that|what)|what)"
    r" (?:above|before|you (?:were|have been|know|read)|was said|is written|so far)",
    r"\b(?:ignore|disregard) (?:the |all )?(?:rest of (?:the|this) (?:page|document)|(?:visible|other) "
    r"(?:prices?|values?|content|text))",
    r"\b(?:you are now|from now on,? you(?: are|'re| will| must)?|pretend (?:to be|you are)|act as)\b"
    r"[^.!?]{0,40}\b(?:ai|assistant|language model|llm|chatbot|bot|dan|jailbroken|unrestricted|"
    r"developer mode|extractor)\b",
    r"\b(?:override|replace|ignore|bypass) (?:the |your )?(?:extraction|json|output|response) "
    r"(?:schema|format|rules)\b",
    r"\bfor (?:(?:all|any|every|the) )?(?:ais?|bots|llms|crawlers|scrapers|(?:the |all |any )?(?:vision|language|extraction|ai) models?) ?:",
    r"\b(?:new|updated|real|actual|override|revised) system (?:prompts?|messages?) ?(?::|is|are)",
    rf"\b(?:note|notice|message|instructions?|attention|important|warning|memo|hint|information|"
    rf"reminder|hello|hi|dear|hey|directive)[ ,:-]{{1,3}}(?:to |for )?(?:all |any |the |every )?{_MODELS} ?"
    rf"(?:[:,.!-]|(?:that|who|which|reading|processing|parsing|must|should|please|only|if|and|take|put|set|"
    rf"record|list|ignore|follow|{_SAY})\b)",
    rf"\b(?:if|since|because) you(?:'re| are) (?:an? |the |any )?(?:kind of |automated )?{_MODELS}\b",
    rf"\bas an? {_MODELS}(?: model| assistant)?,? (?:you|your|please|always|ignore)\b",
    r"\b(?:reveal|print|repeat|output|leak|display|disclose|override|ignore|replace|forget)[^.!?]{0,30}"
    r"\b(?:system|hidden|initial|developer) (?:prompt|message|instructions?)\b",
    rf"\b(?:all |any |every )?{_MODELS},? (?:reading|processing|parsing|summari[sz]ing|extracting|"
    r"analy[sz]ing|visiting|crawling|indexing|scraping|browsing|viewing|using|that (?:reads?|process(?:es)?|extracts?|summari[sz]es?))"
    r"[^.!?]{0,60}\b(?:must|should|shall|please|(?:need|have|ought) to|(?:are|is) (?:required|instructed|to))\b",
    rf"\b{_MODELS},? (?:must|should|shall|(?:are|is) (?:required|instructed) to) (?:always |only |"
    rf"now |instead )?(?:{_SAY}|ignore|treat|record|set|quote|state|list|rank|recommend)\b",
    rf"(?:^|[.!?:] )(?:all |any |dear |hey )?{_MODELS} ?[,:-]? (?:please (?:use|write|give)|(?:please )?(?:answer|"
    r"respond|reply|say|report|state|output|return|extract|print|ignore|treat|record|set|list))\b",
    rf"\b(?:if|when) (?:an? |any |the )?{_MODELS} (?:is|are) (?:reading|processing|parsing|summari[sz]ing|extracting|scraping|crawling)\b",
    rf"\b(?:{_MODELS}|bots?) ?: (?:(?:please|kindly) {_DO}|(?:respond|reply|output|return|ignore|treat|prefer|take))\b",
    rf"\b{_MODELS} (?:is|are) to {_DO}\b",
    rf"\b(?:dear|attention) (?:[a-z]+ ){{0,2}}{_MODELS}\b",
    rf"\b(?:{_MODELS}|model|bot),? (?:is|are) (?:required|instructed|obliged|told|ordered|authori[sz]ed) to "
    r"(?:answer|respond|reply|say|report|output|return|print)\b",
    r"\byou are (?:an?|the) (?:[a-z]+ ){0,2}(?:bot|chatbot|language model|llm) (?:that|who|which)\b",
    rf"\bto (?:the|any|all|every) {_MODELS},? (?:that|who|which|reading|extracting|processing|scraping|parsing|summari[sz]ing)\b",
    r"\byour (?:instructions|rules|guidelines|task|orders|objective) (?:have|has) (?:now )?(?:been )?(?:changed|updated|replaced)\b",
    r"\b(?:human|user) ?: [^.]{1,150}[.!?] ?assistant ?:",
    rf"\b(?:price|value|name|title|answer|e-?mail|phone|address|number|date|rating|author|data|version)"
    rf" (?:[a-z]+ )?for {_MODELS} (?:is|are|:|=)",
    r"\b(?:do not|don't|never|without) (?:(?:tell|inform|notify)(?:ing)? the user\b|(?:mention|reveal|"
    r"inform|disclos|show)(?:e|ing)?\b[^.!?]{0,30}\b(?:this (?:instruction|message|note|prompt)|"
    r"these instructions)\b)",
    rf"\byou (?:must|should|will|shall|have to) (?:always |only |instead |now ){{0,2}}{_SAY}\b[^.!?]{{0,25}}"
    r"(?:\bthat the\b|\btitle (?:is|to)\b|\bjson\b|\bnull\b|\{)",
    rf"\b(?:{_SAY}|respond)s? (?:only |always |exactly )?(?:with |in |as )?(?:only )?(?:the |this |valid )?"
    r"(?:following )?json\b[^a-z]{0,3}(?:\{|object|only|instead)",
    rf"\b(?:ignorier|missacht|vergiss|vergessen|übergeh)[a-zäöü]*\b[^.!?]{{0,40}}\b(?:vorherig|bisherig|vorig|ander|"
    rf"obig|früher|vorangegangen|vorhergehend|alle dein|dein|ihr|sämtlich|ursprünglich)[a-zäöüs]*\b[^.!?]{{0,25}}{_DE_ORDERS}",
    rf"\b(?:falls|wenn) (?:du|sie) (?:eine? |das |als )?{_DE_MODELS}",
    rf"\b(?:hinweis|nachricht|anweisung|wichtig|achtung|mitteilung|geehrte|liebe)\b[^.!?]{{0,4}} ?(?:an |für )?(?:alle |die |den |das )?{_DE_MODELS}",
    rf"\b(?:falls|wenn|sofern) (?:diese[rs]?|der|die|das) (?:text|seite|webseite|dokument|nachricht)[^.!?]{{0,20}}\bvon (?:einer |einem |der )?{_DE_MODELS}",
    rf"\bals {_DE_MODELS}[^.!?]{{0,25}}\b(?:musst du|sollst du|müssen sie|sollen sie|antworte|gib)\b",
    rf"\bfür {_DE_MODELS}[a-zäöü-]*(?: [a-zäöü]+)? (?:ist|beträgt|lautet|gilt|kostet)\b",
    rf"\b(?:ignor|oubli|néglig)(?:e|ez|er|es)\b[^.!?]{{0,40}}{_FR_ORDERS} (?:[a-zéè]+ )?(?:précédent|antérieur|ci-dessus|initial|données|du système)",
    rf"\b(?:ignor|oubli|néglig)(?:e|ez|er)\b[^.!?]{{0,20}}\b(?:toutes (?:tes|vos|les)|tes|vos) {_FR_ORDERS}",
    rf"\b(?:si|puisque) (?:tu es|vous êtes) (?:une? |l')?{_FR_MODELS}",
    rf"\b(?:note|message|instructions?|attention|important|avis)\b[ :,]{{0,3}}(?:aux|pour|à l'|à|au)? ?(?:les |l'|toute )?{_FR_MODELS}",
    rf"à l'attention (?:du |des |de l'|d'une? |de la )?(?:robots? |bots?\b|{_FR_MODELS})",
    rf"\ben tant qu(?:'|e )(?:une? )?{_FR_MODELS}[^.!?]{{0,20}}\b(?:tu|vous|réponds|répondez)\b",
    rf"\bpour (?:les |l')?(?:assistants?|agents?|modèles?|{_FR_MODELS})[^.!?]{{0,15}} (?:est|sont) (?:de |d')?",
    rf"\b(?:ignor[ae]n?|olvid[ae]|desestim[ae]|haz caso omiso)\b[^.!?]{{0,40}}{_ES_ORDERS} (?:[a-zé]+ )?(?:anterior|previ|de arriba|del sistema|original)",
    rf"\b(?:ignor[ae]|olvid[ae])\b[^.!?]{{0,15}}\b(?:todas (?:tus|sus|las)|tus|sus) {_ES_ORDERS}",
    rf"\bsi (?:eres|usted es|es usted) (?:una? |la )?{_ES_MODELS}",
    rf"\b(?:nota|mensaje|instrucciones|atención|aviso|importante)\b[ :,]{{0,3}}(?:para |a )?(?:la |las |los |el |toda )?{_ES_MODELS}",
    rf"\bcomo (?:una? )?{_ES_MODELS},? [^.!?]{{0,20}}\b(?:debes|tienes que|responde|debe)\b",
    rf"\bpara (?:los |las |la )?{_ES_MODELS}[^.!?]{{0,15}} (?:es|son)\b",
    rf"\b(?:ignor[ae]m?|esque(?:ça|ca|ce)|desconsider[ae])\b[^.!?]{{0,40}}{_PT_ORDERS} (?:[a-zé]+ )?(?:anterior|acima|prévi|do sistema|origina)",
    rf"\b(?:se|caso) (?:você|tu|voce) (?:é|és|for|seja|e) (?:uma? |a )?{_PT_MODELS}",
    rf"\b(?:nota|mensagem|instruções|atenção|aviso|importante)\b[ :,]{{0,3}}(?:para |a |à |às |aos )?(?:a |as |os |o |toda )?{_PT_MODELS}",
    rf"\bcomo (?:uma? )?{_PT_MODELS},? [^.!?]{{0,20}}\b(?:você deve|deves|responda|tens de)\b",
    rf"\bpara (?:os |as |a )?{_PT_MODELS}[^.!?]{{0,15}} (?:é|são)\s",
    rf"\b(?:ignor|dimentic|trascur)(?:a|are|ate|i)\b[^.!?]{{0,40}}{_IT_ORDERS} (?:[a-z]+ )?(?:precedent|sopra|di sistema|original|iniziali)",
    rf"\bse (?:sei|siete|lei è) (?:un'?a? ?|l')?{_IT_MODELS}",
    rf"\b(?:nota|messaggio|istruzioni|attenzione|avviso|importante)\b[ :,]{{0,3}}(?:per |a |alle |agli )?(?:le |gli |i |l')?{_IT_MODELS}",
    rf"\bcome {_IT_MODELS},? [^.!?]{{0,20}}\b(?:devi|dovete|rispondi)\b",
    rf"\bper (?:gli |le |i |l')?{_IT_MODELS}[^.!?]{{0,15}} è ",
    r"(?:игнорируй|проигнорируй|забудь|не учитывай|отмени)(?:те)?[^.!?]{0,40}(?:предыдущ|прежни|все|выше|ранее|сво|системн)[^.!?]{0,40}(?:инструкц|указани|команд|правил|промпт)",
    rf"если (?:ты|вы)[ ,-]{{1,4}}(?:это )?{_RU_MODELS}",
    rf"(?:сообщение|внимани[ею]|инструкци[яи]|примечание|указание|важно)[ :,-]{{0,3}}(?:для )?(?:всех )?{_RU_MODELS}",
    rf"(?:для|как) {_RU_MODELS}[^.!?]{{0,30}}(?:составляет|равн[ао]|должен|должна|обязан|ответь)",
    r"(?:忽略|无视|無視|忘记|忘記|忽视|忽視|不要理会|不要遵守)[^。!?]{0,12}(?:之前|以上|先前|前面|所有|上述|此前|你的|上面|原来)[^。!?]{0,8}(?:指令|指示|提示|命令|规则|要求|規則|说明|内容)",
    rf"(?:如果|若|假如|要是)(?:你|您)是[^。!?]{{0,6}}{_ZH_MODELS}",
    rf"(?:作为|作為|身为)[^。!?]{{0,4}}{_ZH_MODELS}[^。!?]{{0,8}}(?:你|您|请|請|必须|必須)",
    rf"{_ZH_MODELS}(?:助手|模型|系统|系統|爬虫|代理)?[^。!?a-z]{{0,3}}(?:请注意|请|請|必须|必須|应当|应该)(?:注意|忽略|回答|回复|输出|返回|使用|将)",
    rf"(?:给|致|对)(?:所有)?{_ZH_MODELS}[^。!?]{{0,8}}(?:的(?:说明|指示|消息|提示|价格))",
    r"(?:以前|これまで|上記|以上|前|すべて|全て|先ほど)(?:の|まで)[^。!?]{0,10}(?:指示|命令|プロンプト|ルール|指令|設定)[^。!?]{0,6}(?:無視|忘れ|従わ)",
    rf"(?:あなたが|もし|あなたは)[^。!?]{{0,8}}{_JA_MODELS}(?:アシスタント|エージェント)?(?:なら|であれば|の場合|である場合)",
    rf"{_JA_MODELS}(?:アシスタント|エージェント|モデル)?(?:へ|への|向け|の皆)[^。!?]{{0,6}}(?:注意|お知らせ|指示|メッセージ|価格|必ず|:)",
    rf"{_JA_MODELS}(?:アシスタント|エージェント|モデル)?(?:は|として)[^。!?]{{0,30}}(?:回答し|答え|出力し|返答し|返し)(?:てください|なさい|なければ|ろ|ること)",
    r"\b(?:negeer|vergeet)[a-z]*\b[^.!?]{0,40}\b(?:eerder|vorig|voorgaand|bovenstaand|vroeger|oorspronkelijk|alle|je|uw)[a-z]*\b"
    r"[^.!?]{0,25}\b(?:instructies|aanwijzingen|opdrachten|regels|richtlijnen)",
    rf"\bals (?:je|u) een? {_NL_MODELS}",
    rf"\b{_NL_MODELS}[a-z-]*(?: [a-z]+)? (?:moet|moeten|dient|dienen)\b[^.!?]{{0,60}}\b(?:antwoorden|opgeven|vermelden|"
    r"noemen|negeren|weergeven|teruggeven|zeggen)\b",
    rf"\b(?:bericht|opmerking|let op|belangrijk|instructies?)\b[ :,]{{0,3}}(?:voor |aan )(?:alle |de |het )?{_NL_MODELS}",
    r"\b(?:zignoruj|ignoruj|pomiń|zapomnij)[a-ząęłóżźćńś]*[^.!?]{0,40}(?:poprzedni|wcześniejsz|powyższ|wszystkie)[a-ząęłóżźćńś]*"
    r"[^.!?]{0,25}(?:instrukcj|poleceni|wytyczn|zasad|reguł)",
    r"\b(?:modele? językow[ey]|(?:asystenci|asystent|boty|agenci) ai|sztuczna inteligencja),? (?:musi|muszą|ma|mają|powinien|powinny|powinna)\b"
    r"[^.!?]{0,60}(?:podać|odpowied|zwróci|wpisa|zignorow|napisa)",
    r"\bjeśli (?:jesteś|jest pan) [^.!?]{0,20}(?:\bai\b|model(?:em)? językow|sztuczną inteligencj|llm)",
    r"(?:이전|앞선|위|기존|모든)[^.!?]{0,12}(?:지시|명령|지침|프롬프트|규칙)[^.!?]{0,12}(?:무시|잊|따르지)",
    r"(?:ai|인공지능|언어 ?모델|챗봇)[^.!?]{0,20}(?:라면|이라면|에게|께)[^.!?]{0,40}(?:하세요|하시오|하라|답|출력)",
    rf"(?:تجاهل|انس|تغاض)[^.!?؟]{{0,40}}{_AR_ORDERS}[^.!?؟]{{0,20}}(?:السابق|أعلاه|اعلاه|المذكور|الأصلية)",
    rf"(?:إذا|اذا|إن) (?:كنت|انت|أنت)[^.!?؟]{{0,10}}{_AR_MODELS}",
    rf"(?:ملاحظة|رسالة|تنبيه|هام|تعليمات)[ :،]{{0,3}}(?:إلى |الى |ل){_AR_MODELS}",
)
"""Phrases of which one is enough."""

WEAK = (
    rf"\byou (?:must|have to|are required to|will|should) (?:always |only )?{_SAY}\b",
    rf"\b(?:always|instead|only|simply|just)[ ,]{{1,2}}{_SAY}\b",
    r"\bsystem (?:prompt|message|override)\b",
    r"\b(?:set|change|replace|overwrite|fill) (?:the )?(?:field|value|key|json|price|title|answer|output)s?"
    r"\b[^.!?]{0,30}\b(?:to|with|as)\b",
    rf"\bwhen(?:ever)? (?:you (?:are )?)?(?:asked|extract(?:ing)?|summari[sz](?:e|ing)|answer(?:ing)?|"
    rf"process(?:ing)?|pars(?:e|ing)|read(?:ing)?)\b[^.!?]{{0,60}}\b{_SAY}\b",
    r"\b(?:new|updated|revised|additional|real|actual) (?:instructions?|task|objective|directives?|prompt) ?"
    r"(?:for you|:|is|are)",
    r"\byour (?:new |only |real |actual )?(?:task|goal|objective|role|instructions|job) (?:is|are)\b",
    r"\b(?:end|begin|start) of (?:the )?(?:page|document|data|context|prompt|input|untrusted)\b",
    r"\b(?:developer mode|jailbreak|do anything now)\b",
    r"\b(?:antworte|gib|schreibe)(?:n sie)? (?:nur |immer |stattdessen |ausschliesslich )",
    r"\bdu musst (?:immer |nur )?(?:antworten|angeben|ausgeben|sagen)",
    r"\b(?:répond(?:s|ez)|tu dois|vous devez)[^.!?]{0,25}\b(?:uniquement|seulement|toujours|répondre|indiquer)\b",
    r"\b(?:debes|responde|contesta)[^.!?]{0,20}\b(?:siempre|solo|únicamente|responder|que)\b",
    r"\b(?:responda|você deve|deves)[^.!?]{0,20}\b(?:sempre|apenas|somente|responder|que)\b",
    r"\b(?:rispondi|devi)[^.!?]{0,20}\b(?:sempre|solo|soltanto|rispondere|che)\b",
    r"(?:ответь|отвечай|(?:должен|должны|должна) (?:ответить|указать|вернуть))",
    r"(?:必须|必須|只能|请|請|一律|总是)(?:回答|回复|回覆|输出|輸出|返回)",
    r"と(?:必ず)?(?:回答|答え|出力|返答)(?:して|せよ|しなさい|すること)",
    r"\b(?:repeat|copy|return|give|use) (?:exactly )?this (?:output|answer|response|result)\b",
    rf"\b{_IGNORE} (?:the |any |all )?(?:[a-z]+ )?(?:price|value|maker|author|name|title|rating|phone|number|"
    r"date|address|e-?mail|text|content)s? (?:above|below|before|on this page|stated|given|shown)\b",
    r"\bin your (?:answer|output|response|reply|extraction|summary)\b",
    r"\b(?:page|document|text|data|content|input) (?:ends|stops|is over) here\b",
    r"\b(?:data|values?|facts|answers?) (?:from|by|of) the (?:operator|developers?|administrator|system)\b",
    r"システムプロンプト|系统提示|系統提示|системный промпт|промпт системы",
)
"""Phrases of which two that are near to each other, or one near to a name of a model."""

NAMES = (
    rf"\b(?:{_MODELS}|language model|prompt|ki|ki-[a-z]+|ia|sprachmodell)\b"
    r"|人工智能|语言模型|言語モデル|人工知能|нейросет|языков(?:ая|ой) модел|\bии\b"
)
"""Names of models and what belongs to them."""

MARKUP = (
    r"<\|[a-z_]{2,30}\|?>|<｜[^｜<>]{2,30}｜>",
    r"\\?\[ ?/?(?:INST|SYS|SYSTEM)\\? ?\]|<</?SYS>>",
    r"(?m)^[ \t>*]*#{1,6} ?\**(?:Instruction|System|Assistant|Response|System Prompt|Human)\**:",
    r"</?(?i:system|assistant|instructions?|system_prompt|tool_call|function_calls?|user_input|"
    r"untrusted[a-z_-]{0,20}|human)>",
    r"(?m)^[ \t>*_#-]*(?i:system|assistant|developer)(?i: (?:message|prompt|override|note|instruction))?"
    r"[*_]{0,3} ?:[*_]{0,3}\s{0,3}(?i:you |ignore|disregard|new |from now|override|set |respond|answer|"
    r"output|return|always |do not|the (?:user|correct|real|price|title|following))",
    r"(?i)[\"']role[\"'] ?: ?[\"'](?:system|assistant|developer|tool)[\"']",
    r"(?m)^(?:```|~~~) ?(?:system|assistant|instructions?)[ \t]*$",
    r"(?i)[-=#*]{3,} ?(?:end|begin|start) (?:of )?(?:the )?(?:page|document|data|context|prompt|input|"
    r"system|untrusted|user|content|instructions?)[a-z ]{0,20}[-=#*]{3,}",
    r"</(?i:page|document|content|context|data)>[\s\S]{0,200}(?i:you |ignore|system|instruction|assistant|"
    r"operator|developer|ends here)",
    r"(?m)^[ \t>-]*(?i:role) ?: ?[\"']?(?i:system|assistant|developer|tool)[\"']?[ \t]*\n[ \t]*(?i:content) ?:",
    r"(?i)\[(?:system|assistant) ?\]\(",
    r"(?i)\{\{[#/~]{1,2} ?(?:system|assistant)~?\}\}",
    r"(?m)^[ \t>*_-]*Action Input[*_]{0,3} ?:",
    # the form of the answers that are asked for
    r"\{\s{0,20}[\"']value[\"']\s{0,5}:[^{}]{1,300}[\"']quote[\"']\s{0,5}:",
)
"""Imitations of the markup of chats and of delimiters, in the page itself."""


def compiled(patterns: tuple[str, ...]) -> tuple[Any, ...]:
    """Return *patterns* as objects of RE2."""
    return tuple(re2.compile(pattern) for pattern in patterns)
