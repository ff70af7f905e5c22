import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Points of rate limits that processes have leased, for a minute each. Not logged: the rows are worthless after the minute,
 * and a crash of PostgreSQL may empty the table.
 */
export class AddRateLimits1764620000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNLOGGED TABLE rate_limits (
        minute integer NOT NULL,
        id text NOT NULL,
        taken integer NOT NULL,
        CONSTRAINT rate_limits_pkey PRIMARY KEY (minute, id)
      ) WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE rate_limits');
  }
}
