import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The change log: one row for each change, written by triggers in the transaction that causes it, so that no path can forget it
 * and none needs a further round trip. It feeds the audit log, the events and the webhooks.
 */
export class CreateChangeLog1764730000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

/** Arbitrary, but unlikely to be used by another program on the same database. */
const PARTITIONS_LOCK = 7_345_190_115;

const FUNCTIONS = [
  // RFC 9562, version 7, with 12 bits of sub-millisecond time: ids of one transaction are in order.
  `CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
     SELECT encode(
       set_byte(set_byte(
         overlay(uuid_send(gen_random_uuid()) PLACING substring(int8send(us / 1000) FROM 3) FROM 1 FOR 6),
         6, 112 + (us % 1000 * 4096 / 1000 / 256)::int), 7, (us % 1000 * 4096 / 1000 % 256)::int), 'hex')::uuid
     FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS us) AS t
   $$`,

  // Who causes the changes of this transaction, as \`transactionBy\` announced it. Without it, the service itself.
  `CREATE FUNCTION change_source(
     OUT kind text, OUT user_id uuid, OUT api_key_id uuid, OUT request_id text, OUT address text
   ) LANGUAGE sql STABLE AS $$
     SELECT coalesce(given ->> 'kind', 'service'), (given ->> 'userId')::uuid, (given ->> 'apiKeyId')::uuid,
            given ->> 'requestId', given ->> 'address'
     FROM (SELECT nullif(current_setting('meeting_recordings.change_source', true), '')::jsonb AS given) AS source
   $$`,

  // What else is due for rows of the log, in the same transaction.
  `CREATE FUNCTION queue_changes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO unpublished_changes (at, change_id) SELECT at, id FROM added;
     INSERT INTO unsealed_changes (organization_id, at, change_id)
       SELECT organization_id, at, id FROM added WHERE organization_id IS NOT NULL;
     INSERT INTO personal_details (at, change_id, kind, user_id, value, salt, commitment)
       SELECT at, id, 'address', actor_id, address, salt, sha256(convert_to(salt || address, 'UTF8'))
       FROM (SELECT added.*, source.address, gen_random_uuid()::text AS salt
             FROM added CROSS JOIN change_source() AS source
             WHERE source.address IS NOT NULL) AS known;
     PERFORM pg_notify('changes', '') FROM added LIMIT 1;
     RETURN NULL;
   END $$`,

  `CREATE FUNCTION refuse_to_change_log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     RAISE EXCEPTION 'the change log is append-only' USING ERRCODE = 'insufficient_privilege';
   END $$`,

  // One partition a month. Called by every start and once a day, for months ahead; safe to call at any time. Attaching a table
  // does not wait for transactions that write, nor they for it.
  `CREATE FUNCTION create_change_log_partitions(since timestamptz, months integer) RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     first timestamp := date_trunc('month', since AT TIME ZONE 'UTC');
     month timestamp;
     parent text;
     partition text;
   BEGIN
     PERFORM pg_advisory_xact_lock(${PARTITIONS_LOCK});
     FOR month IN SELECT generate_series(first, first + make_interval(months => months), '1 month') LOOP
       FOREACH parent IN ARRAY ARRAY['change_log', 'personal_details'] LOOP
         partition := parent || to_char(month, '_YYYY_MM');
         IF to_regclass(partition) IS NULL THEN
           EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition, parent);
           EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, partition,
             month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
         END IF;
       END LOOP;
     END LOOP;
   END $$`,
];

