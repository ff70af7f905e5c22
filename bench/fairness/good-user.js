import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpClient } from './http-client.js';
import { Samples } from './samples.js';

const VIDEO = readFileSync(
  fileURLToPath(new URL('../../demo/media/depot-walk-through.mp4', import.meta.url)),
);
const REPLY_DEADLINE_MS = 10_000;
const COMPLETED_DEADLINE_MS = 20_000;
const POLL_MS = 50;
const TUS = { 'tus-resumable': '1.0.0' };

/**
 * The operations of the good user. `every`: milliseconds between two requests; `ask(client, world, n)` returns the reply to
 * request number n; `after` removes what it created, outside the measurement.
 */
const OPERATIONS = {
  list: { every: 20, status: 200, ask: (client) => client.send('GET', '/api/v1/recordings') },
  get: {
    every: 20,
    status: 200,
    ask: (client, { good }, n) =>
      client.send('GET', `/api/v1/recordings/${good.recordings[n % good.recordings.length]}`),
  },
  upload: { every: 200, status: 201, ask: startUpload, after: cancelUpload },
  'share page': {
    every: 20,
    status: 200,
    ask: (client, { good }) => client.send('GET', `/s/${good.share}`, { anonymous: true }),
  },
  password: { every: 500, status: 201, ask: enterPassword },
};

const SHORTEST_PACE_MS = Math.min(...Object.values(OPERATIONS).map(({ every }) => every));

/** The operations measured under every load. */
export const COMMON_OPERATIONS = ['list', 'get', 'upload', 'share page'];

/**
 * Runs these operations concurrently for this many seconds; returns a summary of the waits of each. `unpaced`: sends each
 * request right after the previous one, to warm up a freshly started service.
 */
export async function measureOperations({ base, world, names, seconds, unpaced = false }) {
  const client = new HttpClient({
    base,
    key: world.good.key,
    connections: 2 * names.length,
    timeout: REPLY_DEADLINE_MS,
  });
  const measured = names.map(async (name, index) => {
    // Staggered, as requests sent at the same moment would wait for each other.
    await sleep((SHORTEST_PACE_MS * index) / names.length);
    const operation = OPERATIONS[name];
    const every = unpaced ? 0 : operation.every;
    return [name, await repeat({ ...operation, every }, { client, world, seconds })];
  });
  const summaries = Object.fromEntries(await Promise.all(measured));
  client.close();
  return summaries;
}

async function repeat({ every, status, ask, after }, { client, world, seconds }) {
  const samples = new Samples(every);
  const end = performance.now() + seconds * 1000;
  let next = performance.now();
  for (let n = 0; n === 0 || performance.now() < end; n += 1) {
    const reply = await ask(client, world, n);
    samples.add(reply.ms, reply.status !== status);
    await after?.(client, reply);
    next = Math.max(next + every, performance.now());
    await sleep(next - performance.now());
  }
  return samples.summary();
}

/** Declared one byte longer than what is sent, so that nothing is packaged during the measurement. */
function startUpload(client) {
  return client.send('POST', '/api/v1/uploads', {
    headers: {
      ...TUS,
      'upload-length': String(VIDEO.length + 1),
      'upload-metadata': `filename ${Buffer.from('walk.mp4').toString('base64')}`,
      'content-type': 'application/offset+octet-stream',
    },
    body: VIDEO,
  });
}

async function cancelUpload(client, { headers }) {
  if (headers?.location) await client.send('DELETE', new URL(headers.location).pathname, { headers: TUS });
}

function enterPassword(client, { good }) {
  return client.send('POST', `/api/v1/shares/${good.protectedShare}/access`, {
    anonymous: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: good.password }),
  });
}

/** Seconds from the first byte of an upload until its recording is COMPLETED; infinite on a timeout. */
export async function measureCompletion({ base, world }) {
  const client = new HttpClient({ base, key: world.good.key, connections: 1, timeout: REPLY_DEADLINE_MS });
  const started = performance.now();
  const completed = await uploadUntilCompleted(client, started + COMPLETED_DEADLINE_MS);
  client.close();
  return completed ? (performance.now() - started) / 1000 : Infinity;
}

async function uploadUntilCompleted(client, deadline) {
  const { data } = await client.api('POST', '/recordings', { title: 'Walk', size: VIDEO.length });
  if (!data) return false;
  const sent = await client.send('PUT', `/api/v1/recordings/${data.id}/media`, { body: VIDEO });
  if (sent.status !== 200) return false;
  while (performance.now() < deadline) {
    const { data: recording } = await client.api('GET', `/recordings/${data.id}`);
    if (recording?.status === 'COMPLETED') return true;
    await sleep(POLL_MS);
  }
  return false;
}
