import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';
import { created, demoVideo, fakeVideo, RawTus, TUS } from '../../support/uploads.js';

const LIMITS = {
  QUOTA_FREE_STORED_BYTES: '100000',
  QUOTA_FREE_RECORDINGS: '3',
  QUOTA_FREE_UPLOADS_PER_DAY: '4',
  QUOTA_PRO_STORED_BYTES: '200000',
  QUOTA_PRO_RECORDINGS: '4',
  QUOTA_PRO_UPLOADS_PER_DAY: '6',
};
const NOON = new Date('2026-03-01T12:00:00Z');
const MIDNIGHT = '2026-03-02T00:00:00.000Z';
const DAY_MS = 24 * 60 * 60 * 1000;

type Plan = 'FREE' | 'PRO';

describe('quotas', () => {
  let service: TestService;
  let number = 0;

  beforeAll(async () => {
    service = await startService(LIMITS);
    service.setNow(NOON);
  });
  afterAll(() => service.stop());

  const newUser = async (plan: Plan): Promise<[Client, string]> => {
    const name = `User${++number}`;
    await service.import({ users: [user(name, { plan })] });
    return [service.api.as(keyOf(name)), name];
  };
  const open = async (api: Client, fields: object = {}): Promise<[number, string | undefined]> => {
    const { status, body } = await api.post('/recordings', { title: 'Weekly sync', ...fields });
    return [status, body.error?.message];
  };
  const statusOf = async (api: Client, fields: object = {}): Promise<number> => (await open(api, fields))[0];

  describe.each([
    { plan: 'FREE', bytes: 100_000, recordings: 3, uploads: 4 },
    { plan: 'PRO', bytes: 200_000, recordings: 4, uploads: 6 },
  ] as const)('with the plan $plan', ({ plan, bytes, recordings, uploads }) => {
    it('limit the number of recordings, and deleting one makes room', async () => {
      const [api] = await newUser(plan);
      const { id } = await created(api);
      for (let count = 1; count < recordings; count += 1) await created(api);
      expect(await open(api)).toEqual([
        403,
        `Your ${plan} plan includes ${recordings} recordings, and there are ${recordings}. Delete recordings, or have an operator change the plan (GET /api/v1/plans) or QUOTA_${plan}_RECORDINGS.`,
      ]);
      await api.delete(`/recordings/${id}`);
      expect([await statusOf(api), await statusOf(api)]).toEqual([201, 403]);
    });

    it('limit the bytes, counting what open uploads have declared, and deleting one makes room', async () => {
      const [api] = await newUser(plan);
      const { id } = await created(api, { size: bytes - 1000 });
      expect(await open(api, { size: 1001 })).toEqual([
        403,
        `Your ${plan} plan includes ${bytes} bytes, of which ${bytes - 1000} are used, and at least 1001 more are needed. Delete recordings, or have an operator change the plan (GET /api/v1/plans) or QUOTA_${plan}_STORED_BYTES.`,
      ]);
      expect(await statusOf(api, { size: 1000 })).toBe(201);
      expect([await statusOf(api), await statusOf(api, { size: 1 })]).toEqual([403, 403]);
      await api.delete(`/recordings/${id}`);
      expect(await statusOf(api, { size: bytes - 1000 })).toBe(201);
    });

    it('limit the uploads started per day (UTC), whatever becomes of them', async () => {
      const [api] = await newUser(plan);
      for (let count = 0; count < uploads; count += 1) {
        const { id } = await created(api, { size: 1000 });
        if (count % 2) await new RawTus(api, id).delete();
        else await api.delete(`/recordings/${id}`);
      }
      expect(await open(api)).toEqual([
        403,
        `Your ${plan} plan includes ${uploads} uploads a day, and ${uploads} have been started today. The next day begins at ${MIDNIGHT}. For more today, have an operator change the plan (GET /api/v1/plans) or QUOTA_${plan}_UPLOADS_PER_DAY.`,
      ]);
      service.setNow(new Date(Date.parse(MIDNIGHT) - 1));
      expect(await statusOf(api)).toBe(403);
      service.setNow(new Date(MIDNIGHT));
      expect(await statusOf(api)).toBe(201);
      service.setNow(NOON);
    });
  });

  it('count media and what is to replace it, and replacing is an upload of the day but no recording', async () => {
    const [api, name] = await newUser('FREE');
    const made = [0, 1, 2, 3].map(() => recording(name, { media: 'film.mp4' }));
    await service.import({ recordings: made.slice(0, 1) }, { 'film.mp4': demoVideo() });
    // Beyond the limit: imports are exempt.
    await service.import({ recordings: made.slice(1).map((each) => ({ ...each, media: undefined })) });
    const old = demoVideo().length;
    const { id } = made[0]!;
    const upload = async (fields: object): Promise<[number, string | undefined]> => {
      const { status, body } = await api.post(`/recordings/${id}/upload`, fields);
      return [status, body.error?.message];
    };
    const used = async (): Promise<number> => (await api.get('/me')).body.data.quotas.stored_bytes.used;
    expect(await upload({ size: 100_001 - old })).toEqual([
      403,
      `Your FREE plan includes 100000 bytes, of which ${old} are used, and at least ${100_001 - old} more are needed. Delete recordings, or have an operator change the plan (GET /api/v1/plans) or QUOTA_FREE_STORED_BYTES.`,
    ]);
    expect([await used(), await upload({ size: 100_000 - old })]).toEqual([old, [201, undefined]]);
    expect(await used()).toBe(100_000);
    await new RawTus(api, id).delete();
    expect(await used()).toBe(old);
    expect((await upload({}))[0]).toBe(201);
    const tus = new RawTus(api, id);
    expect((await tus.patch(0, fakeVideo(101_000 - old))).status).toBe(403);
    expect((await tus.patch(0, fakeVideo(1000))).status).toBe(204);
    expect(await used()).toBe(old + 1000);
    await tus.delete();
    for (let count = 2; count < 4; count += 1) {
      expect((await upload({ size: 1 }))[0]).toBe(201);
      await new RawTus(api, id).delete();
    }
    expect((await upload({ size: 1 }))[1]).toMatch(/includes 4 uploads a day, and 4 have been started today/);
  });

  it('are refused through tus in the same way, with a status after which clients do not retry', async () => {
    const [api] = await newUser('FREE');
    const title = Buffer.from('x').toString('base64');
    const headers = { ...TUS, 'upload-length': '100001', 'upload-metadata': `title ${title}` };
    const { status, body } = await api.request('POST', '/uploads', { headers });
    expect([status, body]).toEqual([403, refusal('QUOTA_EXCEEDED')]);
    expect((await api.get('/recordings')).body.pagination.total).toBe(0);
  });

  it.each([
    ['recordings', { size: 1 }, 3],
    ['bytes', { size: 50_000 }, 2],
  ])('are exact when many uploads are started at once: %s', async (_, fields, room) => {
    const [api] = await newUser('FREE');
    const replies = await Promise.all(Array.from({ length: 8 }, () => statusOf(api, fields)));
    expect(replies.filter((status) => status === 201)).toHaveLength(room);
    expect(replies.filter((status) => status === 403)).toHaveLength(8 - room);
  });

  it('of an organization apply to its recordings, those of the user to personal ones', async () => {
    const [api, name] = await newUser('FREE');
    const [other, colleague] = await newUser('FREE');
    const members = [member(name, 'EDITOR'), member(colleague, 'EDITOR')];
    const pro = organization(`Pro ${name}`, { plan: 'PRO', members });
    const lapsed = organization(`Lapsed ${name}`, {
      plan: 'PRO',
      subscription: { status: 'canceled', endsAt: null },
      members,
    });
    const enterprise = organization(`Enterprise ${name}`, { members });
    await service.import({ organizations: [pro, lapsed, enterprise] });
    const inside = ({ id }: { id: string }, size = 1) => ({ organization_id: id, size });

    const mixed = await Promise.all(
      [api, other, api, other, api, other].map((each) => statusOf(each, inside(pro))),
    );
    expect(mixed.toSorted()).toEqual([201, 201, 201, 201, 403, 403]);
    expect((await open(api, inside(pro)))[1]).toMatch(/^The organization's PRO plan includes 4 recordings/);
    expect((await open(api, inside(lapsed, 100_001)))[1]).toMatch(
      /^The organization's FREE plan includes 100000 bytes/,
    );
    for (let count = 0; count < 7; count += 1) {
      expect(await statusOf(api, inside(enterprise, 1_000_000))).toBe(201);
    }
    expect([await statusOf(api), await statusOf(api), await statusOf(api), await statusOf(api)]).toEqual([
      201, 201, 201, 403,
    ]);
  });

  it('do not say to a key for folders how much the organization has', async () => {
    const [api, name] = await newUser('FREE');
    const board = folder('Board');
    const pro = organization(`Hidden ${name}`, {
      plan: 'PRO',
      members: [member(name, 'OWNER')],
      folders: [board],
    });
    await service.import({ organizations: [pro] });
    const { key } = (await api.post('/api-keys', { name: 'robot', folders: [board.id] })).body.data;
    const inBoard = { organization_id: pro.id, folder_id: board.id };
    await created(api, { organization_id: pro.id, size: 199_000 });
    expect(await open(service.api.as(key), { ...inBoard, size: 1001 })).toEqual([
      403,
      "The organization's PRO plan includes 200000 bytes, and there is not enough room. For more, have an operator change the plan (GET /api/v1/plans) or QUOTA_PRO_STORED_BYTES.",
    ]);
    expect((await open(api, { ...inBoard, size: 1001 }))[1]).toMatch(/of which 199000 are used/);
    const { id } = await created(service.api.as(key), inBoard);
    const sent = await new RawTus(service.api.as(key), id).patch(0, fakeVideo(1001));
    expect([sent.status, sent.body.error.message]).toEqual([403, expect.stringMatching(/not enough room/)]);
  });

  describe('for an upload without a declared size', () => {
    /** A user with room for 60,000 bytes, and the id of what takes up the rest. */
    const almostFull = async (): Promise<[Client, string]> => {
      const [api] = await newUser('FREE');
      return [api, (await created(api, { size: 40_000 })).id];
    };

    it('refuse further bytes at the limit, keep those acknowledged, and let it continue once there is room', async () => {
      const [api, taking] = await almostFull();
      const { id } = await created(api);
      const tus = new RawTus(api, id);
      const video = fakeVideo(70_000);
      expect((await tus.patch(0, video.subarray(0, 50_000))).status).toBe(204);
      const { status, body } = await tus.patch(50_000, video.subarray(50_000, 60_001));
      expect([status, body.error]).toEqual([
        403,
        {
          code: 'QUOTA_EXCEEDED',
          message:
            'Your FREE plan includes 100000 bytes, of which 90000 are used, and at least 10001 more are needed. Delete recordings, or have an operator change the plan (GET /api/v1/plans) or QUOTA_FREE_STORED_BYTES.',
        },
      ]);
      expect(await tus.offset()).toBe(50_000);
      expect((await api.get(`/recordings/${id}`)).body.data.status).toBe('UPLOADING');
      expect((await tus.patch(50_000, video.subarray(50_000, 60_000))).status).toBe(204);
      expect((await tus.patch(60_000, video.subarray(60_000, 60_001))).status).toBe(403);
      await api.delete(`/recordings/${taking}`);
      expect((await tus.patch(60_000, video.subarray(60_000), { 'upload-length': '70000' })).status).toBe(
        204,
      );
      expect((await api.get(`/recordings/${id}`)).body.data.status).toBe('PROCESSING');
    });

    it('can be closed at the limit with what has arrived', async () => {
      const [api] = await almostFull();
      const { id } = await created(api);
      const tus = new RawTus(api, id);
      expect((await tus.patch(0, fakeVideo(60_000))).status).toBe(204);
      expect((await tus.patch(60_000, Buffer.alloc(0), { 'upload-length': '60001' })).status).toBe(403);
      expect((await tus.patch(60_000, Buffer.alloc(0), { 'upload-length': '60000' })).status).toBe(204);
      expect((await api.get(`/recordings/${id}`)).body.data.status).toBe('PROCESSING');
    });

    it('are exact when two such uploads grow at once', async () => {
      const [api] = await almostFull();
      const uploads = [await created(api), await created(api)].map(({ id }) => new RawTus(api, id));
      const replies = await Promise.all(uploads.map((tus) => tus.patch(0, fakeVideo(40_000))));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 403]);
    });

    it('refuse a whole file that does not fit, before its bytes replace what is there', async () => {
      const [api] = await almostFull();
      const { id } = await created(api);
      const tus = new RawTus(api, id);
      await tus.patch(0, demoVideo().subarray(0, 10_000));
      const put = (body: Uint8Array) => api.request('PUT', `/recordings/${id}/media`, { body });
      const { status, body } = await put(fakeVideo(60_001));
      expect([status, body]).toEqual([403, refusal('QUOTA_EXCEEDED')]);
      expect(await tus.offset()).toBe(10_000);
      expect((await put(demoVideo())).status).toBe(200);
      expect((await api.get(`/recordings/${id}`)).body.data.status).toBe('PROCESSING');
    });
  });

  it('forget the uploads of earlier days', async () => {
    const [api] = await newUser('FREE');
    for (const days of [0, 1, 2]) {
      service.setNow(new Date(NOON.getTime() + days * DAY_MS));
      await created(api);
      expect((await api.get('/me')).body.data.quotas.uploads_per_day.used).toBe(1);
    }
    service.setNow(NOON);
  });
});
