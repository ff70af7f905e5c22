import type { Topic } from '../1_0_0/topic.js';
import { released, replacing } from './released.js';

const CONSTRAINT = 'personal_details_kind_check';
const CHANGE_SOURCE = released('FUNCTION', 'change_source');
const QUEUE_CHANGES = released('FUNCTION', 'queue_changes');

/** As it was, with the name of the client besides the address. */
const CHANGE_SOURCE_WITH_CLIENT = CHANGE_SOURCE.replace(
  'OUT address text',
  'OUT address text, OUT client text',
).replace(`given ->> 'address';`, `given ->> 'address';\n       client := given ->> 'client';`);

const QUEUE_CHANGES_WITH_CLIENT = QUEUE_CHANGES.replace(
  /INSERT INTO personal_details[^;]+;/,
  `INSERT INTO personal_details (at, change_id, kind, user_id, value, salt, commitment)
         SELECT at, id, kind, actor_id, value, salt, sha256(convert_to(salt || value, 'UTF8'))
         FROM (SELECT added.at, added.id, added.actor_id, detail.kind, detail.value, gen_random_uuid()::text AS salt
               FROM added CROSS JOIN change_source() AS source
               CROSS JOIN LATERAL (VALUES ('address', source.address), ('client', source.client)) AS detail (kind, value)
               WHERE detail.value <> '') AS known;`,
);

/** The change log also says with which program a change was made. */
export const CLIENTS: Topic = {
  up: [
    `ALTER TABLE personal_details DROP CONSTRAINT ${CONSTRAINT},
       ADD CONSTRAINT ${CONSTRAINT} CHECK (kind IN ('address', 'client', 'email'))`,
    'DROP FUNCTION change_source',
    CHANGE_SOURCE_WITH_CLIENT,
    replacing(QUEUE_CHANGES_WITH_CLIENT),
  ],
  down: [
    replacing(QUEUE_CHANGES),
    'DROP FUNCTION change_source',
    CHANGE_SOURCE,
    // Seals cover the names that are there: they stay, and so does what permits them.
    `DO $$ BEGIN
       IF NOT EXISTS (SELECT FROM personal_details WHERE kind = 'client') THEN
         ALTER TABLE personal_details DROP CONSTRAINT ${CONSTRAINT},
           ADD CONSTRAINT ${CONSTRAINT} CHECK (kind IN ('address', 'email'));
       END IF;
     END $$`,
  ],
};
