import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { commandLine, withInput } from '../../support/command-line.js';
import { saying } from '../../support/found.js';
import type { Ended, Environment } from '../../support/process.js';
import { startService, type TestService } from '../../support/service.js';

const KEY = keyOf('Ada');
const WRONG = 'mrs_unknown00000000000000000000';
const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
const depot = recording('Ada', { transcript: saying('en', ['Grace', 'The depot needs 14 mechanics.']) });

describe('mrs login', () => {
  let service: TestService;
  let home: string;
  const folder = (): string => join(home, 'mrs');
  const file = (): string => join(folder(), 'credentials.json');
  const cli = (env: Environment, ...args: string[]): Promise<Ended> =>
    commandLine({ XDG_CONFIG_HOME: home, ...env }, ...args);
  const login = (key: string, url = service.api.base, ...args: string[]): Promise<Ended> =>
    withInput(
      `${key}
`,
      () => cli({}, 'login', url, ...args),
    );
  const read = (env: Environment = {}): Promise<Ended> => cli(env, 'transcript', 'get', depot.id);
  const store = (text: string): void => {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(file(), text);
  };

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada'), user('Bob')], organizations: [acme], recordings: [depot] });
  });
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'mrs-login-'));
  });
  afterEach(() => {
    rmSync(home, { recursive: true });
  });
  afterAll(() => service.stop());

  it('checks the key, says whose it is, and keeps it where only the user can read it', async () => {
    mkdirSync(folder());
    chmodSync(folder(), 0o755);
    const { status, stdout, stderr } = await login(KEY, `${service.api.base}/api/v1/`);
    expect([status, stdout]).toEqual([0, `Logged in to ${service.api.base} as Ada <ada@acme.test>.\n`]);
    expect(stderr).toBe(`The key is in ${file()}, readable for you only.\n`);
    expect([statSync(folder()).mode & 0o777, statSync(file()).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readdirSync(folder())).toEqual(['credentials.json']);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ url: service.api.base, api_key: KEY });
    expect(await read()).toMatchObject({
      status: 0,
      stdout: '[0:00] Grace: The depot needs 14 mechanics.\n',
    });
  });

  it('takes a key that may not say whose it is', async () => {
    const { body } = await service.api.as(KEY).post('/api-keys', { name: 'x', scopes: ['recordings:read'] });
    const { status, stdout } = await login(body.data.key, service.api.base, '--json');
    expect([status, JSON.parse(stdout)]).toEqual([0, { url: service.api.base, user: null }]);
  });

  it('says who it is and what the key may do', async () => {
    const whoami = (key: string, ...args: string[]): Promise<Ended> =>
      cli({ MRS_URL: service.api.base, MRS_API_KEY: key }, 'whoami', ...args);
    const { status, stdout, stderr } = await whoami(KEY);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      new RegExp(
        `^server +${service.api.base}\nuser +Ada <ada@acme\\.test> \\S{36}\norganizations +Acme \\(OWNER\\)\nkey +${KEY.slice(0, 12)}\\b.*\nscopes +full\nexpires +never\n$`,
      ),
    );
    const json = JSON.parse((await whoami(KEY, '--json')).stdout);
    expect(json).toMatchObject({
      url: service.api.base,
      user: { name: 'Ada', email: 'ada@acme.test' },
      organizations: [{ id: acme.id, name: 'Acme', role: 'OWNER' }],
      api_key: { prefix: KEY.slice(0, 12), scopes: null },
    });
    const { body } = await service.api.as(KEY).post('/api-keys', { name: 'x', scopes: ['recordings:read'] });
    const narrow = JSON.parse((await whoami(body.data.key, '--json')).stdout);
    expect(narrow).toEqual({
      url: service.api.base,
      user: null,
      organizations: null,
      api_key: { prefix: body.data.key.slice(0, 12) },
    });
    expect(await whoami(WRONG)).toMatchObject({ status: 3, stdout: '' });
    expect(await cli({}, 'whoami')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Not logged in'),
    });
  });

  it.each([
    ['a wrong key', WRONG, 'base', 3, 'API key'],
    ['no key', '', 'base', 2, 'No API key was given'],
    ['something else', 'Bearer x', 'base', 2, 'the API key: is no API key'],
    ['no server there', KEY, 'http://127.0.0.1:9', 5, 'http://127.0.0.1:9 cannot be reached.'],
    ['no URL', KEY, 'localhost', 2, 'url: must be an http or https URL, not "localhost"'],
    [
      'a URL with a password',
      KEY,
      'http://ada:secret@localhost',
      2,
      'url: must be a URL without credentials',
    ],
  ])('keeps nothing and prints no key with %s', async (_, key, url, status, message) => {
    const ended = await login(key, url === 'base' ? service.api.base : url);
    expect([ended.status, ended.stdout, ended.stderr]).toEqual([
      status,
      '',
      expect.stringContaining(message),
    ]);
    if (key !== '') expect(ended.stderr).not.toContain(key);
    expect(readdirSync(home)).toEqual([]);
  });

  it('is forgotten by logout', async () => {
    await login(KEY);
    const removed = `Removed ${file()}. The key itself still works; keys revoke ends that.\n`;
    expect(await cli({}, 'logout')).toMatchObject({ status: 0, stdout: removed });
    expect(await cli({}, 'logout')).toMatchObject({ status: 0, stdout: 'Not logged in.\n' });
    expect(await read()).toMatchObject({ status: 2, stderr: expect.stringContaining('npx mrs login URL') });
    store('{"api_key": "mrs_secret');
    expect((await read()).stderr).toMatch(/is not what npx mrs login writes\. Log in again\.\n$/);
    expect((await cli({}, 'logout')).status).toBe(0);
    expect(readdirSync(folder())).toEqual([]);
  });

  it('yields to the environment, and gives its key to no other server', async () => {
    await login(KEY);
    expect(await read({ MRS_API_KEY: keyOf('Bob') })).toMatchObject({ status: 4 });
    const elsewhere = await read({ MRS_URL: 'http://127.0.0.1:9' });
    expect([elsewhere.status, elsewhere.stderr]).toEqual([
      2,
      'error: Set MRS_API_KEY to an API key of http://127.0.0.1:9, or log in: npx mrs login http://127.0.0.1:9\n',
    ]);
    store(JSON.stringify({ url: 'http://127.0.0.1:9', api_key: KEY }));
    expect(await read({ MRS_URL: service.api.base, MRS_API_KEY: KEY })).toMatchObject({ status: 0 });
  });

  it('says how to log in again once the key is refused, without the key', async () => {
    const { status, stderr } = await read({ MRS_URL: service.api.base, MRS_API_KEY: WRONG });
    expect([status, stderr]).toEqual([
      3,
      expect.stringMatching(/^error: .* Log in again: npx mrs login http.*\n$/),
    ]);
    expect(stderr).not.toContain(WRONG);
  });
});
