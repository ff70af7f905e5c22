import { dueIn } from '../language/due-date.js';
import { RESOLUTION_WORDS } from './resolution-words.js';

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

/** What is settled, and what is done: verbs of decisions and of tasks. */
const SETTLE =
  '(?:do (?:that|this|it)|go (?:with|for|ahead with)|aim for|include|exclude|merge|stick (?:to|with)|postpone|defer|delay|leave (?:it|that|this)|remove|drop|lower|raise|reduce|launch|ship|make the (?:call|decision)|finali[sz]e|prioriti[sz]e|have (?:it|that|them))';
const DO =
  '(?:review|merge|update|fix|send|write|open|follow up|reach out|publish|release|ping|finish|complete|ship|create|test|check|look|take a look|have a look|prepare|finali[sz]e|add|make (?:a|the|sure)|draft|document|implement|submit|coordinate|sync|report|investigate|organi[sz]e|confirm|propose|push|remove|set up|work on|analy[sz]e|define|specify|integrate|collect|provide|comment|discuss|share|help|join|announce|deploy|launch|rebase|get back|bring|research|schedule|talk|meet|ask)';
const ADVERBS =
  '(?:also |then |just |now |probably |definitely |hopefully |still |try to |have to |need to )*';
/** "How we will test this" promises nothing. */
const NO_QUESTION = '(?<!(?:how|what|where|why|when|whether|if) )';
const DAY = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)';
/** "May" is a month only after some words, or before a number. */
const MONTH =
  '(?:january|february|march|april|(?<=(?:by|in|of|until|before|early|mid|late) )may|may(?= \\d)|june|july|august|september|october|november|december)';
const all = (...parts: string[]) => new RegExp(`(?<![\\p{L}])(?:${parts.join('|')})(?![\\p{L}])`, 'iu');

const ENGLISH_DUE = all(
  `(?:by|before|until|on|this|next|coming|mid|early|late) (?:the )?(?:end of )?(?:the |this |next )?(?:${DAY}|tomorrow|tonight|${MONTH}(?: \\d{1,2})?|weeks?|months?|quarter|year|q[1-4])`,
  `(?:in|at) (?:the )?(?:end of )(?:the |this |next )?(?:week|month|quarter|year|${MONTH})`,
  'end of (?:the |this |next )?(?:week|month|quarter|year)',
  'in (?:two|three|a few|\\d+) (?:days|weeks|months)',
  `(?:before |on |by |in |for )?(?:the |our )?next (?:call|meeting|breakout)`,
  `tomorrow|${MONTH} \\d{1,2}|after the call|as soon as possible|later today`,
  `(?:(?:by|before|until|on) )?(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}|(?:(?:by|before|until|on) )?\\d{4}-\\d\\d-\\d\\d`,
);

const ENGLISH: ResolutionCues = {
  declared: all(
    "(?:we|they|everyone)(?:['’]ve| have)? (?:all |just |now |also )*(?:agreed?|decided?|settled|concluded) (?:not )?(?:to|on|that|for|against)",
    'decisions? (?:today )?(?:is|are) (?:made|to|that|not|final)',
    '(?:sentiment|consensus|conclusion|agreement)(?: or \\p{L}+)? (?:is|seems)(?: that| to)',
    'we…? (?:cfi|approve|reject|adopt)',
    "(?:is|are|it['’]s) (?:now )?(?:agreed|decided|approved|rejected|postponed|deferred)",
    '(?:the|our) plan is (?:not )?to',
    'unanimous',
  ),
  resolved: all(
    `let['’]s ${SETTLE}`,
    'something (?:that )?we should do',
    `we(?:['’]ll| will| should| won['’]t|['’]re (?:not )?going to) ${ADVERBS}${SETTLE}`,
    'is the one (?:that )?we should',
    'need to do something',
    'proposal is (?:to|that)',
  ),
  doubted: all(
    'if|whether|was|were|had|wanted|could|might|may(?:be)?|any(?:one|body)?|would|already|time for|possible|sooner|until|when',
  ),
  accepted: all(
    "sounds? (?:good|great|fine)|agree|makes? sense|perfect|(?:that['’]s|it['’]s|is) (?:fine|okay|cool|good)|not a problem|no objections?|i think so|definitely|good point|exactly",
  ),
  promised: all(
    `${NO_QUESTION}(?:i|we)(?:['’]ll|…? will) (?:i will )?${ADVERBS}${DO}`,
    `${NO_QUESTION}(?:i['’]m|i am|we['’]re|we are) (?:going to|gonna|planning (?:to|on)|aiming to) ${ADVERBS}(?:${DO}|make)`,
    'we can (?:set up|get .{0,30}(?:up|done|running|merged))',
  ),
  asked: all(
    `please (?:\\p{L}+ )?${DO}`,
    'please (?:\\p{L}+ )?(?:let (?:me|us) know|chime in|reach out|come)',
    `(?:can|could|would) you(?: all| guys| please)* ${DO}`,
    `would be (?:great|nice|good|helpful),?(?: \\p{L}+,)? if you`,
    `(?:we|i) would (?:really |also )*(?:like|ask|love|want) (?:that )?(?:you|\\p{L}+s|everyone|people) (?:to |all |also )*(?:${DO}|come)`,
    '(?:to|please|you|just|maybe|next) .{0,25}(?:take|have) a look|let (?:me|us) know if|(?:take|need|want|like|have|collect) (?:more |any |your )?(?:feedback|input)s?',
  ),
  needed: all(
    `(?:we|you|they|teams?|clients?|everyone) (?:still |all |really )*(?:need to|have to|should) ${ADVERBS}${DO}`,
    'next steps?|action items?|to-?dos?|left to do|goal is to have',
  ),
  due: (text) => ENGLISH_DUE.exec(text)?.[0] ?? null,
  task: all(`(?:(?:can|could|would|will) you(?: please)?|will|is going to|please) ${ADVERBS}${DO}`),
  afterName: /^(?:,? (?:can|could|would|will) you\b|, please\b| (?:will|is going to)\b|[’']ll\b)/iu,
  self: /\bI(?:[’']ll|[’']m| will| am| can| should|…| would)/u,
};

const cue = (source: string): RegExp => new RegExp(source, 'iu');

function cuesIn(code: string, words: string): ResolutionCues {
  const lines = words.replaceAll("'", "['’]").split(/\n */);
  const [declared, resolved, doubted, accepted, self, joint, asked, needed, task, afterName] = lines.map(
    (line) => (code === 'ja' || code === 'zh' ? line : `(?<!\\p{L})(?:${line})(?!\\p{L})`),
  ) as [string, string, string, string, string, string, string, string, string, string?];
  return {
    declared: cue(`(?<!(?:^|\\P{L})(?:no|non|não|nie|nicht)(?: \\p{L}{1,3})? )(?:${declared})`),
    resolved: cue(resolved),
    doubted: cue(doubted),
    accepted: cue(accepted),
    promised: cue(`${self}|${joint}`),
    asked: cue(asked),
    needed: cue(needed),
    due: (text) => dueIn(text, code),
    task: cue(task),
    afterName: cue(`^(?:${afterName ?? `[,，、]?\\s*¿?(?:${task})`})`),
    self: cue(self),
  };
}

const CUES = new Map([
  ['en', ENGLISH],
  ...Object.entries(RESOLUTION_WORDS).map(([code, words]) => [code, cuesIn(code, words)] as const),
]);

/** The cues for a BCP 47 code; null if there are none for the language. */
export function resolutionCuesOf(language: string | null): ResolutionCues | null {
  return CUES.get(language?.toLowerCase().split('-')[0] ?? '') ?? null;
}
