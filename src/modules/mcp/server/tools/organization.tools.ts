import { singleLine } from '../../../../lib/text.js';
import { z } from '../../../../lib/zod.js';
import { cursorOf, ORGANIZATION_ID, text } from '../arguments.js';
import type { MeetingsApi, Page } from '../meetings-api.js';
import { morePages, NEXT_CURSOR, tool } from '../tool.js';
import { LIMITS } from '../../../../contract/limits.js';

const PAGE = {
  search: text(LIMITS.filter, 'Part of the name').optional(),
  cursor: cursorOf(LIMITS.nameCursor),
};
const OF_ORGANIZATION = z.strictObject({ organization_id: ORGANIZATION_ID, ...PAGE });
/** What the tools have in common. */
const LIST = { scopes: ['organizations:read'], hint: morePages } as const;

const readPage = <Name extends 'Organization' | 'Folder' | 'Member'>(
  api: MeetingsApi,
  path: string,
  page: { readonly search?: string | undefined; readonly cursor?: string | undefined },
) => api.get<Page<Name>>(path, { ...page, limit: LIMITS.page.max });

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
  ...LIST,
  name: 'list_organizations',
  title: 'List organizations',
  description:
    'Lists the organizations that the user is a member of, with their role. Recordings of none are personal.',
  input: z.strictObject(PAGE),
  output: z.object({ organizations: z.array(ORGANIZATION), next_cursor: NEXT_CURSOR }),
  call: async (api, page) => {
    const { data, pagination } = await readPage<'Organization'>(api, '/organizations', page);
    return { organizations: data, next_cursor: pagination.next_cursor };
  },
  text: ({ organizations }) => lines(organizations),
});

export const LIST_FOLDERS = tool({
  ...LIST,
  name: 'list_folders',
  title: 'List folders',
  description: 'Lists the folders of an organization, for folder_id of other tools.',
  input: OF_ORGANIZATION,
  output: z.object({ folders: z.array(FOLDER), next_cursor: NEXT_CURSOR }),
  call: async (api, { organization_id: id, ...page }) => {
    const { data, pagination } = await readPage<'Folder'>(api, `/organizations/${id}/folders`, page);
    return { folders: data, next_cursor: pagination.next_cursor };
  },
  text: ({ folders }) => lines(folders),
});

export const LIST_MEMBERS = tool({
  ...LIST,
  name: 'list_members',
  title: 'List members',
  description: 'Lists the members of an organization with their names, email addresses and roles.',
  input: OF_ORGANIZATION,
  output: z.object({ members: z.array(MEMBER), next_cursor: NEXT_CURSOR }),
  call: async (api, { organization_id: id, ...page }) => {
    const { data, pagination } = await readPage<'Member'>(api, `/organizations/${id}/members`, page);
    return { members: data, next_cursor: pagination.next_cursor };
  },
  text: ({ members }) =>
    members
      .map(({ name, email, role }) => `- ${singleLine(name)} <${singleLine(email)}> ${role}`)
      .join('\n') || 'none',
});
