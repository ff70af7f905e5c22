import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, query, until } from './process.js';
import { pgbouncerPath } from './requirements.js';

/** The recipe of the documentation. */
const RECIPE = /^```ini\n(\[databases\][^]*?)^```/m.exec(
  readFileSync('docs/operations/scale.md', 'utf8'),
)![1]!;
/** PgBouncer refuses to run as root. */
const USER = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];

/** PgBouncer as the documentation sets it up, with the database, address and authentication of a test. */
export class PgBouncer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    /** Of the database, through the pooler. */
    readonly url: string,
  ) {}

  static async start(databaseUrl: string, more: readonly string[] = []): Promise<PgBouncer> {
    const { hostname, port, username, password, pathname } = new URL(databaseUrl);
    const [folder, own] = [await mkdtemp(join(tmpdir(), 'mrs-pgbouncer-')), await freePort()];
    const database = `host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${decodeURIComponent(password)}`;
    const lines = [
      RECIPE.replace('host=10.0.0.5 dbname=meetings', database),
      'listen_addr = 127.0.0.1',
      `listen_port = ${own}`,
      'auth_type = any',
      'unix_socket_dir =',
      ...more,
    ];
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'pgbouncer.ini'), lines.join('\n'));
    const bouncer = new PgBouncer(folder, `postgres://mrs@127.0.0.1:${own}/meetings?sslmode=disable`);
    await bouncer.run();
    return bouncer;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.run();
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true });
  }

  private async run(): Promise<void> {
    const child = spawn(pgbouncerPath!, [...USER, join(this.folder, 'pgbouncer.ini')], { stdio: 'pipe' });
    this.child = child;
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    const answers = () =>
      query(this.url, 'SELECT 1').then(
        () => true,
        () => false,
      );
    await until('PgBouncer', async () => child.exitCode !== null || (await answers()));
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${log}`);
  }

  private async kill(): Promise<void> {
    const ended = once(this.child!, 'exit');
    this.child!.kill('SIGKILL');
    await ended;
  }
}
