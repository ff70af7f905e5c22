import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PackagingService } from '../../src/modules/pipeline/packaging/packaging.service.js';
import { keyOf, member, organization, recording, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { silent } from '../support/openai-behaviours.js';
import { OpenAiServer } from '../support/openai-server.js';
import { TranscriptionsRoute } from '../support/openai-transcriptions.js';
import { settled, upload } from '../support/packaged.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { created, demoVideo, RawTus, TUS } from '../support/uploads.js';

const SAID = [
  { start: 0.4, end: 4.5, text: ' We agreed to move the launch of the new depot to Friday.' },
  { start: 4.5, end: 9.25, text: ' The workshop will finish repairing all the bikes before the launch.' },
];
const SENT = { segments: [{ start: 0, end: 1, text: 'Sent by hand' }] };
const DAY_MS = 24 * 60 * 60 * 1000;

const acme = organization('Acme', {
  members: [
    member('Olga', 'OWNER'),
    member('Eve', 'EDITOR', { transcription: false }),
    member('Finn', 'EDITOR', { summaries: false }),
  ],
});
const expired = organization('Expired', {
  members: [member('Olga', 'OWNER')],
  subscription: { status: 'expired', endsAt: null },
});
const users = [...['Ada', 'Olga', 'Eve', 'Finn'].map((name) => user(name)), user('Fred', { plan: 'FREE' })];

describe('a recording', () => {
  const route = new TranscriptionsRoute();
  let server: OpenAiServer;
  let settings: Record<string, string>;
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    server = await OpenAiServer.start(route);
    settings = {
      TRANSCRIPTION_URL: server.url,
      TRANSCRIPTION_MODEL: 'whisper-1',
      AUTO_TRANSCRIBE: 'true',
    };
    service = await startService(settings, { worker: true });
    await service.import({ users, organizations: [acme, expired] });
    ada = service.api.as(keyOf('Ada'));
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

  const detail = async (id: string, api = ada) => (await api.get(`/recordings/${id}`)).body.data;
  const content = async (id: string, api = ada): Promise<[string, string]> => {
    const { transcription, summary } = await detail(id, api);
    return [transcription.status, summary.status];
  };
  const becomes = (id: string, transcript: string, summary: string, api = ada) =>
    eventually(async () => expect(await content(id, api)).toEqual([transcript, summary]));

  async function imported(overrides: object): Promise<string> {
    const made = recording('Ada', { media: 'meeting.mp4', ...overrides });
    await service.import({ recordings: [made] }, { 'meeting.mp4': demoVideo() });
    return made.id;
  }
  /** A transcription would have been started in the transaction that this waits for. */
  const packaged = (id: string) =>
    eventually(async () => {
      const sql = `SELECT status FROM recordings WHERE id = $1 AND package_key IS NOT NULL AND packaging_id IS NULL`;
      expect(await service.dataSource.query(sql, [id])).toEqual([{ status: 'COMPLETED' }]);
    });

  async function expectNothingStarted(id: string, { dataSource } = service): Promise<void> {
    expect(await dataSource.query('SELECT FROM transcripts WHERE recording_id = $1', [id])).toEqual([]);
    const sql = `SELECT FROM graphile_worker.jobs WHERE key = $1`;
    expect(await dataSource.query(sql, [`transcribe:${id}`])).toEqual([]);
  }

  describe('that is uploaded', () => {
    it('by PUT is transcribed and summarized without another request', async () => {
      const id = await upload(ada, demoVideo());
      expect((await settled(ada, id)).transcription.status).not.toBe('not_started');
      await becomes(id, 'completed', 'completed');
      const { transcription, summary } = await detail(id);
      expect(transcription).toMatchObject({ language: 'en', segmentsCount: 2 });
      expect(summary.content).toMatch(/depot|workshop/);
      // Without a language in the request, the server detects it.
      expect(route.parts.map(({ fields }) => fields['language'])).toEqual([undefined]);
    });

    it('by tus is transcribed in the language of its Upload-Metadata', async () => {
      route.language = 'german';
      const fields = { title: 'Treffen', language: 'de', transcribe: 'true' };
      const metadata = Object.entries(fields).map(
        ([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`,
      );
      const video = demoVideo();
      const headers = { ...TUS, 'upload-length': String(video.length), 'upload-metadata': metadata.join() };
      const reply = await ada.request('POST', '/uploads', { headers });
      const id = reply.headers.get('location')!.split('/').at(-1)!;
      await new RawTus(ada, id).patch(0, video);
      await becomes(id, 'completed', 'completed');
      expect(route.parts[0]?.fields).toMatchObject({ language: 'de' });
    });

    it('is left alone with transcribe: false, by POST and by tus', async () => {
      const posted = await upload(ada, demoVideo(), { transcribe: false });
      const { id } = await created(ada, { transcribe: false });
      await new RawTus(ada, id).patch(0, demoVideo(), { 'upload-length': String(demoVideo().length) });
      for (const each of [posted, id]) {
        await settled(ada, each);
        await expectNothingStarted(each);
      }
    });

    it('is left alone if transcription is off for its owner', async () => {
      const eve = service.api.as(keyOf('Eve'));
      const id = await upload(eve, demoVideo(), { organization_id: acme.id, transcribe: true });
      await settled(eve, id);
      await expectNothingStarted(id);
    });

    it('is transcribed but not summarized if summaries are off for its owner', async () => {
      const finn = service.api.as(keyOf('Finn'));
      const id = await upload(finn, demoVideo(), { organization_id: acme.id });
      await settled(finn, id);
      const olga = service.api.as(keyOf('Olga'));
      await becomes(id, 'completed', 'not_started', olga);
    });

    it.each(['completed', 'processing'])(
      'is not transcribed again when packaging is repeated while the transcript is %s',
      async (status) => {
        if (status === 'processing') server.always(silent);
        const id = await upload(ada, demoVideo());
        await becomes(id, status, status === 'completed' ? 'completed' : 'not_started');
        await settled(ada, id);
        const sql = 'SELECT attempt_id, revision FROM transcripts WHERE recording_id = $1';
        const before = await service.dataSource.query(sql, [id]);
        await service.dataSource.query(`UPDATE recordings SET status = 'MIGRATING' WHERE id = $1`, [id]);
        await service.app.get(PackagingService).retry(id);
        await settled(ada, id);
        expect(await service.dataSource.query(sql, [id])).toEqual(before);
        // Ends the job.
        await ada.delete(`/recordings/${id}`);
      },
    );
  });

  it('keeps the transcript that somebody sends before packaging ends', async () => {
    const idle = await startService(settings);
    try {
      await idle.import({ users });
      const api = idle.api.as(keyOf('Ada'));
      const id = await upload(api, demoVideo());
      expect((await api.request('PUT', `/recordings/${id}/transcript`, { body: SENT })).status).toBe(200);
      const worker = await startService(settings, { beside: idle, worker: true });
      try {
        await settled(api, id);
        const page = (await api.get(`/recordings/${id}/transcript`)).body.data;
        expect(page).toMatchObject({
          status: 'completed',
          revision: 1,
          segments: [{ text: 'Sent by hand' }],
        });
        // Clients request the summary of what they send.
        expect(await content(id, api)).toEqual(['completed', 'not_started']);
      } finally {
        await worker.stop();
      }
    } finally {
      await idle.stop();
    }
  });

  it('is left alone with AUTO_TRANSCRIBE=false', async () => {
    const other = await startService({ ...settings, AUTO_TRANSCRIBE: 'false' }, { worker: true });
    try {
      await other.import({ users });
      const api = other.api.as(keyOf('Ada'));
      const id = await upload(api, demoVideo());
      await settled(api, id);
      await expectNothingStarted(id, other);
    } finally {
      await other.stop();
    }
  });

  it('is transcribed in the language that is detected with the language auto, whatever SPEECH_LANGUAGE is', async () => {
    const other = await startService({ ...settings, SPEECH_LANGUAGE: 'nl' }, { worker: true });
    try {
      await other.import({ users });
      const api = other.api.as(keyOf('Ada'));
      const id = await upload(api, demoVideo(), { language: 'auto' });
      await becomes(id, 'completed', 'completed', api);
      expect(route.parts[0]?.fields).not.toHaveProperty('language');
      expect((await api.get(`/recordings/${id}`)).body.data.transcription.language).toBe('en');
    } finally {
      await other.stop();
    }
  });

  it('is transcribed on request with AUTO_TRANSCRIBE=false, and in the language of SPEECH_LANGUAGE', async () => {
    const changes = { AUTO_TRANSCRIBE: 'false', SPEECH_LANGUAGE: 'nl' };
    const other = await startService({ ...settings, ...changes }, { worker: true });
    try {
      await other.import({ users });
      const api = other.api.as(keyOf('Ada'));
      await becomes(await upload(api, demoVideo(), { transcribe: true }), 'completed', 'completed', api);
      expect(route.parts[0]?.fields).toMatchObject({ language: 'nl' });
    } finally {
      await other.stop();
    }
  });

  describe('that is imported', () => {
    it('is left alone', async () => {
      const id = await imported({});
      await packaged(id);
      await expectNothingStarted(id);
    });

    it.each(['COMPLETED', 'PROCESSING'])('is transcribed with "transcribe": true in %s', async (status) => {
      const id = await imported({ transcribe: true, language: 'pt-BR', status });
      await becomes(id, 'completed', 'completed');
      expect(route.parts[0]?.fields).toMatchObject({ language: 'pt' });
    });

    it('keeps its transcript', async () => {
      const id = await imported({ transcribe: true, transcript: SENT });
      await packaged(id);
      expect((await ada.get(`/recordings/${id}/transcript`)).body.data).toMatchObject({
        revision: 1,
        segments: [{ text: 'Sent by hand' }],
      });
    });

    it.each([
      ['the subscription has expired', { owner: 'olga@acme.test', organization: 'Expired' }],
      ['its owner is no member', { organization: 'Acme' }],
      [
        'it is older than the plan allows',
        { owner: 'fred@acme.test', createdAt: new Date(Date.now() - 40 * DAY_MS).toISOString() },
      ],
    ])('is left alone if %s', async (_, overrides) => {
      const id = await imported({ transcribe: true, ...overrides });
      await packaged(id);
      await expectNothingStarted(id);
    });

    it('is the same one once "transcribe" has been added to the file', async () => {
      const { id: _, ...plain } = recording('Ada', { title: 'Without an id' });
      await service.import({ recordings: [plain] });
      const report = await service.import({ recordings: [{ ...plain, transcribe: true, language: 'en' }] });
      expect(report.recordings).toMatchObject({ created: 0, different: 1 });
    });
  });
});
