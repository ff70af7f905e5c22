import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHANGE_TYPES } from '../../../src/contract/changes/change-catalog.js';
import {
  emailOf,
  id,
  keyOf,
  member,
  organization,
  ownDeletion,
  recording,
  user,
} from '../../factories/workspace.js';
import { startService, type TestService } from '../../support/service.js';

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly api_key: { readonly id: string; readonly prefix: string } | null;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly target_id: string | null;
  readonly user_id: string | null;
  readonly email: string | null;
  readonly changes: Record<string, unknown>;
}
interface Page {
  readonly data: Entry[];
  readonly pagination: { readonly has_more: boolean; readonly next_cursor: string | null };
}

describe('GET /organizations/:id/audit-log', () => {
  let service: TestService;
  const [ada, grace, edda, vito] = [user('Ada'), user('Grace'), user('Edda'), user('Vito')];
  const acme = organization('Acme', {
    members: [
      member('Ada', 'OWNER'),
      member('Grace', 'ADMIN'),
      member('Edda', 'EDITOR'),
      member('Vito', 'VIEWER'),
    ],
  });
  const other = organization('Other', { members: [member('Ada', 'OWNER')] });
  const shared = recording('Edda', { organization: 'Acme' });
  const log = `/organizations/${acme.id}/audit-log`;

  const as = (name: string) => service.api.as(keyOf(name));
  async function read(query = '', name = 'Ada', path = log): Promise<Page> {
    const { status, body } = await as(name).get(`${path}${query}`);
    expect([status, body]).toMatchObject([200, {}]);
    return body as unknown as Page;
  }
  const types = ({ data }: Page): string[] => data.map(({ type }) => type);

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [ada, grace, edda, vito, user('Stranger'), user('Operator')],
      organizations: [acme, other],
      recordings: [shared],
    });
    await service.dataSource.query('UPDATE users SET operator = true WHERE email = $1', [
      emailOf('Operator'),
    ]);
    await as('Grace').patch(
      `/organizations/${acme.id}/members/${vito.id}`,
      { role: 'EDITOR' },
      { headers: { 'X-Request-Id': 'raise-vito', 'User-Agent': 'console/3.1' } },
    );
    await as('Ada').post(`/organizations/${acme.id}/invitations`, { email: 'new@acme.test', role: 'VIEWER' });
    await as('Edda').patch(`/recordings/${shared.id}`, { title: 'Renamed' });
    await as('Edda').post(`/recordings/${shared.id}/share-link`, {});
    await as('Ada').patch(`/organizations/${other.id}`, { name: 'Another' });
  });
  afterAll(() => service.stop());

  it('says who changed what, when, with which key, in which request and from where', async () => {
    const [entry] = (await read('?type=member.updated')).data;
    const [key]: { id: string; prefix: string }[] = await service.dataSource.query(
      'SELECT id, prefix FROM api_keys WHERE user_id = $1',
      [grace.id],
    );
    expect(entry).toMatchObject({
      type: 'member.updated',
      actor: { kind: 'user', id: grace.id, name: 'Grace' },
      api_key: key,
      request_id: 'raise-vito',
      address: '127.0.0.1',
      client: 'console/3.1',
      organization_id: acme.id,
      recording_id: null,
      target_id: vito.id,
      user_id: vito.id,
      email: null,
      changes: { before: { role: 'VIEWER' }, after: { role: 'EDITOR' } },
    });
    expect(Math.abs(Date.now() - new Date(entry!.at).getTime())).toBeLessThan(120_000);
  });

  it('has the newest first, and nothing of other organizations', async () => {
    const { data } = await read('?limit=100');
    const order = data.map(({ at, id: entry }) => `${at} ${entry}`);
    expect(order).toEqual(order.toSorted().toReversed());
    expect(types({ data } as Page).slice(0, 4)).toEqual([
      'share_link.created',
      'recording.updated',
      'invitation.created',
      'member.updated',
    ]);
    expect(types({ data } as Page)).not.toContain('organization.updated');
  });

  it.each([
    ['Ada', '200'],
    ['Grace', '200'],
    ['Edda', '403 FORBIDDEN'],
    ['Stranger', '403 FORBIDDEN'],
    ['Operator', '403 FORBIDDEN'],
  ])('for %s: %s', async (name, outcome) => {
    for (const query of ['', '?format=ndjson']) {
      const { status, body } = await as(name).get(`${log}${query}`);
      const code = (body as { error?: { code: string } }).error?.code;
      expect([status, code].filter(Boolean).join(' ')).toBe(outcome);
    }
  });

  it('is not found in an organization that does not exist, and not read without a key', async () => {
    for (const unknown of [id(), 'nothing'])
      expect((await as('Ada').get(`/organizations/${unknown}/audit-log`)).body).toMatchObject({
        error: { code: 'ORGANIZATION_NOT_FOUND' },
      });
    expect((await service.api.get(log)).status).toBe(401);
  });

  it('filters by types and families', async () => {
    expect(types(await read('?type=recording.updated,invitation.*'))).toEqual([
      'recording.updated',
      'invitation.created',
    ]);
    const every = await read(`?limit=100&type=${CHANGE_TYPES.join(',')}`);
    expect(every.data).toEqual((await read('?limit=100')).data);
  });

  it('filters by actor, target, recording or user concerned', async () => {
    expect(types(await read(`?actor_id=${grace.id}`))).toEqual(['member.updated']);
    expect(types(await read(`?target_id=${shared.id}`))).toEqual([
      'share_link.created',
      'recording.updated',
      'recording.created',
    ]);
    expect(types(await read(`?target_id=${vito.id}`))).toEqual(['member.updated', 'member.added']);
    expect(types(await read(`?target_id=${shared.id}&actor_id=${edda.id}&type=share_link.*`))).toEqual([
      'share_link.created',
    ]);
    expect(types(await read(`?actor_id=${edda.id}&type=recording.*`))).toEqual(['recording.updated']);
    for (const nobody of [id(), 'nobody', ada.id.toUpperCase() + '0'])
      expect((await read(`?actor_id=${nobody}`)).data).toEqual([]);
  });

  it('filters by time', async () => {
    const [last, previous] = (await read('?limit=2')).data;
    expect((await read(`?since=${last!.at}`)).data[0]).toEqual(last);
    expect(types(await read(`?until=${previous!.at}&limit=1`))).toEqual(['recording.updated']);
    expect((await read('?until=2020-01-01')).data).toEqual([]);
    expect((await read('?since=2999-01-01T00:00:00Z')).data).toEqual([]);
  });

  it('continues by cursor without repeating or skipping', async () => {
    const whole = (await read('?limit=100')).data;
    const pages: Entry[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await read(`?limit=3${cursor && `&cursor=${cursor}`}`);
      expect(page.data.length).toBeLessThanOrEqual(3);
      expect(page.pagination.has_more).toBe(page.pagination.next_cursor !== null);
      pages.push(...page.data);
      cursor = page.pagination.next_cursor;
    }
    expect(pages).toEqual(whole);
  });

  it.each([
    ['type=no.such', 'type'],
    ['type=*', 'type'],
    ['since=yesterday', 'since'],
    ['limit=0', 'limit'],
    [`cursor=${Buffer.alloc(24, 0xff).toString('base64url')}`, 'cursor'],
    ['format=csv', 'format'],
    ['format=ndjson&limit=5', 'format'],
    ['type=member.added&type=member.removed', 'type'],
  ])('refuses ?%s, and names it', async (query, name) => {
    const { status, body } = await as('Ada').get(`${log}?${query}`);
    expect([status, body]).toMatchObject([
      400,
      { error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(`^${name}: `) } },
    ]);
  });

  it('gives the deleted user a pseudonym', async () => {
    const linus = user('Linus');
    await service.import({ users: [linus] });
    await service.dataSource.query(
      `INSERT INTO organization_members (organization_id, user_id, role) VALUES ($1, $2, 'EDITOR')`,
      [acme.id, linus.id],
    );
    await as('Linus').delete(`/organizations/${acme.id}/members/${linus.id}`);
    await as('Linus').delete(ownDeletion(emailOf('Linus')));
    expect((await read(`?actor_id=${linus.id}`)).data).toMatchObject([
      { actor: { kind: 'user', id: linus.id, name: `Deleted user ${linus.id.slice(-8)}` } },
    ]);
  });

  describe('GET /me/audit-log', () => {
    it('has what one did and what concerns one, without the addresses, clients and keys of others', async () => {
      const { data } = await read('?limit=100', 'Vito', '/me/audit-log');
      expect(data.find(({ type }) => type === 'member.updated')).toMatchObject({
        actor: { id: grace.id, name: 'Grace' },
        user_id: vito.id,
        api_key: null,
        request_id: null,
        address: null,
        client: null,
      });
      const own = (await read(`?type=member.updated`, 'Grace', '/me/audit-log')).data;
      expect(own).toMatchObject([{ address: '127.0.0.1', request_id: 'raise-vito', api_key: {} }]);
      expect(
        (await read('', 'Stranger', '/me/audit-log')).data.map(({ user_id: about }) => about),
      ).toContainEqual(expect.any(String));
      expect(JSON.stringify((await read('?limit=100', 'Stranger', '/me/audit-log')).data)).not.toContain(
        acme.id,
      );
    });
  });
});
