import { migrationOf } from '../../migration-of.js';
import { CHANGE_LOG } from '../1_0_0/change-log.js';

const CONSTRAINT = 'personal_details_kind_check';

const original = (name: string): string =>
  CHANGE_LOG.up.find((statement) => statement.startsWith(`CREATE FUNCTION ${name}(`))!;
const replacing = (statement: string): string =>
  statement.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION');

/** As they were, with the name of the client besides the address. */
const CHANGE_SOURCE = original('change_source')
  .replace('OUT address text', 'OUT address text, OUT client text')
  .replace(`given ->> 'address';`, `given ->> 'address';\n       client := given ->> 'client';`);

const QUEUE_CHANGES = original('queue_changes').replace(
  /INSERT INTO personal_details[^;]+;/,
  `INSERT INTO personal_details (at, change_id, kind, user_id, value, salt, commitment)
         SELECT at, id, kind, actor_id, value, salt, sha256(convert_to(salt || value, 'UTF8'))
         FROM (SELECT added.at, added.id, added.actor_id, detail.kind, detail.value, gen_random_uuid()::text AS salt
               FROM added CROSS JOIN change_source() AS source
               CROSS JOIN LATERAL (VALUES ('address', source.address), ('client', source.client)) AS detail (kind, value)
               WHERE detail.value <> '') AS known;`,
);

const UP = [
  `ALTER TABLE personal_details DROP CONSTRAINT ${CONSTRAINT},
     ADD CONSTRAINT ${CONSTRAINT} CHECK (kind IN ('address', 'client', 'email'))`,
  'DROP FUNCTION change_source',
  CHANGE_SOURCE,
  replacing(QUEUE_CHANGES),
];

const DOWN = [
  replacing(original('queue_changes')),
  'DROP FUNCTION change_source',
  original('change_source'),
  // Seals cover the names that are there: they stay, and so does what permits them.
  `DO $$ BEGIN
     IF NOT EXISTS (SELECT FROM personal_details WHERE kind = 'client') THEN
       ALTER TABLE personal_details DROP CONSTRAINT ${CONSTRAINT},
         ADD CONSTRAINT ${CONSTRAINT} CHECK (kind IN ('address', 'email'));
     END IF;
   END $$`,
];

/** The change log also says with which program a change was made. */
export class LogClients1796000400000 extends migrationOf(UP, DOWN) {}
