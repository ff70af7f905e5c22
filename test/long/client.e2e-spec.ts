import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MeetingRecordings, verifyWebhook, type StreamedEvent } from 'meeting-recording-client';
import { keyOf, user } from '../factories/workspace.js';
import { openBrowser, openPage } from '../support/browser.js';
import { Sandbox } from '../support/process.js';
import { CHROMIUM } from '../support/requirements.js';
import { ScriptedServer } from '../support/scripted-server.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { WebhookReceiver, type ReceivedWebhook } from '../support/webhook-receiver.js';

const FETCH = dirname(dirname(createRequire(import.meta.url).resolve('openapi-fetch')));
const PACKAGES = ['clients/typescript', FETCH, join(FETCH, '../openapi-typescript-helpers')];
const TSC = resolve('node_modules/typescript-native/bin/tsc');
const KEY = keyOf('Ada');

/** What somebody does with the client: it is also type-checked, and run by a browser. */
const PROGRAM = `
import { MeetingRecordings, RecordingNotFoundError } from 'meeting-recording-client';

export async function use(baseUrl, apiKey, video) {
  const api = new MeetingRecordings({ baseUrl, apiKey });
  let sent = 0;
  const { id } = await api.upload(video, { title: 'Packed', onProgress: (progress) => (sent = progress.sent) });
  const { hlsUrl } = await api.waitFor(id, 'playable', { timeout: 60_000 });
  const body = new Blob(['WEBVTT\\n\\n00:00.000 --> 00:02.000\\n<v Ada>We ship on Friday.']);
  await api.put('/recordings/{id}/transcript', { path: { id }, body });
  await api.post('/recordings/{id}/summary', { path: { id } });
  const { summary } = await api.waitFor(id, 'summary', { timeout: 60_000 });
  const titles = [];
  for await (const recording of api.list('/recordings')) titles.push(recording.title);
  await api.delete('/recordings/{id}', { path: { id } });
  const gone = await api.get('/recordings/{id}', { path: { id } }).catch((error) => error instanceof RecordingNotFoundError);
  return { sent, isPlayable: hlsUrl !== null, summary: summary.content, titles, gone };
}
`;

const expected = (size: number): object => ({
  sent: size,
  isPlayable: true,
  summary: expect.stringContaining('Friday'),
  titles: ['Packed'],
  gone: true,
});

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

