import { forEachLine } from '../captions/captions-lines.js';
import { placeOf } from '../captions/captions-reader.js';
import type { TranscriptDraft } from '../transcript-draft.js';
import { FILE_LIMITS } from '../transcript.js';

/** The line with which a turn begins. */
export interface TurnHeader {
  /** Seconds. */
  readonly start: number;
  /** Seconds, in formats that give it. */
  readonly end?: number;
  readonly speaker: string;
  /** Where the text begins in this line; by default, in the next one. */
  readonly textAt?: number;
}

/** What one person says without being interrupted. */
export interface Turn {
  readonly line: number;
  readonly start: number;
  readonly end: number | null;
  readonly speaker: string;
  readonly text: string;
}

export interface TurnFormat {
  /** The header in a line; null if it is none. */
  readonly headerOf: (line: string) => TurnHeader | null;
  /** Whether a line is neither header nor text, such as a footer. */
  readonly skips?: (line: string) => boolean;
  /** Changes a turn before it is added. */
  readonly finish?: (turn: Turn) => Turn;
}

/** Characters of a line that can be a header, a time or a footer. */
export const SHORT_LINE = 200;

/** `0:03`, `12:34`, `75:10` or `1:02:03` in seconds. */
export function clockSeconds(time: string): number {
  return time.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);
}

/**
 * Reads text in which a header precedes each turn. What comes before the first one, such as a title, is not part of the
 * transcript.
 */
export function readTurns(text: string, format: TurnFormat, draft: TranscriptDraft): void {
  const { headerOf, skips = () => false, finish = (turn) => turn } = format;
  let open: (TurnHeader & { readonly line: number; readonly from: number }) | null = null;
  const close = (to: number): void => {
    if (!open) return;
    const { line, start, end = null, speaker, from } = open;
    addTurn(finish({ line, start, end, speaker, text: text.slice(from, to).trim() }), draft);
    open = null;
  };
  forEachLine(text, { at: 0, line: 1 }, (from, to, line, next) => {
    const content = text.slice(from, Math.min(to, from + SHORT_LINE));
    const header = headerOf(content);
    if (!header && !skips(content)) return true;
    close(from);
    if (!header) return true;
    if (!draft.hasRoom(placeOf(line))) return false;
    open = { ...header, line, from: header.textAt === undefined ? next : from + header.textAt };
    return true;
  });
  close(text.length);
}

export function addTurn({ line, start, end, speaker, text }: Turn, draft: TranscriptDraft): void {
  const place = placeOf(line);
  if (Math.max(start, end ?? start) >= FILE_LIMITS.time) {
    draft.mistake(place, `times must be below ${FILE_LIMITS.time} seconds`);
  } else if (end !== null && end < start) draft.mistake(place, 'ends before it starts');
  else draft.add({ start, end, speaker, text, confidence: 1 }, () => place);
}
