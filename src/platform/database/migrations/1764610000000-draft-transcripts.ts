import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a running transcription has so far: its progress and its segments, which can be read before it is complete, and with
 * which an interrupted one continues. A draft belongs to one attempt. A trigger removes it when the attempt ends, so that
 * no way of ending one can leave it behind.
 */
export class DraftTranscripts1764610000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE transcripts
        ADD COLUMN confidence_known boolean NOT NULL DEFAULT true,
        ADD COLUMN progress double precision NOT NULL DEFAULT 0,
        ADD COLUMN draft jsonb,
        ADD CONSTRAINT transcripts_progress_check CHECK (progress >= 0 AND progress <= 1)`);
    await queryRunner.query(`
      CREATE TABLE transcript_draft_chunks (
        attempt_id uuid NOT NULL,
        chunk_index integer NOT NULL,
        recording_id uuid NOT NULL,
        segments json NOT NULL,
        CONSTRAINT transcript_draft_chunks_pkey PRIMARY KEY (attempt_id, chunk_index),
        CONSTRAINT transcript_draft_chunks_recording_id_fkey
          FOREIGN KEY (recording_id) REFERENCES transcripts (recording_id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      'CREATE INDEX transcript_draft_chunks_recording_id_idx ON transcript_draft_chunks (recording_id)',
    );
    await queryRunner.query(`
      CREATE FUNCTION end_transcript_draft() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        DELETE FROM transcript_draft_chunks WHERE attempt_id = OLD.attempt_id;
        NEW.progress := 0;
        NEW.draft := NULL;
        RETURN NEW;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER end_transcript_draft BEFORE UPDATE OF attempt_id ON transcripts
      FOR EACH ROW WHEN (OLD.attempt_id IS DISTINCT FROM NEW.attempt_id)
      EXECUTE FUNCTION end_transcript_draft()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER end_transcript_draft ON transcripts');
    await queryRunner.query('DROP FUNCTION end_transcript_draft()');
    await queryRunner.query('DROP TABLE transcript_draft_chunks');
    await queryRunner.query(
      'ALTER TABLE transcripts DROP COLUMN draft, DROP COLUMN progress, DROP COLUMN confidence_known',
    );
  }
}
