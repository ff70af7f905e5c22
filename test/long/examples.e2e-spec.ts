import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compilePlayer } from '../../scripts/compile.js';
import { keyOf, recording, summary, transcript, user } from '../factories/workspace.js';
import { Page } from '../support/browser-tokens.js';
import { settled } from '../support/packaged.js';
import type { Client, Reply } from '../support/client.js';
import { query, Sandbox, type Ended, type Environment, type Program } from '../support/process.js';
import { PYTHON } from '../support/requirements.js';
import { ScriptedServer } from '../support/scripted-server.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { demoVideo } from '../support/uploads.js';

const MOST_LINES = 40;
const DAY_MS = 86_400_000;
const LANGUAGES = [
  { language: 'JavaScript', executable: process.execPath, file: (name: string) => `${name}.mjs`, check: it },
  {
    language: 'Python',
    executable: 'python3',
    file: (name: string) => `python/${name.replaceAll('-', '_')}.py`,
    check: PYTHON.it,
  },
] as const;
type Language = (typeof LANGUAGES)[number];
const [JAVASCRIPT] = LANGUAGES;

const programs = readdirSync('examples', { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(mjs|py)$/.test(name),
);

it.each(programs.filter((name) => name.endsWith('.mjs')))(
  '%s without arguments prints its usage',
  async (name) => {
    const sandbox = new Sandbox();
    const { status, stdout, stderr } = await (await sandbox.run([resolve('examples', name)], {})).ended;
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^Usage: .*\bnode [\w-]+\.mjs\b.*\n$/),
    ]);
    expect(stderr).toContain(name);
    await sandbox.cleanUp();
  },
);

