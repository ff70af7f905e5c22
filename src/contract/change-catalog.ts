import { z } from '../lib/zod.js';
import {
  after,
  API_KEY_ID,
  before,
  both,
  DISABLED_WEBHOOKS,
  EDITOR,
  ENTERPRISE,
  FIELDS,
  FOLDER,
  FOLDER_ID,
  id,
  KEY,
  LINK,
  NONE,
  ORGANIZATION_DEFAULTS,
  ORGANIZATION_FLAGS,
  PLACE,
  PLAN,
  REPLACED_KEY,
  RIGHTS,
  STATUS,
  STATUS_CHANGE,
  TRANSFER,
  USER,
  USER_ID,
  VIEW_LINK,
  WEBHOOK,
} from './change-details.js';

/** Those whom an event is for. */
export type Audience =
  /** Whoever sees the recording. */
  | 'recording'
  /** All members of the organization. */
  | 'members'
  /** Those who manage others in the organization: OWNER and ADMIN. */
  | 'managers'
  /** The user concerned; of a service account, also those who manage others in its organization. */
  | 'user';

export interface ChangeType {
  /** Null: in the audit log only. */
  readonly audience: Audience | null;
  /** The occasion on which it is written, to complete "Written when". */
  readonly when: string;
  /** The content of a row besides who, when and which: never texts, never a secret. */
  readonly details: z.ZodType;
  readonly example: unknown;
}

const becomes = (from: string, to: string, when: string): ChangeType => ({
  audience: 'recording',
  when,
  details: STATUS_CHANGE,
  example: { before: { status: from }, after: { status: to } },
});

const content = (when: string, cause?: string): ChangeType => ({
  audience: 'recording',
  when,
  details: cause
    ? z.strictObject({ cause: z.string(), revision: z.int() })
    : z.strictObject({ revision: z.int().optional() }),
  example: cause ? { cause, revision: 3 } : {},
});

/**
 * Every type of change, in the order of the documentation. Triggers write the rows (migrations `log-...-changes`);
 * tests check what they write against these schemas.
 */
