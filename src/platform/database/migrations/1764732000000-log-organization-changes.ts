import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Writes what happens to organizations, members, folders, invitations, transfers, users and API keys to the change log. */
export class LogOrganizationChanges1764732000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const FEATURES = ['downloads', 'sharing', 'transcription', 'summaries', 'questions'];

const featuresOf = (row: string): string =>
  FEATURES.map((name) => `'${name}', ${row}.feature_${name}`).join(', ');

const flagsOf = (row: string): string => `jsonb_build_object(${featuresOf(row)})`;

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

const trigger = (name: string, body: string): string =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     ${body}
     RETURN NULL;
   END $$`;

const distinct = (columns: readonly string[]): string =>
  `(${columns.map((name) => `OLD.${name}`).join(', ')}) IS DISTINCT FROM (${columns.map((name) => `NEW.${name}`).join(', ')})`;

const organization = (type: string, details?: string): string =>
  log({ type: `organization.${type}`, organization: 'NEW.id', target: 'NEW.id', details });

const FLAG_COLUMNS = FEATURES.map((name) => `feature_${name}`);
const PLAN_COLUMNS = ['plan', 'subscription_status', 'subscription_ends_at'];
const RIGHT_COLUMNS = ['role', ...FLAG_COLUMNS, 'view_all_recordings', 'view_folder_recordings'];

const ORGANIZATIONS = [
  trigger(
    'log_new_organization',
    `${organization('created', after(`${planOf('NEW')} || ${flagsOf('NEW')}`))};`,
  ),
  trigger(
    'log_changed_organization',
    `IF OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL THEN ${organization('deleted')}; RETURN NULL; END IF;
     IF OLD.name <> NEW.name THEN ${organization('updated', `'{"fields": ["name"]}'`)}; END IF;
     IF ${distinct(FLAG_COLUMNS)} THEN
       ${organization('flags_changed', both(flagsOf('OLD'), flagsOf('NEW')))};
     END IF;
     IF ${distinct(PLAN_COLUMNS)} THEN ${organization('plan_changed', both(planOf('OLD'), planOf('NEW')))}; END IF;`,
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

const MEMBERS = [
  trigger('log_new_members', `${member('added', 'm', after(rightsOf('m')))}, added AS m ORDER BY m.user_id;`),
  trigger(
    'log_changed_member',
    `${member('updated', 'NEW', both(rightsOf('OLD'), rightsOf('NEW')))};
     ${notifyAccess('NEW.user_id')};`,
  ),
  trigger(
    'log_removed_members',
    `${member('removed', 'm', before(rightsOf('m')))}, removed AS m ORDER BY m.user_id;
     ${notifyAccess('m.user_id')} FROM removed AS m;`,
  ),
  `CREATE TRIGGER members_log_new AFTER INSERT ON organization_members
     REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION log_new_members()`,
  `CREATE TRIGGER members_log_changed AFTER UPDATE ON organization_members
     FOR EACH ROW WHEN (${distinct(RIGHT_COLUMNS)}) EXECUTE FUNCTION log_changed_member()`,
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
  trigger('log_new_folder', `${folder('created', after(openness('NEW')))};`),
  trigger(
    'log_changed_folder',
    `IF OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL THEN ${folder('deleted')}; RETURN NULL; END IF;
     ${folder(
       'updated',
       `CASE WHEN OLD.name <> NEW.name THEN '{"fields": ["name"]}'::jsonb ELSE '{}' END || ${both(openness('OLD'), openness('NEW'))}`,
     )};`,
  ),
  // Also those that go with their folder or with the membership: who could see a recording when it was deleted is read from here.
  trigger('log_new_folder_members', `${folderMember('added')}, added AS m ORDER BY m.folder_id, m.user_id;`),
  trigger(
    'log_removed_folder_members',
    `${folderMember('removed')}, removed AS m ORDER BY m.folder_id, m.user_id;`,
  ),
  `CREATE TRIGGER folders_log_new AFTER INSERT ON folders FOR EACH ROW EXECUTE FUNCTION log_new_folder()`,
  `CREATE TRIGGER folders_log_changed AFTER UPDATE ON folders
     FOR EACH ROW WHEN (${distinct(['name', 'active', 'restricted', 'deleted_at'])}) EXECUTE FUNCTION log_changed_folder()`,
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
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     change_id uuid;
     changed_at timestamptz;
     salt text;
   BEGIN
     ${invitation(type, 'NEW', after(rightsOf('NEW')))} ${WITH_EMAIL};
     RETURN NULL;
   END $$`;

