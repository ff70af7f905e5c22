import { dueIn } from '../language/due-date.js';

/** What is settled, and what is done, in English: verbs of decisions and of tasks. */
const SETTLE =
  '(?:do (?:that|this|it)|go (?:with|for|ahead with)|aim for|include|exclude|merge|stick (?:to|with)|postpone|defer|delay|leave (?:it|that|this)|remove|drop|lower|raise|reduce|launch|ship|make the (?:call|decision)|finali[sz]e|prioriti[sz]e|have (?:it|that|them))';
const DO =
  '(?:review|merge|update|fix|send|write|open|follow up|reach out|publish|release|ping|finish|complete|ship|create|test|check|look|take a look|have a look|prepare|finali[sz]e|add|make (?:a|the|sure)|draft|document|implement|submit|coordinate|sync|report|investigate|organi[sz]e|confirm|propose|push|remove|set up|work on|analy[sz]e|define|specify|integrate|collect|provide|comment|discuss|share|help|join|announce|deploy|launch|rebase|get back|bring|research|schedule|talk|meet|ask)';
const ALSO = '(?:also |then |just |now |probably |definitely |hopefully |still |try to |have to |need to )*';
/** "How we will test this" promises nothing. */
const NO_QUESTION = '(?<!(?:how|what|where|why|when|whether|if) )';

/**
 * How decisions and promises are put, by language. Lines, each an alternative of regular expressions: `declared`,
 * `resolved`, `doubted`, `accepted`, `promised` by the speaker, `joint` promises of several or of others, `asked`,
 * `needed`, `task`. Three more can be left out: `afterName`, by default a task; deadlines that are not dates, by default none; and
 * `self`, by default what the speaker promises. See `ResolutionCues`.
 */
