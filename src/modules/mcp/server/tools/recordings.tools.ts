import { decodeHTML } from 'entities';
import { singleLine } from '../../../../lib/text.js';
import { z } from '../../../../lib/zod.js';
import { clockTime } from '../../../../lib/clock-time.js';
import { RECORDING_STATUSES } from '../../../../policy/recording-status.js';
import { cursorOf, integer, PLACE, RECORDING_ID, SPEAKER, text } from '../arguments.js';
import { DATE_RANGE, withDates } from '../date-range.js';
import type { Page, Reply } from '../meetings-api.js';
import { findShareUrl, findShareUrls, momentUrl, SHARE_URL } from '../share-urls.js';
import { inQuotes, morePages, NEXT_CURSOR, tool } from '../tool.js';
import {
  ACTION_ITEM,
  actionItem,
  actionItemLine,
  CONFIDENCE,
  link,
  LISTED,
  listed,
  MOMENT,
  stamp,
  toolData,
} from '../tool-data.js';
import { LIMITS } from '../../../../contract/limits.js';
import { MCP_LIMITS } from '../../mcp-limits.js';

const line = ({ recording_id: id, title, status, created_at: at, owner }: z.output<typeof LISTED>): string =>
  `- ${singleLine(title)} (${at.slice(0, 10)}, ${status}${owner === null ? '' : `, ${singleLine(owner)}`}) recording_id ${id}`;

type RecordingPage = Page<'RecordingListItem', 'RecordingListPagination'>;

export const LIST_RECORDINGS = tool({
  name: 'list_recordings',
  title: 'List recordings',
  description:
    'Lists the recordings that the user can see, newest first. For recordings by date, place or title. To find what was said, call search_recordings or ask instead.',
  scopes: ['recordings:read'],
  input: z.strictObject({
    title: text(LIMITS.title, 'Part of the title').optional(),
    ...DATE_RANGE,
    ...PLACE,
    status: z.enum(RECORDING_STATUSES).optional(),
    limit: integer(LIMITS.page),
    cursor: cursorOf(LIMITS.cursor),
  }),
  output: z.object({
    recordings: z.array(LISTED),
    total: z.number(),
    next_cursor: NEXT_CURSOR,
  }),
  call: async (api, { title, ...others }) => {
    const query = withDates({ search: title, ...others });
    const { data, pagination } = await api.get<RecordingPage>('/recordings', query);
    return { recordings: data.map(listed), total: pagination.total, next_cursor: pagination.next_cursor };
  },
  text: ({ recordings, total }) =>
    [`${recordings.length} of ${total} recordings:`, ...recordings.map(line)].join('\n'),
  hint: morePages,
});

const MATCH = MOMENT.extend({
  source: z.string().describe('title, notes, summary or transcript'),
  speaker: z.string().nullable(),
  snippet: z.string(),
});

interface FoundPage extends Page<'SearchResult', 'RecordingListPagination'> {
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
  input: z.strictObject({
    query: text(LIMITS.searchQuery, 'Words to search for'),
    speaker: SPEAKER.optional(),
    ...DATE_RANGE,
    ...PLACE,
    limit: integer(MCP_LIMITS.searchPage),
    offset: z.int().min(0).max(MCP_LIMITS.searchOffset).default(0).describe('Number of recordings to skip'),
  }),
  output: z.object({
    results: z.array(LISTED.extend({ matches: z.array(MATCH) })),
    total: z.number(),
    has_more: z.boolean().describe('Whether a larger offset finds more'),
    searched_instead: z.string().nullable().describe('Similar words, if those of the query occur nowhere'),
  }),
  call: async (api, { query, ...others }) => {
    const found = await api.get<FoundPage>('/recordings/search', withDates({ q: query, ...others }));
    const ids = found.data.map(({ id }) => id);
    const shareUrls = await findShareUrls(api, ids);
    const results = found.data.map((recording) => ({
      ...listed(recording),
      matches: recording.matches.map((match) => ({
        ...toolData(match),
        snippet: plain(match.snippet),
        url: momentUrl(shareUrls.get(recording.id), match.start),
      })),
    }));
    const { total, has_more } = found.pagination;
    return { results, total, has_more, searched_instead: found.did_you_mean };
  },
  text: ({ results, total, searched_instead: instead }) =>
    [
      `${results.length} of ${total} recordings${instead === null ? '' : `, for the similar query ${inQuotes(instead)}`}:`,
      ...results.flatMap((found) => [
        line(found),
        ...found.matches.map(({ source, start_seconds: start, speaker, snippet, url }) => {
          const place = start === null ? source : `${clockTime(start)} ${singleLine(speaker ?? '')}`.trim();
          return `  - [${place}] ${snippet}${link(url)}`;
        }),
      ]),
    ].join('\n'),
});

