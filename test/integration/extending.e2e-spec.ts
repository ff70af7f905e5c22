/** @example */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { problemsIn } from '../../scripts/openapi-rules.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { id, keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { expectDocumented, operationsOf, type ApiDocument } from '../support/api-document.js';
import { fill, readsOf, rowsIn } from '../support/plans.js';
import { refusal, type Client } from '../support/client.js';
import { inlined } from '../support/contract.js';
import { createDatabase } from '../support/database.js';
import { eventually, startService, type TestService, waitingForLocks } from '../support/service.js';

const JANUARY = new Date('2026-01-15T12:00:00.000Z');
const MARCH = new Date('2026-03-15T12:00:00.000Z');

describe('"Add a resource" of docs/extending.md: the migration', () => {
  it('creates exactly what the entity declares, and can be reverted', async () => {
    const database = await createDatabase();
    const dataSource = await new DataSource(
      dataSourceOptions({ url: database.url, poolSize: 1 }),
    ).initialize();
    const drift = async (): Promise<string[]> =>
      (await dataSource.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);
    try {
      for (const _ of ['up', 'up again']) {
        await dataSource.runMigrations();
        expect(await drift()).toEqual([]);
        await dataSource.undoLastMigration();
        expect(await drift()).toContainEqual(expect.stringContaining('CREATE TABLE "bookmarks"'));
      }
    } finally {
      await dataSource.destroy();
      await database.drop();
    }
  });
});

