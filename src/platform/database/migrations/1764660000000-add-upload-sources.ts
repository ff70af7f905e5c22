import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Uploads whose bytes the service fetches itself. The URL may contain a secret: it is encrypted, and its row is removed as soon
 * as the upload ends. No foreign key to `sealing_keys`, so that a key can be retired: fetching ends within a day, sooner than
 * the previous key.
 */
export class AddUploadSources1764660000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE uploads ADD COLUMN fetched boolean NOT NULL DEFAULT false');
    await queryRunner.query(`
      CREATE TABLE upload_sources (
        recording_id uuid CONSTRAINT upload_sources_pkey PRIMARY KEY
          CONSTRAINT upload_sources_recording_id_fkey REFERENCES uploads (recording_id) ON DELETE CASCADE,
        url_sealed bytea NOT NULL,
        sealing_key_id text NOT NULL,
        validator text,
        failures integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL
      )`);
  }

  /** What is being fetched fails: nothing would continue it. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      UPDATE recordings SET status = 'ERROR', status_reason = 'The file could not be fetched.'
      WHERE id IN (SELECT recording_id FROM uploads WHERE fetched AND closed_at IS NULL)`);
    await queryRunner.query('DELETE FROM uploads WHERE fetched AND closed_at IS NULL');
    await queryRunner.query('DROP TABLE upload_sources');
    await queryRunner.query('ALTER TABLE uploads DROP COLUMN fetched');
  }
}
