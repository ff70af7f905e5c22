import { createHash } from 'node:crypto';
import { chunksOf, DECISIONS, SEGMENTS_PER_CHUNK, TITLE_WORDS, TOPICS } from './texts.js';

/** The callers, by what they can see. Each is a user in the data with an API key. */
export const PEOPLE = {
  personal: 0,
  owner: 1,
  editor: 2,
  'owner of few': 3,
};
export const keyOf = (person) => `mrs_bench${PEOPLE[person]}user`.padEnd(44, '0');

/** The organizations compared for growth. */
export const LARGE = fixedId('2', 0);
export const FEW = fixedId('2', 1);
/** The folder of each that holds a sixtieth of its recordings. */
export const folderOf = (organization) => fixedId('3', organization === LARGE ? 0 : FOLDERS_OF_LARGE);

const FOLDERS_OF_LARGE = 40;
const FOLDERS_OF_OTHERS = 6;
const KINDS_OF_TRANSCRIPTS = 20;
/** So that there are as many as the samples need. */
const MIN_TRANSCRIPTS = 450;
/** In addition to those of the usual length: long enough for a page of 50 chunks. */
const LONG_TRANSCRIPTS = 50;
const LONG_CHUNKS = 50;
const USUAL_CHUNKS = 40;

const STATUSES = `CASE WHEN chance < 0.02 THEN 'ERROR' WHEN chance < 0.03 THEN 'MIGRATING'
  WHEN chance < 0.032 THEN 'PROCESSING' ELSE 'COMPLETED' END`;

/** All quantities for a given number of recordings. */
export function sizesOf(recordings) {
  const part = (share) => Math.max(1, Math.round(recordings * share));
  return {
    recordings,
    users: Math.max(8, part(0.005)),
    organizations: Math.max(4, part(0.0003)),
    large: part(0.2),
    few: part(0.001),
    personal: part(0.0003),
    otherPersonal: part(0.3),
    // Of a small number more, as about half of them are in folders that all members see.
    transcripts: Math.max(part(0.005), Math.min(MIN_TRANSCRIPTS, part(0.02))),
  };
}

/** Writes the data directly into the tables of a migrated, empty database. */
export async function fill(client, recordings, say) {
  const sizes = sizesOf(recordings);
  const later = await dropForBulkLoad(client);
  await client.query(`SET maintenance_work_mem = '512MB'`);
  await client.query(`SET work_mem = '256MB'`);
  await client.query('SELECT setseed(0.5)');
  say('users and organizations');
  for (const statement of places(sizes)) await client.query(statement);
  await writeKeys(client);
  say(`${recordings} recordings`);
  await client.query(RECORDINGS(sizes));
  say('indexes');
  for (const statement of later) await client.query(statement);
  say(`${sizes.transcripts + LONG_TRANSCRIPTS} transcripts`);
  await writeTranscripts(client, sizes);
  await client.query('VACUUM (ANALYZE)');
}

/** Drops foreign keys and indexes, which are faster to build in bulk; returns the statements that recreate them. */
async function dropForBulkLoad(client) {
  const { rows: indexes } = await client.query(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE tablename = 'recordings' AND indexname NOT IN
       (SELECT conname FROM pg_constraint WHERE conrelid = 'recordings'::regclass)`,
  );
  const { rows: references } = await client.query(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = 'recordings'::regclass AND contype = 'f'`,
  );
  for (const { name } of references) await client.query(`ALTER TABLE recordings DROP CONSTRAINT ${name}`);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  return [
    ...indexes.map(({ definition }) => definition),
    ...references.map(
      ({ name, definition }) => `ALTER TABLE recordings ADD CONSTRAINT ${name} ${definition}`,
    ),
  ];
}

