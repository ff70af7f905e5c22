import type { MigrationInterface, QueryRunner } from 'typeorm';
import { StartError } from '../../config/settings.js';
import { sealerOf } from '../../sealing/migration-sealer.js';
import type { Sealer } from '../../sealing/sealer.js';

/**
 * A webhook of an organization acts for the OWNER or ADMIN responsible for it only: it is turned off in the transaction that ends
 * their membership or their role. Existing ones without such a member are turned off too.
 *
 * URLs of webhooks may contain a token: they are sealed, and only scheme and host remain legible, also in the history. Both tables
 * are rewritten, as dropping or updating a column leaves its values in the files of the table.
 */
export class AnswerForWebhooks1764765000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of ADD_SEALED) await queryRunner.query(statement);
    await sealAll(queryRunner);
    for (const statement of UP) await queryRunner.query(statement);
  }

  /** The history keeps masked URLs. Webhooks whose sealing key was lost are deleted: their URLs are no longer known. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DELETE FROM webhooks WHERE sealing_key_id IN (SELECT id FROM sealing_keys WHERE lost_at IS NOT NULL)',
    );
    await queryRunner.query('ALTER TABLE webhooks ADD COLUMN url text');
    await unsealAll(queryRunner);
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const BATCH = 1_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface PlainUrl {
  readonly id: string;
  readonly url: string;
}

interface SealedUrl {
  readonly id: string;
  readonly url_sealed: Buffer;
  readonly sealing_key_id: string;
}

/** Scheme and host of a URL as the service stores it. */
const MASKED_URL = `CASE WHEN url ~ '^https?://[^/?#]+/?$' THEN url
  ELSE substring(url FROM '^https?://[^/?#]+') || '/...' END`;

const ADD_SEALED = [
  `ALTER TABLE webhooks
     ADD COLUMN url_sealed bytea,
     ADD COLUMN sealing_key_id text,
     ADD COLUMN url_masked text,
     ADD COLUMN url_version integer NOT NULL DEFAULT 1`,
];

/** Every webhook has a secret that is sealed, so there is a key already. */
async function sealAll(queryRunner: QueryRunner): Promise<void> {
  let rows = await next<PlainUrl>(queryRunner, 'url', FIRST_ID);
  if (rows.length === 0) return;
  const sealer = await sealerOf(queryRunner, { create: false });
  await requireKeysOf(queryRunner, sealer);
  while (rows.length > 0) {
    const sealed = rows.map(({ id, url }) => sealer.seal(url, placeOf(id)));
    await queryRunner.query(
      `UPDATE webhooks w SET url_sealed = given.sealed, sealing_key_id = given.key_id
       FROM unnest($1::uuid[], $2::bytea[], $3::text[]) AS given (id, sealed, key_id) WHERE w.id = given.id`,
      [rows.map(({ id }) => id), sealed.map((one) => one.sealed), sealed.map(({ keyId }) => keyId)],
    );
    rows = await next<PlainUrl>(queryRunner, 'url', rows.at(-1)!.id);
  }
}

/** As at every start: nothing is sealed with a key of another database. */
async function requireKeysOf(queryRunner: QueryRunner, sealer: Sealer): Promise<void> {
  const known: { id: string }[] = await queryRunner.query(
    'SELECT id FROM sealing_keys WHERE lost_at IS NULL ORDER BY id',
  );
  const missing = known.filter(({ id }) => !sealer.keyIds.includes(id));
  if (missing.length > 0) {
    throw new StartError(
      `SEALING_KEY: this database is in use with a key that is not available here (id ${missing.map(({ id }) => id).join(', ')})`,
    );
  }
  await queryRunner.query('INSERT INTO sealing_keys (id) VALUES ($1) ON CONFLICT DO NOTHING', [sealer.keyId]);
}

async function unsealAll(queryRunner: QueryRunner): Promise<void> {
  const columns = 'url_sealed, sealing_key_id';
  let rows = await next<SealedUrl>(queryRunner, columns, FIRST_ID);
  if (rows.length === 0) return;
  const sealer = await sealerOf(queryRunner, { create: false });
  while (rows.length > 0) {
    const urls = rows.map(({ id, url_sealed: sealed, sealing_key_id: keyId }) =>
      sealer.unseal({ keyId, sealed }, placeOf(id)),
    );
    await queryRunner.query(
      `UPDATE webhooks w SET url = given.url FROM unnest($1::uuid[], $2::text[]) AS given (id, url) WHERE w.id = given.id`,
      [rows.map(({ id }) => id), urls],
    );
    rows = await next<SealedUrl>(queryRunner, columns, rows.at(-1)!.id);
  }
}

function next<Row>(queryRunner: QueryRunner, columns: string, after: string): Promise<Row[]> {
  return queryRunner.query(`SELECT id, ${columns} FROM webhooks WHERE id > $1 ORDER BY id LIMIT ${BATCH}`, [
    after,
  ]);
}

/** What a sealed URL is bound to. */
const placeOf = (id: string): string => `webhook url ${id}`;

const MANAGERS = `('OWNER', 'ADMIN')`;

const FEATURES = ['downloads', 'sharing', 'transcription', 'summaries', 'questions'];

const rightsOf = (row: string): string => `jsonb_build_object('role', ${row}.role,
  ${FEATURES.map((name) => `'${name}', ${row}.feature_${name}`).join(', ')},
  'view_all_recordings', ${row}.view_all_recordings, 'view_folder_recordings', ${row}.view_folder_recordings)`;

const memberLog = (type: string, row: string, details: string): string => `
  INSERT INTO change_log (type, actor_kind, actor_id, api_key_id, request_id, organization_id, target_id, user_id, details)
  SELECT 'member.${type}', s.kind, s.user_id, s.api_key_id, s.request_id, ${row}.organization_id, ${row}.user_id, ${row}.user_id,
         ${details}
  FROM change_source() AS s`;

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

