import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the audit log needs of the change log: indexes for its filters, and partitions that nobody empties or edits. */
export class GuardChangeLog1764733000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const GUARDS = [
  // Personal details may be erased, which leaves the commitment, and nothing else.
  `CREATE FUNCTION refuse_to_change_personal_details() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     IF TG_OP = 'UPDATE' AND NEW.value IS NULL AND NEW.salt IS NULL
       AND (NEW.at, NEW.change_id, NEW.kind, NEW.user_id, NEW.commitment)
         IS NOT DISTINCT FROM (OLD.at, OLD.change_id, OLD.kind, OLD.user_id, OLD.commitment)
     THEN RETURN NEW; END IF;
     RAISE EXCEPTION 'personal details of the change log can only be erased' USING ERRCODE = 'insufficient_privilege';
   END $$`,
  `CREATE TRIGGER personal_details_only_erased BEFORE UPDATE OR DELETE ON personal_details
     FOR EACH ROW EXECUTE FUNCTION refuse_to_change_personal_details()`,
  `CREATE TRIGGER personal_details_not_truncated BEFORE TRUNCATE ON personal_details
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_log()`,

  // Unlike row triggers, those of statements are not cloned to partitions.
  `CREATE FUNCTION guard_change_log_partitions() RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     partition regclass;
   BEGIN
     FOR partition IN
       SELECT i.inhrelid::regclass FROM pg_inherits i
       WHERE i.inhparent IN ('change_log'::regclass, 'personal_details'::regclass)
         AND NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = i.inhrelid AND t.tgname = 'partition_not_truncated')
     LOOP
       EXECUTE format('CREATE TRIGGER partition_not_truncated BEFORE TRUNCATE ON %s
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_log()', partition);
     END LOOP;
   END $$`,
  `ALTER FUNCTION create_change_log_partitions RENAME TO attach_change_log_partitions`,
  `CREATE FUNCTION create_change_log_partitions(since timestamptz, months integer) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
     PERFORM attach_change_log_partitions(since, months);
     PERFORM guard_change_log_partitions();
   END $$`,
  `SELECT guard_change_log_partitions()`,
];

const INDEXES = [
  // With the id first, it does not have the order of the log: PostgreSQL could otherwise read all rows of a month from it, to find the
  // few of an organization or a type.
  `ALTER TABLE change_log DROP CONSTRAINT change_log_pkey`,
  `ALTER TABLE change_log ADD CONSTRAINT change_log_pkey PRIMARY KEY (id, at)`,
  // What concerns a recording or a user without being about it, such as a share link of the recording. The rest is found by target.
  `CREATE INDEX change_log_organization_recording_idx ON change_log (organization_id, recording_id, at, id)
     WHERE recording_id <> target_id`,
  `CREATE INDEX change_log_organization_user_idx ON change_log (organization_id, user_id, at, id)
     WHERE user_id <> target_id AND organization_id IS NOT NULL`,
  // Whether a sign-in from an address has been logged already.
  `CREATE INDEX change_log_sign_in_idx ON change_log (api_key_id, at) WHERE type = 'sign_in.succeeded'`,
];

const UP = [...GUARDS, ...INDEXES];

const DOWN = [
  `DROP INDEX change_log_sign_in_idx`,
  `DROP INDEX change_log_organization_user_idx`,
  `DROP INDEX change_log_organization_recording_idx`,
  `ALTER TABLE change_log DROP CONSTRAINT change_log_pkey`,
  `ALTER TABLE change_log ADD CONSTRAINT change_log_pkey PRIMARY KEY (at, id)`,
  `DROP FUNCTION create_change_log_partitions`,
  `ALTER FUNCTION attach_change_log_partitions RENAME TO create_change_log_partitions`,
  `DROP FUNCTION guard_change_log_partitions`,
  `DO $$
   DECLARE
     partition regclass;
   BEGIN
     FOR partition IN SELECT tgrelid::regclass FROM pg_trigger WHERE tgname = 'partition_not_truncated' LOOP
       EXECUTE format('DROP TRIGGER partition_not_truncated ON %s', partition);
     END LOOP;
   END $$`,
  `DROP TRIGGER personal_details_not_truncated ON personal_details`,
  `DROP TRIGGER personal_details_only_erased ON personal_details`,
  `DROP FUNCTION refuse_to_change_personal_details`,
];
