import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, summary, transcript, user } from '../factories/workspace.js';
import { refusal, type Client, type Reply } from '../support/client.js';
import { startService, WITH_TRANSCRIBER, type TestService } from '../support/service.js';

/** Every operation on transcripts and summaries, in the order of the matrix below. */
const READS = {
  'GET transcript?format': (api: Client, path: string) => api.get(`${path}/transcript?format=vtt`),
  'GET revisions': (api: Client, path: string) => api.get(`${path}/transcript/revisions`),
  'GET summary': (api: Client, path: string) => api.get(`${path}/summary`),
  'POST questions': (api: Client, path: string) => api.post(`${path}/questions`, { question: 'Who spoke?' }),
} as const;
const WRITES = {
  'PUT transcript': (api: Client, path: string) =>
    api.request('PUT', `${path}/transcript`, { body: { segments: [{ start: 0, end: 1, text: 'New' }] } }),
  'PATCH speakers': (api: Client, path: string) =>
    api.patch(`${path}/transcript/speakers`, { from: 'Ada', to: 'Lovelace' }),
  'PATCH segment': (api: Client, path: string) => api.patch(`${path}/transcript/segments/0`, { text: 'New' }),
  'POST restore': (api: Client, path: string) => api.post(`${path}/transcript/revisions/1/restore`),
  'PUT summary': (api: Client, path: string) =>
    api.request('PUT', `${path}/summary`, { body: { content: 'New' } }),
  'POST summary': (api: Client, path: string) => api.post(`${path}/summary`),
  'POST transcription': (api: Client, path: string) => api.post(`${path}/transcription`),
} as const;
const ALL = { ...READS, ...WRITES };
type Operation = keyof typeof ALL;
const OPERATIONS = Object.keys(ALL) as Operation[];
const OF_TRANSCRIPTS: readonly Operation[] = [
  'GET transcript?format',
  'GET revisions',
  'PUT transcript',
  'PATCH speakers',
  'PATCH segment',
  'POST restore',
  'POST transcription',
];
const OF_SUMMARIES: readonly Operation[] = ['GET summary', 'PUT summary', 'POST summary'];
const DONE: Readonly<Record<string, number>> = {
  'POST restore': 201,
  'POST summary': 202,
  'POST transcription': 202,
};

const flagOff = (feature: string) =>
  `The feature flag "${feature}" is off for the organization or for you as a member.`;

const SEES_ALL = { viewAllRecordings: true };
const members = [
  member('Olga', 'OWNER'),
  member('Adam', 'ADMIN'),
  member('Edith', 'EDITOR'),
  member('Edgar', 'EDITOR', SEES_ALL),
  member('Emil', 'EDITOR'),
  member('Vera', 'VIEWER', SEES_ALL),
  member('Viktor', 'VIEWER'),
];

