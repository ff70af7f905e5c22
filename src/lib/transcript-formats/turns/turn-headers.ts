import { forEachLine } from '../captions/captions-lines.js';
import { timingLinesIn } from '../captions/captions-times.js';
import { FILE_LIMITS } from '../transcript.js';
import { SHORT_LINE, turnLineOf, type TurnLine } from './turn-lines.js';

/** A line with a time, where it begins, and where what is said begins. */
export interface Header extends TurnLine {
  /** Counted from 1. */
  readonly line: number;
  readonly at: number;
  readonly from: number;
}

/** What the lines of a text are. */
export interface Headers {
  /** Those with a time before what is said. */
  readonly inline: readonly Header[];
  /** Those with a time, above what is said. */
  readonly above: readonly Header[];
  /** Lines that are not blank. */
  readonly lines: number;
  /** Those of them before the first with a time. */
  readonly before: { readonly inline: number; readonly above: number };
}

/** Lines that programs add, in which nothing is said: where one is, a turn ends. */
const FURNITURE =
  /^(?:Transcribed by https?:|End of transcript\b|whisper_|main: |system_info: |output_\w+: |Detect(?:ed|ing) language|\S.{0,99} (?:started|stopped) transcription\s*$)/i;

export const isFurniture = (line: string): boolean => FURNITURE.test(line);

/** Finds the lines with a time in a text. */
export function headersIn(text: string): Headers {
  const { padded, unpadded } = timingLinesIn(text);
  const isTeams = unpadded > padded;
  const [inline, above]: [Header[], Header[]] = [[], []];
  const before = { inline: 0, above: 0 };
  let lines = 0;
  forEachLine(text, { at: 0, line: 1 }, (at, to, line, next) => {
    const content = text.slice(at, Math.min(to, at + SHORT_LINE));
    if (content.trim() === '' || isFurniture(content)) return true;
    const found = turnLineOf(content, isTeams);
    // The timing lines of captions.
    const isRead = found !== null && (isTeams || found.isBracketed || !content.includes('-->'));
    if (isRead) {
      const { textAt } = found;
      const header = { ...found, line, at, from: textAt === null ? next : at + textAt };
      (textAt === null ? above : inline).push(header);
    }
    lines += 1;
    if (inline.length === 0) before.inline += 1;
    if (above.length === 0) before.above += 1;
    return Math.max(inline.length, above.length) <= FILE_LIMITS.segments;
  });
  return { inline, above, lines, before };
}
