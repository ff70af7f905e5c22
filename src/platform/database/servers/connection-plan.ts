import type { AppLogger } from '../../logging/app-logger.js';
import { StartError } from '../../config/settings.js';
import { withClient } from '../connection.js';
import { explainConnection } from './explain-connection.js';

/** What the processes of the service open if nothing limits them. */
export interface ConnectionNeeds {
  readonly api: { readonly processes: number; readonly pool: number; readonly threads: number };
  readonly worker: { readonly pool: number; readonly threads: number };
  /** Lanes of jobs; each listens for new ones. */
  readonly lanes: number;
  readonly slots: number;
}

/**
 * Connections of each kind. `pool`: at most, for the requests of an API process and for the jobs of a worker; `jobs`: of
 * the library of the jobs; `choosers`: with which a worker chooses jobs, one for each lane, or for several in turn.
 */
type Shares = Readonly<Record<'pool' | 'jobs' | 'choosers', number>>;

/** What role, database and server allow. */
export interface Allowed {
  readonly connections: number;
  /** What allows no more, and how to raise it, for a message. */
  readonly by: string;
  readonly raise: string;
}

const MIN_POOL = 2;
/** For notifications; and in a worker, to find dead ones. */
const NOTIFICATIONS = 1;
const KEEPER = 1;
/** A start, a command, a backup. */
const OTHERS = 3;

/** How many connections to PostgreSQL each process may open, so that a worker leaves the API its own. */
export class ConnectionPlan {
  private readonly most: Shares;
  private readonly least: Shares;
  private readonly shares: Shares | undefined;
  readonly pool: number;

  /** Throws a `StartError` if not even the API has what it needs. */
  constructor(
    private readonly needs: ConnectionNeeds,
    readonly allowed: Allowed,
    /** Whether pools lead to a pooler, with a limit of its own. */
    private readonly isPooled: boolean,
  ) {
    const { api, worker, lanes, slots } = needs;
    this.most = { pool: Math.max(api.pool, worker.pool), jobs: lanes + slots, choosers: lanes };
    this.least = { pool: MIN_POOL, jobs: lanes + 2, choosers: 1 };
    const { most, least } = this;
    const pools = downFrom(most.pool, least.pool);
    // Best first: connections for jobs are cut before those for requests.
    const options = [
      most,
      ...downFrom(most.jobs, least.jobs).map((jobs) => ({ ...least, pool: most.pool, jobs })),
      ...pools.map((pool) => ({ ...least, pool })),
    ];
    this.shares = options.find((shares) => this.sumOf(shares) <= allowed.connections);
    const pool = this.shares?.pool ?? pools.find((one) => this.ofApi(one) + OTHERS <= allowed.connections);
    if (pool === undefined) throw this.refusal(`the API needs at least ${this.ofApi(MIN_POOL) + OTHERS}`);
    this.pool = pool;
  }

  /** Logs the sum; as a warning, if that is not as set. */
  announce(logger: AppLogger): void {
    const { shares, needs, allowed } = this;
    const connections = shares ? this.sumOf(shares) : this.ofApi(this.pool) + OTHERS;
    const asSet = this.sumOf(this.most);
    const facts = { connections, allowed: allowed.connections, allowedBy: allowed.by, asSet };
    if (shares && connections === asSet)
      logger.info({ ...facts, apiProcesses: needs.api.processes }, 'maximum connections to PostgreSQL');
    else
      logger.warn(
        { ...facts, pool: this.pool, ...(shares && { jobs: shares.jobs }) },
        shares
          ? 'PostgreSQL allows fewer connections than the settings: the service takes fewer'
          : 'PostgreSQL allows too few connections for a worker beside the API',
      );
  }

  /** Throws a `StartError` if a worker would leave the API too few. */
  worker(): Shares {
    if (this.shares) return this.shares;
    const least = this.sumOf(this.least);
    throw this.refusal(`the API (${this.ofApi(MIN_POOL)}) and a worker need at least ${least}`);
  }

  private refusal(what: string): StartError {
    const { connections, by, raise } = this.allowed;
    const asSet = this.sumOf(this.most);
    return new StartError(
      `DATABASE_URL: ${by} allows ${connections} connections, but ${what}, and up to ${asSet} as set: ${raise} ${asSet}, or run fewer API processes (WEB_CONCURRENCY)`,
    );
  }

  private sumOf({ pool, jobs, choosers }: Shares): number {
    const { worker } = this.needs;
    const inPool = this.isPooled ? 0 : Math.min(pool, worker.pool);
    return this.ofApi(pool) + inPool + worker.threads + NOTIFICATIONS + jobs + choosers + KEEPER + OTHERS;
  }

  private ofApi(pool: number): number {
    const { api } = this.needs;
    return api.processes * ((this.isPooled ? 0 : Math.min(pool, api.pool)) + api.threads + NOTIFICATIONS);
  }
}

const downFrom = (most: number, least: number): number[] =>
  Array.from({ length: most - least + 1 }, (_, less) => most - less);

/** Compares what the service needs with what PostgreSQL allows it. */
export const planConnections = (
  url: string,
  isPooled: boolean,
  needs: ConnectionNeeds,
): Promise<ConnectionPlan> =>
  withClient(url, { application_name: 'mrs start' }, async (client) => {
    const { rows } = await client.query<Allowed>(ALLOWED);
    return new ConnectionPlan(needs, rows[0]!, isPooled);
  }).catch(explainConnection(url));

/** Limits of roles do not hold for superusers. */
const ALLOWED = `
  SELECT connections, by, raise FROM (
    SELECT rolconnlimit AS connections, format('the role %I', rolname) AS by,
        format('ALTER ROLE %I CONNECTION LIMIT', rolname) AS raise
      FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0 AND NOT rolsuper
    UNION ALL SELECT datconnlimit, format('the database %I', datname), format('ALTER DATABASE %I CONNECTION LIMIT', datname)
      FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0
    UNION ALL SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0), 'the server', 'set max_connections to more than'
  ) AS limits ORDER BY connections LIMIT 1`;
