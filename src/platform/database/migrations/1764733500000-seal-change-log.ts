import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Seals over the rows of the change log, chained per organization, with which a later change of the log can be found. */
export class SealChangeLog1764733500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

/** Stands for "no organization": rows about users, keys and personal recordings have a chain of their own. */
const NIL = '00000000-0000-0000-0000-000000000000';

const UP = [
  // The lists of rows are dropped with the month that they cover; `rows_hash` keeps the chain verifiable.
  `CREATE TABLE audit_seals (
    organization_id uuid NOT NULL,
    number bigint NOT NULL CONSTRAINT audit_seals_number_check CHECK (number > 0),
    from_at timestamptz(3) NOT NULL,
    to_at timestamptz(3) NOT NULL,
    row_count integer NOT NULL CONSTRAINT audit_seals_row_count_check CHECK (row_count BETWEEN 1 AND 1000),
    row_ids uuid[],
    row_times bigint[],
    row_hashes bytea,
    rows_hash bytea NOT NULL,
    previous_hash bytea,
    hash bytea NOT NULL,
    sealed_at timestamptz(3) NOT NULL,
    CONSTRAINT audit_seals_pkey PRIMARY KEY (organization_id, number)
  )`,
  `CREATE INDEX audit_seals_listed_idx ON audit_seals (to_at) WHERE row_ids IS NOT NULL`,
  `CREATE FUNCTION refuse_to_change_seals() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     IF TG_OP = 'UPDATE' AND NEW.row_ids IS NULL AND NEW.row_times IS NULL AND NEW.row_hashes IS NULL
       AND (NEW.organization_id, NEW.number, NEW.from_at, NEW.to_at, NEW.row_count, NEW.rows_hash, NEW.previous_hash,
            NEW.hash, NEW.sealed_at)
         IS NOT DISTINCT FROM (OLD.organization_id, OLD.number, OLD.from_at, OLD.to_at, OLD.row_count, OLD.rows_hash,
            OLD.previous_hash, OLD.hash, OLD.sealed_at)
     THEN RETURN NEW; END IF;
     RAISE EXCEPTION 'seals of the change log are append-only' USING ERRCODE = 'insufficient_privilege';
   END $$`,
  `CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE ON audit_seals
     FOR EACH ROW EXECUTE FUNCTION refuse_to_change_seals()`,
  `CREATE TRIGGER audit_seals_not_truncated BEFORE TRUNCATE ON audit_seals
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_log()`,

  `CREATE FUNCTION queue_changes_without_organization() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     INSERT INTO unsealed_changes (organization_id, at, change_id)
       SELECT '${NIL}', at, id FROM added WHERE organization_id IS NULL;
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER change_log_queue_without_organization AFTER INSERT ON change_log
     REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_changes_without_organization()`,
  `INSERT INTO unsealed_changes (organization_id, at, change_id)
     SELECT '${NIL}', at, id FROM change_log WHERE organization_id IS NULL`,
];

const DOWN = [
  `DELETE FROM unsealed_changes WHERE organization_id = '${NIL}'`,
  `DROP TRIGGER change_log_queue_without_organization ON change_log`,
  `DROP FUNCTION queue_changes_without_organization`,
  `DROP TABLE audit_seals`,
  `DROP FUNCTION refuse_to_change_seals`,
];
