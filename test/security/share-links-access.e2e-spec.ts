import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sealToken } from '../../src/modules/sharing/links/share-links.queries.js';
import { Sealer } from '../../src/platform/sealing/sealer.js';
import { randomToken } from '../../src/platform/secrets/secrets.js';
import { id, keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { refusal, type Reply } from '../support/client.js';
import { startService, type TestService } from '../support/service.js';

/** Results of listing and revoking the links of Edith, who owns the recording, and of Vera, who only sees it. */
type Outcome = readonly [list: readonly Creator[] | 404, ofEdith: number, ofVera: number];
type Creator = 'Edith' | 'Vera';

const CONTROLS: Outcome = [['Edith', 'Vera'], 200, 200];
const SEES: Outcome = [[], 403, 403];
const NOTHING: Outcome = [404, 404, 404];

const MATRIX: readonly (readonly [string, string, Outcome])[] = [
  ['OWNER', 'Olga', CONTROLS],
  ['ADMIN', 'Adam', CONTROLS],
  ['EDITOR, own', 'Edith', CONTROLS],
  ["EDITOR with viewAll, another's", 'Edgar', SEES],
  ["EDITOR, another's", 'Emil', NOTHING],
  ['VIEWER with viewAll who created one', 'Vera', [['Vera'], 403, 200]],
  ['VIEWER with viewAll', 'Vincent', SEES],
  ["VIEWER, another's", 'Viktor', NOTHING],
  ['non-member', 'Stranger', NOTHING],
];

/** In most of these sharing is not possible, or no longer; existing links can still be revoked. */
const PLACES: readonly (readonly [string, object, object])[] = [
  ['a usual organization', {}, {}],
  ['an expired subscription', { subscription: { status: 'canceled', endsAt: null } }, {}],
  ['a recording locked by the plan', { plan: 'FREE' }, { createdAt: '2020-01-01T00:00:00Z' }],
  ['sharing turned off', { features: { sharing: false } }, {}],
];

const SEES_ALL = { viewAllRecordings: true };
/** Feature flags of the member, which must not matter. */
const OFF = { sharing: false, downloads: false };
const members = [
  member('Olga', 'OWNER'),
  member('Adam', 'ADMIN', OFF),
  member('Edith', 'EDITOR'),
  member('Edgar', 'EDITOR', SEES_ALL),
  member('Emil', 'EDITOR'),
  member('Vera', 'VIEWER', { ...SEES_ALL, ...OFF }),
  member('Vincent', 'VIEWER', SEES_ALL),
  member('Viktor', 'VIEWER'),
];

describe('access to share links', () => {
  let service: TestService;
  const users = [...MATRIX.map(([, name]) => user(name)), user('Ada')];
  const organizations = PLACES.map(([name, terms]) => organization(name, { members, ...terms }));

  beforeAll(async () => {
    service = await startService();
    await service.import({ users, organizations });
  });
  afterAll(() => service.stop());

  let subject: { id: string };
  let links: Record<Creator, string>;

  /** The links are inserted directly: in most places the API would refuse to create them. */
  async function place(owner: string, overrides: object, creators: readonly string[] = ['Edith', 'Vera']) {
    subject = recording(owner, overrides);
    await service.import({ recordings: [subject] });
    const [view, download] = [id(), id()];
    const sealer = service.app.get(Sealer);
    links = { Edith: view, Vera: download };
    await service.dataSource.query(
      `INSERT INTO share_links (id, recording_id, organization_id, permission, token_hash, token_sealed, sealing_key_id, created_by,
         created_at, plain)
       SELECT link.id::uuid, r.id, r.organization_id, link.permission, link.hash, link.sealed, $6, link.created_by::uuid,
         link.created_at::timestamptz, true
       FROM recordings r, (VALUES ($1, 'view', $4, '2026-01-02', $7::bytea, $8::bytea), ($2, 'download', $5, '2026-01-01', $9, $10))
         AS link (id, permission, created_by, created_at, hash, sealed)
       WHERE r.id = $3`,
      [
        view,
        download,
        subject.id,
        ...creators.map((name) => users.find((one) => one.name === name)?.id),
        service.app.get(Sealer).keyId,
        ...[view, download].flatMap((linkId) => {
          const { tokenHash, tokenSealed } = sealToken(sealer, linkId, randomToken());
          return [tokenHash, tokenSealed];
        }),
      ],
    );
  }
  const list = (name: string): Promise<Reply> =>
    service.api.as(keyOf(name)).get(`/recordings/${subject.id}/share-links`);
  const revoke = (name: string, linkId: string): Promise<Reply> =>
    service.api.as(keyOf(name)).delete(`/recordings/${subject.id}/share-links/${linkId}`);

  async function met(name: string): Promise<Outcome> {
    const listed = await list(name);
    if (listed.status === 404) expect(listed.body).toEqual(refusal('RECORDING_NOT_FOUND'));
    const seen = Object.entries(links) as [Creator, string][];
    const ids: string[] = (listed.body.data ?? []).map((link: { id: string }) => link.id);
    const creators = seen.filter(([, linkId]) => ids.includes(linkId)).map(([creator]) => creator);
    expect(creators).toHaveLength(ids.length);
    const replies = [await revoke(name, links.Edith), await revoke(name, links.Vera)] as const;
    for (const { status, body } of replies) {
      if (status === 403) expect(body).toEqual(refusal('FORBIDDEN'));
      if (status === 404) expect(body).toEqual(refusal('RECORDING_NOT_FOUND'));
    }
    return [listed.status === 404 ? 404 : creators, replies[0].status, replies[1].status];
  }

  describe.each(PLACES)('in %s', (organizationName, _, overrides) => {
    beforeEach(() => place('Edith', { organization: organizationName, ...overrides }));

    it.each(MATRIX)('%s (%s): [list, revoke the one of Edith, of Vera] is %j', async (__, name, outcome) => {
      expect(await met(name)).toEqual(outcome);
      // A rejected request has no effect; a successful one leaves nothing behind.
      const left: { id: string }[] = await service.dataSource.query(
        'SELECT id FROM share_links WHERE recording_id = $1 ORDER BY created_at DESC',
        [subject.id],
      );
      const kept = [
        ...(outcome[1] === 200 ? [] : [links.Edith]),
        ...(outcome[2] === 200 ? [] : [links.Vera]),
      ];
      expect(left.map((link) => link.id)).toEqual(kept);
    });
  });

  it('a personal recording: only its owner sees and controls its links', async () => {
    await place('Ada', {}, ['Ada', 'Vera']);
    expect(await met('Vera')).toEqual(NOTHING);
    expect(await met('Ada')).toEqual(CONTROLS);
  });

  it('a VIEWER who owns the recording may not change it, and so only controls their own link', async () => {
    await place('Viktor', { organization: 'a usual organization' }, ['Edith', 'Viktor']);
    expect(await met('Viktor')).toEqual([['Vera'], 403, 200]);
  });

  it('a creator who no longer sees the recording no longer controls the link', async () => {
    await place('Edith', { organization: 'a usual organization' }, ['Viktor', 'Vera']);
    expect(await met('Viktor')).toEqual(NOTHING);
  });

  it('an unknown or malformed recording id is 404', async () => {
    await place('Edith', { organization: 'a usual organization' });
    for (const unknown of [id(), 'none']) {
      subject = { ...subject, id: unknown };
      expect(await met('Olga')).toEqual(NOTHING);
    }
  });
});
