import { decodeHTML } from 'entities';
import { singleLine } from '../../../../lib/text.js';
import { z } from '../../../../lib/zod.js';
import { clockTime } from '../../../../lib/clock-time.js';
import { RECORDING_STATUSES } from '../../../../policy/recording-status.js';
import { cursorOf, PLACE, SPEAKER, text } from '../arguments.js';
import { DATE_RANGE, dateRange } from '../date-range.js';
import { LISTED, listed } from '../listed-recording.js';
import type { Page } from '../meetings-api.js';
import { inQuotes } from '../quoted.js';
import { findShareUrls, MOMENT_URL, momentUrl } from '../share-urls.js';
import { morePages, NEXT_CURSOR, tool } from '../tool.js';

const line = ({ recording_id: id, title, status, created_at: at, owner }: z.output<typeof LISTED>): string =>
  `- ${singleLine(title)} (${at.slice(0, 10)}, ${status}${owner === null ? '' : `, ${singleLine(owner)}`}) recording_id ${id}`;

type RecordingPage = Page<'RecordingListItem', 'RecordingListPagination'>;

export const LIST_RECORDINGS = tool({
  name: 'list_recordings',
  title: 'List recordings',
  description:
    'Lists the recordings that the user can see, newest first. For recordings by date, place or title. To find what was said, call search_recordings or ask instead.',
  scopes: ['recordings:read'],
  effect: 'reads',
  input: z.strictObject({
    title: text({ min: 1, max: 500 }, 'Part of the title').optional(),
    ...DATE_RANGE,
    ...PLACE,
    status: z.enum(RECORDING_STATUSES).optional(),
    limit: z.int().min(1).max(100).default(20),
    cursor: cursorOf(100),
  }),
  output: z.object({
    recordings: z.array(LISTED),
    total: z.number(),
    next_cursor: NEXT_CURSOR,
  }),
  call: async (api, { title, organization_id, folder_id, status, limit, cursor, ...range }) => {
    const query = { search: title, organization_id, folder_id, status, limit, cursor, ...dateRange(range) };
    const { data, pagination } = await api.get<RecordingPage>('/recordings', query);
    return { recordings: data.map(listed), total: pagination.total, next_cursor: pagination.next_cursor };
  },
  text: ({ recordings, total }) =>
    [`${recordings.length} of ${total} recordings:`, ...recordings.map(line)].join('\n'),
  hint: morePages,
});

const MATCH = z.object({
  source: z.string().describe('title, notes, summary or transcript'),
  start_seconds: z.number().nullable(),
  speaker: z.string().nullable(),
  snippet: z.string(),
  url: MOMENT_URL,
});

interface FoundPage extends Page<'SearchResult', 'Pagination'> {
  readonly did_you_mean: string | null;
}

/** The only element of a snippet is `mark`. */
const plain = (html: string): string => singleLine(decodeHTML(html.replaceAll(/<\/?mark>/g, '')));

export const SEARCH_RECORDINGS = tool({
  name: 'search_recordings',
  title: 'Search recordings',
  description:
    'Full-text search in titles, notes, summaries and transcripts, best match first, with the moments that match. Takes words that must all occur, "a phrase", -word, OR. For an answer to a question, call ask instead.',
  scopes: ['recordings:read', 'transcripts:read'],
  effect: 'reads',
  input: z.strictObject({
    query: text({ min: 1, max: 200 }, 'Words to search for'),
    speaker: SPEAKER.optional(),
    ...DATE_RANGE,
    ...PLACE,
    limit: z.int().min(1).max(25).default(10),
    offset: z.int().min(0).max(100_000).default(0).describe('Number of recordings to skip'),
  }),
  output: z.object({
    results: z.array(LISTED.extend({ matches: z.array(MATCH) })),
    total: z.number(),
    has_more: z.boolean().describe('Whether a larger offset finds more'),
    searched_instead: z.string().nullable().describe('Similar words, if those of the query occur nowhere'),
  }),
  call: async (api, { query, speaker, organization_id, folder_id, limit, offset, ...range }) => {
    const { data, pagination, did_you_mean } = await api.get<FoundPage>('/recordings/search', {
      q: query,
      speaker,
      organization_id,
      folder_id,
      limit,
      offset,
      ...dateRange(range),
    });
    const shareUrls = await findShareUrls(
      api,
      data.map(({ id }) => id),
    );
    const results = data.map((found) => ({
      ...listed(found),
      matches: found.matches.map((match) => ({
        ...match,
        start_seconds: match.start,
        snippet: plain(match.snippet),
        url: momentUrl(shareUrls.get(found.id), match.start),
      })),
    }));
    return {
      results,
      total: pagination.total,
      has_more: pagination.has_more,
      searched_instead: did_you_mean,
    };
  },
  text: ({ results, total, searched_instead: instead }) =>
    [
      `${results.length} of ${total} recordings${instead === null ? '' : `, for the similar query ${inQuotes(instead)}`}:`,
      ...results.flatMap((found) => [
        line(found),
        ...found.matches.map(({ source, start_seconds: start, speaker, snippet, url }) => {
          const place = start === null ? source : `${clockTime(start)} ${singleLine(speaker ?? '')}`.trim();
          return `  - [${place}] ${snippet}${url === null ? '' : ` ${url}`}`;
        }),
      ]),
    ].join('\n'),
});
