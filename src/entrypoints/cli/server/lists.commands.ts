import type { Schemas } from 'meeting-recording-client';
import { singleLine } from '../../../lib/text.js';
import { searchText } from '../option-values.js';
import { addressOf, printList, type ListOptions } from '../output.js';
import { onServer, pageOf } from './client.js';

/** `orgs list`: those of the user. */
export async function listOrganizations(options: ListOptions): Promise<void> {
  const search = searchText(options);
  await onServer(({ api, signal }) =>
    printList<Schemas['Organization']>(
      options,
      async (page) => pageOf(await api.page('/organizations', { query: { ...page, search }, signal })),
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

export async function listMembers(id: string, options: ListOptions): Promise<void> {
  const search = searchText(options);
  await onServer(({ api, signal }) =>
    printList<Schemas['Member']>(
      options,
      async (page) => {
        const call = { path: { id }, query: { ...page, search }, signal };
        return pageOf(await api.page('/organizations/{id}/members', call));
      },
      {
        cells: (row) => [row.id, row.role, addressOf(row.email, row.email_verified), singleLine(row.name)],
        titles: ['ID', 'ROLE', 'EMAIL', 'NAME'],
        none: 'No members found.',
      },
    ),
  );
}
