import { isChanged, triggerFunction, type Topic } from './topic.js';

const FEATURES = ['downloads', 'sharing', 'transcription', 'summaries', 'questions'];

const featuresOf = (row: string): string =>
  FEATURES.map((name) => `'${name}', ${row}.feature_${name}`).join(', ');

const flagsOf = (row: string): string => `jsonb_build_object(${featuresOf(row)},
  'members_may_take_recordings', ${row}.members_may_take_recordings)`;

const rightsOf = (row: string): string => `jsonb_build_object('role', ${row}.role, ${featuresOf(row)},
  'view_all_recordings', ${row}.view_all_recordings, 'view_folder_recordings', ${row}.view_folder_recordings)`;

const planOf = (row: string): string => `jsonb_build_object('plan', ${row}.plan,
  'subscription_status', ${row}.subscription_status, 'subscription_ends_at', ${row}.subscription_ends_at)`;

const before = (details: string): string => `jsonb_build_object('before', ${details})`;
const after = (details: string): string => `jsonb_build_object('after', ${details})`;
const both = (old: string, now: string): string => `jsonb_build_object('before', ${old}, 'after', ${now})`;

interface Logged {
  readonly type: string;
  readonly organization?: string;
  readonly target: string;
  /** The user concerned, if any. */
  readonly user?: string;
  readonly details?: string;
}

/** A statement that logs a change; rows to select from may follow. */
const log = ({ type, organization = 'NULL', target, user = 'NULL', details = `'{}'` }: Logged): string => `
  INSERT INTO change_log (type, actor_kind, actor_id, api_key_id, request_id, organization_id, target_id, user_id, details)
  SELECT '${type}', s.kind, s.user_id, s.api_key_id, s.request_id, ${organization}, ${target}, ${user}, ${details}
  FROM change_source() AS s`;

const organization = (type: string, details?: string): string =>
  log({ type: `organization.${type}`, organization: 'NEW.id', target: 'NEW.id', details });

const FLAG_COLUMNS = FEATURES.map((name) => `feature_${name}`);
const PLAN_COLUMNS = ['plan', 'subscription_status', 'subscription_ends_at'];
const RIGHT_COLUMNS = ['role', ...FLAG_COLUMNS, 'view_all_recordings', 'view_folder_recordings'];

const ORGANIZATIONS = [
  triggerFunction(
    'log_new_organization',
    `${organization('created', after(`${planOf('NEW')} || ${flagsOf('NEW')}`))};`,
  ),
  triggerFunction(
    'log_changed_organization',
    `IF OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL THEN ${organization('deleted')}; RETURN NULL; END IF;
     IF OLD.name <> NEW.name THEN ${organization('updated', `'{"fields": ["name"]}'`)}; END IF;
     IF ${isChanged([...FLAG_COLUMNS, 'members_may_take_recordings'])} THEN
       ${organization('flags_changed', both(flagsOf('OLD'), flagsOf('NEW')))};
     END IF;
     IF ${isChanged(PLAN_COLUMNS)} THEN ${organization('plan_changed', both(planOf('OLD'), planOf('NEW')))}; END IF;`,
  ),
  `CREATE TRIGGER organizations_log_new AFTER INSERT ON organizations
     FOR EACH ROW EXECUTE FUNCTION log_new_organization()`,
  `CREATE TRIGGER organizations_log_changed AFTER UPDATE ON organizations
     FOR EACH ROW EXECUTE FUNCTION log_changed_organization()`,
];

const member = (type: string, row: string, details: string): string =>
  log({
    type: `member.${type}`,
    organization: `${row}.organization_id`,
    target: `${row}.user_id`,
    user: `${row}.user_id`,
    details,
  });

/** Whoever serves a user continuously, such as a stream of events, asks again what they may do. */
const notifyAccess = (user: string): string => `PERFORM pg_notify('access', ${user}::text)`;

const MANAGERS = `('OWNER', 'ADMIN')`;

/** Also those that were disabled for another reason: what waits for them is not sent when somebody else enables them. */
const turnOff = (from: string, row: string, condition = 'true'): string => `
  WITH disabled AS (
    UPDATE webhooks w SET enabled = false, disabled_reason = 'creator_left' ${from}
    WHERE w.organization_id = ${row}.organization_id AND w.created_by = ${row}.user_id AND ${condition}
      AND w.disabled_reason IS DISTINCT FROM 'creator_left'
    RETURNING w.id, w.organization_id, w.created_by)`;

