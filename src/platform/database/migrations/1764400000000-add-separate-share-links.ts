import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Several share links per recording and permission, distinguished by labels. At most one of them is plain, that is without
 * expiry, password and label. Existing links without expiry and password are plain.
 */
export class AddSeparateShareLinks1764400000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  /** Keeps one link per recording and permission, the plain one or else the newest; the others end. */
  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [
  `ALTER TABLE share_links
    DROP CONSTRAINT share_links_recording_id_permission_key,
    ADD COLUMN label text,
    ADD COLUMN plain boolean`,
  `UPDATE share_links SET plain = expires_at IS NULL AND password_hash IS NULL`,
  `ALTER TABLE share_links ALTER COLUMN plain SET NOT NULL`,
  `CREATE UNIQUE INDEX share_links_plain_key ON share_links (recording_id, permission) WHERE plain`,
  `CREATE INDEX share_links_recording_id_idx ON share_links (recording_id)`,
];

const DOWN = [
  `DELETE FROM share_links WHERE id NOT IN (
    SELECT DISTINCT ON (recording_id, permission) id FROM share_links
    ORDER BY recording_id, permission, plain DESC, created_at DESC, id DESC)`,
  `DROP INDEX share_links_recording_id_idx`,
  `DROP INDEX share_links_plain_key`,
  `ALTER TABLE share_links
    DROP COLUMN plain,
    DROP COLUMN label,
    ADD CONSTRAINT share_links_recording_id_permission_key UNIQUE (recording_id, permission)`,
];
