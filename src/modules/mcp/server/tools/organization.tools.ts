import { singleLine } from '../../../../lib/text.js';
import { z } from '../../../../lib/zod.js';
import { ORGANIZATION_ID, text } from '../arguments.js';
import type { MeetingsApi, PageReply } from '../meetings-api.js';
import { morePages, tool } from '../tool.js';

const PAGE = {
  search: text({ min: 1, max: 500 }, 'Part of the name').optional(),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .describe('next_cursor of the previous call, with the same other arguments'),
};
const PER_PAGE = 100;
const NEXT_CURSOR = z.string().nullable().describe('For the next call; null if this was the last page');

async function readPage<Item extends z.ZodType>(
  api: MeetingsApi,
  path: string,
  page: { readonly search?: string | undefined; readonly cursor?: string | undefined },
): Promise<{ items: z.output<Item>[]; next_cursor: string | null }> {
  const { data, pagination } = await api.get<PageReply<z.output<Item>>>(path, { ...page, limit: PER_PAGE });
  return { items: data, next_cursor: pagination.next_cursor };
}

const ORGANIZATION = z.object({
  id: z.string(),
  name: z.string(),
  role: z.string(),
  member_count: z.number(),
});
const FOLDER = z.object({ id: z.string(), name: z.string(), is_restricted: z.boolean() });
const MEMBER = z.object({ id: z.string(), name: z.string(), email: z.string(), role: z.string() });

const lines = (items: readonly { readonly id: string; readonly name: string }[]): string =>
  items.map(({ id, name }) => `- ${singleLine(name)} ${id}`).join('\n') || 'none';

export const LIST_ORGANIZATIONS = tool({
  name: 'list_organizations',
  title: 'List organizations',
  description:
    'Lists the organizations that the user is a member of, with their role. Recordings of none are personal.',
  scopes: ['organizations:read'],
  effect: 'reads',
  input: z.strictObject(PAGE),
  output: z.object({ organizations: z.array(ORGANIZATION), next_cursor: NEXT_CURSOR }),
  call: async (api, page) => {
    const { items, next_cursor } = await readPage<typeof ORGANIZATION>(api, '/organizations', page);
    return { organizations: items, next_cursor };
  },
  text: ({ organizations }) => lines(organizations),
  hint: ({ next_cursor: next }) => morePages(next),
});

const OF_ORGANIZATION = z.strictObject({ organization_id: ORGANIZATION_ID, ...PAGE });

export const LIST_FOLDERS = tool({
  name: 'list_folders',
  title: 'List folders',
  description: 'Lists the folders of an organization, for folder_id of other tools.',
  scopes: ['organizations:read'],
  effect: 'reads',
  input: OF_ORGANIZATION,
  output: z.object({ folders: z.array(FOLDER), next_cursor: NEXT_CURSOR }),
  call: async (api, { organization_id: id, ...page }) => {
    const { items, next_cursor } = await readPage<typeof FOLDER>(api, `/organizations/${id}/folders`, page);
    return { folders: items, next_cursor };
  },
  text: ({ folders }) => lines(folders),
  hint: ({ next_cursor: next }) => morePages(next),
});

export const LIST_MEMBERS = tool({
  name: 'list_members',
  title: 'List members',
  description: 'Lists the members of an organization with their names, email addresses and roles.',
  scopes: ['organizations:read'],
  effect: 'reads',
  input: OF_ORGANIZATION,
  output: z.object({ members: z.array(MEMBER), next_cursor: NEXT_CURSOR }),
  call: async (api, { organization_id: id, ...page }) => {
    const { items, next_cursor } = await readPage<typeof MEMBER>(api, `/organizations/${id}/members`, page);
    return { members: items, next_cursor };
  },
  text: ({ members }) =>
    members
      .map(({ name, email, role }) => `- ${singleLine(name)} <${singleLine(email)}> ${role}`)
      .join('\n') || 'none',
  hint: ({ next_cursor: next }) => morePages(next),
});
