import type { StreamableFile } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { CHANGE_TYPES } from '../../../contract/changes/change-catalog.js';
import { replyCursorPage, type PageReply } from '../../../contract/cursor-pagination.dto.js';
import type { CursorPage } from '../../../platform/http/replies/cursor.js';
import { sendTextFile, type TextFile } from '../../../platform/http/replies/text-file.js';
import type { ChangeDetails } from '../../../policy/reach.js';
import {
  EnumProperty,
  IdProperty,
  NestedProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { WAYS_IN, type WayIn } from '../../../policy/sessions.js';
import { LIMITS } from '../../../contract/limits.js';

const ACTOR_KINDS = ['user', 'command_line', 'service', 'recipient', 'anonymous'] as const;
type ActorKind = (typeof ACTOR_KINDS)[number];

export class AuditActor {
  @EnumProperty(
    'Who made the change: a `user`, an operator on the `command_line`, the `service` itself, the `recipient` of a share link, or someone `anonymous`, without a valid key',
    { values: ACTOR_KINDS, name: 'AuditActorKind', example: 'user' },
  )
  kind: ActorKind;

  @IdProperty('The user; null for other kinds', { nullable: true })
  id: string | null;

  @TextProperty(
    'Current name of the user; of a deleted service account, its last one; of a deleted person, a pseudonym derived from the id. Null for other kinds',
    { example: 'Ada Lovelace', nullable: true },
  )
  name: string | null;
}

export class AuditApiKey {
  @IdProperty('The API key')
  id: string;

  @TextProperty(`Its first ${LIMITS.apiKeyPrefix} characters`, { example: 'mrs_4kQ9dZ2w', nullable: true })
  prefix: string | null;
}

export class AuditSession {
  @IdProperty('The session')
  id: string;

  @EnumProperty('How its user signed in', { values: WAYS_IN, name: 'WayIn', example: 'provider' })
  way: WayIn;
}

export class AuditConnection {
  @IdProperty('The connection')
  id: string;

  @TextProperty('`client_id` of its OAuth client', { example: 'https://assistant.example/client.json' })
  client_id: string;

  @TextProperty('Name of the client, as it was when it was connected', { example: 'Assistant' })
  client_name: string;
}

export class PresentedAuditEntry {
  @IdProperty('Identifier of the entry')
  id: string;

  @TimestampProperty('When the change was made')
  at: string;

  @EnumProperty('What was changed', { values: CHANGE_TYPES, name: 'ChangeType', example: 'member.updated' })
  type: string;

  @NestedProperty(() => AuditActor, 'Who made the change')
  actor: AuditActor;

  @NestedProperty(() => AuditApiKey, 'The API key that was used; null if none was', { nullable: true })
  api_key: AuditApiKey | null;

  @NestedProperty(() => AuditSession, 'The session that was used; null if none was', { nullable: true })
  session: AuditSession | null;

  @NestedProperty(
    () => AuditConnection,
    'The connection of an OAuth client that was used; null if none was',
    {
      nullable: true,
    },
  )
  connection: AuditConnection | null;

  @TextProperty('`X-Request-Id` of the request; null if there was none', {
    example: '5f0c6c1e-7a53-4c0e-9d0f-0a4d2e1b7c11',
    nullable: true,
  })
  request_id: string | null;

  @TextProperty('IP address that the request came from; null if there was none, or it was erased', {
    example: '203.0.113.7',
    nullable: true,
  })
  address: string | null;

  @TextProperty(
    'Program that made the request, as it names itself: its `User-Agent` or, of an MCP client, name and version. Null if there was none, or it was erased',
    { example: 'claude-desktop/1.4.0', nullable: true },
  )
  client: string | null;

  @IdProperty('The organization; null if it belongs to none', { nullable: true })
  organization_id: string | null;

  @IdProperty('The recording; null if it is about none', { nullable: true })
  recording_id: string | null;

  @IdProperty(
    'What was changed: depending on `type`, a recording, share link, organization, user, invitation, folder or API key',
    { nullable: true },
  )
  target_id: string | null;

  @IdProperty('The user concerned; null if it concerns nobody in particular', { nullable: true })
  user_id: string | null;

  @TextProperty('The address that was invited; null for other types, or if it was erased', {
    example: 'grace@acme.test',
    nullable: true,
  })
  email: string | null;

  @ApiProperty({
    type: Object,
    additionalProperties: true,
    description: 'What changed; its fields depend on `type`. Never contains content or secrets',
    example: { before: { role: 'EDITOR' }, after: { role: 'ADMIN' } },
  })
  changes: object;
}

/** A row of the log, with what the reader may see of it. */
export type AuditEntry = Omit<
  PresentedAuditEntry,
  'at' | 'actor' | 'api_key' | 'session' | 'connection' | 'changes'
> & {
  readonly changes: ChangeDetails;
  readonly at: Date;
  readonly actor_kind: ActorKind;
  readonly actor_id: string | null;
  /** Null if there is no such user, or no longer. */
  readonly actor_name: string | null;
  readonly api_key_id: string | null;
  readonly api_key_prefix: string | null;
  /** Of a session, which is what the key then is. */
  readonly way: WayIn | null;
  /** Of a connection, which is what the key then is. */
  readonly client_id: string | null;
  readonly client_name: string | null;
};

export const presentAuditEntry = (entry: AuditEntry): PresentedAuditEntry => ({
  id: entry.id,
  at: entry.at.toISOString(),
  type: entry.type,
  actor: { kind: entry.actor_kind, id: entry.actor_id, name: nameOf(entry) },
  ...credentialOf(entry),
  request_id: entry.request_id,
  address: entry.address,
  client: entry.client,
  organization_id: entry.organization_id,
  recording_id: entry.recording_id,
  target_id: entry.target_id,
  user_id: entry.user_id,
  email: entry.email,
  changes: entry.changes,
});

const WITHOUT = { api_key: null, session: null, connection: null };

function credentialOf({ api_key_id: id, api_key_prefix: prefix, way, ...client }: AuditEntry) {
  if (id === null) return WITHOUT;
  const { client_id, client_name } = client;
  if (client_id !== null)
    return { ...WITHOUT, connection: { id, client_id, client_name: client_name ?? '' } };
  return way === null ? { ...WITHOUT, api_key: { id, prefix } } : { ...WITHOUT, session: { id, way } };
}

/** The last digits of an id are random; the first are its time. */
const nameOf = ({ actor_id: id, actor_name: name }: AuditEntry): string | null =>
  id === null ? null : (name ?? `Deleted user ${id.slice(-8)}`);

export type AuditReading = { readonly page: CursorPage<AuditEntry> } | { readonly file: TextFile };

export const presentAuditLog = (read: AuditReading): PageReply<PresentedAuditEntry> | StreamableFile =>
  'file' in read ? sendTextFile(read.file) : replyCursorPage(read.page, presentAuditEntry);
