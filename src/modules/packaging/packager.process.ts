/** Entrance of the child process in which packagers work on media: one request, one answer, then it ends. */
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Logging, LogLevel } from 'mediabunny';
import { UnplayableMediaError } from './packager.js';
import { toSent, type ChildMessage, type ChildRequest } from './packager-messages.js';

/** Requests are served first. */
const LOW_PRIORITY = 10;
/** A sane file takes a fifth of this; a hostile one shall not take the machine. */
const MAX_MEMORY_BYTES = 2 * 1024 ** 3;
const MEMORY_CHECK_MS = 1000;
const PROGRESS_MS = 200;
const ALIVE_MS = 1_000;

try {
  setPriority(LOW_PRIORITY);
} catch {
  // Not allowed everywhere; the work is the same.
}
Logging.level = LogLevel.Silent;
// Closing a decoder that has failed rejects once more, where nobody listens; who reads from it has been told.
process.on('unhandledRejection', () => undefined);
new Worker(new URL('./parent-watch.js', import.meta.url), { workerData: Number(process.argv[2]) }).unref();
process.once('message', (request: ChildRequest) => void answer(request));
setInterval(() => send({ kind: 'alive' }), ALIVE_MS).unref();
setInterval(() => {
  if (process.memoryUsage.rss() < MAX_MEMORY_BYTES) return;
  finish({ kind: 'failed', message: 'the packager took too much memory' });
}, MEMORY_CHECK_MS).unref();

async function answer(request: ChildRequest): Promise<void> {
  try {
    finish(await work(request));
  } catch (error) {
    if (error instanceof UnplayableMediaError) return finish({ kind: 'unplayable', message: error.message });
    finish({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

/** Codecs and image library are loaded only where they are needed. */
async function work(request: ChildRequest): Promise<ChildMessage> {
  if (request.task === 'segment') {
    const { makeSegments } = await import('./segments.js');
    return { kind: 'segmented', duration: await makeSegments(request, progress()) };
  }
  const { registerCodecs } = await import('./codecs.js');
  await registerCodecs();
  if (request.task === 'sound') {
    const { extractSound } = await import('./sound-work.js');
    return { kind: 'sound', duration: await extractSound(request, progress()) };
  }
  const { makePackage } = await import('./mediabunny-work.js');
  return { kind: 'packaged', made: toSent(await makePackage(request, progress())) };
}

/** Sends what is told, though not more often than anyone wants to know. */
function progress(): (fraction: number) => void {
  let sentAt = 0;
  let highest = 0;
  return (fraction) => {
    highest = Math.max(highest, fraction);
    if (Date.now() - sentAt < PROGRESS_MS && fraction < 1) return;
    sentAt = Date.now();
    send({ kind: 'progress', fraction: highest });
  };
}

function finish(message: ChildMessage): void {
  // Decoders may hold the process open; what was made is complete.
  send(message, () => process.exit(0));
}

function send(message: ChildMessage, then?: () => void): void {
  process.send?.(message, undefined, undefined, then);
}
