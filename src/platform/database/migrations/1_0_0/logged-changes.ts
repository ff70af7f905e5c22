import {
  after,
  before,
  both,
  changeTriggers,
  fieldsChanged,
  ofOrganization,
  values,
  type LoggedTable,
} from './change-triggers.js';
import { LOGGED_RECORDINGS } from './logged-recordings.js';
import { isChanged } from './topic.js';

const FLAGS = ['downloads', 'sharing', 'transcription', 'summaries', 'questions'];
const FLAG_COLUMNS = [...FLAGS.map((name) => `feature_${name}`), 'members_may_take_recordings'];
const PLAN_COLUMNS = ['plan', 'subscription_status', 'subscription_ends_at'];
const VIEWS = ['view_all_recordings', 'view_folder_recordings'];
const RIGHT_COLUMNS = ['role', ...FLAGS.map((name) => `feature_${name}`), ...VIEWS];

const flags = values(FLAG_COLUMNS);
const plan = values(PLAN_COLUMNS);
const rights = values(RIGHT_COLUMNS);
const openness = values(['active', 'restricted']);
const rank = values(['plan', 'operator']);
const types = values(['types']);
const parties = values(['from_user_id', 'to_user_id']);
const prefix = values(['prefix']);

const DELETED = 'OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL';
/** With the organization, all that belongs to it ends: the deletion of the organization says so. */
const IN_ORGANIZATION = 'EXISTS (SELECT FROM organizations WHERE id = OLD.organization_id)';
/** The same transaction has made the addressee a member. */
const ACCEPTED = `EXISTS (
  SELECT FROM organization_members m JOIN users u ON u.id = m.user_id
  WHERE m.organization_id = OLD.organization_id AND lower(u.email) = lower(OLD.email)
    AND m.xmin = pg_current_xact_id()::xid)`;
/** Whoever serves a user continuously, such as a stream of events, asks again what they may do. */
const askAgain = (user: string): string => `PERFORM pg_notify('access', ${user}::text)`;

const disabledWebhooks = (row: string): string =>
  `disable_webhooks_of(${row}.organization_id, ${row}.user_id)`;

