import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE uploads ADD COLUMN concat text`,
  `CREATE TABLE partial_uploads (
    id uuid CONSTRAINT partial_uploads_pkey PRIMARY KEY,
    user_id uuid NOT NULL CONSTRAINT partial_uploads_user_id_fkey REFERENCES users ON DELETE CASCADE,
    size bigint,
    received bigint NOT NULL DEFAULT 0,
    turn bigint NOT NULL DEFAULT 0,
    metadata text,
    active_at timestamptz(3) NOT NULL,
    CONSTRAINT partial_uploads_received_check CHECK (received >= 0 AND (size IS NULL OR received <= size))
  )`,
  `CREATE INDEX partial_uploads_user_id_idx ON partial_uploads (user_id)`,
  `CREATE TABLE partial_upload_parts (
    partial_id uuid NOT NULL CONSTRAINT partial_upload_parts_partial_id_fkey REFERENCES partial_uploads ON DELETE CASCADE,
    start bigint NOT NULL,
    size bigint NOT NULL CONSTRAINT partial_upload_parts_size_check CHECK (size > 0),
    key text NOT NULL,
    CONSTRAINT partial_upload_parts_pkey PRIMARY KEY (partial_id, start)
  )`,

  // At the commit, when an upload may have taken the object. Its key is not below that of the recording, whose cleanup
  // therefore does not find it.
  `CREATE INDEX upload_parts_key_idx ON upload_parts (key)`,
  `CREATE FUNCTION discard_partial_object() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     IF NOT EXISTS (SELECT FROM upload_parts WHERE key = OLD.key) THEN
       PERFORM graphile_worker.add_job('media.discard', json_build_object('keys', json_build_array(OLD.key)));
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE CONSTRAINT TRIGGER partial_upload_parts_discarded AFTER DELETE ON partial_upload_parts
     DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION discard_partial_object()`,
  `CREATE CONSTRAINT TRIGGER upload_parts_discarded AFTER DELETE ON upload_parts
     DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
     WHEN (OLD.key NOT LIKE 'recordings/' || OLD.recording_id || '/%') EXECUTE FUNCTION discard_partial_object()`,

  `CREATE FUNCTION quota_count_partial() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     IF TG_OP <> 'INSERT' THEN
       INSERT INTO quota_usage (scope_id, stored_bytes) VALUES (OLD.user_id, -COALESCE(OLD.size, OLD.received));
     END IF;
     IF TG_OP <> 'DELETE' THEN
       INSERT INTO quota_usage (scope_id, stored_bytes) VALUES (NEW.user_id, COALESCE(NEW.size, NEW.received));
     END IF;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER partial_uploads_quota_changed AFTER INSERT OR DELETE OR UPDATE OF size, received ON partial_uploads
     FOR EACH ROW EXECUTE FUNCTION quota_count_partial()`,
];

const DOWN = [
  `DROP TRIGGER upload_parts_discarded ON upload_parts`,
  `DROP INDEX upload_parts_key_idx`,
  `DELETE FROM partial_uploads`,
  `SET CONSTRAINTS ALL IMMEDIATE`,
  `DROP TABLE partial_upload_parts`,
  `DROP TABLE partial_uploads`,
  `DROP FUNCTION discard_partial_object`,
  `DROP FUNCTION quota_count_partial`,
  `ALTER TABLE uploads DROP COLUMN concat`,
];

/** Partial uploads, which tus joins to one. */
export class AddPartialUploads1764652000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}