const disabledOf = (row: string): string => `coalesce((
  SELECT jsonb_build_object('disabled_webhooks', jsonb_agg(d.id ORDER BY d.id)) FROM disabled d
  WHERE d.organization_id = ${row}.organization_id AND d.created_by = ${row}.user_id HAVING count(*) > 0), '{}')`;

const MEMBERS = [
  triggerFunction(
    'log_new_members',
    `${member('added', 'm', after(rightsOf('m')))}, added AS m ORDER BY m.user_id;`,
  ),
  triggerFunction(
    'log_changed_member',
    `${turnOff('', 'NEW', `NEW.role NOT IN ${MANAGERS}`)}
     ${member('updated', 'NEW', `${both(rightsOf('OLD'), rightsOf('NEW'))} || ${disabledOf('NEW')}`)};
     ${notifyAccess('NEW.user_id')};`,
  ),
  triggerFunction(
    'log_removed_members',
    `${turnOff('FROM removed AS m', 'm')}
     ${member('removed', 'm', `${before(rightsOf('m'))} || ${disabledOf('m')}`)}, removed AS m ORDER BY m.user_id;
     ${notifyAccess('m.user_id')} FROM removed AS m;`,
  ),
  `CREATE TRIGGER members_log_new AFTER INSERT ON organization_members
     REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION log_new_members()`,
  `CREATE TRIGGER members_log_changed AFTER UPDATE ON organization_members
     FOR EACH ROW WHEN (${isChanged(RIGHT_COLUMNS)}) EXECUTE FUNCTION log_changed_member()`,
  `CREATE TRIGGER members_log_removed AFTER DELETE ON organization_members
     REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION log_removed_members()`,
];

const folder = (type: string, details?: string): string =>
  log({ type: `folder.${type}`, organization: 'NEW.organization_id', target: 'NEW.id', details });

const openness = (row: string): string =>
  `jsonb_build_object('active', ${row}.active, 'restricted', ${row}.restricted)`;

const folderMember = (type: string): string =>
  log({
    type: `folder.member_${type}`,
    organization: 'm.organization_id',
    target: 'm.folder_id',
    user: 'm.user_id',
  });

const FOLDERS = [
  triggerFunction('log_new_folder', `${folder('created', after(openness('NEW')))};`),
  triggerFunction(
    'log_changed_folder',
    `IF OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL THEN ${folder('deleted')}; RETURN NULL; END IF;
     ${folder(
       'updated',
       `CASE WHEN OLD.name <> NEW.name THEN '{"fields": ["name"]}'::jsonb ELSE '{}' END || ${both(openness('OLD'), openness('NEW'))}`,
     )};`,
  ),
  // Also those that go with their folder or with the membership: who could see a recording when it was deleted is read from here.
  triggerFunction(
    'log_new_folder_members',
    `${folderMember('added')}, added AS m ORDER BY m.folder_id, m.user_id;`,
  ),
  triggerFunction(
    'log_removed_folder_members',
    `${folderMember('removed')}, removed AS m ORDER BY m.folder_id, m.user_id;`,
  ),
  `CREATE TRIGGER folders_log_new AFTER INSERT ON folders FOR EACH ROW EXECUTE FUNCTION log_new_folder()`,
  `CREATE TRIGGER folders_log_changed AFTER UPDATE ON folders
     FOR EACH ROW WHEN (${isChanged(['name', 'active', 'restricted', 'deleted_at'])}) EXECUTE FUNCTION log_changed_folder()`,
  `CREATE TRIGGER folder_members_log_new AFTER INSERT ON folder_members
     REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION log_new_folder_members()`,
  `CREATE TRIGGER folder_members_log_removed AFTER DELETE ON folder_members
     REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION log_removed_folder_members()`,
];

const invitation = (type: string, row: string, details: string): string =>
  log({
    type: `invitation.${type}`,
    organization: `${row}.organization_id`,
    target: `${row}.id`,
    details,
  });

/** The address that was invited, which can be erased. */
const WITH_EMAIL = `RETURNING id, at INTO change_id, changed_at;
  salt := gen_random_uuid()::text;
  INSERT INTO personal_details (at, change_id, kind, value, salt, commitment)
  VALUES (changed_at, change_id, 'email', NEW.email, salt, sha256(convert_to(salt || NEW.email, 'UTF8')))`;

const invitationTrigger = (name: string, type: string): string =>
  triggerFunction(
    name,
    `${invitation(type, 'NEW', after(rightsOf('NEW')))} ${WITH_EMAIL};`,
    'change_id uuid; changed_at timestamptz; salt text;',
  );

