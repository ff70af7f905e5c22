import { execFile } from 'node:child_process';
import { chmod, chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { locateBinaries, type PostgresBinaries } from '../../src/lib/embedded-postgres/binaries.js';
import { postgresLayout } from '../../src/lib/embedded-postgres/folders.js';
import {
  CHILD_ENV,
  chooseServerUser,
  ownDataDirectory,
  type ServerUser,
} from '../../src/lib/embedded-postgres/programs.js';
import { freePort, query } from './process.js';

/** For the role of the service, in a URL; none takes it as it is. */
export const PASSWORD = encodeURIComponent("p@ss,w/o?rd#%'");

const INITDB = `-U postgres -A trust -E UTF8 --no-sync --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8`;
const SETTINGS = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
const HBA = `
  host all,replication postgres 127.0.0.1/32 trust
  host all all 127.0.0.1/32 scram-sha-256`;

/** A PostgreSQL server that tests stop, and give a replica. */
export class PostgresServer {
  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly binaries: PostgresBinaries,
    private readonly user: ServerUser,
    private readonly settings: string[] = [],
  ) {}

  /** With an empty database `meetings`, whose owner is no superuser. */
  static async create(): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'mrs-postgres-'));
    const layout = postgresLayout(folder);
    const user = await chooseServerUser(layout).catch(() => chooseServerUser({ ...layout, home: folder }));
    await chmod(folder, 0o700);
    if (user.uid !== undefined) await chown(folder, user.uid, user.gid!);
    const binaries = await locateBinaries(layout, user);
    const server = new PostgresServer(folder, await freePort(), binaries, user);
    await server.run(binaries.initdb, ...INITDB.split(' '));
    await writeFile(join(folder, 'pg_hba.conf'), HBA);
    await server.start();
    const password = decodeURIComponent(PASSWORD).replaceAll("'", "''");
    for (const statement of [
      `CREATE ROLE meetings LOGIN PASSWORD '${password}'`,
      'CREATE DATABASE meetings OWNER meetings',
    ])
      await query(server.superuserUrl('postgres'), statement);
    return server;
  }

  get url(): string {
    return `postgres://meetings:${PASSWORD}@${this.host}/meetings`;
  }

  /** With its port. */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** As the superuser. */
  sql(text: string) {
    return query(this.superuserUrl('meetings'), text);
  }

  /** A streaming replica of it, started. Meanwhile it is stopped itself. `isSynchronous`: has all that is acknowledged. */
  async addReplica({ isSynchronous = false } = {}): Promise<PostgresServer> {
    await this.stop();
    const folder = await mkdtemp(join(tmpdir(), 'mrs-replica-'));
    // A cluster that was stopped is its own base backup.
    await cp(this.folder, folder, { recursive: true, preserveTimestamps: true });
    if (this.user.uid !== undefined)
      await promisify(execFile)('chown', ['-R', `${this.user.uid}:${this.user.gid}`, folder]);
    await chmod(folder, 0o700);
    await writeFile(join(folder, 'standby.signal'), '');
    const upstream = `primary_conninfo=host=127.0.0.1 port=${this.port} user=postgres application_name=replica`;
    const replica = new PostgresServer(folder, await freePort(), this.binaries, this.user, [upstream]);
    if (isSynchronous) this.settings.push('synchronous_standby_names=*');
    await this.start();
    await replica.start();
    return replica;
  }

  async start(): Promise<void> {
    const options = [...SETTINGS, `port=${this.port}`, ...this.settings].map((setting) => `-c "${setting}"`);
    await this.run(this.binaries.pgCtl, 'start', '-w', '-l', 'log', '-o', options.join(' '));
  }

  /** `immediate`: without a word to its clients. */
  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.run(this.binaries.pgCtl, 'stop', '-w', '-m', mode);
  }

  async promote(): Promise<void> {
    await this.run(this.binaries.pgCtl, 'promote', '-w');
  }

  /** Stops it if it runs, and removes it. */
  async remove(): Promise<void> {
    await this.stop('immediate').catch(() => undefined);
    await rm(this.folder, { recursive: true });
  }

  private superuserUrl(database: string): string {
    return `postgres://postgres@${this.host}/${database}`;
  }

  private run(program: string, ...args: string[]) {
    const options = { cwd: this.folder, ...this.user, env: CHILD_ENV };
    return promisify(execFile)(program, ['-D', ownDataDirectory(this.folder), ...args], options);
  }
}
