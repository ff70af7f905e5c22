import { Client, type ClientBase } from 'pg';
import {
  hostNames,
  hostUrls,
  isStandby,
  sessionTarget,
  SESSION_TARGETS,
  type ServerRole,
} from '../../../lib/postgres-url.js';
import { reasonOf } from '../../logging/dependency.js';
import { DATABASE_AWAY, isDatabaseUnavailable } from '../database-errors.js';
import { sql } from '../sql.js';

type Host = ServerRole & Pick<Client, 'host' | 'port'>;

/** A host that is switched off does not refuse connections. */
const TIMEOUT = { connectionTimeoutMillis: 2_000, query_timeout: 2_000 };

/** The hosts of a URL. All connections of a thread use the same one, until one of them is lost. */
export class DatabaseHosts {
  private static readonly all = new Map<string, DatabaseHosts>();
  private readonly clients = new Set<Client>();
  private chosen: Promise<Host> | undefined;
  private last: ServerRole | undefined;

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
    const { host, port, ...role } = await (this.chosen ??= this.choose());
    for (const other of this.clients)
      if (other.host !== host || other.port !== port) other.connection.stream.destroy();
    Object.assign(client, { host, port });
    try {
      await connect();
      this.clients.add(client);
      client.once('end', () => this.clients.delete(client));
      const { isReadOnly, system } = await roleOf(client);
      if (isReadOnly !== role.isReadOnly || system !== role.system)
        throw new Error(`${DATABASE_AWAY}: the role of ${host}:${port} has changed`);
    } catch (error) {
      this.forget();
      void client.end();
      throw error;
    }
  }

  /** The next connection looks for a host again. */
  forget(): void {
    this.chosen = undefined;
  }

  private async choose(): Promise<Host> {
    try {
      return (this.last = this.best(await Promise.allSettled(hostUrls(this.url).map(ask))));
    } catch (error) {
      this.forget();
      throw error;
    }
  }

  private best(answers: readonly PromiseSettledResult<Host>[]): Host {
    const hosts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const { system = hosts[0]?.system, timeline = '' } = this.last ?? {};
    if (!this.last && hosts.some((host) => host.system !== system))
      throw new Error(`${DATABASE_AWAY}: the hosts are different databases, not replicas of one`);
    const target = sessionTarget(this.url);
    // An earlier primary that is back still takes writes, on an earlier timeline.
    const own = hosts
      .filter((one) => one.system === system && (isStandby(one) || one.timeline >= timeline))
      .sort((one, other) => other.timeline.localeCompare(one.timeline));
    const [host] = SESSION_TARGETS[target].flatMap((fits) => own.filter(fits));
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
    return { ...(await roleOf(client)), host: client.host, port: client.port };
  } finally {
    await client.end();
  }
}

const roleOf = (client: ClientBase): Promise<ServerRole> => sql(client).row<ServerRole>`
  SELECT system_identifier::text AS system, current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    CASE WHEN pg_is_in_recovery() THEN '' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline
  FROM pg_control_system()`;