describe('access to transcripts, summaries and questions', () => {
  let service: TestService;
  const content = { transcript: transcript(3), summary, media: 'video.mp4' };
  const organizations = [
    organization('Acme', { members }),
    organization('Expired', { members, subscription: { status: 'canceled', endsAt: null } }),
    organization('Small', { members, plan: 'FREE' }),
    organization('Mute', { members, features: { transcription: false } }),
    organization('Long', { members, features: { summaries: false } }),
    organization('Quiet', { members, features: { questions: false } }),
  ];

  beforeAll(async () => {
    service = await startService(WITH_TRANSCRIBER);
    const names = ['Ada', 'Olga', 'Adam', 'Edith', 'Edgar', 'Emil', 'Vera', 'Viktor', 'Stranger'];
    await service.import({ users: names.map((name) => user(name)), organizations });
  });
  afterAll(() => service.stop());

  let subject: { id: string };
  async function place(owner: string, overrides: object): Promise<void> {
    subject = recording(owner, { ...content, ...overrides });
    await service.import({ recordings: [subject] }, { 'video.mp4': 'video' });
  }
  const ask = (name: string, operation: Operation): Promise<Reply> =>
    ALL[operation](service.api.as(keyOf(name)), `/recordings/${subject.id}`);
  const revision = async (): Promise<unknown> =>
    service.dataSource.query(
      `SELECT t.revision AS transcript, t.status, s.revision AS summary, s.status AS summary_status
       FROM transcripts t JOIN summaries s USING (recording_id) WHERE recording_id = $1`,
      [subject.id],
    );
  const UNTOUCHED = [{ transcript: 1, status: 'completed', summary: 1, summary_status: 'completed' }];

  describe.each(OPERATIONS)('%s', (operation) => {
    const isRead = operation in READS;
    beforeEach(() => place('Edith', { organization: 'Acme' }));

    it.each(['Olga', 'Adam', 'Edith'])('may change it: %s', async (name) => {
      const { status } = await ask(name, operation);
      expect(status).toBe(DONE[operation] ?? 200);
    });

    it('is only seen, or not at all, by others, who change nothing', async () => {
      for (const name of ['Edgar', 'Vera']) {
        const { status, body } = await ask(name, operation);
        expect([name, status]).toEqual([name, isRead ? 200 : 403]);
        const seen = refusal('FORBIDDEN', 'You can view this recording but not change it.');
        if (!isRead) expect(body).toEqual(seen);
      }
      const hidden = refusal('RECORDING_NOT_FOUND', 'Recording not found.');
      for (const name of ['Emil', 'Viktor', 'Stranger', 'Ada']) {
        const { status, body } = await ask(name, operation);
        expect([name, status, body]).toEqual([name, 404, hidden]);
      }
      expect(await revision()).toEqual(UNTOUCHED);
      subject = { ...subject, id: 'none' };
      expect((await ask('Olga', operation)).body).toEqual(hidden);
    });

    it('a VIEWER who owns it may only see it', async () => {
      await place('Viktor', { organization: 'Acme' });
      expect((await ask('Viktor', operation)).status).toBe(isRead ? 200 : 403);
    });

    it('an expired subscription: 402', async () => {
      await place('Edith', { organization: 'Expired', createdAt: '2020-01-01T00:00:00Z' });
      const { status, body } = await ask('Olga', operation);
      expect(status).toBe(402);
      expect(body).toEqual(refusal('ORGANIZATION_SUBSCRIPTION_EXPIRED'));
      expect(await revision()).toEqual(UNTOUCHED);
    });

    it('locked by the plan: 403', async () => {
      await place('Edith', { organization: 'Small', createdAt: '2020-01-01T00:00:00Z' });
      const { status, body } = await ask('Olga', operation);
      expect(status).toBe(403);
      expect(body).toEqual(
        refusal(
          'RECORDING_LOCKED',
          'The plan FREE includes 30 days of history, and this recording is older.',
        ),
      );
      expect(await revision()).toEqual(UNTOUCHED);
    });
  });

  it.each([
    ...OF_TRANSCRIPTS.map(
      (operation) => [operation, 'Mute', 'TRANSCRIPT_NOT_AVAILABLE', flagOff('transcription')] as const,
    ),
    ['POST questions', 'Mute', 'TRANSCRIPT_NOT_AVAILABLE', flagOff('transcription')] as const,
    ...OF_SUMMARIES.map((operation) => [operation, 'Long', 'FORBIDDEN', flagOff('summaries')] as const),
    ['POST questions', 'Quiet', 'FORBIDDEN', flagOff('questions')] as const,
    ['POST questions', 'Small', 'RECORDING_LOCKED', 'The plan FREE does not include questions.'] as const,
  ])('%s in %s, which does not have the feature: %s "%s"', async (operation, name, code, message) => {
    await place('Edith', { organization: name });
    for (const caller of ['Olga', 'Vera']) {
      const { status, body } = await ask(caller, operation);
      expect(status).toBe(403);
      expect(body).toEqual(refusal(code, message));
    }
    expect(await revision()).toEqual(UNTOUCHED);
  });

  it.each([
    ...OF_SUMMARIES.map((operation) => [operation, 'Mute'] as const),
    ...OF_TRANSCRIPTS.map((operation) => [operation, 'Long'] as const),
    ...OF_TRANSCRIPTS.map((operation) => [operation, 'Quiet'] as const),
  ])('%s works in %s', async (operation, name) => {
    await place('Edith', { organization: name });
    expect((await ask('Olga', operation)).status).toBe(DONE[operation] ?? 200);
  });
});
