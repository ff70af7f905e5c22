import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, transcript, user } from '../../../factories/workspace.js';
import type { Client, Reply } from '../../../support/client.js';
import { held, silent } from '../../../support/openai-behaviours.js';
import { ChatRoute, json } from '../../../support/openai-chat.js';
import { OpenAiServer } from '../../../support/openai-server.js';
import { TranscriptionsRoute } from '../../../support/openai-transcriptions.js';
import { eventually, startService, type TestService } from '../../../support/service.js';
import { demoVideo } from '../../../support/uploads.js';

const WITHDRAWN =
  'Ended because neither the member who requested it nor the owner of the recording is allowed to do this any more.';
const MINUTES = {
  overview: ['They met.'],
  decisions: [],
  action_items: [],
  topics: [],
};
const KINDS = [
  { job: 'transcription', flag: 'transcription', table: 'transcripts', subject: { media: 'call.mp4' } },
  { job: 'summary', flag: 'summaries', table: 'summaries', subject: { transcript: transcript(2) } },
] as const;

type Withdrawal = readonly [string, (id: string) => Promise<Reply>];

/**
 * What is withdrawn in an organization ends jobs under way. Both kinds of jobs ask the same service, so it is enough
 * for one of them to see each way of withdrawing; `everyKind`: both do.
 */
export function withdrawnJobs({ everyKind }: { readonly everyKind: boolean }): void {
  const chat = new ChatRoute();
  let server: OpenAiServer;
  let service: TestService;
  let acme: { id: string; name: string };
  const [ada, eve] = [user('Ada'), user('Eve')];
  const members = [member('Ada', 'OWNER'), member('Eve', 'EDITOR')];
  const beta = organization('Beta', { members });
  const strict = organization('Strict', {
    members,
    features: { transcription: false, summaries: false },
  });

  beforeAll(async () => {
    server = await OpenAiServer.start(new TranscriptionsRoute(), chat);
    const settings = {
      TRANSCRIPTION_URL: server.url,
      TRANSCRIPTION_MODEL: 'whisper-1',
      CHAT_URL: server.url,
      CHAT_MODEL: 'minutes-1',
      AUTO_SUMMARIZE: 'false',
    };
    service = await startService(settings, { worker: true });
    await service.import({ users: [ada, eve], organizations: [beta, strict] });
    chat.reply(json(MINUTES));
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });

  beforeEach(async () => {
    server.reset();
    acme = organization(`Acme ${Math.random()}`, { members });
    await service.import({ organizations: [acme] });
  });

  const as = (name: string): Client => service.api.as(keyOf(name));
  const eveIn = (): string => `/organizations/${acme.id}/members/${eve.id}`;
  const change = (path: string, body: object): Promise<Reply> => as('Ada').patch(path, body);
  const move = (id: string, to: { id: string }): Promise<Reply> =>
    change(`/recordings/${id}`, { organization_id: to.id });

  const DEMOTED: Withdrawal = ['the member is demoted', () => change(eveIn(), { role: 'VIEWER' })];
  const MOVED_AWAY: Withdrawal = [
    'the recording is moved to an organization that has turned it off',
    (id) => move(id, strict),
  ];

  describe.each(KINDS)('a $job', ({ job, flag, table, subject }) => {
    /** Requested by Eve, whose recording it is about; the server has received it. */
    const underWay = async (): Promise<string> => {
      const made = recording('Eve', { organization: acme.name, ...subject });
      const { id } = made;
      await service.import({ recordings: [made] }, { 'call.mp4': demoVideo() });
      expect((await as('Eve').post(`/recordings/${id}/${job}`)).status).toBe(202);
      await eventually(async () => expect(server.requests.length).toBeGreaterThan(0));
      return id;
    };
    const becomes = (id: string, status: string, reason: string | null): Promise<void> =>
      eventually(async () => {
        const rows = await service.dataSource.query(
          `SELECT status, status_reason FROM ${table} WHERE recording_id = $1`,
          [id],
        );
        expect(rows).toEqual([{ status, status_reason: reason }]);
      });

    const seen = everyKind || job === 'summary';

    it.each<Withdrawal>([
      [
        'the organization turns it off',
        () => change(`/organizations/${acme.id}`, { features: { [flag]: false } }),
      ],
      ...(seen ? [DEMOTED, MOVED_AWAY] : []),
    ])('ends when %s', async (_, withdraw) => {
      server.always(silent);
      const id = await underWay();
      expect((await withdraw(id)).status).toBe(200);
      await becomes(id, 'failed', WITHDRAWN);
    });

    const goesOn: Withdrawal[] = [
      ['for the new owner of the recording when the member is removed', () => as('Ada').delete(eveIn())],
      ['when the recording is moved to another organization of its owner', (id) => move(id, beta)],
    ];
    if (!seen) return;
    it.each(goesOn)('goes on %s', async (_, withdraw) => {
      const { behaviour, release } = held();
      server.always(behaviour);
      const id = await underWay();
      expect((await withdraw(id)).status).toBe(200);
      release();
      await becomes(id, 'completed', null);
      expect(server.failures).toEqual([]);
    });
  });
}
