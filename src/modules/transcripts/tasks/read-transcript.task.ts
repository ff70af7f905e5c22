import { z } from '../../../lib/zod.js';
import { languageOfSegments } from '../../../lib/language/detect-language.js';
import { handOver, type ThreadTask } from '../../../platform/work/thread-task.js';
import { toStored, type StoredTranscript } from '../stored-transcript.js';
import { readOwnJson } from '../../../lib/transcript-formats/own-json-reader.js';
import { TranscriptDraft } from '../../../lib/transcript-formats/transcript-draft.js';
import { withinMedia } from '../../../lib/transcript-formats/within-media.js';
import type { SkippedPart } from '../../../lib/transcript-formats/transcript-file.error.js';
import { SKIPPED_LISTED } from '../../../lib/transcript-formats/transcript.js';

export interface ParsedFile {
  /** JSON of a `ParsedTranscript` (`parse-transcript.task.ts`). */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Language of the transcript; null to use the one in the file or else detect it. */
  readonly language: string | null;
  /** Seconds of the media; null if it is not known. */
  readonly duration: number | null;
  /** Whether to skip what begins after the end of the media. */
  readonly lenient: boolean;
}

export interface ReadFile {
  readonly transcript: StoredTranscript;
  readonly skipped: readonly SkippedPart[];
  /** Number of all skipped parts; `skipped` lists the first ones. */
  readonly skippedCount: number;
}

/** The part of a `ParsedTranscript` that says why. */
interface UnreadableFile {
  readonly mistake: string;
  readonly unsupported: boolean;
}

export const READ_TRANSCRIPT: ThreadTask<ParsedFile, ReadFile | UnreadableFile> = {
  module: import.meta.url,
};

const SHOWN = z.string().max(10_000);

/** The shape of a `ParsedTranscript`. The segments are checked by the reader. */
const PARSED = z.union([
  z.object({ mistake: SHOWN, unsupported: z.boolean() }),
  z.object({
    language: z.unknown(),
    segments: z.array(z.unknown()),
    skipped: z.array(z.object({ place: SHOWN, reason: SHOWN })).max(SKIPPED_LISTED),
    skippedCount: z.int().min(0),
  }),
]);

/** Converts a parsed file to its stored form. What the parser returned has to meet the rules of any transcript. */
export default async function read(file: ParsedFile): Promise<ReadFile | UnreadableFile> {
  const parsed = PARSED.parse(JSON.parse(new TextDecoder().decode(file.bytes)));
  if ('mistake' in parsed) return parsed;
  const draft = new TranscriptDraft(false);
  const found = draft.done('json', readOwnJson(parsed, draft));
  const { segments, beyond } = withinMedia(found.segments, file.duration ?? Infinity);
  const [first] = beyond;
  if (first && (!file.lenient || segments.length === 0)) {
    return { mistake: `${first.place}: ${first.reason}`, unsupported: false };
  }
  const language = file.language ?? found.language ?? (await languageOfSegments(segments));
  const transcript = toStored({ language, segments });
  const arrays = transcript.batches.map(({ json }) => json);
  const skipped = [...parsed.skipped, ...beyond].slice(0, SKIPPED_LISTED);
  return handOver({ transcript, skipped, skippedCount: parsed.skippedCount + beyond.length }, arrays);
}
