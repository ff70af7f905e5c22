/** Conversational cues of one language. For other languages, structure alone decides. */
export interface Cues {
  /** Turns that consist of them are dropped, and they are cut from the beginning of a sentence before a comma. */
  readonly fillers: readonly string[];
  /** Cut from the beginning of a sentence even without a comma. */
  readonly joiners: readonly string[];
  /** Frequent words without content, in addition to the database's stop words. */
  readonly empty: ReadonlySet<string>;
  /** Work is reported: what was done, is being done or is planned. */
  readonly report: RegExp;
  /** Small talk and meeting logistics, never quoted. */
  readonly smallTalk: RegExp;
  /** Meeting logistics if the sentence is short. */
  readonly handover: RegExp;
  /** The meeting begins, and what was said before is waiting. Most reliable first. */
  readonly openings: readonly RegExp[];
  /** Phrases that are not titles, by their form: adverbs, adjectives and participles without a noun. */
  readonly noTitle: RegExp;
  /** Whether a noun is often several words: "state growth". */
  readonly hasSpacedCompounds: boolean;
  /** Another subject begins here. */
  readonly transition: RegExp;
  /** Begins by referring back to something, and says little on its own. */
  readonly vagueStart: RegExp;
  readonly hesitation: RegExp;
  /** Probably a whole sentence: it has a pronoun or an auxiliary verb, is not a lone subordinate clause, and is not cut off. */
  readonly wholeSentence: RegExp;
  /** Fillers, stutters and false starts within a sentence, and what is written instead, in this order. */
  readonly untidy: readonly (readonly [RegExp, string])[];
  /** Words that are written in lower case within a sentence. */
  readonly closed: ReadonlySet<string>;
}

const NOTHING = /(?!)/;
/** Words, and phrases with `_` between theirs. */
const list = (text: string) =>
  text
    .trim()
    .split(/\s+/)
    .map((phrase) => phrase.replaceAll('_', ' '));
/** Lines of a pattern and, unless it is left out, what is written instead. */
const rules = (lines: string) =>
  lines
    .trim()
    .split(/\n\s*/)
    .map((line) => line.split(' => '))
    .map(([pattern, instead = '']) => [new RegExp(pattern!, 'giu'), instead] as const);

const NONE: Cues = {
  fillers: [],
  joiners: [],
  empty: new Set(),
  report: NOTHING,
  smallTalk: NOTHING,
  handover: NOTHING,
  openings: [],
  noTitle: NOTHING,
  hasSpacedCompounds: false,
  transition: NOTHING,
  vagueStart: NOTHING,
  hesitation: /…/gu,
  wholeSentence: /(?:)/u,
  untidy: [],
  closed: new Set(),
};

