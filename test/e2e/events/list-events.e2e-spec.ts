import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EventPayloadsService } from '../../../src/modules/events/event-payloads.service.js';
import { withoutKey } from '../../../src/policy/caller.js';
import {
  emailOf,
  folder,
  id,
  keyOf,
  member,
  organization,
  recording,
  user,
} from '../../factories/workspace.js';
import { done, refusal } from '../../support/client.js';
import { allPublished, eventsOf } from '../../support/events.js';
import { startService, type TestService } from '../../support/service.js';

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown>;
}
interface Page {
  readonly data: readonly Listed[];
  readonly pagination: { readonly limit: number; readonly has_more: boolean; readonly next_cursor: string };
}

const DAY_MS = 86_400_000;

describe('GET /events', () => {
  let service: TestService;
  const users = ['Ada', 'Grace', 'Linus'].map((name) => user(name));
  const [ada, grace] = users;
  const board = folder('Board', { restrictedTo: [emailOf('Grace')] });
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')],
    folders: [board],
  });
  const beta = organization('Beta', { members: [member('Ada', 'OWNER')] });
  const own = recording('Ada', { title: 'Own' });
  const plan = recording('Ada', { organization: 'Acme', folder: 'Board', title: 'Plan' });
  const hidden = recording('Ada', { organization: 'Acme', title: 'Hidden' });

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users, organizations: [acme, beta], recordings: [own, plan, hidden] });
  });
  afterAll(() => service.stop());

  const as = (name: string) => service.api.as(keyOf(name));

  async function page(name: string, query = ''): Promise<Page> {
    await allPublished(service);
    const { status, body } = await as(name).get(`/events${query}`);
    expect(status).toBe(200);
    return body;
  }

  /** Where what is about to happen begins. */
  async function now(name: string): Promise<string> {
    let { pagination } = await page(name, '?limit=100');
    while (pagination.has_more)
      ({ pagination } = await page(name, `?limit=100&cursor=${pagination.next_cursor}`));
    return pagination.next_cursor;
  }
  const rename = (recordingId: string, title: string) =>
    as('Ada').patch(`/recordings/${recordingId}`, { title });

  it('lists what happened, oldest first, with what it happened to', async () => {
    const cursor = await now('Ada');
    await rename(own.id, 'First');
    await rename(plan.id, 'Second');
    const { data, pagination } = await page('Ada', `?cursor=${cursor}`);
    expect(data).toMatchObject([
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        type: 'recording.updated',
        data: {
          organization_id: null,
          recording_id: own.id,
          actor: { kind: 'user', id: ada?.id },
          changes: { fields: ['title'] },
          recording: { id: own.id, title: 'First' },
        },
      },
      { data: { organization_id: acme.id, recording_id: plan.id, recording: { title: 'Second' } } },
    ]);
    expect(pagination).toEqual({ limit: 50, has_more: false, next_cursor: expect.any(String) });
  });

  it('continues after the last page, without skipping or repeating anything', async () => {
    const first = await now('Ada');
    expect(await page('Ada', `?cursor=${first}`)).toMatchObject({
      data: [],
      pagination: { has_more: false },
    });
    for (const title of ['1', '2', '3']) await rename(own.id, title);
    const titles: unknown[] = [];
    let cursor = first;
    for (const [expected, more] of [
      [2, true],
      [1, false],
      [0, false],
    ] as const) {
      const { data, pagination } = await page('Ada', `?limit=2&cursor=${cursor}`);
      expect([data.length, pagination.has_more]).toEqual([expected, more]);
      titles.push(...data.map(({ id: one }) => one));
      cursor = pagination.next_cursor;
    }
    expect(new Set(titles).size).toBe(3);
  });

  it('shows only what the caller sees', async () => {
    const cursors = { Ada: await now('Ada'), Grace: await now('Grace'), Linus: await now('Linus') };
    await rename(hidden.id, 'Still hidden');
    await rename(plan.id, 'For the board');
    await rename(own.id, 'Mine');
    const seen = async (name: keyof typeof cursors) =>
      (await page(name, `?cursor=${cursors[name]}`)).data.map(({ data }) => data['recording_id']);
    expect(await seen('Ada')).toEqual([hidden.id, plan.id, own.id]);
    expect(await seen('Grace')).toEqual([plan.id]);
    expect(await seen('Linus')).toEqual([]);
  });

  it('tells those who could see a recording when it is deleted, restored and purged', async () => {
    await service.dataSource.query('UPDATE organizations SET bin_days = 1 WHERE id = $1', [acme.id]);
    const { id: doomed } = await done(
      as('Grace').post('/recordings', { title: 'Doomed', media: 'none', organization_id: acme.id }),
    );
    const cursors = { Ada: await now('Ada'), Grace: await now('Grace'), Linus: await now('Linus') };
    await as('Grace').delete(`/recordings/${doomed}`);
    const seen = async (name: keyof typeof cursors) =>
      (await page(name, `?cursor=${cursors[name]}`)).data.map(({ type, data }) => [
        type,
        data['recording'] !== null,
      ]);
    for (const name of ['Ada', 'Grace'] as const)
      expect(await seen(name)).toEqual([['recording.deleted', false]]);
    await as('Grace').post(`/deleted-recordings/${doomed}/restore`);
    for (const name of ['Ada', 'Grace'] as const)
      expect(await seen(name)).toEqual([
        ['recording.deleted', true],
        ['recording.restored', true],
      ]);
    await as('Grace').delete(`/recordings/${doomed}`);
    await as('Ada').delete(`/deleted-recordings/${doomed}`);
    const types = (await seen('Grace')).map(([type]) => type);
    expect(types).toEqual([
      'recording.deleted',
      'recording.restored',
      'recording.deleted',
      'recording.purged',
    ]);
    const personal = await done(as('Linus').post('/recordings', { title: 'Own', media: 'none' }));
    expect(await seen('Linus')).toEqual([['recording.created', true]]);
    await service.dataSource.query(
      `UPDATE recordings SET deleted_at = now(), purge_at = now() + interval '1 day', deleted_owner_id = owner_id, owner_id = NULL
       WHERE id = $1`,
      [personal.id],
    );
    expect(await seen('Linus')).toEqual([
      ['recording.created', false],
      ['recording.deleted', false],
    ]);
  });

  it('filters by type, family of types, recording and organization', async () => {
    const cursor = await now('Ada');
    await rename(plan.id, 'Filtered');
    await rename(own.id, 'Filtered');
    const doomed = await as('Ada').post('/recordings', { title: 'Doomed' });
    await as('Ada').delete(`/recordings/${doomed.body.data.id}`);
    await as('Ada').patch(`/organizations/${acme.id}`, { name: 'Acme Ltd' });
    await as('Ada').patch(`/organizations/${beta.id}`, { name: 'Beta Ltd' });
    const types = async (query: string) =>
      (await page('Ada', `?cursor=${cursor}${query}`)).data.map(({ type }) => type);
    expect(await types('&types=recording.updated')).toEqual(['recording.updated', 'recording.updated']);
    expect(await types('&types=*')).toEqual(await types(''));
    expect(await types('&types=organization.*,recording.deleted')).toEqual([
      'recording.deleted',
      'organization.updated',
      'organization.updated',
    ]);
    expect(await types(`&recording_id=${doomed.body.data.id}`)).toEqual([
      'recording.created',
      'recording.deleted',
    ]);
    expect(await types(`&organization_id=${acme.id}`)).toEqual(['recording.updated', 'organization.updated']);
    expect(await types(`&organization_id=${acme.id}&recording_id=${own.id}`)).toEqual([]);
    expect(await types('&recording_id=nonsense')).toEqual([]);
  });

  it('shows keys only ids of what their scopes do not read', async () => {
    const cursor = await now('Ada');
    await rename(own.id, 'Told');
    await as('Ada').patch(`/organizations/${beta.id}`, { name: 'Beta' });
    await allPublished(service);
    const shown = async (...scopes: readonly string[]): Promise<unknown[]> => {
      const body = { name: 'reader', scopes: ['events:read', ...scopes] };
      const { key } = (await as('Ada').post('/api-keys', body)).body.data;
      const { data } = (await service.api.as(key).get(`/events?cursor=${cursor}&limit=2`)).body;
      return data.map((event: Listed) => event.data);
    };
    expect(await shown()).toMatchObject([
      { recording_id: own.id, actor: null, changes: null, recording: null },
      { organization_id: beta.id, actor: null, changes: null, organization: null },
    ]);
    expect(await shown('recordings:read', 'organizations:read')).toMatchObject([
      { recording: { title: 'Told' } },
      { organization: { name: 'Beta' } },
    ]);
  });

  it('begins with the first that was published at or after `since`', async () => {
    await now('Ada');
    await rename(own.id, 'Before');
    await allPublished(service);
    const [{ at } = { at: new Date() }] = await service.dataSource.query<{ at: Date }[]>(
      `SELECT max(published_at) + interval '1 millisecond' AS at FROM events`,
    );
    expect((await page('Ada', `?since=${at.toISOString()}`)).data).toEqual([]);
    await rename(own.id, 'After');
    expect((await page('Ada', `?since=${at.toISOString()}`)).data).toMatchObject([
      { data: { recording: { title: 'After' } } },
    ]);
    expect((await page('Ada', '?since=2020-01-01&limit=1')).data).toEqual(
      (await page('Ada', '?limit=1')).data,
    );
  });

  it('rejects cursors that are altered, and those that are older than 30 days', async () => {
    const cursor = await now('Ada');
    for (const wrong of ['x', `${cursor}A`, cursor.slice(0, -4)]) {
      const { status, body } = await as('Ada').get(`/events?cursor=${wrong}`);
      expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^cursor: must be an unmod/)]);
    }
    service.setNow(new Date(Date.now() + 30 * DAY_MS + 1_000));
    const { status, body } = await as('Ada').get(`/events?cursor=${cursor}`);
    service.setNow(null);
    expect([status, body]).toEqual([410, refusal('CURSOR_EXPIRED', body.error.message)]);
  });

  it('rejects the cursor of another user like an altered one', async () => {
    const cursor = await now('Ada');
    for (const path of ['/events', '/events/stream']) {
      const foreign = await as('Grace').get(`${path}?cursor=${cursor}`);
      expect([foreign.status, foreign.body.error.message]).toEqual([
        400,
        expect.stringMatching(/^cursor: must be an unmod/),
      ]);
    }
  });

  it.each([
    [
      'types=recording.renamed',
      /^types: recording\.renamed is not a type of event; must be types such as .*, or one of \*, recording\.\*, .* separated by commas; did you mean recording\.\w+\?$/,
    ],
    ['types=nothing.*', /^types: /],
    ['since=yesterday', /^since: must be an ISO 8601 date/],
    ['limit=101', /^limit: must be an integer from 1 to 100/],
    ['organization_id=', /^organization_id: must be a single id/],
  ])('rejects ?%s', async (query, message) => {
    const { status, body } = await as('Ada').get(`/events?${query}`);
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)]);
  });

  it('refuses other organizations as their own endpoints do', async () => {
    const unknown = await as('Ada').get(`/events?organization_id=${id()}`);
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'ORGANIZATION_NOT_FOUND']);
    const foreign = await as('Linus').get(`/events?organization_id=${acme.id}`);
    expect([foreign.status, foreign.body.error.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('shows the organization, the member and the folder as their own endpoints do', async () => {
    const at = `/organizations/${acme.id}`;
    const cursor = await now('Grace');
    await as('Ada').patch(at, { name: 'Acme Inc' });
    await as('Ada').patch(`${at}/members/${grace?.id}`, { role: 'VIEWER' });
    await as('Ada').patch(`${at}/folders/${board.id}`, { name: 'Directors' });
    const members = await as('Grace').get(`${at}/members`);
    const folders = await as('Grace').get(`${at}/folders`);
    const details = await as('Grace').get(at);
    const { data } = await page('Grace', `?cursor=${cursor}`);
    expect(data.map((event) => event.data)).toMatchObject([
      { organization_id: acme.id, organization: details.body.data },
      { user_id: grace?.id, member: members.body.data.find(({ id: one }: Listed) => one === grace?.id) },
      { folder_id: board.id, user_id: null, folder: folders.body.data[0] },
    ]);
  });

  it('takes the same number of statements for any number of events', async () => {
    const many = await eventsOf(service, async () => {
      for (const title of ['One', 'Two', 'Three', 'Four']) await rename(plan.id, title);
    });
    const { manager } = service.dataSource;
    const query = jest.spyOn(manager, 'query');
    const statements = async (events: typeof many): Promise<number> => {
      query.mockClear();
      await service.app.get(EventPayloadsService).read(manager, withoutKey(ada?.id ?? ''), events);
      return query.mock.calls.length;
    };
    expect(await statements(many)).toBe(await statements(many.slice(0, 1)));
    query.mockRestore();
  });
});
