import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { makeMedia } from '../support/media.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { LiveMeeting } from '../support/live-meeting.js';
import { withJumps } from '../../bench/live/jumping-clock.js';
import { agreement, liveSpeech, repeatedSpeech, SAID } from '../support/speech.js';
import { RawTus } from '../support/uploads.js';

const WITHIN_MS = 60_000;
const TEST_MS = 3 * WITHIN_MS;
const SECONDS = 95;
const FILES = ['about-speech-sdk.flac', 'jfk.flac', 'two-people.flac'];

describe('a meeting in progress', () => {
  let service: TestService;
  let ada: Client;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER', { transcription: false })] });

  beforeAll(async () => {
    service = await startService({ AUTO_TRANSCRIBE: 'true', SPEECH_THREADS: '1' }, { worker: true });
    await service.import({ users: [user('Ada')], organizations: [acme] });
    ada = service.api.as(keyOf('Ada'));
  }, TEST_MS);
  afterAll(() => service.stop());

  const page = async (id: string) => (await ada.get(`/recordings/${id}/transcript`)).body.data;
  const textOf = ({ segments }: { segments: { text: string }[] }) =>
    segments.map(({ text }) => text).join(' ');
  const statusOf = async (id: string): Promise<string> =>
    (await ada.get(`/recordings/${id}`)).body.data.transcription.status;
  const completed = (id: string) =>
    eventually(async () => expect((await page(id)).status).toBe('completed'), WITHIN_MS);

  it.each(['webm', 'mp4'] as const)(
    'of %s is transcribed while it goes on, and the transcription of the whole continues from there',
    async (format) => {
      const media = await liveSpeech(format, SECONDS, ...FILES);
      const meeting = await LiveMeeting.begin(ada);
      const { id } = meeting;
      const { share_token: token } = (await ada.post(`/recordings/${id}/share-link`, {})).body.data;
      const drafts: { end: number; text: string }[][] = [];
      await meeting.record(media, 6, async (share) => {
        await eventually(async () => {
          const draft = await page(id);
          expect(draft.status).toBe('processing');
          // A reader misses at most the sentence that is being said.
          expect(draft.segments.at(-1)?.end).toBeGreaterThan(share * SECONDS - 8);
          drafts.push(draft.segments);
        }, WITHIN_MS);
      });
      const draft = drafts.at(-1)!;
      const share = (await service.api.get(`/shares/${token}`)).body.data;
      expect(share.transcript.status).toBe('processing');
      expect(share.transcript.segments.map(({ text }: { text: string }) => text)).toEqual(
        draft.map(({ text }) => text),
      );
      await completed(id);
      const { segments } = await page(id);
      // All but what had not ended.
      const kept = draft.slice(0, -6).map(({ text }) => text);
      expect(kept.length).toBeGreaterThan(5);
      expect(segments.slice(0, kept.length).map(({ text }: { text: string }) => text)).toEqual(kept);
      const said = FILES.map((name) => SAID[name]).join(' ');
      expect(agreement(said, textOf({ segments }))).toBeGreaterThan(0.8);
      expect(segments.at(-1).end).toBeGreaterThan(SECONDS - 6);
      const ends = segments.map(({ end }: { end: number }) => end);
      expect(ends).toEqual(ends.toSorted((one: number, other: number) => one - other));
    },
    TEST_MS,
  );

  it(
    'is heard again from its beginning if it is sent again',
    async () => {
      const meeting = await LiveMeeting.begin(ada);
      const first = await liveSpeech('webm', 20, 'jfk.flac');
      await meeting.send(first.subarray(0, first.length - 100));
      await eventually(
        async () => expect(textOf(await page(meeting.id))).toMatch(/your country/i),
        WITHIN_MS,
      );
      const other = await liveSpeech('webm', 30, 'two-people.flac');
      const { status } = await ada.request('PUT', `/recordings/${meeting.id}/media`, {
        body: other,
        headers: { 'content-type': 'video/webm' },
      });
      expect(status).toBe(200);
      await completed(meeting.id);
      expect(textOf(await page(meeting.id))).not.toMatch(/your country/i);
      expect(agreement(SAID['two-people.flac']!, textOf(await page(meeting.id)))).toBeGreaterThan(0.8);
    },
    TEST_MS,
  );

  it(
    'whose recorder was reloaded is heard to the end when it is over',
    async () => {
      const meeting = await LiveMeeting.begin(ada);
      const [one, other] = [
        await liveSpeech('webm', 14, 'jfk.flac'),
        await liveSpeech('webm', 31, 'two-people.flac'),
      ];
      await meeting.send(one);
      await eventually(
        async () => expect(textOf(await page(meeting.id))).toMatch(/your country/i),
        WITHIN_MS,
      );
      await meeting.send(other.subarray(0, other.length / 2));
      await meeting.send(other.subarray(other.length / 2), true);
      await completed(meeting.id);
      const said = `${SAID['jfk.flac']} ${SAID['two-people.flac']}`;
      expect(agreement(said, textOf(await page(meeting.id)))).toBeGreaterThan(0.8);
    },
    TEST_MS,
  );

  it(
    'leaves nothing if it is canceled, and gives way to a transcript that somebody sends',
    async () => {
      const media = await liveSpeech('webm', 20, 'jfk.flac');
      const [canceled, sent] = [await LiveMeeting.begin(ada), await LiveMeeting.begin(ada)];
      for (const meeting of [canceled, sent]) {
        await meeting.send(media.subarray(0, media.length - 100));
        await eventually(async () => expect(await statusOf(meeting.id)).toBe('processing'), WITHIN_MS);
      }
      expect((await new RawTus(ada, canceled.id).delete()).status).toBe(204);
      expect((await ada.get(`/recordings/${canceled.id}`)).status).toBe(404);

      const segments = [{ start: 0, end: 1, text: 'Sent by hand' }];
      expect(
        (await ada.request('PUT', `/recordings/${sent.id}/transcript`, { body: { segments } })).status,
      ).toBe(200);
      await sent.send(media.subarray(media.length - 100), true);
      await eventually(
        async () =>
          expect((await ada.get(`/recordings/${sent.id}`)).body.data.status).toMatch(/MIGRATING|COMPLETED/),
        WITHIN_MS,
      );
      expect(textOf(await page(sent.id))).toBe('Sent by hand');
    },
    TEST_MS,
  );

  it(
    'is not heard if it is not to be transcribed, or cannot be decoded before it is complete',
    async () => {
      const media = await liveSpeech('webm', 20, 'jfk.flac');
      const meetings = [
        await LiveMeeting.begin(ada, { transcribe: false }),
        await LiveMeeting.begin(ada, { organization_id: acme.id }),
        await LiveMeeting.begin(ada),
      ] as const;
      const [unwanted, refused, closed] = meetings;
      for (const meeting of [unwanted, refused]) await meeting.send(media.subarray(0, media.length - 100));
      const mp4 = await repeatedSpeech(20, 'jfk.flac');
      await closed.send(mp4.subarray(0, mp4.length - 100));
      // Its turn comes after theirs.
      const heard = await LiveMeeting.begin(ada);
      await heard.send(media.subarray(0, media.length - 100));
      await eventually(async () => expect((await page(heard.id)).segments).not.toEqual([]), WITHIN_MS);
      const statuses = await Promise.all(meetings.map(({ id }) => statusOf(id)));
      expect(statuses).toEqual(['not_started', 'not_started', 'queued']);
      await closed.send(mp4.subarray(mp4.length - 100), true);
      await completed(closed.id);
      expect(textOf(await page(closed.id))).toMatch(/your country/i);
    },
    TEST_MS,
  );

  /** Turns in a row that have failed; after five, there are no more. */
  const failures = async (id: string): Promise<number> => {
    const [row] = await service.dataSource.query<{ failures: number }[]>(
      `SELECT (draft -> 'state' -> 'live' ->> 'failures')::int AS failures FROM transcripts WHERE recording_id = $1`,
      [id],
    );
    return row?.failures ?? 0;
  };

  it(
    'whose clock jumps is heard as far as that',
    async () => {
      const media = await liveSpeech('webm', 20, 'jfk.flac');
      const cluster = media.indexOf(Buffer.from('1f43b675', 'hex'), media.length * 0.8);
      const time = media.indexOf(0xe7, cluster) + 1;
      // Two hours later, in three bytes; those that follow are not.
      const later = Buffer.from([0x83, 0x6d, 0xdd, 0x00]);
      const rest = media.subarray(time + 1 + media[time]! - 0x80);
      const meeting = await LiveMeeting.begin(ada);
      await meeting.send(Buffer.concat([media.subarray(0, time), later, rest]));
      await eventually(async () => expect(await failures(meeting.id)).toBe(5), WITHIN_MS);
      expect(textOf(await page(meeting.id))).toMatch(/your country/i);
    },
    TEST_MS,
  );

  it.each([
    ['19 hours', 19 * 3600],
    ['81 days', 81 * 86_400],
  ])(
    'whose clock jumps %s, again and again, is heard as far as that, and then left alone',
    async (_, seconds) => {
      const media = await liveSpeech('webm', 20, 'jfk.flac');
      const meeting = await LiveMeeting.begin(ada);
      await meeting.send(withJumps(media, seconds, 16));
      // After a single turn: others would read the same again.
      await eventually(async () => expect(await failures(meeting.id)).toBe(5), WITHIN_MS);
      expect(textOf(await page(meeting.id))).toMatch(/your country/i);
    },
    TEST_MS,
  );

  it.each([
    ['19 hours', 19 * 3600],
    ['81 days', 81 * 86_400],
  ])(
    'whose clock jumps %s where its index does not tell, is not heard as silence',
    async (_, seconds) => {
      const media = withJumps(await liveSpeech('webm', 60, 'jfk.flac'), seconds, 26, true);
      const meeting = await LiveMeeting.begin(ada);
      await meeting.send(media.subarray(0, Math.floor(media.length * 0.6)));
      await eventually(
        async () => expect(textOf(await page(meeting.id))).toMatch(/your country/i),
        WITHIN_MS,
      );
      await meeting.send(media.subarray(Math.floor(media.length * 0.6), Math.floor(media.length * 0.8)));
      await eventually(async () => expect(await failures(meeting.id)).toBeGreaterThan(0), 20_000);
    },
    TEST_MS,
  );

  it(
    'without sound is left alone after some turns',
    async () => {
      const folder = await makeMedia(['odd.webm']);
      const meeting = await LiveMeeting.begin(ada);
      const { readFile, rm } = await import('node:fs/promises');
      const media = await readFile(`${folder}/odd.webm`);
      await rm(folder, { recursive: true });
      // Not even the header.
      await meeting.send(media.subarray(0, 100));
      for (let turn = 1; turn <= 5; turn += 1) {
        await meeting.send(media.subarray(500 * turn - 400, 500 * turn + 100));
        await eventually(async () => expect(await failures(meeting.id)).toBe(turn), WITHIN_MS);
      }
      await meeting.send(media.subarray(2_600), true);
      await eventually(async () => expect(await statusOf(meeting.id)).toBe('failed'), WITHIN_MS);
    },
    TEST_MS,
  );
});
