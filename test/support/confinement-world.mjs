// A service with secrets, and hostile children of it: `node confinement-world.mjs LEVEL FOLDER` prints what they
// managed, as JSON. FOLDER is empty and belongs to the user who runs this. Without FOLDER, it prints why nothing can be
// isolated here, or null.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forkConfined } from '../../dist/src/lib/processes/confined-child.js';
import {
  setConfinement,
  whyNotIsolated,
  withConfinedFolder,
} from '../../dist/src/lib/processes/confinement.js';
import { packageMedia } from '../../dist/src/lib/media-engine/media-engine.js';

const [level, data] = process.argv.slice(2);
const HOSTILE = fileURLToPath(new URL('hostile-child.mjs', import.meta.url));
const CLIP = fileURLToPath(new URL('../../demo/media/depot-walk-through.mp4', import.meta.url));
const MEGABYTE = 1024 ** 2;
const BOUNDS = { memoryBytes: 1024 * MEGABYTE, cpuSeconds: 60, outputBytes: 8 * MEGABYTE };
const report = {};

/** Writes a secret with the permissions that the service gives it. */
async function secret(path) {
  const file = join(data, path);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, 'secret', { mode: 0o600 });
  return file;
}

/** Runs a child; `judge` sees how it ended before its folder is removed. */
async function hostile(deed, world, judge, bounds = BOUNDS) {
  const attempt = join(data, 'scratch', 'attempt');
  await mkdir(attempt, { recursive: true, mode: 0o700 });
  return withConfinedFolder(attempt, async (folder) => {
    const source = await folder.add(await secret(`scratch/attempt/source`));
    const args = [deed, JSON.stringify({ source, ...world })];
    const options = { bounds, heapMegabytes: 64, readable: [dirname(HOSTILE)] };
    const child = forkConfined(folder, HOSTILE, args, options);
    const started = { child, folder, message: null };
    child.process.on('message', (message) => (started.message = message));
    return judge(started);
  });
}

/** How it ended, or what it reported if it succeeded. */
const outcome = async (started) => {
  const { signal, tooMuchOutput, stderr } = await started.child.ended;
  if (tooMuchOutput) return 'too much output';
  if (started.message !== null) return started.message;
  return /code: '(\w+)'/.exec(stderr)?.[1] ?? signal ?? 'failed';
};
const collected = async (started) => {
  const failure = await outcome(started);
  const mistake = await started.folder
    .collect(data, (file) => file === 'result')
    .then(
      () => null,
      (error) => error.message,
    );
  if (mistake !== null) return mistake;
  const files = readdirSync(data).filter((file) => file === 'result');
  await rm(join(data, 'result'), { force: true });
  return files.length > 0 ? files : failure;
};

async function look() {
  const victim = (port, files) =>
    hostile('wait', {}, async ({ child, folder }) => {
      const own = join(folder.path, 'in', 'secret');
      await writeFile(own, 'secret', { mode: 0o600 });
      const processes = { service: process.pid, 'other child': child.process.pid };
      const world = {
        files: { ...files, "another child's file": own, 'above its folder': '../source' },
        processes,
        port,
        writable: files['signing key'],
      };
      const seen = await hostile('look', world, outcome);
      child.kill();
      await child.ended;
      return seen;
    });
  const files = {
    'signing key': await secret('signing-key'),
    database: await secret('postgres/base/1/1259'),
    'other recording': await secret('objects/recordings/other/source'),
  };
  const server = createServer((socket) => socket.destroy());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  report.look = await victim(server.address().port, files);
  server.close();
}

/** Whether a process of a child that has ended is still there. */
async function lingers(detached) {
  const seconds = 3_000 + process.pid + (detached ? 1 : 0) / 10;
  await hostile('linger', { seconds, detached }, outcome);
  const left = readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${seconds}\0`;
    } catch {
      return false;
    }
  });
  for (const pid of left) process.kill(Number(pid), 'SIGKILL');
  return left.length > 0;
}

async function packageClip() {
  const folder = join(data, 'scratch', 'package');
  await mkdir(folder, { recursive: true });
  const source = join(data, 'scratch', 'clip');
  await writeFile(source, readFileSync(CLIP), { mode: 0o600 });
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  const { duration, thumbnail } = await packageMedia({ source, folder }, options);
  const { mode, uid, gid } = await stat(source);
  const own = uid === process.getuid() && gid === process.getgid();
  const { uid: owner } = await stat(join(folder, thumbnail));
  report.package = {
    duration,
    source: (mode & 0o777).toString(8),
    own,
    owner: owner === process.getuid(),
    left: readdirSync(folder).sort(),
  };
}

if (data === undefined) {
  process.stdout.write(JSON.stringify(await whyNotIsolated()));
  process.exit();
}
setConfinement(level);
await look();
report.memory = await hostile('memory', { megabytes: 2048 }, outcome);
report.cpu = await hostile('cpu', {}, outcome, { ...BOUNDS, cpuSeconds: 1 });
report.file = await hostile('file', { megabytes: 64 }, outcome);
report.files = await hostile('files', { megabytes: 64 }, outcome);
report.lingers = await lingers(false);
report.lingersDetached = await lingers(true);
report.symbolic = await hostile('symbolic', { target: join(data, 'signing-key') }, collected);
report.hard = await hostile('hard', {}, collected);
report.unexpected = await hostile('unexpected', {}, collected);
await packageClip();
process.stdout.write(JSON.stringify(report));
