import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

describe('transcription.status and summary.status', () => {
  let service: TestService;
  let ada: Client;
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER')],
    features: { transcription: false },
  });

  beforeAll(async () => {
    service = await startService({ AUTO_TRANSCRIBE: 'true' });
    await service.import({ users: [user('Ada')], organizations: [acme] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  async function statuses(fields: object): Promise<[id: string, statuses: string[]]> {
    const { id } = (await ada.post('/recordings', { title: 'Weekly sync', ...fields })).body.data;
    const { transcription, summary } = (await ada.get(`/recordings/${id}`)).body.data;
    return [id, [transcription.status, summary.status]];
  }

  it('are queued before the upload if the recording is to be transcribed, wherever they are shown', async () => {
    const [id, both] = await statuses({});
    expect(both).toEqual(['queued', 'queued']);
    const page = (await ada.get(`/recordings/${id}/transcript`)).body.data;
    expect(page).toMatchObject({ status: 'queued', segments: [] });
    expect((await ada.get(`/recordings/${id}/summary`)).body.data.status).toBe('queued');
    const link = (await ada.post(`/recordings/${id}/share-link`)).body.data;
    const { transcript, summary } = (await service.api.get(`/shares/${link.share_token}`)).body.data;
    expect([transcript.status, summary.status]).toEqual(['queued', 'queued']);
    const asked = await ada.post(`/recordings/${id}/questions`, { question: 'Who?' });
    const message =
      'The recording will be transcribed once its media has been processed. Questions need a transcript; wait until it is completed.';
    expect([asked.status, asked.body]).toEqual([409, refusal('CONFLICT', message)]);
  });

  it('are queued no longer once the recording has failed', async () => {
    const [id] = await statuses({});
    await ada.patch(`/recordings/${id}`, { status: 'ERROR' });
    const { transcription, summary } = (await ada.get(`/recordings/${id}`)).body.data;
    expect([transcription.status, summary.status]).toEqual(['not_started', 'not_started']);
  });

  it.each([
    ['it is not to be transcribed', { transcribe: false }],
    ['it has no media', { media: 'none' }],
    ['transcription is off', { organization_id: acme.id }],
  ])('are not_started if nothing will begin by itself: %s', async (_, fields) => {
    expect((await statuses(fields))[1]).toEqual(['not_started', 'not_started']);
  });
});
