import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { readHls, settled, upload } from '../support/packaged.js';
import { RunningService, Sandbox } from '../support/process.js';
import { installPruned } from '../support/pruned-install.js';
import { FFMPEG, ffmpegPath, SPEECH } from '../support/requirements.js';
import { eventually } from '../support/service.js';
import { speechFile } from '../support/speech.js';

/** For a busy machine: speech is recognized at the lowest priority. */
const WITHIN_MS = 60_000;

/** There is no container here; this runs the same packages on this system. */
FFMPEG.describe('the service with what the image contains, and an FFmpeg of the system', () => {
  const sandbox = new Sandbox();
  let folder: string;
  let database: TestDatabase;
  let service: RunningService;
  let ada: Client;

  beforeAll(async () => {
    folder = await sandbox.folder();
    // As root, the processes that read media have other users.
    await chmod(folder, 0o755);
    installPruned(folder);
    database = await createDatabase();
    const settings = { DATABASE_URL: database.url, DATA_DIR: await sandbox.folder() };
    await sandbox.importInto(settings, { users: [user('Ada')] });
    const program = await sandbox.run([join(folder, 'dist', 'src', 'main.js')], {
      ...settings,
      PORT: '0',
      FFMPEG_PATH: ffmpegPath ?? '',
      AUTO_TRANSCRIBE: 'true',
    });
    service = await RunningService.from(program);
    ada = service.api.as(keyOf('Ada'));
  }, 120_000);
  afterAll(async () => {
    await sandbox.cleanUp();
    await database?.drop();
  });

  it('does not contain the FFmpeg of node-av', async () => {
    const script = `
      const { readdirSync } = require('node:fs');
      const scopes = readdirSync('node_modules').includes('@seydx') ? readdirSync('node_modules/@seydx') : [];
      import('node-av/lib').then(() => console.log('loaded'), ({ code }) => console.log(code, scopes.length));`;
    const program = await sandbox.run(['-e', `process.chdir(${JSON.stringify(folder)});${script}`], {});
    expect((await program.ended).stdout).toBe('ERR_MODULE_NOT_FOUND 0\n');
  });

  it.each(['', '/errors', '/typescript-client', '/examples', '/images/library.png'])(
    'shows the guide%s',
    async (path) => {
      expect((await fetch(`${service.api.base}/docs/guide${path}`)).status).toBe(200);
    },
  );

  it('packages a video that has to be encoded', async () => {
    const id = await upload(ada, await readFile('test/data/media/frog.webm'));
    const detail = await settled(ada, id, { withinMs: WITHIN_MS });
    expect([detail.status, detail.statusReason]).toEqual(['COMPLETED', null]);
    const files = await readHls(detail.hlsUrl);
    expect(files).toHaveLength(3);
    expect(files.filter(({ status }) => status !== 200)).toEqual([]);
    const picture = await fetch(detail.thumbnailUrl);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  }, 120_000);

  SPEECH.it(
    'transcribes speech',
    async () => {
      const id = await upload(ada, speechFile('jfk.flac'));
      expect((await settled(ada, id, { withinMs: WITHIN_MS })).status).toBe('COMPLETED');
      const page = async () => (await ada.get(`/recordings/${id}/transcript`)).body.data;
      await eventually(async () => expect((await page()).status).toBe('completed'), WITHIN_MS);
      const { segments } = await page();
      const said = segments.map(({ text }: { text: string }) => text).join(' ');
      expect(said).toMatch(/ask not what your country can do for you/i);
    },
    180_000,
  );
});
