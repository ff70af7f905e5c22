import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { wordErrors } from '../../bench/speech/word-errors.js';
import { keyOf, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { fourVoices } from '../support/four-voices.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { agreement, liveSpeech, repeatedSpeech, SAID, wav } from '../support/speech.js';
import { RawTus } from '../support/uploads.js';

const WITHIN_MS = 120_000;
const TEST_MS = 3 * WITHIN_MS;
/** Seconds before and after a turn in which its words may be placed, as diarization is measured. */
const COLLAR = 0.25;

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly speaker: string;
}

interface Speaker {
  readonly name: string;
  readonly said: string;
  readonly turns: readonly { readonly start: number; readonly end: number }[];
}

/** Who says a word at which second; within a segment, words are taken to be equally long. */
const spokenWords = (segments: readonly Segment[]) =>
  segments.flatMap(({ start, end, text, speaker }) => {
    const words = text.split(' ');
    return words.map((_, n) => ({ speaker, second: start + ((n + 0.5) / words.length) * (end - start) }));
  });

/** How many words are where one person speaks alone, and which of them are said to be another's. */
function attribution(speakers: readonly Speaker[], segments: readonly Segment[]) {
  const alone = spokenWords(segments).flatMap((word) => {
    const isNow = ({ start, end }: Speaker['turns'][number]): boolean =>
      word.second > start - COLLAR && word.second < end + COLLAR;
    const now = speakers.filter(({ turns }) => turns.some(isNow));
    return now.length === 1 ? [{ ...word, by: now[0]!.name }] : [];
  });
  return { alone: alone.length, wrong: alone.filter(({ speaker, by }) => speaker !== by) };
}

const print = (line: string): void => void process.stderr.write(`${line}\n`);

/** Prints how well it is known who says what; returns the words of one person alone that are said to be another's. */
function measured(speakers: readonly Speaker[], segments: readonly Segment[]) {
  const { alone, wrong } = attribution(speakers, segments);
  print(`Words outside overlaps: ${alone}, of which another's: ${wrong.length}`);
  const rates = speakers.map((speaker) => {
    const { rate, words, differences } = wordErrors(speaker.said, said(segments, speaker.name));
    print(
      `${speaker.name}: ${words} words, errors ${(100 * rate).toFixed(1)} % ${JSON.stringify(differences)}`,
    );
    return rate;
  });
  return { alone, wrong, rates };
}

const said = (segments: readonly Segment[], speaker: string): string =>
  segments
    .filter((segment) => segment.speaker === speaker)
    .map(({ text }) => text)
    .join(' ');

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
      const people = [
        { name: 'Ada', said: SAID['jfk.flac']!, turns: [{ start: 5, end: 16 }] },
        { name: 'Grace', said: SAID['two-people.flac']!, turns: [{ start: 0, end: 29.5 }] },
      ];
      expect(measured(people, segments).wrong).toEqual([]);
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
    'has each word outside overlaps with who says it, although microphones hear everyone',
    async () => {
      const speakers = await fourVoices();
      const id = await create();
      for (const { name, media } of speakers) await upload(id, { name, offset: 0 }, media);
      await eventually(async () => expect((await page(id)).status).toBe('completed'), WITHIN_MS);
      const { segments } = await page(id);
      const { alone, wrong, rates } = measured(speakers, segments);
      expect(alone).toBeGreaterThan(200);
      expect(wrong).toEqual([]);
      for (const rate of rates) expect(rate).toBeLessThan(0.15);
      expect(isOrdered(segments)).toBe(true);
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
