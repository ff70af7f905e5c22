import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { cpuOfTree, descendantsOf, parentOf } from './cpu-time.js';
import { onEnd } from './endings.js';
import { HttpClient } from './fairness/http-client.js';
import { segmentsOf } from './fairness/texts.js';
import { LiveMeeting } from './live/live-meeting.js';
import { round } from './numbers.js';
import { findFfmpeg, runFfmpeg } from './packaging/ffmpeg.js';
import { Meeting } from './speech/meeting.js';
import { liveSpeech, longSpeech } from './speech/recordings.js';
import { IMPORTED, KEY, startService } from './speech/service.js';
import { table } from './table.js';

const DEADLINE_MS = 600_000;
/** After a start, until nothing is left to do. */
const SETTLE_MS = 45_000;
/** Segments of an hour of speech. */
const HOUR = 700;
const REQUESTS = 4_000;
/** A user makes a request every two seconds. */
const PER_SECOND = 50;
const RANGE = { range: 'bytes=0-1048575' };

/** What meetings and users cost: CPU time, memory, and bytes of disk and database. `minutes`: of the meeting; the first counts. */
export async function measure({ data, minutes: [minutes], say }) {
  const folder = join(data, 'sizing');
  const { base, pid, dataDir, databaseUrl } = await startService(folder);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  onEnd(() => database.end());
  const { rows: own } = await database.query('SELECT pg_backend_pid() AS pid');
  const postgres = parentOf(own[0].pid);
  const client = new HttpClient({ base, key: KEY, connections: 8, timeout: DEADLINE_MS });
  onEnd(() => client.close());
  const speech = await longSpeech(folder, minutes, say);
  const video = makeVideo(folder, minutes, speech, say);
  const live = await liveSpeech(folder, minutes, say);
  const cpu = () => ({ service: cpuOfTree(pid), postgres: cpuOfTree(postgres) });
  /** Seconds of CPU since `before`, of the service and PostgreSQL together. */
  const since = (before) => (cpuOfTree(pid) - before.service + cpuOfTree(postgres) - before.postgres) / 1e6;

  say('idle');
  await sleep(SETTLE_MS);
  const idle = {
    service: memoryOf([pid, ...descendantsOf(pid)]),
    postgres: memoryOf([postgres, ...descendantsOf(postgres)]),
  };
  let before = cpu();
  await sleep(SETTLE_MS / 3);
  const resting = since(before) / (SETTLE_MS / 3_000);

  say(`a meeting of ${minutes} min`);
  const [first, second] = [{ transcribe: false }, { transcribe: true }];
  before = cpu();
  first.id = await send(client, video, first);
  await until(client, first.id, ({ status }) => status === 'COMPLETED');
  const packaging = since(before);
  before = cpu();
  second.id = await send(client, video, second);
  await until(
    client,
    second.id,
    ({ status, transcription }) => status === 'COMPLETED' && transcription.status === 'completed',
  );
  const transcribed = since(before) - packaging;
  before = cpu();
  await until(client, second.id, ({ summary }) => summary.status === 'completed');
  const summary = since(before);
  const bytes = bytesOf(dataDir, first.id);

  say(`live, ${minutes} min in real time`);
  before = cpu();
  const meeting = await LiveMeeting.begin(client, 'Live', minutes * 60);
  await meeting.record(live);
  await meeting.summarized();
  const whole = since(before);

  say('transcripts');
  const transcript = (n) => JSON.stringify({ language: 'en', segments: segmentsOf(HOUR, n) });
  const sizeOf = async () =>
    Number((await database.query('SELECT pg_database_size(current_database()) AS size')).rows[0].size);
  const wasSize = await sizeOf();
  for (const [n, id] of IMPORTED.entries())
    await put(client, `/api/v1/recordings/${id}/transcript`, transcript(n), 'application/json');
  await sleep(SETTLE_MS / 3);
  const databaseBytes = ((await sizeOf()) - wasSize) / IMPORTED.length;

  say('users');
  const { data: detail } = await client.api('GET', `/recordings/${first.id}`);
  const media = new URL(detail.videoUrl);
  const paths = [
    '',
    '',
    '',
    '',
    `/${IMPORTED[1]}`,
    `/${IMPORTED[2]}`,
    `/${IMPORTED[3]}`,
    `/${IMPORTED[4]}/transcript`,
    `/${IMPORTED[5]}/transcript`,
  ].map((path) => [`/api/v1/recordings${path}`]);
  const mixture = [...paths, [`${media.pathname}${media.search}`, { headers: RANGE, anonymous: true }]];
  const serve = async (amount) => {
    for (let sent = 0; sent < amount; sent += 8)
      await Promise.all(
        Array.from({ length: 8 }, (_, n) => client.send('GET', ...mixture[(sent + n) % mixture.length])),
      );
  };
  await serve(REQUESTS / 4);
  before = cpu();
  await serve(REQUESTS);
  const after = cpu();
  const cost = (side) => round((after[side] - before[side]) / REQUESTS / 1_000);
  const users = {
    service: cost('service'),
    postgres: cost('postgres'),
    cores: round(((cost('service') + cost('postgres')) * PER_SECOND) / 1_000),
    memory: memoryOf([pid, ...descendantsOf(pid)]),
  };

  const hours = minutes / 60;
  const perHour = Object.fromEntries(
    Object.entries({ packaging, transcribed, summary, live: whole }).map(([name, used]) => [
      name,
      round(used / hours, 1),
    ]),
  );
  const result = {
    date: new Date().toISOString(),
    cores: cpus().length,
    minutes,
    idle,
    resting: round(resting, 3),
    cpuSecondsPerHour: perHour,
    sourceBytes: video.length,
    bytes,
    databaseBytesPerHour: Math.round(databaseBytes),
    users,
  };
  process.stdout.write(`${report(result)}\n`);
  return result;
}