export const CHANGE_CATALOG = {
  'recording.created': {
    audience: 'recording',
    when: 'a recording is created, in whatever status',
    details: STATUS,
    example: { status: 'UPLOADING' },
  },
  'recording.updated': {
    audience: 'recording',
    when: 'title, notes, owner or media of a recording change, or it gets a status that has no type of its own',
    details: z.union([
      z.strictObject({
        fields: FIELDS,
        before: z.strictObject({ owner_id: id }).optional(),
        after: z.strictObject({ owner_id: id }).optional(),
      }),
      STATUS_CHANGE,
    ]),
    example: { fields: ['title'] },
  },
  'recording.uploading': becomes('RECORDING', 'UPLOADING', 'a recording becomes `UPLOADING`'),
  'recording.processing': becomes('UPLOADING', 'PROCESSING', 'the media has arrived and is being packaged'),
  'recording.playable': becomes(
    'PROCESSING',
    'MIGRATING',
    'a recording becomes `MIGRATING` and can be played from then on',
  ),
  'recording.completed': becomes('MIGRATING', 'COMPLETED', 'a recording becomes `COMPLETED`'),
  'recording.failed': becomes('PROCESSING', 'ERROR', 'a recording becomes `ERROR`'),
  'recording.moved': {
    audience: 'recording',
    when: 'a recording moves to another folder or organization; between organizations, once in each',
    details: z.strictObject({
      before: PLACE.extend({ folder_access: z.string().nullable().optional() }),
      after: PLACE,
    }),
    example: { before: { folder_id: null, folder_access: null }, after: { folder_id: FOLDER_ID } },
  },
  'recording.deleted': {
    audience: 'recording',
    when: 'a recording is deleted, and with it its transcript, summary and share links',
    details: NONE,
    example: {},
  },
  'transcript.completed': content('a transcript is imported or a transcription completes', 'transcription'),
  'transcript.failed': content('a transcription fails; an earlier transcript stays'),
  'transcript.corrected': content(
    'a transcript is corrected, a speaker renamed, or a revision restored',
    'correction',
  ),
  'summary.completed': content('a summary is imported or generated'),
  'summary.failed': content('generating a summary fails; an earlier summary stays'),
  'action_item.updated': {
    audience: 'recording',
    when: 'someone changes an action item: its text, owner, due date, or whether it is done',
    details: z.strictObject({ fields: FIELDS }),
    example: { fields: ['done'] },
  },
  'share_link.created': {
    audience: 'recording',
    when: 'a share link is created',
    details: after(LINK),
    example: { after: VIEW_LINK },
  },
  'share_link.changed': {
    audience: 'recording',
    when: 'expiry, password, label or creator of a share link change',
    details: both(LINK),
    example: { before: VIEW_LINK, after: { ...VIEW_LINK, has_password: true } },
  },
  'share_link.revoked': {
    audience: 'recording',
    when: 'a share link is revoked, or ends with the membership of its creator or because the recording moves to another organization',
    details: before(LINK),
    example: { before: VIEW_LINK },
  },
  'share_link.opened_first': {
    audience: 'recording',
    when: 'a recipient has opened a share link for the first time',
    details: NONE,
    example: {},
  },
  'organization.created': {
    audience: 'members',
    when: 'an organization is created',
    details: after(ORGANIZATION_FLAGS.extend(PLAN)),
    example: { after: { ...ENTERPRISE, ...ORGANIZATION_DEFAULTS } },
  },
  'organization.updated': {
    audience: 'members',
    when: 'the name of an organization changes, its glossary, or how long the API keys that it accepts may work (`api_key_max_days`)',
    details: z.strictObject({ fields: FIELDS }),
    example: { fields: ['name'] },
  },
  'organization.flags_changed': {
    audience: 'members',
    when: 'feature flags of an organization change, or whether members may take their recordings',
    details: both(ORGANIZATION_FLAGS),
    example: { before: ORGANIZATION_DEFAULTS, after: { ...ORGANIZATION_DEFAULTS, downloads: false } },
  },
  'organization.plan_changed': {
    audience: 'members',
    when: 'the plan or the subscription of an organization changes',
    details: both(z.strictObject(PLAN)),
    example: { before: { ...ENTERPRISE, plan: 'PRO' }, after: ENTERPRISE },
  },
  // Its members get `member.removed`: their memberships end with it.
  'organization.deleted': {
    audience: null,
    when: 'an organization is deleted',
    details: NONE,
    example: {},
  },
  'member.added': {
    audience: 'members',
    when: 'a user becomes a member of an organization',
    details: after(RIGHTS),
    example: { after: EDITOR },
  },
  'member.updated': {
    audience: 'members',
    when: 'the role or the feature flags of a member change',
    details: both(RIGHTS).extend(DISABLED_WEBHOOKS),
    example: { before: EDITOR, after: { ...EDITOR, role: 'ADMIN' } },
  },
  'member.removed': {
    audience: 'members',
    when: 'a membership ends; the former member gets this event too',
    details: before(RIGHTS).extend(DISABLED_WEBHOOKS),
    example: { before: EDITOR },
  },
  'service_account.created': {
    audience: 'managers',
    when: 'a service account is created',
    details: after(RIGHTS),
    example: { after: EDITOR },
  },
  'service_account.updated': {
    audience: 'managers',
    when: 'the role of a service account changes; its name is in `user.updated`',
    details: both(RIGHTS).extend(DISABLED_WEBHOOKS),
    example: { before: EDITOR, after: { ...EDITOR, role: 'ADMIN' } },
  },
  'service_account.deleted': {
    audience: 'managers',
    when: 'a service account is deleted; the log keeps its name',
    details: before(RIGHTS).extend(DISABLED_WEBHOOKS).extend({ name: z.string() }),
    example: { name: 'CRM sync', before: EDITOR },
  },
  'invitation.created': {
    audience: 'managers',
    when: 'a person is invited',
    details: after(RIGHTS),
    example: { after: EDITOR },
  },
  'invitation.resent': {
    audience: 'managers',
    when: 'an invitation is sent again',
    details: after(RIGHTS),
    example: { after: EDITOR },
  },
  'invitation.accepted': {
    audience: 'managers',
    when: 'an invitation is accepted',
    details: before(RIGHTS),
    example: { before: EDITOR },
  },
  'invitation.withdrawn': {
    audience: 'managers',
    when: 'an invitation is withdrawn or removed, also because its sender leaves',
    details: before(RIGHTS),
    example: { before: EDITOR },
  },
  'ownership_transfer.offered': {
    audience: 'managers',
    when: 'a member is offered the ownership of an organization',
    details: TRANSFER,
    example: { from_user_id: USER_ID, to_user_id: USER_ID },
  },
  'ownership_transfer.closed': {
    audience: 'managers',
    when: 'an offer of ownership is accepted, declined, canceled or superseded; if it was accepted, roles change too',
    details: TRANSFER,
    example: { from_user_id: USER_ID, to_user_id: USER_ID },
  },
  'folder.created': {
    audience: 'members',
    when: 'a folder is created',
    details: after(FOLDER),
    example: { after: { active: true, restricted: false } },
  },
  'folder.updated': {
    audience: 'members',
    when: 'a folder is renamed, activated, deactivated, restricted or opened',
    details: both(FOLDER).extend({ fields: FIELDS.optional() }),
    example: { before: { active: true, restricted: false }, after: { active: true, restricted: true } },
  },
  'folder.deleted': {
    audience: 'members',
    when: 'a folder is deleted; its recordings move out of it',
    details: NONE,
    example: {},
  },
  'folder.member_added': {
    audience: 'managers',
    when: 'a restricted folder names a member',
    details: NONE,
    example: {},
  },
  'folder.member_removed': {
    audience: 'managers',
    when: 'a restricted folder no longer names a member',
    details: NONE,
    example: {},
  },
  'user.created': {
    audience: null,
    when: 'a user is created',
    details: after(USER),
    example: { after: { plan: 'FREE', operator: false } },
  },
  'user.updated': {
    audience: 'user',
    when: 'the name or the email address of a user changes, or whether the address is verified',
    details: z.strictObject({ fields: FIELDS }),
    example: { fields: ['name'] },
  },
  'user.plan_changed': {
    audience: 'user',
    when: 'the plan of a user changes, or whether they are an operator',
    details: both(USER),
    example: { before: { plan: 'FREE', operator: false }, after: { plan: 'PRO', operator: false } },
  },
  'user.deleted': { audience: null, when: 'a user is deleted', details: NONE, example: {} },
  'api_key.created': {
    audience: 'user',
    when: 'an API key is created',
    details: KEY,
    example: { prefix: 'mrs_4kQ9dZ2w' },
  },
  'api_key.updated': {
    audience: 'user',
    when: 'the name, the scopes or the expiry of an API key change',
    details: z.strictObject({ fields: FIELDS }),
    example: { fields: ['scopes'] },
  },
  'api_key.rotated': {
    audience: 'user',
    when: 'an API key is replaced by another (`replaced_by`), and expires after the overlap',
    details: REPLACED_KEY,
    example: { prefix: 'mrs_4kQ9dZ2w', replaced_by: API_KEY_ID },
  },
  'api_key.revoked': {
    audience: 'user',
    when: 'an API key is revoked; if by nobody who has signed in, because it was reported as leaked',
    details: KEY,
    example: { prefix: 'mrs_4kQ9dZ2w' },
  },
  'sign_in.succeeded': {
    audience: null,
    when: 'an API key is used from an address for the first time in 24 hours; with IPv6, from a network of 64 bits',
    details: NONE,
    example: {},
  },
  'sign_in.refused': {
    audience: null,
    when: 'a revoked or expired API key is used; gathered by key and address for a minute',
    details: z.strictObject({ code: z.string(), count: z.int() }),
    example: { code: 'INVALID_API_KEY', count: 3 },
  },
  'management.refused': {
    audience: null,
    when: 'a request to manage an organization or users is refused with 403 `FORBIDDEN`; gathered by caller for a minute. `operation` is null where a caller attempted more than four different things',
    details: z.strictObject({ operation: z.string().nullable(), code: z.string(), count: z.int() }),
    example: { operation: 'updateMember', code: 'FORBIDDEN', count: 1 },
  },
  'webhook.created': {
    audience: 'managers',
    when: 'a webhook is created; of a personal one, its user gets this event and the following ones',
    details: after(WEBHOOK),
    example: { after: { types: ['recording.*'] } },
  },
  'webhook.updated': {
    audience: 'managers',
    when: 'address, types or description of a webhook change, it is enabled again, or another member becomes responsible for it (`created_by`)',
    details: z.strictObject({ fields: FIELDS }),
    example: { fields: ['url'] },
  },
  'webhook.disabled': {
    audience: 'managers',
    when: 'a webhook is disabled: by a `user`, because its receiver is `gone` (410), after five days of `failures`, or because the member responsible for it no longer manages the organization (`creator_left`)',
    details: z.strictObject({ reason: z.enum(['user', 'gone', 'failures', 'creator_left']) }),
    example: { reason: 'failures' },
  },
  'webhook.secret_rotated': {
    audience: 'managers',
    when: 'a webhook gets a new secret',
    details: NONE,
    example: {},
  },
  'webhook.deleted': {
    audience: 'managers',
    when: 'a webhook is deleted',
    details: before(WEBHOOK),
    example: { before: { types: ['recording.*'] } },
  },
} as const satisfies Readonly<Record<string, ChangeType>>;

export type ChangeTypeName = keyof typeof CHANGE_CATALOG;

export const CHANGE_TYPES = Object.keys(CHANGE_CATALOG) as readonly ChangeTypeName[];

/** Types that are sent as events and to webhooks. */
export const EVENT_TYPES = CHANGE_TYPES.filter((type) => CHANGE_CATALOG[type].audience !== null);

export const audienceOf = (type: ChangeTypeName): Audience | null => CHANGE_CATALOG[type].audience;
