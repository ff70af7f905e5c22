import type { DataSource } from 'typeorm';
import type { ModelOrganization, State } from './model.js';

const USERS = 'SELECT id, email FROM users WHERE email LIKE $1';
const ORGANIZATIONS = `
  SELECT id, plan, feature_downloads AS downloads, members_may_take_recordings AS "membersMayTake" FROM organizations
  WHERE deleted_at IS NULL AND (id = ANY ($1) OR id IN (
    SELECT organization_id FROM organization_members WHERE user_id = ANY ($2)))`;
const MEMBERS = `
  SELECT organization_id AS home, json_build_object('who', user_id, 'role', role, 'viewAll', view_all_recordings,
    'viewFolder', view_folder_recordings, 'downloads', feature_downloads) AS row
  FROM organization_members WHERE organization_id = ANY ($1)`;
const FOLDERS = `
  SELECT f.organization_id AS home, json_build_object('id', f.id, 'active', f.active, 'named',
    CASE WHEN f.restricted THEN ARRAY(SELECT user_id FROM folder_members m WHERE m.folder_id = f.id) END) AS row
  FROM folders f WHERE f.organization_id = ANY ($1) AND f.deleted_at IS NULL`;
const INVITATIONS = `
  SELECT organization_id AS home, json_build_object('id', id, 'email', email, 'role', role, 'by', invited_by) AS row
  FROM invitations WHERE organization_id = ANY ($1)`;
const TRANSFERS = `
  SELECT organization_id AS home, json_build_object('from', from_user_id, 'to', to_user_id) AS row
  FROM organization_transfers WHERE organization_id = ANY ($1)`;
/** What nobody can reach any more is as good as deleted: jobs do it later. */
const RECORDINGS = `
  SELECT r.id, r.owner_id AS owner, r.organization_id AS home, f.id AS folder FROM recordings r
  LEFT JOIN organizations o ON o.id = r.organization_id
  LEFT JOIN folders f ON f.id = r.folder_id AND f.deleted_at IS NULL
  WHERE r.id = ANY ($1) AND o.deleted_at IS NULL AND (r.organization_id IS NOT NULL OR r.owner_id IS NOT NULL)`;

/** A row of an organization. */
interface Placed {
  readonly home: string;
  readonly row: object;
}

/** What the database holds of a sequence, whose users have addresses like `emails`, in the form of `expectedRows`. */
export async function storedRows(dataSource: DataSource, state: State, emails: string): Promise<string> {
  const query = (sql: string, ...values: unknown[]): Promise<object[]> => dataSource.query(sql, values);
  const users = (await query(USERS, emails)) as { id: string; email: string }[];
  const known = state.organizations.map(({ id }) => id);
  const ids = [...state.users, ...users].map(({ id }) => id);
  const homes = (await query(ORGANIZATIONS, known, ids)) as { id: string }[];
  const places = homes.map(({ id }) => id);
  const rows = await Promise.all(
    [MEMBERS, FOLDERS, INVITATIONS, TRANSFERS].map((sql) => query(sql, places) as Promise<Placed[]>),
  );
  const inHome = (of: number, id: string): object[] =>
    rows[of]!.filter(({ home }) => home === id).map(({ row }) => row);
  const recordings = await query(
    RECORDINGS,
    state.recordings.map(({ id }) => id),
  );
  const organizations = homes.map((home) => ({
    ...home,
    members: inHome(0, home.id),
    folders: inHome(1, home.id),
    invitations: inHome(2, home.id),
    transfer: inHome(3, home.id)[0] ?? null,
  }));
  return inOrder({ users, organizations, recordings });
}

/** What the database should hold. */
export function expectedRows({ users, organizations, recordings }: State): string {
  const idOf = (who: number): string => users[who]!.id;
  const rowOf = (home: ModelOrganization): object => ({
    id: home.id,
    plan: home.plan,
    downloads: home.downloads,
    membersMayTake: home.membersMayTake,
    members: home.members.map((one) => ({ ...one, who: idOf(one.who) })),
    folders: home.folders.map((one) => ({ ...one, named: one.named && one.named.map(idOf).sort() })),
    invitations: home.invitations.map(({ id, email, role, by }) => ({ id, email, role, by: idOf(by) })),
    transfer: home.transfer && { from: idOf(home.transfer.from), to: idOf(home.transfer.to) },
  });
  return inOrder({
    users: users.filter(({ alive }) => alive).map(({ id, email }) => ({ id, email })),
    organizations: organizations.filter(({ alive }) => alive).map(rowOf),
    recordings: recordings
      .filter(({ deleted }) => !deleted)
      .map(({ id, owner, home, folder }) => ({ id, owner: idOf(owner), home, folder })),
  });
}

/** As JSON, with sorted fields and lists. */
function inOrder(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value
      .map(sorted)
      .map((item) => [JSON.stringify(item), item] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, item]) => item);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  );
}
