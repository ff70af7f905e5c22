import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { zip } from '../support/docx.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { levels, makeSounds } from '../support/sounds.js';
import { SourceServer } from '../support/source-server.js';
import { wav } from '../support/speech.js';

const WITHIN_MS = 240_000;
const TEST_MS = 300_000;

/** Seconds of a tone with pauses. */
const tone = (seconds: number, hertz = 220): Buffer =>
  wav(seconds, (time) => (time % 1 < 0.5 ? 0.2 * Math.sin(2 * Math.PI * hertz * time) : 0));

describe('tracks of a recording', () => {
  let service: TestService;
  let ada: Client;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mrs-tracks-'));
    service = await startService(
      { AUTO_TRANSCRIBE: 'false', ALLOW_PRIVATE_ADDRESSES: 'true' },
      { worker: true },
    );
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  }, TEST_MS);
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const create = async (fields: object = { media: 'none' }): Promise<string> =>
    (await ada.post('/recordings', { title: 'Weekly sync', ...fields })).body.data.id;
  const add = async (id: string, body: Uint8Array, fields: object = {}): Promise<string> => {
    const { id: track } = (await ada.post(`/recordings/${id}/tracks`, fields)).body.data;
    await put(`/recordings/${id}/tracks/${track}/media`, body);
    return track;
  };
  const put = async (path: string, body: Uint8Array): Promise<void> => {
    const headers = { 'content-type': 'application/octet-stream' };
    expect((await ada.request('PUT', path, { body, headers })).status).toBe(200);
  };
  const list = async (id: string): Promise<Record<string, unknown>[]> =>
    (await ada.get(`/recordings/${id}/tracks`)).body.data;
  const expectTracks = (id: string, expected: readonly object[]): Promise<void> =>
    eventually(async () => expect(await list(id)).toMatchObject(expected), WITHIN_MS);

  it(
    'are also those of a file with several voices, whether it is the recording or one of its tracks',
    async () => {
      const voice = (title: string, seed: number) =>
        ({ codec: 'libopus', rate: 48_000, channels: 1, levels: levels(8, seed), title }) as const;
      await makeSounds(folder, [
        { name: 'two.mka', format: 'matroska', tracks: [voice('Ada', 3), voice('Grace', 7)] },
      ]);
      const file = await readFile(join(folder, 'two.mka'));
      const names = [
        { name: 'Ada', status: 'COMPLETED', offset: 0, alignment: 'given' },
        { name: 'Grace', status: 'COMPLETED', offset: 0, alignment: 'given' },
      ];
      const recorded = await create({});
      await put(`/recordings/${recorded}/media`, file);
      await expectTracks(recorded, names);
      const assembled = await create();
      await add(assembled, file, { offset: 0 });
      await expectTracks(assembled, names);
    },
    TEST_MS,
  );

  it(
    'come together in a ZIP, which they replace; one that has none says so',
    async () => {
      const id = await create();
      const files = [
        { name: 'Audio Record/audioAda11111111.m4a', content: tone(1) },
        { name: 'Audio Record/audioGrace21111111.m4a', content: tone(2) },
      ];
      await add(id, zip(files));
      await expectTracks(id, [
        { name: 'Ada', status: 'COMPLETED', duration: 1 },
        { name: 'Grace', status: 'COMPLETED', duration: 2 },
      ]);
      await add(id, zip([{ name: 'notes.txt', content: 'x' }]));
      const [, grace] = await list(id);
      expect((await ada.delete(`/recordings/${id}/tracks/${String(grace!['id'])}`)).status).toBe(200);
      await eventually(async () => {
        const left = await service.objects();
        expect(left.filter((key) => key.includes(`tracks/${String(grace!['id'])}/`))).toEqual([]);
        expect(await list(id)).toMatchObject([
          { name: 'Ada', status: 'COMPLETED' },
          {
            status: 'ERROR',
            status_reason: expect.stringMatching(
              /^the ZIP archive: has no audio or video; send one from Zoom/,
            ),
          },
        ]);
      }, WITHIN_MS);
    },
    TEST_MS,
  );

  it(
    'are fetched from a URL, in any number of attempts',
    async () => {
      const source = await SourceServer.start(tone(2));
      source.next = [{ status: 503, headers: { 'retry-after': '1' } }];
      const id = await create();
      const fields = { name: 'Grace', source_url: source.url() };
      const { data } = (await ada.post(`/recordings/${id}/tracks`, fields)).body;
      expect(data).toMatchObject({ status: 'UPLOADING', upload_url: null });
      await expectTracks(id, [{ name: 'Grace', status: 'COMPLETED', status_reason: null }]);
      await source.stop();
    },
    TEST_MS,
  );

  it(
    'are mixed anew when one is deleted',
    async () => {
      const id = await create();
      await add(id, tone(2), { offset: 0 });
      const longer = await add(id, tone(6, 330), { offset: 0 });
      const lasts = (seconds: number): Promise<void> =>
        eventually(async () => {
          const { duration, status } = (await ada.get(`/recordings/${id}`)).body.data;
          expect([Math.round(duration), status]).toEqual([seconds, 'COMPLETED']);
        }, WITHIN_MS);
      await lasts(6);
      expect((await ada.delete(`/recordings/${id}/tracks/${longer}`)).status).toBe(200);
      await lasts(2);
      // Nothing of what was said is left with the last one.
      for (const { id: last } of await list(id))
        await ada.delete(`/recordings/${id}/tracks/${last as string}`);
      await eventually(async () => {
        const { hlsUrl, status } = (await ada.get(`/recordings/${id}`)).body.data;
        expect([hlsUrl, status]).toEqual([null, 'COMPLETED']);
        expect((await service.objects()).filter((key) => key.includes(id))).toEqual([]);
      }, WITHIN_MS);
    },
    TEST_MS,
  );

  it(
    'of which each fails by itself: the same file many times, hours of silence, an archive with too many',
    async () => {
      const id = await create();
      const same = tone(2);
      for (let count = 0; count < 10; count++) await add(id, same, { name: 'Ada', offset: 0 });
      const silent = await add(
        id,
        wav(3600, () => 0),
        { name: 'Silent', offset: 0 },
      );
      const many = Array.from({ length: 45 }, (_, index) => ({ name: `${index}.m4a`, content: same }));
      const archive = await add(id, zip(many));
      await eventually(async () => {
        const tracks = await list(id);
        const statusOf = (track: string) => tracks.find((one) => one['id'] === track);
        expect(statusOf(silent)).toMatchObject({ status: 'COMPLETED', duration: 3600 });
        expect(statusOf(archive)).toMatchObject({
          status: 'ERROR',
          status_reason:
            'The file contains 45 tracks, but the recording already has 11 others, and can have 50 in all.',
        });
        expect(tracks.filter(({ status }) => status === 'COMPLETED')).toHaveLength(11);
      }, WITHIN_MS);
      await eventually(async () => {
        const { status, duration } = (await ada.get(`/recordings/${id}`)).body.data;
        expect([status, Math.round(duration)]).toEqual(['COMPLETED', 2]);
      }, WITHIN_MS);
    },
    TEST_MS,
  );
});
