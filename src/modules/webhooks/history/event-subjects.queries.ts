import type { EntityManager } from 'typeorm';
import type { ChangeTypeName } from '../../../contract/changes/change-catalog.js';
import { familyName } from '../../../contract/changes/event-families.js';
import { type Sql, sql } from '../../../platform/database/sql.js';
import type { EventSubject } from '../../events/public/published-event.js';
import type { WebhookReader } from '../delivery/webhook-reader.js';

/** How many are looked at: the first of them that the reader may see is shown. */
const CANDIDATES = 20;

/** Where what events are about is found, and its id and that of the user concerned, in SQL. */
type Source = readonly [
  of: 'recordings' | 'organizations' | 'people',
  join: string,
  target: string,
  user?: string,
];

const keys = (kind: string): Source => [
  'people',
  `JOIN api_keys k ON k.user_id = u.id AND k.revoked_at IS NULL AND ${kind}`,
  'k.id',
];
const inOrganization = (table: string, user?: string): Source => [
  'organizations',
  `JOIN ${table} t ON t.organization_id = o.id`,
  't.id',
  user,
];
const FOLDERS = '(SELECT * FROM folders WHERE deleted_at IS NULL)';

/** By type or family; all others are about a recording. */
const SOURCES: Readonly<Record<string, Source>> = {
  share_link: ['recordings', 'JOIN share_links s ON s.recording_id = r.id', 's.id'],
  action_item: ['recordings', 'JOIN action_items a ON a.recording_id = r.id', 'a.id'],
  organization: ['organizations', '', 'o.id'],
  member: ['organizations', '', 'm.user_id', 'm.user_id'],
  service_account: ['organizations', 'JOIN users a ON a.service_of = o.id', 'a.id', 'a.id'],
  invitation: inOrganization('invitations'),
  ownership_transfer: [
    'organizations',
    'JOIN organization_transfers t ON t.organization_id = o.id',
    'o.id',
    't.to_user_id',
  ],
  folder: inOrganization(FOLDERS),
  'folder.member_added': inOrganization(FOLDERS, 'm.user_id'),
  'folder.member_removed': inOrganization(FOLDERS, 'm.user_id'),
  user: ['people', '', 'u.id'],
  api_key: keys('k.signed_in_by IS NULL AND k.oauth_client IS NULL'),
  session: keys('k.signed_in_by IS NOT NULL'),
  connection: keys('k.oauth_client IS NOT NULL'),
  passkey: ['people', 'JOIN passkeys p ON p.user_id = u.id', 'p.id'],
  export: [
    'people',
    'JOIN exports e ON e.user_id = u.id AND e.organization_id IS NOT DISTINCT FROM u.service_of',
    'e.id',
  ],
};
const RECORDINGS: Source = ['recordings', '', 'r.id'];

/** Finds what an event of this type could be about: of the reader, or in the organization of the webhook; newest first. */
export async function findEventSubjects(
  manager: EntityManager,
  type: ChangeTypeName,
  { reader, home }: WebhookReader,
): Promise<EventSubject[]> {
  const [of, join, target, user = 'NULL::uuid'] = SOURCES[type] ?? SOURCES[familyName(type)] ?? RECORDINGS;
  const rows: Readonly<Record<Source[0], Sql>> = {
    recordings: sql`
      SELECT r.organization_id AS "organizationId", r.id AS "recordingId", ${() => target} AS "targetId",
             CASE WHEN r.organization_id IS NULL THEN r.owner_id END AS "userId"
      FROM recordings r ${() => join}
      WHERE r.deleted_at IS NULL AND ${home === null ? sql`r.owner_id = ${reader}::uuid` : sql`r.organization_id = ${home}::uuid`}
      ORDER BY r.created_at DESC, r.id`,
    organizations: sql`
      SELECT o.id AS "organizationId", NULL::uuid AS "recordingId", ${() => target} AS "targetId",
             ${() => user} AS "userId"
      FROM organization_members m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL ${() => join}
      WHERE m.user_id = ${reader}::uuid AND (${home}::uuid IS NULL OR o.id = ${home}::uuid)
      ORDER BY m.role IN ('OWNER', 'ADMIN') DESC, 3 DESC`,
    // What concerns a person is in no organization; what concerns a service account is in its own.
    people: sql`
      SELECT u.service_of AS "organizationId", NULL::uuid AS "recordingId", ${() => target} AS "targetId", u.id AS "userId"
      FROM users u ${() => join}
      WHERE ${home === null ? sql`u.id = ${reader}::uuid` : sql`u.service_of = ${home}::uuid`}
      ORDER BY 3 DESC`,
  };
  return sql(manager)`${rows[of]} LIMIT ${CANDIDATES}::int`;
}
