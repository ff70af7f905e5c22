import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a recording is transcribed once it has been packaged, and the spoken language. Existing recordings are left alone. */
export class AddAutomaticTranscription1764600000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE recordings ADD COLUMN auto_transcribe boolean NOT NULL DEFAULT false, ADD COLUMN language text',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE recordings DROP COLUMN auto_transcribe, DROP COLUMN language');
  }
}
