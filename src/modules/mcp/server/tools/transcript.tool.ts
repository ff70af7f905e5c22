import type { Schemas } from 'meeting-recording-client';
import { SEGMENTS_PER_CHUNK } from '../../../../contract/limits.js';
import { MCP_LIMITS } from '../../mcp-limits.js';
import { z } from '../../../../lib/zod.js';
import type { MeetingsApi, Reply } from '../meetings-api.js';
import { singleLine } from '../../../../lib/text.js';
import { clockTime } from '../../../../lib/clock-time.js';
import { integer, RECORDING_ID } from '../arguments.js';
import { findShareUrl, SHARE_URL } from '../share-urls.js';
import { tool } from '../tool.js';
import { DAY_S } from '../../../../lib/durations.js';

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

interface TranscriptPart {
  /** Seconds; read from the segment that is being spoken then. */
  readonly from: number;
  /** Seconds; what begins later is left out. */
  readonly to: number;
  /** Read from this segment, instead of `from`. */
  readonly fromSegment: number | null;
  /** Stop before the text has more characters; a segment longer than that is cut off. */
  readonly maxCharacters: number;
}

interface TranscriptText {
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

const seconds = z
  .number()
  .min(0)
  .max(7 * DAY_S);

/** One line a segment, so that nobody can seem to be someone else by a line break. */
export const transcriptLines = (segments: TranscriptText['segments']): string =>
  segments
    .map(
      ({ start, speaker, text }) =>
        `[${clockTime(start)}] ${singleLine(speaker) || 'Unknown speaker'}: ${singleLine(text)}`,
    )
    .join('\n');

export const GET_TRANSCRIPT = tool({
  name: 'get_transcript',
  title: 'Read a transcript',
  description:
    'Returns what was said, with speakers and moments, from the beginning, from a moment or from a segment, up to a number of characters. A whole meeting is long: to find something in it, call search_recordings or ask, and read around the moment that they return.',
  scopes: ['transcripts:read'],
  input: z.strictObject({
    recording_id: RECORDING_ID,
    from_seconds: seconds.default(0).describe('Read from this moment'),
    to_seconds: seconds.optional().describe('Leave out what begins at this moment or later'),
    from_segment: z
      .int()
      .min(0)
      .max(10_000_000)
      .optional()
      .describe('next_segment of the previous call, which takes precedence over from_seconds'),
    max_characters: integer(MCP_LIMITS.transcript),
  }),
  output: z.object({
    recording_id: z.string(),
    status: z.string().describe('There may be more later while it is processing'),
    language: z.string().nullable(),
    segments: z.array(SEGMENT).describe('Starts and ends are in seconds'),
    next_segment: z.number().nullable().describe('from_segment of the next call; null at the end'),
    share_url: SHARE_URL,
  }),
  call: async (api, { recording_id: id, from_seconds, to_seconds, from_segment, max_characters }) => {
    const part = {
      from: from_seconds,
      to: to_seconds ?? Infinity,
      fromSegment: from_segment ?? null,
      maxCharacters: max_characters,
    };
    const { status, language, segments, next } = await readTranscript(api, id, part);
    return {
      recording_id: id,
      status,
      language,
      segments: [...segments],
      next_segment: next,
      share_url: await findShareUrl(api, id),
    };
  },
  text: ({ status, segments }) =>
    segments.length === 0 ? `No segments; the transcript is ${status}.` : transcriptLines(segments),
  hint: ({ next_segment: next, share_url: url }) =>
    [
      ...(url === null ? [] : [`Link to a moment: ${url}#t=SECONDS`]),
      ...(next === null ? [] : [`There is more: call get_transcript with from_segment ${next}.`]),
    ].join('\n') || null,
});