const RESOLUTION_WORDS: Readonly<Record<string, string>> = {
  en: String.raw`(?:we|they|everyone)(?:'ve| have)? (?:all |just |now |also )*(?:agreed?|decided?|settled|concluded) (?:not )?(?:to|on|that|for|against)|decisions? (?:today )?(?:is|are) (?:made|to|that|not|final)|(?:sentiment|consensus|conclusion|agreement)(?: or \p{L}+)? (?:is|seems)(?: that| to)|we…? (?:cfi|approve|reject|adopt)|(?:is|are|it's) (?:now )?(?:agreed|decided|approved|rejected|postponed|deferred)|(?:the|our) plan is (?:not )?to|unanimous
    let's ${SETTLE}|something (?:that )?we should do|we(?:'ll| will| should| won't|'re (?:not )?going to) ${ALSO}${SETTLE}|is the one (?:that )?we should|need to do something|proposal is (?:to|that)
    if|whether|was|were|had|wanted|could|might|may(?:be)?|any(?:one|body)?|would|already|time for|possible|sooner|until|when
    sounds? (?:good|great|fine)|agree|makes? sense|perfect|(?:that's|it's|is) (?:fine|okay|cool|good)|not a problem|no objections?|i think so|definitely|good point|exactly
    ${NO_QUESTION}i(?:'ll|…? will) (?:i will )?${ALSO}${DO}|${NO_QUESTION}(?:i'm|i am) (?:going to|gonna|planning (?:to|on)|aiming to) ${ALSO}(?:${DO}|make)
    ${NO_QUESTION}we(?:'ll|…? will) (?:i will )?${ALSO}${DO}|${NO_QUESTION}(?:we're|we are) (?:going to|gonna|planning (?:to|on)|aiming to) ${ALSO}(?:${DO}|make)|we can (?:set up|get .{0,30}(?:up|done|running|merged))
    please (?:\p{L}+ )?(?:${DO}|let (?:me|us) know|chime in|reach out|come)|(?:can|could|would) you(?: all| guys| please)* ${DO}|would be (?:great|nice|good|helpful),?(?: \p{L}+,)? if you|(?:we|i) would (?:really |also )*(?:like|ask|love|want) (?:that )?(?:you|\p{L}+s|everyone|people) (?:to |all |also )*(?:${DO}|come)|(?:to|please|you|just|maybe|next) .{0,25}(?:take|have) a look|let (?:me|us) know if|(?:take|need|want|like|have|collect) (?:more |any |your )?(?:feedback|input)s?
    (?:we|you|they|teams?|clients?|everyone) (?:still |all |really )*(?:need to|have to|should) ${ALSO}${DO}|next steps?|action items?|to-?dos?|left to do|goal is to have
    (?:(?:can|could|would|will) you(?: please)?|will|is going to|please) ${ALSO}${DO}
    ,? (?:can|could|would|will) you|, please| (?:will|is going to)|'ll
    (?:(?:before|on|by|in|for) )?(?:(?:the|our) )?next (?:call|meeting|breakout)|after the call|as soon as possible|later today
    ${NO_QUESTION}i(?:'ll|…? will|'m going to|'m gonna|(?: plan|'m planning|'m happy) to| can)`,
  de: String.raw`beschlossen|entschieden|entscheidung (?:ist|lautet)|geeinigt|vereinbart|festgelegt|abgemacht|der plan ist|wir sind uns einig|verschoben
    lasst uns|wir (?:nehmen|machen das|bleiben bei|einigen uns)|verschieben wir
    wenn|falls|ob|vielleicht|könnten?|würden?|hatten?|wollten
    klingt gut|einverstanden|passt|stimmt|genau|perfekt|in ordnung|sehe ich auch so|mache ich|gerne?|ich
    ich (?:werde|kümmere|mache|schicke|prüfe|schreibe|übernehme|erstelle|melde|kläre|bereite|sende|spreche)
    wir (?:werden|schicken|prüfen|planen)|übernimmt|kümmert sich
    bitte (?:prüft|prüfe|schickt|schicke|schaut|schau|schreibt)|(?:kannst du|könntest du|könnt ihr)
    (?:wir|ihr|alle) (?:müssen|sollten)|nächste[rn]? schritte?|aufgabe
    kannst|könntest|würdest|wirst|bitte|wird|kümmert|übernimmt|soll`,
  fr: String.raw`(?:on|nous) (?:a|avons) (?:donc |tous |finalement |bien )*(?:décidé|convenu|acté|validé|retenu|tranché)|c'est (?:donc )?(?:décidé|acté|validé|entendu|convenu)|(?:est|sont) (?:donc )?(?:actée?s?|validée?s?|adoptée?s?|approuvée?s?|rejetée?s?|reportée?s?)|la décision est|mis d'accord|à l'unanimité
    (?:on|nous) (?:part|partons|garde|gardons|retient|retenons|reporte|reportons|choisit|choisissons|abandonne|abandonnons|reste|restons|adopte|adoptons|valide|validons)|(?:on va|nous allons) (?:donc )?(?:partir sur|garder|retenir|reporter|rester|choisir|prendre|abandonner|faire comme ça)|allons-y pour
    si|s'il|peut-être|est-ce que|pas encore|pourrait|pourrions|voulait|avait|aurait|avant que|faut-il
    d'accord|ça marche|entendu|parfait|ok|très bien|bien sûr|oui|pas de problème|volontiers|je m'en (?:occupe|charge)
    je (?:m'en occupe|m'en charge|me charge|m'occupe|m'engage|prends en charge)|j'envoie|je (?:te |vous |leur |lui |le |la |les |l')*(?:envoie|prépare|rédige|vérifie|termine|finis|appelle|rappelle|contacte|relance|organise|mets à jour|corrige|publie|réserve|partage|transmets)|(?:je |j')(?:te |vous |leur |lui |le |la |les |l'|m'en )*(?!serai|aurai|dirai|saurai|pourrai|voudrai)\p{L}{2,}rai|je vais (?:te |vous |leur |lui |le |la |les |l'|m')*(?!essayer|commencer|dire|partager|laisser|être)\p{L}+(?:er|ir|re)
    (?:nous allons|on va) (?:préparer|envoyer|rédiger|vérifier|organiser|corriger|publier)
    (?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|vous pouvez|tu pourrais|vous pourriez) (?!répéter|m'entendre|entendre|voir|expliquer|préciser)\p{L}+|merci de \p{L}+(?:er|ir|re)|n'oublie(?:z)? pas|s'il (?:te|vous) plaît
    il (?:faut|faudra|faudrait)|(?:on|nous) (?:doit|devons)|reste à|prochaines? étapes?
    peux-tu|pourrais-tu|tu peux|tu pourrais|pouvez-vous|pourriez-vous|vous pouvez|(?:va|doit) (?:s'|l'|nous |vous |leur |lui )?\p{L}+(?:er|ir|re)|s'occupe|se charge|(?!sera|aura|pourra|faudra)\p{L}{2,}ra`,
  es: String.raw`(?:hemos|se ha|han) (?:\p{L}+ )?(?:decidido|acordado|aprobado|resuelto|descartado)|decidimos|acordamos|quedamos en|aprobamos|descartamos|(?:queda|quedó|está) (?:\p{L}+ )?(?:decidid[oa]|acordad[oa]|aprobad[oa]|descartad[oa]|aplazad[oa])|(?:la decisión|el acuerdo) es|de acuerdo en que|por unanimidad
    vamos a (?:quedarnos con|optar por|usar|mantener|aplazar|posponer|descartar|hacerlo así|seguir con)|nos quedamos con|optamos por|apostamos por|mantenemos|aplazamos|posponemos
    si|quizás?|tal vez|a lo mejor|podríamos|todavía no|aún no|habría|querían|antes de que
    de acuerdo|vale|perfecto|claro|por supuesto|muy bien|me parece bien|sí|sin problema|hecho
    me (?:encargo|ocupo|comprometo)|lo hago yo|(?:te |os |les |le |lo |la |los |las )*(?:envío|mando|preparo|reviso|escribo|redacto|llamo|contacto|organizo|termino|actualizo|corrijo|publico|reservo|comparto)|voy a (?!ser|empezar|compartir|explicar|comentar|decir)\p{L}+(?:ar|er|ir)\p{L}{0,4}|(?!seré|estaré)\p{L}{2,}(?:aré|eré|iré)
    vamos a (?:preparar|enviar|revisar|escribir|organizar|actualizar)
    (?:puedes|podrías|podéis|podríais|pueden|podrían) (?!oírme|oír|repetir|ver|explicar|escuchar)\p{L}+|por favor|te encargas|os encargáis|necesito que|te pido que|no olvides|acuérdate de
    hay que|tenemos que|habría que|deberíamos|próximos pasos|pendiente
    puedes|podrías|te encargas|por favor|se (?:encarga|ocupa)|(?:va a|tiene que) \p{L}+(?:ar|er|ir)\p{L}{0,4}|(?!será|estará)\p{L}{2,}(?:ará|erá|irá)`,
  pt: String.raw`decidimos|acordamos|combinamos|aprovamos|descartamos|(?:foi|fica|está|ficou) (?:\p{L}+ )?(?:decidid[oa]|acordad[oa]|combinad[oa]|aprovad[oa]|adiad[oa]|definid[oa])|a decisão é|por unanimidade
    vamos (?:ficar com|optar|usar|manter|adiar|seguir com|descartar|fazer assim)|ficamos com|optamos por|mantemos|adiamos
    se|talvez|poderíamos|ainda não|quem sabe|teria|queriam|antes de
    combinado|certo|claro|perfeito|está bem|tudo bem|concordo|pode deixar|sim|ok
    me encarrego|fico responsável|(?:cuido|trato) d[ao]s?|eu (?:te |lhe |lhes |vos )*(?:envio|mando|preparo|reviso|escrevo|ligo|organizo|termino|atualizo|corrijo|publico|reservo|partilho|compartilho|falo com|assumo)|vou (?:te |lhe |lhes |vos )?(?!ser|começar|compartilhar|partilhar|explicar|dizer|mostrar)\p{L}+(?:ar|er|ir)|(?!serei|estarei)\p{L}{2,}(?:arei|erei|irei)
    vamos (?:preparar|enviar|revisar|escrever|organizar|atualizar)
    (?:pode|podes|poderia|podias|podem|poderiam) (?!me ouvir|ouvir|repetir|ver|explicar|deixar)\p{L}+(?:ar|er|ir)|por favor|não (?:se )?esqueça|preciso que|peço que
    temos que|precisamos|é preciso|deveríamos|próximos passos|pendente
    (?:você )?(?:pode|podes|poderia|podias)|por favor|fica responsável|se encarrega|vai \p{L}+(?:ar|er|ir)|cuida|trata d[ao]s?`,
  it: String.raw`(?:abbiamo|si è|hanno) (?:(?!ancora |mai )\p{L}+ )?(?:deciso|stabilito|concordato|approvato|scartato|convenuto)|(?:è|resta|rimane) (?:\p{L}+ )?(?:deciso|stabilito|concordato|approvat[oa]|rinviat[oa]|confermat[oa])|la decisione è|all'unanimità|siamo d'accordo (?:di|su|nel|che)
    teniamo|scegliamo|manteniamo|rinviamo|rimandiamo|optiamo per|andiamo con|usiamo|restiamo (?:con|su)|puntiamo su
    se|forse|potremmo|non (?:abbiamo )?ancora|magari|avrebbe|volevano|prima di
    d'accordo|va bene|perfetto|certo|volentieri|ok|sì|benissimo
    me ne occupo|ci penso|mi (?:occupo|incarico)|(?:ti |vi |gli |le |lo |la |li )*(?:mando|invio|preparo|controllo|scrivo|chiamo|contatto|organizzo|finisco|aggiorno|correggo|pubblico|prenoto|condivido)|(?:farò|darò|\p{L}{2,}(?:erò|irò))
    (?:preparer|mander|invier|controller|scriver|organizzer|aggiorner)emo
    (?:puoi|potresti|potete|potreste|può|potrebbe) (?!sentir|ripetere|vedere|spiegare)\p{L}+|per (?:favore|cortesia)|(?:ti|vi) chiedo di|ricordati di|mi raccomando
    dobbiamo|bisogna|occorre|dovremmo|resta da|prossimi passi
    puoi|potresti|può|per favore|si occupa|deve \p{L}+re|farà|\p{L}{2,}(?:erà|irà)`,
  nl: String.raw`(?:we|wij) (?:hebben|zijn) (?:(?!niet |nog )\p{L}+ ){0,3}(?:besloten|afgesproken|beslist)|(?:is|zijn|wordt) (?:(?!niet |nog )\p{L}+ ){0,2}(?:besloten|afgesproken|goedgekeurd|afgewezen|uitgesteld)|(?:het|ons) besluit is|unaniem|we zijn het (?:erover )?eens
    (?:laten we|we) (?:kiezen|gaan voor|houden het bij|schrappen|blijven bij|stoppen met)|(?:kiezen|blijven|gaan|houden|schrappen|stoppen) we|we stellen .{0,40} uit
    als|of|misschien|zouden|zou|wilden|nog niet|voordat|hadden
    akkoord|prima|goed|oké|doe ik|mee eens|graag|geen probleem|ja|perfect
    ik (?:zal|ga(?! er)|regel|zorg|neem(?! aan)|maak|stuur|controleer|schrijf|bel|plan|werk|pak|bereid|lever|vraag|zet|doe dat)|(?:regel|stuur|maak|bel|schrijf|controleer|zal|zorg|bereid|plan|vraag) ik
    (?:we|wij) (?:zullen|sturen|controleren|regelen)
    (?:kun|kan|wil|zou|kunnen|willen) (?:je|jij|jullie|u) (?!me horen|herhalen|zien)\p{L}+|alsjeblieft|alstublieft|vergeet niet|denk eraan
    (?:we|jullie|iedereen) (?:moeten|moet)|volgende stap(?:pen)?|actiepunt(?:en)?|er moet nog
    (?:kun|kan|wil|zou) (?:je|jij|u)|zal|gaat|moet|regelt|stuurt|maakt|zorgt|bereidt|controleert|schrijft|alsjeblieft`,
  pl: String.raw`zdecydowaliśmy|ustaliliśmy|postanowiliśmy|uzgodniliśmy|zatwierdziliśmy|odrzuciliśmy|(?:jest|zostaje|został[aoy]?) (?:\p{L}+ )?(?:ustalon[aye]|zatwierdzon[aye]|przyjęt[aye]|odrzucon[aye]|przełożon[aye])|decyzja (?:jest|brzmi)|zapadła decyzja|jednogłośnie
    zostajemy przy|wybieramy|przekładamy|rezygnujemy z|bierzemy|stawiamy na|odkładamy|zostawiamy
    jeśli|jeżeli|gdyby|czy|może|chyba|jeszcze nie|zanim|mogliby|moglibyśmy
    zgoda|dobrze|jasne|świetnie|ok|okej|tak|nie ma problemu|oczywiście
    zajmę się|wyślę|prześlę|przygotuję|sprawdzę|napiszę|zadzwonię|umówię|skończę|dokończę|zaktualizuję|poprawię|opublikuję|zarezerwuję|udostępnię|zrobię|skontaktuję|przejrzę|porozmawiam|dopytam|zapytam|zorganizuję|dodam|zbiorę|zamówię|ustalę|biorę (?:to|na siebie)
    wyślemy|przygotujemy|sprawdzimy|napiszemy|zajmiemy się
    (?:możesz|mógłbyś|mogłabyś|możecie|moglibyście) (?!powtórzyć|mnie)\p{L}+|proszę o|proszę \p{L}+ć|prosiłbym|prosiłabym|nie zapomnij
    musimy|trzeba|należy|powinniśmy|(?:następne|kolejne) kroki|do zrobienia
    możesz|mógłbyś|mogłabyś|proszę|zajmie się|wyśle|prześle|przygotuje|sprawdzi|napisze|zadzwoni|zrobi|musi|ma \p{L}+ć`,
  ja: String.raw`[にで](?:決め(?:ました|ます)|決まり(?:ました|です)|決定(?:しました|です|します))|で合意(?:しました|です)|が(?:承認され|決まり|可決され)ました|決定事項|満場一致|ことに(?:し|なり)ました
    (?:ことに|で)(?:しましょう|いきましょう|行きましょう|進めましょう)|ことにします(?!か)|(?:採用|延期|中止)(?:しましょう|にします)|見送(?:ります|りましょう)
    もし|かもしれ|たら|なら|まだ|以前は|去年
    わかりました|承知|了解|はい|賛成|いいですね|大丈夫です|異議なし
    (?:私|僕|わたし|こちら)(?:が|で|の方で|のほうで|から).{0,60}ます(?!か)|(?:送り|送付し|用意し|準備し|作成し|作り|確認し|連絡し|調べ|共有し|提出し|更新し|修正し|手配し|予約し|対応し|担当し|まとめ|報告し|依頼し)(?:ておき)?ます(?!か)
    (?!)
    て(?:ください|もらえ(?:ます|ません)か|いただけ(?:ます|ません)か|くれますか|ほしい)|(?<!よろしく)お願い(?:します|できますか|いたします)
    なければなりません|必要があります|べきです|次のステップ|宿題
    て(?:ください|もらえ|いただけ|くれ)|お願い|担当|ます
    (?:さん|くん|君|様|氏|部長|課長|先生)?(?:、|,|が(?!言|話)|にお願い|の方で|のほうで)`,
  zh: String.raw`(?<!没|没有|未|怎么|来)(?:决定|商定|敲定|说好)(?:了|把|在|用|采用|推迟|不|先|从|取消|由|将|保留|选)|(?:决定|结论|共识)是|达成了?(?:一致|共识)|一致(?:同意|通过|决定)|(?:方案|预算|提案|计划)(?:已经)?(?:通过|批准|定下来)了|就这么(?:定|办)
    我们就?把.{0,20}定在|我们就?(?:选|采用|推迟|取消|保留|改成|改用|先用|继续用|定在)|就(?:按|用|选|定)
    如果|要是|可能|也许|是不是|是否|要不要|还没|能不能|去年|本来
    好的|没问题|可以|同意|行|收到|明白|赞成
    我(?:来|会|去|今天|明天|这?周|下周|马上)[^。，]{0,40}(?:发|写|做|准备|联系|整理|检查|确认|更新|安排|预订|提交|跟进|修|改|问|查|订|打电话|测试|分享|核对|统计|汇总|通知|完成|处理)|我负责|交给我
    我们(?:会|来)(?:发|写|准备|联系|整理|检查|确认|更新|安排)
    请(?!问|进|坐|看屏幕)|麻烦(?:你|您|大家)|你(?:能|可以|能不能|可不可以)[^。，]{0,40}(?:吗|下|把|帮|给)|能不能(?:帮|把|请)
    需要|必须|还要|下一步|待办
    请|麻烦|你(?:能|可以|来)|能不能|可以|负责|来(?=\p{L})|会|将`,
};

