import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { commandLine, printedSoFar, withInput } from '../../support/command-line.js';
import { saying } from '../../support/found.js';
import { browserOf, issuerOf, OAuthApp } from '../../support/oauth.js';
import { Sandbox, until, type Ended, type Environment } from '../../support/process.js';
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

  describe('without a key', () => {
    const url = (): string => issuerOf(service);
    const app = (): OAuthApp => OAuthApp.of(url(), 'mrs');
    const connections = async () => (await service.api.as(KEY).get('/me/connections')).body.data;
    const connected = async () => {
      const tokens = await app().connectDevice(
        await browserOf(service, 'Ada'),
        'transcripts:read offline_access',
      );
      const { access_token: accessToken, refresh_token: refreshToken } = tokens;
      return { accessToken, refreshToken, expiresAt: Date.now() + 900_000 };
    };
    const kept = () => JSON.parse(readFileSync(file(), 'utf8'));
    /** Logs in on a terminal; `decide`: in the browser. */
    const logIn = async (form: Parameters<OAuthApp['decide']>[2]): Promise<Ended> => {
      const ended = withInput('', () => cli({}, 'login', url(), '--json'), true);
      await until('a code', () => printedSoFar(process.stderr).includes('the code is'));
      const [, address = ''] = /open (\S+)/.exec(printedSoFar(process.stderr)) ?? [];
      await app().decideForDevice(await browserOf(service, 'Ada'), address, form);
      return ended;
    };

    it('connects the command line once somebody has approved it in a browser', async () => {
      const { status, stdout, stderr } = await logIn({});
      expect([status, JSON.parse(stdout)]).toMatchObject([0, { url: url(), user: { name: 'Ada' } }]);
      expect(stderr).toMatch(
        /^(oidc-provider WARNING: .*\n)?To log in, open http:\S+user_code=(\S+)\nand check that the code is \2\nThe tokens are in \S+, readable for you only\.\n$/,
      );
      expect(statSync(file()).mode & 0o777).toBe(0o600);
      expect(await read()).toMatchObject({ status: 0, stdout: expect.stringContaining('14 mechanics') });
      const [{ client, scopes }] = await connections();
      expect([client, scopes.includes('keys:manage'), scopes.includes('recordings:write')]).toEqual([
        { id: 'mrs', name: 'npx mrs' },
        false,
        true,
      ]);
      const { stdout: who } = await cli({}, 'whoami');
      expect(who).toMatch(/^key +oauth npx mrs$/m);
      const { refreshToken } = kept().tokens;
      const removed = { status: 0, stdout: `Removed ${file()}.\n` };
      expect(await cli({}, 'logout')).toMatchObject(removed);
      expect(await connections()).toEqual([]);
      expect((await app().refresh(refreshToken)).status).toBe(400);
    });

    it('keeps nothing if it was refused', async () => {
      expect(await logIn({ decision: 'deny' })).toMatchObject({
        status: 3,
        stderr: expect.stringMatching(/\nerror: Not logged in: it was refused in the browser\.\n$/),
      });
      expect(readdirSync(home)).toEqual([]);
    });

    it('says which name the server has', async () => {
      const elsewhere = await withInput('', () => cli({}, 'login', service.api.base), true);
      expect([elsewhere.status, elsewhere.stderr]).toEqual([
        2,
        `error: url: this server is ${url()}; log in to that, or with an API key: --with-key\n`,
      ]);
    });

    it('names the other way where there is no authorization server, and ends an earlier connection', async () => {
      const path = `${url()}/docs`;
      expect(await withInput('', () => cli({}, 'login', path), true)).toMatchObject({
        status: 5,
        stderr: expect.stringContaining(`With an API key: npx mrs login ${path} --with-key`),
      });
      const { refreshToken, ...rest } = await connected();
      store(JSON.stringify({ url: url(), tokens: { refreshToken, ...rest } }));
      expect(await login(KEY)).toMatchObject({ status: 0 });
      expect((await app().refresh(refreshToken)).status).toBe(400);
    });

    it('renews its tokens once, however many commands find them expired', async () => {
      const tokens = await connected();
      store(JSON.stringify({ url: url(), tokens: { ...tokens, expiresAt: 0 } }));
      const sandbox = new Sandbox();
      const command = () => sandbox.cli({ XDG_CONFIG_HOME: home }, 'transcript', 'get', depot.id);
      try {
        const ended = await Promise.all([command(), command()]);
        expect(ended.map(({ status, stderr }) => [status, stderr])).toEqual([
          [0, ''],
          [0, ''],
        ]);
      } finally {
        await sandbox.cleanUp();
      }
      expect(kept().tokens.refreshToken).not.toBe(tokens.refreshToken);
      expect(readdirSync(folder())).toEqual(['credentials.json']);
    });

    it('renews a token that the server no longer knows, and takes over from a command that has crashed', async () => {
      store(JSON.stringify({ url: url(), tokens: { ...(await connected()), accessToken: 'mro_lost' } }));
      writeFileSync(`${file()}.lock`, '');
      utimesSync(`${file()}.lock`, 0, 0);
      expect(await read()).toMatchObject({ status: 0, stderr: '' });
    });

    it('says how to log in again once it is disconnected', async () => {
      store(JSON.stringify({ url: url(), tokens: await connected() }));
      for (const { id } of await connections()) await service.api.as(KEY).delete(`/me/connections/${id}`);
      const { status, stderr } = await read();
      expect([status, stderr]).toEqual([
        3,
        expect.stringMatching(/^error: .* Log in again: npx mrs login http.*\n$/),
      ]);
    });
  });
});
