import { singleLine } from '../../../lib/text.js';
import { pageQuery } from '../option-values.js';
import { addressOf, printList, type ListOptions } from '../output.js';
import { onServer } from './client.js';

/** `orgs list`: those of the user. */
export async function listOrganizations(options: ListOptions): Promise<void> {
  const query = pageQuery(options);
  await onServer(({ api, signal }) =>
    printList(options, api.list('/organizations', { query, signal }), {
      cells: (row) => [row.id, `${row.role}, members: ${row.member_count}`, singleLine(row.name)],
      titles: ['ID', 'ROLE', 'NAME'],
      none: 'No organizations found.',
    }),
  );
}

export async function listMembers(id: string, options: ListOptions): Promise<void> {
  const query = pageQuery(options);
  await onServer(({ api, signal }) =>
    printList(options, api.list('/organizations/{id}/members', { path: { id }, query, signal }), {
      cells: (row) => [row.id, row.role, addressOf(row.email, row.email_verified), singleLine(row.name)],
      titles: ['ID', 'ROLE', 'EMAIL', 'NAME'],
      none: 'No members found.',
    }),
  );
}