const ENGLISH: Cues = {
  fillers:
    list(`yeah yes yep yup no okay ok um uh hmm mhm oh ah right alright sure cool great nice perfect awesome exactly
    well like anyway anyways now actually basically honestly sorry thanks hi hello hey good again gotcha absolutely
    definitely correct so i_mean you_know all_right thank_you got_it of_course makes_sense mm-hmm uh-huh let's_see i_guess
    to_be_honest`),
  joiners: list('and so(?!_(?:far|much|many|long|forth)\\b) but um uh yeah okay ok then'),
  empty: new Set(
    list(`like yeah yes yep okay ok um uh hmm mhm oh right alright sure cool great nice perfect awesome good better
      best think thinks thinking thought know knows known go goes going gone went get gets getting got want wants
      wanted would could should might may must shall really kind kinda sort thing things something anything
      everything nothing maybe actually basically just well also make makes making made see seen say says saying
      said way ways lot lots bit little guess mean means look looks looking feel feels need needs one ones two
      people folks guys everyone everybody anyone anybody someone somebody thank thanks today now still much many
      even already probably quick quickly let lets come comes coming back talk talking talked happy please hey hi
      hello sorry stuff us obviously essentially definitely exactly able try trying tried put give gives given take
      takes taken first second next last call meeting gonna wanna ve re ll don didn doesn isn wasn aren weren wouldn
      couldn shouldn haven hasn hadn won ain use using used work works working start started point points question
      questions different whether around every another sense yet pretty quite rather though although however else
      anyway perhaps especially actual real keep done ready time hear mentioned mention big small sounds sound super
      interesting curious agree understand understanding part case cases whatever seems seem happen happens
      happening happened find believe wondering wonder idea hard easy hope tell ask asked asking never always ever
      far long new old full minute minutes seconds moment day days week weeks month months year years hour hours ago
      soon tomorrow yesterday screen chat agenda update updates comment comments three four five six seven eight
      nine ten basic certain important possible specific specifically correct correctly end side place since without
      within currently regarding normally together others various several whole mostly totally thankfully hopefully
      generally exact thoughts name sir fine add added adding move moving bring simply simple less least`),
  ),
  report:
    /\b(?:currently|(?:i|we|they|you)['’]ve|(?:have|has|had) been|work(?:ed|ing)? on|done|so far|already|yet|still|ready|merg(?:ed|ing)|releas(?:ed|ing)|publish(?:ed|ing)|launch(?:ed|ing)|implement(?:ed|ing)|finish(?:ed|ing)|complet(?:ed|ing)|fix(?:ed|ing)|add(?:ed|ing)|test(?:ed|ing)|updat(?:ed|es?|ing)|status|progress|plan(?:s|ned|ning)?|target(?:s|ed|ing)?|(?:this|last|next) (?:week|month)|propos(?:ed?|ing)|start(?:ed|ing)|running|found)\b/giu,
  smallTalk:
    /\b(?:can (?:everyone|everybody|anyone|you(?: all| guys)?) (?:hear|see)|(?:hear|see) (?:me|my screen|us)\b|shar(?:e|ing) (?:my|your|the) screen|wait (?:a|another|for|until|some|one)\b.{0,30}\b(?:minutes?|people|seconds?|moment|join)|you'?re (?:on )?mute|unmute|welcome (?:to|everyone|everybody|all|back)|(?:hello|hi|hey|good morning|good afternoon|good evening),? (?:everyone|everybody|all|guys|folks|there)|thank(?:s| you)(?: \w+){0,3} (?:for (?:joining|coming|attending|being|listening|your time|having|the (?:update|presentation|question|time|opportunity|intro\w*))|everyone|everybody|all|guys|so much|very much|a lot)|see you|talk to you|have a (?:good|great|nice|wonderful)|bye|take care|raised? (?:your|his|her|their|a) hand|hand(?:s)? (?:is |are )?(?:up|raised)|go ahead|take it away|the floor is yours|stop sharing|next slide|in the chat|post(?:ed)? (?:it|this|that|the link|the agenda)|paste|any (?:other )?(?:questions|comments|thoughts|feedback|updates?)\b|(?:anything|anyone|anybody|someone|somebody) (?:else|here|from|wants?|want to|has|have|on the call)|does anyone|do we have (?:any|some|someone)|is (?:there )?(?:anyone|anybody|someone|anything)|who wants to|a (?:bit|little) late|give (?:it|people|everyone) (?:a|another)|happy to (?:answer|take)|ask (?:a )?(?:quick )?questions?|quick question|end the call|wrap up|close (?:the|this) (?:call|meeting)|on the agenda|my (?:audio|mic|microphone|camera|connection|internet)|what do you think|hope (?:this|that|it) (?:helps|makes sense|answers)|if (?:this|that|it) makes sense|youtube|live ?stream\w*|recording (?:will|is|and)|the recording|being recorded|start streaming|would you like to|do you want to|please correct me|open the floor|hand the floor|in the interest of time|(?:two|few|couple|five|\d+) (?:more )?minutes|breakout (?:room )?(?:number|call|#)|short on time|qr code|(?:the|my|these|some|of) slides?|i forgot|off the call|call number|number of (?:people|participants)|present(?:ing|ation) (?:today|is)|great to hear|(?:you|they) (?:can|could) give|for the update|raise your hand|recap of|my name(?:['’]s| is)|i(?:['’]ve| have) been (?:building|working)|if you (?:are|were) available|does (?:this|that|it) (?:make sense|answer|sound|help)|let me (?:share|see|find|check|open|pull|know|go|start|try|just|quickly)|i'?ll (?:share|go|start|stop|pass|hand|try to be|be (?:quick|brief)|let|just|keep it)|can you (?:repeat|say that|hear|see|give us)|introduce (?:myself|yourself)|(?:leave|defer|hand) (?:it|this|that)(?: over)? to|(?:bring|brought) (?:it|this|that) up|jot\w*|anything worth|make (?:a|the) decision|(?:last|next|first|also) on (?:our|the) agenda|(?:excited|happy) to (?:propose|present|be)|(?:have|has) (?:an|some|any|something to|good) (?:opinion|ideas?|thoughts|say|discuss)|we have a channel|get started on|you can look|(?:already|just) (?:covered|mentioned|said)|discuss(?:ed)? (?:it |this |that )?(?:later|offline|today)|(?:ad[- ]?hoc|separate) call|breakout rooms?|(?:comes|come) to mind|support on (?:this|that)|i'?d (?:like to|love to) (?:hear|give|present)|you have seen (?:it|this))\b/iu,
  handover:
    /\b(?:let'?s (?:go|start|begin|continue|move|get|jump|dive|switch|hear|talk|wait|do|give|see|discuss)|(?:next|first|last|final) (?:up|item|one|topic|point|thing|is)|move on|moving on|over to|pass it|hand it|(?:give|have|get) (?:us )?(?:an?|some|any) (?:\w+ )?(?:updates?|intro\w*|overview)|want(?:s|ed)? to (?:speak|talk|share|add|comment|chime|go|give|jump|say|ask|raise)|thank(?:s| you)|i (?:see|saw) (?:you|that)|sounds (?:good|great)|makes? (?:total |a lot of )?sense|good (?:question|point)|great (?:question|point)|good to (?:hear|know|see))\b/iu,
  openings: [
    /\bwelcome (?:back )?to\b(?! (?:come|join|add|raise|ask|share|reach|give|speak))/iu,
    /\b(?:let['’]?s|we can|we['’]ll|we will|go ahead and|probably) (?:\w+ )?(?:get (?:right |directly )?(?:started|into it)|start|begin|kick (?:it |this )?off)\b/iu,
    /\bthis is (?:the )?[^.?!]{0,60}\b(?:breakout|call|meeting|sync|stand-?up)\b/iu,
  ],
  noTitle:
    /(?:ly|[a-z]{3}[ai]ble|[a-z]{2}ed|wards?)$|^(?:\w+ly|plus|per|cannot|prevent|write|follow-on|main|current|mixed|million|whole|certain|becomes?|removed|save|send|run|return|taking|double|particular|regular|simpler|verify|build|implemented|calculated|assembled|including|abstract) |^(?:\w+day|morning|serve|share|bye|join|speak|prs?)$|(?<=\w )(?:per|left|solve|implement|passing|related|smart|native)$/iu,
  hasSpacedCompounds: true,
  transition:
    /\b(?:(?:let'?s|we can|we(?:'ll| will)|we should|i(?:'ll| will)) (?:now )?(?:move|go|jump|switch|continue|turn|get|head|dive) (?:on|over|into?|to|with|back)|mov(?:e|ing) on|next (?:up|item|topic|point|thing|on (?:the|our) agenda|agenda item|presentation|speaker|question)|(?:another|last|final|second|third|first) (?:item|topic|point|thing|agenda|update|announcement)|on the agenda|agenda item|brings us to|up next|with that|that's it for|(?:any(?:thing)?|any other) (?:else|questions|comments)|take it away|over to you|go ahead|would you like to)\b/iu,
  vagueStart:
    /^(?:(?:that|this|it|they|these|those|he|she|there|which|who|what|or|also|if|yes|no|not|to|for|of|on|as|at|with|where|around|about|from|by|than|whether|when|how|like|in (?:that|this) (?:case|situation)|one of (?:them|these|those)|the (?:other|same|first|second) (?:one|thing))(?:['’](?:s|re|ll|d))?|(?:[\p{L}\p{N}'’]+,? ){1,6}?(?:(?:it|they|them|these|those)(?! (?:would|is|was) (?:also |really |very )?(?:nice|good|great|important|helpful|possible|clear|hard|better))|this (?:is|was|will|would|can|could|should|has)|that (?:one|is|was|case|way)))\b/iu,
  hesitation:
    /\b(?:um|uh|like,|you know|i mean|kind of|sort of|i don't know|i'm not sure|i guess|or something|or whatever|blah|basically)\b|…/giu,
  wholeSentence:
    /^(?!(?:once|if|unless|when|assuming|whereas|because|as long as)\b[^,]*$)(?!.*\b(?:a|an|the|is|not|and|or|but|to|of|that|like|because|with|more|all|so|in)[.…]*$).*\b(?:i|we|you|they|it|he|she|there|this|that|is|are|was|were|has|have|had|will|would|can|could|should|must|may|might|does|do|did|needs?|wants?|\p{L}+(?:['’](?:s|re|ll|ve|d)|n['’]t))\b/iu,
  untidy: rules(String.raw`
    (?<![\p{L}'’-])(?:um+|uh+m?|erm?|hmm+|mm+)(?![\p{L}'’-])[,.…]*\s*
    [,.…]\s*(?:you know|i mean|right|okay|yeah|basically)(?=,\s)
    (?:[,.…]\s*|(?<=\b(?:is|are|was|be|to|the|an?|of|with|on|in|that|just|and|has|have|we|they|for))\s)(?:like|let['’]s say|so to speak|sort of|kind of),(?=\s)
    (?<=\b(?:is|are|was|were|be|been|just|i|we|they|to|it['’]s|we['’]re|also|would|can|could) )(?:kind|sort) of\s
    (?<=\b(?:the|a|an|to|of|at|by|for|with|from|into|over|about|than|currently|is|are|was|were|be|we|i|our|my|their|its|will|would|can|could|should)),(?= (?!(?:and|but|so|which|because|or|if|then|we|i|you|it|they|he|she|that|this|when|as|where|though|of|for|actually)\b)\p{L})
    (?<![\p{L}\p{N}'’-])(?!(?:that|had|very|no|so|bye)\b)((?:[\p{L}'’]{1,20} ){0,3}[\p{L}'’]{1,20})(?:[,…]*\s+\1(?![\p{L}\p{N}'’-]))+ => $1
    (?<![\p{L}'’-])((?:[\p{L}'’]{1,20} ){1,2}[\p{L}'’]{1,20}|(?:i|we|it|they|you|he|she)(?:['’]\p{L}{1,2})?)(?:(?!n['’]t|\bno[tr]?\b|\bnever\b)[^\p{N}.?!…]){0,40}…\s*\1(?![\p{L}'’]) => $1
    ^(?:(?:the|an?|in|on|at|to|of|for|i|we|you|it|they|this|that|there|is|are|was|do|does|did|can|could|will|would|should|have|has|if|when|how|what|as|let['’]s|my|our|and|so|or|just),? ?){1,4}…\s*(?=(?:i|we|you|it|they|the|this|that|there|if|what|when|so|as|before|after|my|our|let['’]s)(?!\p{L}))
    ,?…(?=\s+(?!(?:i|we|you|it|they|he|she|if|so|that|there|what|let)(?!\p{L}))\S)
    ,(?= (?:of(?! course)|to|during|than) )
    (?<![\p{L}\p{N}'’-])\p{L}{1,5}-\s+(?!(?:and|or|to)\b)
    \bgonna\b => going to
    \bwanna\b => want to`),
  closed: new Set(
    list(`the a an and or but so if when while where which who that this these those there here it they we you he she is are
      was were be been have has had will would can could should to of in on at by for with from as not just also then
      because like our their its some any all most each every into over about still now after before once since
      currently today both`),
  ),
};

const GERMAN: Cues = {
  ...NONE,
  fillers:
    list(`ja nein genau okay ok gut super also naja äh ähm hm hmm stimmt klar richtig danke hallo prima schön toll
    doch eben halt nun tja na_ja alles_klar ich_meine vielen_dank`),
  joiners: list('und also aber äh ähm ja genau okay ok dann'),
  empty: new Set(
    list(`ja nein genau okay gut super also naja äh ähm hm mal halt eben schon noch ganz einfach vielleicht eigentlich
      irgendwie natürlich glaube glaub denke sagen sagt gesagt machen macht gemacht gehen geht gibt geben haben wir ihr
      würde würden könnte könnten müssen muss sollte sollten wollen will kommt kommen sehen sehe wissen weiß ding dinge
      sache sachen leute heute jetzt dann immer wieder viel viele bisschen bitte danke hallo alle mehr sehr wirklich`),
  ),
  report:
    /(?<![\p{L}])(?:derzeit|aktuell|gerade|bisher|bereits|schon|noch nicht|fertig|erledigt|läuft|getestet|veröffentlicht|umgesetzt|abgeschlossen|behoben|begonnen|gestartet|gefunden|vorgeschlagen|geplant|stand|fortschritt|arbeite[nt]? an|(?:diese|letzte|nächste)[nrs]? (?:woche|monat))(?![\p{L}])/giu,
  smallTalk:
    /(?<![\p{L}])(?:hört (?:ihr|man|mich)|hören (?:sie|mich)|könnt ihr (?:mich|alle|meinen)|seht ihr|bildschirm (?:teilen|sehen)|stumm|willkommen|guten (?:morgen|tag|abend)|hallo (?:zusammen|alle|allerseits)|(?:vielen |herzlichen )?dank(?:e)?(?: schön| sehr)?(?: für|,? (?:alle|euch|an))|tschüss|auf wiedersehen|schönen (?:tag|abend|feierabend)|bis (?:bald|dann|später)|warten wir|noch (?:ein paar|zwei|fünf) minuten warten|noch (?:fragen|anmerkungen)|gibt es (?:noch )?fragen|leg los|im chat)(?![\p{L}])/iu,
  handover:
    /(?<![\p{L}])(?:(?:fangen|machen|gehen|kommen|starten) wir|nächste[rs]? punkt|als nächstes|weiter mit|übergebe|du bist dran|danke|klingt gut)(?![\p{L}])/iu,
  openings: [
    /(?<!\p{L})(?:willkommen (?:zu[rm]?|bei))(?!\p{L})/iu,
    /(?<!\p{L})(?:(?:fangen|starten|legen|beginnen) wir|lasst uns (?:anfangen|starten|beginnen)|los ?geht['’]?s)(?!\p{L})/iu,
  ],
  transition:
    /(?<![\p{L}])(?:nächste[rs]? (?:punkt|thema)|als nächstes|kommen wir zu|weiter mit|zum nächsten|anderes thema|letzter punkt|tagesordnung)(?![\p{L}])/iu,
  vagueStart:
    /^(?:das|dies|dieser|diese|es|er|sie|die|da|dort|davon|dazu|auch|oder|wenn|weil|dass)(?![\p{L}])/iu,
  hesitation: /(?<![\p{L}])(?:äh|ähm|irgendwie|sozusagen|keine ahnung|halt|oder so|quasi)(?![\p{L}])|…/giu,
  untidy: rules(String.raw`
    (?<![\p{L}-])(?:ähm?|öhm?|hm+)(?![\p{L}-])[,.…]*\s*
    ,\s(?:sag ich mal|ich meine|ne|sozusagen|keine ahnung|ja)(?=,\s)
    (?<![\p{L}\p{N}-])(?!(?:die|der|das|den|dem|sie|ihr|sehr|nein)(?!\p{L}))((?:\p{L}{1,20} ){0,3}\p{L}{1,20})(?:[,…]*\s+\1(?![\p{L}\p{N}-]))+ => $1
    ,?…(?=\s+\p{L})`),
};

/** The cues for a BCP 47 code; empty ones if there is no table for the language. */
export function cuesOf(language: string | null): Cues {
  const code = language?.toLowerCase().split('-')[0];
  if (code === 'en') return ENGLISH;
  return code === 'de' ? GERMAN : NONE;
}
