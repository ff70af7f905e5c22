import { isChanged, triggerFunction, VACUUMED_OFTEN, type Topic } from './topic.js';

const COUNTED = ['organization_id', 'folder_id', 'created_at', 'status'];

const counted = (row: string): string => COUNTED.map((column) => `${row}.${column}`).join(', ');

/** Adds rows of counts, each of one recording `r` and a sign: of its organization and its folder, for its month and its day. */
const count = (recordings: string): string => `
  INSERT INTO recording_counts (scope_id, unit, since, status, n)
  SELECT scope.id AS scope_id, unit.name AS unit,
    date_trunc(unit.name, r.created_at AT TIME ZONE 'UTC')::date AS since, r.status, sum(r.sign)::integer AS n
  FROM (${recordings}) AS r (organization_id, folder_id, created_at, status, sign)
  CROSS JOIN LATERAL (VALUES (r.organization_id), (r.folder_id)) AS scope (id)
  CROSS JOIN (VALUES ('month'), ('day')) AS unit (name)
  WHERE scope.id IS NOT NULL
  GROUP BY 1, 2, 3, 4 HAVING sum(r.sign) <> 0`;

/** What keeps the list as quick in a large organization as in a small one. */
export const RECORDING_COUNTS: Topic = {
  up: [
    // Written in the transaction that changes recordings, and never changed: rows of one count are added up,
    // so that nobody waits for anybody. A job folds them together from time to time (`folded`).
    `CREATE TABLE recording_counts (
      scope_id uuid NOT NULL,
      unit text NOT NULL CONSTRAINT recording_counts_unit_check CHECK (unit IN ('month', 'day')),
      since date NOT NULL,
      status text NOT NULL,
      n integer NOT NULL,
      folded boolean NOT NULL DEFAULT false
    ) ${VACUUMED_OFTEN}`,
    `CREATE INDEX recording_counts_scope_idx ON recording_counts (scope_id, unit, since, status) INCLUDE (n)`,
    `CREATE INDEX recording_counts_fresh_idx ON recording_counts (scope_id, unit, since, status) WHERE NOT folded`,

    triggerFunction(
      'count_recordings',
      `${count(`SELECT ${counted('changed')}, TG_ARGV[0]::integer FROM changed`)};`,
    ),
    triggerFunction(
      'count_moved_recording',
      `${count(`VALUES (${counted('OLD')}, -1), (${counted('NEW')}, 1)`)};`,
    ),
    triggerFunction('forget_recording_counts', 'TRUNCATE recording_counts;'),
    `CREATE TRIGGER recordings_count_added AFTER INSERT ON recordings
       REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_recordings('1')`,
    `CREATE TRIGGER recordings_count_removed AFTER DELETE ON recordings
       REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_recordings('-1')`,
    // Most updates leave alone what is counted, and cost nothing then.
    `CREATE TRIGGER recordings_count_moved AFTER UPDATE OF ${COUNTED.join(', ')} ON recordings
       FOR EACH ROW WHEN (${isChanged(COUNTED)}) EXECUTE FUNCTION count_moved_recording()`,
    `CREATE TRIGGER recordings_count_forgotten AFTER TRUNCATE ON recordings
       FOR EACH STATEMENT EXECUTE FUNCTION forget_recording_counts()`,
  ],
  down: [
    `DROP TABLE recording_counts`,
    `DROP FUNCTION count_recordings, count_moved_recording, forget_recording_counts CASCADE`,
  ],
};
