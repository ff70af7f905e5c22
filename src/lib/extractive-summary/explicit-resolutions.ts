import type { Cues } from './extractive-cues.js';
import type { Weighed } from './extractive-words.js';
import { namedIn, type Speakers } from './owners.js';
import type { ResolutionCues } from './resolution-cues.js';

/** How explicitly each sentence decides something or gives somebody something to do: below 0 if it does not. */
export interface Explicit {
  readonly decisions: readonly number[];
  readonly actionItems: readonly number[];
}

export function explicitIn(
  said: readonly Weighed[],
  cues: ResolutionCues,
  { talk, speakers }: { talk: Cues; speakers: Speakers },
): Explicit {
  const texts = said.map(({ sentence }) => sentence.text);
  return {
    decisions: texts.map((text) => decides(text, cues)),
    actionItems: texts.map((text) => asks(text, cues, { talk, speakers })),
  };
}

/** 1 if it says that something is decided, 0 if it settles something without saying so. */
function decides(text: string, { declared, resolved, doubted }: ResolutionCues): number {
  const declaration = declared.exec(text);
  const match = declaration ?? resolved.exec(text);
  // Doubts count before the cue, not in what follows.
  if (!match || isQuestion(text) || doubted.test(text.slice(0, match.index))) return -1;
  return declaration ? 1 : 0;
}

/** More if somebody is asked or a date is named, less if it is vague. */
function asks(
  text: string,
  cues: ResolutionCues,
  { talk, speakers }: { talk: Cues; speakers: Speakers },
): number {
  const [isAsked, isNeeded] = [cues.asked.test(text), cues.needed.test(text)];
  const isNamed = cues.task.test(text) && namedIn(text, cues, speakers) !== null;
  if (!cues.promised.test(text) && !isNamed && !isAsked && !isNeeded) return -1;
  if (isQuestion(text) && !isAsked) return -1;
  const isDue = cues.due(text) !== null;
  return Number(isAsked) + Number(isDue) - Number(isNeeded) - Number(talk.smallTalk.test(text));
}

function isQuestion(text: string): boolean {
  return /[?？]$/u.test(text);
}