/** Every user owns one organization or none, and is a member of one more; the large one has a fifth of all as members. */
function places({ users, organizations }) {
  return [
    `INSERT INTO users (id, email, name, plan)
     SELECT ${idOf('1', 'n')}, 'user' || n || '@bench.test', 'User ' || n, CASE WHEN n % 5 = 4 THEN 'FREE' ELSE 'PRO' END
     FROM generate_series(0, ${users - 1}) n`,
    `INSERT INTO organizations (id, name, plan)
     SELECT ${idOf('2', 'n')}, 'Organization ' || n, CASE WHEN n % 3 = 2 THEN 'PRO' ELSE 'ENTERPRISE' END
     FROM generate_series(0, ${organizations - 1}) n`,
    `INSERT INTO folders (id, organization_id, name, restricted, active)
     SELECT ${idOf('3', 'n')}, ${idOf('2', '0')}, 'Folder ' || n, n % 4 = 3, n % 20 <> 19
     FROM generate_series(0, ${FOLDERS_OF_LARGE - 1}) n
     UNION ALL
     SELECT ${idOf('3', `${FOLDERS_OF_LARGE} + (o - 1) * ${FOLDERS_OF_OTHERS} + n`)}, ${idOf('2', 'o')}, 'Folder ' || n, n = 5, true
     FROM generate_series(1, ${organizations - 1}) o, generate_series(0, ${FOLDERS_OF_OTHERS - 1}) n`,
    `INSERT INTO organization_members (organization_id, user_id, role)
     SELECT ${idOf('2', '0')}, ${idOf('1', 'n')}, CASE n WHEN 1 THEN 'OWNER' WHEN 2 THEN 'EDITOR' ELSE
       (ARRAY['EDITOR', 'EDITOR', 'VIEWER', 'ADMIN'])[1 + n % 4] END
     FROM generate_series(1, ${users - 1}) n WHERE n <> 3 AND (n < 5 OR n % 5 = 0)
     UNION ALL
     SELECT ${idOf('2', `1 + (n - 3) % ${organizations - 1}`)}, ${idOf('1', 'n')},
       CASE WHEN n < ${organizations + 2} THEN 'OWNER' ELSE 'EDITOR' END
     FROM generate_series(3, ${users - 1}) n`,
    // The third user, the editor among the callers, is in every eighth of the restricted ones.
    `INSERT INTO folder_members (folder_id, user_id, organization_id)
     SELECT f.id, m.user_id, f.organization_id FROM folders f JOIN organization_members m USING (organization_id)
     WHERE f.restricted AND (hashtext(f.id::text || m.user_id::text) % 4 = 0
       OR (m.user_id = ${idOf('1', '2')} AND f.id IN (${idOf('3', '3')}, ${idOf('3', '7')})))`,
  ];
}

async function writeKeys(client) {
  for (const [person, number] of Object.entries(PEOPLE)) {
    const key = keyOf(person);
    const hash = createHash('sha256').update(key).digest();
    await client.query(
      `INSERT INTO api_keys (id, user_id, name, prefix, hash, created_at) VALUES ($1, $2, 'bench', $3, $4, now())`,
      [fixedId('4', number), fixedId('1', number), key.slice(0, 12), hash],
    );
  }
  // Brings the table to a realistic size.
  await client.query(
    `INSERT INTO api_keys (id, user_id, name, prefix, hash, created_at)
     SELECT gen_random_uuid(), id, 'other', 'mrs_other000', sha256(id::text::bytea), now() FROM users`,
  );
}

/** Two years of meetings, inserted in chronological order. */
const RECORDINGS = ({ recordings, users, organizations, large, few, personal, otherPersonal }) => `
  INSERT INTO recordings (id, owner_id, organization_id, folder_id, title, status, progress, created_at, updated_at,
    started_at, ended_at, duration, media_key, media_type, media_sha256, package_key)
  SELECT id, owner_id, organization_id, folder_id, title, status, CASE status WHEN 'COMPLETED' THEN 1 ELSE 0.9 END,
    moment, moment, moment - interval '1 hour', moment, 3600,
    CASE WHEN status IN ('COMPLETED', 'MIGRATING') THEN 'recordings/' || id || '/video' END, 'video/mp4', md5(id::text),
    CASE WHEN status IN ('COMPLETED', 'MIGRATING') THEN 'recordings/' || id || '/package' END
  FROM (
    SELECT n, moment,
      (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3)
        || '8' || substr(md5(n::text), 4, 15))::uuid AS id,
      CASE place WHEN 'large' THEN CASE WHEN n % 130 = 0 THEN ${idOf('1', '2')} ELSE ${idOf('1', `5 + 5 * (n % ${Math.max(1, Math.floor(users / 5) - 1)})`)} END
        WHEN 'few' THEN ${idOf('1', '3')}
        WHEN 'personal' THEN ${idOf('1', '0')}
        ELSE ${idOf('1', `2 + n % ${users - 2}`)} END AS owner_id,
      CASE place WHEN 'large' THEN ${idOf('2', '0')} WHEN 'few' THEN ${idOf('2', '1')}
        WHEN 'others' THEN ${idOf('2', `2 + n % ${organizations - 2}`)} END AS organization_id,
      CASE WHEN place IN ('personal', 'other personal') OR n % 3 = 2 THEN NULL
        WHEN place = 'large' THEN ${idOf('3', `(n / 3) % ${FOLDERS_OF_LARGE}`)}
        ELSE ${idOf('3', `${FOLDERS_OF_LARGE} + (CASE place WHEN 'few' THEN 0 ELSE 1 + n % ${organizations - 2} END) * ${FOLDERS_OF_OTHERS} + (n / 3) % ${FOLDERS_OF_OTHERS}`)}
        END AS folder_id,
      words[1 + (30 * r1 * r1)::int] || ' ' || words[31 + (70 * r2 * r2)::int] || ' with ' || words[101 + (200 * r3)::int] AS title,
      ${STATUSES} AS status
    FROM (
      SELECT n, date_trunc('milliseconds', now() - random() * interval '2 years') AS moment,
        random() AS chance, random() AS r1, random() AS r2, random() AS r3,
        CASE WHEN n < ${large} THEN 'large' WHEN n < ${large + few} THEN 'few' WHEN n < ${large + few + personal} THEN 'personal'
          WHEN n < ${large + few + personal + otherPersonal} THEN 'other personal' ELSE 'others' END AS place
      FROM generate_series(0, ${recordings - 1}) n) numbered,
      (SELECT ARRAY[${TITLE_WORDS.map((word) => `'${word}'`).join(', ')}] AS words) vocabulary
    ORDER BY moment) made`;

