import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../../factories/workspace.js';
import { refusal, type Client } from '../../../support/client.js';
import { sha256 } from '../../../support/objects.js';
import type { Detail } from '../../../support/packaged.js';
import { eventually, startService, type TestService } from '../../../support/service.js';
import { SourceServer } from '../../../support/source-server.js';
import { created, demoVideo } from '../../../support/uploads.js';

const FILM = demoVideo();
const WITHIN_MS = 25_000;

describe('POST /recordings/:id/upload with source_url', () => {
  let service: TestService;
  let source: SourceServer;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({ ALLOW_PRIVATE_ADDRESSES: 'true' }, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterEach(() => source?.stop());
  afterAll(() => service.stop());

  const detail = async (id: string): Promise<Detail> => (await ada.get(`/recordings/${id}`)).body.data;
  const sources = (): Promise<object[]> => service.dataSource.query('SELECT * FROM upload_sources');
  const withoutMedia = async (): Promise<string> => (await created(ada, { media: 'none' })).id;

  it('fetches the media of a recording that has none', async () => {
    source = await SourceServer.start(FILM);
    const id = await withoutMedia();
    const { status, body } = await ada.post(`/recordings/${id}/upload`, { source_url: source.url() });
    expect([status, body.data]).toMatchObject([
      201,
      { status: 'COMPLETED', media: 'none', newMedia: { progress: 0 }, upload_url: null },
    ]);
    let last: Detail;
    await eventually(async () => {
      last = await detail(id);
      expect(last.media).toBe('available');
    }, WITHIN_MS);
    const video = await fetch(last!.videoUrl);
    expect(sha256(new Uint8Array(await video.arrayBuffer()))).toBe(sha256(FILM));
    expect(last!.newMedia).toBeNull();
    expect(await sources()).toEqual([]);
  });

  it('a file that cannot be fetched changes nothing, and the reason is shown', async () => {
    source = await SourceServer.start(Buffer.from('no media '.repeat(1000)));
    const id = await withoutMedia();
    await ada.post(`/recordings/${id}/upload`, { source_url: source.url() });
    await eventually(
      async () => expect((await detail(id)).newMedia).toMatchObject({ status: 'failed' }),
      WITHIN_MS,
    );
    expect(await detail(id)).toMatchObject({
      status: 'COMPLETED',
      media: 'none',
      newMedia: { statusReason: expect.stringContaining('The file is a text file.') },
    });
    expect(await sources()).toEqual([]);
  });

  it('can be cancelled, and takes no bytes of clients', async () => {
    source = await SourceServer.start(FILM);
    source.next = [{ status: 429, headers: { 'retry-after': '3600' } }];
    const id = await withoutMedia();
    await ada.post(`/recordings/${id}/upload`, { source_url: source.url() });
    expect((await ada.request('PUT', `/recordings/${id}/media`, { body: FILM })).status).toBe(409);
    const headers = { 'tus-resumable': '1.0.0' };
    expect((await ada.request('DELETE', `/uploads/${id}`, { headers })).status).toBe(204);
    expect(await detail(id)).toMatchObject({ status: 'COMPLETED', media: 'none', newMedia: null });
    expect(await sources()).toEqual([]);
  });

  it('refuses a size, and other URLs than those of a new recording', async () => {
    const id = await withoutMedia();
    const open = async (fields: object) => (await ada.post(`/recordings/${id}/upload`, fields)).body;
    expect(await open({ source_url: 'https://files.example.com/a.mp4', size: 1 })).toEqual(
      refusal('VALIDATION_ERROR', 'size: cannot be combined with source_url'),
    );
    expect((await open({ source_url: 'ftp://files.example.com/a.mp4' })).error.code).toBe('VALIDATION_ERROR');
    expect(await detail(id)).toMatchObject({ newMedia: null });
  });
});