describe('"Add a resource" of docs/extending.md: the service', () => {
  let service: TestService;
  const [adasId, gracesId, acmeId] = [id(), id(), id()];
  let ada: Client;
  let grace: Client;

  beforeAll(async () => {
    service = await startService({}, { worker: true, documentsItself: true });
    const members = [
      member('Ada', 'OWNER'),
      member('Grace', 'VIEWER', { viewAllRecordings: true }),
      member('Guest', 'VIEWER', { viewAllRecordings: true }),
    ];
    await service.import({
      users: [
        user('Ada', { id: adasId }),
        user('Grace', { id: gracesId }),
        user('Guest'),
        user('Linus', { plan: 'FREE' }),
      ],
      organizations: [
        organization('Acme', { id: acmeId, members }),
        organization('Lapsed', { subscription: { status: 'canceled', endsAt: null }, members }),
      ],
    });
    ada = service.api.as(keyOf('Ada'));
    grace = service.api.as(keyOf('Grace'));
  });
  afterAll(() => service.stop());
  afterEach(() => service.setNow(null));

  /** The bookmarks path of a new recording owned by Ada and visible to Grace. */
  async function bookmarked(overrides: object = {}): Promise<string> {
    const added = recording('Ada', { organization: 'Acme', ...overrides });
    await service.import({ recordings: [added] });
    return `/recordings/${added.id}/bookmarks`;
  }

  async function add(path: string, at = 1.5, api = ada): Promise<string> {
    const { status, body } = await api.post(path, { at, label: `At ${at}` });
    expect(status).toBe(201);
    return body.data.id;
  }

  const idsOf = async (path: string, api = ada): Promise<string[]> =>
    (await api.get(path)).body.data.map((bookmark: { id: string }) => bookmark.id);

  it('documents the new operations like all others', async () => {
    const { body } = await service.api.get('//docs/openapi.json');
    const document = inlined(body as ApiDocument);
    const added = operationsOf(document).filter(([name]) => name.includes('bookmarks'));
    expect(added.map(([name]) => name)).toEqual([
      'POST /api/v1/recordings/{id}/bookmarks',
      'GET /api/v1/recordings/{id}/bookmarks',
      'PATCH /api/v1/recordings/{id}/bookmarks/{bookmarkId}',
      'DELETE /api/v1/recordings/{id}/bookmarks/{bookmarkId}',
    ]);
    for (const [, operation] of added) expectDocumented(operation);
    expect(await problemsIn(body)).toEqual([]);
  });

  it('creates a bookmark and returns 201', async () => {
    const path = await bookmarked();
    service.setNow(JANUARY);
    const { status, body } = await ada.post(path, { at: 754.5, label: '  Decision on the budget ' });
    expect([status, body]).toEqual([
      201,
      {
        data: {
          id: expect.any(String),
          at: 754.5,
          label: 'Decision on the budget',
          createdBy: adasId,
          createdAt: '2026-01-15T12:00:00.000Z',
        },
      },
    ]);
  });

  it('lists the bookmarks of everyone, newest first, each once across pages by cursor', async () => {
    const path = await bookmarked();
    service.setNow(JANUARY);
    // Created in the same millisecond.
    const oldest = [await add(path, 1), await add(path, 2), await add(path, 3)];
    service.setNow(MARCH);
    const newest = await add(path, 4);
    const others = await add(path, 5, grace);
    const seen: string[] = [];
    const limits: object[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await ada.get(`${path}?limit=2${cursor && `&cursor=${cursor}`}`);
      const { next_cursor: next, ...rest } = body.pagination;
      seen.push(...body.data.map((bookmark: { id: string }) => bookmark.id));
      limits.push(rest);
      cursor = next;
    }
    expect(seen).toEqual([others, newest, ...oldest.toReversed()]);
    expect(limits).toEqual([
      { limit: 2, has_more: true },
      { limit: 2, has_more: true },
      { limit: 2, has_more: false },
    ]);
    expect(await idsOf(path, grace)).toEqual(seen);
  });

  it('a page reads little more than its bookmarks', async () => {
    const path = await bookmarked();
    const more = `
      INSERT INTO bookmarks SELECT (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid()))).*
      FROM bookmarks b, generate_series(1, 5000) WHERE b.id = $1`;
    await fill(service.dataSource, ['bookmarks'], [[more, [await add(path)]]]);
    const readTwoPages = async (): Promise<void> => {
      const { body } = await ada.get(`${path}?limit=5`);
      expect((await ada.get(`${path}?limit=5&cursor=${body.pagination.next_cursor}`)).status).toBe(200);
    };
    expect(rowsIn(await readsOf(service.dataSource, readTwoPages))).toBeLessThan(100);
  });

  it('changes the fields that are sent', async () => {
    const path = await bookmarked();
    service.setNow(JANUARY);
    const bookmark = await add(path);
    const { status, body } = await ada.patch(`${path}/${bookmark}`, { label: 'Decision' });
    const changed = { id: bookmark, at: 1.5, label: 'Decision', createdBy: adasId };
    expect([status, body]).toEqual([200, { data: { ...changed, createdAt: '2026-01-15T12:00:00.000Z' } }]);
    expect((await ada.get(path)).body.data).toEqual([body.data]);
  });

  it('refuses a time after the end of the recording', async () => {
    const path = await bookmarked();
    await service.dataSource.query('UPDATE recordings SET duration = 60 WHERE id = $1', [path.split('/')[2]]);
    const bookmark = await add(path, 60);
    const message = 'at: must be within the recording, 0 to 60';
    for (const reply of [
      await ada.post(path, { at: 60.5, label: 'Late' }),
      await ada.patch(`${path}/${bookmark}`, { at: 60.5 }),
    ])
      expect([reply.status, reply.body]).toEqual([400, { error: { code: 'VALIDATION_ERROR', message } }]);
  });

  it('deletes a bookmark, once', async () => {
    const path = await bookmarked();
    const [kept, gone] = [await add(path), await add(path)];
    expect((await ada.delete(`${path}/${gone}`)).body).toEqual({ data: { success: true } });
    expect((await ada.delete(`${path}/${gone}`)).body).toEqual(refusal('BOOKMARK_NOT_FOUND'));
    expect(await idsOf(path)).toEqual([kept]);
  });

  it('lets nobody but its author change or delete a bookmark: 403 BOOKMARK_NOT_YOURS', async () => {
    const path = await bookmarked();
    const bookmark = await add(path, 1, grace);
    const answers = [
      await ada.patch(`${path}/${bookmark}`, { label: 'Mine' }),
      await ada.delete(`${path}/${bookmark}`),
    ];
    for (const { status, body } of answers)
      expect([status, body]).toEqual([403, refusal('BOOKMARK_NOT_YOURS')]);
    expect((await grace.get(path)).body.data).toMatchObject([{ id: bookmark, label: 'At 1' }]);
  });

  it("returns 404 for another recording's bookmark or an unknown id", async () => {
    const [path, elsewhere] = [await bookmarked(), await bookmarked()];
    const bookmark = await add(path);
    const paths = [`${elsewhere}/${bookmark}`, `${path}/${id()}`, `${path}/1`];
    const answers = await Promise.all(paths.flatMap((one) => [ada.patch(one, { at: 1 }), ada.delete(one)]));
    for (const { status, body } of answers)
      expect([status, body]).toEqual([404, refusal('BOOKMARK_NOT_FOUND')]);
    expect(await idsOf(path)).toEqual([bookmark]);
  });

  it('sends events to everyone who sees the recording', async () => {
    const path = await bookmarked();
    const [, , recordingId = ''] = path.split('/');
    const bookmark = await add(path);
    await ada.patch(`${path}/${bookmark}`, { label: 'Decision', at: 2 });
    await ada.delete(`${path}/${bookmark}`);
    const data = {
      organization_id: acmeId,
      recording_id: recordingId,
      bookmark_id: bookmark,
      actor: { kind: 'user', id: adasId, service_account: null },
      recording: expect.objectContaining({ id: recordingId }),
    };
    await eventually(async () => {
      const { body } = await grace.get(`/events?types=bookmark.*&recording_id=${recordingId}`);
      expect(body.data.map(({ type, data: sent }: { type: string; data: object }) => [type, sent])).toEqual([
        ['bookmark.created', { ...data, changes: {} }],
        ['bookmark.updated', { ...data, changes: { fields: ['at', 'label'] } }],
        ['bookmark.deleted', { ...data, changes: {} }],
      ]);
    });
    const { status, body } = await service.api.as(keyOf('Linus')).get('/events?types=bookmark.*');
    expect([status, body.data]).toEqual([200, []]);
  });

  it('writes what happens to the audit log of the organization', async () => {
    const path = await bookmarked();
    const bookmark = await add(path, 1, grace);
    const { body } = await ada.get(`/organizations/${acmeId}/audit-log?target_id=${bookmark}`);
    expect(body.data).toMatchObject([
      {
        type: 'bookmark.created',
        actor: { kind: 'user', id: gracesId },
        recording_id: path.split('/')[2],
        target_id: bookmark,
        changes: {},
      },
    ]);
  });

  const everyOperation = (path: string, api: Client) =>
    Promise.all([
      api.post(path, { at: 1, label: 'x' }),
      api.get(path),
      api.patch(`${path}/${id()}`, { at: 1 }),
      api.delete(`${path}/${id()}`),
    ]);

  it('returns the same 404 for a hidden recording as for an unknown one', async () => {
    const hidden = await everyOperation(await bookmarked(), service.api.as(keyOf('Linus')));
    const absent = await everyOperation(`/recordings/${id()}/bookmarks`, ada);
    for (const { status, body } of [...hidden, ...absent])
      expect([status, body]).toEqual([404, refusal('RECORDING_NOT_FOUND')]);
  });

  it.each([
    ['the recording', 404, 'RECORDING_NOT_FOUND', `DELETE FROM recordings WHERE title = 'Deleted meanwhile'`],
    ['the user', 401, 'USER_NOT_FOUND', `DELETE FROM users WHERE name = 'Guest'`],
  ])('creates nothing when %s is deleted meanwhile: %d %s', async (_, status, code, statement) => {
    const path = await bookmarked({ title: 'Deleted meanwhile' });
    const deletion = service.dataSource.createQueryRunner();
    await deletion.startTransaction();
    await deletion.query(statement);
    const adding = service.api.as(keyOf('Guest')).post(path, { at: 2, label: 'Meanwhile' });
    await waitingForLocks(service, 1);
    await deletion.commitTransaction();
    await deletion.release();
    const reply = await adding;
    expect([reply.status, reply.body]).toEqual([status, refusal(code)]);
    expect(await service.dataSource.query(`SELECT FROM bookmarks WHERE label = 'Meanwhile'`)).toEqual([]);
  });
});
