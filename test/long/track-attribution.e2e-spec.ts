import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { agreement, liveSpeech, repeatedSpeech, SAID, wav } from '../support/speech.js';
import { RawTus } from '../support/uploads.js';

const WITHIN_MS = 120_000;
const TEST_MS = 3 * WITHIN_MS;

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly speaker: string;
}

describe('a recording with tracks', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({ AUTO_TRANSCRIBE: 'true', SPEECH_THREADS: '1' }, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  }, TEST_MS);
  afterAll(() => service.stop());

  const create = async (): Promise<string> =>
    (await ada.post('/recordings', { title: 'Weekly sync', media: 'none' })).body.data.id;
  const add = async (id: string, fields: object): Promise<string> =>
    (await ada.post(`/recordings/${id}/tracks`, fields)).body.data.id;
  const upload = async (id: string, fields: object, body: Uint8Array): Promise<void> => {
    const path = `/recordings/${id}/tracks/${await add(id, fields)}/media`;
    const headers = { 'content-type': 'application/octet-stream' };
    expect((await ada.request('PUT', path, { body, headers })).status).toBe(200);
  };
  const page = async (id: string): Promise<{ status: string; segments: Segment[] }> =>
    (await ada.get(`/recordings/${id}/transcript`)).body.data;
  const said = (segments: readonly Segment[], speaker: string) =>
    segments
      .filter((segment) => segment.speaker === speaker)
      .map(({ text }) => text)
      .join(' ');
  const isOrdered = (segments: readonly Segment[]) =>
    segments.every(({ start }, index) => start >= (segments[index - 1]?.start ?? 0));

  it(
    'is transcribed from them: each word has its speaker, also where two speak at once',
    async () => {
      const id = await create();
      const speakers = { Ada: 'jfk.flac', Grace: 'two-people.flac', Screen: null } as const;
      const offsets = { Ada: 5, Grace: 0, Screen: 0 };
      for (const [name, file] of Object.entries(speakers)) {
        const seconds = file === 'jfk.flac' ? 12 : 30;
        // Whoever says nothing leaves the others.
        const body = file === null ? wav(2, () => 0) : await repeatedSpeech(seconds, file);
        await upload(id, { name, offset: offsets[name as keyof typeof offsets] }, body);
      }
      await eventually(async () => expect((await page(id)).status).toBe('completed'), WITHIN_MS);
      const { segments } = await page(id);
      expect(new Set(segments.map(({ speaker }) => speaker))).toEqual(new Set(['Ada', 'Grace']));
      expect(agreement(SAID['jfk.flac']!, said(segments, 'Ada'))).toBe(1);
      expect(agreement(SAID['two-people.flac']!, said(segments, 'Grace'))).toBeGreaterThan(0.85);
      expect(isOrdered(segments)).toBe(true);
      const first = segments.find(({ speaker }) => speaker === 'Ada');
      expect(Math.abs(first!.start - 5.3)).toBeLessThan(0.3);

      const alone = await create();
      await upload(alone, { name: 'Grace', offset: 0 }, await repeatedSpeech(30, 'two-people.flac'));
      await eventually(async () => expect((await page(alone)).status).toBe('completed'), WITHIN_MS);
      const words = said((await page(alone)).segments, 'Grace');
      // No word is lost while another speaks.
      expect(agreement(words, said(segments, 'Grace'))).toBeGreaterThan(0.97);
    },
    TEST_MS,
  );

  it(
    'is heard while its tracks arrive, each in its place, and afresh when all are there',
    async () => {
      const id = await create();
      const tracks = [
        { name: 'Ada', offset: 5, media: await liveSpeech('webm', 12, 'jfk.flac') },
        { name: 'Grace', offset: 0, media: await liveSpeech('webm', 30, 'two-people.flac') },
      ];
      const open: { tus: RawTus; media: Buffer }[] = [];
      for (const { name, offset, media } of tracks)
        open.push({ tus: new RawTus(ada, await add(id, { name, offset })), media });
      await Promise.all(open.map(({ tus, media }) => tus.patch(0, media.subarray(0, media.length - 100))));
      await eventually(async () => {
        const { status, segments } = await page(id);
        expect(status).toBe('processing');
        expect(said(segments, 'Ada')).toMatch(/do for your country/i);
        expect(said(segments, 'Grace')).toMatch(/exciting/i);
        expect(isOrdered(segments)).toBe(true);
      }, WITHIN_MS);
      for (const { tus, media } of open)
        await tus.patch(media.length - 100, media.subarray(media.length - 100), {
          'upload-length': String(media.length),
        });
      await eventually(async () => expect((await page(id)).status).toBe('completed'), WITHIN_MS);
      const { segments } = await page(id);
      expect(agreement(SAID['jfk.flac']!, said(segments, 'Ada'))).toBe(1);
      expect(agreement(SAID['two-people.flac']!, said(segments, 'Grace'))).toBeGreaterThan(0.85);
    },
    TEST_MS,
  );
});