/** Transcripts for the newest recordings of the large organization; `long`: enough for a page of 50 chunks. */
async function writeTranscripts(client, { transcripts }) {
  const bodies = Array.from({ length: KINDS_OF_TRANSCRIPTS }, (_, kind) => chunksOf(kind, LONG_CHUNKS));
  await client.query('CREATE TEMP TABLE bodies (kind integer, chunk_index integer, segments json)');
  for (const [kind, chunks] of bodies.entries()) {
    await client.query(
      `INSERT INTO bodies SELECT $1, ordinality - 1, value FROM json_array_elements($2::json) WITH ORDINALITY`,
      [kind, JSON.stringify(chunks)],
    );
  }
  await client.query(
    `CREATE TEMP TABLE chosen AS
     SELECT id AS recording_id, n, n % ${KINDS_OF_TRANSCRIPTS} AS kind,
       CASE WHEN n <= ${LONG_TRANSCRIPTS} THEN ${LONG_CHUNKS} ELSE ${USUAL_CHUNKS} END AS chunks
     FROM (SELECT id, row_number() OVER (ORDER BY created_at DESC)::int AS n FROM recordings
       WHERE organization_id = $1 AND status = 'COMPLETED' LIMIT ${transcripts + LONG_TRANSCRIPTS}) newest`.replace(
      '$1',
      `'${LARGE}'`,
    ),
  );
  await client.query(
    `INSERT INTO transcripts (recording_id, status, language, speakers, segments_count, duration)
     SELECT recording_id, 'completed', 'en', ARRAY['Ada', 'Grace', 'Edsger'], chunks * ${SEGMENTS_PER_CHUNK}, chunks * 70 FROM chosen`,
  );
  await client.query(
    `INSERT INTO transcript_chunks (recording_id, chunk_index, segments)
     SELECT recording_id, chunk_index, segments FROM chosen JOIN bodies USING (kind) WHERE chunk_index < chunks
     ORDER BY n, chunk_index`,
  );
  await client.query(
    `INSERT INTO summaries (recording_id, status, content, topics, decisions)
     SELECT recording_id, 'completed', repeat('- Decided to go on as planned. ', 40), $1::json, $2::json FROM chosen`,
    [JSON.stringify(TOPICS), JSON.stringify(DECISIONS)],
  );
  await client.query(
    `INSERT INTO action_items (id, recording_id, position, text, owner, start, segment_ids, done)
     SELECT gen_random_uuid(), recording_id, position, 'Test the backup of the cluster', 'Ada', position * 90, '{4}', false
     FROM chosen CROSS JOIN generate_series(0, 3) AS position`,
  );
}

/** A fixed id: `number` within `kind`. */
function fixedId(kind, number) {
  return `00000000-0000-7000-800${kind}-${String(number).padStart(12, '0')}`;
}

/** The same in SQL, for an expression. */
function idOf(kind, number) {
  return `('00000000-0000-7000-800${kind}-' || lpad((${number})::text, 12, '0'))::uuid`;
}
