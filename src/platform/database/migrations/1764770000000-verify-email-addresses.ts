import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `ALTER TABLE users ADD COLUMN email_verified boolean NOT NULL DEFAULT false`,
  // Nothing tells whether the links of earlier invitations were emailed or handed over, so those who came with one are not.
  `UPDATE users u SET email_verified = true
   WHERE NOT EXISTS (SELECT FROM api_keys k WHERE k.user_id = u.id AND k.name = 'invitation'
       AND k.created_at < u.created_at + interval '1 minute')
     AND NOT EXISTS (SELECT FROM change_log c
       WHERE c.type = 'user.created' AND c.actor_kind = 'anonymous' AND c.target_id = u.id)`,
  `DROP INDEX users_email_key`,
  `CREATE UNIQUE INDEX users_email_key ON users (lower(email)) WHERE email_verified`,
  `CREATE INDEX users_email_idx ON users (lower(email))`,
  `CREATE FUNCTION log_verified_user() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO change_log (type, actor_kind, actor_id, api_key_id, request_id, target_id, user_id, details)
     SELECT 'user.updated', s.kind, s.user_id, s.api_key_id, s.request_id, NEW.id, NEW.id, '{"fields": ["email_verified"]}'
     FROM change_source() AS s;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER users_log_verified AFTER UPDATE OF email_verified ON users
     FOR EACH ROW WHEN (OLD.email_verified <> NEW.email_verified) EXECUTE FUNCTION log_verified_user()`,
];

/** Fails if several users have the same address, of which one must be changed first. */
const DOWN = [
  `DROP TRIGGER users_log_verified ON users`,
  `DROP FUNCTION log_verified_user`,
  `DROP INDEX users_email_idx`,
  `DROP INDEX users_email_key`,
  `CREATE UNIQUE INDEX users_email_key ON users (lower(email))`,
  `ALTER TABLE users DROP COLUMN email_verified`,
];

/** Only addresses that are known to be a user's own are unique, and stand for them. */
export class VerifyEmailAddresses1764770000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}
