import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { errorCode } from './embedded-postgres.error.js';

const DATABASE = 'mrs';
const LEASE_LOCK = '7172723, 1';
const ALONE = `NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid())`;
const CONNECT_TIMEOUT_MS = 10_000;
const OTHERS_MAY_TAKE_MS = 1_500;
const POLL_MS = 40;

/** The server is starting, stopping or out of connections; any other error is reported. */
const TRANSIENT = /^(?:57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/;

/** Missing in @types/pg: control whether the open socket keeps the process alive. */
type RefClient = Client & { ref(): void; unref(): void };

/** An idle connection with a shared advisory lock: "this server is in use". Stopping it takes the lock exclusively. */
export class Lease {
  private lost = false;

  private constructor(
    private readonly client: RefClient,
    readonly port: number,
    readonly pid: number,
  ) {}

  /** Undefined: the server is unavailable; check its state again. */
  static async take(port: number, pid: number, password: string): Promise<Lease | undefined> {
    const client = new Client({
      host: '127.0.0.1',
      port,
      user: DATABASE,
      password,
      database: DATABASE,
      application_name: 'mrs lease',
      // `PGSSLMODE` in the environment is meant for another server.
      ssl: false,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    }) as RefClient;
    const lease = new Lease(client, port, pid);
    // Without listeners, the server's exit would end this process.
    client.on('error', () => (lease.lost = true));
    client.on('end', () => (lease.lost = true));
    try {
      await client.connect();
      // Waits for a process that may be stopping the server; if it does, this fails.
      await client.query(`SELECT pg_advisory_lock_shared(${LEASE_LOCK})`);
      client.unref();
      return lease;
    } catch (error) {
      await lease.end();
      // pg reports a connection that was cut off midway without a code.
      const code = errorCode(error);
      if (code === undefined || TRANSIENT.test(code)) return undefined;
      throw error;
    }
  }

  get alive(): boolean {
    return !this.lost;
  }

  /** True if nobody else uses the server, nor can until `end()`. Waits a moment for connections that are closing. */
  async giveBack(): Promise<boolean> {
    const deadline = Date.now() + OTHERS_MAY_TAKE_MS;
    try {
      this.client.ref();
      await this.ask(`pg_advisory_unlock_shared(${LEASE_LOCK})`);
      while (await this.ask(`pg_try_advisory_lock(${LEASE_LOCK})`)) {
        if (await this.ask(ALONE)) return true;
        if (Date.now() > deadline) return false;
        await this.ask(`pg_advisory_unlock(${LEASE_LOCK})`);
        await sleep(POLL_MS);
      }
      return false;
    } catch {
      // The server is already gone: there is nothing to stop, and the next process that needs it starts it.
      return false;
    }
  }

  async end(): Promise<void> {
    this.lost = true;
    await this.client.end().catch(() => undefined);
  }

  private async ask(expression: string): Promise<boolean> {
    const { rows } = await this.client.query<{ answer: boolean }>(`SELECT ${expression} AS answer`);
    return rows[0]?.answer === true;
  }
}
