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
export function resolutionCuesOf(language: string | null): ResolutionCues | null {
  return CUES.get(language?.toLowerCase().split('-')[0] ?? '') ?? null;
}
