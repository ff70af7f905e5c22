import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const SPEAKERS = ['Speaker 1', 'Speaker 2', 'Speaker 3'];
const segments = Array.from({ length: 45 }, (_, index) => ({
  start: index,
  end: index + 1,
  speaker: index === 44 ? '' : SPEAKERS[index % 3],
  text: `Sentence ${index}`,
}));

describe('transcript corrections', () => {
  let service: TestService;
  let ada: Client;
  let meeting: { id: string };

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    meeting = recording('Ada', { transcript: { language: 'en', segments } });
    await service.import({ recordings: [meeting] });
  });

  const path = (rest = '') => `/recordings/${meeting.id}/transcript${rest}`;
  const rename = (body: unknown, headers = {}): Promise<Reply> =>
    ada.patch(path('/speakers'), body, { headers });
  const correct = (segment: number | string, body: unknown, headers = {}): Promise<Reply> =>
    ada.patch(path(`/segments/${segment}`), body, { headers });
  const read = async () => (await ada.get(path())).body.data;
  const speakersOf = async (): Promise<string[]> =>
    (await read()).segments.map(({ speaker }: { speaker: string }) => speaker);

  /** Of each speaker, in the detail. */
  const statistics = async () =>
    (await ada.get(`/recordings/${meeting.id}`)).body.data.transcription.speakerStatistics;

  describe('PATCH .../transcript/speakers', () => {
    it('renames a speaker in every segment', async () => {
      const { status, headers, body } = await rename({ from: 'Speaker 1', to: '  Ada ' });
      expect(status).toBe(200);
      expect(body).toEqual({ data: { revision: 2, speakers: ['Ada', 'Speaker 2', 'Speaker 3'] } });
      expect(headers.get('etag')).toBe('"2"');
      expect(await speakersOf()).toEqual(
        segments.map(({ speaker }) => (speaker === 'Speaker 1' ? 'Ada' : speaker)),
      );
      const detail = await ada.get(`/recordings/${meeting.id}`);
      expect(detail.body.data.transcription.speakers).toEqual(['Ada', 'Speaker 2', 'Speaker 3']);
    });

    it('merges speakers renamed to the same label, and swaps two', async () => {
      const { body } = await rename([
        { from: 'Speaker 3', to: 'Speaker 1' },
        { from: 'Speaker 1', to: 'Speaker 3' },
        { from: 'Speaker 2', to: 'Speaker 3' },
      ]);
      expect(body.data.speakers).toEqual(['Speaker 3', 'Speaker 1']);
      expect((await speakersOf()).slice(0, 3)).toEqual(['Speaker 3', 'Speaker 3', 'Speaker 1']);
      const counts = { interruptions: 0, questions: 0 };
      expect(await statistics()).toEqual([
        { speaker: 'Speaker 3', talkTime: 30, share: 0.6818, longestMonologue: 2, ...counts },
        { speaker: 'Speaker 1', talkTime: 14, share: 0.3182, longestMonologue: 1, ...counts },
      ]);
    });

    it.each([
      [{ from: 'Speaker 1', to: 'x'.repeat(201) }, 'to'],
      [{ from: 'Speaker 1', to: 'a\nb' }, 'to'],
      [{ from: 1, to: 'Ada' }, 'from'],
      [{ from: 'Speaker 1', to: 'Ada', all: true }, 'all'],
      [[], 'at least one'],
      [['Ada'], '[0]: must be'],
      [undefined, 'body: must be'],
    ])('rejects %j, naming %s', async (body, name) => {
      const reply = await rename(body, {
        'content-type': 'application/json',
      });
      expect(reply.status).toBe(400);
      expect(reply.body.error.code).toBe('VALIDATION_ERROR');
      expect(reply.body.error.message).toContain(name);
      expect((await read()).revision).toBe(1);
    });
  });

  describe('PATCH .../transcript/segments/:id', () => {
    it('corrects the text of one segment', async () => {
      const { status, headers, body } = await correct(21, { text: ' What was really said ' });
      expect(status).toBe(200);
      expect(body).toEqual({
        data: {
          id: 21,
          start: 21,
          end: 22,
          text: 'What was really said',
          speaker: 'Speaker 1',
          confidence: 1,
          revision: 2,
        },
      });
      expect(headers.get('etag')).toBe('"2"');
      const { segments: now } = await read();
      expect(now.filter(({ text }: { text: string }, index: number) => text !== `Sentence ${index}`)).toEqual(
        [expect.objectContaining({ id: 21, text: 'What was really said' })],
      );
    });

    it('counts the questions anew', async () => {
      const asked = async () => (await statistics()).map(({ questions }: { questions: number }) => questions);
      await correct(21, { text: 'Really? Are you sure?' });
      expect(await asked()).toEqual([2, 0, 0]);
      await correct(21, { text: 'Really? I am.' });
      expect(await asked()).toEqual([1, 0, 0]);
    });

    it.each(['45', 'x', '%00'])('returns 404 for segment %s', async (segment) => {
      const { status, body } = await correct(segment, { text: 'x' });
      expect(status).toBe(404);
      expect(body).toEqual(refusal('SEGMENT_NOT_FOUND'));
    });

    it.each([
      [{ text: '' }],
      [{ text: 'a\u0000' }],
      [{ text: 'x', speaker: 'y' }],
      [{ text: 'x'.repeat(10_001) }],
    ])('rejects %j', async (body) => {
      const reply = await correct(0, body);
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual(refusal('VALIDATION_ERROR'));
    });
  });

  it('marks what is no speech, also in files, until its text is corrected', async () => {
    const [speech, sound] = ['Good morning.', '(upbeat music)'];
    const texts = [speech, sound].map((text, start) => ({ start, end: start + 1, speaker: '', text }));
    await ada.request('PUT', path(), { body: { language: 'en', segments: texts } });
    const noise = async (query = '') => {
      const { body } = await ada.get(path(query));
      return body.data.segments.map((segment: { noise?: boolean }) => segment.noise);
    };
    expect(await noise()).toEqual([undefined, true]);
    expect(await noise('?format=json')).toEqual([undefined, true]);
    expect((await correct(1, { text: 'We start at nine.' })).body.data).not.toHaveProperty('noise');
    expect((await correct(0, { text: 'Thanks for watching!' })).body.data.noise).toBe(true);
    expect(await noise()).toEqual([true, undefined]);
  });

  it('rejects a stale If-Match and changes nothing', async () => {
    await correct(0, { text: 'First' }, { 'if-match': '"1"' });
    for (const reply of [
      await correct(0, { text: 'Second' }, { 'if-match': '"1"' }),
      await rename({ from: 'Speaker 1', to: 'Ada' }, { 'if-match': '"1"' }),
    ]) {
      expect(reply.status).toBe(412);
      expect(reply.body).toEqual(refusal('PRECONDITION_FAILED'));
    }
    expect(await read()).toMatchObject({ revision: 2, speakers: SPEAKERS });
  });

  it('applies one of several concurrent corrections with the same If-Match', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => correct(0, { text: `No. ${index}` }, { 'if-match': '"1"' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 412),
    ]);
    expect((await read()).revision).toBe(2);
  });

  it('loses none of many concurrent corrections without If-Match', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(numbers.map((number) => correct(number, { text: `Corrected ${number}` })));
    const { revision, segments: now } = await read();
    expect(revision).toBe(21);
    expect(now.slice(0, 20).map(({ text }: { text: string }) => text)).toEqual(
      numbers.map((number) => `Corrected ${number}`),
    );
  });

  it('requires a completed transcription', async () => {
    meeting = recording('Ada');
    await service.import({ recordings: [meeting] });
    for (const reply of [await correct(0, { text: 'x' }), await rename({ from: 'a', to: 'b' })]) {
      expect(reply.status).toBe(409);
      expect(reply.body).toEqual(
        refusal(
          'CONFLICT',
          expect.stringContaining('has not been transcribed yet. A correction needs a transcript'),
        ),
      );
    }
  });
});
