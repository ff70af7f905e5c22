import type { Schemas } from 'meeting-recording-client';
import { singleLine } from '../../../lib/text.js';
import { keyCells, KEY_TITLES } from '../commands/key-cells.js';
import { searchText } from '../option-values.js';
import { printList, type ListOptions, type Output } from '../output.js';
import { onServer } from './client.js';

type ApiKey = Schemas['ApiKey'];

/** `orgs list`: those of the user. */
export async function listOrganizations(options: ListOptions): Promise<void> {
  const search = searchText(options);
  await onServer(({ api, signal }) =>
    printList<Schemas['Organization']>(
      options,
      async (page) => {
        const reply = await api.page('/organizations', { query: { ...page, search }, signal });
        return { rows: reply.data, nextCursor: reply.pagination?.next_cursor ?? null };
      },
      {
        cells: ({ id, role, member_count: members, name }) => [
          id,
          `${role}, members: ${members}`,
          singleLine(name),
        ],
        titles: ['ID', 'ROLE', 'NAME'],
        none: 'No organizations found.',
      },
    ),
  );
}

/** `members list ORGANIZATION`. */
export async function listMembers(id: string, options: ListOptions): Promise<void> {
  const search = searchText(options);
  await onServer(({ api, signal }) =>
    printList<Schemas['Member']>(
      options,
      async (page) => {
        const call = { path: { id }, query: { ...page, search }, signal };
        const reply = await api.page('/organizations/{id}/members', call);
        return { rows: reply.data, nextCursor: reply.pagination?.next_cursor ?? null };
      },
      {
        cells: (row) => [
          row.id,
          row.role,
          `${singleLine(row.email)}${row.email_verified ? '' : ' (not verified)'}`,
          singleLine(row.name),
        ],
        titles: ['ID', 'ROLE', 'EMAIL', 'NAME'],
        none: 'No members found.',
      },
    ),
  );
}

/** `keys list`: those of the user. */
export const listKeys = (options: Output): Promise<void> =>
  onServer(({ api, signal }) =>
    printList<ApiKey>(
      options,
      async () => ({ rows: await api.get('/api-keys', { signal }), nextCursor: null }),
      {
        cells: keyCells,
        titles: KEY_TITLES,
        none: 'You have no API keys.',
      },
    ),
  );