const ORGANIZATIONS: readonly LoggedTable[] = [
  {
    table: 'organizations',
    log: ofOrganization({ organization: 'row.id', target: 'row.id' }),
    changes: [
      { on: 'INSERT', type: 'organization.created', details: after(`${plan('NEW')} || ${flags('NEW')}`) },
      { on: 'UPDATE', type: 'organization.deleted', when: DELETED, alone: true },
      fieldsChanged('organization.updated', { name: 'OLD.name <> NEW.name' }),
      {
        on: 'UPDATE',
        type: 'organization.flags_changed',
        when: isChanged(FLAG_COLUMNS),
        details: both(flags),
      },
      { on: 'UPDATE', type: 'organization.plan_changed', when: isChanged(PLAN_COLUMNS), details: both(plan) },
    ],
  },
  {
    table: 'organization_members',
    log: ofOrganization({ organization: 'row.organization_id', target: 'row.user_id', user: 'row.user_id' }),
    changes: [
      { on: 'INSERT', type: 'member.added', details: after(rights('NEW')) },
      {
        on: 'UPDATE',
        type: 'member.updated',
        when: isChanged(RIGHT_COLUMNS),
        details: `${both(rights)}
          || CASE WHEN NEW.role IN ('OWNER', 'ADMIN') THEN '{}' ELSE ${disabledWebhooks('NEW')} END`,
        afterwards: askAgain('NEW.user_id'),
      },
      {
        on: 'DELETE',
        type: 'member.removed',
        details: `${before(rights('OLD'))} || ${disabledWebhooks('OLD')}`,
        afterwards: askAgain('OLD.user_id'),
      },
    ],
  },
  {
    table: 'organization_transfers',
    log: ofOrganization({
      organization: 'row.organization_id',
      target: 'row.organization_id',
      user: 'row.to_user_id',
    }),
    changes: [
      { on: 'INSERT', type: 'ownership_transfer.offered', details: parties('NEW') },
      { on: 'DELETE', type: 'ownership_transfer.closed', when: IN_ORGANIZATION, details: parties('OLD') },
    ],
  },
  {
    table: 'folders',
    log: ofOrganization({ organization: 'row.organization_id', target: 'row.id' }),
    changes: [
      { on: 'INSERT', type: 'folder.created', details: after(openness('NEW')) },
      { on: 'UPDATE', type: 'folder.deleted', when: DELETED, alone: true },
      {
        on: 'UPDATE',
        type: 'folder.updated',
        when: isChanged(['name', 'active', 'restricted', 'deleted_at']),
        details: `CASE WHEN OLD.name <> NEW.name THEN '{"fields": ["name"]}'::jsonb ELSE '{}' END || ${both(openness)}`,
      },
    ],
  },
  {
    table: 'folder_members',
    log: ofOrganization({
      organization: 'row.organization_id',
      target: 'row.folder_id',
      user: 'row.user_id',
    }),
    changes: [
      { on: 'INSERT', type: 'folder.member_added' },
      { on: 'DELETE', type: 'folder.member_removed' },
    ],
  },
  {
    table: 'invitations',
    log: ofOrganization({
      organization: 'row.organization_id',
      target: 'row.id',
      email: `CASE WHEN TG_OP <> 'DELETE' THEN NEW.email END`,
    }),
    columns: ['token_hash'],
    changes: [
      { on: 'INSERT', type: 'invitation.created', details: after(rights('NEW')) },
      { on: 'UPDATE', type: 'invitation.resent', details: after(rights('NEW')) },
      {
        on: 'DELETE',
        type: { sql: `CASE WHEN ${ACCEPTED} THEN 'invitation.accepted' ELSE 'invitation.withdrawn' END` },
        when: IN_ORGANIZATION,
        details: before(rights('OLD')),
      },
    ],
  },
  {
    table: 'users',
    log: ofOrganization({ target: 'row.id', user: 'row.id' }),
    changes: [
      { on: 'INSERT', type: 'user.created', details: after(rank('NEW')) },
      fieldsChanged('user.updated', { name: 'OLD.name <> NEW.name', email: 'OLD.email <> NEW.email' }),
      { on: 'UPDATE', type: 'user.plan_changed', when: isChanged(['plan', 'operator']), details: both(rank) },
      fieldsChanged('user.updated', { email_verified: 'OLD.email_verified <> NEW.email_verified' }),
      { on: 'DELETE', type: 'user.deleted', afterwards: askAgain('OLD.id') },
    ],
  },
  {
    table: 'api_keys',
    log: ofOrganization({ target: 'row.id', user: 'row.user_id' }),
    columns: ['revoked_at'],
    changes: [
      { on: 'INSERT', type: 'api_key.created', details: prefix('NEW') },
      {
        on: 'UPDATE',
        type: 'api_key.revoked',
        when: 'OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL',
        details: prefix('NEW'),
        afterwards: askAgain('NEW.user_id'),
      },
    ],
  },
  {
    table: 'webhooks',
    log: ofOrganization({ organization: 'row.organization_id', target: 'row.id', user: 'row.user_id' }),
    columns: ['url_version', 'types', 'description', 'enabled', 'created_by'],
    changes: [
      { on: 'INSERT', type: 'webhook.created', details: after(types('NEW')) },
      // A deleted user is no change of the webhook, which has been turned off already.
      fieldsChanged('webhook.updated', {
        url: 'OLD.url_version <> NEW.url_version',
        types: 'OLD.types <> NEW.types',
        description: 'OLD.description IS DISTINCT FROM NEW.description',
        enabled: 'NEW.enabled AND NOT OLD.enabled',
        created_by: 'OLD.created_by IS DISTINCT FROM NEW.created_by AND NEW.created_by IS NOT NULL',
      }),
      {
        on: 'UPDATE',
        type: 'webhook.disabled',
        when: 'OLD.enabled AND NOT NEW.enabled',
        details: `jsonb_build_object('reason', NEW.disabled_reason)`,
      },
      // Those that go with their user or organization are not logged one by one.
      {
        on: 'DELETE',
        type: 'webhook.deleted',
        when: `EXISTS (SELECT FROM users WHERE id = OLD.user_id) OR ${IN_ORGANIZATION}`,
        details: before(types('OLD')),
      },
    ],
  },
  {
    table: 'webhook_secrets',
    log: ofOrganization(
      { organization: 'w.organization_id', target: 'w.id', user: 'w.user_id' },
      `FROM webhooks w WHERE w.id = row.webhook_id
         AND EXISTS (SELECT FROM webhook_secrets o WHERE o.webhook_id = row.webhook_id AND o.id <> row.id)`,
    ),
    changes: [{ on: 'INSERT', type: 'webhook.secret_rotated' }],
  },
];

/** What the change log says, and about what. */
export const LOGGED_CHANGES = changeTriggers([...LOGGED_RECORDINGS, ...ORGANIZATIONS]);
