import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SecurityEventsService } from '../../../src/modules/audit/security-events.service.js';
import { CHANGE_CATALOG, type ChangeTypeName } from '../../../src/contract/changes/change-catalog.js';
import { emailOf, id, keyOf, member, organization, ownDeletion, user } from '../../factories/workspace.js';
import { eventually, startService, type TestService } from '../../support/service.js';

interface Entry {
  readonly type: ChangeTypeName;
  readonly actor: object;
  readonly address: string | null;
  readonly organization_id: string | null;
  readonly changes: { readonly operation: string | null; readonly code: string; readonly count: number };
}

describe('sign-ins and refused requests in the audit log', () => {
  let service: TestService;
  let another: TestService;
  const [ada, grace, edda, linus] = [user('Ada'), user('Grace'), user('Edda'), user('Linus')];
  const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Edda', 'EDITOR')] });
  const at = `/organizations/${acme.id}`;
  const proxied = { TRUST_PROXY: 'loopback' };

  beforeAll(async () => {
    service = await startService(proxied, { worker: true });
    another = await startService(proxied, { beside: service });
    await service.import({ users: [ada, grace, edda, linus], organizations: [acme] });
  });
  afterAll(async () => {
    await another.stop();
    await service.stop();
  });

  const as = (name: string, of = service) => of.api.as(keyOf(name));
  const flush = async (of = service): Promise<void> => {
    await of.app.get(SecurityEventsService).flush();
  };
  async function logOf(name: string, path = '/me/audit-log', type = '*'): Promise<Entry[]> {
    const { status, body } = await as(name).get(`${path}?limit=100${type === '*' ? '' : `&type=${type}`}`);
    expect(status).toBe(200);
    const { data } = body as { data: Entry[] };
    for (const entry of data) CHANGE_CATALOG[entry.type].details.parse(entry.changes);
    return data;
  }
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

  describe('sign-ins', () => {
    it('are logged once for a key and an address, whatever the number of requests and processes', async () => {
      for (let time = 0; time < 5; time += 1) {
        await as('Grace').get('/me', from('203.0.113.1'));
        await as('Grace', another).get('/me', from('203.0.113.1'));
        await as('Grace', another).get('/me', from('203.0.113.2'));
        await as('Grace').get('/me', from(`2001:db8:1:2::${time}`));
      }
      await Promise.all([flush(), flush(another)]);
      await as('Grace').get('/me', from('203.0.113.2'));
      await flush();
      const signIns = await logOf('Grace', '/me/audit-log', 'sign_in.succeeded');
      expect(signIns.map(({ address }) => address).toSorted()).toEqual(
        ['127.0.0.1', '2001:db8:1:2::0', '203.0.113.1', '203.0.113.2'].filter((address) =>
          signIns.some((entry) => entry.address === address),
        ),
      );
      expect(signIns).toHaveLength(new Set(signIns.map(({ address }) => address)).size);
      expect(signIns.map(({ address }) => address)).toEqual(
        expect.arrayContaining(['203.0.113.1', '203.0.113.2', '2001:db8:1:2::0']),
      );
      expect(signIns[0]).toMatchObject({ actor: { kind: 'user', id: grace.id }, user_id: grace.id });
      expect(await logOf('Edda', '/me/audit-log', 'sign_in.succeeded')).not.toContainEqual(
        expect.objectContaining({ address: '203.0.113.1' }),
      );
    });

    it('are bounded for a key that is used from many addresses', async () => {
      for (let last = 1; last <= 40; last += 1) await as('Linus').get('/me', from(`198.51.100.${last}`));
      await flush();
      expect((await logOf('Linus', '/me/audit-log', 'sign_in.succeeded')).length).toBeLessThanOrEqual(10);
    });

    it('with a key that was revoked are logged for its user, with a count', async () => {
      const { body } = await as('Ada').post('/api-keys', { name: 'old' });
      const { id: keyId, key } = (body as { data: { id: string; key: string } }).data;
      await as('Ada').delete(`/api-keys/${keyId}`);
      for (let time = 0; time < 3; time += 1)
        expect((await service.api.as(key).get('/me', from('203.0.113.66'))).status).toBe(401);
      await service.api.as('mrs_unknown').get('/me');
      await flush();
      expect(await logOf('Ada', '/me/audit-log', 'sign_in.refused')).toMatchObject([
        {
          actor: { kind: 'anonymous', id: null, name: null },
          api_key: { id: keyId },
          address: '203.0.113.66',
          client: 'node',
          user_id: ada.id,
          changes: { code: 'INVALID_API_KEY', count: 3 },
        },
      ]);
    });
  });

  describe('refused requests', () => {
    it('to manage an organization are gathered, and seen by its OWNER', async () => {
      for (let time = 0; time < 4; time += 1)
        await as('Edda').patch(`${at}/members/${edda.id}`, { role: 'OWNER' });
      await as('Edda').get(`${at}/audit-log`);
      await as('Edda').post('/webhooks', {
        url: 'https://hooks.example.com/',
        types: ['*'],
        organization_id: at.split('/').pop(),
      });
      await as('Grace').get(`${at}/members`);
      await flush();
      const refused = await logOf('Ada', `${at}/audit-log`, 'management.refused');
      expect(refused).toHaveLength(4);
      expect(refused).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            actor: { kind: 'user', id: edda.id, name: 'Edda' },
            address: '127.0.0.1',
            changes: { operation: 'updateMember', code: 'FORBIDDEN', count: 4 },
          }),
          expect.objectContaining({
            changes: { operation: 'getOrganizationAuditLog', code: 'FORBIDDEN', count: 1 },
          }),
          expect.objectContaining({
            changes: { operation: 'createWebhook', code: 'FORBIDDEN', count: 1 },
          }),
          expect.objectContaining({
            actor: { kind: 'user', id: grace.id, name: 'Grace' },
            changes: { operation: 'listMembers', code: 'FORBIDDEN', count: 1 },
          }),
        ]),
      );
    });

    it('are a few rows for a caller, and name no organization that does not exist', async () => {
      for (const operation of [
        ['GET', '/users'],
        ['PATCH', `/users/${edda.id}`, { name: 'X' }],
        ['DELETE', `/users/${edda.id}`],
        ['DELETE', at],
        ['PATCH', at, { name: 'X' }],
        ['POST', `${at}/folders`, { name: 'X' }],
        ['POST', `${at}/transfer`, { user_id: edda.id }],
        ['GET', `${at}/invitations`],
        ['GET', `/organizations/${id()}/members`],
      ] as const)
        await as('Grace').request(operation[0], operation[1], { body: operation[2] });
      await flush();
      const refused = (await logOf('Grace', '/me/audit-log', 'management.refused')).slice(0, -1);
      expect(refused).toHaveLength(5);
      expect(refused.map(({ changes }) => changes)).toContainEqual({
        operation: null,
        code: 'FORBIDDEN',
        count: 4,
      });
      const unknown = refused.find(({ changes }) => changes.operation === 'listUsers');
      expect(unknown).toMatchObject({ organization_id: null });
    });
  });

  it('does not forget invitations to an address that the deleted user only claimed', async () => {
    const invite = () => as('Ada').post(`${at}/invitations`, { email: 'claimed@new.test', role: 'VIEWER' });
    const { invite_token: token } = (await invite()).body.data;
    const { key } = (await service.api.post('/invitations/accept', { token, name: 'Mallory' })).body.data;
    expect((await invite()).status).toBe(201);
    const erased = `SELECT count(*)::int AS left FROM graphile_worker._private_jobs j
      JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      WHERE t.identifier = 'erasure' AND j.run_at <= now()`;
    expect((await service.api.as(key).delete(ownDeletion('claimed@new.test'))).status).toBe(200);
    await eventually(async () => expect(await service.dataSource.query(erased)).toEqual([{ left: 0 }]));
    const [invited, accepted] = await logOf('Ada', `${at}/audit-log`, 'invitation.created');
    expect(invited).toMatchObject({ email: 'claimed@new.test' });
    // That one was theirs, whatever their address is.
    expect(accepted).toMatchObject({ email: null });
  });

  it('forgets the addresses of a deleted user and where they were invited, and nothing else', async () => {
    await as('Ada').post(`${at}/invitations`, { email: emailOf('Linus'), role: 'VIEWER' });
    await as('Linus').get('/me', from('198.51.100.200'));
    await as('Linus').delete(ownDeletion(emailOf('Linus')));
    await flush();
    await eventually(async () => {
      const [{ left }] = await service.dataSource.query<[{ left: number }]>(
        'SELECT count(*)::int AS left FROM personal_details WHERE (user_id = $1 OR lower(value) = $2) AND value IS NOT NULL',
        [linus.id, emailOf('Linus')],
      );
      expect(left).toBe(0);
    });
    const [invited] = await logOf('Ada', `${at}/audit-log`, 'invitation.created');
    expect(invited).toMatchObject({ email: null, address: '127.0.0.1' });
    const everything = JSON.stringify(await service.dataSource.query('SELECT * FROM personal_details'));
    expect(everything).not.toMatch(/linus|198\.51\.100/i);
  });
});
