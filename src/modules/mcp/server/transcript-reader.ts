import type { Schemas } from 'meeting-recording-client';
import { SEGMENTS_PER_CHUNK } from '../../../contract/limits.js';
import { z } from '../../../lib/zod.js';
import type { MeetingsApi, Reply } from './meetings-api.js';

export const SEGMENT = z.object({
  id: z.number(),
  start: z.number(),
  end: z.number(),
  speaker: z.string().describe('Empty if not known'),
  text: z.string(),
  noise: z.boolean().optional().describe('Whether it is a sound or a mark, and no speech'),
});
type Segment = z.output<typeof SEGMENT>;

/** Characters of a chunk, roughly: what a page is expected to have. */
const USUAL_CHUNK = 1_500;
const MAX_CHUNKS = 20;
/** What a segment takes besides its text. */
const PER_SEGMENT = 30;

export interface TranscriptPart {
  /** Seconds; read from the segment that is being spoken then. */
  readonly from: number;
  /** Seconds; what begins later is left out. */
  readonly to: number;
  /** Read from this segment, instead of `from`. */
  readonly fromSegment: number | null;
  /** Stop before the text has more characters; a segment longer than that is cut off. */
  readonly maxCharacters: number;
}

export interface TranscriptText {
  readonly status: string;
  readonly language: string | null;
  readonly segments: readonly Segment[];
  /** The segment to continue with; null at the end of the part. */
  readonly next: number | null;
}

/** Reads part of a transcript, in pages that are as long as what is asked for. */
export async function readTranscript(
  api: MeetingsApi,
  recordingId: string,
  { from, to, fromSegment, maxCharacters }: TranscriptPart,
): Promise<TranscriptText> {
  const page = (chunk: number, limit: number) =>
    api
      .get<Reply<'TranscriptPage'>>(`/recordings/${recordingId}/transcript`, { start_chunk: chunk, limit })
      .then(({ data }) => data);
  const limit = Math.min(MAX_CHUNKS, Math.ceil(maxCharacters / USUAL_CHUNK));
  const begin =
    fromSegment === null
      ? await chunkAt(from, (chunk) => page(chunk, 1))
      : Math.floor(fromSegment / SEGMENTS_PER_CHUNK);
  const segments: Segment[] = [];
  let left = maxCharacters;
  for (let chunk = begin; ; chunk += limit) {
    const { status, language, pagination, ...found } = await page(chunk, limit);
    for (const segment of found.segments) {
      const isBefore = fromSegment === null ? segment.end <= from : segment.id < fromSegment;
      if (isBefore) continue;
      if (segment.start >= to) return { status, language, segments, next: null };
      const size = segment.text.length + segment.speaker.length + PER_SEGMENT;
      if (size > left && segments.length > 0) return { status, language, segments, next: segment.id };
      segments.push(size > left ? { ...segment, text: `${segment.text.slice(0, left)}…` } : segment);
      left -= size;
    }
    const hasMore = chunk + limit < pagination.total_chunks;
    if (!hasMore) return { status, language, segments, next: null };
  }
}

/** The last chunk that begins at this time or before: the API pages by number, not by time. */
async function chunkAt(
  seconds: number,
  read: (chunk: number) => Promise<Schemas['TranscriptPage']>,
): Promise<number> {
  if (seconds === 0) return 0;
  let [first, after] = [0, (await read(0)).pagination.total_chunks];
  while (after - first > 1) {
    const middle = Math.floor((first + after) / 2);
    const [segment] = (await read(middle)).segments;
    if (segment && segment.start <= seconds) first = middle;
    else after = middle;
  }
  return first;
}
