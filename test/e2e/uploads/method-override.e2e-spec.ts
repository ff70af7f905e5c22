import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import { at, created, demoVideo, RawTus, storedSha256, TUS } from '../../support/uploads.js';
import { sha256 } from '../../support/objects.js';

const video = demoVideo();

describe('X-HTTP-Method-Override', () => {
  let service: TestService;
  let ada: Client;
  const acme = organization('Acme', { members: [member('Ada', 'EDITOR'), member('Vera', 'VIEWER')] });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada'), user('Vera')], organizations: [acme] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const post = (
    path: string,
    method: string,
    { api = ada, headers = TUS, body }: { api?: Client; headers?: object; body?: Uint8Array } = {},
  ): Promise<Reply> =>
    api.request('POST', path, { headers: { ...headers, 'x-http-method-override': method }, body });

  it('uploads and cancels through POST alone', async () => {
    const { id } = await created(ada, { size: video.length });
    const path = `/uploads/${id}`;
    const half = await post(path, 'PATCH', { headers: at(0), body: video.subarray(0, 30_000) });
    expect([half.status, half.headers.get('upload-offset')]).toEqual([204, '30000']);
    const head = await post(path, 'HEAD');
    expect([head.status, head.headers.get('upload-offset'), head.body]).toEqual([200, '30000', '']);
    const rest = await post(path, 'PATCH', { headers: at(30_000), body: video.subarray(30_000) });
    expect(rest.status).toBe(204);
    expect(await storedSha256(service, id)).toBe(sha256(video));

    const other = await created(ada, { size: video.length });
    expect((await post(`/uploads/${other.id}`, 'DELETE')).status).toBe(204);
    expect((await ada.get(`/recordings/${other.id}`)).status).toBe(404);
  });

  it.each(['PATCH', 'DELETE', 'HEAD'])(
    '%s needs the same permissions as the method itself',
    async (method) => {
      const { id } = await created(ada, { size: video.length, organization_id: acme.id });
      const headers = method === 'PATCH' ? at(0) : TUS;
      const anonymous = await post(`/uploads/${id}`, method, { api: service.api, headers });
      const expected = method === 'HEAD' ? '' : refusal('UNAUTHORIZED');
      expect([anonymous.status, anonymous.body]).toEqual([401, expected]);
      const viewer = service.api.as(keyOf('Vera'));
      const asItself = await viewer.request(method, `/uploads/${id}`, { headers });
      expect((await post(`/uploads/${id}`, method, { api: viewer, headers })).status).toBe(asItself.status);
      expect(asItself.status).toBe(404);
      expect(await new RawTus(ada, id).offset()).toBe(0);
    },
  );

  it.each(['PUT', 'patch'])('%s is refused', async (method) => {
    const { id } = await created(ada, { size: video.length });
    const { status, body } = await post(`/uploads/${id}`, method);
    expect(status).toBe(400);
    const message = 'X-HTTP-Method-Override: must be one of PATCH, DELETE, HEAD, in a POST request';
    expect(body).toEqual(refusal('VALIDATION_ERROR', message));
  });

  it('is refused in a request that is not a POST', async () => {
    const { id } = await created(ada, { size: video.length });
    const headers = { ...TUS, 'x-http-method-override': 'DELETE' };
    expect((await ada.request('PATCH', `/uploads/${id}`, { headers })).status).toBe(400);
    expect(await new RawTus(ada, id).offset()).toBe(0);
  });

  it('has no effect on other resources', async () => {
    const { id } = await created(ada, { size: video.length });
    expect((await post(`/recordings/${id}`, 'DELETE')).status).toBe(405);
    expect((await ada.get(`/recordings/${id}`)).status).toBe(200);
  });
});
