import { singleLine } from '../../../../lib/text.js';
import { z } from '../../../../lib/zod.js';
import { clockTime } from '../../../../lib/clock-time.js';
import { ACTION_ITEM, actionItem, actionItemLine, CONFIDENCE, stamp } from '../action-items.js';
import { RECORDING_ID } from '../arguments.js';
import { LISTED, listed } from '../listed-recording.js';
import type { Reply } from '../meetings-api.js';
import { findShareUrl, MOMENT_URL, momentUrl, SHARE_URL } from '../share-urls.js';
import { tool } from '../tool.js';

const STATE = z.object({ status: z.string(), reason: z.string().nullable() });

export const GET_RECORDING = tool({
  name: 'get_recording',
  title: 'Get a recording',
  description:
    'Returns a recording with its notes, its summary in Markdown, how far transcript and summary are, the speakers, and what the user can do with it. Start here for one meeting; the transcript is much longer.',
  scopes: ['recordings:read'],
  effect: 'reads',
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
      status_reason: data.statusReason,
      started_at: data.startedAt,
      ended_at: data.endedAt,
      notes: data.notes,
      is_locked: data.isLocked,
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

const POINT = z.object({
  point: z.string(),
  start_seconds: z.number().nullable(),
  url: MOMENT_URL,
  details: z.array(z.string()),
});

const DECISION = z.object({
  text: z.string(),
  start_seconds: z.number().nullable(),
  url: MOMENT_URL,
  confidence: CONFIDENCE,
});

export const GET_SUMMARY = tool({
  name: 'get_summary',
  title: 'Get topics, decisions and action items',
  description:
    'Returns the summary of a recording: its decisions, its action items with their owners, and its topics, each with its key points; all with their moments. For the summary as text alone, call get_recording.',
  scopes: ['recordings:read'],
  effect: 'reads',
  input: z.strictObject({ recording_id: RECORDING_ID }),
  output: z.object({
    recording_id: z.string(),
    status: z.string(),
    markdown: z.string().nullable(),
    topics: z.array(
      z.object({ title: z.string(), start_seconds: z.number().nullable(), key_points: z.array(POINT) }),
    ),
    decisions: z.array(DECISION),
    action_items: z.array(ACTION_ITEM),
    share_url: SHARE_URL,
  }),
  call: async (api, { recording_id: id }) => {
    const [{ data }, shareUrl] = await Promise.all([
      api.get<Reply<'RecordingDetail'>>(`/recordings/${id}`),
      findShareUrl(api, id),
    ]);
    const { status, content, topics, decisions, actionItems } = data.summary;
    const urlOf = (at: number | null) => (at === null ? null : momentUrl(shareUrl, at));
    return {
      recording_id: id,
      status,
      markdown: content,
      topics: topics.map(({ title, start, keyPoints }) => ({
        title,
        start_seconds: start,
        key_points: keyPoints.map((point) => ({
          ...point,
          start_seconds: point.start,
          url: urlOf(point.start),
        })),
      })),
      decisions: decisions.map(({ start, ...decision }) => ({
        ...decision,
        start_seconds: start,
        url: urlOf(start),
      })),
      action_items: actionItems.map((item) => actionItem(item, shareUrl)),
      share_url: shareUrl,
    };
  },
  text: ({ status, markdown, topics, decisions, action_items: items }) =>
    [
      ...(topics.length === 0 ? [`Summary (${status}):\n${markdown ?? 'none'}`] : []),
      ...topics.flatMap(({ title, start_seconds: at, key_points: points }) => [
        `${singleLine(title)}${at === null ? '' : ` [${clockTime(at)}]`}`,
        ...points.map(({ point, start_seconds: moment, url }) => line(moment, point, url)),
      ]),
      ...(decisions.length > 0 ? ['Decisions:'] : []),
      ...decisions.map(({ text, start_seconds: moment, url }) => line(moment, text, url)),
      ...(items.length > 0 ? ['Action items:', ...items.map(actionItemLine)] : []),
    ].join('\n'),
});

const line = (moment: number | null, text: string, url: string | null): string =>
  `- ${stamp(moment)}${singleLine(text)}${url === null ? '' : ` ${url}`}`;
