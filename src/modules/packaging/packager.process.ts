/** Entrance of the child process in which `MediabunnyPackager` works: one request, one package, then it ends. */
import { setPriority } from 'node:os';
import { registerMediabunnyServer } from '@mediabunny/server';
import { Logging, LogLevel } from 'mediabunny';
import sharp from 'sharp';
import { makePackage } from './mediabunny-work.js';
import { UnplayableMediaError } from './packager.js';
import { toSent, type PackagerMessage, type PackagerRequest } from './packager-messages.js';

/** Requests are served first. */
const LOW_PRIORITY = 10;
/** A sane file takes a fifth of this; a hostile one shall not take the machine. */
const MAX_MEMORY_BYTES = 2 * 1024 ** 3;
const MEMORY_CHECK_MS = 1000;
const PROGRESS_MS = 200;

try {
  setPriority(LOW_PRIORITY);
} catch {
  // Not allowed everywhere; the work is the same.
}
Logging.level = LogLevel.Silent;
// Graphics hardware differs from machine to machine, and its drivers are one more thing that hostile media could crash.
registerMediabunnyServer({ hardwareContext: null });
sharp.cache(false);

process.once('disconnect', () => process.exit(1));
process.once('message', (request: PackagerRequest) => void work(request));
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_MEMORY_BYTES)
    finish({ kind: 'failed', message: 'the packager took too much memory' });
}, MEMORY_CHECK_MS).unref();

async function work(request: PackagerRequest): Promise<void> {
  try {
    finish({ kind: 'done', made: toSent(await makePackage(request, progress())) });
  } catch (error) {
    if (error instanceof UnplayableMediaError) return finish({ kind: 'unplayable', message: error.message });
    finish({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
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

function finish(message: PackagerMessage): void {
  // Decoders may hold the process open; what was made is complete.
  send(message, () => process.exit(0));
}

function send(message: PackagerMessage, then?: () => void): void {
  process.send?.(message, undefined, undefined, then);
}
