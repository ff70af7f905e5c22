import { placeOf } from '../captions/captions-reader.js';
import type { TranscriptDraft } from '../transcript-draft.js';
import { FILE_LIMITS } from '../transcript.js';

/** What one person says without being interrupted. */
export interface Turn {
  readonly line: number;
  /** Seconds. */
  readonly start: number;
  /** Null if the file does not say when it ends. */
  readonly end: number | null;
  readonly speaker: string;
  readonly text: string;
}

export function addTurn({ line, start, end, speaker, text }: Turn, draft: TranscriptDraft): void {
  const place = placeOf(line);
  if (Math.max(start, end ?? start) >= FILE_LIMITS.time) {
    draft.mistake(place, `times must be below ${FILE_LIMITS.time} seconds`);
  } else if (end !== null && end < start) draft.mistake(place, 'ends before it starts');
  else draft.add({ start, end, speaker, text, confidence: 1 }, () => place);
}
