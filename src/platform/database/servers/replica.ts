import { setTimeout } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import { DataSource } from 'typeorm';
import { StartError } from '../../config/settings.js';
import { Dependency, reasonOf } from '../../logging/dependency.js';
import type { AppLogger } from '../../logging/app-logger.js';
import { METRICS } from '../../telemetry/metrics.js';
import { openPool, withClient } from '../connection.js';
import { dataSourceOptions, type DatabaseOptions } from '../data-source.js';
import { findLink, ping, type DatabaseLink } from './database-link.js';
import { isDatabaseAway, isEndedByRecovery } from '../database-errors.js';
import { explainConnection } from './explain-connection.js';
import { sql, type Database } from '../sql.js';

/** A read waits for so long until the replica has what was committed before; then it goes to the primary. */
const MAX_WAIT_MS = 20;
const LOOK_EVERY_MS = 2;
/** For so long, all reads go to the primary: after the replica was behind, or failed and does not answer again earlier. */
const REST_MS = { behind: 1_000, away: 10_000 };
/** While the primary has not answered from the first to the second, the replica serves as it is. */
const ALONE_MS = { from: 2_000, to: 300_000 };
/** For each look at a server. */
const LOOK = {
  max: 1,
  application_name: 'mrs replica',
  connectionTimeoutMillis: 1_000,
  query_timeout: 1_000,
};
const START = { application_name: 'mrs start', connectionTimeoutMillis: 5_000 };
/** Works with any pooler. */
const CAUTIOUS: DatabaseLink = { pooling: 'transaction', keepsStatements: false, statementTimeout: 0 };
const SETTING = 'DATABASE_REPLICA_URL';

const replicas = new WeakMap<DataSource, Replica>();

/**
 * Runs `work`, which only reads. With a replica, it reads there once that has all that was committed before, by whomever
 * and through whichever process: callers notice no difference. Where the replica lags, or fails, it reads from the primary.
 */
export const reading = <T>(primary: DataSource, work: (source: DataSource) => Promise<T>): Promise<T> =>
  replicas.get(primary)?.read(work) ?? work(primary);

/** Why nothing is read from the replica of a database, in a sentence; null if it is, or if there is none. */
export const findReplicaProblem = async (primary: DataSource): Promise<string | null> =>
  (await replicas.get(primary)?.findProblem()) ?? null;

interface ReplicaOptions extends Pick<DatabaseOptions, 'onConnect' | 'poolSize'> {
  readonly url: string;
  /** Of the primary, which is asked how far it is. */
  readonly primaryUrl: string;
}

/** A streaming replica of the database. */
export class Replica {
  private problem: string | null = null;
  private restsUntil = 0;
  private freshAt = -Infinity;
  private running: Promise<boolean> = Promise.resolve(false);
  private next: Promise<boolean> | undefined;
  private readonly looks: { readonly primary: Pool; readonly replica: Pool };
  private readonly dependency: Dependency;

  private constructor(
    private readonly primary: DataSource,
    private readonly source: DataSource,
    { url, primaryUrl }: ReplicaOptions,
    logger: AppLogger,
  ) {
    this.looks = {
      primary: openPool({ ...LOOK, connectionString: primaryUrl }),
      replica: openPool({ ...LOOK, connectionString: url }),
    };
    const check = async (): Promise<void> => {
      await ping(url);
      this.restsUntil = 0;
    };
    this.dependency = new Dependency('database replica', { causes: isDatabaseAway, check }, logger.pino);
  }

  /** One that is away is used once it answers; one of another database is refused. */
  static async open(primary: DataSource, options: ReplicaOptions, logger: AppLogger): Promise<Replica> {
    const { url, poolSize, onConnect } = options;
    const expected = await identityOf(primary);
    const requireSame = async (client: ClientBase): Promise<void> => {
      if ((await identityOf(client)) !== expected)
        throw new StartError(
          `${SETTING} leads to another database than DATABASE_URL, not to a replica of it`,
        );
      await onConnect?.(client);
    };
    let link = CAUTIOUS;
    let failure: unknown;
    try {
      await withClient(url, START, requireSame);
      link = await findLink(url);
    } catch (error) {
      if (!isDatabaseAway(error)) explainConnection(url, SETTING)(error);
      failure = error;
    }
    const source = new DataSource(
      dataSourceOptions({ url, poolSize, link, entities: [], onConnect: requireSame }),
    );
    const replica = new Replica(primary, source, options, logger);
    if (failure) replica.rest(failure);
    replicas.set(primary, replica);
    return replica;
  }

  async close(): Promise<void> {
    replicas.delete(this.primary);
    await this.dependency.stop();
    await this.looks.primary.end();
    await this.looks.replica.end();
    if (this.source.isInitialized) await this.source.destroy();
  }

  async findProblem(): Promise<string | null> {
    return (await this.isFresh()) ? null : this.problem;
  }

  async read<T>(work: (source: DataSource) => Promise<T>): Promise<T> {
    if (await this.isFresh()) {
      try {
        const result = await work(this.source);
        METRICS.reads.inc({ server: 'replica' });
        return result;
      } catch (error) {
        if (!isDatabaseAway(error) && !isEndedByRecovery(error)) throw error;
        this.rest(error);
      }
    }
    METRICS.reads.inc({ server: 'primary' });
    return work(this.primary);
  }

  /** Whether it has all that was committed before the call. Calls that arrive while one looks share the next look. */
  private isFresh(): Promise<boolean> {
    if (performance.now() < this.restsUntil) return Promise.resolve(false);
    this.next ??= this.running.then(() => {
      this.next = undefined;
      return (this.running = this.look());
    });
    return this.next;
  }

  /** Never rejects. */
  private async look(): Promise<boolean> {
    const wanted = await this.committed();
    if (wanted === null) {
      // It had everything until then; only a busy primary would have answered meanwhile.
      const ms = performance.now() - this.freshAt;
      return ms > ALONE_MS.from && ms < ALONE_MS.to;
    }
    try {
      if (!this.source.isInitialized) await this.source.initialize();
      const deadline = performance.now() + MAX_WAIT_MS;
      while (!(await this.has(wanted))) {
        if (performance.now() > deadline) return this.rest();
        await setTimeout(LOOK_EVERY_MS);
      }
      this.freshAt = performance.now();
      this.problem = null;
      return true;
    } catch (error) {
      return this.rest(error);
    }
  }

  /** Bytes of WAL that the primary has written to disk, and so all that it has acknowledged; null if it does not say. */
  private committed(): Promise<string | null> {
    const asked = sql(this.looks.primary).value<string>`SELECT pg_current_wal_flush_lsn() - '0/0'`;
    // What needs the primary says so itself.
    return asked.catch(() => null);
  }

  /** Whether it has replayed WAL up to this position. False after a promotion: it no longer follows the primary. */
  private has(wanted: string): Promise<boolean> {
    return sql(this.looks.replica).value<boolean>`
      SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() - '0/0' >= ${wanted}::numeric`;
  }

  /** `failure`: none if it is behind. */
  private rest(failure?: unknown): false {
    const what = failure ? `cannot be used (${reasonOf(failure)})` : 'is behind';
    this.problem = `The replica of the database ${what}; all is read from the primary.`;
    this.restsUntil = performance.now() + (failure ? REST_MS.away : REST_MS.behind);
    if (failure) this.dependency.explains(failure, 0);
    return false;
  }
}

/** Tells a database, and its replicas, from all others. */
const identityOf = (database: Database): Promise<string> =>
  sql(database).value<string>`SELECT system_identifier || '/' || current_database() FROM pg_control_system()`;
