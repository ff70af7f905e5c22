import { createHash, randomUUID } from 'node:crypto';
import { randomFrom, speech } from './random-speech.js';

/** The users who search, by what they can see. */
export const PEOPLE = ['owner', 'editor', 'personal'];
export const keyOf = (person) => `mrs_bench${person}`.padEnd(44, '0');

const PERSONAL_MEETINGS = 300;
const FOLDERS = 20;
const EDITOR_FOLDERS = 5;
const WORDS_PER_MEETING = 10_000;
const SEGMENTS_PER_CHUNK = 20;
const MEETINGS_PER_BATCH = 20;

/** `meetings` of one hour in one organization, plus 300 personal ones of one user. */
export async function fill(client, meetings, say) {
  const { SearchIndexService } = await import('../dist/src/modules/search/index/search-index.service.js');
  // The words of these texts need no separation in threads.
  const refresher = new SearchIndexService();
  const manager = { query: async (sql, values) => (await client.query(sql, values)).rows };
  const writeEntries = (id) => refresher.refresh(manager, id, { texts: true, transcript: true });
  const random = randomFrom(4);
  const words = speech(random);
  const organization = randomUUID();
  const folders = Array.from({ length: FOLDERS }, () => randomUUID());
  const people = await writePeople(client, { organization, folders });
  const { rows } = await client.query(
    `SELECT indexdef FROM pg_indexes WHERE indexname = 'search_entries_words_idx'`,
  );
  await client.query('DROP INDEX search_entries_words_idx');
  const total = meetings + PERSONAL_MEETINGS;
  for (let from = 0; from < total; from += MEETINGS_PER_BATCH) {
    const batch = Array.from({ length: Math.min(MEETINGS_PER_BATCH, total - from) }, (_, index) => {
      const number = from + index;
      const personal = number >= meetings;
      return {
        id: randomUUID(),
        owner_id: personal ? people.personal : number % 30 === 0 ? people.editor : people.owner,
        organization_id: personal ? null : organization,
        folder_id: personal || number % 2 === 0 ? null : folders[Math.floor(number / 2) % FOLDERS],
        title: words(4),
        notes: number % 3 === 0 ? words(60) : '',
        created_at: new Date(Date.UTC(2026, 0, 1) - number * 3_600_000).toISOString(),
        summary: words(150),
        chunks: chunks(words, random),
      };
    });
    await writeMeetings(client, batch, writeEntries);
    if ((from / MEETINGS_PER_BATCH) % 25 === 24) say(`${from + batch.length} of ${total} meetings written`);
  }
  say('creating the index');
  await client.query(`SET maintenance_work_mem = '512MB'`);
  await client.query(rows[0].indexdef);
  await client.query('VACUUM ANALYZE');
}

/** Segments of 5 to 25 words, at least three seconds each, with alternating speakers. */
function chunks(words, random) {
  const made = [];
  let spoken = 0;
  let id = 0;
  while (spoken < WORDS_PER_MEETING) {
    const segments = [];
    for (let n = 0; n < SEGMENTS_PER_CHUNK && spoken < WORDS_PER_MEETING; n += 1) {
      const count = Math.min(5 + Math.floor(random() * 21), WORDS_PER_MEETING - spoken);
      const start = Number((spoken * 0.36).toFixed(2));
      spoken += count;
      const end = Number((spoken * 0.36).toFixed(2));
      segments.push({
        id: id++,
        start,
        end,
        text: words(count),
        speaker: `Speaker ${1 + (id % 5)}`,
        confidence: 0.9,
      });
    }
    made.push(segments);
  }
  return made;
}

async function writePeople(client, { organization, folders }) {
  const people = Object.fromEntries(PEOPLE.map((person) => [person, randomUUID()]));
  await client.query(`INSERT INTO organizations (id, name, plan) VALUES ($1, 'Bench', 'ENTERPRISE')`, [
    organization,
  ]);
  for (const [person, id] of Object.entries(people)) {
    const key = keyOf(person);
    await client.query(`INSERT INTO users (id, email, name, plan) VALUES ($1, $2, $3, 'PRO')`, [
      id,
      `${person}@bench.test`,
      person,
    ]);
    await client.query(
      `INSERT INTO api_keys (id, user_id, name, prefix, hash, created_at) VALUES ($1, $2, 'bench', $3, $4, now())`,
      [randomUUID(), id, key.slice(0, 12), createHash('sha256').update(key).digest()],
    );
  }
  await client.query(
    `INSERT INTO organization_members (organization_id, user_id, role) VALUES ($1, $2, 'OWNER'), ($1, $3, 'EDITOR')`,
    [organization, people.owner, people.editor],
  );
  await client.query(
    `INSERT INTO folders (id, organization_id, name, restricted)
     SELECT id, $1, 'Folder ' || n, n > $3 FROM unnest($2::uuid[]) WITH ORDINALITY AS listed (id, n)`,
    [organization, folders, EDITOR_FOLDERS],
  );
  return people;
}

async function writeMeetings(client, batch, writeEntries) {
  const rows = JSON.stringify(batch.map((meeting) => ({ ...meeting, chunks: undefined })));
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO recordings (id, owner_id, organization_id, folder_id, title, notes, status, progress, created_at, updated_at)
     SELECT id, owner_id, organization_id, folder_id, title, notes, 'COMPLETED', 1, created_at, created_at
     FROM jsonb_populate_recordset(NULL::recordings, $1)`,
    [rows],
  );
  await client.query(
    `INSERT INTO summaries (recording_id, status, content)
     SELECT id, 'completed', summary FROM jsonb_to_recordset($1) AS row (id uuid, summary text)`,
    [rows],
  );
  const chunkRows = batch.flatMap(({ id, chunks: made }) =>
    made.map((segments, index) => [id, index, JSON.stringify(segments)]),
  );
  await client.query(
    `INSERT INTO transcripts (recording_id, status, language, speakers, segments_count, duration)
     SELECT id, 'completed', 'en', '{}', count, 3600 FROM unnest($1::uuid[], $2::int[]) AS made (id, count)`,
    [batch.map(({ id }) => id), batch.map(({ chunks: made }) => made.flat().length)],
  );
  await client.query(
    `INSERT INTO transcript_chunks (recording_id, chunk_index, segments) SELECT * FROM unnest($1::uuid[], $2::int[], $3::json[])`,
    [0, 1, 2].map((column) => chunkRows.map((row) => row[column])),
  );
  for (const { id } of batch) await writeEntries(id);
  await client.query('COMMIT');
}
