import { APPEND_ONLY } from './append-only.js';
import { triggerFunction, type Topic } from './topic.js';

/** Arbitrary, but unlikely to be used by another program on the same database. */
const PARTITIONS_LOCK = 7_345_190_115;

/** Stands for "no organization": rows about users, keys and personal recordings have a chain of seals of their own. */
const NIL = '00000000-0000-0000-0000-000000000000';

/**
 * Who saw the recording where it was, by `recording_viewers`; the second of a move, about the folder before. They get the event, with ids only,
 * also when it is not there any more.
 */
const AUDIENCE = 'seen_by uuid[], previously_seen_by uuid[]';

/**
 * The change log: one row for each change, written by triggers in the transaction that causes it, so that no path can forget it
 * and none needs a further round trip. It feeds the audit log, the events and the webhooks.
 */
export const CHANGE_LOG: Topic = {
  up: [
    // Functions that every change calls are written in PL/pgSQL, which keeps plans; those in SQL are planned with each statement.
    // RFC 9562, version 7, with 12 bits of sub-millisecond time: ids of one transaction are in order.
    `CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE plpgsql VOLATILE PARALLEL SAFE AS $$
     DECLARE us bigint := extract(epoch FROM clock_timestamp()) * 1000000;
     BEGIN
       RETURN encode(
         set_byte(set_byte(
           overlay(uuid_send(gen_random_uuid()) PLACING substring(int8send(us / 1000) FROM 3) FROM 1 FOR 6),
           6, 112 + (us % 1000 * 4096 / 1000 / 256)::int), 7, (us % 1000 * 4096 / 1000 % 256)::int), 'hex')::uuid;
     END $$`,

    // Ids only: no names, no content, no secrets. Names are those of the rows referred to, which is why there are no foreign keys:
    // rows outlive what they are about. With the id first, the primary key does not have the order of the log: PostgreSQL could
    // otherwise read all rows of a month from it, to find the few of an organization or a type.
    `CREATE TABLE change_log (
      id uuid NOT NULL DEFAULT uuid_v7(),
      at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
      type text NOT NULL,
      actor_kind text NOT NULL CONSTRAINT change_log_actor_kind_check
        CHECK (actor_kind IN ('user', 'command_line', 'service', 'recipient', 'anonymous')),
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
      CONSTRAINT change_log_pkey PRIMARY KEY (id, at)
    ) PARTITION BY RANGE (at)`,
    `CREATE INDEX change_log_organization_idx ON change_log (organization_id, at, id)`,
    `CREATE INDEX change_log_organization_type_idx ON change_log (organization_id, type, at, id)`,
    `CREATE INDEX change_log_organization_actor_idx ON change_log (organization_id, actor_id, at, id)`,
    `CREATE INDEX change_log_organization_target_idx ON change_log (organization_id, target_id, at, id)`,
    // What concerns a recording or a user without being about it, such as a share link of the recording. The rest is found by target.
    `CREATE INDEX change_log_organization_recording_idx ON change_log (organization_id, recording_id, at, id)
      WHERE recording_id <> target_id`,
    `CREATE INDEX change_log_organization_user_idx ON change_log (organization_id, user_id, at, id)
      WHERE user_id <> target_id AND organization_id IS NOT NULL`,
    `CREATE INDEX change_log_actor_idx ON change_log (actor_id, at, id)`,
    `CREATE INDEX change_log_user_idx ON change_log (user_id, at, id)`,
    // Whether a sign-in from an address has been logged already.
    `CREATE INDEX change_log_sign_in_idx ON change_log (api_key_id, at) WHERE type = 'sign_in.succeeded'`,
    // Whether something has been deleted since; few rows of the log are about that.
    `CREATE INDEX change_log_deleted_idx ON change_log (target_id, at)
      WHERE type IN ('user.deleted', 'member.removed', 'recording.deleted', 'organization.deleted')`,

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
      ${AUDIENCE},
      CONSTRAINT unpublished_changes_pkey PRIMARY KEY (at, change_id)
    )`,
    `CREATE TABLE unsealed_changes (
      organization_id uuid NOT NULL,
      at timestamptz(3) NOT NULL,
      change_id uuid NOT NULL,
      CONSTRAINT unsealed_changes_pkey PRIMARY KEY (organization_id, at, change_id)
    )`,

    // Seals over the rows, chained per organization, with which a later change of the log can be found. The lists of rows are
    // dropped with the month that they cover; `rows_hash` keeps the chain verifiable.
    `CREATE TABLE audit_seals (
      organization_id uuid NOT NULL,
      number bigint NOT NULL CONSTRAINT audit_seals_number_check CHECK (number > 0),
      from_at timestamptz(3) NOT NULL,
      to_at timestamptz(3) NOT NULL,
      row_count integer NOT NULL CONSTRAINT audit_seals_row_count_check CHECK (row_count BETWEEN 1 AND 1000),
      row_ids uuid[],
      row_times bigint[],
      row_hashes bytea,
      rows_hash bytea NOT NULL,
      previous_hash bytea,
      hash bytea NOT NULL,
      sealed_at timestamptz(3) NOT NULL,
      CONSTRAINT audit_seals_pkey PRIMARY KEY (organization_id, number)
    )`,
    `CREATE INDEX audit_seals_listed_idx ON audit_seals (to_at) WHERE row_ids IS NOT NULL`,

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
      user_id uuid,
      ${AUDIENCE}
    )`,
    `CREATE UNIQUE INDEX events_change_id_key ON events (change_id)`,
    `CREATE INDEX events_published_at_idx ON events (published_at)`,
    `CREATE INDEX events_organization_idx ON events (organization_id, position) WHERE organization_id IS NOT NULL`,
    `CREATE INDEX events_user_idx ON events (user_id, position) WHERE user_id IS NOT NULL`,
    `CREATE INDEX events_recording_idx ON events (recording_id, position) WHERE recording_id IS NOT NULL`,

    // Who causes the changes of this transaction, as `transactionBy` announced it. Without it, the service itself.
    `CREATE FUNCTION change_source(
       OUT kind text, OUT user_id uuid, OUT api_key_id uuid, OUT request_id text, OUT address text
     ) LANGUAGE plpgsql STABLE AS $$
     DECLARE given jsonb := nullif(current_setting('meeting_recordings.change_source', true), '');
     BEGIN
       kind := coalesce(given ->> 'kind', 'service');
       user_id := given ->> 'userId';
       api_key_id := given ->> 'apiKeyId';
       request_id := given ->> 'requestId';
       address := given ->> 'address';
     END $$`,

    // Without the members who see it only because its folder is open to all: they may be many.
    `CREATE FUNCTION recording_viewers(organization uuid, owner uuid, folder uuid, access text) RETURNS uuid[]
     LANGUAGE plpgsql STABLE AS $$ BEGIN
       IF organization IS NULL THEN RETURN ARRAY[owner]; END IF;
       RETURN ARRAY(
         SELECT m.user_id FROM organization_members m
         WHERE m.organization_id = organization AND (m.role IN ('OWNER', 'ADMIN') OR m.view_all_recordings)
         UNION
         SELECT m.user_id FROM organization_members m WHERE m.organization_id = organization AND m.user_id = owner
         UNION
         SELECT m.user_id FROM folder_members f JOIN organization_members m USING (organization_id, user_id)
         WHERE access = 'restricted' AND f.folder_id = folder AND m.view_folder_recordings);
     END $$`,

    // What else is due for rows of the log, in the same transaction.
    triggerFunction(
      'queue_changes',
      `INSERT INTO unpublished_changes (at, change_id, seen_by, previously_seen_by)
         SELECT at, id,
           CASE WHEN recording_id IS NOT NULL
             THEN recording_viewers(organization_id, owner_id, folder_id, folder_access) END,
           CASE WHEN details -> 'before' ? 'folder_access'
             THEN recording_viewers(organization_id, owner_id, (details #>> '{before,folder_id}')::uuid,
               details #>> '{before,folder_access}') END
         FROM added;
       INSERT INTO unsealed_changes (organization_id, at, change_id)
         SELECT coalesce(organization_id, '${NIL}'), at, id FROM added;
       INSERT INTO personal_details (at, change_id, kind, user_id, value, salt, commitment)
         SELECT at, id, 'address', actor_id, address, salt, sha256(convert_to(salt || address, 'UTF8'))
         FROM (SELECT added.*, source.address, gen_random_uuid()::text AS salt
               FROM added CROSS JOIN change_source() AS source
               WHERE source.address IS NOT NULL) AS known;
       PERFORM pg_notify('changes', '') FROM added LIMIT 1;`,
    ),
    `CREATE TRIGGER change_log_queue AFTER INSERT ON change_log
       REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_changes()`,

    ...APPEND_ONLY,

    // One partition a month. Called by every start and once a day, for months ahead; safe to call at any time. Attaching a table
    // does not wait for transactions that write, nor they for it. Unlike row triggers, those of statements are not cloned.
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
             EXECUTE format('CREATE TRIGGER partition_not_truncated BEFORE TRUNCATE ON %I
               FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_log()', partition);
           END IF;
         END LOOP;
       END LOOP;
     END $$`,
    `SELECT create_change_log_partitions(now() - interval '1 month', 4)`,
  ],
  down: [
    `DROP TABLE events, audit_seals, unsealed_changes, unpublished_changes, personal_details, change_log`,
    `DROP FUNCTION create_change_log_partitions, refuse_to_change_seals, refuse_to_change_personal_details,
       refuse_to_change_log, queue_changes, recording_viewers, change_source, uuid_v7`,
  ],
};
