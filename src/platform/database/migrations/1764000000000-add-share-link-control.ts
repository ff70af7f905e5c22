import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Expiry, password and views of share links; wrong passwords are counted for all processes together. */
export class AddShareLinkControl1764000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE share_links
        ADD COLUMN expires_at timestamptz(3),
        ADD COLUMN password_hash text,
        ADD COLUMN view_count integer NOT NULL DEFAULT 0,
        ADD COLUMN last_viewed_at timestamptz(3)`,
    );
    // As rate-limiter-flexible wants it. What is lost in a crash is the count of some wrong passwords.
    await queryRunner.query(
      `CREATE UNLOGGED TABLE share_password_tries (
        key text CONSTRAINT share_password_tries_pkey PRIMARY KEY,
        points integer NOT NULL DEFAULT 0,
        expire bigint
      )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE share_password_tries');
    await queryRunner.query(
      `ALTER TABLE share_links
        DROP COLUMN last_viewed_at, DROP COLUMN view_count, DROP COLUMN password_hash, DROP COLUMN expires_at`,
    );
  }
}
