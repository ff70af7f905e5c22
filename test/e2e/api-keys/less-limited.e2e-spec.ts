import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { folder, id, keyOf, member, organization, user } from '../../factories/workspace.js';
import { outcome, type Client, type Reply } from '../../support/client.js';
import { startService, waitingForLocks, type TestService } from '../../support/service.js';

interface Key {
  readonly id: string;
  readonly as: Client;
}

const NOT_FOUND = [404, 'API_KEY_NOT_FOUND'];
const EXPIRY = '2098-01-01T00:00:00.000Z';

describe('keys that are less limited than the key of a request', () => {
  let service: TestService;
  let ada: Client;
  let own: string;
  let users = 0;
  let acme: ReturnType<typeof organization>;
  let board: ReturnType<typeof folder>;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    users += 1;
    board = folder('Board');
    acme = organization(`Acme ${users}`, { members: [member(`Ada${users}`, 'OWNER')], folders: [board] });
    await service.import({ users: [user(`Ada${users}`)], organizations: [acme] });
    ada = service.api.as(keyOf(`Ada${users}`));
    own = (await ada.get('/me')).body.data.api_key.id;
  });

  const make = async (limits: object, path = '/api-keys'): Promise<Key> => {
    const { status, body } = await ada.post(path, { name: 'made', ...limits });
    expect([status, body.error]).toEqual([201, undefined]);
    return { id: body.data.id, as: service.api.as(body.data.key) };
  };
  const operations = (by: Client, keyId: string): (() => Promise<Reply>)[] => [
    () => by.get(`/api-keys/${keyId}`),
    () => by.patch(`/api-keys/${keyId}`, { name: 'mine' }),
    () => by.post(`/api-keys/${keyId}/rotate`, {}),
    () => by.delete(`/api-keys/${keyId}`),
  ];
  const idsOf = ({ body }: Reply): string[] => body.data.map((key: Key) => key.id).sort();

  it.each([
    ['scopes', () => ({ scopes: ['keys:manage', 'recordings:read'] }), { scopes: ['keys:manage'] }],
    ['organizations', () => ({ organizations: [acme.id] }), {}],
    ['folders', () => ({ folders: [board.id] }), {}],
    ['addresses', () => ({ addresses: ['127.0.0.0/8', '::1'] }), { addresses: ['127.0.0.1'] }],
    ['an expiry', () => ({ expires_at: EXPIRY }), { expires_at: '2097-12-31' }],
  ])(
    'are absent for a key with %s, which knows itself and those within its limits',
    async (_, limits, less) => {
      const key = await make(limits());
      const [stronger, same] = [await make({}), await make({ ...limits(), ...less })];
      expect(idsOf(await key.as.get('/api-keys'))).toEqual([key.id, same.id].sort());
      const missing = await key.as.get(`/api-keys/${id()}`);
      for (const hidden of [own, stronger.id])
        for (const operation of operations(key.as, hidden)) {
          const reply = await operation();
          expect([reply.status, reply.body.error]).toEqual([404, missing.body.error]);
        }
      expect((await ada.get(`/api-keys/${stronger.id}`)).body.data).toMatchObject({
        name: 'made',
        is_revoked: false,
        replaced_by: null,
      });
      for (const known of [same.id, key.id]) {
        const statuses: number[] = [];
        for (const operation of operations(key.as, known)) statuses.push((await operation()).status);
        expect(statuses).toEqual([200, 200, 201, 200]);
      }
    },
  );

  it('are all known to a key without limits', async () => {
    const [narrow, full] = [await make({ scopes: ['questions'] }), await make({})];
    expect(idsOf(await full.as.get('/api-keys'))).toEqual([own, narrow.id, full.id].sort());
    expect((await full.as.delete(`/api-keys/${own}`)).status).toBe(200);
  });

  it('are absent as soon as the key is narrowed, also for requests that wait', async () => {
    const [key, target] = [await make({}), await make({})];
    const runner = service.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT FROM users WHERE name = $1 FOR NO KEY UPDATE', [`Ada${users}`]);
    const waiting = [
      key.as.patch(`/api-keys/${target.id}`, { name: 'mine' }),
      key.as.post(`/api-keys/${target.id}/rotate`, {}),
    ];
    await waitingForLocks(service, 2);
    await runner.query(`UPDATE api_keys SET scopes = '{keys:manage}' WHERE id = $1`, [key.id]);
    await runner.commitTransaction();
    await runner.release();
    for (const reply of await Promise.all(waiting)) expect(outcome(reply)).toEqual(NOT_FOUND);
    expect(outcome(await key.as.delete(`/api-keys/${target.id}`))).toEqual(NOT_FOUND);
  });

  it('are absent among the keys of service accounts', async () => {
    const home = `/organizations/${acme.id}/service-accounts`;
    const account = (await ada.post(home, { name: 'Robot', role: 'EDITOR' })).body.data;
    const at = `${home}/${account.id}`;
    const scopes = ['organizations:read', 'organizations:manage', 'keys:manage'];
    const key = await make({ scopes });
    const within = await make({ scopes: ['keys:manage'] }, `${at}/keys`);
    expect((await key.as.get(at)).body.data.api_keys.map(({ id: shown }: Key) => shown)).toEqual([within.id]);
    const stronger = `${at}/keys/${account.api_key.id}`;
    expect(outcome(await key.as.post(`${stronger}/rotate`, {}))).toEqual(NOT_FOUND);
    expect(outcome(await key.as.delete(stronger))).toEqual(NOT_FOUND);
    expect((await ada.get(at)).body.data.api_keys).toHaveLength(2);
    const rotated = await key.as.post(`${at}/keys/${within.id}/rotate`, {});
    expect(rotated.status).toBe(201);
    expect((await key.as.delete(`${at}/keys/${rotated.body.data.id}`)).status).toBe(200);
  });
});
