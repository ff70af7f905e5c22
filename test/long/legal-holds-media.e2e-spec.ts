import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { done, type Client } from '../support/client.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { at, demoVideo } from '../support/uploads.js';

const FILM = demoVideo();
const WITHIN_MS = 25_000;
const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });

describe('media under legal hold', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [user('Ada')], organizations: [acme] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  async function imported(): Promise<string> {
    const made = recording('Ada', { organization: 'Acme', media: 'call.mp4' });
    await service.import({ recordings: [made] }, { 'call.mp4': demoVideo('customer-call') });
    return made.id;
  }
  const place = async (id: string): Promise<string> => {
    const of = { matter: 'Case', reason: 'Letter', organization_id: acme.id, recording_ids: [id] };
    return (await done(ada.post('/legal-holds', of))).id;
  };
  const keyOfMedia = async (id: string): Promise<string> => {
    const [row] = await service.dataSource.query('SELECT media_key AS key FROM recordings WHERE id = $1', [
      id,
    ]);
    return row.key;
  };
  const isStored = async (key: string): Promise<boolean> =>
    (await service.objects()).some((path) => path.includes(key));

  it('stays what it is, though an upload that was open before brings other', async () => {
    const id = await imported();
    const media = await keyOfMedia(id);
    await done(ada.post(`/recordings/${id}/upload`, { size: FILM.length }));
    await place(id);
    const sent = await ada.request('PATCH', `/uploads/${id}`, { headers: at(0), body: FILM });
    expect(sent.status).toBe(204);
    await eventually(async () => {
      const { newMedia } = await done(ada.get(`/recordings/${id}`));
      expect(newMedia).toEqual({
        status: 'failed',
        progress: 0,
        statusReason: 'This recording cannot be given other media at the moment.',
      });
    }, WITHIN_MS);
    expect(await isStored(media)).toBe(true);
    const [{ retired }] = await service.dataSource.query(
      'SELECT count(*)::int AS retired FROM retired_media',
    );
    expect(retired).toBe(0);
  });

  it('is kept, also the version that was replaced before, until the hold is lifted', async () => {
    const id = await imported();
    const media = await keyOfMedia(id);
    await done(ada.post(`/recordings/${id}/upload`, { size: FILM.length }));
    await ada.request('PATCH', `/uploads/${id}`, { headers: at(0), body: FILM });
    await eventually(async () => {
      expect((await done(ada.get(`/recordings/${id}`))).newMedia).toBeNull();
    }, WITHIN_MS);
    expect(await keyOfMedia(id)).not.toBe(media);
    const hold = await place(id);
    // As when its URLs have expired.
    const removal = `FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      WHERE t.identifier = 'media.remove-retired' AND j.payload->>'mediaKey' = $1`;
    const expire = async (): Promise<void> =>
      service.dataSource.query(
        `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE id IN (SELECT j.id ${removal})`,
        [media],
      );
    await expire();
    await eventually(async () => {
      const jobs: { later: boolean }[] = await service.dataSource.query(
        `SELECT j.run_at > now() + interval '20 hours' AS later ${removal}`,
        [media],
      );
      expect(jobs).toEqual([{ later: true }]);
    }, WITHIN_MS);
    expect(await isStored(media)).toBe(true);
    await done(ada.post(`/legal-holds/${hold}/lift`));
    await expire();
    await eventually(async () => expect(await isStored(media)).toBe(false), WITHIN_MS);
  });
});