/** How decisions and promises are put in one language. */
export interface ResolutionCues {
  /** It is said that something is decided. */
  readonly declared: RegExp;
  /** Something is settled without saying so: "let's go with". */
  readonly resolved: RegExp;
  /** Hypotheses, reports and doubts, in which the same words decide nothing. */
  readonly doubted: RegExp;
  /** Others agree with what was said. */
  readonly accepted: RegExp;
  /** The speaker undertakes to do something. */
  readonly promised: RegExp;
  /** Somebody is asked to do something. */
  readonly asked: RegExp;
  /** Something is left to do, for whomever. */
  readonly needed: RegExp;
  /** The words for when it is due: "by Friday". */
  readonly due: (text: string) => string | null;
  /** Something to do; who is named with it is to do it. */
  readonly task: RegExp;
  /** What follows the name of whom something is asked of ("Ada, can you") or expected of ("Ada will"). */
  readonly afterName: RegExp;
  /** The speaker alone: "I will". */
  readonly self: RegExp;
}

const NEVER = '(?!)';
const cue = (source: string): RegExp => new RegExp(source, 'iu');

function cuesIn(code: string, words: string): ResolutionCues {
  const lines = words.replaceAll("'", "['’]").split(/\n */);
  const [declared, resolved, doubted, accepted, own, joint, asked, needed, task, ...others] = lines.map(
    (line) => (code === 'ja' || code === 'zh' ? line : `(?<!\\p{L})(?:${line})(?!\\p{L})`),
  ) as [string, string, string, string, string, string, string, string, string, ...string[]];
  const [afterName = `[,，、]?\\s*¿?(?:${task})`, due = NEVER, self = own] = others;
  const event = cue(due);
  return {
    declared: cue(`(?<!(?:^|\\P{L})(?:no|non|não|nie|nicht)(?: \\p{L}{1,3})? )(?:${declared})`),
    resolved: cue(resolved),
    doubted: cue(doubted),
    accepted: cue(accepted),
    promised: cue(`${own}|${joint}`),
    asked: cue(asked),
    needed: cue(needed),
    due: (text) => dueIn(text, code) ?? event.exec(text)?.[0] ?? null,
    task: cue(task),
    afterName: cue(`^(?:${afterName})`),
    self: cue(self),
  };
}

const CUES = new Map(
  Object.entries(RESOLUTION_WORDS).map(([code, words]) => [code, cuesIn(code, words)] as const),
);
/** Cues that nothing matches. */
export const NO_CUES = cuesIn('', Array.from({ length: 9 }, () => NEVER).join('\n'));

/** The cues for a BCP 47 code; null if there are none for the language. */
export const resolutionCuesOf = (language: string | null): ResolutionCues | null =>
  CUES.get(language?.toLowerCase().split('-')[0] ?? '') ?? null;
