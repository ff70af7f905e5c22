import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExportWriterService } from '../../../src/modules/exports/export-writer.service.js';
import { ExportsService } from '../../../src/modules/exports/exports.service.js';
import { keyOf, member, organization, recording, transcript, user } from '../../factories/workspace.js';
import { done, outcome, type Client } from '../../support/client.js';
import { download, ended, exported, filesOf, jsonIn } from '../../support/exports.js';
import { eventually, startService, waitingForLocks, type TestService } from '../../support/service.js';

const DAY_MS = 86_400_000;
const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Bob', 'OWNER')] });
const [first, second, third] = ['First', 'Second', 'Third'].map((title, index) =>
  recording('Ada', {
    organization: 'Acme',
    title,
    createdAt: `2026-01-0${index + 1}T00:00:00Z`,
    transcript: transcript(3),
  }),
);
const OF_ACME = `/organizations/${acme.id}/exports`;
const NARROW = 'mrs_narrow000000000000000000';

describe('exports', () => {
  let service: TestService;
  let [ada, bob, eve, narrow]: Client[] = [];

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    const apiKeys = [
      { name: 'test', key: keyOf('Ada') },
      { name: 'narrow', key: NARROW, scopes: ['exports', 'recordings:read', 'transcripts:read'] },
    ];
    await service.import({
      users: [user('Ada', { apiKeys }), user('Bob'), user('Eve')],
      organizations: [acme],
      recordings: [first, second, third],
    });
    [ada, bob, eve] = ['Ada', 'Bob', 'Eve'].map((name) => service.api.as(keyOf(name)));
    narrow = service.api.as(NARROW);
  });
  afterAll(() => service?.stop());

  const deleteAll = async (api: Client): Promise<void> => {
    for (const { id } of await done(api.get('/exports'))) await done(api.delete(`/exports/${id}`));
  };

  it('are created as queued, and tell when they can be downloaded', async () => {
    const created = await ada!.post(`/recordings/${first!.id}/exports`);
    const { id } = created.body.data;
    expect([created.status, created.headers.get('location')]).toEqual([201, `/api/v1/exports/${id}`]);
    expect(created.body.data).toMatchObject({
      kind: 'recording',
      status: 'queued',
      download_url: null,
      size: null,
    });
    const found = await ended(ada!, id);
    const content = await download(found);
    expect(found).toMatchObject({
      status: 'completed',
      progress: 1,
      size: content.length,
      status_reason: null,
    });
    await eventually(async () => {
      const { body } = await ada!.get('/events?limit=100');
      const events: { type: string; data: { export_id?: string } }[] = body.data;
      const types = events.filter(({ data }) => data.export_id === id).map(({ type }) => type);
      expect(types.toSorted()).toEqual(['export.completed', 'export.requested']);
    });
  });

  it('are delivered in ranges, to be resumed as long as nothing has changed, and as a named attachment', async () => {
    const one = await exported(ada!, `/recordings/${first!.id}/exports`);
    const { download_url: url, sha256, size } = one;
    const whole = await download(one);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      200,
      String(size),
      `"${sha256}"`,
    ]);
    expect(head.headers.get('content-disposition')).toMatch(
      /^attachment; filename="export-\d{4}-\d\d-\d\d\.zip"/,
    );
    const rest = await fetch(url, { headers: { range: 'bytes=100-', 'if-range': `"${sha256}"` } });
    expect([rest.status, rest.headers.get('content-range')]).toEqual([206, `bytes 100-${size - 1}/${size}`]);
    expect(Buffer.from(await rest.arrayBuffer())).toEqual(whole.subarray(100));
    const beyond = await fetch(url, { headers: { range: `bytes=${size}-` } });
    expect(beyond.status).toBe(416);
    const altered = await fetch(url.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A')));
    expect([altered.status, await altered.text()]).toEqual([403, expect.stringContaining('FORBIDDEN')]);
    await deleteAll(ada!);
    expect((await fetch(url)).status).toBe(404);
  });

  it('of an organization are for its OWNERs, as long as they are', async () => {
    expect(outcome(await eve!.post(OF_ACME, {}))).toEqual([403, 'FORBIDDEN']);
    const one = await exported(bob!, OF_ACME, {});
    expect([(await fetch(one.download_url)).status, outcome(await ada!.get(`/exports/${one.id}`))]).toEqual([
      200,
      [404, 'EXPORT_NOT_FOUND'],
    ]);
    const { id } = (await done(bob!.get('/me'))) as { id: string };
    await done(ada!.patch(`/organizations/${acme.id}/members/${id}`, { role: 'VIEWER' }));
    expect([(await fetch(one.download_url)).status, outcome(await bob!.get(`/exports/${one.id}`))]).toEqual([
      404,
      [404, 'EXPORT_NOT_FOUND'],
    ]);
    await done(ada!.delete(`/organizations/${acme.id}/members/${id}`));
    await service.app.get(ExportWriterService).sweep();
    expect((await service.objects()).filter((key) => key.startsWith('exports/'))).toEqual([]);
  });

  it('are hidden from an API key that could not have requested them', async () => {
    const whole = await exported(ada!, '/me/exports', {});
    const own = await exported(narrow!, `/recordings/${first!.id}/exports`);
    expect(outcome(await narrow!.post('/me/exports', {}))).toEqual([403, 'FORBIDDEN']);
    expect((await done(narrow!.get('/exports'))).map(({ id }: { id: string }) => id)).toEqual([own.id]);
    expect(outcome(await narrow!.delete(`/exports/${whole.id}`))).toEqual([404, 'EXPORT_NOT_FOUND']);
    await deleteAll(ada!);
  });

  it('go with the erasure of a person from the organization, and with one from everything', async () => {
    const { manager } = service.dataSource;
    const exports = service.app.get(ExportsService);
    await exported(ada!, OF_ACME, {});
    await exported(ada!, '/me/exports', {});
    await exported(ada!, `/recordings/${first!.id}/exports`);
    const { id } = await exported(eve!, '/me/exports', {});
    await exports.deleteOf(manager, acme.id);
    expect(await done(ada!.get('/exports'))).toEqual([]);
    expect(await done(eve!.get('/exports'))).toMatchObject([{ id }]);
    await exports.deleteOf(manager, null);
    expect(await done(eve!.get('/exports'))).toEqual([]);
    await eventually(async () => {
      expect((await service.objects()).filter((key) => key.startsWith('exports/'))).toEqual([]);
    });
  });

  it('leave out, and name, what is deleted while they run', async () => {
    const runner = service.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('LOCK TABLE summaries IN ACCESS EXCLUSIVE MODE');
    const { id } = await done(ada!.post(OF_ACME, {}));
    await waitingForLocks(service, 1);
    await runner.query('DELETE FROM recordings WHERE id = $1', [third!.id]);
    await runner.commitTransaction();
    await runner.release();
    const files = await filesOf(await ended(ada!, id));
    expect(jsonIn(files, 'workspace.json').recordings).toMatchObject([
      { title: 'First' },
      { title: 'Second' },
    ]);
    expect(jsonIn(files, 'report.json')).toEqual({
      leftOut: [{ recordingId: third!.id, what: 'recording', reason: 'RECORDING_NOT_FOUND' }],
    });
    await deleteAll(ada!);
  });

  it('end without a trace when they are deleted while they run', async () => {
    const runner = service.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('LOCK TABLE summaries IN ACCESS EXCLUSIVE MODE');
    const { id } = await done(ada!.post(OF_ACME, {}));
    await waitingForLocks(service, 1);
    await done(ada!.delete(`/exports/${id}`));
    await runner.commitTransaction();
    await runner.release();
    await exported(ada!, `/recordings/${first!.id}/exports`);
    await deleteAll(ada!);
    await eventually(async () => {
      expect((await service.objects()).filter((key) => key.startsWith('exports/'))).toEqual([]);
    });
  });

  it('have what was overwritten under a legal hold, for those who may know of it', async () => {
    await service.dataSource.query(
      `INSERT INTO legal_holds (id, organization_id, matter, reason, recording_ids, folder_ids, user_ids, created_at)
       VALUES (gen_random_uuid(), $1, 'Case 1', 'Court', ARRAY[$2::uuid], '{}', '{}', now())`,
      [acme.id, second!.id],
    );
    await service.dataSource.query(
      `INSERT INTO held_recordings (recording_id, hold_id) SELECT $1, id FROM legal_holds ON CONFLICT DO NOTHING`,
      [second!.id],
    );
    await done(ada!.patch(`/recordings/${second!.id}`, { title: 'Renamed' }));
    const files = await filesOf(await exported(ada!, OF_ACME, {}));
    expect([...files.keys()].filter((name) => name.startsWith('versions/'))).toEqual([
      `versions/${second!.id}/1.json`,
    ]);
    expect(jsonIn(files, `versions/${second!.id}/1.json`)).toMatchObject([
      { kind: 'recordings', value: { title: 'Second', notes: '' } },
    ]);
    await deleteAll(ada!);
  });

  it('are limited to five per user, and the error says what to do', async () => {
    const requested = await Promise.all(
      Array.from({ length: 7 }, () => eve!.post('/me/exports', { created_from: '2026-01-01' })),
    );
    expect(requested.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 201, 409, 409]);
    const refused = await eve!.post('/me/exports', {});
    expect(refused.body.error.message).toBe('You have 5 exports. Delete one, or wait until one expires.');
    const nothing = await eve!.post('/me/exports', { created_from: '2026-01-02', created_to: '2026-01-01' });
    expect(outcome(nothing)).toEqual([400, 'VALIDATION_ERROR']);
    const [{ id }] = await done(eve!.get('/exports'));
    const { download_url: url } = await ended(eve!, id);
    service.setNow(new Date(Date.now() + 8 * DAY_MS));
    expect([await done(eve!.get('/exports')), (await fetch(url)).status]).toEqual([[], 403]);
    await service.app.get(ExportWriterService).sweep();
    service.setNow(null);
    await eventually(async () => {
      expect((await service.objects()).filter((key) => key.startsWith('exports/'))).toEqual([]);
    });
  });
});
