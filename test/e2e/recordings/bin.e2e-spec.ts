import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecordingBinService } from '../../../src/modules/recordings/bin/recording-bin.service.js';
import {
  folder,
  keyOf,
  member,
  organization,
  recording,
  summary,
  transcript,
  user,
} from '../../factories/workspace.js';
import { done, outcome, refusal, type Client, type Reply } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { created, fakeVideo, RawTus } from '../../support/uploads.js';

interface Logged {
  readonly type: string;
  readonly actor: { readonly kind: string };
}

const DAY = 24 * 60 * 60 * 1000;
const PEOPLE = ['Ada', 'Bob', 'Eve', 'Vic', 'Zoe'];
const plans = folder('Plans');
const acme = organization('Acme', {
  members: [
    member('Ada', 'OWNER'),
    member('Bob', 'EDITOR'),
    member('Eve', 'EDITOR', { viewAllRecordings: true }),
    member('Vic', 'VIEWER'),
  ],
  folders: [plans],
});
const beta = organization('Beta', { members: [member('Ada', 'OWNER')] });

describe('the bin', () => {
  let service: TestService;
  let ada: Client;
  let bob: Client;

  beforeAll(async () => {
    service = await startService({ BIN_DAYS: '30' });
    await service.import({ users: PEOPLE.map((name) => user(name)), organizations: [acme, beta] });
    ada = service.api.as(keyOf('Ada'));
    bob = service.api.as(keyOf('Bob'));
    await done(ada.patch(`/organizations/${acme.id}`, { bin_days: 7 }));
    await done(ada.patch(`/organizations/${beta.id}`, { bin_days: 0 }));
  });
  afterAll(() => service.stop());

  async function made(owner: string, overrides: object = {}): Promise<string> {
    const one = recording(owner, { title: 'Depot', transcript: transcript(3), summary, ...overrides });
    await service.import({ recordings: [one] }, { 'call.mp4': 'not really a video' });
    return one.id;
  }

  const inAcme = (overrides: object = {}): Promise<string> =>
    made('Bob', { organization: 'Acme', folder: 'Plans', ...overrides });

  const binOf = async (client: Client, query = ''): Promise<string[]> =>
    (await done(client.get(`/deleted-recordings${query}`))).map(({ id }: { id: string }) => id);

  const purgeDue = (): Promise<void> => service.app.get(RecordingBinService).purgeDue();

  const usage = async (): Promise<object> => {
    const { quotas } = await done(ada.get(`/organizations/${acme.id}`));
    return [quotas.recordings.used, quotas.stored_bytes.used];
  };

  it('hides a deleted recording everywhere, and gives back everything', async () => {
    const usedBefore = await usage();
    const id = await inAcme({ title: 'Zebra crossing', media: 'call.mp4' });
    const path = `/recordings/${id}`;
    const link = await done(bob.post(`${path}/share-link`, { permission: 'view' }));
    const { videoUrl } = await done(bob.get(path));
    const item = await done(bob.get(`/action-items?organization_id=${acme.id}`));
    const { pathname, search } = new URL(videoUrl);
    const reads = (): Promise<Reply[]> =>
      Promise.all([
        bob.get(path),
        bob.get(`${path}/transcript`),
        bob.get(`${path}/transcript/revisions`),
        bob.get(`${path}/summary/revisions`),
        bob.get(`${path}/share-links`),
        bob.get(`/recordings?organization_id=${acme.id}&folder_id=${plans.id}`),
        bob.get(`/recordings?organization_id=${acme.id}`),
        bob.get('/recordings/search?q=zebra'),
        bob.get('/recordings/search?q=zebrq'),
        service.api.get(`//s/${link.share_token}`),
        service.api.get(`/${pathname}${search}`),
      ]);
    const before = await reads();
    expect(before.map(({ status }) => status)).toEqual(Array(11).fill(200));
    const used = await usage();

    expect((await bob.delete(path)).body).toEqual({ data: { success: true } });
    const hidden = await reads();
    expect(hidden.map(({ status }) => status)).toEqual([
      404, 404, 404, 404, 404, 200, 200, 200, 200, 404, 403,
    ]);
    expect(hidden.slice(5, 9).map(({ body }) => body.data)).toEqual([[], [], [], []]);
    expect(hidden.slice(5, 7).map(({ body }) => body.pagination.total)).toEqual([0, 0]);
    expect(await usage()).toEqual(used);
    expect(await done(bob.get('/deleted-recordings'))).toEqual([
      {
        id,
        title: 'Zebra crossing',
        owner: { id: expect.any(String), name: 'Bob' },
        organizationId: acme.id,
        folderId: plans.id,
        deletedAt: expect.any(String),
        purgeAt: expect.any(String),
        storedBytes: 18,
      },
    ]);

    expect((await bob.post(`/deleted-recordings/${id}/restore`)).body).toEqual({ data: { success: true } });
    const after = await reads();
    const lasting = ({ body }: Reply): unknown =>
      JSON.parse(JSON.stringify(body ?? null), (name, value: unknown) =>
        /^(updatedAt|revision|next_cursor)$|Url(ExpiresAt)?$/.test(name) ? undefined : value,
      );
    expect(after.map(({ status }) => status)).toEqual(Array(11).fill(200));
    expect(after.slice(0, 9).map(lasting)).toEqual(before.slice(0, 9).map(lasting));
    expect(await done(bob.get(`/action-items?organization_id=${acme.id}`))).toEqual(item);
    expect(await usage()).toEqual(used);
    expect(await binOf(bob)).toEqual([]);

    await done(bob.delete(path));
    await done(bob.delete(`/deleted-recordings/${id}`));
    expect(await usage()).toEqual(usedBefore);
  });

  it('lets work go on in the bin, and an upload once it is restored', async () => {
    const id = await made('Bob', { organization: 'Acme', transcript: transcript(1), summary: undefined });
    expect((await bob.post(`/recordings/${id}/summary`)).status).toBe(202);
    const video = fakeVideo(2_000);
    const { id: begun } = await created(bob, { size: video.length, organization_id: acme.id });
    const tus = new RawTus(bob, begun);
    expect((await tus.patch(0, video.subarray(0, 1_000))).status).toBe(204);
    await done(bob.post('/recordings/bulk', { action: 'delete', ids: [id, begun] }));
    expect((await tus.patch(1_000, video.subarray(1_000))).status).toBe(404);
    const worker = await startService({}, { beside: service, worker: true });
    const status = `SELECT status FROM summaries WHERE recording_id = $1`;
    await eventually(async () =>
      expect(await service.dataSource.query(status, [id])).toEqual([{ status: 'completed' }]),
    );
    await worker.stop();
    const log = await done(ada.get(`/organizations/${acme.id}/audit-log?type=summary.completed`));
    expect(log[0]).toMatchObject({ recording_id: id });
    for (const one of [id, begun]) await done(bob.post(`/deleted-recordings/${one}/restore`));
    const { summary: written, transcription } = await done(bob.get(`/recordings/${id}`));
    expect([written.content, transcription.status]).toEqual([expect.any(String), 'completed']);
    const found = await done(bob.get('/recordings/search?q=summarized'));
    expect(found.map((one: { id: string }) => one.id)).toEqual([id]);
    expect(await tus.offset()).toBe(1_000);
    expect((await tus.patch(1_000, video.subarray(1_000))).status).toBe(204);
    await done(ada.post('/recordings/bulk', { action: 'delete', ids: [id, begun] }));
    for (const one of [id, begun]) await done(ada.delete(`/deleted-recordings/${one}`));
  });

  it('keeps them for as many days as the organization, or else the installation, says', async () => {
    const [ours, own, gone] = [
      await inAcme(),
      await made('Ada'),
      await made('Ada', { organization: 'Beta' }),
    ];
    await done(ada.post('/recordings/bulk', { action: 'delete', ids: [ours, own, gone] }));
    const rows = await done(ada.get('/deleted-recordings'));
    const days = rows.map(({ id, deletedAt, purgeAt }: Record<string, string>) => [
      id,
      (Date.parse(purgeAt!) - Date.parse(deletedAt!)) / DAY,
    ]);
    expect(Object.fromEntries(days)).toEqual({ [ours]: 7, [own]: 30 });
    expect(await binOf(ada, `?organization_id=${acme.id}`)).toEqual([ours]);
    const pages = await ada.get('/deleted-recordings?limit=1');
    const { next_cursor: cursor } = pages.body.pagination;
    expect([...pages.body.data, ...(await done(ada.get(`/deleted-recordings?cursor=${cursor}`)))]).toEqual(
      rows,
    );

    service.setNow(new Date(Date.now() + 8 * DAY));
    await purgeDue();
    service.setNow(null);
    expect(await binOf(ada)).toEqual([own]);
    expect(outcome(await ada.post(`/deleted-recordings/${ours}/restore`))).toEqual([
      404,
      'RECORDING_NOT_FOUND',
    ]);
    const { data } = (await ada.get(`/organizations/${acme.id}/audit-log?target_id=${ours}`)).body;
    expect(data.slice(0, 2).map((one: Logged) => [one.type, one.actor.kind])).toEqual([
      ['recording.purged', 'service'],
      ['recording.deleted', 'user'],
    ]);
    await done(ada.delete(`/deleted-recordings/${own}`));
  });

  it('is chosen by an OWNER, logged, and open once the subscription has ended', async () => {
    for (const days of [-1, 366, 1.5]) {
      const { status, body } = await ada.patch(`/organizations/${acme.id}`, { bin_days: days });
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('bin_days: must be')]);
    }
    expect(outcome(await bob.patch(`/organizations/${acme.id}`, { bin_days: 0 }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    const { data } = (await ada.get(`/organizations/${acme.id}/audit-log?type=organization.updated`)).body;
    expect(data[0]).toMatchObject({ changes: { fields: ['bin_days'] } });

    const id = await inAcme();
    const become = 'UPDATE organizations SET subscription_status = $2 WHERE id = $1';
    await service.dataSource.query(become, [acme.id, 'expired']);
    await done(bob.delete(`/recordings/${id}`));
    await done(bob.post(`/deleted-recordings/${id}/restore`));
    await done(bob.delete(`/recordings/${id}`));
    await done(bob.delete(`/deleted-recordings/${id}`));
    await service.dataSource.query(become, [acme.id, 'active']);
  });

  it('is open to those who might delete the recording where it was', async () => {
    const id = await inAcme();
    await done(bob.delete(`/recordings/${id}`));
    const key = async (limits: object): Promise<Client> =>
      service.api.as((await done(ada.post('/api-keys', { name: 'limited', ...limits }))).key);
    const [ofBeta, ofFolder, reading] = [
      await key({ organizations: [beta.id] }),
      await key({ organizations: [acme.id], folders: [plans.id] }),
      await key({ scopes: ['recordings:read', 'recordings:write'] }),
    ];
    const others = ['Eve', 'Vic', 'Zoe'].map((name) => service.api.as(keyOf(name)));
    for (const client of [...others, ofBeta]) {
      expect(await binOf(client)).toEqual([]);
      for (const reply of [
        await client.post(`/deleted-recordings/${id}/restore`),
        await client.delete(`/deleted-recordings/${id}`),
      ])
        expect(reply).toMatchObject({ status: 404, body: refusal('RECORDING_NOT_FOUND') });
    }
    expect(outcome(await others[2]!.get(`/deleted-recordings?organization_id=${acme.id}`))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    for (const client of [ada, bob, ofFolder]) expect(await binOf(client)).toEqual([id]);
    for (const reply of [
      await reading.get('/deleted-recordings'),
      await reading.post(`/deleted-recordings/${id}/restore`),
    ])
      expect(outcome(reply)).toEqual([403, 'FORBIDDEN']);
    expect((await ofFolder.post(`/deleted-recordings/${id}/restore`)).status).toBe(200);

    // Outside of the folder, such a key neither sees nor restores it.
    await done(bob.patch(`/recordings/${id}`, { folder_id: null }));
    await done(bob.delete(`/recordings/${id}`));
    expect(await binOf(ofFolder)).toEqual([]);
    expect((await ofFolder.post(`/deleted-recordings/${id}/restore`)).status).toBe(404);
    // What is not in the bin is not found there.
    const kept = await inAcme();
    for (const one of [kept, 'x']) expect((await ada.delete(`/deleted-recordings/${one}`)).status).toBe(404);
    await done(ada.delete(`/deleted-recordings/${id}`));
  });

  it('restores to no folder if that is gone, and to whoever restores if the owner is', async () => {
    const gone = await done(ada.post(`/organizations/${acme.id}/folders`, { name: 'Gone' }));
    const id = await inAcme({ folder: 'Gone' });
    const invited = service.api.as(keyOf('Eve'));
    const { id: eve } = await done(invited.get('/me'));
    const hers = await made('Eve', { organization: 'Acme' });
    await done(ada.post('/recordings/bulk', { action: 'delete', ids: [id, hers] }));
    await done(ada.delete(`/organizations/${acme.id}/folders/${gone.id}`));
    await done(ada.delete(`/organizations/${acme.id}/members/${eve}`));
    expect(await binOf(invited)).toEqual([]);
    for (const one of [id, hers]) await done(ada.post(`/deleted-recordings/${one}/restore`));
    const places = [await done(ada.get(`/recordings/${id}`)), await done(ada.get(`/recordings/${hers}`))];
    expect(places.map(({ owner, folderId }) => [owner.name, folderId])).toEqual([
      ['Bob', null],
      ['Ada', null],
    ]);
  });

  it('lets one of concurrent deletions and restorations succeed each time', async () => {
    const id = await inAcme();
    const at = (times: number, request: () => Promise<Reply>) =>
      Promise.all(Array.from({ length: times }, request));
    const statuses = (replies: Reply[]): number[] => replies.map(({ status }) => status).sort();
    expect(statuses(await at(4, () => bob.delete(`/recordings/${id}`)))).toEqual([200, 404, 404, 404]);
    const both = await Promise.all([
      at(3, () => bob.post(`/deleted-recordings/${id}/restore`)),
      at(3, () => ada.delete(`/deleted-recordings/${id}`)),
    ]);
    expect(statuses(both.flat())).toEqual([200, 404, 404, 404, 404, 404]);
    const isRestored = both[0].some(({ status }) => status === 200);
    expect((await bob.get(`/recordings/${id}`)).status).toBe(isRestored ? 200 : 404);
  });

  it('keeps what is under legal hold, and says why only to those who may know', async () => {
    const [id, other] = [await inAcme(), await inAcme()];
    await done(bob.delete(`/recordings/${other}`));
    const hold = `INSERT INTO legal_holds (id, organization_id, matter, reason, recording_ids, folder_ids, user_ids, created_at)
      VALUES ($1, $2, 'Doe v. Acme', 'Letter', $3, '{}', '{}', now())`;
    await service.dataSource.query(hold, [plans.id, acme.id, [id, other]]);
    await service.dataSource.query(
      'INSERT INTO held_recordings (recording_id, hold_id) SELECT unnest($1::uuid[]), $2',
      [[id, other], plans.id],
    );
    const free = await inAcme();
    const refusals = async (client: Client) => [
      outcome(await client.delete(`/recordings/${id}`)),
      outcome(await client.delete(`/deleted-recordings/${other}`)),
    ];
    expect(await refusals(bob)).toEqual([
      [409, 'CONFLICT'],
      [409, 'CONFLICT'],
    ]);
    expect(await refusals(ada)).toEqual([
      [409, 'LEGAL_HOLD'],
      [409, 'LEGAL_HOLD'],
    ]);
    const bulk = { action: 'delete', mode: 'each', ids: [id, free] };
    const { results } = await done(ada.post('/recordings/bulk', bulk));
    expect(results.map(({ error }: { error: { code: string } | null }) => error?.code ?? null)).toEqual([
      'LEGAL_HOLD',
      null,
    ]);
    service.setNow(new Date(Date.now() + 8 * DAY));
    await purgeDue();
    service.setNow(null);
    expect(await binOf(ada, `?organization_id=${acme.id}`)).toEqual([other]);
    await service.dataSource.query('DELETE FROM held_recordings');
    service.setNow(new Date(Date.now() + 8 * DAY));
    await purgeDue();
    service.setNow(null);
    expect(await binOf(ada, `?organization_id=${acme.id}`)).toEqual([]);
  });

  it('repeats the kept reply to a deletion', async () => {
    const id = await made('Ada');
    const options = { headers: { 'idempotency-key': id } };
    const body = { action: 'delete', ids: [id] };
    const first = await ada.post('/recordings/bulk', body, options);
    const again = await ada.post('/recordings/bulk', body, options);
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body]);
  });

  it('is not created again by an import, which says so', async () => {
    const one = recording('Bob', { organization: 'Acme', folder: 'Plans' });
    await service.import({ recordings: [one] });
    await done(bob.delete(`/recordings/${one.id}`));
    const { differences } = await service.import({ recordings: [one] });
    expect(differences).toEqual([{ entry: expect.stringContaining(one.id), fields: ['deleted'] }]);
    await done(bob.delete(`/deleted-recordings/${one.id}`));
  });

  it('goes with its user, and keeps an organization from being deleted unnoticed', async () => {
    const zoe = service.api.as(keyOf('Zoe'));
    const own = await made('Zoe');
    await done(zoe.delete(`/recordings/${own}`));
    await done(zoe.delete('/me?confirm=zoe@acme.test'));
    const [row] = await service.dataSource.query(
      'SELECT deleted_owner_id, owner_id FROM recordings WHERE id = $1',
      [own],
    );
    expect(row).toEqual({ deleted_owner_id: null, owner_id: null });

    const { id: delta } = await done(ada.post('/organizations', { name: 'Delta' }));
    const body = { title: 'New', media: 'none', organization_id: delta };
    const { id } = await done(ada.post('/recordings', body));
    await done(ada.delete(`/recordings/${id}`));
    const refused = await ada.delete(`/organizations/${delta}`);
    expect(refused.body.error.message).toBe(
      'The organization has 1 recording (deleted ones that can be restored: 1). Move its recordings elsewhere, or send recordings=delete to delete them too.',
    );
    expect((await ada.delete(`/organizations/${delta}?recordings=delete`)).status).toBe(200);
  });
});
