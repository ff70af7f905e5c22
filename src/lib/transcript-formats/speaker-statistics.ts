import type { Segment } from './transcript.js';

/** What a speaker does; times in seconds, also while others speak. */
export interface SpeakerStatistics {
  readonly speaker: string;
  readonly talkTime: number;
  /** Of the talk time of all speakers, 0 to 1. */
  readonly share: number;
  readonly longestMonologue: number;
  readonly interruptions: number;
  readonly questions: number;
}

/** Times in milliseconds. */
export const STATISTICS_LIMITS = {
  speakers: 100,
  /** Within a monologue. */
  pause: 2_000,
  /** Shorter is no more than a "mm-hm"; somebody who is silent for longer has stopped. */
  moment: 1_000,
  /** Shorter is how one speaker follows another. */
  overlap: 200,
} as const;

/** Question marks of all scripts, in Greek a semicolon: the last of several, and not in an address. */
const MARK = '?\u037E\u061F\u1367\u203D\u2047-\u2049\u2E2E\uA6F7\uFE16\uFE56\uFF1F';
const QUESTION = new RegExp(`(?:[${MARK}]|;(?<=\\p{Script=Greek};))(?![!\uFF01]*[${MARK}\\w])`, 'gu');

export const countQuestions = (text: string): number => text.match(QUESTION)?.length ?? 0;

class Tally {
  talkTime = 0;
  longestMonologue = 0;
  interruptions = 0;
  questions = 0;
  /** The current monologue, and the number of its last segment. */
  from = 0;
  to = -Infinity;
  last = -1;
  /** The start and the number of the last segment that is not short. */
  turn = { from: 0, number: 0 };
  /** Who has interrupted their last words, if they do not go on. */
  by: Tally | null = null;
}

/**
 * Counts what each speaker does in segments that are in the order of their starts, in linear time; those without a
 * speaker do not count. Most talk time first, at most `STATISTICS_LIMITS.speakers`.
 *
 * A longer pause ends a monologue, and so does a segment of somebody else that is not short. Somebody interrupts who has
 * been silent, begins something that is not short while the last other one is speaking, and makes them stop within a
 * moment.
 */
export function countSpeakers(segments: readonly Omit<Segment, 'confidence'>[]): SpeakerStatistics[] {
  const { speakers, pause, moment, overlap } = STATISTICS_LIMITS;
  const tallies = new Map<string, Tally>();
  /** Whose turn came last, and the last of anybody else. */
  let [latest, earlier]: (Tally | undefined)[] = [];
  let number = 0;
  for (const { speaker, start, end, text } of segments) {
    if (speaker === '') continue;
    number += 1;
    const tally = tallies.get(speaker) ?? new Tally();
    tallies.set(speaker, tally);
    const [from, to] = [Math.round(start * 1000), Math.round(end * 1000)];
    const other: Tally | undefined = latest === tally ? earlier : latest;
    const silence = from - tally.to;
    if (tally.by && silence <= moment) tally.by.interruptions -= 1;
    tally.by = null;
    if (silence > pause || (other && other.turn.number > tally.last)) tally.from = from;
    tally.talkTime += Math.max(0, to - Math.max(from, tally.to));
    tally.to = Math.max(to, tally.to);
    tally.longestMonologue = Math.max(tally.to - tally.from, tally.longestMonologue);
    tally.questions += countQuestions(text);
    tally.last = number;
    if (to - from < moment) continue;
    const left = other && other.turn.from < from ? other.to - from : 0;
    if (other && silence > moment && left >= overlap && left <= moment) {
      tally.interruptions += 1;
      other.by = tally;
    }
    tally.turn = { from, number };
    [latest, earlier] = [tally, other];
  }
  const sorted = [...tallies].sort(([, one], [, another]) => another.talkTime - one.talkTime);
  const all = sorted.reduce((sum, [, { talkTime }]) => sum + talkTime, 0) || 1;
  return sorted
    .slice(0, speakers)
    .map(([speaker, { talkTime, longestMonologue, interruptions, questions }]) => ({
      speaker,
      talkTime: talkTime / 1000,
      share: Math.round((talkTime / all) * 10_000) / 10_000,
      longestMonologue: longestMonologue / 1000,
      interruptions,
      questions,
    }));
}
