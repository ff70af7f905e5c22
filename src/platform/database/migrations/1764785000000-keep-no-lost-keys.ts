import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A key is in use until nothing is sealed with it any more, also no URL that an upload is fetched from. */
export class KeepNoLostKeys1764785000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'INSERT INTO sealing_keys (id) SELECT DISTINCT sealing_key_id FROM upload_sources ON CONFLICT DO NOTHING',
    );
    await queryRunner.query(`
      ALTER TABLE upload_sources ADD CONSTRAINT upload_sources_sealing_key_id_fkey
        FOREIGN KEY (sealing_key_id) REFERENCES sealing_keys (id) ON DELETE RESTRICT`);
    await queryRunner.query('ALTER TABLE sealing_keys DROP COLUMN lost_at');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE sealing_keys ADD COLUMN lost_at timestamptz');
    await queryRunner.query('ALTER TABLE upload_sources DROP CONSTRAINT upload_sources_sealing_key_id_fkey');
  }
}
