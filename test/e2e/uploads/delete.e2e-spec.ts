import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import {
  at,
  created,
  demoVideo,
  fakeVideo,
  MIB,
  OpenRequest,
  RawTus,
  watchConnections,
} from '../../support/uploads.js';

describe('DELETE /recordings/:id leaves nothing in the object store', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
    watchConnections(service);
  });
  afterAll(() => service.stop());

  const remove = async (id: string): Promise<void> => {
    const { status, body } = await ada.delete(`/recordings/${id}`);
    expect(body).toEqual({ data: { success: true } });
    expect(status).toBe(200);
    expect((await ada.get(`/recordings/${id}`)).status).toBe(404);
  };
  const expectNothingLeft = (): Promise<void> =>
    eventually(async () => {
      expect(await service.objects()).toEqual([]);
      expect(await readdir(join(service.dataDir, 'scratch')).catch(() => [])).toEqual([]);
    });
  const soon = (id: string, status: string): Promise<void> =>
    eventually(async () => {
      expect((await ada.get(`/recordings/${id}`)).body.data).toMatchObject({ status });
    });

  it.each([
    ['PATCH', 'by tus'],
    ['PUT', 'as a whole file'],
  ])('for an upload in progress, which then fails: %s, %s', async (method) => {
    const file = fakeVideo(20 * MIB);
    const { id } = await created(ada, { size: file.length });
    const path = method === 'PUT' ? `/recordings/${id}/media` : `/uploads/${id}`;
    const headers = { ...(method === 'PUT' ? {} : at(0)), authorization: `Bearer ${keyOf('Ada')}` };
    const request = new OpenRequest(service, method, path, headers);
    await request.write(file.subarray(0, 10 * MIB));
    await eventually(async () => expect(await service.objects()).toHaveLength(1));
    await remove(id);
    await eventually(async () => expect(await service.objects()).toEqual([]));
    const { status, body } = await request.end(file.subarray(10 * MIB));
    expect(body).toEqual(refusal('RECORDING_NOT_FOUND', 'Recording not found.'));
    expect(status).toBe(404);
    await expectNothingLeft();
  });

  it('for a finished, packaged recording', async () => {
    const { id } = await created(ada);
    expect((await ada.request('PUT', `/recordings/${id}/media`, { body: demoVideo() })).status).toBe(200);
    await soon(id, 'COMPLETED');
    expect((await service.objects()).length).toBeGreaterThan(3);
    await remove(id);
    await expectNothingLeft();
  });

  it('for a recording that is being packaged', async () => {
    const { id } = await created(ada);
    await ada.request('PUT', `/recordings/${id}/media`, { body: demoVideo('product-weekly') });
    await eventually(async () => {
      const rows: unknown = await service.dataSource.query(
        'SELECT status FROM recordings WHERE id = $1 AND packaging_id IS NOT NULL',
        [id],
      );
      expect(rows).toEqual([{ status: 'PROCESSING' }]);
    });
    await remove(id);
    await expectNothingLeft();
  });

  it('for a refused upload, even before it is deleted', async () => {
    const refused = await created(ada, { size: 50_000 });
    await new RawTus(ada, refused.id).patch(0, Buffer.alloc(4_000, 'text '));
    await new RawTus(ada, refused.id).patch(4_000, Buffer.alloc(4_000, 'text '));
    await expectNothingLeft();
    expect((await ada.get(`/recordings/${refused.id}`)).body.data.status).toBe('ERROR');
  });
});
