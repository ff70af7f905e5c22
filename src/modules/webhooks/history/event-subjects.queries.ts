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

/** Where what events are about is found, in SQL: `s` is a recording, an organization or a user, `t` has rows of these. */
interface Source {
  readonly of: 'recording' | 'organization' | 'user';
  /** Without it, events are about `s` itself. */
  readonly table?: string;
  readonly where?: string;
  /** The id of what events are about, and of the user concerned. */
  readonly target?: string;
  readonly user?: string;
}

const FOLDER: Source = { of: 'organization', table: 'folders', where: 't.deleted_at IS NULL' };
const KEYS = '(SELECT * FROM api_keys WHERE revoked_at IS NULL)';
const SERVICE_ACCOUNTS = '(SELECT id, service_of AS organization_id FROM users)';
const TRANSFERS = 'organization_transfers';

/** By type or family; all others are about a recording. */
const SOURCES: Readonly<Record<string, Source>> = {
  share_link: { of: 'recording', table: 'share_links' },
  action_item: { of: 'recording', table: 'action_items' },
  organization: { of: 'organization' },
  member: { of: 'organization', target: 's.member_id', user: 's.member_id' },
  service_account: { of: 'organization', table: SERVICE_ACCOUNTS, user: 't.id' },
  invitation: { of: 'organization', table: 'invitations' },
  ownership_transfer: { of: 'organization', table: TRANSFERS, target: 's.id', user: 't.to_user_id' },
  folder: FOLDER,
  'folder.member_added': { ...FOLDER, user: 's.member_id' },
  'folder.member_removed': { ...FOLDER, user: 's.member_id' },
  user: { of: 'user' },
  api_key: { of: 'user', table: KEYS, where: 't.signed_in_by IS NULL AND t.oauth_client IS NULL' },
  session: { of: 'user', table: KEYS, where: 't.signed_in_by IS NOT NULL' },
  connection: { of: 'user', table: KEYS, where: 't.oauth_client IS NOT NULL' },
  passkey: { of: 'user', table: 'passkeys' },
  export: { of: 'user', table: 'exports', where: 't.organization_id IS NOT DISTINCT FROM s.organization_id' },
};

/** Names what an event of this type is about: `share link`. */
export function subjectOf(type: ChangeTypeName): string {
  const family = familyName(type);
  return family in SOURCES ? family.replaceAll('_', ' ') : 'recording';
}

/** Finds what an event of this type could be about: of the reader, or in the organization of the webhook; newest first. */
export async function findEventSubjects(
  manager: EntityManager,
  type: ChangeTypeName,
  { reader, home }: WebhookReader,
): Promise<EventSubject[]> {
  const source: Source = SOURCES[type] ?? SOURCES[familyName(type)] ?? { of: 'recording' };
  const { of, table, where = 'true', target = table ? 't.id' : 's.id', user = 's.user_id' } = source;
  const join = table ? `JOIN ${table} AS t ON t.${of}_id = s.id AND ${where}` : '';
  const subjects: Readonly<Record<Source['of'], Sql>> = {
    recording: sql`
      SELECT id, organization_id, id AS recording_id, created_at AS rank,
             CASE WHEN organization_id IS NULL THEN owner_id END AS user_id
      FROM recordings
      WHERE deleted_at IS NULL AND ${home === null ? sql`owner_id = ${reader}::uuid` : sql`organization_id = ${home}::uuid`}`,
    organization: sql`
      SELECT o.id, o.id AS organization_id, NULL::uuid AS recording_id, m.role IN ('OWNER', 'ADMIN') AS rank,
             NULL::uuid AS user_id, m.user_id AS member_id
      FROM organization_members m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
      WHERE m.user_id = ${reader}::uuid AND (${home}::uuid IS NULL OR o.id = ${home}::uuid)`,
    // What concerns a person is in no organization; what concerns a service account is in its own.
    user: sql`
      SELECT id, service_of AS organization_id, NULL::uuid AS recording_id, true AS rank, id AS user_id
      FROM users WHERE ${home === null ? sql`id = ${reader}::uuid` : sql`service_of = ${home}::uuid`}`,
  };
  return sql(manager)`
    SELECT s.organization_id AS "organizationId", s.recording_id AS "recordingId",
           ${() => target} AS "targetId", ${() => user} AS "userId"
    FROM (${subjects[of]}) AS s ${() => join}
    ORDER BY s.rank DESC, 3 DESC LIMIT ${CANDIDATES}::int`;
}
