import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, summary, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { startService, WITH_TRANSCRIBER, type TestService } from '../../support/service.js';
import { created } from '../../support/uploads.js';

const NOW = '2026-03-02T10:00:00.000Z';
const WORDS = {
  language: 'en',
  segments: [
    { start: 0, end: 2.5, speaker: 'Ada', text: 'Good morning' },
    { start: 3, end: 4, speaker: 'Grace', text: 'The budget is approved' },
  ],
};

describe('POST /recordings with media none', () => {
  let service: TestService;
  let ada: Client;
  const acme = organization('Acme', { members: [member('Ada', 'EDITOR')] });

  beforeAll(async () => {
    service = await startService({
      ...WITH_TRANSCRIBER,
      MAX_OPEN_UPLOADS: '2',
      QUOTA_FREE_RECORDINGS: '2',
      QUOTA_FREE_UPLOADS_PER_DAY: '1',
      QUOTA_FREE_STORED_BYTES: '100',
    });
    await service.import({
      users: [user('Ada'), user('Poor', { plan: 'FREE' })],
      organizations: [acme],
    });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const create = (fields: object = {}, name = 'Ada'): Promise<Reply> =>
    service.api.as(keyOf(name)).post('/recordings', { title: 'Weekly sync', media: 'none', ...fields });
  const put = (id: string, part: string, body: object): Promise<Reply> =>
    ada.request('PUT', `/recordings/${id}/${part}`, { body: JSON.stringify(body), headers: JSON_TYPE });
  const JSON_TYPE = { 'content-type': 'application/json' };

  it('is complete at once, has no upload, and says that there is no media', async () => {
    service.setNow(new Date(NOW));
    const { status, body } = await create({ organization_id: acme.id, started_at: '2026-03-01T09:00:00Z' });
    service.setNow(null);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      status: 'COMPLETED',
      createdAt: NOW,
      revision: 1,
      startedAt: '2026-03-01T09:00:00.000Z',
      progress: 1,
      media: 'none',
      videoUrl: null,
      organizationId: acme.id,
      transcription: { status: 'not_started' },
      capabilities: { canDownload: false, canShare: true, canStartTranscription: false },
      upload_url: null,
    });
    const { upload_url: _, ...detail } = body.data;
    expect((await ada.get(`/recordings/${detail.id}`)).body.data).toEqual(detail);
    const { body: listed } = await ada.get('/recordings?status=COMPLETED&limit=1');
    expect(listed.data[0]).toMatchObject({ id: detail.id, media: 'none', thumbnailUrl: null });
  });

  it('transcript and summary can be sent, searched, corrected and asked', async () => {
    const { id } = (await create({ title: 'Zebra meeting' })).body.data;
    expect((await put(id, 'transcript', WORDS)).status).toBe(200);
    expect((await put(id, 'summary', summary)).status).toBe(200);
    const { data } = (await ada.get(`/recordings/${id}`)).body;
    expect(data).toMatchObject({
      status: 'COMPLETED',
      media: 'none',
      videoUrl: null,
      transcription: { status: 'completed', segmentsCount: 2, duration: 4 },
      summary: { status: 'completed' },
      capabilities: {
        canDownload: false,
        canStartTranscription: false,
        canRegenerateTranscription: false,
        canRenameSpeaker: true,
        canGenerateSummary: true,
        canAskQuestions: true,
      },
    });
    for (const q of ['zebra', 'approved']) {
      expect((await ada.get(`/recordings/search?q=${q}`)).body.data).toMatchObject([{ id, media: 'none' }]);
    }
    expect((await ada.patch(`/recordings/${id}/transcript/segments/1`, { text: 'Postponed' })).status).toBe(
      200,
    );
    const { body } = await ada.post(`/recordings/${id}/questions`, { question: 'Who said good morning?' });
    expect(body.data.citations[0]).toMatchObject({ id: 0, quote: 'Good morning' });
  });

  it('does not count as an open upload, and never expires', async () => {
    const open = [await created(ada), await created(ada)];
    expect((await ada.post('/recordings', { title: 'Third' })).status).toBe(409);
    const { status, body } = await create();
    expect(status).toBe(201);
    const jobs: { id: string }[] = await service.dataSource.query(
      `SELECT payload ->> 'recordingId' AS id FROM graphile_worker._private_jobs`,
    );
    const ids = jobs.map(({ id }) => id);
    expect(ids).toContain(open[0]!.id);
    expect(ids).not.toContain(body.data.id);
    for (const { id } of open) await ada.delete(`/recordings/${id}`);
  });

  it('counts towards the quota of recordings, but neither of uploads nor of bytes', async () => {
    const poor = service.api.as(keyOf('Poor'));
    expect((await create({}, 'Poor')).status).toBe(201);
    expect((await create({}, 'Poor')).status).toBe(201);
    expect((await create({}, 'Poor')).body).toEqual(
      refusal(
        'QUOTA_EXCEEDED',
        'Your FREE plan includes 2 recordings, and there are 2. Delete recordings, or have an operator change the plan (GET /api/v1/plans) or QUOTA_FREE_RECORDINGS.',
      ),
    );
    expect((await poor.get('/me')).body.data.quotas).toMatchObject({
      stored_bytes: { used: 0 },
      recordings: { used: 2 },
      uploads_per_day: { used: 0 },
    });
  });

  it.each([
    ['content_type', 'video/mp4'],
    ['size', 10],
    ['source_url', 'https://files.example.com/a.mp4'],
    ['transcribe', false],
    ['language', 'en'],
  ])('cannot be combined with %s', async (field, value) => {
    const { status, body } = await create({ [field]: value });
    expect([status, body]).toEqual([
      400,
      refusal('VALIDATION_ERROR', `${field}: cannot be combined with media none`),
    ]);
  });

  it('refuses other values', async () => {
    expect((await create({ media: 'available' })).body).toEqual(
      refusal('VALIDATION_ERROR', 'media: must be one of upload, none'),
    );
  });

  it('has nothing that could be transcribed, uploaded to or reported', async () => {
    const { id } = (await create()).body.data;
    expect((await ada.post(`/recordings/${id}/transcription`)).body).toEqual(
      refusal(
        'CONFLICT',
        `The recording has no media to transcribe. Open an upload with POST /api/v1/recordings/${id}/upload.`,
      ),
    );
    expect((await ada.request('PUT', `/recordings/${id}/media`, { body: 'bytes' })).body).toEqual(
      refusal(
        'CONFLICT',
        `This recording has no open upload. Open one with POST /api/v1/recordings/${id}/upload.`,
      ),
    );
    expect((await ada.patch(`/recordings/${id}`, { status: 'RECORDING' })).status).toBe(409);
  });

  it('a download link lets recipients download the transcript', async () => {
    const { id } = (await create()).body.data;
    await put(id, 'transcript', WORDS);
    const links = await Promise.all(
      ['view', 'download'].map((permission) => ada.post(`/recordings/${id}/share-link`, { permission })),
    );
    const files = await Promise.all(
      links.map(({ body }) => service.api.get(`//s/${body.data.share_token}/transcript?format=txt`)),
    );
    expect(files.map(({ status }) => status)).toEqual([404, 200]);
    expect(files[1]!.body).toContain('The budget is approved');
  });
});
