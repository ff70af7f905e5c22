import type { Topic } from './topic.js';

/** Webhooks, what is to be sent to them, and what was sent. */
export const WEBHOOKS: Topic = {
  up: [
    // Of a user, or of an organization, in which it outlives its creator. The URL may contain a secret: it is encrypted, and
    // shown without it.
    `CREATE TABLE webhooks (
      id uuid CONSTRAINT webhooks_pkey PRIMARY KEY,
      user_id uuid CONSTRAINT webhooks_user_id_fkey REFERENCES users ON DELETE CASCADE,
      organization_id uuid CONSTRAINT webhooks_organization_id_fkey REFERENCES organizations ON DELETE CASCADE,
      created_by uuid CONSTRAINT webhooks_created_by_fkey REFERENCES users ON DELETE SET NULL,
      url_sealed bytea NOT NULL,
      url_masked text NOT NULL,
      url_version integer NOT NULL DEFAULT 1,
      sealing_key_id text NOT NULL CONSTRAINT webhooks_sealing_key_id_fkey REFERENCES sealing_keys ON DELETE RESTRICT,
      types text[] NOT NULL,
      description text,
      enabled boolean NOT NULL,
      disabled_reason text CONSTRAINT webhooks_disabled_reason_check
        CHECK (disabled_reason IN ('user', 'gone', 'failures', 'creator_left')),
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
    `CREATE INDEX webhooks_sealing_key_id_idx ON webhooks (sealing_key_id)`,

    // The one without an expiry is current; others sign besides it until they expire.
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
    // No foreign key to `webhooks`: a webhook is deleted at once, and its many deliveries in batches.
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
    `CREATE INDEX webhook_deliveries_organization_idx ON webhook_deliveries (organization_id, user_id)
      WHERE organization_id IS NOT NULL`,
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

    // Whoever leaves an organization, or manages it no more, does not answer for its webhooks. Also for those that were disabled
    // for another reason: what waits for them is not sent when somebody else enables them. Returns details for the change log.
    `CREATE FUNCTION disable_webhooks_of(organization uuid, creator uuid) RETURNS jsonb LANGUAGE sql AS $$
       WITH disabled AS (
         UPDATE webhooks SET enabled = false, disabled_reason = 'creator_left'
         WHERE organization_id = organization AND created_by = creator AND disabled_reason IS DISTINCT FROM 'creator_left'
         RETURNING id)
       SELECT CASE WHEN count(*) = 0 THEN '{}' ELSE jsonb_build_object('disabled_webhooks', jsonb_agg(id ORDER BY id)) END
       FROM disabled
     $$`,
  ],
  down: [
    `DROP FUNCTION disable_webhooks_of`,
    `DROP TABLE webhook_attempts, webhook_deliveries, webhook_secrets, webhooks`,
  ],
};
