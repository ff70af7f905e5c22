import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { summarizeExtractively } from '../../../src/lib/extractive-summary/extractive-summary.js';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { longestBlock } from '../../support/main-thread.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const BUDGET = [
  'The budget for the next quarter has to be approved by the board before Friday.',
  'We agreed to cut the marketing budget by ten percent and keep the hiring plan.',
  'The finance team will send the final budget numbers to everyone on Thursday.',
  'Is the travel budget part of the marketing budget or is it counted apart?',
  'The travel budget is counted apart, and it stays as it was in the last quarter.',
];
const ROCKETS = [
  'The rocket engine failed its pressure test because a valve did not open in time.',
  'We will replace the valve of the rocket engine and repeat the pressure test on Monday.',
  'The launch window of the rocket stays open until the end of the month.',
  'Who takes care of the fuel pumps while the engine is on the test stand?',
  'Grace takes care of the fuel pumps, and the test stand is free from Tuesday on.',
];
const segments = [...BUDGET, ...BUDGET, ...ROCKETS, ...ROCKETS].map((text, index) => ({
  start: index * 10,
  end: index * 10 + 9,
  speaker: index % 2 ? 'Grace' : 'Ada',
  text,
}));

const manySentences = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index,
    start: index,
    end: index + 1,
    speaker: 'Ada',
    text: `Sentence ${index}`,
  }));

