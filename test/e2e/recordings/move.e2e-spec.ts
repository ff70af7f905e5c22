import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
import { outcome, type Client, type Reply } from '../../support/client.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { MANY_USERS, movesAndDeletesMany, movesWhileTheOwnerLeaves } from './moves/many.js';

describe('recordings are moved with the rights of both sides', () => {
  let service: TestService;
  const [sales, archive] = [folder('Sales'), folder('Archive')];
  const board = folder('Board', { restrictedTo: [emailOf('Ada')] });
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Eve', 'EDITOR'), member('Vera', 'VIEWER')],
    folders: [sales, board],
  });
  const other = organization('Other', { members: [member('Ada', 'ADMIN'), member('Vera', 'EDITOR')] });
  const ended = organization('Ended', {
    subscription: { status: 'expired', endsAt: null },
    members: [member('Ada', 'OWNER')],
    folders: [archive],
  });
  let ofEve: { id: string };
  let personal: { id: string };

  beforeAll(async () => {
    service = await startService({ QUOTA_FREE_RECORDINGS: '1' }, { worker: true });
    await service.import({
      users: [...MANY_USERS, user('Nobody')],
      organizations: [acme, other, ended],
    });
  });
  afterAll(() => service.stop());

  beforeEach(async () => {
    ofEve = recording('Eve', { organization: 'Acme', title: 'Roadmap zebra' });
    personal = recording('Eve');
    await service.import({ recordings: [ofEve, personal] });
  });

  const as = (name: string): Client => service.api.as(keyOf(name));
  const move = (name: string, subject: { id: string }, to: object): Promise<Reply> =>
    as(name).patch(`/recordings/${subject.id}`, to);
  const sees = async (name: string, { id: subject }: { id: string }): Promise<boolean> => {
    const [got, listed] = [
      await as(name).get(`/recordings/${subject}`),
      await as(name).get('/recordings?limit=100'),
    ];
    const inList = listed.body.data.some((item: { id: string }) => item.id === subject);
    expect(inList).toBe(got.status === 200);
    return inList;
  };

  it('into a folder, by its owner, and out of it', async () => {
    expect(await sees('Vera', ofEve)).toBe(false);
    expect((await move('Eve', ofEve, { folder_id: sales.id })).status).toBe(200);
    expect(await sees('Vera', ofEve)).toBe(true);
    expect((await move('Eve', ofEve, { folder_id: null })).status).toBe(200);
    expect(await sees('Vera', ofEve)).toBe(false);
  });

  it('into a restricted folder only by those who may add to it', async () => {
    expect(outcome(await move('Eve', ofEve, { folder_id: board.id }))).toEqual([400, 'VALIDATION_ERROR']);
    expect(outcome(await move('Ada', ofEve, { folder_id: board.id }))).toEqual([200, null]);
  });

  it.each([
    ['an unknown folder', { folder_id: id() }, [400, 'VALIDATION_ERROR']],
    ['an unknown organization', { organization_id: id() }, [404, 'ORGANIZATION_NOT_FOUND']],
    ['an organization of others', { organization_id: other.id }, [403, 'FORBIDDEN']],
    [
      'a folder of another organization',
      { organization_id: other.id, folder_id: sales.id },
      [403, 'FORBIDDEN'],
    ],
    ['personal, but in a folder', { organization_id: null, folder_id: sales.id }, [400, 'VALIDATION_ERROR']],
  ])('not to %s', async (_, to, expected) => {
    expect(outcome(await move('Eve', ofEve, to))).toEqual(expected);
    expect(await sees('Eve', ofEve)).toBe(true);
  });

  it('not to an organization whose subscription has expired', async () => {
    const own = recording('Ada', { organization: 'Acme' });
    await service.import({ recordings: [own] });
    const expected = [402, 'ORGANIZATION_SUBSCRIPTION_EXPIRED'];
    expect(outcome(await move('Ada', own, { organization_id: ended.id }))).toEqual(expected);
  });

  it('between the folders of an organization whose subscription has expired, but not out of it', async () => {
    const kept = recording('Ada', { organization: 'Ended' });
    await service.import({ recordings: [kept] });
    expect((await move('Ada', kept, { folder_id: archive.id })).status).toBe(200);
    expect((await move('Ada', kept, { organization_id: ended.id, folder_id: null })).status).toBe(200);
    expect(outcome(await move('Ada', kept, { organization_id: acme.id }))).toEqual([
      402,
      'ORGANIZATION_SUBSCRIPTION_EXPIRED',
    ]);
  });

  it('not by a VIEWER, and to strangers it does not exist', async () => {
    await move('Eve', ofEve, { folder_id: sales.id });
    expect(outcome(await move('Vera', ofEve, { folder_id: null }))).toEqual([403, 'FORBIDDEN']);
    expect(outcome(await move('Nobody', ofEve, { folder_id: null }))).toEqual([404, 'RECORDING_NOT_FOUND']);
  });

  it('to another organization: its members see it now, its share links end, the mover becomes its owner', async () => {
    const lost = recording('Nobody', { organization: 'Acme', title: 'Roadmap zebra' });
    await service.import({ recordings: [lost] });
    const { body } = await as('Ada').post(`/recordings/${lost.id}/share-link`, {});
    const token: string = body.data.share_token;
    expect((await service.api.get(`/shares/${token}`)).status).toBe(200);
    expect((await move('Ada', lost, { organization_id: other.id })).status).toBe(200);
    expect([await sees('Ada', lost), await sees('Nobody', lost), await sees('Vera', lost)]).toEqual([
      true,
      false,
      false,
    ]);
    expect((await service.api.get(`/shares/${token}`)).status).toBe(404);
    expect((await move('Ada', lost, { organization_id: acme.id })).status).toBe(200);
    // What has ended stays ended.
    expect((await service.api.get(`/shares/${token}`)).status).toBe(404);
    await eventually(async () => {
      const found = await as('Ada').get(`/recordings/search?q=zebra&organization_id=${acme.id}`);
      expect(found.body.data.map((item: { id: string }) => item.id)).toContain(lost.id);
    });
  });

  it('a personal one into an organization, and back by its owner alone, if members may take theirs', async () => {
    expect((await move('Eve', personal, { organization_id: acme.id, folder_id: sales.id })).status).toBe(200);
    expect(await sees('Vera', personal)).toBe(true);
    expect(outcome(await move('Ada', personal, { organization_id: null }))).toEqual([403, 'FORBIDDEN']);
    expect(outcome(await move('Eve', personal, { organization_id: null }))).toEqual([403, 'FORBIDDEN']);
    const permit = (members_may_take_recordings: boolean): Promise<Reply> =>
      as('Ada').patch(`/organizations/${acme.id}`, { members_may_take_recordings });
    expect((await permit(true)).status).toBe(200);
    expect((await move('Eve', personal, { organization_id: null })).status).toBe(200);
    expect((await permit(false)).status).toBe(200);
    expect([await sees('Eve', personal), await sees('Ada', personal)]).toEqual([true, false]);
  });

  it('only as far as the quota of the destination has room', async () => {
    const small = organization('Small', { plan: 'FREE', members: [member('Eve', 'OWNER')] });
    await service.import({ organizations: [small] });
    expect((await move('Eve', personal, { organization_id: small.id })).status).toBe(200);
    const another = recording('Eve');
    await service.import({ recordings: [another] });
    expect(outcome(await move('Eve', another, { organization_id: small.id }))).toEqual([
      403,
      'QUOTA_EXCEEDED',
    ]);
    expect((await as('Eve').get(`/recordings/${another.id}`)).body.data.organizationId).toBeNull();
  });

  it('while their owner leaves the destination, they are where their owner is a member', () =>
    movesWhileTheOwnerLeaves(service, { count: 20, rounds: 3 }));

  describe('POST /recordings/bulk', () => {
    const bulk = (name: string, body: object): Promise<Reply> => as(name).post('/recordings/bulk', body);

    it('moves all of them', async () => {
      const ids = [ofEve.id, personal.id];
      const { status, body } = await bulk('Eve', {
        ids,
        action: 'move',
        organization_id: acme.id,
        folder_id: sales.id,
      });
      expect(status).toBe(200);
      expect(body.data).toEqual({
        succeeded: 2,
        failed: 0,
        results: ids.map((each) => ({ id: each, success: true, error: null })),
      });
      expect([await sees('Vera', ofEve), await sees('Vera', personal)]).toEqual([true, true]);
    });

    // More than two statements of fifty.
    it('moves and deletes many', () => movesAndDeletesMany(service, 101));

    it('takes as many as 1,000 ids', async () => {
      const ids = Array.from({ length: 1_000 }, () => id());
      const { status, body } = await bulk('Eve', { ids, action: 'delete', mode: 'each' });
      expect([status, body.data.failed]).toEqual([200, 1_000]);
    });

    it('takes an id that is sent twice once', async () => {
      const ids = [ofEve.id, ofEve.id.toUpperCase(), personal.id];
      const { status, body } = await bulk('Eve', { ids, action: 'delete' });
      expect([status, body.data.failed]).toEqual([200, 0]);
      expect(await sees('Eve', ofEve)).toBe(false);
    });

    it('of two requests at once, each recording is deleted by one', async () => {
      const request = { ids: [ofEve.id, personal.id], action: 'delete', mode: 'each' };
      const replies = await Promise.all([bulk('Eve', request), bulk('Eve', request)]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(replies.map(({ body }) => body.data.succeeded).sort()).toEqual([0, 2]);
    });

    it('all or none: names the first that is not possible', async () => {
      const unknown = id();
      const request = { ids: [ofEve.id, unknown], action: 'delete' };
      const refused = await bulk('Eve', request);
      expect(outcome(refused)).toEqual([404, 'RECORDING_NOT_FOUND']);
      expect(refused.body.error.message).toBe('ids[1]: Recording not found. Nothing was changed.');
      const two = await bulk('Eve', { ...request, ids: [unknown, ofEve.id, id()] });
      expect(two.body.error.message).toBe(
        'ids[0]: Recording not found. Nothing was changed; 1 other recording would also have been refused.',
      );
      expect(await sees('Eve', ofEve)).toBe(true);
    });

    it('each with its own result', async () => {
      const foreign = recording('Ada', { organization: 'Acme', folder: 'Sales' });
      await service.import({ recordings: [foreign] });
      const request = { ids: [ofEve.id, foreign.id, 'x'], action: 'delete', mode: 'each' };
      const { status, body } = await bulk('Eve', request);
      expect([status, body.data.succeeded, body.data.failed]).toEqual([200, 1, 2]);
      const codes = body.data.results.map(({ error }: { error: { code: string } | null }) => error?.code);
      expect(codes).toEqual([undefined, 'FORBIDDEN', 'RECORDING_NOT_FOUND']);
      expect([await sees('Eve', ofEve), await sees('Ada', foreign)]).toEqual([false, true]);
    });

    it.each([
      [
        'too many ids',
        { ids: Array.from({ length: 1_001 }, () => id()), action: 'delete' },
        'ids: must contain at most 1000 ids',
      ],
      ['no action', { ids: [id()] }, 'action: is required and must be one of move, delete'],
      [
        'an unknown field',
        { ids: [id()], action: 'delete', folder_id: null },
        'action: delete takes neither organization_id nor folder_id',
      ],
      [
        'nowhere to',
        { ids: [id()], action: 'move' },
        'action: move requires organization_id, folder_id or both',
      ],
      [
        'all that is wrong',
        { ids: [], action: 'move' },
        'ids: must contain at least 1 id; action: move requires organization_id, folder_id or both',
      ],
    ])('refuses %s', async (_, body, message) => {
      const refused = await bulk('Eve', body);
      expect([refused.status, refused.body.error.message]).toEqual([400, message]);
    });
  });
});
