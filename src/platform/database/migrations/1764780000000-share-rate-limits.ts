import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One table for everything that is counted over all processes, as rate-limiter-flexible wants it. */
export class ShareRateLimits1764780000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE rate_limits');
    await queryRunner.query('ALTER TABLE share_password_tries RENAME TO rate_limits');
    await queryRunner.query('ALTER INDEX share_password_tries_pkey RENAME TO rate_limits_pkey');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER INDEX rate_limits_pkey RENAME TO share_password_tries_pkey');
    await queryRunner.query('ALTER TABLE rate_limits RENAME TO share_password_tries');
    await queryRunner.query(`
      CREATE UNLOGGED TABLE rate_limits (
        minute integer NOT NULL,
        id text NOT NULL,
        taken integer NOT NULL,
        CONSTRAINT rate_limits_pkey PRIMARY KEY (minute, id)
      ) WITH (fillfactor = 50)`);
  }
}
