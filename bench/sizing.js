import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cpuOfTree, parentOf } from './cpu-time.js';
import { onEnd } from './endings.js';
import { HttpClient } from './fairness/http-client.js';
import { segmentsOf } from './fairness/texts.js';
import { LiveMeeting } from './live/live-meeting.js';
import { round } from './numbers.js';
import { makeMeeting } from './sizing/meeting-file.js';
import { memoryOfTree } from './sizing/memory.js';
import { liveSpeech } from './speech/recordings.js';
import { IMPORTED, KEY, startService } from './speech/service.js';
import { table } from './table.js';

const DEADLINE_MS = 600_000;
/** After a start or a load, until nothing is left to do. */
const SETTLE_MS = 45_000;
/** Segments of an hour of speech. */
const HOUR = 700;
const REQUESTS = 4_000;
const AT_ONCE = 8;
/** Requests of 100 users, of each one every two seconds. */
const PER_SECOND = 50;

/** CPU seconds per hour of meeting, from what a meeting of `minutes` took. */
const perHour = ([service, postgres], minutes) => round(((service + postgres) * 60) / minutes, 1);
const megabytes = ([service, postgres]) => `${service} MB, ${postgres} MB`;

// The kernel does not account for a confined process that was killed: CPU of a transcription whose process has ended is too low.
/** CPU, memory, disk and database per hour of meeting, and per user. `minutes`: lengths of a live and of a recorded meeting. */
export async function measure({ data, minutes, say }) {
  const folder = join(data, 'sizing');
  const { base, pid, dataDir, databaseUrl } = await startService(folder);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  onEnd(() => database.end());
  const { rows } = await database.query('SELECT pg_backend_pid() AS pid');
  const postgres = parentOf(rows[0].pid);
  const client = new HttpClient({ base, key: KEY, connections: AT_ONCE, timeout: DEADLINE_MS });
  onEnd(() => client.close());
  const cpu = () => [pid, postgres].map((each) => cpuOfTree(each) / 1e6);
  const memory = () => [pid, postgres].map((each) => memoryOfTree(each));
  /** Seconds of CPU that some work takes of the service, and of PostgreSQL. */
  const costOf = async (what, work) => {
    say(what);
    const before = cpu();
    await work();
    return cpu().map((used, n) => used - before[n]);
  };

  say('idle');
  await sleep(SETTLE_MS);
  const idle = memory();

  const [live, recorded] = [minutes[0], minutes.at(-1)];
  const media = await makeMeeting(folder, recorded, say);
  let id = '';
  const packaged = await costOf(`a meeting of ${recorded} min`, async () => {
    id = await recordMeeting(client, media, false);
  });
  const whole = await costOf('with transcript and summary', () => recordMeeting(client, media, true));
  const speech = await liveSpeech(folder, live, say);
  const heard = await costOf(`live, ${live} min in real time`, async () => {
    const meeting = await LiveMeeting.begin(client, 'Live', live * 60);
    await meeting.record(speech);
    await meeting.summarized();
  });

  const sizeOf = async () =>
    Number((await database.query('SELECT pg_database_size(current_database()) AS size')).rows[0].size);
  const sizeBefore = await sizeOf();
  await costOf('transcripts', async () => {
    for (const [n, imported] of IMPORTED.entries()) {
      const transcript = JSON.stringify({ language: 'en', segments: segmentsOf(HOUR, n) });
      await put(client, `/recordings/${imported}/transcript`, transcript, 'application/json');
    }
    await sleep(SETTLE_MS);
  });
  const databaseBytes = ((await sizeOf()) - sizeBefore) / IMPORTED.length;

  const mixture = await mixtureOf(client, id);
  const serve = async (amount) => {
    for (let sent = 0; sent < amount; sent += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) =>
          client.send('GET', ...mixture[(sent + n) % mixture.length]),
        ),
      );
  };
  await costOf('users', () => serve(REQUESTS / 4));
  const asked = await costOf('users', () => serve(REQUESTS));
  const [api, sql] = asked.map((seconds) => round((seconds * 1_000) / REQUESTS));
  const busy = memory();

  const stored = bytesOf(dataDir, id) / media.length;
  const lines = [
    ['an hour of meeting: packaging', `${perHour(packaged, recorded)} s of CPU`],
    [
      'transcript and summary',
      `${round(perHour(whole, recorded) - perHour(packaged, recorded), 1)} s of CPU`,
    ],
    ['live, all of it', `${perHour(heard, live)} s of CPU`],
    ['files', `${round(stored)} times what was uploaded`],
    ['rows of the database', `${Math.round(databaseBytes / 1e3)} kB`],
    ['a request: service, PostgreSQL', `${api} ms, ${sql} ms of CPU`],
    ['100 users at once', `${round(((api + sql) * PER_SECOND) / 1_000)} cores`],
    ['memory under load: service, PostgreSQL', megabytes(busy)],
    ['memory when idle: service, PostgreSQL', megabytes(idle)],
  ];
  process.stdout.write(`${table(['what', 'costs'], lines, { left: 2 }).join('\n')}\n`);
  return { date: new Date().toISOString(), node: process.version, minutes, ...Object.fromEntries(lines) };
}

/** Uploads it, and waits until everything is done; returns its id. */
async function recordMeeting(client, media, transcribe) {
  const recording = { title: 'Sizing', size: media.length, transcribe };
  const { data, status } = await client.api('POST', '/recordings', recording);
  if (!data) throw new Error(`the recording was not created: ${status ?? 'no reply'}`);
  await put(client, `/recordings/${data.id}/media`, media, 'video/mp4');
  for (;;) {
    const { data: now } = await client.api('GET', `/recordings/${data.id}`);
    const done = now.status === 'COMPLETED' && (!transcribe || now.summary.status === 'completed');
    if (done) return data.id;
    if ([now.status, now.transcription.status, now.summary.status].some((is) => /^(ERROR|failed)$/.test(is)))
      throw new Error(`the meeting was not processed: ${JSON.stringify(now)}`);
    await sleep(250);
  }
}

/** Of ten: four lists, three single recordings, two transcripts, and a megabyte of a video. */
async function mixtureOf(client, id) {
  const { data } = await client.api('GET', `/recordings/${id}`);
  const media = new URL(data.videoUrl);
  const [first, second, third] = IMPORTED;
  const transcripts = [first, second].map((each) => `/${each}/transcript`);
  const paths = ['', '', '', '', `/${first}`, `/${second}`, `/${third}`, ...transcripts];
  const range = { headers: { range: 'bytes=0-1048575' }, anonymous: true };
  return [...paths.map((path) => [`/api/v1/recordings${path}`]), [media.pathname + media.search, range]];
}

async function put(client, path, body, type) {
  const reply = await client.send('PUT', `/api/v1${path}`, {
    body,
    headers: { 'content-type': type },
    keep: true,
  });
  if (reply.status !== 200) throw new Error(`PUT ${path}: ${reply.status ?? 'no reply'} ${reply.body ?? ''}`);
}

/** Bytes of the stored files of a recording. */
function bytesOf(folder, id) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, path, name }) => join(parentPath ?? path, name));
  return files.filter((file) => file.includes(id)).reduce((sum, file) => sum + statSync(file).size, 0);
}