const UP = [
  ...FUNCTIONS,

  // Ids only: no names, no content, no secrets. Names are those of the rows referred to, which is why there are no foreign keys:
  // rows outlive what they are about.
  `CREATE TABLE change_log (
    id uuid NOT NULL DEFAULT uuid_v7(),
    at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
    type text NOT NULL,
    actor_kind text NOT NULL
      CONSTRAINT change_log_actor_kind_check CHECK (actor_kind IN ('user', 'command_line', 'service', 'recipient', 'anonymous')),
    actor_id uuid,
    api_key_id uuid,
    request_id text,
    organization_id uuid,
    recording_id uuid,
    target_id uuid,
    user_id uuid,
    owner_id uuid,
    folder_id uuid,
    folder_access text CONSTRAINT change_log_folder_access_check CHECK (folder_access IN ('open', 'restricted')),
    details jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT change_log_pkey PRIMARY KEY (at, id)
  ) PARTITION BY RANGE (at)`,
  `CREATE INDEX change_log_organization_idx ON change_log (organization_id, at, id)`,
  `CREATE INDEX change_log_organization_type_idx ON change_log (organization_id, type, at, id)`,
  `CREATE INDEX change_log_organization_actor_idx ON change_log (organization_id, actor_id, at, id)`,
  `CREATE INDEX change_log_organization_target_idx ON change_log (organization_id, target_id, at, id)`,
  `CREATE INDEX change_log_actor_idx ON change_log (actor_id, at, id)`,
  `CREATE INDEX change_log_user_idx ON change_log (user_id, at, id)`,

  // What names or locates a person, apart from the log so that it can be erased. The commitment remains, and with it the seal.
  `CREATE TABLE personal_details (
    at timestamptz(3) NOT NULL,
    change_id uuid NOT NULL,
    kind text NOT NULL CONSTRAINT personal_details_kind_check CHECK (kind IN ('address', 'email')),
    user_id uuid,
    value text,
    salt text,
    commitment bytea NOT NULL,
    CONSTRAINT personal_details_pkey PRIMARY KEY (at, change_id, kind)
  ) PARTITION BY RANGE (at)`,
  `CREATE INDEX personal_details_user_id_idx ON personal_details (user_id) WHERE value IS NOT NULL`,
  `CREATE INDEX personal_details_email_idx ON personal_details (lower(value)) WHERE kind = 'email'`,

  // Rows that the publisher has not seen, and rows that no seal covers yet.
  `CREATE TABLE unpublished_changes (
    at timestamptz(3) NOT NULL,
    change_id uuid NOT NULL,
    CONSTRAINT unpublished_changes_pkey PRIMARY KEY (at, change_id)
  )`,
  `CREATE TABLE unsealed_changes (
    organization_id uuid NOT NULL,
    at timestamptz(3) NOT NULL,
    change_id uuid NOT NULL,
    CONSTRAINT unsealed_changes_pkey PRIMARY KEY (organization_id, at, change_id)
  )`,

  // Changes in the order in which they were committed, for readers that follow them. Kept for 30 days.
  `CREATE TABLE events (
    position bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT events_pkey PRIMARY KEY,
    published_at timestamptz(3) NOT NULL,
    at timestamptz(3) NOT NULL,
    change_id uuid NOT NULL,
    type text NOT NULL,
    audience text NOT NULL
      CONSTRAINT events_audience_check CHECK (audience IN ('recording', 'members', 'managers', 'user')),
    organization_id uuid,
    recording_id uuid,
    user_id uuid
  )`,
  `CREATE UNIQUE INDEX events_change_id_key ON events (change_id)`,
  `CREATE INDEX events_published_at_idx ON events (published_at)`,
  `CREATE INDEX events_organization_idx ON events (organization_id, position) WHERE organization_id IS NOT NULL`,
  `CREATE INDEX events_user_idx ON events (user_id, position) WHERE user_id IS NOT NULL`,
  `CREATE INDEX events_recording_idx ON events (recording_id, position) WHERE recording_id IS NOT NULL`,

  `CREATE TRIGGER change_log_queue AFTER INSERT ON change_log
     REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_changes()`,
  `CREATE TRIGGER change_log_append_only BEFORE UPDATE OR DELETE ON change_log
     FOR EACH ROW EXECUTE FUNCTION refuse_to_change_log()`,
  `CREATE TRIGGER change_log_not_truncated BEFORE TRUNCATE ON change_log
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_log()`,
  `SELECT create_change_log_partitions(now() - interval '1 month', 4)`,
];

const DOWN = [
  `DROP TABLE events`,
  `DROP TABLE unsealed_changes`,
  `DROP TABLE unpublished_changes`,
  `DROP TABLE personal_details`,
  `DROP TABLE change_log`,
  `DROP FUNCTION create_change_log_partitions`,
  `DROP FUNCTION refuse_to_change_log`,
  `DROP FUNCTION queue_changes`,
  `DROP FUNCTION change_source`,
  `DROP FUNCTION uuid_v7`,
];
