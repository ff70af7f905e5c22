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

/** A type whose rows by default say nothing besides who, when and which. */
export const change = (
  audience: Audience | null,
  when: string,
  details: z.ZodType = NONE,
  example: unknown = {},
): ChangeType => ({ audience, when, details, example });

const becomes = (from: string, to: string, when: string): ChangeType =>
  change('recording', when, STATUS_CHANGE, { before: { status: from }, after: { status: to } });

/** A type whose rows name the fields that have changed. */
export const edited = (audience: Audience, when: string, field: string): ChangeType =>
  change(audience, when, z.strictObject({ fields: FIELDS }), { fields: [field] });

const content = (when: string, cause?: string): ChangeType =>
  cause
    ? change('recording', when, z.strictObject({ cause: z.string(), revision: z.int() }), {
        cause,
        revision: 3,
      })
    : change('recording', when, z.strictObject({ revision: z.int().optional() }));

/**
 * Every type of change, in the order of the documentation. Triggers write the rows (migrations `log-...-changes`);
 * tests check what they write against these schemas.
 */
export const CHANGE_CATALOG = {
  'recording.created': change('recording', 'a recording is created, in whatever status', STATUS, {
    status: 'UPLOADING',
  }),
  'recording.updated': change(
    'recording',
    'title, notes, owner or media of a recording change, or it gets a status that has no type of its own',
    z.union([
      z.strictObject({
        fields: FIELDS,
        before: z.strictObject({ owner_id: id }).optional(),
        after: z.strictObject({ owner_id: id }).optional(),
      }),
      STATUS_CHANGE,
    ]),
    { fields: ['title'] },
  ),
  'recording.uploading': becomes('RECORDING', 'UPLOADING', 'a recording becomes `UPLOADING`'),
  'recording.processing': becomes('UPLOADING', 'PROCESSING', 'the media has arrived and is being packaged'),
  'recording.playable': becomes(
    'PROCESSING',
    'MIGRATING',
    'a recording becomes `MIGRATING` and can be played from then on',
  ),
  'recording.completed': becomes('MIGRATING', 'COMPLETED', 'a recording becomes `COMPLETED`'),
  'recording.failed': becomes('PROCESSING', 'ERROR', 'a recording becomes `ERROR`'),
  'recording.moved': change(
    'recording',
    'a recording moves to another folder or organization; between organizations, once in each',
    z.strictObject({
      before: PLACE.extend({ folder_access: z.string().nullable().optional() }),
      after: PLACE,
    }),
    { before: { folder_id: null, folder_access: null }, after: { folder_id: FOLDER_ID } },
  ),
  'recording.deleted': change(
    'recording',
    'a recording is deleted, and with it its transcript, summary and share links',
  ),
  'transcript.completed': content('a transcript is imported or a transcription completes', 'transcription'),
  'transcript.failed': content('a transcription fails; an earlier transcript stays'),
  'transcript.corrected': content(
    'a transcript is corrected, a speaker renamed, or a revision restored',
    'correction',
  ),
  'summary.completed': content('a summary is imported or generated'),
  'summary.failed': content('generating a summary fails; an earlier summary stays'),
  'action_item.updated': edited(
    'recording',
    'someone changes an action item: its text, owner, due date, or whether it is done',
    'done',
  ),
  'share_link.created': change('recording', 'a share link is created', after(LINK), { after: VIEW_LINK }),
  'share_link.changed': change(
    'recording',
    'expiry, password, label or creator of a share link change',
    both(LINK),
    { before: VIEW_LINK, after: { ...VIEW_LINK, has_password: true } },
  ),
  'share_link.revoked': change(
    'recording',
    'a share link is revoked, or ends with the membership of its creator or because the recording moves to another organization',
    before(LINK),
    { before: VIEW_LINK },
  ),
  'share_link.opened_first': change('recording', 'a recipient has opened a share link for the first time'),
  'organization.created': change(
    'members',
    'an organization is created',
    after(ORGANIZATION_FLAGS.extend(PLAN)),
    { after: { ...ENTERPRISE, ...ORGANIZATION_DEFAULTS } },
  ),
  'organization.updated': edited(
    'members',
    'the name of an organization changes, its glossary, or how long the API keys that it accepts may work (`api_key_max_days`)',
    'name',
  ),
  'organization.flags_changed': change(
    'members',
    'feature flags of an organization change, or whether members may take their recordings',
    both(ORGANIZATION_FLAGS),
    { before: ORGANIZATION_DEFAULTS, after: { ...ORGANIZATION_DEFAULTS, downloads: false } },
  ),
  'organization.plan_changed': change(
    'members',
    'the plan or the subscription of an organization changes',
    both(z.strictObject(PLAN)),
    { before: { ...ENTERPRISE, plan: 'PRO' }, after: ENTERPRISE },
  ),
  // Its members get `member.removed`: their memberships end with it.
  'organization.deleted': change(null, 'an organization is deleted'),
  'member.added': change('members', 'a user becomes a member of an organization', after(RIGHTS), {
    after: EDITOR,
  }),
  'member.updated': change(
    'members',
    'the role or the feature flags of a member change',
    both(RIGHTS).extend(DISABLED_WEBHOOKS),
    { before: EDITOR, after: { ...EDITOR, role: 'ADMIN' } },
  ),
  'member.removed': change(
    'members',
    'a membership ends; the former member gets this event too',
    before(RIGHTS).extend(DISABLED_WEBHOOKS),
    { before: EDITOR },
  ),
  'service_account.created': change('managers', 'a service account is created', after(RIGHTS), {
    after: EDITOR,
  }),
  'service_account.updated': change(
    'managers',
    'the role of a service account changes; its name is in `user.updated`',
    both(RIGHTS).extend(DISABLED_WEBHOOKS),
    { before: EDITOR, after: { ...EDITOR, role: 'ADMIN' } },
  ),
  'service_account.deleted': change(
    'managers',
    'a service account is deleted; the log keeps its name',
    before(RIGHTS).extend(DISABLED_WEBHOOKS).extend({ name: z.string() }),
    { name: 'CRM sync', before: EDITOR },
  ),
  'invitation.created': change('managers', 'a person is invited', after(RIGHTS), { after: EDITOR }),
  'invitation.resent': change('managers', 'an invitation is sent again', after(RIGHTS), { after: EDITOR }),
  'invitation.accepted': change('managers', 'an invitation is accepted', before(RIGHTS), { before: EDITOR }),
  'invitation.withdrawn': change(
    'managers',
    'an invitation is withdrawn or removed, also because its sender leaves',
    before(RIGHTS),
    { before: EDITOR },
  ),
  'ownership_transfer.offered': change(
    'managers',
    'a member is offered the ownership of an organization',
    TRANSFER,
    { from_user_id: USER_ID, to_user_id: USER_ID },
  ),
  'ownership_transfer.closed': change(
    'managers',
    'an offer of ownership is accepted, declined, canceled or superseded; if it was accepted, roles change too',
    TRANSFER,
    { from_user_id: USER_ID, to_user_id: USER_ID },
  ),
  'folder.created': change('members', 'a folder is created', after(FOLDER), {
    after: { active: true, restricted: false },
  }),
  'folder.updated': change(
    'members',
    'a folder is renamed, activated, deactivated, restricted or opened',
    both(FOLDER).extend({ fields: FIELDS.optional() }),
    { before: { active: true, restricted: false }, after: { active: true, restricted: true } },
  ),
  'folder.deleted': change('members', 'a folder is deleted; its recordings move out of it'),
  'folder.member_added': change('managers', 'a restricted folder names a member'),
  'folder.member_removed': change('managers', 'a restricted folder no longer names a member'),
  'user.created': change(null, 'a user is created', after(USER), {
    after: { plan: 'FREE', operator: false },
  }),
  'user.updated': edited(
    'user',
    'the name or the email address of a user changes, or whether the address is verified',
    'name',
  ),
  'user.plan_changed': change(
    'user',
    'the plan of a user changes, or whether they are an operator',
    both(USER),
    { before: { plan: 'FREE', operator: false }, after: { plan: 'PRO', operator: false } },
  ),
  'user.deleted': change(null, 'a user is deleted'),
  'api_key.created': change('user', 'an API key is created', KEY, { prefix: 'mrs_4kQ9dZ2w' }),
  'api_key.updated': edited('user', 'the name, the scopes or the expiry of an API key change', 'scopes'),
  'api_key.rotated': change(
    'user',
    'an API key is replaced by another (`replaced_by`), and expires after the overlap',
    REPLACED_KEY,
    { prefix: 'mrs_4kQ9dZ2w', replaced_by: API_KEY_ID },
  ),
  'api_key.revoked': change(
    'user',
    'an API key is revoked; without an actor if it was reported as leaked',
    KEY,
    { prefix: 'mrs_4kQ9dZ2w' },
  ),
  'sign_in.succeeded': change(
    null,
    'an API key is used from an address for the first time in 24 hours; with IPv6, from a network of 64 bits',
  ),
  'sign_in.refused': change(
    null,
    'a revoked or expired API key is used; gathered by key and address for a minute',
    z.strictObject({ code: z.string(), count: z.int() }),
    { code: 'INVALID_API_KEY', count: 3 },
  ),
  'management.refused': change(
    null,
    'a request to manage an organization or users is refused with 403 `FORBIDDEN`; gathered by caller for a minute. `operation` is null where a caller attempted more than four different things',
    z.strictObject({ operation: z.string().nullable(), code: z.string(), count: z.int() }),
    { operation: 'updateMember', code: 'FORBIDDEN', count: 1 },
  ),
  'webhook.created': change(
    'managers',
    'a webhook is created; of a personal one, its user gets this event and the following ones',
    after(WEBHOOK),
    { after: { types: ['recording.*'] } },
  ),
  'webhook.updated': edited(
    'managers',
    'address, types or description of a webhook change, it is enabled again, or another member becomes responsible for it (`created_by`)',
    'url',
  ),
  'webhook.disabled': change(
    'managers',
    'a webhook is disabled: by a `user`, because its receiver is `gone` (410), after five days of `failures`, or because the member responsible for it no longer manages the organization (`creator_left`)',
    z.strictObject({ reason: z.enum(['user', 'gone', 'failures', 'creator_left']) }),
    { reason: 'failures' },
  ),
  'webhook.secret_rotated': change('managers', 'a webhook gets a new secret'),
  'webhook.deleted': change('managers', 'a webhook is deleted', before(WEBHOOK), {
    before: { types: ['recording.*'] },
  }),
} as const satisfies Readonly<Record<string, ChangeType>>;

export type ChangeTypeName = keyof typeof CHANGE_CATALOG;

export const CHANGE_TYPES = Object.keys(CHANGE_CATALOG) as readonly ChangeTypeName[];

/** Types that are sent as events and to webhooks. */
export const EVENT_TYPES = CHANGE_TYPES.filter((type) => CHANGE_CATALOG[type].audience !== null);

export const audienceOf = (type: ChangeTypeName): Audience | null => CHANGE_CATALOG[type].audience;
