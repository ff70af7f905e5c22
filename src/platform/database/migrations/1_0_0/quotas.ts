import { triggerFunction, VACUUMED_OFTEN, type Topic } from './topic.js';

/** Whom a recording counts towards. */
const scope = (row: string): string => `COALESCE(${row}.organization_id, ${row}.owner_id)`;

/** What a recording counts as while it has an upload: what that has declared while it is open, then what has arrived. */
const MEASURED = `NEW.kept_bytes
  + CASE WHEN NEW.closed_at IS NULL THEN GREATEST(NEW.size, NEW.received) ELSE NEW.received END`;

/** Adds rows of usage, each of one recording `r` and a sign. */
const use = (recordings: string): string => `
  INSERT INTO quota_usage (scope_id, recordings, stored_bytes)
  SELECT r.scope_id, sum(r.sign)::integer AS recordings, sum(r.sign * r.stored_bytes)::bigint AS stored_bytes
  FROM (${recordings}) AS r (scope_id, stored_bytes, sign)
  WHERE r.scope_id IS NOT NULL GROUP BY 1`;

/**
 * What quotas compare with their limits: how many recordings and bytes a user or an organization has, and how many uploads
 * they started on a day. Triggers keep it, so that no code path can forget to.
 */
export const QUOTAS: Topic = {
  up: [
    // As with recording_counts: rows are only added, so that nobody waits for anybody, and folded by a job.
    `CREATE TABLE quota_usage (
      scope_id uuid NOT NULL,
      day date,
      recordings integer NOT NULL DEFAULT 0,
      stored_bytes bigint NOT NULL DEFAULT 0,
      uploads integer NOT NULL DEFAULT 0,
      folded boolean NOT NULL DEFAULT false
    ) ${VACUUMED_OFTEN}`,
    `CREATE INDEX quota_usage_scope_idx ON quota_usage (scope_id)`,
    `CREATE INDEX quota_usage_fresh_idx ON quota_usage (scope_id) WHERE NOT folded`,
    `CREATE INDEX quota_usage_day_idx ON quota_usage (day) WHERE day IS NOT NULL`,

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

    triggerFunction(
      'quota_count_recordings',
      `${use(`SELECT ${scope('changed')}, changed.stored_bytes, TG_ARGV[0]::integer FROM changed`)};`,
    ),
    triggerFunction(
      'quota_count_changed_recording',
      `${use(`VALUES (${scope('OLD')}, OLD.stored_bytes, -1), (${scope('NEW')}, NEW.stored_bytes, 1)`)};`,
    ),
    triggerFunction('quota_forget_usage', 'TRUNCATE quota_usage;'),
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
    triggerFunction(
      'quota_count_upload',
      `INSERT INTO quota_usage (scope_id, day, uploads)
       SELECT ${scope('r')}, (NEW.active_at AT TIME ZONE 'UTC')::date, 1 FROM recordings r
       WHERE r.id = NEW.recording_id AND ${scope('r')} IS NOT NULL;`,
    ),
    triggerFunction(
      'quota_measure_upload',
      `UPDATE recordings SET stored_bytes = ${MEASURED}
       WHERE id = NEW.recording_id AND stored_bytes IS DISTINCT FROM ${MEASURED};`,
    ),
    triggerFunction(
      'quota_forget_upload',
      'UPDATE recordings SET stored_bytes = OLD.kept_bytes WHERE id = OLD.recording_id;',
    ),
    `CREATE TRIGGER uploads_quota_started AFTER INSERT ON uploads FOR EACH ROW EXECUTE FUNCTION quota_count_upload()`,
    `CREATE TRIGGER uploads_quota_measured AFTER INSERT OR UPDATE OF size, received, closed_at, kept_bytes ON uploads
       FOR EACH ROW EXECUTE FUNCTION quota_measure_upload()`,
    // The bytes of an upload that was still open are discarded with it; those of a closed one have become the recording.
    `CREATE TRIGGER uploads_quota_discarded AFTER DELETE ON uploads
       FOR EACH ROW WHEN (OLD.closed_at IS NULL) EXECUTE FUNCTION quota_forget_upload()`,
  ],
  down: [
    `DROP FUNCTION quota_forget_upload, quota_measure_upload, quota_count_upload, quota_forget_usage,
       quota_count_changed_recording, quota_count_recordings, lock_quota_usage, quota_usage_of CASCADE`,
    `DROP TABLE quota_usage`,
  ],
};
