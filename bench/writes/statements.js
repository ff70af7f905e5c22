// The writes by hand, as prepared statements. What triggers of the schema do, they leave to these.
import { oneRecording } from '../yardstick/access.js';

/** Text search configuration of a recording without a transcript. */
const CONFIG = 'simple';

/** The words of the column `text` of `table`, added to the vocabulary of the scope that `scope` selects. */
const vocabulary = (table, scope) => `
  INSERT INTO search_words (scope_id, word)
  SELECT scope.id, said.word FROM (
    SELECT DISTINCT lower(token) AS word FROM ${table} CROSS JOIN LATERAL ts_parse('default', text)
    WHERE tokid IN (1, 2, 10, 11) AND length(token) BETWEEN 3 AND 40) said
  CROSS JOIN (${scope}) scope (id)
  WHERE NOT EXISTS (SELECT FROM search_words w WHERE w.scope_id = scope.id AND w.word = said.word)`;

/** `id`, owner, title, now: a personal recording with an upload, unless the owner has 20 open ones. */
export const CREATE = {
  name: 'create',
  text: `
  WITH made AS (
    INSERT INTO recordings (id, owner_id, title, status, progress, created_at, updated_at, auto_transcribe)
    SELECT $1::uuid, $2::uuid, $3::text, 'UPLOADING', 0, $4::timestamptz, $4, $5::boolean
    WHERE (SELECT count(*) FROM uploads WHERE user_id = $2 AND closed_at IS NULL) < 20
    RETURNING id
  ), opened AS (
    INSERT INTO uploads (recording_id, user_id, active_at) SELECT id, $2, $4 FROM made
  ), found AS (
    INSERT INTO search_entries (recording_id, source, scope_id, config, words)
    SELECT id, 'title', $2, '${CONFIG}', to_tsvector('${CONFIG}', $3) FROM made
  ), said AS (${vocabulary('(SELECT $3 AS text FROM made) title', 'SELECT $2')})
  SELECT id FROM made`,
};

/** `id`, owner, when an idle upload ends, today: the job that ends it, and what the owner has. */
export const WATCH = {
  name: 'watch',
  text: `SELECT plan, graphile_worker.add_job('uploads.close-idle', json_build_object('recordingId', $1::uuid),
      run_at => $3::timestamptz, max_attempts => 25) IS NOT NULL AS watched,
    lock_quota_usage(id, $4::date) AS use FROM users WHERE id = $2::uuid`,
};

/** The recording `$1`, if user `$2` can see it. */
export const ACCESS = { name: 'access', text: oneRecording('r.id, r.revision') };

/** `id`, title, now. The scope of a search entry never changes with the title. */
export const RENAME = {
  name: 'rename',
  text: `
  WITH renamed AS (
    UPDATE recordings SET title = $2::text, updated_at = $3::timestamptz WHERE id = $1::uuid
    RETURNING id, COALESCE(organization_id, owner_id, id) AS scope_id
  ), found AS (
    INSERT INTO search_entries AS e (recording_id, source, scope_id, config, words)
    SELECT id, 'title', scope_id, '${CONFIG}', to_tsvector('${CONFIG}', $2) FROM renamed
    ON CONFLICT (recording_id, source, chunk_index) DO UPDATE SET words = excluded.words WHERE e.words <> excluded.words
  ), said AS (${vocabulary('(SELECT $2 AS text) title', 'SELECT scope_id FROM renamed')})
  SELECT id FROM renamed`,
};

const tidy = (
  when,
) => `graphile_worker.add_job('media.tidy', json_build_object('recordingId', id), run_at => ${when},
  max_attempts => 25, priority => 101)`;

/** `id`: the recording with all that belongs to it, what webhooks were sent of it, and the jobs that follow. */
export const DELETE = {
  name: 'delete',
  text: `
  WITH gone AS (
    DELETE FROM recordings WHERE id = $1::uuid RETURNING id, COALESCE(organization_id, owner_id) AS scope_id
  ), bodies AS (
    UPDATE webhook_attempts a SET body = NULL, response_body = NULL FROM webhook_deliveries d
    WHERE d.recording_id = $1 AND a.delivery_id = d.id AND (a.body IS NOT NULL OR a.response_body IS NOT NULL)
  )
  SELECT graphile_worker.add_job('erasure', json_build_object('of', 'recording', 'scopeId', scope_id),
      job_key => 'erasure:' || scope_id, max_attempts => 25, priority => 100) IS NULL AS a,
    ${tidy('now()')} IS NULL AS b, ${tidy(`now() + interval '1 day'`)} IS NULL AS c
  FROM gone`,
};

/** `id`, key and size of the stored part, media type, now, owner: closes the upload with it, and starts packaging. */
export const RECEIVE = {
  name: 'receive',
  text: `
  WITH received AS (
    UPDATE uploads SET received = $3::bigint, size = $3, generation = generation + 1, turn = nextval('upload_turns'),
      media_type = $4::text, active_at = $5::timestamptz, closed_at = $5
    WHERE recording_id = $1::uuid AND closed_at IS NULL AND NOT added RETURNING recording_id
  ), part AS (
    INSERT INTO upload_parts (recording_id, start, size, key) SELECT recording_id, 0, $3, $2::text FROM received
  ), changed AS (
    UPDATE recordings SET status = 'PROCESSING', status_reason = NULL, progress = 0.5, updated_at = $5
    FROM received WHERE id = recording_id
  )
  SELECT graphile_worker.add_job('packaging.package', json_build_object('recordingId', $1::uuid),
      job_key => 'package:' || $1, max_attempts => 6, flags => ARRAY['user:' || $6::uuid]) IS NULL AS a,
    (SELECT lock_quota_usage(id, $5::date) FROM users WHERE id = $6::uuid) AS use
  FROM received`,
};

/** `id`, speakers, count, duration, chunks (a JSON list), their texts, now, user: a first transcript, in English. */
export const IMPORT = {
  name: 'import',
  text: `
  WITH noted AS (
    UPDATE recordings SET updated_at = $7::timestamptz WHERE id = $1::uuid
    RETURNING id, title, COALESCE(organization_id, owner_id, id) AS scope_id
  ), head AS (
    INSERT INTO transcripts (recording_id, status, language, speakers, segments_count, duration, confidence_known)
    SELECT id, 'completed', 'en', $2::text[], $3::int, $4::float8, false FROM noted
  ), chunks AS (
    INSERT INTO transcript_chunks (recording_id, chunk_index, segments)
    SELECT $1, place - 1, segments FROM json_array_elements($5::json) WITH ORDINALITY AS listed (segments, place)
  ), revision AS (
    INSERT INTO transcript_revisions (recording_id, revision, created_at, cause, created_by, language, speakers,
      segments_count, duration, confidence_known)
    VALUES ($1, 1, $7, 'import', $8::uuid, 'en', $2, $3, $4, false)
  ), texts AS MATERIALIZED (
    SELECT 'title' AS source, 0 AS chunk_index, title AS text FROM noted
    UNION ALL
    SELECT 'transcript', place - 1, text FROM unnest($6::text[]) WITH ORDINALITY AS given (text, place)
  ), found AS (
    INSERT INTO search_entries AS e (recording_id, source, chunk_index, scope_id, config, words)
    SELECT $1, source, chunk_index, scope_id, 'english', to_tsvector('english', text) FROM texts CROSS JOIN noted
    ON CONFLICT (recording_id, source, chunk_index) DO UPDATE SET config = excluded.config, words = excluded.words
  ), said AS (${vocabulary('texts', 'SELECT scope_id FROM noted')})
  SELECT id FROM noted`,
};
