import { hashOf } from '../yardstick/key.js';

/** As many that their limits of open uploads leave room for a round. */
const WRITERS = 200;
/** Of the first writer, for what is measured one request at a time, and for jobs. */
const OPEN_UPLOADS = 16;

const keyOf = (n) => `mrs_writer${n}x`.padEnd(44, '0');

/** Adds users on plan PRO with an API key each, without recordings. Returns their ids and keys. */
export async function addWriters(client) {
  const keys = Array.from({ length: WRITERS }, (_, n) => keyOf(n));
  const { rows } = await client.query(
    `WITH given AS (
       SELECT gen_random_uuid() AS id, n, hash FROM unnest($1::bytea[]) WITH ORDINALITY AS hashes (hash, n)
     ), added AS (
       INSERT INTO users (id, email, name, plan) SELECT id, 'writer' || n || '@bench.test', 'Writer', 'PRO' FROM given
     ), keyed AS (
       INSERT INTO api_keys (id, user_id, name, prefix, hash, created_at)
       SELECT gen_random_uuid(), id, 'bench', 'mrs_writer00', hash, now() FROM given
     )
     SELECT id FROM given ORDER BY n`,
    [keys.map(hashOf)],
  );
  return rows.map(({ id }, n) => ({ id, key: keys[n] }));
}

/** Adds recordings of the writers in turn, complete and searchable by title; returns `{ id, key }` of each. */
export async function addRecordings(client, writers, count) {
  const owners = Array.from({ length: count }, (_, n) => writers[n % writers.length]);
  const { rows } = await client.query(
    `WITH given AS MATERIALIZED (
       SELECT uuid_v7() AS id, owner_id, n, 'Weekly sync ' || n AS title
       FROM unnest($1::uuid[]) WITH ORDINALITY AS owners (owner_id, n)
     ), added AS (
       INSERT INTO recordings (id, owner_id, title, status, progress, created_at, updated_at, started_at, ended_at,
         duration, media_key, media_type, media_sha256, package_key)
       SELECT id, owner_id, title, 'COMPLETED', 1, now(), now(), now() - interval '2 hours', now(), 7200,
         'recordings/' || id || '/video', 'video/mp4', md5(id::text), 'recordings/' || id || '/package' FROM given
     ), found AS (
       INSERT INTO search_entries (recording_id, source, scope_id, config, words)
       SELECT id, 'title', owner_id, 'simple', to_tsvector('simple', title) FROM given
     )
     SELECT id FROM given ORDER BY n`,
    [owners.map(({ id }) => id)],
  );
  return rows.map(({ id }, n) => ({ id, key: owners[n].key }));
}

/** Adds recordings with an open upload, a few for each writer; returns `{ id, key }` of each. */
export async function addUploads(client, writers, count) {
  const owners = Array.from(
    { length: count },
    (_, n) => writers[Math.floor(n / OPEN_UPLOADS) % writers.length],
  );
  const { rows } = await client.query(
    `WITH given AS MATERIALIZED (
       SELECT uuid_v7() AS id, owner_id, n FROM unnest($1::uuid[]) WITH ORDINALITY AS owners (owner_id, n)
     ), added AS (
       INSERT INTO recordings (id, owner_id, title, status, progress, created_at, updated_at)
       SELECT id, owner_id, 'Weekly sync', 'UPLOADING', 0, now(), now() FROM given
     ), opened AS (
       INSERT INTO uploads (recording_id, user_id, active_at) SELECT id, owner_id, now() FROM given
     )
     SELECT id FROM given ORDER BY n`,
    [owners.map(({ id }) => id)],
  );
  return rows.map(({ id }, n) => ({ id, key: owners[n].key }));
}

/** Removes all recordings of the writers, and lets none of the next measurements wait for a vacuum. */
export async function removeRecordings(client, writers) {
  await client.query('DELETE FROM recordings WHERE owner_id = ANY ($1::uuid[])', [
    writers.map(({ id }) => id),
  ]);
  await client.query('DELETE FROM graphile_worker._private_jobs');
  for (const table of ['recordings', 'search_entries', 'search_words', 'uploads', 'quota_usage'])
    await client.query(`VACUUM ${table}`);
}
