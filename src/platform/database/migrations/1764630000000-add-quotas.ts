import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What quotas compare with their limits: how many recordings and bytes a user or an organization has, and how many uploads
 * they started on a day. Triggers keep it, so that no code path can forget to.
 */
export class AddQuotas1764630000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

/** Whom a recording counts towards. */
const scope = (row: string): string => `COALESCE(${row}.organization_id, ${row}.owner_id)`;

/** What an upload counts as: what it has declared while it is open, then what has arrived. */
const bytesOf = (row: string): string =>
  `CASE WHEN ${row}.closed_at IS NULL THEN GREATEST(${row}.size, ${row}.received) ELSE ${row}.received END`;

/** Rows of usage, each of one recording `r` and a sign. */
const changes = (recordings: string): string => `
  SELECT r.scope_id, sum(r.sign)::integer AS recordings, sum(r.sign * COALESCE(r.stored_bytes, 0))::bigint AS stored_bytes
  FROM (${recordings}) AS r (scope_id, stored_bytes, sign)
  WHERE r.scope_id IS NOT NULL GROUP BY 1`;

const UP = [
  // Without a default: null for existing rows, and for any that is inserted without a size; a job measures those.
  `ALTER TABLE recordings ADD COLUMN stored_bytes bigint
     CONSTRAINT recordings_stored_bytes_check CHECK (stored_bytes >= 0)`,
  `UPDATE recordings r SET stored_bytes = ${bytesOf('u')} FROM uploads u WHERE u.recording_id = r.id`,
  `CREATE INDEX recordings_unmeasured_idx ON recordings (id) WHERE stored_bytes IS NULL`,

  // As with recording_counts: rows are only added, so that nobody waits for anybody, and folded by a job.
  `CREATE TABLE quota_usage (
    scope_id uuid NOT NULL,
    day date,
    recordings integer NOT NULL DEFAULT 0,
    stored_bytes bigint NOT NULL DEFAULT 0,
    uploads integer NOT NULL DEFAULT 0,
    folded boolean NOT NULL DEFAULT false
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.05)`,
  `INSERT INTO quota_usage (scope_id, recordings, stored_bytes, folded)
   SELECT changes.*, true FROM (${changes(`SELECT ${scope('recordings')}, stored_bytes, 1 FROM recordings`)}) changes`,
  `CREATE INDEX quota_usage_scope_idx ON quota_usage (scope_id)`,
  `CREATE INDEX quota_usage_fresh_idx ON quota_usage (scope_id) WHERE NOT folded`,
  `CREATE INDEX quota_usage_day_idx ON quota_usage (day) WHERE day IS NOT NULL`,

  `CREATE FUNCTION quota_count_recordings() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO quota_usage (scope_id, recordings, stored_bytes)
     ${changes(`SELECT ${scope('changed')}, changed.stored_bytes, TG_ARGV[0]::integer FROM changed`)};
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION quota_count_changed_recording() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO quota_usage (scope_id, recordings, stored_bytes)
     ${changes(`VALUES (${scope('OLD')}, OLD.stored_bytes, -1), (${scope('NEW')}, NEW.stored_bytes, 1)`)};
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION quota_forget_usage() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     TRUNCATE quota_usage;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER recordings_quota_added AFTER INSERT ON recordings
     REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION quota_count_recordings('1')`,
  `CREATE TRIGGER recordings_quota_removed AFTER DELETE ON recordings
     REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION quota_count_recordings('-1')`,
  `CREATE TRIGGER recordings_quota_changed AFTER UPDATE OF organization_id, owner_id, stored_bytes ON recordings
     FOR EACH ROW WHEN ((${scope('OLD')}, OLD.stored_bytes) IS DISTINCT FROM (${scope('NEW')}, NEW.stored_bytes))
     EXECUTE FUNCTION quota_count_changed_recording()`,
  `CREATE TRIGGER recordings_quota_forgotten AFTER TRUNCATE ON recordings
     FOR EACH STATEMENT EXECUTE FUNCTION quota_forget_usage()`,

  // A day in UTC, as the service's clock has it: a new upload was active when it was created.
  `CREATE FUNCTION quota_count_upload() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO quota_usage (scope_id, day, uploads)
     SELECT ${scope('r')}, (NEW.active_at AT TIME ZONE 'UTC')::date, 1 FROM recordings r
     WHERE r.id = NEW.recording_id AND ${scope('r')} IS NOT NULL;
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION quota_measure_upload() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     UPDATE recordings SET stored_bytes = ${bytesOf('NEW')}
     WHERE id = NEW.recording_id AND stored_bytes IS DISTINCT FROM ${bytesOf('NEW')};
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION quota_forget_upload() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     UPDATE recordings SET stored_bytes = 0 WHERE id = OLD.recording_id;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER uploads_quota_started AFTER INSERT ON uploads FOR EACH ROW EXECUTE FUNCTION quota_count_upload()`,
  `CREATE TRIGGER uploads_quota_measured AFTER INSERT OR UPDATE OF size, received, closed_at ON uploads
     FOR EACH ROW EXECUTE FUNCTION quota_measure_upload()`,
  // The bytes of an upload that was still open are discarded with it; those of a closed one have become the recording.
  `CREATE TRIGGER uploads_quota_discarded AFTER DELETE ON uploads
     FOR EACH ROW WHEN (OLD.closed_at IS NULL) EXECUTE FUNCTION quota_forget_upload()`,

  `CREATE FUNCTION quota_usage_of(scope uuid, today date) RETURNS json LANGUAGE sql STABLE AS $$
     SELECT json_build_object('storedBytes', COALESCE(sum(stored_bytes), 0), 'recordings', COALESCE(sum(recordings), 0),
       'uploadsToday', COALESCE(sum(uploads) FILTER (WHERE day = today), 0))
     FROM quota_usage WHERE scope_id = scope
   $$`,
  // In a function of its own, because each of its statements also sees what was committed during the wait for the lock.
  `CREATE FUNCTION lock_quota_usage(scope uuid, today date) RETURNS json LANGUAGE plpgsql AS $$ BEGIN
     PERFORM pg_advisory_xact_lock(hashtextextended('quota ' || scope, 0));
     RETURN quota_usage_of(scope, today);
   END $$`,
];

const DOWN = [
  `DROP FUNCTION lock_quota_usage`,
  `DROP FUNCTION quota_usage_of`,
  ...['started', 'measured', 'discarded'].map((what) => `DROP TRIGGER uploads_quota_${what} ON uploads`),
  ...['added', 'removed', 'changed', 'forgotten'].map(
    (what) => `DROP TRIGGER recordings_quota_${what} ON recordings`,
  ),
  ...[
    'count_recordings',
    'count_changed_recording',
    'forget_usage',
    'count_upload',
    'measure_upload',
    'forget_upload',
  ].map((name) => `DROP FUNCTION quota_${name}`),
  `DROP TABLE quota_usage`,
  `DROP INDEX recordings_unmeasured_idx`,
  `ALTER TABLE recordings DROP COLUMN stored_bytes`,
];
