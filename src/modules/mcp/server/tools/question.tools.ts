import { LIMITS } from '../../../../contract/limits.js';
import { singleLine } from '../../../../lib/text.js';
import { z } from '../../../../lib/zod.js';
import { clockTime } from '../../../../lib/clock-time.js';
import { PLACE, RECORDING_ID, SPEAKER, text } from '../arguments.js';
import { DATE_RANGE, withDates } from '../date-range.js';
import type { Reply } from '../meetings-api.js';
import { findShareUrls, MOMENT_URL } from '../share-urls.js';
import { tool } from '../tool.js';
import { link, toolData } from '../tool-data.js';

/** What all recordings can be narrowed down to, and one cannot. */
const NARROWING = ['speaker', 'date_from', 'date_to', 'organization_id', 'folder_id'] as const;

export const ASK = tool({
  name: 'ask',
  title: 'Ask the meetings',
  description:
    'Answers a question from what was said in one meeting, or in all of them, and cites who said it and when. Answer from the citations, and give the user their links. No citations means that nothing about it was found.',
  scopes: ['questions', 'recordings:read'],
  input: z
    .strictObject({
      question: text(LIMITS.question, 'A whole question, such as: What did we decide about pricing?'),
      recording_id: RECORDING_ID.optional().describe('Only this recording; without it, all of them'),
      speaker: SPEAKER.optional(),
      ...DATE_RANGE,
      ...PLACE,
    })
    .refine(
      (given) => given.recording_id === undefined || NARROWING.every((name) => given[name] === undefined),
      {
        error: `recording_id cannot be combined with ${NARROWING.join(', ')}`,
      },
    ),
  output: z.object({
    answer: z.string(),
    generated: z
      .boolean()
      .describe(
        'Whether a language model wrote the answer; otherwise it consists of what was said, verbatim',
      ),
    notice: z.string().nullable().describe('Why no language model wrote an answer, or nothing supports one'),
    citations: z.array(
      z.object({
        recording_id: z.string(),
        title: z.string(),
        start_seconds: z.number(),
        speaker: z.string(),
        quote: z.string(),
        url: MOMENT_URL,
      }),
    ),
  }),
  call: async (api, { question, recording_id: id, ...others }) => {
    const { mode, answer, notice, citations } = id ? await askOne() : await askAll();
    const ids = citations.map(({ recordingId }) => recordingId);
    const shareUrls = await findShareUrls(api, ids);
    return {
      answer,
      generated: mode === 'written',
      notice,
      citations: citations.map((one) => toolData(one, shareUrls.get(one.recordingId))),
    };

    async function askAll() {
      const body = withDates({ question, ...others });
      return (await api.post<Reply<'MeetingsQuestionAnswer'>>('/questions', body)).data;
    }

    async function askOne() {
      const recording = await api.get<Reply<'RecordingDetail'>>(`/recordings/${id!}`);
      const { data } = await api.post<Reply<'QuestionAnswer'>>(`/recordings/${id!}/questions`, { question });
      const of = { recordingId: id!, title: recording.data.title };
      return { ...data, citations: data.citations.map((citation) => ({ ...citation, ...of })) };
    }
  },
  text: ({ answer, citations }) =>
    [
      `Answer:\n${answer}`,
      citations.length === 0 ? 'Citations: none' : 'Citations:',
      ...citations.map(
        ({ title, start_seconds: at, speaker, quote, url }, index) =>
          `${index + 1}. ${singleLine(title)} [${clockTime(at)}] ${singleLine(speaker)}: ${singleLine(quote)}${link(url)}`,
      ),
    ].join('\n'),
});