it.each(programs)('%s has at most 40 lines, and is in the list', (name) => {
  expect(readFileSync(join('examples', name), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(
    MOST_LINES,
  );
  expect(readFileSync('examples/README.md', 'utf8')).toContain(`(${name})`);
});

it('the demo has what the list of examples searches for', () => {
  const [, words = ''] = /search\.mjs ([^#\n]+)/.exec(readFileSync('examples/README.md', 'utf8')) ?? [];
  expect(words.trim()).not.toBe('');
  expect(readFileSync('demo/workspace.json', 'utf8')).toContain(`"title": "Product weekly: ${words.trim()} `);
});

describe('The examples', () => {
  const sandbox = new Sandbox();
  let service: TestService;

  beforeAll(async () => {
    execFileSync(process.execPath, ['scripts/client.js'], { stdio: 'ignore' });
    service = await startService({ ALLOW_PRIVATE_ADDRESSES: 'true' }, { worker: true });
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await service.stop();
  });

  /** A user with recordings of these titles and properties; each test has one of its own. */
  async function workspaceOf(name: string, recordings: Record<string, object> = {}): Promise<Client> {
    const all = Object.entries(recordings).map(([title, more]) => recording(name, { title, ...more }));
    await service.import({ users: [user(name)], recordings: all });
    return service.api.as(keyOf(name));
  }

  function start(
    name: string,
    { executable, file }: Language,
    args: string[],
    more: Environment,
  ): Promise<Program> {
    const environment = {
      API: `${service.api.base}/api/v1`,
      PYTHONPATH: resolve('clients/python/src'),
      ...more,
    };
    return sandbox.run([resolve('examples', file(name)), ...args], environment, executable);
  }

  /** Runs it as this user. */
  async function run(name: string, language: Language, as: string, ...args: string[]): Promise<Ended> {
    return (await start(name, language, args, { KEY: keyOf(as) })).ended;
  }

  const titlesOf = ({ body }: Reply): string[] =>
    body.data.map(({ title }: { title: string }) => title).toSorted();
  const WORDS = { transcript: transcript(3), summary };
  const daysAgo = (days: number): object => ({
    createdAt: new Date(Date.now() - days * DAY_MS).toISOString(),
  });

  it('embed-player serves a page with the player, and tokens for that page and recording alone', async () => {
    await compilePlayer(process.cwd(), 'clients/typescript/dist/player');
    const ada = await workspaceOf('Embed', { Weekly: WORDS });
    const [{ id }] = (await ada.get('/recordings')).body.data;
    const { key, id: keyId } = (
      await ada.post('/api-keys', {
        name: 'Intranet',
        scopes: ['tokens:create', 'recordings:read', 'transcripts:read'],
      })
    ).body.data;
    const port = await freePort();
    const program = await start('embed-player', JAVASCRIPT, [id], { KEY: key, PORT: String(port) });
    const read = (path: string): Promise<Response> => fetch(`http://localhost:${port}${path}`);
    await eventually(async () => expect(await (await read('/')).text()).toContain(`/recordings/${id}"`));
    expect(await (await read('/player.js')).text()).toContain(`customElements.define('meeting-player'`);
    const token = await (await read('/token')).text();
    const browser = (origin: string): Page => new Page(service.api, token, origin);
    const here = browser(`http://localhost:${port}`);
    expect((await here.get(`/recordings/${id}/transcript`)).status).toBe(200);
    expect((await here.get('/recordings')).status).toBe(403);
    expect((await browser('https://evil.example').get(`/recordings/${id}`)).status).toBe(403);
    await ada.delete(`/api-keys/${keyId}`);
    expect((await read('/token')).status).toBe(502);
    expect((await program.kill('SIGTERM')).stderr).toBe('');
  });

  it('customer-meetings lists what a customer has, and takes their files', async () => {
    await workspaceOf('Portal');
    const port = await freePort();
    const program = await start('customer-meetings', JAVASCRIPT, ['customer-17'], {
      KEY: keyOf('Portal'),
      PORT: String(port),
    });
    const at = `http://localhost:${port}`;
    const page = async (): Promise<string> => (await fetch(at)).text();
    await eventually(async () => expect(await page()).toContain('<ul></ul>'));
    const { url, token } = (await (await fetch(at, { method: 'POST', body: 'a<b>.mp4' })).json()) as {
      url: string;
      token: string;
    };
    const headers = { authorization: `Bearer ${token}`, origin: at };
    const sent = await fetch(url, { method: 'PUT', body: new Uint8Array(demoVideo()), headers });
    expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([200, at]);
    await eventually(async () => expect(await page()).toContain('<li>a&#60;b&#62;.mp4: COMPLETED'));
    await program.kill('SIGTERM');
    // Once more: the customer is the same.
    const again = await start('customer-meetings', JAVASCRIPT, ['customer-17'], {
      KEY: keyOf('Portal'),
      PORT: String(port),
    });
    await eventually(async () => expect(await page()).toContain('COMPLETED'));
    expect((await again.kill('SIGTERM')).stderr).toBe('');
  });

  describe.each(LANGUAGES)('in $language', (language) => {
    const { check } = language;
    const named = (name: string): string => `${name}${language.language}`;

    check('upload-folder uploads what is not there yet, and says what cannot be used', async () => {
      const name = named('Folder');
      const ada = await workspaceOf(name, { 'old.mp4': {} });
      const folder = await sandbox.folder();
      for (const file of ['old.mp4', 'new.mp4', '.hidden']) await writeFile(join(folder, file), demoVideo());
      await writeFile(join(folder, 'notes.txt'), 'text '.repeat(2_000));
      await mkdir(join(folder, 'more'));
      const first = await run('upload-folder', language, name, folder);
      expect(first).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[\w-]{36} new\.mp4\n$/) });
      expect(first.stderr).toContain('The file is a text file');
      expect(await settled(ada, first.stdout.slice(0, 36))).toMatchObject({
        status: 'COMPLETED',
        title: 'new.mp4',
      });
      expect((await run('upload-folder', language, name, folder)).stdout).toBe('');
      expect(titlesOf(await ada.get('/recordings?status=COMPLETED'))).toEqual(['new.mp4', 'old.mp4']);
    });

    check('weekly-digest writes an email about the last seven days', async () => {
      const name = named('Digest');
      await workspaceOf(name, { Grüße: { ...daysAgo(1), ...WORDS }, Old: { ...daysAgo(8), ...WORDS } });
      await query(service.databaseUrl, `UPDATE recordings SET duration = 29 WHERE title = 'Grüße'`);
      const { status, stdout } = await run('weekly-digest', language, name, 'team@example.com');
      expect(status).toBe(0);
      expect(stdout).toMatch(/^To: team@example\.com\nSubject: 1 meetings this week\n/);
      expect(stdout).toMatch(/\n\nGrüße \(\d{4}-\d\d-\d\d.*\)\n {2}- Ship on Friday\n/);
      if (language === JAVASCRIPT) expect(stdout).toMatch(/^Grüße \(\S+, 29 s\)$/m);
      expect(stdout).not.toContain('Old');
    });

    check('webhook-receiver prints what is signed, and refuses everything else', async () => {
      const name = named('Hooks');
      const ada = await workspaceOf(name);
      const chat = await ScriptedServer.start();
      chat.answers = [(response) => response.end()];
      const port = await freePort();
      const hook = { url: `http://127.0.0.1:${port}/`, types: ['recording.created'] };
      const { id, secret } = (await ada.post('/webhooks', hook)).body.data;
      const settings = { WEBHOOK_SECRET: secret, PORT: String(port), CHAT_URL: chat.base };
      const receiver = await start('webhook-receiver', language, [], settings);
      const post = (): Promise<Response> => fetch(hook.url, { method: 'POST', body: '{"type":"forged"}' });
      await eventually(async () => expect((await post()).status).toBe(401));
      await ada.post('/recordings', { title: 'Weekly sync', media: 'none' });
      await ada.post(`/webhooks/${id}/test`);
      await eventually(async () => {
        expect(receiver.stdout.split('\n').toSorted()).toEqual([
          '',
          'recording.created Weekly sync',
          'webhook.test',
        ]);
      });
      await receiver.kill('SIGKILL');
      await chat.stop();
      if (language === JAVASCRIPT)
        expect(chat.received.map(({ body }) => JSON.parse(body.toString()))).toContainEqual({
          text: 'webhook.test',
        });
    });

    check(
      'import-captions imports a meeting without media, and leaves nothing behind if it cannot',
      async () => {
        const name = named('Import');
        const ada = await workspaceOf(name);
        const folder = await sandbox.folder();
        const [captions, other] = [join(folder, 'meeting.vtt'), join(folder, 'other.vtt')];
        await writeFile(captions, 'WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ada>We ship on Friday.\n');
        await writeFile(other, 'WEBVTT\n');
        const { status, stdout, stderr } = await run(
          'import-captions',
          language,
          name,
          captions,
          'Weekly sync',
        );
        expect({ status, stderr }).toEqual({
          status: 0,
          stderr: expect.stringContaining('1 segments of Ada\n'),
        });
        const { body } = await ada.get(`/recordings/${stdout.trim()}`);
        expect(body.data).toMatchObject({
          title: 'Weekly sync',
          media: 'none',
          transcription: { segmentsCount: 1 },
        });
        expect((await run('import-captions', language, name, other)).status).toBe(1);
        expect(titlesOf(await ada.get('/recordings'))).toEqual(['Weekly sync']);
      },
    );

    check('delete-old deletes what is older, and only with --yes', async () => {
      const name = named('Policy');
      const ada = await workspaceOf(name, { Old: daysAgo(40), Older: daysAgo(400), New: daysAgo(20) });
      const dry = await run('delete-old', language, name, '30');
      expect(dry).toMatchObject({ status: 0, stderr: 'Would delete 2: add --yes\n' });
      expect(titlesOf(await ada.get('/recordings'))).toEqual(['New', 'Old', 'Older']);
      const real = await run('delete-old', language, name, '30', '--yes');
      expect(real).toMatchObject({ status: 0, stdout: dry.stdout, stderr: 'Deleted 2\n' });
      expect(titlesOf(await ada.get('/recordings'))).toEqual(['New']);
      for (const days of [[], ['0'], ['x']]) {
        const wrong = await run('delete-old', language, name, ...days, '--yes');
        expect(wrong.status).toBe(language === JAVASCRIPT ? 2 : 1);
      }
      expect(titlesOf(await ada.get('/recordings'))).toEqual(['New']);
    });

    check('search prints the moments', async () => {
      const name = named('Search');
      const text = 'The R&D budget <draft>';
      const segments = [{ start: 3725, end: 3730, speaker: 'Ada', text, confidence: 0.9 }];
      await workspaceOf(name, { Board: { transcript: { language: 'en', segments } } });
      const { status, stdout } = await run('search', language, name, 'budget', 'draft');
      expect(status).toBe(0);
      expect(stdout).toMatch(/^Board \([\w-]{36}\)\n {2}01:02:05 Ada: The R&D \*budget\* <\*draft\*>\n$/);
      expect((await run('search', language, name, 'nonsense')).stdout).toBe('');
    });

    check('share creates a link that expires', async () => {
      const name = named('Share');
      const ada = await workspaceOf(name, { Weekly: WORDS });
      const [{ id }] = (await ada.get('/recordings')).body.data;
      const { status, stdout } = await run('share', language, name, id, '2');
      expect(status).toBe(0);
      const [link] = (await ada.get(`/recordings/${id}/share-links`)).body.data;
      expect(Date.parse(link.expires_at) - Date.now()).toBeGreaterThan(1.9 * DAY_MS);
      expect((await fetch(stdout.trim().replace(/^https?:\/\/[^/]+/, service.api.base))).status).toBe(200);
      const missing = await run('share', language, name, '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90');
      expect(missing).toMatchObject({ status: 1, stdout: '' });
    });

    check('sync-folder keeps a folder up to date', async () => {
      const ada = await workspaceOf(named('Sync'), { First: WORDS, Empty: {} });
      const folder = join(await sandbox.folder(), 'transcripts');
      const sync = async (): Promise<string[]> => {
        expect(await run('sync-folder', language, named('Sync'), folder)).toMatchObject({
          status: 0,
          stderr: '',
        });
        return (await readdir(folder)).filter((name) => name !== '.cursor');
      };
      const [file = ''] = await sync();
      expect(await readFile(join(folder, file), 'utf8')).toContain('Ada: Sentence 0');
      const { id } = (await ada.post('/recordings', { title: 'Second', media: 'none' })).body.data;
      await ada.request('PUT', `/recordings/${id}/transcript`, {
        headers: { 'content-type': 'text/vtt' },
        body: 'WEBVTT\n\n00:00.000 --> 00:02.000\nHello\n',
      });
      await eventually(async () => expect(await sync()).toEqual([file, `${id}.txt`].toSorted()));
      await ada.delete(`/recordings/${id}`);
      await eventually(async () => expect(await sync()).toEqual([file]));
    });

    check('follow-events prints events until Ctrl-C', async () => {
      const ada = await workspaceOf(named('Follow'));
      const program = await start('follow-events', language, ['recording.*'], {
        KEY: keyOf(named('Follow')),
      });
      await eventually(async () => {
        await ada.post('/recordings', { title: 'Weekly sync', media: 'none' });
        expect(program.stdout).toMatch(/^\S+Z recording\.created Weekly sync\n/);
      });
      expect(await program.kill('SIGINT')).toMatchObject({ status: 0, signal: null, stderr: '' });
    });

    check('export-markdown writes every transcript with its summary', async () => {
      await workspaceOf(named('Export'), { 'Q1/Q2: "plan"': { ...WORDS, ...daysAgo(1) }, Empty: {} });
      const folder = join(await sandbox.folder(), 'export');
      expect(await run('export-markdown', language, named('Export'), folder)).toMatchObject({
        status: 0,
        stderr: '',
      });
      const [name = '', ...others] = await readdir(folder);
      expect(others).toEqual([]);
      expect(name).toMatch(/^\d{4}-\d\d-\d\d Q1-Q2- -plan- \w{6}\.md$/);
      const text = await readFile(join(folder, name), 'utf8');
      expect(text).toMatch(/Ship it[^]*\*\*Ada\*\*[^]*Sentence 0/);
    });
  });
});

async function freePort(): Promise<number> {
  const server = await ScriptedServer.start();
  const port = Number(new URL(server.base).port);
  await server.stop();
  return port;
}
