// The yardstick for writes: a bare `node:http` server that makes the same changes by hand, each in one transaction with
// the fewest statements we know. The schema's triggers work as for the service. No framework, validation or logging.
// Settings: DATABASE_URL, DATA_DIR, PUBLIC_URL, URL_SIGNING_KEY, PORT, POOL_SIZE.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { newId } from '../../dist/src/platform/ids.js';
import { readOne } from '../yardstick/access.js';
import { getDetail } from '../yardstick/detail.js';
import { callerOf } from '../yardstick/key.js';
import { Refusal } from '../yardstick/refusal.js';
import { send } from '../yardstick/send.js';
import { Addresses } from '../yardstick/urls.js';
import { ACCESS, CREATE, DELETE, IMPORT, RECEIVE, RENAME, WATCH } from './statements.js';
import { storeDurably } from './stored-file.js';
import { storedForm } from './stored-transcript.js';

const { DATABASE_URL, DATA_DIR, PUBLIC_URL, URL_SIGNING_KEY, PORT, POOL_SIZE } = process.env;
const IDLE_MS = 3_600_000;
const SUCCESS = '{"success":true}';

const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: Number(POOL_SIZE),
  options: '-c plan_cache_mode=force_generic_plan -c random_page_cost=1.1',
});
const addresses = new Addresses({ publicUrl: PUBLIC_URL, signingKey: URL_SIGNING_KEY, ttl: 3600 });

const server = createServer((request, response) => {
  if (request.url === '/health/ready') return send(response, 200, '{}');
  answer(request).then(
    (body) => send(response, request.method === 'POST' ? 201 : 200, body),
    (error) => {
      if (!(error instanceof Refusal)) process.stderr.write(`${error.stack}\n`);
      send(response, error.status ?? 500, '{}');
    },
  );
});
server.listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));

async function answer(request) {
  const body = await bytesOf(request);
  const caller = await callerOf(pool, request.headers.authorization);
  const [, id, part] = request.url.slice('/api/v1/recordings'.length).split('/');
  if (request.method === 'POST') return create(caller, JSON.parse(body));
  if (request.method === 'PATCH') return rename(caller, id, JSON.parse(body));
  if (request.method === 'DELETE') return remove(caller, id);
  return part === 'media' ? receive(caller, id, body) : importTranscript(caller, id, JSON.parse(body));
}

async function create(caller, { title }) {
  const id = newId();
  const now = new Date();
  const lock = `SELECT FROM users WHERE id = '${caller.id}' FOR NO KEY UPDATE`;
  await transaction(caller, lock, async (client) => {
    const made = await client.query({ ...CREATE, values: [id, caller.id, title, now, true] });
    if (made.rowCount === 0) throw new Refusal(409);
    const idle = new Date(now.getTime() + IDLE_MS);
    await client.query({ ...WATCH, values: [id, caller.id, idle, now.toISOString().slice(0, 10)] });
  });
  return getDetail({ pool, addresses, transcribes: true }, caller, id);
}

async function rename(caller, id, { title }) {
  await change(caller, id, (client) => client.query({ ...RENAME, values: [id, title, new Date()] }));
  return SUCCESS;
}

async function remove(caller, id) {
  await change(caller, id, (client) => client.query({ ...DELETE, values: [id] }));
  return SUCCESS;
}

async function receive(caller, id, body) {
  if (body.toString('latin1', 0, 4) !== 'RIFF') throw new Refusal(415);
  await readOne(pool, ACCESS, id, caller);
  const key = `recordings/${id}/parts/${randomUUID()}`;
  await storeDurably(DATA_DIR, key, body);
  const values = [id, key, body.length, 'audio/wav', new Date(), caller.id];
  await change(caller, id, (client) => client.query({ ...RECEIVE, values }));
  return getDetail({ pool, addresses, transcribes: true }, caller, id);
}

async function importTranscript(caller, id, { segments }) {
  const { speakers, duration, chunks, texts } = storedForm(segments);
  const values = [id, speakers, segments.length, duration, chunks, texts, new Date(), caller.id];
  await change(caller, id, (client) => client.query({ ...IMPORT, values }));
  return SUCCESS;
}

/** Changes a recording that the caller may change, with its row locked. */
async function change(caller, id, work) {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new Refusal(404);
  await transaction(caller, `SELECT FROM recordings WHERE id = '${id}' FOR UPDATE`, async (client) => {
    const { row } = await readOne(client, ACCESS, id, caller);
    if (!row.may_change) throw new Refusal(403);
    if ((await work(client)).rowCount === 0) throw new Refusal(409);
  });
}

/** Begins, announces who causes the changes, and locks, all in one round trip. */
async function transaction(caller, lock, work) {
  const source = {
    kind: 'user',
    userId: caller.id,
    apiKeyId: caller.keyId,
    requestId: randomUUID(),
    address: '127.0.0.1',
  };
  const client = await pool.connect();
  try {
    await client.query(
      `BEGIN; SELECT set_config('meeting_recordings.change_source', '${JSON.stringify(source)}', true); ${lock}`,
    );
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

async function bytesOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
