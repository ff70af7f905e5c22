import type { McpServer } from '@modelcontextprotocol/server';
import { z } from '../../../lib/zod.js';
import { inQuotes } from './tool.js';
import { LIMITS } from '../../../contract/limits.js';

/** Prompt arguments are text. */
const RECORDING = z.object({
  recording: z.string().min(1).max(LIMITS.title.max).describe('Id or title of the recording'),
});
const WEEK = z.object({
  week: z
    .string()
    .max(100)
    .optional()
    .describe('Which week, such as 2026-03-02; by default, the last seven days'),
  organization: z
    .string()
    .max(LIMITS.name.max)
    .optional()
    .describe('Name of an organization; by default, all recordings'),
});

const MAIL_WORDS = 200;

const FIND = (recording: string): string =>
  `The meeting is the recording ${inQuotes(recording)}: an id, or else a title to find with list_recordings. Read it with get_recording and get_transcript, as a whole; get_summary has decisions and action items found before, which may lack some.`;
const CITE =
  'State nothing that the transcript does not say. Give the moment of each statement, as a link if there is a share page.';

const PROMPTS = [
  {
    name: 'minutes',
    title: 'Minutes of a meeting',
    description: 'Minutes with participants, topics, decisions and action items',
    text: (recording: string) =>
      `Write the minutes of a meeting. ${FIND(recording)} Begin with title, date, duration and participants; then, by topic, what was discussed; then decisions, and action items with owner and due date where they were named. ${CITE}`,
  },
  {
    name: 'decisions_and_actions',
    title: 'Decisions and action items',
    description: 'What was decided in a meeting, and who does what by when',
    text: (recording: string) =>
      `List what was decided in a meeting, and the action items with owner and due date. ${FIND(recording)} What was only proposed is not a decision; write "not named" where nobody named an owner or a date. ${CITE}`,
  },
  {
    name: 'follow_up_mail',
    title: 'Follow-up mail',
    description: 'A mail to the participants after a meeting',
    text: (recording: string) =>
      `Draft a mail to the participants of a meeting: thanks in one sentence, the decisions, who does what by when, and the next date if one was agreed; at most ${MAIL_WORDS} words, in the language of the meeting. ${FIND(recording)} ${CITE} Do not send it.`,
  },
];

const DIGEST = {
  name: 'weekly_digest',
  title: 'Weekly digest',
  description: 'What happened in the meetings of a week',
  text: ({ week, organization }: z.output<typeof WEEK>) =>
    `Write a digest of the meetings of ${week === undefined ? 'the last seven days' : `the week ${inQuotes(week)}`}${organization === undefined ? '' : ` in the organization ${inQuotes(organization)} (list_organizations has its id)`}. Find them with list_recordings by date, in the time zone of the user, and read each with get_recording. Give each meeting its title, date and link, and two or three sentences on what matters to those who were not there; end with all decisions, and with the action items that list_action_items has as open. ${CITE}`,
};

const message = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
});

export function registerPrompts(server: McpServer): void {
  for (const { name, title, description, text } of PROMPTS)
    server.registerPrompt(name, { title, description, argsSchema: RECORDING }, ({ recording }) =>
      message(text(recording)),
    );
  const { name, title, description, text } = DIGEST;
  server.registerPrompt(name, { title, description, argsSchema: WEEK }, (given) => message(text(given)));
}
