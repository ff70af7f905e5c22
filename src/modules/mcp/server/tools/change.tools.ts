import type { Schemas } from 'meeting-recording-client';
import { TO_READ_LINKS, TO_SHARE } from '../../../../contract/scopes.js';
import { singleLine } from '../../../../lib/text.js';
import { z } from '../../../../lib/zod.js';
import { RECORDING_ID, FOLDER_ID, ORGANIZATION_ID, text } from '../arguments.js';
import { tool } from '../tool.js';
import { LIMITS } from '../../../../contract/limits.js';
import type { Reply } from '../meetings-api.js';

const LINK = z.object({
  share_url: z.string().describe('#t=SECONDS leads to a moment'),
  permission: z.string(),
  label: z.string().nullable(),
  expires_at: z.string().nullable().describe('It may have passed; null: never'),
  has_password: z.boolean(),
  view_count: z.number(),
});

export const LIST_SHARE_LINKS = tool({
  name: 'list_share_links',
  title: 'List share links',
  description:
    'Lists the share links of a recording that the user may see. To make one, call create_share_link.',
  scopes: TO_READ_LINKS,
  input: z.strictObject({ recording_id: RECORDING_ID }),
  output: z.object({ links: z.array(LINK) }),
  call: async (api, { recording_id: id }) => {
    const { data } = await api.get<{ data: Schemas['ShareLink'][] }>(`/recordings/${id}/share-links`);
    return { links: data };
  },
  text: ({ links }) =>
    links
      .map(
        ({ share_url: url, permission, label, expires_at: end, has_password: locked }) =>
          `- ${url} (${permission}${locked ? ', with a password' : ''}${end === null ? '' : `, until ${end}`}) ${singleLine(label ?? '')}`,
      )
      .join('\n') || 'none',
});

export const CREATE_SHARE_LINK = tool({
  name: 'create_share_link',
  title: 'Create a share link',
  description:
    'Creates a link to a page with video, summary and transcript, which everyone who has the link can open without an account. Without expires_at it returns the one plain link of the recording, if there is one. Ask the user before you make a meeting accessible.',
  scopes: TO_SHARE,
  effect: 'adds',
  repeatable: true,
  ownWords: true,
  input: z.strictObject({
    recording_id: RECORDING_ID,
    permission: z.enum(['view', 'download']).default('view'),
    expires_at: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Makes a separate link, which ends then'),
  }),
  output: z.object({
    recording_id: z.string(),
    share_url: z.string().describe('#t=SECONDS leads to a moment'),
    permission: z.string(),
    expires_at: z.string().nullable(),
  }),
  call: async (api, { recording_id: id, permission, expires_at }) => {
    const link = { permission, expires_at };
    const { data } = await api.post<Reply<'CreatedShareLink'>>(`/recordings/${id}/share-link`, link);
    return { recording_id: id, ...data };
  },
  text: ({ share_url: url, permission, expires_at: end }) =>
    `${url} (${permission}, ${end === null ? 'does not expire' : `until ${end}`})`,
});

export const UPDATE_RECORDING = tool({
  name: 'update_recording',
  title: 'Rename a recording, or change its notes',
  description:
    'Replaces the title or the notes of a recording. The previous ones are lost: to add to the notes, read them with get_recording first, and send them with the addition.',
  scopes: ['recordings:write'],
  effect: 'changes',
  repeatable: true,
  ownWords: true,
  input: z
    .strictObject({
      recording_id: RECORDING_ID,
      title: text(LIMITS.title, 'The new title').optional(),
      notes: z.string().max(LIMITS.notes.max).describe('The new notes, as a whole').optional(),
    })
    .refine(({ title, notes }) => title !== undefined || notes !== undefined, {
      error: 'must have title, notes or both',
    }),
  output: z.object({ recording_id: z.string(), done: z.literal(true) }),
  call: async (api, { recording_id: id, title, notes }) => {
    await api.patch(`/recordings/${id}`, { title, notes });
    return { recording_id: id, done: true as const };
  },
  text: () => 'Changed.',
});

export const RENAME_SPEAKERS = tool({
  name: 'rename_speakers',
  title: 'Name the speakers',
  description:
    'Replaces labels of speakers throughout the transcript of a recording, such as "Speaker 1" by a name. Speakers that get the same label are merged, which cannot be taken apart again. Returns the labels that there are then.',
  scopes: ['transcripts:write'],
  effect: 'changes',
  input: z.strictObject({
    recording_id: RECORDING_ID,
    renames: z
      .array(
        z.strictObject({
          from: z.string().max(LIMITS.speaker.max).describe('The current label; empty: segments without one'),
          to: text(LIMITS.speaker, 'The new label'),
        }),
      )
      .min(1)
      .max(100),
  }),
  output: z.object({
    recording_id: z.string(),
    speakers: z.array(z.string()).optional().describe('For keys that may read transcripts'),
  }),
  call: async (api, { recording_id: id, renames }) => {
    const path = `/recordings/${id}/transcript/speakers`;
    const { data } = await api.patch<Reply<'RenamedSpeakers'>>(path, renames);
    return { recording_id: id, speakers: data.speakers };
  },
  text: ({ speakers }) => (speakers ? `Speakers: ${speakers.join(', ')}` : 'Renamed.'),
});

export const ADD_RECORDING = tool({
  name: 'add_recording',
  title: 'Add a recording from a URL',
  description:
    'Creates a recording from an audio or video file at an https URL, which the service fetches, transcribes and summarizes. get_recording shows how far it is.',
  scopes: ['recordings:write'],
  effect: 'adds',
  ownWords: true,
  input: z.strictObject({
    source_url: text(LIMITS.sourceUrl, 'https URL of the file itself, not of a page with a player'),
    title: text(LIMITS.title, 'Title'),
    organization_id: ORGANIZATION_ID.optional().describe('Without it, the recording is personal'),
    folder_id: FOLDER_ID.optional().describe('Needs organization_id'),
  }),
  output: z.object({ recording_id: z.string(), status: z.string() }),
  call: async (api, input) => {
    const { data } = await api.post<Reply<'CreatedRecording'>>('/recordings', input);
    return { recording_id: data.id, status: data.status };
  },
  text: ({ recording_id: id, status }) => `Recording ${id}: ${status}`,
});
