// Child process of the bench that does one piece of work per request, so that the time of the bench itself is not counted.
// Replies with the seconds it took and the CPU seconds of this process and all that it started.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Of the kernel's interface on every architecture that Node supports. */
const TICKS_PER_SECOND = 100;

const { packageMedia } = await import('../../dist/src/lib/media-engine/media-engine.js');

process.on('disconnect', () => process.exit(1));
process.on('message', (request) => {
  answer(request).then(
    (reply) => process.send(reply),
    (error) => process.send({ error: error.message }),
  );
});
process.send('ready');

async function answer(request) {
  const work = request.kind === 'program' ? () => program(request) : packaging(request);
  const cpuBefore = cpuSeconds();
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, ...(cpuBefore !== null && { cpuSeconds: cpuSeconds() - cpuBefore }) };
}

function packaging({ ffmpegPath, source, folder }) {
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  return () => packageMedia({ source, folder, ffmpeg: ffmpegPath }, options);
}

/** At a lower priority too, as the children of a packager. */
async function program({ program: path, args }) {
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (messages += text));
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (status !== 0) throw new Error(`${path} ended with status ${status}: ${messages}`);
}

/** User and system time of this process and of its descendants that have ended; null where the system does not tell. */
function cpuSeconds() {
  if (process.platform !== 'linux') return null;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name in brackets may contain anything; utime, stime, cutime and cstime are fields 14 to 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}
