import { dueIn } from '../language/due-date.js';
import { RESOLUTION_WORDS } from './resolution-words.js';

/** Who is to do something, and when. */
export interface OwnerCues {
  /** Others agree with what was said. */
  readonly accepted: RegExp;
  /** The speaker undertakes to do something. */
  readonly promised: RegExp;
  /** The words for when it is due: "by Friday". */
  readonly due: (text: string) => string | null;
  /** What follows the name of whom something is asked of ("Ada, can you") or expected of ("Ada will"). */
  readonly afterName: RegExp;
  /** The speaker alone: "I will". */
  readonly self: RegExp;
}

/** How decisions and promises are put in one language. */
export interface ResolutionCues extends OwnerCues {
  /** It is said that something is decided. */
  readonly declared: RegExp;
  /** Something is settled without saying so: "let's go with". */
  readonly resolved: RegExp;
  /** Hypotheses, reports and doubts, in which the same words decide nothing. */
  readonly doubted: RegExp;
  /** Somebody is asked to do something. */
  readonly asked: RegExp;
  /** Something is left to do, for whomever. */
  readonly needed: RegExp;
  /** Something to do; who is named with it is to do it. */
  readonly task: RegExp;
}

/** What is no date, and only in English meetings. */
const MEETING_DUE =
  /(?<!\p{L})(?:(?:before |on |by |in |for )?(?:the |our )?next (?:call|meeting|breakout)|after the call|as soon as possible|later today)(?!\p{L})/iu;

/** In English, models say what was decided and promised; these say by whom. */
export const ENGLISH: OwnerCues = {
  accepted:
    /\b(?:sounds? (?:good|great|fine)|agree|makes? sense|perfect|(?:that['’]s|it['’]s|is) (?:fine|okay|cool|good)|not a problem|no objections?|i think so|definitely|good point|exactly)\b/iu,
  // "How we will test this" promises nothing.
  promised:
    /(?<!\b(?:how|what|where|why|when|whether|if) )\b(?:(?:i|we)(?:['’]ll|…? will)|(?:i['’]m|i am|we['’]re|we are) (?:going to|gonna|planning|aiming))\b/iu,
  due: (text) => dueIn(text, 'en') ?? MEETING_DUE.exec(text)?.[0] ?? null,
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

const CUES = new Map(Object.entries(RESOLUTION_WORDS).map(([code, words]) => [code, cuesIn(code, words)]));

/** The cues for a BCP 47 code; null if there are none for the language, and for English. */
export function resolutionCuesOf(language: string | null): ResolutionCues | null {
  return CUES.get(language?.toLowerCase().split('-')[0] ?? '') ?? null;
}
