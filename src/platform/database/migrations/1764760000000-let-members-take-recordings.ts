import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations say whether every member may move their own recordings out; until an OWNER permits it, OWNER and ADMIN only. */
export class LetMembersTakeRecordings1764760000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const COLUMN = 'members_may_take_recordings';
const FEATURES = ['downloads', 'sharing', 'transcription', 'summaries', 'questions'];

const planOf = (row: string): string => `jsonb_build_object('plan', ${row}.plan,
  'subscription_status', ${row}.subscription_status, 'subscription_ends_at', ${row}.subscription_ends_at)`;

const both = (old: string, now: string): string => `jsonb_build_object('before', ${old}, 'after', ${now})`;

const log = (type: string, details = `'{}'`): string => `
  INSERT INTO change_log (type, actor_kind, actor_id, api_key_id, request_id, organization_id, target_id, details)
  SELECT 'organization.${type}', s.kind, s.user_id, s.api_key_id, s.request_id, NEW.id, NEW.id, ${details}
  FROM change_source() AS s`;

const distinct = (columns: readonly string[]): string =>
  `(${columns.map((name) => `OLD.${name}`).join(', ')}) IS DISTINCT FROM (${columns.map((name) => `NEW.${name}`).join(', ')})`;

/** The functions of `log-organization-changes`, with these further flags. */
function logging(flags: readonly string[]): readonly string[] {
  const flagsOf = (row: string): string =>
    `jsonb_build_object(${[
      ...FEATURES.map((name) => `'${name}', ${row}.feature_${name}`),
      ...flags.map((name) => `'${name}', ${row}.${name}`),
    ].join(', ')})`;
  const columns = [...FEATURES.map((name) => `feature_${name}`), ...flags];
  return [
    `CREATE OR REPLACE FUNCTION log_new_organization() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       ${log('created', `jsonb_build_object('after', ${planOf('NEW')} || ${flagsOf('NEW')})`)};
       RETURN NULL;
     END $$`,
    `CREATE OR REPLACE FUNCTION log_changed_organization() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL THEN ${log('deleted')}; RETURN NULL; END IF;
       IF OLD.name <> NEW.name THEN ${log('updated', `'{"fields": ["name"]}'`)}; END IF;
       IF ${distinct(columns)} THEN ${log('flags_changed', both(flagsOf('OLD'), flagsOf('NEW')))}; END IF;
       IF ${distinct(['plan', 'subscription_status', 'subscription_ends_at'])} THEN
         ${log('plan_changed', both(planOf('OLD'), planOf('NEW')))};
       END IF;
       RETURN NULL;
     END $$`,
  ];
}

const UP = [
  `ALTER TABLE organizations ADD COLUMN ${COLUMN} boolean NOT NULL DEFAULT false`,
  ...logging([COLUMN]),
];

const DOWN = [...logging([]), `ALTER TABLE organizations DROP COLUMN ${COLUMN}`];
