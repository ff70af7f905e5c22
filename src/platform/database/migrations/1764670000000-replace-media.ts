import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Uploads for recordings that exist already: these keep their media until the new media has been packaged. */
export class ReplaceMedia1764670000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

/** What an upload counts as: what it has declared while it is open, then what has arrived. */
const BYTES = `CASE WHEN NEW.closed_at IS NULL THEN GREATEST(NEW.size, NEW.received) ELSE NEW.received END`;

/** The functions of `add-quotas`, with the bytes that a recording has besides those of the upload. */
const quotaFunctions = (measured: string, forgotten: string): string[] => [
  `CREATE OR REPLACE FUNCTION quota_measure_upload() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     UPDATE recordings SET stored_bytes = ${measured}
     WHERE id = NEW.recording_id AND stored_bytes IS DISTINCT FROM ${measured};
     RETURN NULL;
   END $$`,
  `CREATE OR REPLACE FUNCTION quota_forget_upload() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     UPDATE recordings SET stored_bytes = ${forgotten} WHERE id = OLD.recording_id;
     RETURN NULL;
   END $$`,
];

const measuredOn = (columns: string): string[] => [
  `DROP TRIGGER uploads_quota_measured ON uploads`,
  `CREATE TRIGGER uploads_quota_measured AFTER INSERT OR UPDATE OF ${columns} ON uploads
     FOR EACH ROW EXECUTE FUNCTION quota_measure_upload()`,
];

const UP = [
  `ALTER TABLE uploads
     ADD COLUMN added boolean NOT NULL DEFAULT false,
     ADD COLUMN kept_bytes bigint NOT NULL DEFAULT 0 CONSTRAINT uploads_kept_bytes_check CHECK (kept_bytes >= 0),
     ADD COLUMN progress double precision NOT NULL DEFAULT 0
       CONSTRAINT uploads_progress_check CHECK (progress >= 0 AND progress <= 1),
     ADD COLUMN status_reason text`,
  ...quotaFunctions(`NEW.kept_bytes + ${BYTES}`, `OLD.kept_bytes`),
  ...measuredOn('size, received, closed_at, kept_bytes'),

  `CREATE TABLE retired_media (
    recording_id uuid CONSTRAINT retired_media_pkey PRIMARY KEY
      CONSTRAINT retired_media_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
    media_key text NOT NULL,
    media_type text,
    media_sha256 text,
    source_key text,
    source_type text,
    source_sha256 text,
    package_key text,
    until timestamptz(3) NOT NULL
  )`,

  // Existing transcripts may have been corrected, so they count as written by people.
  `ALTER TABLE transcripts ADD COLUMN generated boolean NOT NULL DEFAULT false`,
];

const DOWN = [
  `ALTER TABLE transcripts DROP COLUMN generated`,
  `DROP TABLE retired_media`,
  // An earlier release would publish these as the first media of their recordings.
  `UPDATE recordings r SET stored_bytes = u.kept_bytes FROM uploads u WHERE u.recording_id = r.id AND u.added`,
  `DELETE FROM uploads WHERE added`,
  ...measuredOn('size, received, closed_at'),
  ...quotaFunctions(BYTES, '0'),
  `ALTER TABLE uploads DROP COLUMN status_reason, DROP COLUMN progress, DROP COLUMN kept_bytes, DROP COLUMN added`,
];
