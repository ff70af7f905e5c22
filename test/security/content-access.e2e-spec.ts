import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, summary, transcript, user } from '../factories/workspace.js';
import { refusal, type Client, type Reply } from '../support/client.js';
import { startService, WITH_TRANSCRIBER, type TestService } from '../support/service.js';

/** Every operation on transcripts and summaries, in the order of the matrix below. */
const READS = {
  'GET transcript?format': (api: Client, path: string) => api.get(`${path}/transcript?format=vtt`),
  'GET revisions': (api: Client, path: string) => api.get(`${path}/transcript/revisions`),
  'GET summary revisions': (api: Client, path: string) => api.get(`${path}/summary/revisions`),
  'GET summary revision': (api: Client, path: string) => api.get(`${path}/summary/revisions/1`),
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
  'POST summary restore': (api: Client, path: string) => api.post(`${path}/summary/revisions/1/restore`),
  'POST summary': (api: Client, path: string) => api.post(`${path}/summary`),
  'POST transcription': (api: Client, path: string) => api.post(`${path}/transcription`),
} as const;
const ALL = { ...READS, ...WRITES };
type Operation = keyof typeof ALL;
const OF_TRANSCRIPTS: readonly Operation[] = [
  'GET transcript?format',
  'GET revisions',
  'PUT transcript',
  'PATCH speakers',
  'PATCH segment',
  'POST restore',
  'POST transcription',
];
const OF_SUMMARIES: readonly Operation[] = [
  'GET summary',
  'GET summary revisions',
  'GET summary revision',
  'PUT summary',
  'POST summary restore',
  'POST summary',
];
const DONE: Readonly<Record<string, number>> = {
  'POST restore': 201,
  'POST summary restore': 201,
  'POST summary': 202,
  'POST transcription': 202,
};

const flagOff = (feature: string) =>
  `The feature flag "${feature}" is off for the organization. An OWNER turns it on: PATCH /api/v1/organizations/{organizationId} with {"features":{"${feature}":true}}.`;

const members = [
  member('Olga', 'OWNER'),
  member('Edith', 'EDITOR'),
  member('Vera', 'VIEWER', { viewAllRecordings: true }),
];
const organizations = [
  organization('Small', { members, plan: 'FREE' }),
  organization('Mute', { members, features: { transcription: false } }),
  organization('Long', { members, features: { summaries: false } }),
  organization('Quiet', { members, features: { questions: false } }),
];

const REFUSED = [
  ...OF_TRANSCRIPTS.map(
    (operation) => [operation, 'Mute', 'TRANSCRIPT_NOT_AVAILABLE', flagOff('transcription')] as const,
  ),
  ['POST questions', 'Mute', 'TRANSCRIPT_NOT_AVAILABLE', flagOff('transcription')] as const,
  ...OF_SUMMARIES.map((operation) => [operation, 'Long', 'FORBIDDEN', flagOff('summaries')] as const),
  ['POST questions', 'Quiet', 'FORBIDDEN', flagOff('questions')] as const,
  [
    'POST questions',
    'Small',
    'RECORDING_LOCKED',
    'The FREE plan does not include questions; this requires the PRO plan. An operator changes it with "npx mrs orgs update ORG_ID --plan PRO".',
  ] as const,
];
const content = { transcript: transcript(3), summary, media: 'video.mp4' };
const inOrganization = (name: string) => recording('Edith', { ...content, organization: name });
const WORKING = [
  ...OF_SUMMARIES.map((operation) => [operation, 'Mute'] as const),
  ...OF_TRANSCRIPTS.map((operation) => [operation, 'Long'] as const),
  ...OF_TRANSCRIPTS.map((operation) => [operation, 'Quiet'] as const),
].map(([operation, name]) => [operation, name, inOrganization(name)] as const);

describe('feature flags of transcripts, summaries and questions', () => {
  let service: TestService;
  const shared = new Map(organizations.map(({ name }) => [name, inOrganization(name)]));

  beforeAll(async () => {
    service = await startService(WITH_TRANSCRIBER);
    await service.import(
      {
        users: ['Olga', 'Edith', 'Vera'].map((name) => user(name)),
        organizations,
        recordings: [...shared.values(), ...WORKING.map(([, , one]) => one)],
      },
      { 'video.mp4': 'video' },
    );
  });
  afterAll(() => service.stop());

  const ask = (name: string, operation: Operation, recordingId: string): Promise<Reply> =>
    ALL[operation](service.api.as(keyOf(name)), `/recordings/${recordingId}`);
  const revision = async (recordingId: string): Promise<unknown> =>
    service.dataSource.query(
      `SELECT t.revision AS transcript, t.status, s.revision AS summary, s.status AS summary_status
       FROM transcripts t JOIN summaries s USING (recording_id) WHERE recording_id = $1`,
      [recordingId],
    );
  const UNTOUCHED = [{ transcript: 1, status: 'completed', summary: 1, summary_status: 'completed' }];

  it.each(REFUSED)(
    '%s in %s, which does not have the feature: %s "%s"',
    async (operation, name, code, message) => {
      const { id } = shared.get(name)!;
      for (const caller of ['Olga', 'Vera']) {
        const { status, body } = await ask(caller, operation, id);
        expect(status).toBe(403);
        expect(body).toEqual(refusal(code, message));
      }
      expect(await revision(id)).toEqual(UNTOUCHED);
    },
  );

  it.each(WORKING)('%s works in %s', async (operation, _, { id }) => {
    expect((await ask('Olga', operation, id)).status).toBe(DONE[operation] ?? 200);
  });
});
