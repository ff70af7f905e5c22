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

const SETTINGS = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];

/** A PostgreSQL server that tests stop, and give replicas. Each role may connect without a password. */
export class PostgresServer {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly binaries: PostgresBinaries,
    private readonly user: ServerUser,
    private readonly settings: readonly string[],
  ) {}

  /** With an empty database `meetings`, whose owner is no superuser. */
  static async create(settings: readonly string[] = []): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), 'mrs-postgres-'));
    const layout = postgresLayout(folder);
    const user = await chooseServerUser(layout).catch(() => chooseServerUser({ ...layout, home: folder }));
    await chmod(folder, 0o700);
    if (user.uid !== undefined) await chown(folder, user.uid, user.gid!);
    const server = new PostgresServer(
      folder,
      await freePort(),
      await locateBinaries(layout, user),
      user,
      settings,
    );
    await server.run(
      server.binaries.initdb,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-sync',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    );
    await server.start();
    for (const statement of ['CREATE ROLE meetings LOGIN', 'CREATE DATABASE meetings OWNER meetings'])
      await query(server.urlOf('postgres', 'postgres'), statement);
    return server;
  }

  get url(): string {
    return this.urlOf('meetings', 'meetings');
  }

  /** As the superuser. */
  sql(text: string) {
    return query(this.urlOf('postgres', 'meetings'), text);
  }

  /** A streaming replica of it, started. Meanwhile it is stopped itself. */
  async addReplica(): Promise<PostgresServer> {
    await this.stop();
    const folder = await mkdtemp(join(tmpdir(), 'mrs-replica-'));
    await cp(this.folder, folder, { recursive: true, preserveTimestamps: true });
    if (this.user.uid !== undefined)
      await promisify(execFile)('chown', ['-R', `${this.user.uid}:${this.user.gid}`, folder]);
    await chmod(folder, 0o700);
    await writeFile(join(folder, 'standby.signal'), '');
    const upstream = `primary_conninfo=host=127.0.0.1 port=${this.port} user=postgres application_name=replica`;
    const replica = new PostgresServer(folder, await freePort(), this.binaries, this.user, [
      ...this.settings,
      upstream,
    ]);
    await this.start();
    await replica.start();
    return replica;
  }

  async start(): Promise<void> {
    const options = [...SETTINGS, `port=${this.port}`, ...this.settings].map((setting) => `-c "${setting}"`);
    await this.run(this.binaries.pgCtl, 'start', '-w', '-l', 'log', '-o', options.join(' '));
  }

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

  private urlOf(role: string, database: string): string {
    return `postgres://${role}@127.0.0.1:${this.port}/${database}`;
  }

  private run(program: string, ...args: string[]) {
    const options = { cwd: this.folder, ...this.user, env: CHILD_ENV };
    return promisify(execFile)(program, ['-D', ownDataDirectory(this.folder), ...args], options);
  }
}
