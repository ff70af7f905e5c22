import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks, what is to be sent to them, and what was sent. */
export class CreateWebhooks1764734000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

/** A statement that logs a change of the webhook in the row. */
const log = (type: string, row: string, details: string): string => `
  INSERT INTO change_log (type, actor_kind, actor_id, api_key_id, request_id, organization_id, target_id, user_id, details)
  SELECT 'webhook.${type}', s.kind, s.user_id, s.api_key_id, s.request_id, ${row}.organization_id, ${row}.id, ${row}.user_id,
         ${details}
  FROM change_source() AS s`;

const trigger = (name: string, body: string): string =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     ${body}
     RETURN NULL;
   END $$`;

const typesOf = (row: string, name: string): string =>
  `jsonb_build_object('${name}', jsonb_build_object('types', ${row}.types))`;

const LOGGING = [
  trigger('log_new_webhook', `${log('created', 'NEW', typesOf('NEW', 'after'))};`),
  // Those that go with their user or organization are not logged one by one.
  trigger(
    'log_deleted_webhook',
    `IF EXISTS (SELECT FROM users WHERE id = OLD.user_id)
        OR EXISTS (SELECT FROM organizations WHERE id = OLD.organization_id) THEN
       ${log('deleted', 'OLD', typesOf('OLD', 'before'))};
     END IF;`,
  ),
  `CREATE FUNCTION log_changed_webhook() RETURNS trigger LANGUAGE plpgsql AS $$
   DECLARE
     fields text[] := array_remove(ARRAY[
       CASE WHEN OLD.url <> NEW.url THEN 'url' END, CASE WHEN OLD.types <> NEW.types THEN 'types' END,
       CASE WHEN OLD.description IS DISTINCT FROM NEW.description THEN 'description' END,
       CASE WHEN NEW.enabled AND NOT OLD.enabled THEN 'enabled' END], NULL);
   BEGIN
     IF cardinality(fields) > 0 THEN ${log('updated', 'NEW', `jsonb_build_object('fields', fields)`)}; END IF;
     IF OLD.enabled AND NOT NEW.enabled THEN
       ${log('disabled', 'NEW', `jsonb_build_object('reason', NEW.disabled_reason)`)};
     END IF;
     RETURN NULL;
   END $$`,
  trigger(
    'log_rotated_webhook_secret',
    `${log('secret_rotated', 'w', `'{}'`)}, webhooks AS w
     WHERE w.id = NEW.webhook_id
       AND EXISTS (SELECT FROM webhook_secrets o WHERE o.webhook_id = NEW.webhook_id AND o.id <> NEW.id);`,
  ),
  `CREATE TRIGGER webhooks_log_new AFTER INSERT ON webhooks FOR EACH ROW EXECUTE FUNCTION log_new_webhook()`,
  `CREATE TRIGGER webhooks_log_deleted AFTER DELETE ON webhooks FOR EACH ROW EXECUTE FUNCTION log_deleted_webhook()`,
  `CREATE TRIGGER webhooks_log_changed AFTER UPDATE OF url, types, description, enabled ON webhooks
     FOR EACH ROW EXECUTE FUNCTION log_changed_webhook()`,
  `CREATE TRIGGER webhook_secrets_log_rotated AFTER INSERT ON webhook_secrets
     FOR EACH ROW EXECUTE FUNCTION log_rotated_webhook_secret()`,
];

const UP = [
  // Of a user, or of an organization, which it outlives its creator in.
  `CREATE TABLE webhooks (
    id uuid CONSTRAINT webhooks_pkey PRIMARY KEY,
    user_id uuid CONSTRAINT webhooks_user_id_fkey REFERENCES users ON DELETE CASCADE,
    organization_id uuid CONSTRAINT webhooks_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
    created_by uuid CONSTRAINT webhooks_created_by_fkey REFERENCES users ON DELETE SET NULL,
    url text NOT NULL,
    types text[] NOT NULL,
    description text,
    enabled boolean NOT NULL,
    disabled_reason text CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason IN ('user', 'gone', 'failures')),
    failing_since timestamptz(3),
    succeeded_at timestamptz(3),
    paused_until timestamptz(3),
    mailed_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT webhooks_owner_check CHECK ((user_id IS NULL) <> (organization_id IS NULL)),
    CONSTRAINT webhooks_enabled_check CHECK (enabled = (disabled_reason IS NULL))
  )`,
  `CREATE INDEX webhooks_user_id_idx ON webhooks (user_id, created_at, id)`,
  `CREATE INDEX webhooks_organization_id_idx ON webhooks (organization_id, created_at, id)`,
  `CREATE INDEX webhooks_created_by_idx ON webhooks (created_by)`,

  // The one without an end is current; others sign besides it until they end.
  `CREATE TABLE webhook_secrets (
    id uuid CONSTRAINT webhook_secrets_pkey PRIMARY KEY,
    webhook_id uuid NOT NULL CONSTRAINT webhook_secrets_webhook_id_fkey REFERENCES webhooks ON DELETE CASCADE,
    secret_sealed bytea NOT NULL,
    sealing_key_id text NOT NULL
      CONSTRAINT webhook_secrets_sealing_key_id_fkey REFERENCES sealing_keys ON DELETE RESTRICT,
    created_at timestamptz(3) NOT NULL,
    expires_at timestamptz(3)
  )`,
  `CREATE INDEX webhook_secrets_webhook_id_idx ON webhook_secrets (webhook_id)`,
  `CREATE INDEX webhook_secrets_sealing_key_id_idx ON webhook_secrets (sealing_key_id)`,

  // One row for each webhook and event. A row whose time has come is due; claiming it moves that time to the end of the lease.
  // No foreign key to \`webhooks\`: a webhook is deleted at once, and its many deliveries in batches.
  `CREATE TABLE webhook_deliveries (
    id uuid CONSTRAINT webhook_deliveries_pkey PRIMARY KEY,
    webhook_id uuid NOT NULL,
    event_id uuid NOT NULL,
    position bigint,
    type text NOT NULL,
    audience text,
    organization_id uuid,
    recording_id uuid,
    user_id uuid,
    at timestamptz(3) NOT NULL,
    status text NOT NULL
      CONSTRAINT webhook_deliveries_status_check CHECK (status IN ('pending', 'delivered', 'failed')),
    tries integer NOT NULL DEFAULT 0,
    due_at timestamptz(3) NOT NULL,
    claim uuid,
    created_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3)
  )`,
  `CREATE UNIQUE INDEX webhook_deliveries_event_key ON webhook_deliveries (webhook_id, event_id)`,
  `CREATE INDEX webhook_deliveries_list_idx ON webhook_deliveries (webhook_id, created_at, id)`,
  `CREATE INDEX webhook_deliveries_status_idx ON webhook_deliveries (webhook_id, status, created_at, id)`,
  `CREATE INDEX webhook_deliveries_type_idx ON webhook_deliveries (webhook_id, type, created_at, id)`,
  `CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at)`,
  `CREATE INDEX webhook_deliveries_recording_idx ON webhook_deliveries (recording_id) WHERE recording_id IS NOT NULL`,
  `CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (webhook_id, due_at, position) WHERE status = 'pending'`,
  `CREATE INDEX webhook_deliveries_order_idx ON webhook_deliveries (webhook_id, recording_id, position)
     WHERE status = 'pending' AND recording_id IS NOT NULL`,

  // What was really sent, and what came back. The body is null once the recording that it is about has been deleted.
  `CREATE TABLE webhook_attempts (
    id uuid CONSTRAINT webhook_attempts_pkey PRIMARY KEY,
    delivery_id uuid NOT NULL
      CONSTRAINT webhook_attempts_delivery_id_fkey REFERENCES webhook_deliveries ON DELETE CASCADE,
    at timestamptz(3) NOT NULL,
    duration_ms integer NOT NULL,
    url text NOT NULL,
    body text,
    response_status integer,
    response_body text,
    error text
  )`,
  `CREATE INDEX webhook_attempts_delivery_id_idx ON webhook_attempts (delivery_id, at, id)`,
  ...LOGGING,
];

const DOWN = [
  `DROP TABLE webhook_attempts`,
  `DROP TABLE webhook_deliveries`,
  `DROP TABLE webhook_secrets`,
  `DROP TABLE webhooks`,
  ...['new_webhook', 'deleted_webhook', 'changed_webhook', 'rotated_webhook_secret'].map(
    (what) => `DROP FUNCTION log_${what}`,
  ),
];