describe('POST /recordings/:id/summary', () => {
  let service: TestService;
  let ada: Client;
  let meeting: { id: string };

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    meeting = recording('Ada', { transcript: { language: 'en', segments } });
    await service.import({ recordings: [meeting] });
  });

  const path = () => `/recordings/${meeting.id}/summary`;
  const summary = async () => (await ada.get(path())).body.data;
  const ends = (status: string) => eventually(async () => expect((await summary()).status).toBe(status));

  it('leaves out what is no speech, and what is said again', async () => {
    const noise = ['[BLANK_AUDIO]', 'Untertitel der Amara.org-Community', '(upbeat rocket music)'];
    const texts = [...BUDGET, ...noise, ...BUDGET, ...ROCKETS].map((text, start) => ({
      ...segments[0]!,
      start,
      end: start + 1,
      text,
    }));
    meeting = recording('Ada', { transcript: { language: 'en', segments: texts } });
    await service.import({ recordings: [meeting] });
    await ada.post(path());
    await ends('completed');
    const { content, topics } = await summary();
    expect(content + JSON.stringify(topics)).not.toMatch(/BLANK|Amara|music/);
    const points = topics.flatMap(({ keyPoints }: { keyPoints: { point: string }[] }) =>
      keyPoints.map(({ point }) => point),
    );
    expect(points).toEqual([...new Set(points)]);
  });

  it.each([[[]], [['[BLANK_AUDIO]', 'Thank you for watching!']]])(
    'says that nobody speaks: %j',
    async (texts) => {
      const silent = texts.map((text, start) => ({ ...segments[0]!, start, end: start + 1, text }));
      meeting = recording('Ada', { transcript: { language: 'en', segments: silent } });
      await service.import({ recordings: [meeting] });
      await ada.post(path());
      await ends('completed');
      const { content, topics, decisions, actionItems } = await summary();
      expect([content, topics, decisions, actionItems]).toEqual([
        'No speech was found in the recording.',
        [],
        [],
        [],
      ]);
    },
  );

  it('returns 202 and creates a summary of actual sentences, without any server', async () => {
    const { status, body } = await ada.post(path());
    expect(status).toBe(202);
    expect(body).toEqual({ data: { status: 'processing' } });
    await ends('completed');
    const { content, topics, statusReason } = await summary();
    expect(statusReason).toBeNull();
    expect(content.length).toBeGreaterThan(50);
    const points = topics.flatMap(({ keyPoints }: { keyPoints: { point: string }[] }) =>
      keyPoints.map(({ point }) => point),
    );
    expect(points.length).toBeGreaterThan(1);
    const said = segments.map(({ text }) => text);
    expect(
      points.every((point: string) =>
        said.some((text) => text.includes(point.replace(/^[^:]+: |[.?]$/g, ''))),
      ),
    ).toBe(true);
    expect(points.join(' ')).toMatch(/budget/);
    expect(points.join(' ')).toMatch(/rocket|valve|engine|fuel/);
  });

  it('says of decisions and action items how probable it is that people would note them, in a meeting long enough', async () => {
    const said = [
      ...Array.from({ length: 20 }, () => BUDGET).flat(),
      'We agreed to run the database migration on Saturday night, when nobody writes to the tables.',
      ...ROCKETS,
      'I will test the backup of the PostgreSQL cluster by Thursday.',
      ...BUDGET,
    ].map((text, at) => ({ ...segments[at % 2]!, start: at * 10, end: at * 10 + 9, text }));
    const confidencesOf = async (texts: typeof said) => {
      meeting = recording('Ada', { transcript: { language: 'en', segments: texts } });
      await service.import({ recordings: [meeting] });
      await ada.post(path());
      await ends('completed');
      const { decisions, actionItems } = await summary();
      return [decisions, actionItems].map((items) =>
        items.map(({ confidence }: { confidence: number | null }) => confidence),
      );
    };
    expect(said.at(-1)!.end).toBeGreaterThan(700);
    const estimates = await confidencesOf(said);
    for (const list of estimates as number[][]) {
      expect(list).not.toEqual([]);
      expect(list).toEqual(list.map((one) => Math.round(one * 100) / 100));
      expect(Math.min(...list)).toBeGreaterThan(0);
      expect(Math.max(...list)).toBeLessThan(1);
    }
    const ofShort = said.slice(-20).map((one, at) => ({ ...one, start: at * 10, end: at * 10 + 9 }));
    expect((await confidencesOf(ofShort)).flat().every((one) => one === null)).toBe(true);
  });

  it('replaces the existing summary', async () => {
    await ada.request('PUT', path(), { body: { content: 'By hand' } });
    await ada.post(path());
    await ends('completed');
    const { content, revision } = await summary();
    expect(content).not.toBe('By hand');
    expect(revision).toBeGreaterThan(1);
  });

  it.each([
    ['sv', 'Vi beslutade att behålla den gamla teknikhallen i norra hamnen.', true],
    ['fr', "On a décidé de garder l'ancien hall technique du port nord.", false],
  ])('says whether decisions are recognized in the language: %s', async (language, text, isSaid) => {
    const said = [{ start: 0, end: 9, speaker: 'Ada', text }];
    meeting = recording('Ada', { transcript: { language, segments: said } });
    await service.import({ recordings: [meeting] });
    await ada.post(path());
    await ends('completed');
    const { content, decisions } = await summary();
    expect(content.includes('Decisions and action items are not recognized')).toBe(isSaid);
    expect(decisions).toHaveLength(isSaid ? 0 : 1);
  });

  it('requires a completed transcription', async () => {
    meeting = recording('Ada');
    await service.import({ recordings: [meeting] });
    const { status, body } = await ada.post(path());
    expect(status).toBe(409);
    expect(body).toEqual(
      refusal(
        'CONFLICT',
        expect.stringContaining('has not been transcribed yet. A summary needs a transcript'),
      ),
    );
    expect((await summary()).status).toBe('not_started');
  });

  it('creates a short summary without topics for an empty transcript', async () => {
    meeting = recording('Ada', { transcript: { language: 'en', segments: [] } });
    await service.import({ recordings: [meeting] });
    await ada.post(path());
    await ends('completed');
    expect(await summary()).toMatchObject({ topics: [], content: expect.stringMatching(/.{10,}/) });
  });

  it('summarizes a very long meeting off the main thread', async () => {
    const long = { language: 'en', segments: manySentences(5_000) };
    meeting = recording('Ada', { transcript: long });
    await service.import({ recordings: [meeting] });
    const here = await longestBlock(async () => {
      const source = { ...long, title: 'Weekly sync', speakers: ['Ada'] };
      await summarizeExtractively(source, async (texts) => texts.map((text) => text.split(' ')));
    });
    const block = await longestBlock(async () => {
      expect((await ada.post(path())).status).toBe(202);
      await ends('completed');
    });
    expect(block).toBeLessThan(here / 2);
  });

  describe('without a worker', () => {
    let idle: TestService;
    beforeAll(async () => {
      idle = await startService();
      await idle.import({ users: [user('Ada')] });
    });
    afterAll(() => idle.stop());

    it('reports processing until done; requesting it again meanwhile is a conflict', async () => {
      const waiting = recording('Ada', { transcript: { language: 'en', segments } });
      await idle.import({ recordings: [waiting] });
      const api = idle.api.as(keyOf('Ada'));
      const replies = await Promise.all([1, 2, 3].map(() => api.post(`/recordings/${waiting.id}/summary`)));
      expect(replies.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
      const { data } = (await api.get(`/recordings/${waiting.id}/summary`)).body;
      expect(data).toMatchObject({ status: 'processing', content: null, topics: [] });
      const detail = (await api.get(`/recordings/${waiting.id}`)).body.data;
      expect(detail.summary).toEqual({
        status: 'processing',
        statusReason: null,
        content: null,
        topics: [],
        decisions: [],
        actionItems: [],
      });
    });

    it('keeps a summary imported before the job runs', async () => {
      const waiting = recording('Ada', { transcript: { language: 'en', segments } });
      await idle.import({ recordings: [waiting] });
      const api = idle.api.as(keyOf('Ada'));
      expect((await api.post(`/recordings/${waiting.id}/summary`)).status).toBe(202);
      await api.request('PUT', `/recordings/${waiting.id}/summary`, { body: { content: 'By hand' } });
      const next = await startService({}, { beside: idle, worker: true });
      await eventually(async () => {
        const [{ jobs }] = await idle.dataSource.query(
          `SELECT count(*)::int AS jobs FROM graphile_worker.jobs WHERE task_identifier = 'summaries.summarize'`,
        );
        expect(jobs).toBe(0);
      });
      await next.stop();
      const { data } = (await api.get(`/recordings/${waiting.id}/summary`)).body;
      expect(data).toMatchObject({ status: 'completed', content: 'By hand' });
    });
  });
});
