import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { created, fakeVideo, OpenRequest, RawTus, at, MIB, watchConnections } from '../../support/uploads.js';

describe('a cancelled upload', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
    watchConnections(service);
  });
  afterAll(() => service.stop());

  /** The tables with rows of any recording, besides the log, which keeps that there was one. */
  async function tablesWithRows(): Promise<string[]> {
    const columns: { table: string; column: string }[] = await service.dataSource.query(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name <> 'events' AND table_name NOT LIKE 'change_log%'
         AND (column_name = 'recording_id' OR (table_name, column_name) = ('recordings', 'id'))`,
    );
    expect(columns.map(({ table }) => table)).toEqual(
      expect.arrayContaining([
        'recordings',
        'uploads',
        'upload_parts',
        'search_entries',
        'share_links',
        'transcripts',
      ]),
    );
    const found: string[] = [];
    for (const { table } of columns) {
      if ((await service.dataSource.query(`SELECT FROM ${table} LIMIT 1`)).length > 0) found.push(table);
    }
    return found;
  }

  const expectNothingLeft = async (): Promise<void> => {
    expect(await tablesWithRows()).toEqual([]);
    await eventually(async () => expect(await service.objects()).toEqual([]));
    expect((await ada.get('/me')).body.data.quotas).toMatchObject({
      stored_bytes: { used: 0 },
      recordings: { used: 0 },
    });
    expect((await ada.get('/recordings')).body.pagination.total).toBe(0);
    expect((await ada.get('/recordings/search?q=sync')).body.data).toEqual([]);
  };

  it.each([
    ['before any byte', { size: 50_000 }, 0],
    ['without a declared size', {}, 40_000],
  ])('leaves nothing behind: %s', async (_, fields, received) => {
    const { id } = await created(ada, fields);
    const tus = new RawTus(ada, id);
    if (received > 0) await tus.patch(0, fakeVideo(received));
    await ada.post(`/recordings/${id}/share-link`, { permission: 'view' });
    const { status, body } = await tus.delete();
    expect([status, body]).toEqual([204, '']);
    const gone = refusal('RECORDING_NOT_FOUND', 'Recording not found.');
    expect((await ada.get(`/recordings/${id}`)).body).toEqual(gone);
    expect((await tus.head()).status).toBe(404);
    expect((await tus.patch(received, fakeVideo(100))).body).toEqual(gone);
    expect((await tus.delete()).body).toEqual(gone);
    await expectNothingLeft();
  });

  it('leaves nothing behind while bytes are arriving', async () => {
    const { id } = await created(ada, { size: 20 * MIB });
    const headers = { ...at(0), authorization: `Bearer ${keyOf('Ada')}` };
    const file = fakeVideo(20 * MIB);
    const request = new OpenRequest(service, 'PATCH', `/uploads/${id}`, headers);
    await request.write(file.subarray(0, 10 * MIB));
    await eventually(async () => expect(await service.objects()).toHaveLength(1));
    expect((await new RawTus(ada, id).delete()).status).toBe(204);
    // What it gets depends on how far it was; it may also be cut off.
    await request.end(file.subarray(10 * MIB)).catch(() => undefined);
    await expectNothingLeft();
  });

  it.each([
    ['notes', (id: string) => ada.patch(`/recordings/${id}`, { notes: 'Ask about the budget' })],
    [
      'a transcript',
      (id: string) =>
        ada.request('PUT', `/recordings/${id}/transcript`, {
          body: { language: 'en', segments: [{ start: 0, end: 1, speaker: 'Ada', text: 'Hello' }] },
        }),
    ],
  ])('keeps the recording, in ERROR, if somebody has written %s', async (_, write) => {
    const { id } = await created(ada, { size: 50_000 });
    await new RawTus(ada, id).patch(0, fakeVideo(40_000));
    expect((await write(id)).status).toBe(200);
    expect((await new RawTus(ada, id).delete()).status).toBe(204);
    expect((await ada.get(`/recordings/${id}`)).body.data).toMatchObject({
      status: 'ERROR',
      statusReason: 'The upload was canceled.',
    });
    expect((await ada.get('/me')).body.data.quotas.stored_bytes.used).toBe(0);
    await eventually(async () => expect(await service.objects()).toEqual([]));
    await ada.delete(`/recordings/${id}`);
  });
});
