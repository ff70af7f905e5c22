import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { locateBinaries } from './binaries.js';
import { bringUp } from './bring-up.js';
import { ensureCluster, type ClusterContext } from './cluster.js';
import { EmbeddedPostgresError, errorCode, explainFileError } from './embedded-postgres.error.js';
import { postgresLayout, prepareHome, readPassword } from './folders.js';
import type { Lease } from './lease.js';
import { processExists, readPostmasterState, stopPostmaster } from './postmaster.js';
import { chooseServerUser } from './programs.js';

export interface EmbeddedPostgresOptions {
  /** The service's DATA_DIR, absolute. */
  readonly dataDir: string;
  /** Additional server settings; tests use `fsync=off`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly onEvent?: (message: string) => void;
}

/** A PostgreSQL server that outlives the process that started it. All processes on one DATA_DIR share it. */
export class EmbeddedPostgres {
  private restarting: Promise<void> | undefined;
  private released: Promise<void> | undefined;

  private constructor(
    private readonly context: ClusterContext,
    private readonly password: string,
    private lease: Lease,
  ) {
    this.url = addressOf(password, lease.port);
  }

  readonly url: string;

  /** Creates the database if there is none, starts the server unless it is running, and takes a lease on it. */
  static async open(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    if (!isAbsolute(options.dataDir)) throw new EmbeddedPostgresError('DATA_DIR must be an absolute path.');
    const layout = postgresLayout(options.dataDir);
    await prepareHome(options.dataDir, layout);
    try {
      const user = await chooseServerUser(layout);
      const { settings = {}, onEvent = () => undefined } = options;
      const context = { layout, user, binaries: await locateBinaries(layout, user), settings, onEvent };
      await ensureCluster(context);
      const password = await readPassword(layout);
      return new EmbeddedPostgres(context, password, await bringUp(context, password));
    } catch (error) {
      throw explainFileError(error, layout.home);
    }
  }

  /** No I/O: the lease's connection closes when the server exits. */
  isAlive(): boolean {
    return this.lease.alive && processExists(this.lease.pid);
  }

  /** Restarts the server on the same port if it died. Cheap while it is alive. */
  async ensureRunning(): Promise<void> {
    if (this.released) throw new EmbeddedPostgresError('The embedded PostgreSQL was released.');
    if (this.restarting === undefined && this.isAlive()) return;
    this.restarting ??= this.restart().finally(() => (this.restarting = undefined));
    await this.restarting;
  }

  /** Stops the server unless other processes still use it. */
  release(): Promise<void> {
    this.released ??= this.leave();
    return this.released;
  }

  private async restart(): Promise<void> {
    await this.lease.end();
    this.lease = await bringUp(this.context, this.password, this.lease.port);
  }

  private async leave(): Promise<void> {
    await this.restarting?.catch(() => undefined);
    if (this.lease.alive && (await this.lease.giveBack())) {
      await stopPostmaster(this.context, this.lease.pid);
      this.context.onEvent('PostgreSQL stopped');
    }
    await this.lease.end();
  }
}

/** Whether a database was ever created in a data folder; creates nothing. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  const { cluster } = postgresLayout(dataDir);
  try {
    await stat(cluster);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return false;
    throw explainFileError(error, cluster);
  }
}

/** The URL of the running server of a data folder, if any; does not start, create or lease anything. */
export async function runningUrl(dataDir: string): Promise<string | undefined> {
  const layout = postgresLayout(dataDir);
  try {
    const state = await readPostmasterState(layout);
    return state.kind === 'ready' ? addressOf(await readPassword(layout), state.port) : undefined;
  } catch (error) {
    throw explainFileError(error, layout.home);
  }
}

/** Explicitly without TLS: `PGSSLMODE` in the environment is meant for another server. */
const addressOf = (password: string, port: number): string =>
  `postgres://mrs:${password}@127.0.0.1:${port}/mrs?sslmode=disable`;
