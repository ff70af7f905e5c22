import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STATUSES, keyOf, recording, summary, transcript, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const TABLES = ['recordings', 'transcripts', 'transcript_chunks', 'summaries', 'share_links'];

describe('DELETE /recordings/:id', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  /** A recording with everything that can belong to one. */
  async function complete(overrides: object = {}): Promise<string> {
    const own = recording('Ada', { media: 'call.mp4', transcript: transcript(45), summary, ...overrides });
    await service.import({ recordings: [own] }, { 'call.mp4': 'not really a video' });
    return own.id;
  }

  async function rows(recordingId: string): Promise<Record<string, number>> {
    const counts = TABLES.map(async (table): Promise<[string, number]> => {
      const column = table === 'recordings' ? 'id' : 'recording_id';
      const found: unknown[] = await service.dataSource.query(`SELECT FROM ${table} WHERE ${column} = $1`, [
        recordingId,
      ]);
      return [table, found.length];
    });
    return Object.fromEntries(await Promise.all(counts));
  }

  const files = async (recordingId: string): Promise<string[]> =>
    (await service.objects()).filter((path) => path.includes(recordingId));

  const noFileLeft = (recordingId: string): Promise<void> =>
    eventually(async () => expect(await files(recordingId)).toEqual([]));

  it('deletes transcript, summary and share links with it, and soon the file', async () => {
    const kept = await complete();
    const own = await complete();
    await ada.post(`/recordings/${own}/share-link`, { permission: 'view' });
    await ada.post(`/recordings/${own}/share-link`, { permission: 'download' });
    expect(await rows(own)).toEqual({
      recordings: 1,
      transcripts: 1,
      transcript_chunks: 3,
      summaries: 1,
      share_links: 2,
    });
    expect(await files(own)).toHaveLength(1);

    const { status, body } = await ada.delete(`/recordings/${own}`);
    expect(status).toBe(200);
    expect(body).toEqual({ data: { success: true } });
    expect(await rows(own)).toEqual({
      recordings: 0,
      transcripts: 0,
      transcript_chunks: 0,
      summaries: 0,
      share_links: 0,
    });
    await noFileLeft(own);
    expect((await ada.get(`/recordings/${own}`)).body).toEqual(refusal('RECORDING_NOT_FOUND'));
    expect(await files(kept)).toHaveLength(1);
    expect((await ada.get(`/recordings/${kept}`)).status).toBe(200);
  });

  it('invalidates media URLs and share links immediately, even if they have not expired', async () => {
    const own = await complete();
    const { body: detail } = await ada.get(`/recordings/${own}`);
    const { body: link } = await ada.post(`/recordings/${own}/share-link`);
    const { pathname, search } = new URL(detail.data.videoUrl);
    const statuses = async (): Promise<number[]> => [
      (await service.api.get(`/${pathname}${search}`)).status,
      (await service.api.get(`//s/${link.data.share_token}`)).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await ada.delete(`/recordings/${own}`);
    expect(await statuses()).toEqual([403, 404]);
  });

  it.each(STATUSES)('is allowed in status %s', async (status) => {
    const own = await complete({ status });
    expect((await ada.delete(`/recordings/${own}`)).status).toBe(200);
    expect((await rows(own))['recordings']).toBe(0);
    await noFileLeft(own);
  });

  it('lets exactly one of many concurrent requests succeed', async () => {
    const own = await complete();
    const replies = await Promise.all(Array.from({ length: 6 }, () => ada.delete(`/recordings/${own}`)));
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 404, 404, 404, 404, 404]);
  });

  it('never answers 500 when other requests rename and share it at the same time', async () => {
    const own = await complete();
    const path = `/recordings/${own}`;
    const replies = await Promise.all([
      ...Array.from({ length: 5 }, () => ada.post(`${path}/share-link`)),
      ada.delete(path),
      ...Array.from({ length: 5 }, () => ada.patch(path, { title: 'x' })),
      ...Array.from({ length: 5 }, () => ada.post(`${path}/share-link`, { permission: 'download' })),
    ]);
    expect([200, 201, 404]).toEqual(expect.arrayContaining(replies.map(({ status }) => status)));
    expect(Object.values(await rows(own))).toEqual([0, 0, 0, 0, 0]);
  });

  it('removes the file later if the service dies between commit and removal', async () => {
    const dead = await startService();
    const own = recording('Ada', { media: 'call.mp4' });
    await dead.import({ users: [user('Ada')], recordings: [own] }, { 'call.mp4': 'not really a video' });
    await dead.api.as(keyOf('Ada')).delete(`/recordings/${own.id}`);
    expect(await dead.objects()).toHaveLength(1);
    const next = await startService({}, { beside: dead, worker: true });
    await eventually(async () => expect(await dead.objects()).toEqual([]));
    await next.stop();
    await dead.stop();
  });
});
