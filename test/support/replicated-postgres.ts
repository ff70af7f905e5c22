import { execFileSync, spawn } from 'node:child_process';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { locateBinaries } from '../../src/lib/embedded-postgres/binaries.js';
import { EmbeddedPostgres } from '../../src/lib/embedded-postgres/embedded-postgres.js';
import { postgresLayout } from '../../src/lib/embedded-postgres/folders.js';
import {
  CHILD_ENV,
  chooseServerUser,
  ownDataDirectory,
  settingArguments,
} from '../../src/lib/embedded-postgres/programs.js';
import { freePort, Program, query, until, type Sandbox } from './process.js';

/** For the role of the service, whose password no URL takes as it is. */
export const PASSWORD = "p@ss,w/o?rd#%'";

/** One PostgreSQL server, with the cluster in a folder as the embedded one has it. */
export class PostgresServer {
  private program: Program | undefined;

  constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  get data(): string {
    return postgresLayout(this.folder).data;
  }

  get url(): string {
    return `postgres://mrs:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.port}/mrs?sslmode=disable`;
  }

  async start(): Promise<void> {
    const layout = postgresLayout(this.folder);
    const user = await chooseServerUser(layout);
    const { postgres } = await locateBinaries(layout, user);
    const settings = {
      port: String(this.port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      ...this.settings,
    };
    const args = ['-D', ownDataDirectory(this.data), ...settingArguments(settings)];
    this.program = new Program(spawn(postgres, args, { cwd: this.data, ...user, env: CHILD_ENV }));
    await until('PostgreSQL', () =>
      query(this.url, 'SELECT 1').then(
        () => true,
        () => false,
      ),
    );
  }

  /** `SIGQUIT` is `-m immediate`: without a word to its clients. */
  async stop(signal: NodeJS.Signals = 'SIGQUIT'): Promise<void> {
    await this.program?.kill(signal);
  }

  async promote(): Promise<void> {
    await writeFile(join(this.data, 'promote'), '');
    this.program?.child.kill('SIGUSR1');
  }
}

/** A primary, and a replica that has each commit before it is acknowledged. */
export class ReplicatedPostgres {
  private constructor(
    readonly primary: PostgresServer,
    readonly replica: PostgresServer,
  ) {}

  static async start(sandbox: Sandbox): Promise<ReplicatedPostgres> {
    const [first, second] = [await sandbox.folder(), await sandbox.folder()];
    const embedded = await EmbeddedPostgres.open({ dataDir: first });
    await query(embedded.url, `ALTER ROLE mrs PASSWORD '${PASSWORD.replaceAll("'", "''")}'`);
    await embedded.release();
    const [{ data, cluster }, copy] = [postgresLayout(first), postgresLayout(second)];
    await appendFile(join(data, 'pg_hba.conf'), 'host replication postgres 127.0.0.1/32 trust\n');
    await mkdir(copy.home);
    // A cluster that was stopped is its own base backup. With its owner, which `cp` of Node does not keep.
    execFileSync('cp', ['-a', cluster, copy.cluster]);
    await writeFile(join(copy.data, 'standby.signal'), '');
    const primary = new PostgresServer(first, await freePort(), { synchronous_standby_names: '*' });
    const replica = new PostgresServer(second, await freePort(), {
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres`,
    });
    await primary.start();
    await replica.start();
    return new ReplicatedPostgres(primary, replica);
  }

  /** With both hosts. */
  get url(): string {
    const { primary, replica } = this;
    return primary.url.replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${replica.port}/`);
  }
}
