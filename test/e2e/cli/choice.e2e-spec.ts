import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { commandLine, commandsAs, interrupt, onTerminal } from '../../support/command-line.js';
import { saying } from '../../support/found.js';
import type { Ended } from '../../support/process.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { demoVideo } from '../../support/uploads.js';

const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Bob', 'VIEWER')] });
const zoo = organization('Zoo', { members: [member('Bob', 'OWNER')] });
const hers = recording('Ada', {
  title: 'Depot',
  transcript: saying('en', ['Grace', 'The depot needs 14 mechanics & "tools".']),
});
const his = recording('Bob', { title: 'His own' });

describe('mrs with a server and a host', () => {
  let service: TestService;
  let folder: string;
  const { cli, says } = commandsAs(() => service.api.base, keyOf('Ada'));
  /** With a database of the host, too. */
  const both = (...args: string[]): Promise<Ended> => {
    const { databaseUrl, dataDir, api } = service;
    const host = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
    return commandLine({ ...host, MRS_URL: api.base, MRS_API_KEY: keyOf('Ada') }, ...args);
  };
  const json = async (...args: string[]) => JSON.parse(await says(...args, '--json'));

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada'), user('Bob')],
      organizations: [acme, zoo],
      recordings: [hers, his],
    });
    folder = mkdtempSync(join(tmpdir(), 'mrs-choice-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await service.stop();
  });

  it('uses the server if there are credentials, and with --host the host', async () => {
    const titles = async (...args: string[]): Promise<string[]> => {
      const { status, stdout, stderr } = await both('recordings', 'list', '--json', ...args);
      expect([status, stderr]).toEqual([0, '']);
      return JSON.parse(stdout).map(({ title }: { title: string }) => title);
    };
    expect(await titles()).toEqual(['Depot']);
    expect((await titles('--host')).sort()).toEqual(['Depot', 'His own']);
  });

  it('says on a terminal which server it uses', async () => {
    const { stdout, stderr } = await onTerminal(() => both('orgs', 'list'));
    expect(stderr).toBe(`On ${service.api.base}; --host uses the data of this host.\n`);
    expect(stdout).toBe(
      `ID${' '.repeat(36)}ROLE${' '.repeat(15)}NAME\n${acme.id}  OWNER, members: 2  Acme\n`,
    );
    expect((await onTerminal(() => both('orgs', 'list', '--quiet'))).stderr).toBe('');
  });

  it.each([
    ['recordings', 'list', '--email', 'ada@acme.test'],
    ['recordings', 'upload', 'x.mp4', '--id', 'x'],
    ['keys', 'create', '--name', 'x', '--email', 'ada@acme.test'],
    ['keys', 'list', '--unused', '90d'],
  ])('refuses an option of the host on a server: %s %s', async (...args) => {
    const { status, stdout, stderr } = await cli(...args);
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^error: --\w+: .* add --host .*\n$/),
    ]);
  });

  it('refuses --host where only a server can do it', async () => {
    const refused = { status: 2, stderr: 'error: --host: this command works on a server only\n' };
    expect(await both('ask', 'Who?', '--host')).toMatchObject(refused);
    expect(await both('members', 'list', acme.id, '--host')).toMatchObject(refused);
  });

  it('still demands a user on the host', async () => {
    const { status, stderr } = await both('keys', 'list', '--host');
    expect([status, stderr]).toEqual([2, expect.stringContaining("'--email <email>' or '--id <id>' not")]);
  });

  it('lists, shows, finds and deletes recordings of the user', async () => {
    expect(await says('recordings', 'get', hers.id)).toMatch(
      /^id {12}\S+\ntitle {9}Depot\nstatus {8}COMPLETED\n/,
    );
    expect(await cli('recordings', 'get', his.id)).toMatchObject({ status: 4, stdout: '' });
    expect(await says('recordings', 'search', 'mechanics')).toMatch(
      /^\S+ {2}\S+ \S+ {2}Ada {2}Depot {2}0:00 Grace: The depot needs 14 mechanics & "tools"\.\n$/,
    );
    expect(await says('recordings', 'search', 'depot -mechanics')).toBe('');
    expect(await json('recordings', 'list', '--status', 'ERROR')).toEqual([]);
    const { body } = await service.api.as(keyOf('Ada')).post('/recordings', { title: 'Old', media: 'none' });
    expect(await says('recordings', 'delete', body.data.id)).toBe('Deleted "Old" of Ada.\n');
    expect(await cli('recordings', 'delete', body.data.id)).toMatchObject({ status: 4 });
  });

  it('uploads a file with its title, and leaves nothing of one that is refused', async () => {
    const [video, page] = [join(folder, 'walk.mp4'), join(folder, 'page.html')];
    writeFileSync(video, demoVideo());
    writeFileSync(page, '<html>'.repeat(1000));
    const { id, status } = await json('recordings', 'upload', video, '--organization', acme.id);
    expect(status).toBe('PROCESSING');
    expect(await json('recordings', 'get', id)).toMatchObject({ title: 'walk', organizationId: acme.id });
    expect(await cli('recordings', 'upload', page)).toMatchObject({ status: 2, stdout: '' });
    expect(await json('recordings', 'list', '--search', 'page')).toEqual([]);
  });

  it('removes the recording of an upload that is interrupted', async () => {
    const long = join(folder, 'long.mp4');
    writeFileSync(long, demoVideo());
    // More than can be uploaded before the signal.
    truncateSync(long, 4_000_000_000);
    const running = cli('recordings', 'upload', long);
    await eventually(async () => {
      const { body } = await service.api.as(keyOf('Ada')).get('/recordings?search=long');
      expect(body.data).toHaveLength(1);
    });
    await interrupt();
    const { status, stdout, stderr } = await running;
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/long\.mp4: interrupted; the recording was removed\n$/);
    expect(await json('recordings', 'list', '--search', 'long')).toEqual([]);
  });

  it('lists members, and creates, lists and revokes keys of the user', async () => {
    expect(await says('members', 'list', acme.id, '--search', 'bob')).toMatch(
      /^\S+ {2}VIEWER {2}bob@acme\.test {2}Bob\n$/,
    );
    const key = (
      await says('keys', 'create', '--name', 'ci', '--scopes', 'read-only', '--expires-in', '1d')
    ).trim();
    expect(key).toMatch(/^mrs_\w{43}$/);
    const prefix = key.slice(0, 12);
    expect(await says('keys', 'list')).toMatch(
      new RegExp(`${prefix} {2}expires \\S+, never used {2}.*:read.* {2}all {2}ci\n`),
    );
    expect(await says('keys', 'revoke', prefix)).toBe(`Revoked ${prefix} (ci).\n`);
    expect(await cli('keys', 'revoke', prefix)).toMatchObject({ status: 3 });
    expect(await cli('keys', 'revoke', 'mrs_00000000')).toMatchObject({ status: 4 });
  });
});
