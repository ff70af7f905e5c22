import { Client } from 'pg';
import { hostNames, hostUrls, sessionTarget, type SessionTarget } from '../../../lib/postgres-url.js';
import { reasonOf } from '../../logging/dependency.js';
import { DATABASE_AWAY, isDatabaseUnavailable } from '../database-errors.js';
import { sql } from '../sql.js';

/** What a server says of itself, and where it is. */
interface Host extends Pick<Client, 'host' | 'port'> {
  /** The same on a primary and its replicas. */
  readonly system: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  /** Raised by each promotion; empty on a standby. */
  readonly timeline: string;
}

const FITS: Readonly<Record<SessionTarget, (host: Host) => boolean>> = {
  any: () => true,
  'read-write': ({ isReadOnly }) => !isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
};

/** A host that is switched off does not refuse connections. */
const TIMEOUT = { connectionTimeoutMillis: 2_000, query_timeout: 2_000 };

/** The hosts of a URL. All connections of a thread use the same one, until one of them is lost. */
export class DatabaseHosts {
  private static readonly all = new Map<string, DatabaseHosts>();
  private readonly clients = new Set<Client>();
  private chosen: Promise<Host> | undefined;
  /** The latest that was seen. An earlier primary that is back still takes writes, on an earlier one. */
  private timeline = '';

  private constructor(private readonly url: string) {}

  /** Null if there is nothing to choose: one host, whatever its role. */
  static of(url: string): DatabaseHosts | null {
    if (hostUrls(url).length === 1 && sessionTarget(url) === 'any') return null;
    const hosts = this.all.get(url) ?? new DatabaseHosts(url);
    this.all.set(url, hosts);
    return hosts;
  }

  /** Closes connections to another host than that in use: it may be off without a word, or no longer the primary. */
  async connect(client: Client, connect: () => Promise<unknown>): Promise<void> {
    try {
      const { host, port } = await (this.chosen ??= this.choose());
      for (const other of this.clients)
        if (other.host !== host || other.port !== port) other.connection.stream.destroy();
      Object.assign(client, { host, port });
      await connect();
    } catch (error) {
      this.forget();
      throw error;
    }
    this.clients.add(client);
    client.once('end', () => {
      this.clients.delete(client);
      // Nothing would tell that it has changed.
      if (this.clients.size === 0) this.forget();
    });
  }

  /** The next connection looks for a host again. */
  forget(): void {
    this.chosen = undefined;
  }

  private async choose(): Promise<Host> {
    const answers = await Promise.allSettled(hostUrls(this.url).map(ask));
    const hosts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (hosts.some(({ system }) => system !== hosts[0]?.system))
      throw new Error(`${DATABASE_AWAY}: the hosts are different databases, not replicas of one`);
    for (const { timeline } of hosts) if (timeline > this.timeline) this.timeline = timeline;
    const target = sessionTarget(this.url);
    const host = hosts.find((one) => FITS[target](one) && (one.isStandby || one.timeline === this.timeline));
    if (host) return host;
    const failures = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : null));
    const refusal = failures.find((failure) => failure && !isDatabaseUnavailable(failure));
    const reasons = hostNames(this.url).map(
      (name, index) => `${name}: ${failures[index] ? reasonOf(failures[index]) : 'is not'}`,
    );
    throw refusal ?? new Error(`${DATABASE_AWAY}: no host is ${target}: ${reasons.join('; ')}`);
  }
}

async function ask(url: string): Promise<Host> {
  const client = new Client({ connectionString: url, application_name: 'mrs hosts', ...TIMEOUT });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { host, port } = client;
    return {
      host,
      port,
      ...(await sql(client).row<Omit<Host, 'host' | 'port'>>`
      SELECT system_identifier::text AS system, pg_is_in_recovery() AS "isStandby",
        current_setting('transaction_read_only') = 'on' AS "isReadOnly",
        CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline
      FROM pg_control_system()`),
    };
  } finally {
    await client.end();
  }
}
