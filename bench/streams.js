import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { onEnd } from './endings.js';
import { createPrepared, openServer } from './fairness/database.js';
import { SEALING_KEY } from './fairness/workspace.js';
import { round } from './numbers.js';
import { freePort, startProcess, untilReady } from './processes.js';
import { HIGH_LIMITS } from './rate-limits.js';
import { table } from './table.js';

const USERS = 100;
const STREAMS_EACH = 10;
/** Megabytes of memory (RSS) of the API process with all streams open. */
const MAX_MB = 300;
/** Changes of a personal recording, one after the other, and of a recording that all users see. */
const CHANGES = { one: 100, all: 5 };
const RECEIVE_MS = 60_000;

const entry = (name) => fileURLToPath(new URL(`../dist/src/entrypoints/${name}.js`, import.meta.url));
const keyOf = (n) => `mrs_stream${String(n).padStart(4, '0')}`.padEnd(44, '0');
const sha256 = (text) => createHash('sha256').update(text).digest();

/**
 * Memory of an API process with 1,000 open streams of events, and milliseconds from the reply to a change until its event has been
 * received: by the ten streams of one user, and by all of them.
 */
export async function measure({ data, say }) {
  const server = await openServer(data);
  const url = await createPrepared(server);
  const { users, shared } = await fill(url);
  const { base, pid } = await start(server.folder, url);
  const quiet = megabytes(pid);
  say(`opening ${USERS * STREAMS_EACH} streams`);
  const streams = [];
  for (const user of users) {
    const opened = Array.from({ length: STREAMS_EACH }, () => openStream(base, user));
    streams.push(...(await Promise.all(opened)));
  }
  const open = megabytes(pid);
  // The streams have read what they missed by then.
  await changed({ base, user: users[0], recording: shared, title: 'First', everyone: true }, streams);
  say('changing recordings of one user');
  const one = [];
  for (let n = 0; n < CHANGES.one; n += 1) {
    const user = users[n % USERS];
    one.push(...(await changed({ base, user, recording: user.recording, title: `One ${n}` }, streams)));
  }
  say('changing a recording that all users see');
  const all = [];
  for (let n = 0; n < CHANGES.all; n += 1) {
    all.push(
      ...(await changed(
        { base, user: users[0], recording: shared, title: `All ${n}`, everyone: true },
        streams,
      )),
    );
  }
  const after = megabytes(pid);
  for (const stream of streams) stream.close();
  const memory = { quiet, open, after };
  const result = {
    date: new Date().toISOString(),
    cores: cpus().length,
    node: process.version,
    postgres: server.version,
    streams: streams.length,
    memory,
    delays: { one: summary(one), all: summary(all) },
  };
  process.stdout.write(`${textOf(result)}\n`);
  return {
    ...result,
    missed: Math.max(open, after) > MAX_MB ? [`memory with ${streams.length} streams`] : [],
  };
}

async function fill(url) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const organization = randomUUID();
  const shared = randomUUID();
  const users = Array.from({ length: USERS }, (_, n) => ({
    id: randomUUID(),
    key: keyOf(n),
    recording: randomUUID(),
  }));
  const insert = (sql, ...values) => client.query(sql, values);
  await insert(
    `INSERT INTO organizations (id, name, plan, subscription_status) VALUES ($1, 'All', 'ENTERPRISE', 'active')`,
    organization,
  );
  for (const [n, { id, key, recording }] of users.entries()) {
    await insert(
      `INSERT INTO users (id, email, name, plan) VALUES ($1, $2, $2, 'PRO')`,
      id,
      `user${n}@bench.test`,
    );
    await insert(
      `INSERT INTO api_keys (id, user_id, name, prefix, hash, created_at) VALUES ($1, $2, 'bench', $3, $4, now())`,
      randomUUID(),
      id,
      key.slice(0, 12),
      sha256(key),
    );
    await insert(
      `INSERT INTO organization_members (organization_id, user_id, role) VALUES ($1, $2, $3)`,
      organization,
      id,
      n === 0 ? 'OWNER' : 'ADMIN',
    );
    await insert(
      `INSERT INTO recordings (id, title, status, progress, created_at, updated_at, owner_id) VALUES ($1, 'Own', 'ERROR', 0, now(), now(), $2)`,
      recording,
      id,
    );
  }
  await insert(
    `INSERT INTO recordings (id, title, status, progress, created_at, updated_at, owner_id, organization_id) VALUES ($1, 'Shared', 'ERROR', 0, now(), now(), $2, $3)`,
    shared,
    users[0].id,
    organization,
  );
  await client.end();
  return { users, shared };
}

/** The API and a worker, as processes of their own. */
async function start(folder, url) {
  const dataDir = mkdtempSync(join(folder, 'service-'));
  onEnd(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
  const port = String(await freePort());
  const env = {
    ...HIGH_LIMITS,
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    SEALING_KEY,
    PORT: port,
  };
  const options = { cwd: dataDir, env, stdio: 'ignore' };
  startProcess(process.execPath, [entry('worker')], options);
  const api = startProcess(process.execPath, [entry('api')], options);
  const base = `http://127.0.0.1:${port}`;
  await untilReady(`${base}/health/ready`, api);
  return { base, pid: api.child.pid };
}

function megabytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return round(Number(kilobytes) / 1024, 0);
}

/** Notes when titles of recordings arrive. */
function openStream(base, user) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${user.key}` };
    const request = get(`${base}/api/v1/events/stream`, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`GET /events/stream: ${response.statusCode}`));
      const received = new Map();
      let rest = '';
      response.setEncoding('utf8').on('data', (text) => {
        const at = performance.now();
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        for (const line of lines)
          if (line.startsWith('data: ')) received.set(JSON.parse(line.slice(6)).data.recording?.title, at);
      });
      response.once('data', () => resolve({ user, received, close: () => request.destroy() }));
    });
    request.once('error', reject);
  });
}

async function changed({ base, user, recording, title, everyone = false }, streams) {
  const response = await fetch(`${base}/api/v1/recordings/${recording}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${user.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title }),
  });
  const at = performance.now();
  if (response.status !== 200) throw new Error(`PATCH: ${response.status} ${await response.text()}`);
  const concerned = streams.filter((stream) => everyone || stream.user === user);
  while (concerned.some(({ received }) => !received.has(title))) {
    if (performance.now() - at > RECEIVE_MS) throw new Error('An event has not been received in time');
    await sleep(1);
  }
  // The event may overtake the reply.
  return concerned.map(({ received }) => Math.max(0, received.get(title) - at));
}

function summary(delays) {
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))], 1);
  return { median: at(0.5), p95: at(0.95), slowest: at(1) };
}

function textOf({ cores, node, postgres, streams, memory, delays }) {
  const head = `Streams: ${streams} open on one process; ${cores} cores, Node ${node}, PostgreSQL ${postgres}`;
  const mb = `RSS of the API: ${memory.quiet} MB without streams, ${memory.open} MB with all, ${memory.after} MB after the changes; target <= ${MAX_MB} MB`;
  const rows = Object.entries({
    'an event of one user (10 streams)': delays.one,
    'an event of all (every stream)': delays.all,
  }).map(([name, values]) => [name, ...Object.values(values).map((value) => value.toFixed(1))]);
  return [head, mb, ...table(['ms from the reply to reception', 'median', 'p95', 'slowest'], rows)].join(
    '\n',
  );
}