describe('The client', () => {
  const sandbox = new Sandbox();
  const film = resolve('demo/media/depot-walk-through.mp4');
  const size = readFileSync(film).length;
  let site: ScriptedServer;
  let service: TestService;
  let api: MeetingRecordings;

  beforeAll(async () => {
    site = await ScriptedServer.start();
    const settings = { ALLOW_PRIVATE_ADDRESSES: 'true', CORS_ORIGINS: site.base };
    service = await startService(settings, { worker: true });
    await service.import({ users: [user('Ada')] });
    api = new MeetingRecordings({ baseUrl: service.api.base, apiKey: KEY });
    // As before every `npm pack`.
    execFileSync(process.execPath, ['scripts/client.js'], { stdio: 'ignore' });
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await service.stop();
    await site.stop();
  });

  it('is packed, installed into an empty folder without a network, checked and used', async () => {
    const folder = await sandbox.folder();
    const npm = (args: string[]): string =>
      execFileSync('npm', [...args, '--ignore-scripts', '--offline', '--no-audit', '--no-fund'], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    const packages = PACKAGES.map((name) => resolve(name));
    const packed = JSON.parse(npm(['pack', '--json', ...packages])) as {
      filename: string;
      files: { path: string }[];
    }[];
    const files = packed[0]?.files.map(({ path }) => path) ?? [];
    expect(files.filter((path) => !path.startsWith('dist/'))).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    expect(files.filter((path) => !/\.(js|d\.ts)$/.test(path))).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    npm(['install', ...packed.map(({ filename }) => `./${filename}`)]);

    await writeFile(join(folder, 'use.js'), PROGRAM);
    await writeFile(
      join(folder, 'main.js'),
      `import { readFileSync } from 'node:fs';
       import { use } from './use.js';
       const { API, KEY } = process.env;
       console.log(JSON.stringify(await use(API, KEY, readFileSync(process.argv[2]))));`,
    );
    const program = await sandbox.run([join(folder, 'main.js'), film], { API: service.api.base, KEY });
    const { status, stdout, stderr } = await program.ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(expected(size));

    await writeFile(
      join(folder, 'types.ts'),
      `import { MeetingRecordings, type Schemas } from 'meeting-recording-client';
       const api = new MeetingRecordings({ baseUrl: 'http://localhost:3000', apiKey: null });
       for await (const one of api.list('/recordings')) one.title satisfies string;
       export const detail: Promise<Schemas['RecordingDetail']> = api.get('/recordings/{id}', { path: { id: '' } });
       // @ts-expect-error: there is no such path.
       void api.get('/nonsense');
       // @ts-expect-error: an id is missing.
       void api.get('/recordings/{id}');
       // @ts-expect-error: not a list.
       void api.list('/me');
       // @ts-expect-error: no such field.
       void api.post('/recordings', { body: { title: 'A', nonsense: 1 } });
       // @ts-expect-error: nothing that has revisions.
       void api.get('/recordings', { revision: 1 });`,
    );
    const options = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--lib',
      'es2022,dom',
    ];
    execFileSync(process.execPath, [TSC, ...options, '--types', '', 'types.ts'], { cwd: folder });
  });

  CHROMIUM.it('runs in a browser', async () => {
    const map = { imports: { 'meeting-recording-client': '/client/index.js', 'openapi-fetch': '/fetch.js' } };
    const page = `<!doctype html><title>Site</title><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify(map)}</script>`;
    site.answers = [
      (response, { url }) => {
        const [, name = ''] = /^\/client\/([\w-]+\.js)$/.exec(url) ?? [];
        const script = name
          ? readFileSync(join('clients/typescript/dist', name))
          : { '/use.js': PROGRAM, '/fetch.js': readFileSync(join(FETCH, 'dist/index.mjs')) }[url];
        if (url === '/film') return response.end(readFileSync(film));
        response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
        return response.end(script ?? page);
      },
    ];
    const browser = await openBrowser();
    try {
      const { page: opened, complaints } = await openPage(browser);
      await opened.goto(site.base);
      const result = await opened.evaluate(`(async () => {
        const { use } = await import('/use.js');
        const film = new File([await (await fetch('/film')).blob()], 'film.mp4');
        return use(${JSON.stringify(service.api.base)}, '${KEY}', film);
      })()`);
      expect(result).toEqual(expected(size));
      // The recording that was deleted.
      expect(complaints).toEqual([expect.stringContaining('404')]);
    } finally {
      await browser.close();
    }
  });

  it('follows events, from a place that it was given', async () => {
    const { signal, abort } = abortable();
    const { pagination } = await api.page('/events', { query: { since: new Date().toISOString() } });
    const id = (await api.post('/recordings', { body: { title: 'Words', media: 'none' } })).id;
    await api.patch('/recordings/{id}', { path: { id }, body: { title: 'Changed' } });
    const follow = async (cursor: string): Promise<StreamedEvent[]> => {
      const seen: StreamedEvent[] = [];
      for await (const event of api.events({ types: 'recording.*', recording_id: id, cursor, signal })) {
        seen.push(event);
        if (event.type === 'recording.updated') break;
      }
      return seen;
    };
    const [created, updated] = await follow(pagination.next_cursor);
    expect([created?.type, updated?.type]).toEqual(['recording.created', 'recording.updated']);
    expect(await follow(String(created?.cursor))).toMatchObject([{ id: updated?.id }]);
    const waiting = follow(String(updated?.cursor));
    abort();
    expect(await waiting).toEqual([]);
  });

  it('verifies what webhooks send, also while their secret is being replaced', async () => {
    const receiver = await WebhookReceiver.start();
    const body = { url: receiver.url(), types: ['recording.deleted'] } as const;
    const webhook = await api.post('/webhooks', { body: { ...body, types: [...body.types] } });
    const { secret } = await api.post('/webhooks/{id}/rotate-secret', { path: { id: webhook.id } });
    await api.post('/webhooks/{id}/test', { path: { id: webhook.id } });
    await eventually(async () => expect(receiver.received).toHaveLength(1));
    await receiver.stop();
    const [{ text, headers }] = receiver.received as [ReceivedWebhook];
    expect(headers['webhook-signature']).toContain(' ');
    for (const one of [webhook.secret, secret])
      expect(await verifyWebhook(text, headers, one!)).toMatchObject({ type: 'webhook.test' });
  });
});
