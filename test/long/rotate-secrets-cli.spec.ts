import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { Sandbox, type Environment, type RunningService } from '../support/process.js';

describe('npm run cli -- keys rotate-secrets, while the service runs', () => {
  const sandbox = new Sandbox();
  const mine = recording('Ada', { media: 'call.mp4', status: 'COMPLETED' });
  let database: TestDatabase;
  let settings: Environment & { DATA_DIR: string };
  let services: RunningService[];

  beforeAll(async () => {
    database = await createDatabase();
    settings = { DATABASE_URL: database.url, DATA_DIR: await sandbox.folder() };
    await sandbox.importInto(
      settings,
      { users: [user('Ada')], recordings: [mine] },
      { 'call.mp4': 'no video' },
    );
    services = await Promise.all([sandbox.start(settings), sandbox.start(settings)]);
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await database.drop();
  });

  const keys = (): string[] =>
    ['url-signing-key', 'sealing-key'].map((name) => readFileSync(join(settings.DATA_DIR, name), 'utf8'));

  it('fails no request of either process, keeps every address, and prints no key', async () => {
    const [a, b] = services.map(({ api }) => api.as(keyOf('Ada')));
    const before = keys();
    const { share_token: token } = (await a!.post(`/recordings/${mine.id}/share-link`, {})).body.data;
    const failures: unknown[] = [];
    const done = new AbortController();
    let requests = 0;
    const load = async (): Promise<void> => {
      while (!done.signal.aborted) {
        // What one process signs and seals, the other one reads.
        for (const [one, other] of [
          [a!, b!],
          [b!, a!],
        ]) {
          const { videoUrl } = (await one!.get(`/recordings/${mine.id}`)).body.data;
          const path = String(videoUrl).slice(String(videoUrl).indexOf('/media/'));
          const replies = [
            await other!.get(`/${path}`),
            await other!.post(`/recordings/${mine.id}/share-link`, {}),
            await one!.post(`/recordings/${mine.id}/share-link`, { label: 'Customer' }),
            await other!.get(`/recordings/${mine.id}/share-links`),
            await one!.get(`//s/${token}`),
          ];
          requests += replies.length;
          failures.push(...replies.filter(({ status }) => status >= 400 && status !== 409));
          if (replies[1]?.body.data.share_token !== token) failures.push('another plain link');
        }
      }
    };
    const loaded = load();
    const first = await sandbox.cli(settings, 'keys', 'rotate-secrets');
    const second = await sandbox.cli(settings, 'keys', 'rotate-secrets', '--json');
    done.abort();
    await loaded;
    expect(failures).toEqual([]);
    expect(requests).toBeGreaterThan(100);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toMatch(
      /^URL_SIGNING_KEY: new; URLs signed before work until they expire, 2\S+Z at the latest\.\n/,
    );
    expect(JSON.parse(second.stdout)).toMatchObject({ resealed: expect.any(Number) });
    const all = [...before, ...keys()].flatMap((text) => text.match(/^\S+/gm) ?? []);
    expect(all).toHaveLength(2 + 6);
    const printed = [first, second].map(({ stdout, stderr }) => stdout + stderr).join('');
    const logs = services.map(({ program }) => program.stdout + program.stderr).join('');
    expect(all.filter((key) => (printed + logs).includes(key))).toEqual([]);
  }, 90_000);
});
