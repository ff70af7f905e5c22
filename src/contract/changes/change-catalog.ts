import {
  after,
  and,
  before,
  both,
  CLIENT,
  change,
  type ChangeType,
  DISABLED_REASON,
  DISABLED_WEBHOOKS,
  edited,
  ERASED,
  EXPORT,
  FOLDER,
  FOLDER_EDITED,
  KEY,
  NAMED,
  ORGANIZATION_FLAGS,
  PLAN,
  REFUSED_OPERATION,
  REFUSED_SIGN_IN,
  REPLACED_KEY,
  RIGHTS,
  TRANSFER,
  USER,
  WAY_IN,
  WEBHOOK,
} from './change-details.js';
import { LIMITS } from '../limits.js';
import { RECORDING_CHANGES } from './recording-changes.js';

/** Of types that change nothing, and are written only if an operator wants it. */
const READ = `with \`AUDIT_READS=true\`: once in ${LIMITS.auditReadHours} hour by the same key, or the same address`;

/**
 * Every type of change, in the order of the documentation. Triggers write the rows (`logged-changes.ts` of the
 * migrations); tests check what they write against these schemas.
 */
export const CHANGE_CATALOG = {
  ...RECORDING_CHANGES,
  'organization.created': change(
    'members',
    'an organization is created',
    after(and(ORGANIZATION_FLAGS, PLAN)),
  ),
  'organization.updated': edited(
    'members',
    'the name of an organization changes, its `external_id` or `metadata`, its glossary, its `retention` rules, where its audit log is sent (`audit_stream`), how long the API keys that it accepts may work (`api_key_max_days`), how long deleted recordings can be restored (`bin_days`), whether voices are remembered (`remember_voices`), one of them when it is deleted (`voices`), what its share pages look like (`branding`), or with which identity provider members sign in (`sso_provider`)',
    'name',
  ),
  'organization.flags_changed': change(
    'members',
    'feature flags of an organization change, or whether members may take their recordings',
    both(ORGANIZATION_FLAGS, { downloads: false }),
  ),
  'organization.plan_changed': change(
    'members',
    'the plan or the subscription of an organization changes',
    both(PLAN, {}, { plan: 'PRO' }),
  ),
  // Its members get `member.removed`: their memberships end with it.
  'organization.deleted': change(null, 'an organization is deleted'),
  'member.added': change('members', 'a user becomes a member of an organization', after(RIGHTS)),
  'member.updated': change(
    'members',
    'the role or the feature flags of a member change',
    and(both(RIGHTS, { role: 'ADMIN' }), DISABLED_WEBHOOKS),
  ),
  'member.removed': change(
    'members',
    'a membership ends; the former member gets this event too',
    and(before(RIGHTS), DISABLED_WEBHOOKS),
  ),
  'service_account.created': change('managers', 'a service account is created', after(RIGHTS)),
  'service_account.updated': change(
    'managers',
    'the role of a service account changes; its name is in `user.updated`',
    and(both(RIGHTS, { role: 'ADMIN' }), DISABLED_WEBHOOKS),
  ),
  'service_account.deleted': change(
    'managers',
    'a service account is deleted; the log keeps its name',
    and(and(before(RIGHTS), DISABLED_WEBHOOKS), NAMED),
  ),
  'invitation.created': change('managers', 'a person is invited', after(RIGHTS)),
  'invitation.resent': change('managers', 'an invitation is sent again', after(RIGHTS)),
  'invitation.accepted': change('managers', 'an invitation is accepted', before(RIGHTS)),
  'invitation.withdrawn': change(
    'managers',
    'an invitation is withdrawn or removed, also because its sender leaves',
    before(RIGHTS),
  ),
  'ownership_transfer.offered': change(
    'managers',
    'a member is offered the ownership of an organization',
    TRANSFER,
  ),
  'ownership_transfer.closed': change(
    'managers',
    'an offer of ownership is accepted, declined, canceled or superseded; if it was accepted, roles change too',
    TRANSFER,
  ),
  'folder.created': change('members', 'a folder is created', after(FOLDER)),
  'folder.updated': change(
    'members',
    'a folder is renamed, activated, deactivated, restricted or opened, or its `external_id` or `metadata` change',
    and(both(FOLDER, { restricted: true }), FOLDER_EDITED),
  ),
  'folder.deleted': change('members', 'a folder is deleted; its recordings move out of it'),
  'folder.member_added': change('managers', 'a restricted folder names a member'),
  'folder.member_removed': change('managers', 'a restricted folder no longer names a member'),
  'user.created': change(null, 'a user is created', after(USER)),
  'user.updated': edited(
    'user',
    'the name, the email address, `external_id` or `metadata` of a user change, or whether the address is verified',
    'name',
  ),
  'user.plan_changed': change(
    'user',
    'the plan of a user changes, or whether they are an operator',
    both(USER, { plan: 'PRO' }),
  ),
  'user.deleted': change(null, 'a user is deleted'),
  'api_key.created': change('user', 'an API key is created', KEY),
  'api_key.updated': edited('user', 'the name, the scopes or the expiry of an API key change', 'scopes'),
  'api_key.rotated': change(
    'user',
    'an API key is replaced by another (`replaced_by`), and expires after the overlap',
    REPLACED_KEY,
  ),
  'api_key.revoked': change(
    'user',
    'an API key is revoked; without an actor if it was reported as leaked',
    KEY,
  ),
  'sign_in.succeeded': change(
    null,
    `an API key or a session is used from an address for the first time in ${LIMITS.signInHours} hours; with IPv6, from a network of 64 bits`,
  ),
  'session.signed_in': change(
    'user',
    'somebody signs in, in a browser: with an identity `provider`, a link by `mail`, a `passkey`, a `link` of the host, or an `api_key`',
    WAY_IN,
  ),
  'session.revoked': change(
    'user',
    'a session ends before its time: its user signs out or ends it, is removed from an organization or disabled, or the identity provider ends it',
    WAY_IN,
  ),
  'connection.created': change('user', 'a user lets an OAuth client act for them', CLIENT),
  'connection.revoked': change('user', 'a connection of an OAuth client is revoked', CLIENT),
  'oauth_client.created': change(null, 'an OAuth client is registered by an OWNER or operator', NAMED),
  'oauth_client.deleted': change(null, 'such a client is deleted; its connections end', NAMED),
  'passkey.added': change('user', 'a passkey is added, with which the user can sign in'),
  'passkey.removed': change('user', 'a passkey is removed'),
  'sign_in.refused': change(
    null,
    'a revoked or expired API key is used, or somebody cannot sign in with an identity `provider`, a `passkey` or a `link`; gathered by key or way, and address, for a minute',
    REFUSED_SIGN_IN,
  ),
  'management.refused': change(
    null,
    'a request to manage an organization or users is refused with 403 `FORBIDDEN`; gathered by caller for a minute. `operation` is null where a caller attempted more than four different things',
    REFUSED_OPERATION,
  ),
  'recording.watched': change(null, `media of a recording is played or downloaded, ${READ}`),
  'transcript.read': change(null, `a transcript is read with an API key, ${READ}`),
  'share_link.opened': change(null, `somebody opens a share link, ${READ}; with the address`),
  'legal_hold.placed': change(null, 'an OWNER or operator places a legal hold'),
  'legal_hold.lifted': change(null, 'a legal hold is lifted'),
  'erasure.completed': change(
    null,
    'a person has been erased; `hash` is that of the receipt, and nothing says who it was',
    ERASED,
  ),
  'export.requested': change('user', 'a user requests an export', EXPORT),
  'export.completed': change('user', 'an export can be downloaded', EXPORT),
  'export.failed': change('user', 'an export fails; it says why', EXPORT),
  'content_key.deleted': change(
    null,
    'the key of an organization, or of the personal recordings of a user, is deleted with them: their encrypted media can no longer be read, wherever it is',
  ),
  'webhook.created': change(
    'managers',
    'a webhook is created; of a personal one, its user gets this event and the following ones',
    after(WEBHOOK),
  ),
  'webhook.updated': edited(
    'managers',
    'address, types or description of a webhook change, it is enabled again, or another member becomes responsible for it (`created_by`)',
    'url',
  ),
  'webhook.disabled': change(
    'managers',
    'a webhook is disabled: by a `user`, because its receiver is `gone` (410), after five days of `failures`, or because the member responsible for it no longer manages the organization (`creator_left`)',
    DISABLED_REASON,
  ),
  'webhook.secret_rotated': change('managers', 'a webhook gets a new secret'),
  'webhook.deleted': change('managers', 'a webhook is deleted', before(WEBHOOK)),
} as const satisfies Readonly<Record<string, ChangeType>>;

export type ChangeTypeName = keyof typeof CHANGE_CATALOG;

export const CHANGE_TYPES = Object.keys(CHANGE_CATALOG) as readonly ChangeTypeName[];