const INVITATIONS = [
  invitationTrigger('log_new_invitation', 'created'),
  invitationTrigger('log_resent_invitation', 'resent'),
  // Accepted if the same transaction has made its addressee a member. With the organization, all end.
  triggerFunction(
    'log_ended_invitation',
    `IF NOT EXISTS (SELECT FROM organizations WHERE id = OLD.organization_id) THEN RETURN NULL; END IF;
     IF EXISTS (
       SELECT FROM organization_members m JOIN users u ON u.id = m.user_id
       WHERE m.organization_id = OLD.organization_id AND lower(u.email) = lower(OLD.email)
         AND m.xmin = pg_current_xact_id()::xid
     ) THEN ${invitation('accepted', 'OLD', before(rightsOf('OLD')))};
     ELSE ${invitation('withdrawn', 'OLD', before(rightsOf('OLD')))};
     END IF;`,
  ),
  `CREATE TRIGGER invitations_log_new AFTER INSERT ON invitations
     FOR EACH ROW EXECUTE FUNCTION log_new_invitation()`,
  `CREATE TRIGGER invitations_log_resent AFTER UPDATE OF token_hash ON invitations
     FOR EACH ROW EXECUTE FUNCTION log_resent_invitation()`,
  `CREATE TRIGGER invitations_log_ended AFTER DELETE ON invitations
     FOR EACH ROW EXECUTE FUNCTION log_ended_invitation()`,
];

const transfer = (type: string, row: string): string =>
  log({
    type: `ownership_transfer.${type}`,
    organization: `${row}.organization_id`,
    target: `${row}.organization_id`,
    user: `${row}.to_user_id`,
    details: `jsonb_build_object('from_user_id', ${row}.from_user_id, 'to_user_id', ${row}.to_user_id)`,
  });

const TRANSFERS = [
  triggerFunction('log_offered_transfer', `${transfer('offered', 'NEW')};`),
  triggerFunction(
    'log_closed_transfer',
    `${transfer('closed', 'OLD')}, organizations AS o WHERE o.id = OLD.organization_id;`,
  ),
  `CREATE TRIGGER organization_transfers_log_offered AFTER INSERT ON organization_transfers
     FOR EACH ROW EXECUTE FUNCTION log_offered_transfer()`,
  `CREATE TRIGGER organization_transfers_log_closed AFTER DELETE ON organization_transfers
     FOR EACH ROW EXECUTE FUNCTION log_closed_transfer()`,
];

const user = (type: string, row: string, details?: string): string =>
  log({ type: `user.${type}`, target: `${row}.id`, user: `${row}.id`, details });

const rank = (row: string): string => `jsonb_build_object('plan', ${row}.plan, 'operator', ${row}.operator)`;

const USERS = [
  triggerFunction('log_new_user', `${user('created', 'NEW', after(rank('NEW')))};`),
  triggerFunction(
    'log_changed_user',
    `IF OLD.name <> NEW.name OR OLD.email <> NEW.email THEN
       ${user(
         'updated',
         'NEW',
         `jsonb_build_object('fields', array_remove(ARRAY[CASE WHEN OLD.name <> NEW.name THEN 'name' END,
           CASE WHEN OLD.email <> NEW.email THEN 'email' END], NULL))`,
       )};
     END IF;
     IF ${isChanged(['plan', 'operator'])} THEN ${user('plan_changed', 'NEW', both(rank('OLD'), rank('NEW')))}; END IF;`,
  ),
  triggerFunction(
    'log_deleted_user',
    `${user('deleted', 'OLD')};
     ${notifyAccess('OLD.id')};`,
  ),
  triggerFunction('log_verified_user', `${user('updated', 'NEW', `'{"fields": ["email_verified"]}'`)};`),
  `CREATE TRIGGER users_log_verified AFTER UPDATE OF email_verified ON users
     FOR EACH ROW WHEN (OLD.email_verified <> NEW.email_verified) EXECUTE FUNCTION log_verified_user()`,
  `CREATE TRIGGER users_log_new AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION log_new_user()`,
  `CREATE TRIGGER users_log_changed AFTER UPDATE ON users FOR EACH ROW EXECUTE FUNCTION log_changed_user()`,
  `CREATE TRIGGER users_log_deleted AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION log_deleted_user()`,
];

const apiKey = (type: string): string =>
  log({
    type: `api_key.${type}`,
    target: 'NEW.id',
    user: 'NEW.user_id',
    details: `jsonb_build_object('prefix', NEW.prefix)`,
  });

