import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { keyOf, member, organization, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { silent } from '../support/openai-behaviours.js';
import { OpenAiServer } from '../support/openai-server.js';
import { TranscriptionsRoute } from '../support/openai-transcriptions.js';
import { settled, upload } from '../support/packaged.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { demoVideo } from '../support/uploads.js';

const FILM = demoVideo();
const EVE = user('Eve');
const ACME = organization('Acme', { members: [member('Ada', 'OWNER'), member('Eve', 'EDITOR')] });
const OLD = 'We agreed to move the launch of the depot.';
const NEW = 'The customer asked for a second invoice.';
const SENT = { language: 'en', segments: [{ start: 0, end: 1, speaker: 'Ada', text: 'Sent by hand' }] };
const WITHIN_MS = 60_000;
jest.setTimeout(2 * WITHIN_MS);

describe('the transcript of a recording whose media is replaced', () => {
  const route = new TranscriptionsRoute();
  let server: OpenAiServer;
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    server = await OpenAiServer.start(route);
    const settings = { TRANSCRIPTION_URL: server.url, TRANSCRIPTION_MODEL: 'm', AUTO_TRANSCRIBE: 'true' };
    service = await startService(settings, { worker: true });
    await service.import({ users: [user('Ada'), EVE], organizations: [ACME] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });
  beforeEach(() => says(OLD));
  afterEach(() => {
    server.reset();
    route.reset();
  });

  const says = (text: string): void => {
    route.recognise = () => [{ start: 0, end: 4, text }];
  };
  const texts = async (id: string): Promise<[string, string[]]> => {
    const { status, segments } = (await ada.get(`/recordings/${id}/transcript`)).body.data;
    return [status, segments.map(({ text }: { text: string }) => text)];
  };
  const becomes = (id: string, ...expected: [string, string[]]) =>
    eventually(async () => expect(await texts(id)).toEqual(expected), WITHIN_MS);

  async function replace(id: string, fields: object = {}): Promise<void> {
    expect((await ada.post(`/recordings/${id}/upload`, fields)).status).toBe(201);
    expect((await ada.request('PUT', `/recordings/${id}/media`, { body: FILM })).status).toBe(200);
    await eventually(async () => {
      expect((await ada.get(`/recordings/${id}`)).body.data.newMedia).toBeNull();
    }, WITHIN_MS);
  }
  async function transcribed(): Promise<string> {
    const id = await upload(ada, FILM);
    await settled(ada, id, { withinMs: WITHIN_MS });
    await becomes(id, 'completed', [OLD]);
    return id;
  }

  it('is written anew if the service wrote it and nobody has corrected it', async () => {
    const id = await transcribed();
    says(NEW);
    await replace(id);
    await becomes(id, 'completed', [NEW]);
  });

  it('is written anew by the right of who replaces it, if the owner of the recording may not change it any more', async () => {
    const id = await upload(service.api.as(keyOf('Eve')), FILM, { organization_id: ACME.id });
    await settled(ada, id, { withinMs: WITHIN_MS });
    await becomes(id, 'completed', [OLD]);
    const demoted = await ada.patch(`/organizations/${ACME.id}/members/${EVE.id}`, { role: 'VIEWER' });
    expect(demoted.status).toBe(200);
    says(NEW);
    await replace(id);
    await becomes(id, 'completed', [NEW]);
  });

  it('begins again with the new media if it was in progress', async () => {
    server.always(silent);
    const id = await upload(ada, FILM);
    await settled(ada, id, { withinMs: WITHIN_MS });
    await eventually(async () => expect((await texts(id))[0]).toBe('processing'), WITHIN_MS);
    server.reset();
    says(NEW);
    await replace(id);
    await becomes(id, 'completed', [NEW]);
  });

  it.each([
    ['corrected a segment', 'segments/0', { text: 'Corrected' }, 'Corrected'],
    ['renamed a speaker', 'speakers', { from: '', to: 'Ada' }, OLD],
  ])('stays if somebody has %s', async (_, part, change, kept) => {
    const id = await transcribed();
    expect((await ada.patch(`/recordings/${id}/transcript/${part}`, change)).status).toBe(200);
    says(NEW);
    await replace(id);
    expect(await texts(id)).toEqual(['completed', [kept]]);
  });

  it('stays if it was sent by a client', async () => {
    const id = await transcribed();
    expect((await ada.request('PUT', `/recordings/${id}/transcript`, { body: SENT })).status).toBe(200);
    says(NEW);
    await replace(id);
    expect(await texts(id)).toEqual(['completed', ['Sent by hand']]);
  });

  it('stays with transcribe: false', async () => {
    const id = await transcribed();
    says(NEW);
    await replace(id, { transcribe: false });
    expect(await texts(id)).toEqual(['completed', [OLD]]);
  });
});
