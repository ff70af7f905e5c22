import type { Schemas } from 'meeting-recording-client';
import { TO_READ_LINKS } from '../../../../contract/scopes.js';
import { singleLine } from '../../../../lib/text.js';
import { z } from '../../../../lib/zod.js';
import { RECORDING_ID } from '../arguments.js';
import { tool } from '../tool.js';

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
  effect: 'reads',
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