/** A meeting in 720p with little movement, as H.264 with AAC: 1 Mbit/s. */
function makeVideo(folder, minutes, speech, say) {
  const ffmpeg = findFfmpeg();
  if (!ffmpeg)
    throw new Error('FFmpeg, which makes the video, is not on the PATH (Debian: apt-get install ffmpeg)');
  say('making the video');
  const [clip, sound, file] = ['clip.mp4', 'sound.mp4', 'meeting.mp4'].map((name) => join(folder, name));
  writeFileSync(sound, speech);
  const picture = 'testsrc2=size=1280x720:rate=25,noise=alls=6:allf=t';
  const coded =
    '-c:v libx264 -preset veryfast -b:v 1M -maxrate 1M -bufsize 2M -bf 0 -g 50 -pix_fmt yuv420p'.split(' ');
  runFfmpeg(ffmpeg.path, ['-f', 'lavfi', '-i', picture, '-t', '10', ...coded, clip]);
  const both = ['-stream_loop', String(minutes * 6), '-i', clip, '-i', sound, '-map', '0:v', '-map', '1:a'];
  runFfmpeg(ffmpeg.path, [
    ...both,
    '-c',
    'copy',
    '-t',
    String(minutes * 60),
    '-movflags',
    '+faststart',
    file,
  ]);
  return readFileSync(file);
}

async function send(client, media, { transcribe }) {
  const { data, status } = await client.api('POST', '/recordings', {
    title: 'Sizing',
    size: media.length,
    transcribe,
  });
  if (!data) throw new Error(`the recording was not created: ${status ?? 'no reply'}`);
  await put(client, `/api/v1/recordings/${data.id}/media`, media, 'video/mp4');
  return data.id;
}

async function put(client, path, body, type) {
  const { status, body: reply } = await client.send('PUT', path, {
    body,
    headers: { 'content-type': type },
    keep: true,
  });
  if (status !== 200) throw new Error(`PUT ${path}: ${status ?? 'no reply'} ${reply ?? ''}`);
}

async function until(client, id, reached) {
  for (;;) {
    const { data } = await client.api('GET', `/recordings/${id}`);
    if (data.status === 'ERROR' || data.transcription.status === 'failed')
      throw new Error(JSON.stringify(data));
    if (reached(data)) return;
    await sleep(250);
  }
}

/** Bytes of the files of a recording: of each kind, by the end of their names. */
function bytesOf(folder, id) {
  const sums = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !path.includes(id)) continue;
    const kind = extname(entry.name) || basename(entry.name);
    sums[kind] = (sums[kind] ?? 0) + statSync(path).size;
  }
  return sums;
}

/** Megabytes of these processes, of which each counts its share of what several use (PSS). */
function memoryOf(pids) {
  const kilobytes = pids.map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]),
  );
  return Math.round((kilobytes.reduce((sum, each) => sum + each, 0) * 1_024) / 1e6);
}

function report({
  minutes,
  idle,
  resting,
  cpuSecondsPerHour,
  sourceBytes,
  bytes,
  databaseBytesPerHour,
  users,
}) {
  const lines = [
    ...Object.entries(cpuSecondsPerHour).map(([name, seconds]) => [
      `an hour of meeting, ${name}`,
      `${seconds} s of CPU`,
    ]),
    ...Object.entries(bytes).map(([kind, size]) => [
      `its files ${kind}`,
      `${round(size / sourceBytes)} of the source (${Math.round(sourceBytes / minutes / 1e3)} kB a minute)`,
    ]),
    ['its rows, with transcript and search', `${Math.round(databaseBytesPerHour / 1e3)} kB`],
    ['a request: service, PostgreSQL', `${users.service} ms, ${users.postgres} ms of CPU`],
    ['100 users at once', `${users.cores} cores, ${users.memory} MB`],
    ['idle: service, PostgreSQL', `${idle.service} MB, ${idle.postgres} MB, ${resting} cores`],
  ];
  return table(['what', 'costs'], lines, { left: 2 }).join('\n');
}
