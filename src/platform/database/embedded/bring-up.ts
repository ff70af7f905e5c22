import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterContext } from './cluster-init.js';
import { EmbeddedPostgresError, errorCode } from './embedded-postgres.error.js';
import { Lease } from './lease.js';
import { startPostmaster, type StartingPostmaster } from './postmaster.js';
import { readPostmasterState, removeStalePidFile } from './postmaster-state.js';
import { choosePort } from './server-port.js';

const POLL_MS = 10;
const RETRY_START_MS = 100;
const GIVE_UP_ON_STARTS_MS = 20_000;
const GIVE_UP_MS = 60_000;
/** Crash recovery replays everything since the last checkpoint, which may take minutes. */
const GIVE_UP_ON_RECOVERY_MS = 10 * 60_000;

/** Backends of a killed server are still exiting, another process was faster, or a program took the port. */
const WORTH_ANOTHER_START =
  /lock file .* (already exists|is empty)|pre-existing shared memory block|could not create any TCP\/IP sockets|Address already in use/;

const DELIBERATE: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGQUIT']);
const DISK_FULL_BELOW_BYTES = 1024 * 1024;

/** Starts the server unless it is running, and takes a lease on it. Any number of processes may do this concurrently. */
export async function bringUp(context: ClusterContext, password: string, fixedPort?: number): Promise<Lease> {
  const { layout, onEvent } = context;
  const begun = Date.now();
  let waitUntil = begun + GIVE_UP_MS;
  let starting: StartingPostmaster | undefined;
  let failingSince: number | undefined;
  for (;;) {
    const state = await readPostmasterState(layout);
    if (state.kind === 'ready') {
      assertSamePort(state.port, fixedPort);
      const lease = await takeLease(state.port, state.pid, password);
      if (lease) return lease;
    } else if (state.kind === 'starting') {
      waitUntil = Math.min(Date.now() + GIVE_UP_MS, begun + GIVE_UP_ON_RECOVERY_MS);
    } else if (state.kind === 'stale') {
      onEvent('Removing a stale postmaster.pid');
      await removeStalePidFile(layout);
    } else if (state.kind === 'stopped' && !(starting && starting.exit() === undefined)) {
      if (starting) await assertWorthAnotherStart(context, starting, (failingSince ??= Date.now()));
      const port = fixedPort ?? (await choosePort(layout));
      if (!starting) onEvent(`Starting PostgreSQL on 127.0.0.1:${port}`);
      starting = await startPostmaster(context, port);
    }
    if (Date.now() > waitUntil) throw failed('it does not respond', (await starting?.log()) ?? '');
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

async function assertWorthAnotherStart(
  { layout }: ClusterContext,
  starting: StartingPostmaster,
  since: number,
): Promise<void> {
  const log = await starting.log();
  const { code, signal } = starting.exit() ?? { code: 0, signal: null };
  // Shut down or killed from outside, or lost a race with another process.
  const passing = code === 0 || (signal && DELIBERATE.has(signal)) || WORTH_ANOTHER_START.test(log);
  if (!passing || Date.now() - since > GIVE_UP_ON_STARTS_MS) {
    if (await isDiskFull(layout.home)) throw failed(`the disk that holds ${layout.home} is full`, log);
    throw failed(signal ? `it was terminated by ${signal}` : 'it does not start', log);
  }
  if (code !== 0) await sleep(RETRY_START_MS);
}

/** Checks the disk itself, as the log cannot be written to either when it is full. */
async function isDiskFull(path: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize < DISK_FULL_BELOW_BYTES;
}

function failed(reason: string, log: string): EmbeddedPostgresError {
  const lines = log.trim().split('\n').slice(-10).join('\n');
  return new EmbeddedPostgresError(`The embedded PostgreSQL cannot be used: ${reason}.\n${lines}`.trim());
}
