import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { OpenAiServer } from '../support/openai-server.js';
import { TranscriptionsRoute } from '../support/openai-transcriptions.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { demoVideo } from '../support/uploads.js';

const SAID = [
  { start: 0.4, end: 4.5, text: ' We agreed to move the launch of the new depot to Friday.' },
  { start: 4.5, end: 9.25, text: ' The workshop will finish repairing all the bikes before the launch.' },
];

describe('a generated transcript', () => {
  const route = new TranscriptionsRoute();
  let server: OpenAiServer;
  let service: TestService;
  let settings: Record<string, string>;

  const acme = organization('Acme', {
    members: [
      member('Olga', 'OWNER'),
      member('Eve', 'EDITOR', { summaries: false }),
      member('Leo', 'EDITOR'),
    ],
  });
  const silent = organization('Silent', {
    members: [member('Olga', 'OWNER')],
    features: { summaries: false },
  });

  beforeAll(async () => {
    server = await OpenAiServer.start(route);
    settings = { TRANSCRIPTION_URL: server.url, TRANSCRIPTION_MODEL: 'whisper-1' };
    service = await startService(settings, { worker: true });
    const users = ['Ada', 'Olga', 'Eve', 'Leo'].map((name) => user(name));
    await service.import({ users, organizations: [acme, silent] });
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });
  beforeEach(() => {
    route.recognise = () => SAID;
  });
  afterEach(() => {
    expect(server.failures).toEqual([]);
    server.reset();
    route.reset();
  });

  async function imported(owner: string, overrides: object = {}): Promise<string> {
    const made = recording(owner, { media: 'meeting.mp4', ...overrides });
    await service.import({ recordings: [made] }, { 'meeting.mp4': demoVideo() });
    return made.id;
  }
  const read = async (id: string, content: string, by: string) =>
    (await service.api.as(keyOf(by)).get(`/recordings/${id}/${content}`)).body.data;

  /** Requests a transcription as this user and waits for it. */
  async function transcribed(id: string, by: string): Promise<void> {
    expect((await service.api.as(keyOf(by)).post(`/recordings/${id}/transcription`)).status).toBe(202);
    await eventually(async () => expect((await read(id, 'transcript', by)).status).toBe('completed'));
  }
  /** A summary would have been started together with the transcript. */
  async function expectNoSummary(id: string): Promise<void> {
    expect(await service.dataSource.query('SELECT FROM summaries WHERE recording_id = $1', [id])).toEqual([]);
  }

  it('is summarized without a request', async () => {
    const id = await imported('Ada');
    await transcribed(id, 'Ada');
    await eventually(async () => expect((await read(id, 'summary', 'Ada')).status).toBe('completed'));
    expect((await read(id, 'summary', 'Ada')).content).toMatch(/depot|workshop/);
  });

  it('leaves an existing summary as it is', async () => {
    const id = await imported('Ada', { summary: { content: 'By hand' } });
    await transcribed(id, 'Ada');
    expect(await read(id, 'summary', 'Ada')).toMatchObject({
      status: 'completed',
      content: 'By hand',
      revision: 1,
    });
  });

  it('says so if nobody speaks', async () => {
    route.recognise = () => [];
    const id = await imported('Ada');
    await transcribed(id, 'Ada');
    await eventually(async () => expect((await read(id, 'summary', 'Ada')).status).toBe('completed'));
    expect((await read(id, 'summary', 'Ada')).content).toBe('No speech was found in the recording.');
  });

  it.each([
    ['the owner, although somebody else requested the transcript', 'Eve', 'Acme'],
    ['the organization', 'Olga', 'Silent'],
  ])('is not summarized if summaries are off for %s', async (_, owner, where) => {
    const id = await imported(owner, { organization: where });
    await transcribed(id, 'Olga');
    await expectNoSummary(id);
  });

  it('is not summarized if the owner has left the organization', async () => {
    const id = await imported('Leo', { organization: 'Acme' });
    await service.dataSource.query(
      `DELETE FROM organization_members WHERE user_id = (SELECT owner_id FROM recordings WHERE id = $1)`,
      [id],
    );
    await transcribed(id, 'Olga');
    await expectNoSummary(id);
  });

  it('is not summarized with AUTO_SUMMARIZE=false', async () => {
    const other = await startService({ ...settings, AUTO_SUMMARIZE: 'false' }, { worker: true });
    try {
      const made = recording('Ada', { media: 'meeting.mp4' });
      await other.import({ users: [user('Ada')], recordings: [made] }, { 'meeting.mp4': demoVideo() });
      const ada = other.api.as(keyOf('Ada'));
      await ada.post(`/recordings/${made.id}/transcription`);
      await eventually(async () => {
        const { transcription, summary } = (await ada.get(`/recordings/${made.id}`)).body.data;
        expect([transcription.status, summary.status]).toEqual(['completed', 'not_started']);
      });
      expect(await other.dataSource.query('SELECT FROM summaries')).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('is kept even if the summary cannot be started', async () => {
    const { dataSource } = service;
    await dataSource.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
    );
    await dataSource.query(
      'CREATE TRIGGER refuse BEFORE INSERT ON summaries FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    try {
      const id = await imported('Ada');
      await transcribed(id, 'Ada');
      expect((await read(id, 'transcript', 'Ada')).segments).toHaveLength(2);
      await expectNoSummary(id);
    } finally {
      await dataSource.query('DROP TRIGGER refuse ON summaries');
      await dataSource.query('DROP FUNCTION refuse');
    }
  });
});
