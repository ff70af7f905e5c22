import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFile, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterContext } from './cluster.js';
import { EmbeddedPostgresError, errorCode } from './embedded-postgres.error.js';
import { readIfPresent, type PostgresLayout } from './folders.js';
import { Lease } from './lease.js';
import { readPostmasterState, removeStalePidFile, startPostmaster } from './postmaster.js';

const POLL_MS = 10;
const RETRY_START_MS = 100;
/** Waiting without any progress; crash recovery replays all since the last checkpoint, which may take minutes. */
const GIVE_UP_MS = 60_000;
const GIVE_UP_ON_STARTS_MS = 20_000;

/** Backends of a killed server are still exiting, another process was faster, or a program took the port. */
const WORTH_ANOTHER_START =
  /lock file .* (already exists|is empty)|pre-existing shared memory block|could not create any TCP\/IP sockets|Address already in use/;

const DELIBERATE: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGQUIT']);
const DISK_FULL_BELOW_BYTES = 1024 * 1024;

// Below the ephemeral port range of operating systems, so that the port is likely to stay free.
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_000;

/** Starts the server unless it runs, and takes a lease on it. Any number of processes may do this at once. */
export async function bringUp(context: ClusterContext, password: string, fixedPort?: number): Promise<Lease> {
  const { layout, onEvent } = context;
  const logged = (await stat(layout.log).catch(() => undefined))?.size ?? 0;
  let waitUntil = Date.now() + GIVE_UP_MS;
  let startUntil: number | undefined;
  let server: ChildProcess | undefined;
  for (;;) {
    const state = await readPostmasterState(layout);
    if (state.kind === 'ready') {
      assertSamePort(state.port, fixedPort);
      const lease = await takeLease(state.port, state.pid, password);
      if (lease) return lease;
    } else if (state.kind === 'starting') {
      waitUntil = Date.now() + GIVE_UP_MS;
    } else if (state.kind === 'stale') {
      onEvent('Removing a stale postmaster.pid');
      await removeStalePidFile(layout, state.text);
    } else if (state.kind === 'stopped' && !(server && isRunning(server))) {
      if (server) {
        startUntil ??= Date.now() + GIVE_UP_ON_STARTS_MS;
        await assertWorthAnotherStart(layout, server, startUntil, logged);
      }
      const port = fixedPort ?? (await choosePort(layout));
      if (!server) onEvent(`Starting PostgreSQL on 127.0.0.1:${port}`);
      server = await startPostmaster(context, port);
    }
    if (Date.now() > waitUntil) throw failed('it does not respond', await logFrom(layout, logged));
    await sleep(POLL_MS);
  }
}

function assertSamePort(port: number, wanted: number | undefined): void {
  if (wanted === undefined || port === wanted) return;
  throw new EmbeddedPostgresError(
    `PostgreSQL was restarted by another process on port ${port} instead of ${wanted}. Restart the service.`,
  );
}

async function takeLease(port: number, pid: number, password: string): Promise<Lease | undefined> {
  try {
    return await Lease.take(port, pid, password);
  } catch (error) {
    const reason = errorCode(error) === '28P01' ? 'it rejects the stored password' : String(error);
    throw new EmbeddedPostgresError(`Cannot use the PostgreSQL on 127.0.0.1:${port}: ${reason}.`, {
      cause: error,
    });
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

async function assertWorthAnotherStart(
  layout: PostgresLayout,
  { exitCode, signalCode }: ChildProcess,
  startUntil: number,
  logged: number,
): Promise<void> {
  const log = await logFrom(layout, logged);
  // Shut down or killed from outside, or lost a race with another process.
  const passing =
    exitCode === 0 || (signalCode && DELIBERATE.has(signalCode)) || WORTH_ANOTHER_START.test(log);
  if (!passing || Date.now() > startUntil) {
    if (await isDiskFull(layout.home)) throw failed(`the disk that holds ${layout.home} is full`, log);
    throw failed(signalCode ? `it was terminated by ${signalCode}` : 'it does not start', log);
  }
  if (exitCode !== 0) await sleep(RETRY_START_MS);
}

/** Checks the disk itself, as the log cannot be written to either when it is full. */
async function isDiskFull(path: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize < DISK_FULL_BELOW_BYTES;
}

/** The end of what the server has logged meanwhile. */
async function logFrom({ log }: PostgresLayout, from: number): Promise<string> {
  const bytes = await readFile(log);
  return bytes.subarray(bytes.length < from ? 0 : from).toString();
}

function failed(reason: string, log: string): EmbeddedPostgresError {
  const lines = log.trim().split('\n').slice(-10).join('\n');
  return new EmbeddedPostgresError(`The embedded PostgreSQL cannot be used: ${reason}.\n${lines}`.trim());
}

/** The port of the last start, which PostgreSQL has noted, if it is free; otherwise another free one. */
async function choosePort(layout: PostgresLayout): Promise<number> {
  const options = (await readIfPresent(join(layout.data, 'postmaster.opts'))) ?? '';
  let port = Number(/"port=(\d+)"/.exec(options)?.[1] ?? randomInt(LOWEST_PORT, HIGHEST_PORT));
  while (!(await isFree(port))) port = randomInt(LOWEST_PORT, HIGHEST_PORT);
  return port;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
