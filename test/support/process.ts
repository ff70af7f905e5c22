import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as PostgresClient } from 'pg';
import { Client } from './client.js';
import { MANUAL } from './settings.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const START_DEADLINE_MS = 90_000;
/** What a start shows in a terminal, and elsewhere. */
const READY = /^\{.*"msg":"Meeting Recording Service is ready"\}$/m;
const BANNER = /^ {2}API +(\S+)\/api\/v1\n[^]*^ {2}API key +(mrs_\w+)?[^]*^ {2}(curl .+)\n\n/m;

export type Environment = Readonly<Record<string, string>>;

/** How a process ended, and all its output. */
export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program under test; its output is collected. */
export class Program {
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ended>;

  constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status, signal) =>
        resolve({ status, signal, stdout: this.stdout, stderr: this.stderr }),
      );
    });
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}

/** What a service shows once it is ready; without a terminal, in a line of its log. */
interface Introduction {
  readonly api: string;
  readonly docs?: string;
  readonly sharePage?: string;
  readonly signIn?: string;
  /** Where the key of the demo is. */
  readonly keyFile?: string;
  /** The command that creates a key, once that of the demo was shown. */
  readonly createKey?: string;
  readonly try: string;
}

/** `npm start`, up and running. */
export class RunningService {
  private constructor(
    readonly program: Program,
    readonly shown: Introduction,
    /** The key of the demo; empty if none was shown. */
    readonly apiKey: string,
  ) {}

  static async from(program: Program): Promise<RunningService> {
    const introduction = () => BANNER.exec(program.stdout) ?? READY.exec(program.stdout);
    await until('the service', () => program.hasEnded || introduction() !== null, START_DEADLINE_MS);
    const [line, api, key = '', curl] = introduction() ?? [];
    if (!line) throw new Error(`The service did not start:\n${(await program.ended).stderr}`);
    if (api && curl) return new RunningService(program, { api, try: curl }, key);
    const shown = JSON.parse(line) as Introduction;
    return new RunningService(program, shown, shown.keyFile ? readFileSync(shown.keyFile, 'utf8') : '');
  }

  /** The URL that was shown, with 127.0.0.1. */
  get base(): string {
    return this.shown.api.replace('localhost', '127.0.0.1').replace('/api/v1', '');
  }

  get api(): Client {
    return new Client(this.base, this.apiKey || undefined);
  }

  get port(): number {
    return Number(new URL(this.base).port);
  }

  /** The log lines so far, without one of which only the beginning has arrived. */
  get log(): Record<string, unknown>[] {
    const lines = this.program.stdout
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'));
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  stop(): Promise<Ended> {
    return this.program.kill('SIGTERM');
  }
}

/** The processes and folders of one test file; `cleanUp` removes all of them in any case. */
export class Sandbox {
  private readonly programs: Program[] = [];
  private readonly folders: string[] = [];

  async folder(): Promise<string> {
    const folder = realpathSync(await mkdtemp(join(tmpdir(), 'mrs-process-')));
    this.folders.push(folder);
    return folder;
  }

  /** `npm start` with these settings only, without waiting for it; the API is in one process unless they say otherwise. */
  async launch(settings: Environment): Promise<Program> {
    return this.run([join(ROOT, 'scripts', 'start.js')], { PORT: '0', WEB_CONCURRENCY: '1', ...settings });
  }

  async start(settings: Environment): Promise<RunningService> {
    return RunningService.from(await this.launch(settings));
  }

  /** `npx mrs ARGUMENTS` with these settings only. */
  async cli(settings: Environment, ...args: string[]): Promise<Ended> {
    return (await this.run([join(ROOT, 'scripts', 'cli.js'), ...args], settings)).ended;
  }

  /** Imports a workspace of a test; `files` are placed beside it. */
  async importInto(
    settings: Environment,
    workspace: object,
    files: Readonly<Record<string, string | Uint8Array>> = {},
    options: readonly string[] = ['--json'],
  ): Promise<Ended> {
    const folder = await this.folder();
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    await writeFile(join(folder, 'workspace.json'), JSON.stringify(workspace));
    return this.cli(settings, '--quiet', 'import', join(folder, 'workspace.json'), ...options);
  }

  async run(args: readonly string[], settings: Environment, executable = process.execPath): Promise<Program> {
    // In a separate folder, as settings are also read from a `.env` there.
    const cwd = await this.folder();
    const { PATH = '', HOME = cwd } = process.env;
    // Nobody has logged in to a server there.
    const env = { PATH, HOME, XDG_CONFIG_HOME: cwd, ...MANUAL, ...settings };
    const program = new Program(spawn(executable, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
    this.programs.push(program);
    return program;
  }

  async cleanUp(): Promise<void> {
    for (const program of this.programs) {
      if (!program.hasEnded) await program.kill('SIGKILL');
    }
    for (const folder of this.folders) {
      for (const pid of postgresProcesses(folder)) kill(pid, 'SIGKILL');
      await until('PostgreSQL to stop', () => postgresProcesses(folder).length === 0);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

const dataOf = (dataDir: string): string => join(dataDir, 'postgres', 'cluster', 'data');

/** The server of a data folder according to its pid file; undefined if it was stopped. */
export function postmasterPid(dataDir: string): number | undefined {
  try {
    return parseInt(readFileSync(join(dataOf(dataDir), 'postmaster.pid'), 'utf8'), 10);
  } catch {
    return undefined;
  }
}

/** Every PostgreSQL process that runs in a data folder, whatever its `postmaster.pid` says. */
export function postgresProcesses(dataDir: string): number[] {
  const postmaster = postmasterPid(dataDir);
  const found = process.platform === 'linux' ? processesBelow(join(dataDir, 'postgres')) : [];
  return postmaster !== undefined && processRuns(postmaster) ? [...new Set([postmaster, ...found])] : found;
}

function processesBelow(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`) && processRuns(pid);
    } catch {
      return false;
    }
  });
}

/** The URL of the embedded database of a folder while it is running. */
export function embeddedUrl(dataDir: string): string {
  const password = readFileSync(join(dataDir, 'postgres', 'cluster', 'password'), 'utf8').trim();
  const port = readFileSync(join(dataOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')[3];
  return `postgres://mrs:${password}@127.0.0.1:${port}/mrs?sslmode=disable`;
}

/** Rows of one statement, on a separate connection. */
export async function query(url: string, sql: string): Promise<object[]> {
  const client = new PostgresClient({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Also false for zombies, which persist in a container whose PID 1 does not reap orphans. */
export function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone.
  }
}

export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Timed out after ${deadlineMs} ms waiting for ${what}`);
    await new Promise((next) => setTimeout(next, 10));
  }
}

/** A free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  const { port, close } = await takenPort();
  await close();
  return port;
}

/** A port of 127.0.0.1 that is in use by another program. */
export async function takenPort(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