const BOTH = `jsonb_build_object('before', ${rightsOf('OLD')}, 'after', ${rightsOf('NEW')})`;
const BEFORE = `jsonb_build_object('before', ${rightsOf('m')})`;

/** `webhooks`: in the version of this migration, or of the one before. */
const memberFunctions = (webhooks: boolean): readonly string[] => [
  trigger(
    'log_changed_member',
    `${webhooks ? turnOff('', 'NEW', `NEW.role NOT IN ${MANAGERS}`) : ''}
     ${memberLog('updated', 'NEW', webhooks ? `${BOTH} || ${disabledOf('NEW')}` : BOTH)};
     PERFORM pg_notify('access', NEW.user_id::text);`,
  ),
  trigger(
    'log_removed_members',
    `${webhooks ? turnOff('FROM removed AS m', 'm') : ''}
     ${memberLog('removed', 'm', webhooks ? `${BEFORE} || ${disabledOf('m')}` : BEFORE)}, removed AS m ORDER BY m.user_id;
     PERFORM pg_notify('access', m.user_id::text) FROM removed AS m;`,
  ),
];

function trigger(name: string, body: string, declare = ''): string {
  return `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ ${declare} BEGIN
     ${body}
     RETURN NULL;
   END $$`;
}

const webhookLog = (type: string, details: string): string => `
  INSERT INTO change_log (type, actor_kind, actor_id, api_key_id, request_id, organization_id, target_id, user_id, details)
  SELECT 'webhook.${type}', s.kind, s.user_id, s.api_key_id, s.request_id, NEW.organization_id, NEW.id, NEW.user_id, ${details}
  FROM change_source() AS s`;

const changedWebhook = (fields: readonly string[]): string =>
  trigger(
    'log_changed_webhook',
    `IF cardinality(fields) > 0 THEN ${webhookLog('updated', `jsonb_build_object('fields', fields)`)}; END IF;
     IF OLD.enabled AND NOT NEW.enabled THEN
       ${webhookLog('disabled', `jsonb_build_object('reason', NEW.disabled_reason)`)};
     END IF;`,
    `DECLARE fields text[] := array_remove(ARRAY[${fields.join(', ')}], NULL);`,
  );

const changed = (condition: string, name: string): string => `CASE WHEN ${condition} THEN '${name}' END`;

const FIELDS = [
  changed('OLD.types <> NEW.types', 'types'),
  changed('OLD.description IS DISTINCT FROM NEW.description', 'description'),
  changed('NEW.enabled AND NOT OLD.enabled', 'enabled'),
];

const onChange = (columns: string): string =>
  `CREATE TRIGGER webhooks_log_changed AFTER UPDATE OF ${columns} ON webhooks
     FOR EACH ROW EXECUTE FUNCTION log_changed_webhook()`;

const reasons = (names: string): readonly string[] => [
  'ALTER TABLE webhooks DROP CONSTRAINT webhooks_disabled_reason_check',
  `ALTER TABLE webhooks ADD CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason IN (${names}))`,
];

const UP = [
  `UPDATE webhooks SET url_masked = ${MASKED_URL}`,
  'DROP TRIGGER webhooks_log_changed ON webhooks',
  'ALTER TABLE webhooks DROP COLUMN url',
  `ALTER TABLE webhooks
     ALTER COLUMN url_sealed TYPE bytea USING url_sealed || ''::bytea,
     ALTER COLUMN url_sealed SET NOT NULL,
     ALTER COLUMN sealing_key_id SET NOT NULL,
     ALTER COLUMN url_masked SET NOT NULL,
     ADD CONSTRAINT webhooks_sealing_key_id_fkey
       FOREIGN KEY (sealing_key_id) REFERENCES sealing_keys (id) ON DELETE RESTRICT`,
  'CREATE INDEX webhooks_sealing_key_id_idx ON webhooks (sealing_key_id)',
  `ALTER TABLE webhook_attempts ALTER COLUMN url TYPE text USING ${MASKED_URL}`,
  ...reasons(`'user', 'gone', 'failures', 'creator_left'`),
  // A deleted user is no change of the webhook, which has been turned off already.
  changedWebhook([
    changed('OLD.url_version <> NEW.url_version', 'url'),
    ...FIELDS,
    changed('OLD.created_by IS DISTINCT FROM NEW.created_by AND NEW.created_by IS NOT NULL', 'created_by'),
  ]),
  onChange('url_version, types, description, enabled, created_by'),
  ...memberFunctions(true),
  `UPDATE webhooks w SET enabled = false, disabled_reason = 'creator_left'
   WHERE w.organization_id IS NOT NULL AND NOT EXISTS (
     SELECT FROM organization_members m
     WHERE m.organization_id = w.organization_id AND m.user_id = w.created_by AND m.role IN ${MANAGERS})`,
];

const DOWN = [
  ...memberFunctions(false),
  'DROP TRIGGER webhooks_log_changed ON webhooks',
  `UPDATE webhooks SET disabled_reason = 'user' WHERE disabled_reason = 'creator_left'`,
  ...reasons(`'user', 'gone', 'failures'`),
  `ALTER TABLE webhooks
     ALTER COLUMN url SET NOT NULL,
     DROP COLUMN url_sealed,
     DROP COLUMN sealing_key_id,
     DROP COLUMN url_masked,
     DROP COLUMN url_version`,
  changedWebhook([changed('OLD.url <> NEW.url', 'url'), ...FIELDS]),
  onChange('url, types, description, enabled'),
];
