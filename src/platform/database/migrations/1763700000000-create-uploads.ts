import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Uploads with their parts, and what packaging makes of them. */
export class CreateUploads1763700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [
  `ALTER TABLE recordings
    ADD COLUMN status_reason text,
    ADD COLUMN duration double precision,
    ADD COLUMN source_key text,
    ADD COLUMN package_key text,
    ADD COLUMN packaging_id uuid`,

  `CREATE TABLE uploads (
    recording_id uuid CONSTRAINT uploads_pkey PRIMARY KEY
      CONSTRAINT uploads_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
    user_id uuid CONSTRAINT uploads_user_id_fkey REFERENCES users ON DELETE SET NULL,
    size bigint,
    received bigint NOT NULL DEFAULT 0,
    generation integer NOT NULL DEFAULT 0,
    media_type text,
    active_at timestamptz(3) NOT NULL,
    closed_at timestamptz(3),
    CONSTRAINT uploads_received_check CHECK (received >= 0 AND (size IS NULL OR received <= size))
  )`,
  `CREATE INDEX uploads_user_id_idx ON uploads (user_id) WHERE closed_at IS NULL`,

  `CREATE TABLE upload_parts (
    recording_id uuid NOT NULL CONSTRAINT upload_parts_recording_id_fkey REFERENCES uploads ON DELETE CASCADE,
    start bigint NOT NULL,
    size bigint NOT NULL CONSTRAINT upload_parts_size_check CHECK (size > 0),
    key text NOT NULL,
    CONSTRAINT upload_parts_pkey PRIMARY KEY (recording_id, start)
  )`,
];

const DOWN = [
  `DROP TABLE upload_parts`,
  `DROP TABLE uploads`,
  `ALTER TABLE recordings
    DROP COLUMN packaging_id,
    DROP COLUMN package_key,
    DROP COLUMN source_key,
    DROP COLUMN duration,
    DROP COLUMN status_reason`,
];
