import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const COUNT = 45;
/** Three chunks: Ada, Grace, nobody, Ada, Grace, nobody, ... */
const SPEAKERS = Array.from({ length: COUNT }, (_, index) => ['Ada', 'Grace', ''][index % 3] ?? '');

const spokenBy = (speakers: readonly string[]): object => ({
  language: 'en',
  segments: speakers.map((speaker, index) => ({
    start: index,
    end: index + 1,
    speaker,
    text: `Sentence ${index}`,
  })),
});
/** The speakers after `from` became `to` in the segments `first` to `last`. */
const after = (from: string, to: string, first = 0, last = COUNT - 1): string[] =>
  SPEAKERS.map((speaker, index) => (speaker === from && index >= first && index <= last ? to : speaker));

describe('PATCH .../transcript/speakers', () => {
  let service: TestService;
  let ada: Client;
  let meeting: { id: string };

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());
  beforeEach(() => record(SPEAKERS));

  async function record(speakers: readonly string[]): Promise<void> {
    meeting = recording('Ada', { transcript: spokenBy(speakers) });
    await service.import({ recordings: [meeting] });
  }
  const rename = (body: unknown, headers = {}): Promise<Reply> =>
    ada.patch(`/recordings/${meeting.id}/transcript/speakers`, body, { headers });
  const read = async (query = '') =>
    (await ada.get(`/recordings/${meeting.id}/transcript${query}`)).body.data;
  const speakersOf = async (): Promise<string[]> =>
    (await read()).segments.map(({ speaker }: { speaker: string }) => speaker);

  describe('with an empty from', () => {
    it('names the segments without a speaker', async () => {
      const { status, headers, body } = await rename({ from: '', to: ' Alan ' });
      expect(status).toBe(200);
      expect(body).toEqual({ data: { revision: 2, speakers: ['Ada', 'Grace', 'Alan'] } });
      expect(headers.get('etag')).toBe('"2"');
      expect(await speakersOf()).toEqual(after('', 'Alan'));
      const detail = await ada.get(`/recordings/${meeting.id}`);
      expect(detail.body.data.transcription.speakers).toEqual(['Ada', 'Grace', 'Alan']);
    });

    it('is rejected if every segment has a speaker', async () => {
      await rename({ from: '', to: 'Alan' });
      const { status, body } = await rename({ from: '', to: 'Alan' });
      expect(status).toBe(400);
      expect(body).toEqual(
        refusal('VALIDATION_ERROR', 'from: every segment of this transcript has a speaker'),
      );
      expect((await read()).revision).toBe(2);
    });
  });

  describe('with a range of segments', () => {
    it('renames inside it only, across chunks, both ends included', async () => {
      const { status, body } = await rename({ from: 'Grace', to: 'Alan', segments: { first: 19, last: 40 } });
      expect(status).toBe(200);
      expect(body).toEqual({ data: { revision: 2, speakers: ['Ada', 'Grace', 'Alan'] } });
      expect(await speakersOf()).toEqual(after('Grace', 'Alan', 19, 40));
      expect((await speakersOf())[19]).toBe('Alan');
      expect((await speakersOf())[40]).toBe('Alan');
    });

    it.each(['__proto__', '1', `<b>"O'Neil"</b> \\ {"a": 1} 🦊`])('renames to and from %s', async (label) => {
      const { body } = await rename({ from: '', to: label, segments: { first: 0, last: 5 } });
      expect(body.data.speakers).toEqual(['Ada', 'Grace', label]);
      expect(await speakersOf()).toEqual(after('', label, 0, 5));
      expect((await rename({ from: label, to: 'Alan' })).body.data.speakers).toEqual([
        'Ada',
        'Grace',
        'Alan',
      ]);
      expect(await speakersOf()).toEqual(after('', 'Alan', 0, 5));
    });

    it('is shown by search at once', async () => {
      await rename({ from: '', to: 'Alan', segments: { first: 20, last: 20 } });
      const { body } = await ada.get('/recordings/search?q=%22sentence+20%22');
      const found = body.data.find(({ id }: { id: string }) => id === meeting.id);
      expect(found.matches).toMatchObject([{ start: 20, speaker: 'Alan' }]);
    });
  });

  const adaToAlan = { from: 'Ada', to: 'Alan' };
  it.each([
    [{ ...adaToAlan, segments: null }, 'segments: must be an object with first and last'],
    [{ ...adaToAlan, segments: { first: -1, last: 1 } }, 'segments.first: must be the id of a segment'],
    [{ ...adaToAlan, segments: { first: 3, last: 2 } }, 'segments.last: must not be less than first'],
    [
      { ...adaToAlan, segments: { first: 0, last: COUNT } },
      'segments.last: the transcript has 45 segments, numbered from 0',
    ],
    [{ ...adaToAlan, segments: { first: 1, last: 2 } }, 'from: no segment from 1 to 2 has the speaker "Ada"'],
    [
      [
        { from: '', to: 'Alan' },
        { from: '', to: 'Grace' },
      ],
      'from: "" is renamed twice',
    ],
    [
      [adaToAlan, { ...adaToAlan, segments: { first: 5, last: 9 } }],
      'from: "Ada" is renamed twice in segment 5',
    ],
    [
      [
        { ...adaToAlan, segments: { first: 0, last: 10 } },
        { ...adaToAlan, segments: { first: 13, last: 14 } },
      ],
      'from: no segment from 13 to 14 has the speaker "Ada"',
    ],
  ])('rejects %j and changes nothing: %s', async (body, message) => {
    const reply = await rename(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining(message)));
    expect(await read()).toMatchObject({ revision: 1, speakers: ['Ada', 'Grace'] });
    expect(await speakersOf()).toEqual(SPEAKERS);
  });

  it('applies a thousand ranges of a day-long meeting at once', async () => {
    const count = 20_000;
    await record(Array.from({ length: count }, (_, index) => (index % 2 ? 'Speaker 1' : '')));
    const renames = Array.from({ length: 1_000 }, (_, index) => ({
      from: index % 4 < 2 ? '' : 'Speaker 1',
      to: `Person ${index % 10}`,
      segments: { first: index * 20, last: index * 20 + 19 },
    }));
    const { status, body } = await rename(renames.toReversed());
    expect(status).toBe(200);
    const people = Array.from({ length: 10 }, (_, index) => `Person ${index}`);
    expect(body.data.speakers).toEqual(['Person 0', 'Speaker 1', ...people.slice(1)]);
    const { segments } = await read('?format=json');
    expect(segments.map(({ speaker }: { speaker: string }) => speaker)).toEqual(
      Array.from({ length: count }, (_, index) => {
        const { from, to } = renames[Math.floor(index / 20)]!;
        const speaker = index % 2 ? 'Speaker 1' : '';
        return speaker === from ? to : speaker;
      }),
    );
  });

  it('does not raise the number of speakers above the limit', async () => {
    await record([...Array.from({ length: 1_000 }, (_, index) => `Speaker ${index}`), '', 'Speaker 0']);
    for (const from of ['', 'Speaker 0']) {
      const reply = await rename({ from, to: 'Alan', segments: { first: 1_000, last: 1_001 } });
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual(
        refusal('VALIDATION_ERROR', 'to: the transcript would have more than 1,000 different speakers'),
      );
    }
    expect((await read()).revision).toBe(1);
    expect((await rename({ from: '', to: 'Speaker 7' })).body.data.speakers).toHaveLength(1_000);
  });
});
