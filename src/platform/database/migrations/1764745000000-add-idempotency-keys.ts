import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  // Room on each page for the updates of a row, none of which changes an index.
  `CREATE TABLE idempotency_keys (
    id bytea CONSTRAINT idempotency_keys_pkey PRIMARY KEY,
    user_id uuid NOT NULL,
    request bytea NOT NULL,
    attempt uuid NOT NULL,
    changed boolean NOT NULL DEFAULT false,
    reply bytea,
    leased_until timestamptz(3) NOT NULL,
    expires_at timestamptz(3) NOT NULL
  ) WITH (fillfactor = 70)`,
  // Encrypted, so compressing it would be in vain.
  `ALTER TABLE idempotency_keys ALTER COLUMN reply SET STORAGE EXTERNAL`,
  `CREATE INDEX idempotency_keys_user_id_idx ON idempotency_keys (user_id, expires_at)`,
  `CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at)`,
];

/** Requests with an `Idempotency-Key` header and their encrypted replies, for a day. */
export class AddIdempotencyKeys1764745000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE idempotency_keys');
  }
}
