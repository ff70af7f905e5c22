import type { EntityManager } from 'typeorm';
import type { ChangeTypeName } from '../../../contract/changes/change-catalog.js';
import { familyName } from '../../../contract/changes/event-families.js';
import { type Sql, sql } from '../../../platform/database/sql.js';
import type { WebhookReader } from '../delivery/webhook-reader.js';
import type { WebhookDelivery } from '../entities/webhook-delivery.entity.js';

/** What an event is about. */
export type EventSubject = Pick<WebhookDelivery, 'organizationId' | 'recordingId' | 'targetId' | 'userId'>;

/** How many are looked at: the first of them that the reader may see is shown. */
const CANDIDATES = 20;

/** Where what events are about is found, and its id and that of the user concerned, in SQL. */
type Source = readonly [
  of: 'recordings' | 'organizations' | 'people',
  join: string,
  target: string,
  user?: string,
];

const ofRecording = (table: string): Source => [
  'recordings',
  `JOIN ${table} t ON t.recording_id = r.id`,
  't.id',
];
const inOrganization = (table: string, user?: string, target = 't.id'): Source => [
  'organizations',
  `JOIN ${table} t ON t.organization_id = o.id`,
  target,
  user,
];
const ofPerson = (table: string, condition = 'true'): Source => [
  'people',
  `JOIN ${table} t ON t.user_id = u.id AND ${condition}`,
  't.id',
];
const FOLDERS = '(SELECT * FROM folders WHERE deleted_at IS NULL)';
const KEYS = '(SELECT * FROM api_keys WHERE revoked_at IS NULL)';

/** By type or family; all others are about a recording. */
const SOURCES: Readonly<Record<string, Source>> = {
  share_link: ofRecording('share_links'),
  action_item: ofRecording('action_items'),
  organization: ['organizations', '', 'o.id'],
  member: ['organizations', '', 'm.user_id', 'm.user_id'],
  service_account: inOrganization('(SELECT id, service_of AS organization_id FROM users)', 't.id'),
  invitation: inOrganization('invitations'),
  ownership_transfer: inOrganization('organization_transfers', 't.to_user_id', 'o.id'),
  folder: inOrganization(FOLDERS),
  'folder.member_added': inOrganization(FOLDERS, 'm.user_id'),
  'folder.member_removed': inOrganization(FOLDERS, 'm.user_id'),
  user: ['people', '', 'u.id'],
  api_key: ofPerson(KEYS, 't.signed_in_by IS NULL AND t.oauth_client IS NULL'),
  session: ofPerson(KEYS, 't.signed_in_by IS NOT NULL'),
  connection: ofPerson(KEYS, 't.oauth_client IS NOT NULL'),
  passkey: ofPerson('passkeys'),
  export: ofPerson('exports', 't.organization_id IS NOT DISTINCT FROM u.service_of'),
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
