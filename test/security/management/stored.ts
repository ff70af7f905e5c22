import type { DataSource } from 'typeorm';
import type { State } from './model.js';

/**
 * $1: pattern of the addresses; $2: ids of the users and $3 of the organizations that the model knows; $4: of
 * recordings.
 */
const FACTS = `
  WITH homes AS (
    SELECT * FROM organizations WHERE deleted_at IS NULL AND (id = ANY ($3) OR id IN (
      SELECT organization_id FROM organization_members m JOIN users u ON u.id = m.user_id
      WHERE u.id = ANY ($2) OR u.email LIKE $1)))
  SELECT format('user %s: %s', id, email) AS fact FROM users WHERE email LIKE $1
  UNION ALL SELECT format('organization %s: %s, downloads %s, may take %s',
    id, plan, feature_downloads, members_may_take_recordings) FROM homes
  UNION ALL SELECT format('member of %s: %s %s, sees all %s, folders %s, downloads %s', organization_id, user_id, role,
    view_all_recordings, view_folder_recordings, m.feature_downloads) FROM organization_members m JOIN homes h ON h.id = organization_id
  UNION ALL SELECT format('folder of %s: %s, active %s, for %s', organization_id, f.id, active, CASE WHEN restricted THEN
    ARRAY(SELECT user_id FROM folder_members n WHERE n.folder_id = f.id ORDER BY user_id)::text ELSE 'all' END)
    FROM folders f JOIN homes h ON h.id = organization_id WHERE f.deleted_at IS NULL
  UNION ALL SELECT format('invitation to %s: %s for %s as %s by %s', organization_id, i.id, email, role, invited_by)
    FROM invitations i JOIN homes h ON h.id = organization_id
  UNION ALL SELECT format('transfer of %s: from %s to %s', organization_id, from_user_id, to_user_id)
    FROM organization_transfers JOIN homes h ON h.id = organization_id
  -- What nobody can reach any more is as good as deleted: jobs do it later.
  UNION ALL SELECT format('recording %s: of %s in %s, folder %s', r.id, r.owner_id, r.organization_id, f.id)
    FROM recordings r
    LEFT JOIN organizations o ON o.id = r.organization_id
    LEFT JOIN folders f ON f.id = r.folder_id AND f.deleted_at IS NULL
    WHERE r.id = ANY ($4) AND o.deleted_at IS NULL AND (r.organization_id IS NOT NULL OR r.owner_id IS NOT NULL)`;

const inOrder = (facts: readonly string[]): string => facts.toSorted().join('\n');

/**
 * What the database holds of a sequence, whose users have addresses like `emails`: a line for each fact, as in
 * `expectedFacts`.
 */
export async function storedFacts(dataSource: DataSource, state: State, emails: string): Promise<string> {
  const { users, organizations, recordings } = state;
  const known = [users, organizations, recordings].map((those) => those.map(({ id }) => id));
  const rows: { fact: string }[] = await dataSource.query(FACTS, [emails, ...known]);
  return inOrder(rows.map(({ fact }) => fact));
}

/** What the database should hold. */
export function expectedFacts({ users, organizations, recordings }: State): string {
  const idOf = (who: number): string => users[who]!.id;
  const bit = (value: boolean): string => (value ? 't' : 'f');
  return inOrder([
    ...users.filter(({ alive }) => alive).map(({ id, email }) => `user ${id}: ${email}`),
    ...organizations
      .filter(({ alive }) => alive)
      .flatMap(({ id, plan, downloads, membersMayTake, members, folders, invitations, transfer }) => [
        `organization ${id}: ${plan}, downloads ${bit(downloads)}, may take ${bit(membersMayTake)}`,
        ...members.map(
          (one) =>
            `member of ${id}: ${idOf(one.who)} ${one.role}, sees all ${bit(one.viewAll)}, folders ${bit(one.viewFolder)}, downloads ${bit(one.downloads)}`,
        ),
        ...folders.map(
          ({ id: folder, active, named }) =>
            `folder of ${id}: ${folder}, active ${bit(active)}, for ${named ? `{${named.map(idOf).sort()}}` : 'all'}`,
        ),
        ...invitations.map(
          (one) => `invitation to ${id}: ${one.id} for ${one.email} as ${one.role} by ${idOf(one.by)}`,
        ),
        ...(transfer ? [`transfer of ${id}: from ${idOf(transfer.from)} to ${idOf(transfer.to)}`] : []),
      ]),
    ...recordings
      .filter(({ deleted }) => !deleted)
      .map(
        ({ id, owner, home, folder }) =>
          `recording ${id}: of ${idOf(owner)} in ${home ?? ''}, folder ${folder ?? ''}`,
      ),
  ]);
}
