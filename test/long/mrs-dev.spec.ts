import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { kill, postgresProcesses, processRuns, Sandbox, until, type Program } from '../support/process.js';

const CLI = fileURLToPath(new URL('../../scripts/cli.js', import.meta.url));

interface Shown {
  readonly url: string;
  readonly key: string;
  readonly meeting: string;
}

describe('mrs dev', () => {
  const sandbox = new Sandbox();
  afterAll(() => sandbox.cleanUp());

  const run = (TMPDIR: string, args: readonly string[] = [], environment: Record<string, string> = {}) =>
    sandbox.run([CLI, 'dev', '--json', ...args], { ...environment, TMPDIR });

  async function shownBy(program: Program): Promise<Shown> {
    await until('mrs dev', () => program.hasEnded || program.stdout.endsWith('\n'), 90_000);
    expect([program.stderr, program.stdout.split('\n').length]).toEqual([expect.anything(), 2]);
    return JSON.parse(program.stdout) as Shown;
  }
  const folderIn = (temporary: string): string => join(temporary, readdirSync(temporary)[0] ?? '');
  const isSilent = async (url: string): Promise<boolean> => (await fetch(url).catch(() => null)) === null;

  it('starts an empty service for a user, whatever the environment says, and leaves nothing behind', async () => {
    const temporary = await sandbox.folder();
    const elsewhere = { DATABASE_URL: 'postgres://127.0.0.1:9/none', SMTP_URL: 'smtp://127.0.0.1:9' };
    const program = await run(
      temporary,
      ['--set', 'AUTO_SUMMARIZE=false', 'AUTO_TRANSCRIBE=false'],
      elsewhere,
    );
    const { url, key, meeting } = await shownBy(program);
    const api = new Client(url, key);
    expect((await api.get('/me')).body.data).toMatchObject({ email: 'dev@example.test', plan: 'PRO' });
    expect((await api.get('/recordings')).body.data).toEqual([]);
    const as = { MRS_URL: url, MRS_API_KEY: key };
    expect((await sandbox.cli(as, 'recordings', 'upload', meeting, '--watch')).status).toBe(0);
    const { body } = await api.get('/recordings');
    expect(body.data).toMatchObject([{ title: 'ten-seconds', status: 'COMPLETED', duration: 10.4 }]);
    const folder = folderIn(temporary);
    expect((await program.kill('SIGTERM')).status).toBe(0);
    expect([await isSilent(url), postgresProcesses(folder), readdirSync(temporary)]).toEqual([true, [], []]);
  });

  it('killed, stops its service; the next one removes what is left, also a database that runs', async () => {
    const temporary = await sandbox.folder();
    const first = await run(temporary);
    const { url } = await shownBy(first);
    const folder = folderIn(temporary);
    await first.kill('SIGKILL');
    await until(
      'the service to stop',
      async () => (await isSilent(url)) && postgresProcesses(folder).length === 0,
    );
    const second = await sandbox.run([CLI, 'dev', '--set', 'API_DOCS=false'], { TMPDIR: temporary });
    await until('mrs dev', () => second.hasEnded || second.stdout.includes('Ctrl-C ends it'), 90_000);
    expect(second.stdout).toMatch(/^API {11}http.*\nAPI key {7}mrs_/);
    expect([existsSync(folder), readdirSync(temporary).length]).toEqual([false, 1]);
    const left = folderIn(temporary);
    const database = postgresProcesses(left);
    const own = readdirSync('/proc').filter((pid) => isBelow(pid, second.child.pid ?? 0));
    for (const pid of own.map(Number)) if (!database.includes(pid)) kill(pid, 'SIGKILL');
    await second.ended;
    expect(processRuns(database[0] ?? 0)).toBe(true);
    const third = await run(temporary, ['--operator']);
    const { url: last, key } = await shownBy(third);
    expect([processRuns(database[0] ?? 0), existsSync(left)]).toEqual([false, false]);
    expect((await new Client(last, key).get('/users')).status).toBe(200);
    await third.kill('SIGINT');
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('ends with the process that started it', async () => {
    const temporary = await sandbox.folder();
    const script = `"${process.execPath}" "${CLI}" dev --json; exit 1`;
    const parent = await sandbox.run(['-c', script], { TMPDIR: temporary }, 'sh');
    const { url } = await shownBy(parent);
    parent.child.kill('SIGKILL');
    await until('everything to be removed', () => readdirSync(temporary).length === 0);
    expect(await isSilent(url)).toBe(true);
  });

  it.each([
    ['NAME', /--set: must be NAME=VALUE, not "NAME"/],
    ['DATABASE_URL=postgres://db', /--set: DATABASE_URL cannot be set/],
    ['AUTO_TRANSCRIPE=false', /--set: there is no setting "AUTO_TRANSCRIPE"; did you mean AUTO_TRANSCRIBE\?/],
    ['PORT=http', /PORT must be an integer/],
  ])('refuses %s', async (given, message) => {
    const temporary = await sandbox.folder();
    const { status, stdout, stderr } = await (await run(temporary, ['--set', given])).ended;
    expect([status === 0, stdout, stderr]).toEqual([false, '', expect.stringMatching(message)]);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

/** Whether a process is this one, or descends from it. */
function isBelow(pid: string, ancestor: number): boolean {
  try {
    if (Number(pid) === ancestor) return true;
    const parent = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return parent !== '0' && isBelow(parent, ancestor);
  } catch {
    return false;
  }
}