const STATE = z.object({ status: z.string(), reason: z.string().nullable() });

export const GET_RECORDING = tool({
  name: 'get_recording',
  title: 'Get a recording',
  description:
    'Returns a recording with its notes, its summary in Markdown, how far transcript and summary are, the speakers, and what the user can do with it. Start here for one meeting; the transcript is much longer.',
  scopes: ['recordings:read'],
  input: z.strictObject({ recording_id: RECORDING_ID }),
  output: LISTED.extend({
    status_reason: z.string().nullable(),
    started_at: z.string().nullable(),
    ended_at: z.string().nullable(),
    notes: z.string().nullable(),
    is_locked: z.boolean().describe('Only title and dates can be read, until the plan is upgraded'),
    transcript: STATE.extend({
      progress: z.number(),
      language: z.string().nullable(),
      speakers: z.array(z.string()),
    }),
    summary: STATE.extend({ markdown: z.string().nullable() }),
    share_url: SHARE_URL,
    can: z.array(z.string()).describe('What the user can do with it'),
  }),
  call: async (api, { recording_id: id }) => {
    const { data } = await api.get<Reply<'RecordingDetail'>>(`/recordings/${id}`);
    const { transcription, summary, capabilities } = data;
    return {
      ...listed(data),
      transcript: { ...transcription, reason: transcription.statusReason },
      summary: { status: summary.status, reason: summary.statusReason, markdown: summary.content },
      share_url: await findShareUrl(api, id),
      can: Object.entries(capabilities).flatMap(([name, may]) => (may ? [name] : [])),
    };
  },
  text: (found) =>
    [
      `Title: ${singleLine(found.title)}`,
      `Recording: ${found.recording_id}, ${found.status}, created ${found.created_at}`,
      `Transcript: ${found.transcript.status}; speakers: ${found.transcript.speakers.map(singleLine).join(', ') || 'not known'}`,
      `Share page: ${found.share_url ?? 'none'}`,
      ...(found.is_locked ? ['Locked: older than the history of the plan.'] : []),
      ...(found.notes ? [`Notes:\n${found.notes}`] : []),
      `Summary (${found.summary.status}):\n${found.summary.markdown ?? 'none'}`,
    ].join('\n'),
});

const POINT = MOMENT.extend({ point: z.string(), details: z.array(z.string()) });
const TOPIC = MOMENT.omit({ url: true }).extend({ title: z.string(), key_points: z.array(POINT) });
const DECISION = MOMENT.extend({ text: z.string(), confidence: CONFIDENCE });

export const GET_SUMMARY = tool({
  name: 'get_summary',
  title: 'Get topics, decisions and action items',
  description:
    'Returns the summary of a recording: its decisions, its action items with their owners, and its topics, each with its key points; all with their moments. For the summary as text alone, call get_recording.',
  scopes: ['recordings:read'],
  input: z.strictObject({ recording_id: RECORDING_ID }),
  output: z.object({
    recording_id: z.string(),
    status: z.string(),
    markdown: z.string().nullable(),
    topics: z.array(TOPIC),
    decisions: z.array(DECISION),
    action_items: z.array(ACTION_ITEM),
    share_url: SHARE_URL,
  }),
  call: async (api, { recording_id: id }) => {
    const [{ data }, shareUrl] = await Promise.all([
      api.get<Reply<'RecordingDetail'>>(`/recordings/${id}`),
      findShareUrl(api, id),
    ]);
    const { content, actionItems } = data.summary;
    return {
      ...toolData(data.summary, shareUrl),
      recording_id: id,
      markdown: content,
      action_items: actionItems.map((item) => actionItem(item, shareUrl)),
      share_url: shareUrl,
    };
  },
  text: ({ status, markdown, topics, decisions, action_items: items }) =>
    [
      ...(topics.length === 0 ? [`Summary (${status}):\n${markdown ?? 'none'}`] : []),
      ...topics.flatMap(({ title, start_seconds: at, key_points: points }) => [
        `${singleLine(title)}${stamp(at)}`,
        ...points.map(({ point, start_seconds: moment, url }) => pointLine(moment, point, url)),
      ]),
      ...(decisions.length > 0 ? ['Decisions:'] : []),
      ...decisions.map(({ text: what, start_seconds: moment, url }) => pointLine(moment, what, url)),
      ...(items.length > 0 ? ['Action items:', ...items.map(actionItemLine)] : []),
    ].join('\n'),
});

const pointLine = (moment: number | null, what: string, url: string | null): string =>
  `-${stamp(moment)} ${singleLine(what)}${link(url)}`;
