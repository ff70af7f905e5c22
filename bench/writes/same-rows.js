/** What changes with every request, in the JSON of a row. */
const VARYING = new RegExp(
  [
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    '[0-9a-f]{32}',
    String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)?`,
    String.raw`\\\\x[0-9a-f]+`,
  ].join('|'),
  'g',
);

/** The rows of a recording, and what has been written about it since the log had `jobs` and `changes`. */
const ROWS = `
  SELECT 'recordings' AS name, to_jsonb(r) AS value FROM recordings r WHERE id = $1
  UNION ALL SELECT 'uploads', to_jsonb(u) - 'turn' FROM uploads u WHERE recording_id = $1
  UNION ALL SELECT 'upload_parts', to_jsonb(p) FROM upload_parts p WHERE recording_id = $1
  UNION ALL SELECT 'transcripts', to_jsonb(t) FROM transcripts t WHERE recording_id = $1
  UNION ALL SELECT 'transcript_chunks', to_jsonb(c) FROM transcript_chunks c WHERE recording_id = $1
  UNION ALL SELECT 'transcript_revisions', to_jsonb(v) FROM transcript_revisions v WHERE recording_id = $1
  UNION ALL SELECT 'search_entries', to_jsonb(e) FROM search_entries e WHERE recording_id = $1
  UNION ALL SELECT 'search_words', to_jsonb(w.word) FROM search_words w WHERE scope_id = $2
  UNION ALL SELECT 'change_log', to_jsonb(l) - 'request_id' FROM change_log l WHERE recording_id = $1 AND at >= $3
  UNION ALL SELECT 'unpublished_changes', to_jsonb(c) FROM unpublished_changes c
    JOIN change_log l ON l.id = c.change_id WHERE l.recording_id = $1 AND l.at >= $3
  UNION ALL SELECT 'personal_details', to_jsonb(d) FROM personal_details d
    JOIN change_log l ON l.id = d.change_id WHERE l.recording_id = $1 AND l.at >= $3
  UNION ALL SELECT 'quota_usage', jsonb_build_array(sum(recordings), sum(stored_bytes), sum(uploads))
    FROM quota_usage WHERE scope_id = $2
  UNION ALL SELECT 'jobs', to_jsonb(j) - 'id' FROM (
    SELECT id, task_identifier, key, priority, max_attempts, flags, run_at FROM graphile_worker.jobs WHERE id > $4) j`;

/** `read(recordingId, userId)` returns what has been written since now, one line for each row, in order. */
export async function watchRows(client) {
  const { rows } = await client.query(
    `SELECT clock_timestamp() AS at, coalesce(max(id), 0) AS job FROM graphile_worker.jobs`,
  );
  const [{ at, job }] = rows;
  return {
    read: async (recordingId, userId) => {
      const { rows: found } = await client.query(ROWS, [recordingId, userId, at, job]);
      return found
        .map(({ name, value }) => `${name} ${JSON.stringify(value).replaceAll(VARYING, '*')}`)
        .toSorted();
    },
  };
}

const only = (lines, others) => lines.find((line) => !others.includes(line));

/** The first line that only one of both has; null if they are equal. */
export function differenceOf(service, byHand) {
  const [ours, theirs] = [only(service, byHand), only(byHand, service)];
  if (ours === undefined && theirs === undefined && service.length === byHand.length) return null;
  return `rows differ: ${(ours ?? 'nothing').slice(0, 400)} vs. ${(theirs ?? 'nothing').slice(0, 400)}`;
}