const API_KEYS = [
  triggerFunction('log_new_api_key', `${apiKey('created')};`),
  triggerFunction(
    'log_revoked_api_key',
    `${apiKey('revoked')};
     ${notifyAccess('NEW.user_id')};`,
  ),
  `CREATE TRIGGER api_keys_log_new AFTER INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION log_new_api_key()`,
  `CREATE TRIGGER api_keys_log_revoked AFTER UPDATE OF revoked_at ON api_keys
     FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION log_revoked_api_key()`,
];

const webhook = (type: string, row: string, details: string): string =>
  log({
    type: `webhook.${type}`,
    organization: `${row}.organization_id`,
    target: `${row}.id`,
    user: `${row}.user_id`,
    details,
  });

const typesOf = (row: string): string => `jsonb_build_object('types', ${row}.types)`;

const WEBHOOKS = [
  triggerFunction('log_new_webhook', `${webhook('created', 'NEW', after(typesOf('NEW')))};`),
  // Those that go with their user or organization are not logged one by one.
  triggerFunction(
    'log_deleted_webhook',
    `IF EXISTS (SELECT FROM users WHERE id = OLD.user_id)
        OR EXISTS (SELECT FROM organizations WHERE id = OLD.organization_id) THEN
       ${webhook('deleted', 'OLD', before(typesOf('OLD')))};
     END IF;`,
  ),
  // A deleted user is no change of the webhook, which has been turned off already.
  triggerFunction(
    'log_changed_webhook',
    `IF cardinality(fields) > 0 THEN ${webhook('updated', 'NEW', `jsonb_build_object('fields', fields)`)}; END IF;
     IF OLD.enabled AND NOT NEW.enabled THEN
       ${webhook('disabled', 'NEW', `jsonb_build_object('reason', NEW.disabled_reason)`)};
     END IF;`,
    `fields text[] := array_remove(ARRAY[
       CASE WHEN OLD.url_version <> NEW.url_version THEN 'url' END,
       CASE WHEN OLD.types <> NEW.types THEN 'types' END,
       CASE WHEN OLD.description IS DISTINCT FROM NEW.description THEN 'description' END,
       CASE WHEN NEW.enabled AND NOT OLD.enabled THEN 'enabled' END,
       CASE WHEN OLD.created_by IS DISTINCT FROM NEW.created_by AND NEW.created_by IS NOT NULL THEN 'created_by' END], NULL);`,
  ),
  triggerFunction(
    'log_rotated_webhook_secret',
    `${webhook('secret_rotated', 'w', `'{}'`)}, webhooks AS w
     WHERE w.id = NEW.webhook_id
       AND EXISTS (SELECT FROM webhook_secrets o WHERE o.webhook_id = NEW.webhook_id AND o.id <> NEW.id);`,
  ),
  `CREATE TRIGGER webhooks_log_new AFTER INSERT ON webhooks FOR EACH ROW EXECUTE FUNCTION log_new_webhook()`,
  `CREATE TRIGGER webhooks_log_deleted AFTER DELETE ON webhooks FOR EACH ROW EXECUTE FUNCTION log_deleted_webhook()`,
  `CREATE TRIGGER webhooks_log_changed AFTER UPDATE OF url_version, types, description, enabled, created_by ON webhooks
     FOR EACH ROW EXECUTE FUNCTION log_changed_webhook()`,
  `CREATE TRIGGER webhook_secrets_log_rotated AFTER INSERT ON webhook_secrets
     FOR EACH ROW EXECUTE FUNCTION log_rotated_webhook_secret()`,
];

/** Writes what happens to organizations, members, folders, invitations, transfers, users, API keys and webhooks to the change log. */
export const ORGANIZATION_CHANGES: Topic = {
  up: [
    ...ORGANIZATIONS,
    ...MEMBERS,
    ...FOLDERS,
    ...INVITATIONS,
    ...TRANSFERS,
    ...USERS,
    ...API_KEYS,
    ...WEBHOOKS,
  ],
  down: [
    `DROP FUNCTION log_changed_folder, log_changed_member, log_changed_organization, log_changed_user, log_changed_webhook, log_closed_transfer, log_deleted_user, log_deleted_webhook, log_ended_invitation, log_new_api_key, log_new_folder, log_new_folder_members, log_new_invitation, log_new_members, log_new_organization, log_new_user, log_new_webhook, log_offered_transfer, log_removed_folder_members, log_removed_members, log_resent_invitation, log_revoked_api_key, log_rotated_webhook_secret, log_verified_user CASCADE`,
  ],
};