const INVITATIONS = [
  invitationTrigger('log_new_invitation', 'created'),
  invitationTrigger('log_resent_invitation', 'resent'),
  // Accepted if the same transaction has made its addressee a member. With the organization, all end.
  trigger(
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
  trigger('log_offered_transfer', `${transfer('offered', 'NEW')};`),
  trigger(
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
  trigger('log_new_user', `${user('created', 'NEW', after(rank('NEW')))};`),
  trigger(
    'log_changed_user',
    `IF OLD.name <> NEW.name OR OLD.email <> NEW.email THEN
       ${user(
         'updated',
         'NEW',
         `jsonb_build_object('fields', array_remove(ARRAY[CASE WHEN OLD.name <> NEW.name THEN 'name' END,
           CASE WHEN OLD.email <> NEW.email THEN 'email' END], NULL))`,
       )};
     END IF;
     IF ${distinct(['plan', 'operator'])} THEN ${user('plan_changed', 'NEW', both(rank('OLD'), rank('NEW')))}; END IF;`,
  ),
  trigger(
    'log_deleted_user',
    `${user('deleted', 'OLD')};
     ${notifyAccess('OLD.id')};`,
  ),
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
  trigger('log_new_api_key', `${apiKey('created')};`),
  trigger(
    'log_revoked_api_key',
    `${apiKey('revoked')};
     ${notifyAccess('NEW.user_id')};`,
  ),
  `CREATE TRIGGER api_keys_log_new AFTER INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION log_new_api_key()`,
  `CREATE TRIGGER api_keys_log_revoked AFTER UPDATE OF revoked_at ON api_keys
     FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION log_revoked_api_key()`,
];

const UP = [...ORGANIZATIONS, ...MEMBERS, ...FOLDERS, ...INVITATIONS, ...TRANSFERS, ...USERS, ...API_KEYS];

/** Triggers by table, with their functions. */
const LOGGING: readonly (readonly [table: string, trigger: string, name: string])[] = [
  ['organizations', 'organizations_log_new', 'log_new_organization'],
  ['organizations', 'organizations_log_changed', 'log_changed_organization'],
  ['organization_members', 'members_log_new', 'log_new_members'],
  ['organization_members', 'members_log_changed', 'log_changed_member'],
  ['organization_members', 'members_log_removed', 'log_removed_members'],
  ['folders', 'folders_log_new', 'log_new_folder'],
  ['folders', 'folders_log_changed', 'log_changed_folder'],
  ['folder_members', 'folder_members_log_new', 'log_new_folder_members'],
  ['folder_members', 'folder_members_log_removed', 'log_removed_folder_members'],
  ['invitations', 'invitations_log_new', 'log_new_invitation'],
  ['invitations', 'invitations_log_resent', 'log_resent_invitation'],
  ['invitations', 'invitations_log_ended', 'log_ended_invitation'],
  ['organization_transfers', 'organization_transfers_log_offered', 'log_offered_transfer'],
  ['organization_transfers', 'organization_transfers_log_closed', 'log_closed_transfer'],
  ['users', 'users_log_new', 'log_new_user'],
  ['users', 'users_log_changed', 'log_changed_user'],
  ['users', 'users_log_deleted', 'log_deleted_user'],
  ['api_keys', 'api_keys_log_new', 'log_new_api_key'],
  ['api_keys', 'api_keys_log_revoked', 'log_revoked_api_key'],
];

const DOWN = LOGGING.flatMap(([table, name, called]) => [
  `DROP TRIGGER ${name} ON ${table}`,
  `DROP FUNCTION ${called}`,
]);
