import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What keeps the list as quick in a large organization as in a small one: counts of recordings by organization, folder,
 * month, day and status, and the titles in the indexes that a search reads.
 */
export class CountRecordings1764100000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

/** Rows of counts, each of one recording `r` and a sign: of its organization and its folder, for its month and its day. */
const changes = (recordings: string): string => `
  SELECT scope.id AS scope_id, unit.name AS unit,
    date_trunc(unit.name, r.created_at AT TIME ZONE 'UTC')::date AS since, r.status, sum(r.sign)::integer AS n
  FROM (${recordings}) AS r (organization_id, folder_id, created_at, status, sign)
  CROSS JOIN LATERAL (VALUES (r.organization_id), (r.folder_id)) AS scope (id)
  CROSS JOIN (VALUES ('month'), ('day')) AS unit (name)
  WHERE scope.id IS NOT NULL
  GROUP BY 1, 2, 3, 4 HAVING sum(r.sign) <> 0`;

const counted = (row: string): string =>
  `${row}.organization_id, ${row}.folder_id, ${row}.created_at, ${row}.status`;

const INDEXES = ['recordings_organization_idx', 'recordings_organization_owner_idx', 'recordings_folder_idx'];

const UP = [
  // Written by whoever changes recordings, in the same transaction, and never changed: rows of one count are added up,
  // so that nobody waits for anybody. A job folds them together from time to time (`folded`).
  `CREATE TABLE recording_counts (
    scope_id uuid NOT NULL,
    unit text NOT NULL CONSTRAINT recording_counts_unit_check CHECK (unit IN ('month', 'day')),
    since date NOT NULL,
    status text NOT NULL,
    n integer NOT NULL,
    folded boolean NOT NULL DEFAULT false
  ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.05)`,
  `INSERT INTO recording_counts (scope_id, unit, since, status, n, folded)
   SELECT changes.*, true FROM (${changes(`SELECT ${counted('recordings')}, 1 FROM recordings`)}) changes`,
  `CREATE INDEX recording_counts_scope_idx ON recording_counts (scope_id, unit, since, status) INCLUDE (n)`,
  `CREATE INDEX recording_counts_fresh_idx ON recording_counts (scope_id, unit, since, status) WHERE NOT folded`,

  `CREATE FUNCTION count_recordings() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO recording_counts (scope_id, unit, since, status, n)
     ${changes(`SELECT ${counted('changed')}, TG_ARGV[0]::integer FROM changed`)};
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION count_moved_recording() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO recording_counts (scope_id, unit, since, status, n)
     ${changes(`VALUES (${counted('OLD')}, -1), (${counted('NEW')}, 1)`)};
     RETURN NULL;
   END $$`,
  `CREATE FUNCTION forget_recording_counts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     TRUNCATE recording_counts;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER recordings_count_added AFTER INSERT ON recordings
     REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_recordings('1')`,
  `CREATE TRIGGER recordings_count_removed AFTER DELETE ON recordings
     REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_recordings('-1')`,
  // Most updates leave alone what is counted, and cost nothing then.
  `CREATE TRIGGER recordings_count_moved AFTER UPDATE OF organization_id, folder_id, created_at, status ON recordings
     FOR EACH ROW WHEN ((${counted('OLD')}) IS DISTINCT FROM (${counted('NEW')}))
     EXECUTE FUNCTION count_moved_recording()`,
  `CREATE TRIGGER recordings_count_forgotten AFTER TRUNCATE ON recordings
     FOR EACH STATEMENT EXECUTE FUNCTION forget_recording_counts()`,

  // Folded once here, and not row by row in every search.
  `ALTER TABLE recordings ADD COLUMN title_folded text GENERATED ALWAYS AS (lower(title)) STORED`,
  `ALTER TABLE recordings ALTER COLUMN title_folded DROP EXPRESSION, ALTER COLUMN title_folded SET NOT NULL`,
  `CREATE FUNCTION fold_recording_title() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     NEW.title_folded := lower(NEW.title);
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER recordings_fold_title BEFORE INSERT OR UPDATE OF title, title_folded ON recordings
     FOR EACH ROW EXECUTE FUNCTION fold_recording_title()`,
  `DROP INDEX recordings_title_trgm_idx`,
  `CREATE INDEX recordings_title_trgm_idx ON recordings USING gin (title_folded gin_trgm_ops)`,

  ...INDEXES.map((name) => `DROP INDEX ${name}`),
  `CREATE INDEX recordings_organization_idx ON recordings (organization_id, created_at DESC, id)
     INCLUDE (status, title_folded) WHERE organization_id IS NOT NULL`,
  // The folder: own recordings in a folder that is seen as a whole are listed with the folder.
  `CREATE INDEX recordings_organization_owner_idx
     ON recordings (organization_id, owner_id, created_at DESC, id) INCLUDE (status, folder_id)
     WHERE organization_id IS NOT NULL`,
  `CREATE INDEX recordings_folder_idx ON recordings (folder_id, created_at DESC, id)
     INCLUDE (owner_id, status, title_folded)`,
];

const DOWN = [
  ...INDEXES.map((name) => `DROP INDEX ${name}`),
  `CREATE INDEX recordings_organization_idx ON recordings (organization_id, created_at DESC, id)
     WHERE organization_id IS NOT NULL`,
  `CREATE INDEX recordings_organization_owner_idx
     ON recordings (organization_id, owner_id, created_at DESC, id) INCLUDE (status)
     WHERE organization_id IS NOT NULL`,
  `CREATE INDEX recordings_folder_idx ON recordings (folder_id, created_at DESC, id) INCLUDE (owner_id, status)`,
  `DROP INDEX recordings_title_trgm_idx`,
  `CREATE INDEX recordings_title_trgm_idx ON recordings USING gin (title gin_trgm_ops)`,
  `DROP TRIGGER recordings_fold_title ON recordings`,
  `DROP FUNCTION fold_recording_title`,
  `ALTER TABLE recordings DROP COLUMN title_folded`,
  ...['added', 'removed', 'moved', 'forgotten'].map(
    (what) => `DROP TRIGGER recordings_count_${what} ON recordings`,
  ),
  ...['count_recordings', 'count_moved_recording', 'forget_recording_counts'].map(
    (name) => `DROP FUNCTION ${name}`,
  ),
  `DROP TABLE recording_counts`,
];
