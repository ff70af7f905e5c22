import { NOTHING } from './extractive-content.js';

/** How an overview is put in one language, in the third person. */
export interface Voice {
  readonly list: Intl.ListFormat;
  readonly someone: string;
  /** For a meeting of which nothing can be told. */
  readonly nothing: string;
  /** For no speaker with a name, one, two, and more. */
  readonly introductions: readonly string[];
  /** Phrases that can be named as a topic. */
  readonly topic: RegExp;
  /** The beginning of a sentence that states something. */
  readonly statement: RegExp;
  /** What cannot be reported in the third person: it is addressed to somebody, or its persons are not certain. */
  readonly direct: RegExp;
  /** Beginnings that are left out, and how what follows is introduced, in the order in which they are tried. */
  readonly openings: readonly (readonly [beginning: RegExp, verb: string])[];
  /** The speakers in the third person. */
  readonly persons: readonly (readonly [RegExp, string])[];
  /** Words that stand for what was said before. */
  readonly vague: RegExp;
  /** Something is decided, planned or open. */
  readonly matters: RegExp;
}

const ENGLISH: Voice = {
  list: new Intl.ListFormat('en-GB'),
  someone: 'Someone',
  nothing: NOTHING,
  introductions: [
    'The meeting covered {topics}.',
    '{names} spoke about {topics}.',
    '{names} spoke about {topics}.',
    'The meeting covered {topics}; {names} spoke most.',
  ],
  topic: /^(?=.*(?:\p{Lu}|\S\p{L}*\p{N})\p{Lu}|.*\p{Ll}\p{Lu}|.*\p{N}|.*\p{L}[ -]\p{L}).{3}/u,
  statement:
    /^(?:(?:I|We|There|Currently|Today|(?:In|On|At|For|With|If|When|Once|After|Before|Since|As)(?! (?:that|this|it)\b)[^,]*, (?:I|we|there|the|an?|our)|Let['’]s (?!say|see|just|assume|suppose|imagine))\b|(?=(?:(?!\b(?:that|which|who|where|what)\b)[^,])*\b(?:is|are|was|were|has|have|had|will|would|can|could|should|must|may|might|does|do|did|needs?|\p{L}+n['’]t)\b)(?:The|A|An|Our|My|Each|Every|All|Most|Some|Both|\p{Lu}{2,}\p{N}*)\b(?!,))/u,
  direct:
    /\b(?:you|yours?|yourself|they|them|their|please|thanks?|sorry|let me|yeah|okay|hello|hi|guys|he|she|his|hers?|him|here|being|will going|that to|and i|(?:i|we|it) (?:i|we|it)|breakouts?|screen|slides?|calendar|agenda|zoom|tomorrow|utc|won['’]t go|in chat|chat earlier|assume)\b|\b(?:is|are|was|that|and|but|if|over|about|by|on|in|for|at|to|we|i|this),|\b((?:[\p{L}'’]+ ){2,4}[\p{L}'’]+)\b.*\b\1\b|\b(?:that|the|an?|of|and|with|from|is|are|this|which|or|but|so)[.,]*$|.\blet['’]s\b|^the (?:\p{L}+ )?(?:ones?|things?|reason|difference|question|idea|goal|problem|issue|answer|item|only)\b|\b(?:the|a|this) link\b|\bmeeting room\b|[?"“”…]/iu,
  openings: [
    [/^Let['’]s /u, '{} suggested that they '],
    [/^(?:I|We)(?: would|['’]d)? (?:propose|suggest) that /u, '{} suggested that '],
    [
      /^I (?:just )?(?:can tell|know|(?:would|['’]d) say|(?:do )?want(?:ed)? to (?:mention|say|note|add|point out|highlight|flag|leave a note)(?: this,)?) that,? /u,
      '{} said that ',
    ],
    [/^I (?:think|believe|guess|feel)(?: that)?,? /u, '{} thinks that '],
    [/^/u, '{} said that '],
  ],
  persons: [
    [/\b(?:I|[Ww]e) ((?:\p{L}+ly |just |also |still |never )?)(?:am|was)\b/gu, 'they $1were'],
    [/\bI['’]m\b|\b[Ww]e['’]re\b/gu, 'they are'],
    [/\b(?:I|[Ww]e)['’]ve\b/gu, 'they have'],
    [/\b(?:I|[Ww]e)['’]ll\b/gu, 'they will'],
    [/\b(?:I|[Ww]e)(?=['’ ,])/gu, 'they'],
    [/\b(?:[Mm]y|[Oo]ur)\b/gu, 'their'],
    [/\b(?:mine|ours)\b/gu, 'theirs'],
    [/\b(?:me|us)\b/gu, 'them'],
    [/\b(?:myself|ourselves)\b/gu, 'themselves'],
  ],
  vague:
    /\b(?:it|these|those|(?:this|such)(?! (?:week|month|year|quarter|call|meeting))|that (?:one|way|case|path|part|document)|also|for example|then|things?|stuff|something|there(?! (?:is|are|was|were|will)))\b/giu,
  matters:
    /\b(?:agreed|decided|approved|rejected|postponed|consensus|conclusion|the plan|plan(?:s|ning)? to|propos(?:al|ed?|ing)|going to|will|still (?:need|have) to|not (?:yet )?(?:decided|clear|resolved)|open questions?|blocker|blocked|by (?:the end|next|mon|tues|wednes|thurs|fri)\p{L}*)\b/iu,
};

const GERMAN: Voice = {
  list: new Intl.ListFormat('de'),
  someone: 'Jemand',
  nothing: 'Es wurde nichts gesagt, das sich zusammenfassen ließe.',
  introductions: [
    'Es ging um {topics}.',
    '{names} sprach über {topics}.',
    '{names} sprachen über {topics}.',
    'Es ging um {topics}; am meisten sprachen {names}.',
  ],
  topic: /^\p{Lu}.{2}/u,
  statement: /^\p{Lu}/u,
  direct:
    /(?<!\p{L})(?:ich|mich|mir|mein\p{L}*|uns|du|dich|dir|dein\p{L}*|ihr|euch|euer|eure\p{L}*|sie|ihnen|bitte|danke|lasst|lass|hallo)(?!\p{L})|[?"“”„…]/iu,
  openings: [[/^/u, '{} sagte: ']],
  persons: [
    [/^Wir(?!\p{L})/u, 'Sie'],
    [/(?<!\p{L})wir(?!\p{L})/gu, 'sie'],
    [/(?<!\p{L})([Uu])nser(e[mnrs]?)?(?!\p{L})/gu, 'ihr$2'],
  ],
  vague: /(?<!\p{L})(?:das|dies\p{L}*|es|davon|dazu|damit|dort|da|sowas|sache|ding)(?!\p{L})/giu,
  matters:
    /(?<!\p{L})(?:beschlossen|entschieden|vereinbart|geeinigt|festgelegt|verschoben|plan\p{L}*|werden|offen|noch nicht|bis (?:ende|montag|dienstag|mittwoch|donnerstag|freitag))(?!\p{L})/iu,
};

/** The words for a BCP 47 code; null if there are none for the language. */
export function voiceOf(language: string | null): Voice | null {
  const code = language?.toLowerCase().split('-')[0];
  if (code === 'en') return ENGLISH;
  return code === 'de' ? GERMAN : null;
}
