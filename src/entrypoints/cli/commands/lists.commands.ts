import { presentListedApiKey } from '../../../modules/api-keys/public/api-key.presenter.js';
import { listApiKeys, listUnusedApiKeys } from '../../../modules/api-keys/api-keys.queries.js';
import { detailsOf } from '../../../modules/organizations/organization-details.js';
import { presentOrganizationDetails } from '../../../modules/organizations/dto/organization.response.dto.js';
import { listAllOrganizations } from '../../../modules/organizations/organizations.queries.js';
import { effectivePlan, quotasOf } from '../../../modules/quotas/public/quota-terms.js';
import { presentUser } from '../../../modules/users/management/dto/user.response.dto.js';
import { presentPerson } from '../../../modules/users/public/person.dto.js';
import { listUsers as readUsers } from '../../../modules/users/public/users.queries.js';
import { readCursor } from '../../../platform/http/replies/cursor.js';
import { singleLine } from '../../../lib/text.js';
import { keyCells, KEY_TITLES } from './key-cells.js';
import { findUserId, givenUser, requireUser, type UserOptions } from '../lookups.js';
import { durationOption, searchText } from '../option-values.js';
import { addressOf, printList, type ListOptions, type Output } from '../output.js';
import { withReader } from '../reader.js';

/** Seconds for which a key has not been used. */
const UNUSED = { min: 60, max: 10 * 365 * 86_400 };

export async function listUsers(options: ListOptions): Promise<void> {
  const search = searchText(options);
  await withReader(({ manager }) =>
    printList(
      options,
      async ({ limit, cursor }) => {
        const page = await readUsers(manager, { search, limit, after: readCursor(cursor) });
        return { ...page, rows: page.rows.map(presentUser) };
      },
      {
        cells: ({ id, plan, is_operator: operator, email, email_verified: verified, name }) => [
          id,
          `${plan}${operator ? ', operator' : ''}`,
          addressOf(email, verified),
          singleLine(name),
        ],
        titles: ['ID', 'PLAN', 'EMAIL', 'NAME'],
        none: 'No users found.',
      },
    ),
  );
}

export async function listKeys(options: Output & UserOptions & { unused?: string }): Promise<void> {
  const { unused } = options;
  if (unused !== undefined) return listUnusedKeys(options, durationOption('--unused', unused, UNUSED));
  await withReader(async (reader) => {
    const user = await requireUser(reader, ...givenUser(options));
    const rows = (await listApiKeys(reader.manager, user.id)).map(presentListedApiKey);
    const none = `${singleLine(user.email)} has no API keys.`;
    await printList(options, async () => ({ rows }), { cells: keyCells, titles: KEY_TITLES, none });
  });
}

async function listUnusedKeys(options: Output & UserOptions, seconds: number): Promise<void> {
  const now = new Date();
  const since = new Date(now.getTime() - seconds * 1000);
  await withReader(async (reader) => {
    const userId = await findUserId(reader, options);
    await printList(
      options,
      async ({ limit, cursor }) => {
        const query = { userId, since, now, limit, after: readCursor(cursor) };
        const page = await listUnusedApiKeys(reader.manager, query);
        const rows = page.rows.map((key) => ({ ...presentListedApiKey(key), user: presentPerson(key.user) }));
        return { ...page, rows };
      },
      {
        cells: (key) => [singleLine(key.user.email), ...keyCells(key)],
        titles: ['USER', ...KEY_TITLES],
        none: 'No unused API keys found.',
      },
    );
  });
}

export async function listOrganizations(options: ListOptions): Promise<void> {
  const search = searchText(options);
  await withReader(async ({ manager, settings }) => {
    const now = new Date();
    const viewing = { viewerId: null, today: now.toISOString().slice(0, 10), now };
    await printList(
      options,
      async (page) => {
        const { rows, paging } = await listAllOrganizations(manager, viewing, { search, ...page });
        const details = rows.map((row) =>
          detailsOf(null, row, quotasOf(effectivePlan(row, now), row.use, settings.quotas, now)),
        );
        return { rows: details.map(presentOrganizationDetails), nextCursor: paging?.nextCursor };
      },
      {
        cells: ({ id, plan, subscription: { status, ends_at: endsAt }, member_count: members, name }) => [
          id,
          `${plan}, ${status}${endsAt ? ` until ${endsAt}` : ''}, members: ${members}`,
          singleLine(name),
        ],
        titles: ['ID', 'PLAN', 'NAME'],
        none: 'No organizations found.',
      },
    );
  });
}
