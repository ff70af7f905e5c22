import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import type { Client } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { created, demoVideo, fakeVideo, RawTus } from '../../support/uploads.js';

const SIZE = 55_076;
const LIMITS = { QUOTA_PRO_RECORDINGS: '10', QUOTA_PRO_UPLOADS_PER_DAY: '0' };

describe('the use of quotas', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(LIMITS);
  });
  afterAll(() => service.stop());

  const newUser = async (name: string): Promise<Client> => {
    await service.import({ users: [user(name)] });
    return service.api.as(keyOf(name));
  };
  /** Bytes, recordings and uploads today. */
  const used = async (api: Client): Promise<number[]> => {
    const { stored_bytes, recordings, uploads_per_day } = (await api.get('/me')).body.data.quotas;
    return [stored_bytes.used, recordings.used, uploads_per_day.used];
  };

  it('is shown to the user with the limits, of which null is none, and the time of the next day', async () => {
    const ada = await newUser('Ada');
    service.setNow(new Date('2026-12-31T23:59:59.999Z'));
    expect((await ada.get('/me')).body.data.quotas).toEqual({
      stored_bytes: { used: 0, limit: 1_099_511_627_776 },
      recordings: { used: 0, limit: 10 },
      uploads_per_day: { used: 0, limit: null, resets_at: '2027-01-01T00:00:00.000Z' },
    });
    service.setNow(null);
  });

  it('has the limits of `GET /plans`, which needs no key', async () => {
    const { status, body } = await service.api.get('/plans');
    const features = { sharing: true, transcription: true, summaries: true };
    const all = { downloads: true, questions: true, ...features };
    expect([status, body.data]).toEqual([
      200,
      [
        {
          plan: 'FREE',
          for_users: true,
          history_days: 30,
          features: { downloads: false, questions: false, ...features },
          quotas: { stored_bytes: 53_687_091_200, recordings: 5000, uploads_per_day: 200 },
        },
        {
          plan: 'PRO',
          for_users: true,
          history_days: null,
          features: all,
          quotas: { stored_bytes: 1_099_511_627_776, recordings: 10, uploads_per_day: null },
        },
        {
          plan: 'ENTERPRISE',
          for_users: false,
          history_days: null,
          features: all,
          quotas: { stored_bytes: null, recordings: null, uploads_per_day: null },
        },
      ],
    ]);
  });

  describe('while a worker runs', () => {
    let worker: TestService;

    beforeAll(async () => {
      worker = await startService(LIMITS, { beside: service, worker: true });
    });
    afterAll(() => worker.stop());

    it('follows an upload of a declared size from its creation to the end', async () => {
      const grace = await newUser('Grace');
      const { id } = await created(grace, { size: SIZE });
      expect(await used(grace)).toEqual([SIZE, 1, 1]);
      const tus = new RawTus(grace, id);
      await tus.patch(0, demoVideo().subarray(0, 20_000));
      expect(await used(grace)).toEqual([SIZE, 1, 1]);
      await tus.patch(20_000, demoVideo().subarray(20_000));
      await eventually(async () => {
        expect((await grace.get(`/recordings/${id}`)).body.data.status).toBe('COMPLETED');
      });
      expect(await used(grace)).toEqual([SIZE, 1, 1]);
      await grace.delete(`/recordings/${id}`);
      expect(await used(grace)).toEqual([0, 0, 1]);
    });

    it('stays the same when a worker folds its rows', async () => {
      const ken = await newUser('Ken');
      for (let count = 0; count < 3; count += 1) await created(ken, { size: 1000 });
      const rows = (): Promise<unknown[]> =>
        service.dataSource.query(
          `SELECT day IS NOT NULL AS daily, recordings, uploads FROM quota_usage
         WHERE scope_id = (SELECT id FROM users WHERE name = 'Ken') ORDER BY 1`,
        );
      await service.dataSource.query(`SELECT graphile_worker.add_job('quotas.fold-usage')`);
      await eventually(async () =>
        expect(await rows()).toEqual([
          { daily: false, recordings: 3, uploads: 0 },
          { daily: true, recordings: 0, uploads: 3 },
        ]),
      );
      expect(await used(ken)).toEqual([3000, 3, 3]);
    });
  });

  it('follows an upload without one, which counts what has arrived', async () => {
    const linus = await newUser('Linus');
    const { id } = await created(linus);
    expect(await used(linus)).toEqual([0, 1, 1]);
    const tus = new RawTus(linus, id);
    const video = fakeVideo(40_000);
    await tus.patch(0, video.subarray(0, 10_000));
    expect(await used(linus)).toEqual([10_000, 1, 1]);
    await tus.patch(10_000, video.subarray(10_000, 30_000));
    expect(await used(linus)).toEqual([30_000, 1, 1]);
    await tus.patch(30_000, Buffer.alloc(0), { 'upload-length': '90000' });
    expect(await used(linus)).toEqual([90_000, 1, 1]);
    await linus.patch(`/recordings/${id}`, { status: 'ERROR' });
    expect(await used(linus)).toEqual([30_000, 1, 1]);
  });

  it('counts nothing for the bytes of refused and replaced files', async () => {
    const barbara = await newUser('Barbara');
    const refused = await created(barbara, { size: 50_000 });
    await new RawTus(barbara, refused.id).patch(0, Buffer.alloc(5_000, 'text '));
    expect(await used(barbara)).toEqual([0, 1, 1]);
    const replaced = await created(barbara);
    await new RawTus(barbara, replaced.id).patch(0, fakeVideo(30_000));
    await barbara.request('PUT', `/recordings/${replaced.id}/media`, { body: demoVideo() });
    expect(await used(barbara)).toEqual([SIZE, 2, 2]);
    const cancelled = await created(barbara, { size: 70_000 });
    await new RawTus(barbara, cancelled.id).patch(0, fakeVideo(10_000));
    await new RawTus(barbara, cancelled.id).delete();
    expect(await used(barbara)).toEqual([SIZE, 2, 3]);
  });

  it('includes imported recordings and the size of their media', async () => {
    const margaret = await newUser('Margaret');
    const imported = [
      recording('Margaret', { media: 'video.mp4' }),
      recording('Margaret', { title: 'Other' }),
    ];
    await service.import({ recordings: imported }, { 'video.mp4': demoVideo() });
    expect(await used(margaret)).toEqual([SIZE, 2, 0]);
    await margaret.delete(`/recordings/${imported[0]?.id}`);
    expect(await used(margaret)).toEqual([0, 1, 0]);
  });

  it('is shown for organizations to members who see all of their recordings', async () => {
    const [edith] = [await newUser('Edith'), await newUser('Vera')];
    const acme = organization('Acme', {
      plan: 'PRO',
      members: [member('Edith', 'ADMIN'), member('Vera', 'VIEWER')],
    });
    await service.import({ organizations: [acme] });
    await created(edith, { organization_id: acme.id, size: 5000 });
    expect((await edith.get('/organizations')).body.data).toEqual([
      {
        id: acme.id,
        name: 'Acme',
        role: 'ADMIN',
        member_count: 2,
        external_id: null,
        metadata: {},
        quotas: {
          stored_bytes: { used: 5000, limit: 1_099_511_627_776 },
          recordings: { used: 1, limit: 10 },
          uploads_per_day: { used: 1, limit: null, resets_at: expect.stringMatching(/T00:00:00\.000Z$/) },
        },
      },
    ]);
    expect(await used(edith)).toEqual([0, 0, 0]);
    expect((await service.api.as(keyOf('Vera')).get('/organizations')).body.data[0].quotas).toBeNull();
  });
});
