import { singleLine } from '../../../../lib/text.js';
import { z } from '../../../../lib/zod.js';
import { clockTime } from '../../../../lib/clock-time.js';
import { RECORDING_ID } from '../arguments.js';
import { findShareUrl, SHARE_URL } from '../share-urls.js';
import { tool } from '../tool.js';
import { readTranscript, SEGMENT, type TranscriptText } from '../transcript-reader.js';

const DAY = 86_400;
const seconds = z
  .number()
  .min(0)
  .max(7 * DAY);

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
  effect: 'reads',
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
    max_characters: z.int().min(1_000).max(100_000).default(20_000),
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
