import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TO_READ_LINKS, TO_SHARE, type Scope } from '../../../src/contract/scopes.js';
import {
  folder,
  keyOf,
  member,
  organization,
  recording,
  transcript,
  user,
} from '../../factories/workspace.js';
import { changesOf } from '../../support/changes.js';
import { outcome, refusal, type Client, type Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const NOW = '2030-01-01T00:00:00.000Z';
const DAY_MS = 86_400_000;
const after = (days: number): string => new Date(Date.parse(NOW) + days * DAY_MS).toISOString();

interface Key {
  readonly id: string;
  readonly as: Client;
}
interface Link {
  readonly id: string;
  readonly share_token: string;
  readonly expires_at: string | null;
}

describe('share links of an API key that is limited', () => {
  let service: TestService;
  let ada: Client;
  let subject: { id: string };
  const board = folder('Board');
  const acme = organization('Acme', {
    members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN')],
    folders: [board],
  });
  const other = organization('Other', { members: [member('Ada', 'OWNER')] });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada'), user('Grace')], organizations: [acme, other] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    at(0);
    subject = recording('Ada', {
      organization: 'Acme',
      folder: 'Board',
      createdAt: NOW,
      media: 'call.mp4',
      transcript: transcript(2),
    });
    await service.import({ recordings: [subject] }, { 'call.mp4': 'film' });
  });
  afterEach(() => service.setNow(null));

  const at = (days: number): void => service.setNow(new Date(after(days)));
  const keyWith = async (limits: object): Promise<Key> => {
    const { status, body } = await ada.post('/api-keys', { name: 'limited', ...limits });
    expect([status, body.error]).toEqual([201, undefined]);
    return { id: body.data.id, as: service.api.as(body.data.key) };
  };
  const post = (by: Client, body?: object): Promise<Reply> =>
    by.post(`/recordings/${subject.id}/share-link`, body);
  const patch = (by: Client, link: Link, body: object): Promise<Reply> =>
    by.patch(`/recordings/${subject.id}/share-links/${link.id}`, body);
  const link = async (by: Client, body?: object): Promise<Link> => (await post(by, body)).body.data;
  const list = async (by = ada): Promise<Link[]> =>
    (await by.get(`/recordings/${subject.id}/share-links`)).body.data;
  /** The status of the page; the media URLs that the link has given work exactly as long. */
  const opens = async ({ share_token: token }: Link): Promise<number> =>
    (await service.api.get(`//s/${token}`)).status;

  describe('need what they open', () => {
    const others = (scopes: readonly Scope[], missing: Scope): Scope[] =>
      scopes.filter((scope) => scope !== missing);

    it.each(TO_SHARE)('to be created or changed: %s', async (missing) => {
      const made = await link(ada, { label: 'Customer' });
      const { as } = await keyWith({ scopes: [...others(TO_SHARE, missing), 'profile:read'] });
      for (const reply of [await post(as), await patch(as, made, { label: 'Mine' })])
        expect([reply.status, reply.body]).toEqual([
          403,
          refusal('FORBIDDEN', expect.stringContaining(`does not have the scope ${missing}`)),
        ]);
      expect(await list()).toHaveLength(1);
    });

    it.each(TO_READ_LINKS)('to be listed: %s', async (missing) => {
      const { as } = await keyWith({ scopes: others(TO_READ_LINKS, missing) });
      expect(outcome(await as.get(`/recordings/${subject.id}/share-links`))).toEqual([403, 'FORBIDDEN']);
      const reader = await keyWith({ scopes: [...TO_READ_LINKS] });
      expect(await list(reader.as)).toEqual([]);
    });

    it('but not to be revoked', async () => {
      const made = await link(ada);
      const { as } = await keyWith({ scopes: ['shares:write'] });
      const { status } = await as.delete(`/recordings/${subject.id}/share-links/${made.id}`);
      expect([status, await opens(made)]).toEqual([200, 404]);
    });

    it('and the recording says so', async () => {
      const canShare = async ({ as }: Key) => {
        const { capabilities, capabilityReasons: reasons } = (await as.get(`/recordings/${subject.id}`)).body
          .data;
        return [capabilities.canShare, reasons.canShare?.reason ?? null];
      };
      expect(await canShare(await keyWith({ scopes: [...TO_SHARE] }))).toEqual([true, null]);
      expect(await canShare(await keyWith({ scopes: ['recordings:read', 'shares:write'] }))).toEqual([
        false,
        'scope',
      ]);
    });
  });

  describe('end with the key', () => {
    it.each([
      ['it is revoked', {}, (key: Key) => ada.delete(`/api-keys/${key.id}`)],
      ['it expires', { expires_at: after(2) }, async () => at(2)],
      ['it loses a scope', {}, (key: Key) => ada.patch(`/api-keys/${key.id}`, { scopes: ['shares:write'] })],
      [
        'it no longer reaches the recording',
        { organizations: [acme.id, other.id] },
        (key: Key) => ada.patch(`/api-keys/${key.id}`, { organizations: [other.id] }),
      ],
      [
        'the recording leaves its folders',
        { folders: [board.id] },
        () => ada.patch(`/recordings/${subject.id}`, { folder_id: null }),
      ],
    ])('when %s, and its media URLs too', async (_, limits, end) => {
      const key = await keyWith({ scopes: [...TO_SHARE], ...limits });
      const made = [await link(key.as), await link(key.as, { label: 'Customer' })];
      const ofOthers = await link(ada);
      const token = made[0]!.share_token;
      const { videoUrl } = (await service.api.get(`/shares/${token}`)).body.data.recording;
      expect([await Promise.all(made.map(opens)), (await fetch(videoUrl)).status]).toEqual([[200, 200], 200]);
      await end(key);
      expect([await Promise.all(made.map(opens)), (await fetch(videoUrl)).status]).toEqual([[404, 404], 403]);
      expect(outcome(await service.api.get(`/shares/${token}`))).toEqual([404, 'NOT_FOUND']);
      expect(await opens(ofOthers)).toBe(200);
    });

    it('when an organization no longer accepts it', async () => {
      const made = await link((await keyWith({ expires_at: after(30) })).as);
      const limit = (days: number | null) =>
        service.dataSource.query('UPDATE organizations SET api_key_max_days = $1 WHERE id = $2', [
          days,
          acme.id,
        ]);
      await limit(7);
      const refused = await opens(made);
      await limit(null);
      expect([refused, await opens(made)]).toEqual([404, 200]);
    });

    it.each([
      ['scopes', { scopes: [...TO_SHARE] }],
      ['organizations', { organizations: [acme.id] }],
      ['addresses', { addresses: ['127.0.0.0/8', '::1'] }],
      ['an expiry', { expires_in: 60 }],
    ])('whatever its limit: %s', async (_, limits) => {
      const key = await keyWith(limits);
      const made = await link(key.as);
      await ada.delete(`/api-keys/${key.id}`);
      expect(await opens(made)).toBe(404);
    });

    it('and those of a key without limits go on', async () => {
      const key = await keyWith({});
      const made = await link(key.as);
      await ada.delete(`/api-keys/${key.id}`);
      expect(await opens(made)).toBe(200);
    });

    it('also when the key is deleted', async () => {
      const key = await keyWith({ scopes: [...TO_SHARE] });
      const made = await link(key.as);
      await service.dataSource.query('DELETE FROM api_keys WHERE id = $1', [key.id]);
      expect([await opens(made), await list()]).toEqual([404, []]);
    });

    it('and make room for others then', async () => {
      const key = await keyWith({ expires_at: after(2) });
      for (let n = 0; n < 100; n += 1) await link(n < 2 ? key.as : ada, { label: `number ${n}` });
      expect(outcome(await post(ada, { label: 'one more' }))).toEqual([409, 'CONFLICT']);
      at(2);
      expect((await post(ada, { label: 'one more' })).status).toBe(201);
      expect(await list()).toHaveLength(100);
    });
  });

  describe('say when they end', () => {
    it.each([
      ['by itself, before the key', { expires_at: after(1) }, after(1)],
      ['with the key', {}, after(2)],
      ['with the key, as a separate link', { label: 'Customer', expires_at: null }, after(2)],
      ['with the key, by its own expiry', { expires_at: after(2) }, after(2)],
    ])('%s', async (_, wanted, end) => {
      const key = await keyWith({ expires_at: after(2) });
      const made = await link(key.as, wanted);
      const opened = (await service.api.get(`/shares/${made.share_token}`)).body.data;
      const [listed] = await list();
      expect([made.expires_at, opened.expires_at, listed?.expires_at]).toEqual([end, end, end]);
      if (!('expires_at' in wanted && wanted.expires_at !== null))
        expect((await link(key.as, wanted)).expires_at).toBe(end);
    });

    it('in the log, as it is when they are created', async () => {
      const key = await keyWith({ expires_at: after(2) });
      const changes = await changesOf(service.dataSource, () => link(key.as));
      const created = changes.find(({ type }) => type === 'share_link.created');
      expect(created?.details).toMatchObject({ after: { expires_at: after(2) } });
    });

    it('when the key was revoked, and can no longer be changed', async () => {
      const key = await keyWith({ scopes: [...TO_SHARE] });
      const made = await link(key.as);
      at(1);
      await ada.delete(`/api-keys/${key.id}`);
      expect((await list())[0]?.expires_at).toBe(after(1));
      expect(outcome(await patch(ada, made, { take_over: true }))).toEqual([409, 'CONFLICT']);
    });

    const LATE = `expires_at: must not be after ${after(2)}, when the API key of this request expires`;
    const NULL = `expires_at: must not be null, nor after ${after(2)}, when the API key of this request expires`;

    it.each([
      ['a later expiry', { expires_at: after(2.5) }],
      ['a later expiry in seconds', { expires_in: 3 * 86_400 }],
    ])('never after the key: %s is refused', async (_, expiry) => {
      const key = await keyWith({ expires_at: after(2) });
      const own = await link(key.as, { expires_at: after(1) });
      const ofAda = await link(ada, { expires_at: after(1) });
      for (const reply of [
        await post(key.as, expiry),
        await patch(key.as, own, expiry),
        await patch(key.as, ofAda, expiry),
      ])
        expect([reply.status, reply.body]).toEqual([400, refusal('VALIDATION_ERROR', LATE)]);
      expect((await list()).map(({ expires_at: end }) => end)).toEqual([after(1), after(1)]);
      expect((await patch(ada, ofAda, expiry)).status).toBe(200);
    });

    it('without an expiry of their own with the key, and another link cannot be made to last', async () => {
      const key = await keyWith({ expires_at: after(2) });
      const own = await link(key.as, { expires_at: after(1) });
      const { status, body } = await patch(key.as, own, { expires_at: null });
      expect([status, body.data.expires_at]).toEqual([200, after(2)]);
      const ofAda = await link(ada, { expires_at: after(1) });
      const refused = await patch(key.as, ofAda, { expires_at: null });
      expect([refused.status, refused.body]).toEqual([400, refusal('VALIDATION_ERROR', NULL)]);
      const taken = await patch(key.as, ofAda, { expires_at: null, take_over: true });
      expect([taken.status, taken.body.data.expires_at]).toEqual([200, after(2)]);
    });
  });

  it('pass to the key that replaces it', async () => {
    const key = await keyWith({ scopes: [...TO_SHARE], expires_at: after(2) });
    const plain = await link(key.as);
    const rotate = () => ada.post(`/api-keys/${key.id}/rotate`, { overlap: 0, expires_at: after(9) });
    let rotated: Reply | undefined;
    const changes = await changesOf(service.dataSource, async () => {
      rotated = await rotate();
    });
    expect(changes.map(({ type }) => type)).not.toContain('share_link.changed');
    const { id: newId, key: text } = rotated!.body.data;
    at(3);
    expect(await opens(plain)).toBe(200);
    expect(await link(service.api.as(text))).toMatchObject({ id: plain.id, expires_at: after(9) });
    await ada.delete(`/api-keys/${newId}`);
    expect(await opens(plain)).toBe(404);
  });

  it('are plain ones of their own, of each key and permission', async () => {
    const [one, two] = [
      await keyWith({ scopes: [...TO_SHARE] }),
      await keyWith({ organizations: [acme.id] }),
    ];
    const full = await keyWith({});
    const first = await Promise.all([link(one.as), link(one.as), link(one.as)]);
    const second = await link(two.as);
    const ofFull = await link(full.as);
    expect(new Set(first.map((made) => made.id)).size).toBe(1);
    expect(new Set([first[0]?.id, second.id, ofFull.id]).size).toBe(3);
    expect([(await link(one.as)).id, (await link(two.as)).id]).toEqual([first[0]?.id, second.id]);
    // Grace has no limits either.
    expect((await link(service.api.as(keyOf('Grace')))).id).toBe(ofFull.id);
    expect((await link(ada)).id).toBe(ofFull.id);
    const download = await link(one.as, { permission: 'download' });
    expect((await link(one.as, { permission: 'download' })).id).toBe(download.id);
    expect(await list()).toHaveLength(4);
  });

  describe('taken over', () => {
    it('with a key without limits no longer end with it', async () => {
      const key = await keyWith({ expires_at: after(2) });
      const [plain, full] = [await link(key.as), await link(ada)];
      let taken: Reply | undefined;
      const changes = await changesOf(service.dataSource, async () => {
        taken = await patch(ada, plain, { take_over: true });
      });
      expect([taken?.status, taken?.body.data.expires_at]).toEqual([200, null]);
      expect(changes.find(({ type }) => type === 'share_link.changed')?.details).toMatchObject({
        before: { expires_at: after(2) },
        after: { expires_at: null },
      });
      await ada.delete(`/api-keys/${key.id}`);
      expect(await opens(plain)).toBe(200);
      // It is a separate link now.
      expect((await link(ada)).id).toBe(full.id);
    });

    it('with a limited key end with that', async () => {
      const made = await link(ada);
      const key = await keyWith({ expires_at: after(2) });
      expect((await patch(key.as, made, { take_over: true })).body.data.expires_at).toBe(after(2));
      expect((await link(ada)).id).not.toBe(made.id);
      at(2);
      expect(await opens(made)).toBe(404);
    });

    it('by someone else are theirs', async () => {
      const key = await keyWith({ scopes: [...TO_SHARE] });
      const made = await link(key.as);
      const { body } = await patch(service.api.as(keyOf('Grace')), made, { take_over: true });
      await ada.delete(`/api-keys/${key.id}`);
      expect([body.data.expires_at, await opens(made)]).toEqual([null, 200]);
    });
  });
});
