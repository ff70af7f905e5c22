import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiKeyUsageService } from '../../../src/modules/api-keys/api-key-usage.service.js';
import { emailOf, keyOf, ownDeletion, user } from '../../factories/workspace.js';
import { startService, type TestService } from '../../support/service.js';

const DAY_MS = 86_400_000;
const LAST_MOMENT = new Date('2030-01-01T23:59:59.999Z');

describe('The use of an API key', () => {
  let service: TestService;
  let robot: { id: string; key: string };
  let users = 0;

  beforeAll(async () => {
    service = await startService({ TRUST_PROXY: '127.0.0.1' });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    users += 1;
    await service.import({ users: [user(`Ada${users}`)] });
    robot = (await ada().post('/api-keys', { name: 'robot' })).body.data;
  });
  afterEach(() => service.setNow(null));

  const ada = () => service.api.as(keyOf(`Ada${users}`));
  const written = () => service.app.get(ApiKeyUsageService, { strict: false }).flush();
  const stored = async () => {
    await written();
    return (await ada().get(`/api-keys/${robot.id}`)).body.data;
  };
  const rows = async (): Promise<object[]> =>
    service.dataSource.query(
      'SELECT day::text, requests::int FROM api_key_uses WHERE api_key_id = $1 ORDER BY day',
      [robot.id],
    );

  async function use(at: Date, times = 1, address = '203.0.113.7', path = '/me'): Promise<void> {
    service.setNow(at);
    const headers = { 'X-Forwarded-For': address };
    for (let time = 0; time < times; time += 1) await service.api.as(robot.key).get(path, { headers });
  }

  it('is null before it is used', async () => {
    expect(await stored()).toMatchObject({ last_used_at: null, last_used_address: null, uses: [] });
  });

  it('says when it was last, and from which address', async () => {
    await use(new Date(LAST_MOMENT.getTime() - 1), 1, '203.0.113.8');
    await use(LAST_MOMENT, 1, '2001:db8::7');
    const last = { last_used_at: LAST_MOMENT.toISOString(), last_used_address: '2001:db8::7' };
    expect(await stored()).toMatchObject(last);
    const { data } = (await ada().get('/api-keys')).body;
    expect(data).toContainEqual(expect.objectContaining({ id: robot.id, ...last }));
  });

  it('keeps the latest, whichever process writes first', async () => {
    await use(LAST_MOMENT);
    await written();
    await use(new Date(LAST_MOMENT.getTime() - 5_000), 1, '203.0.113.9');
    expect(await stored()).toMatchObject({
      last_used_at: LAST_MOMENT.toISOString(),
      last_used_address: '203.0.113.7',
      uses: [{ day: '2030-01-01', requests: 2 }],
    });
  });

  it('counts the requests of each day in UTC, refused ones too, newest first', async () => {
    await use(LAST_MOMENT, 3);
    await use(new Date(LAST_MOMENT.getTime() + 1), 2);
    await written();
    await use(new Date(LAST_MOMENT.getTime() + 1), 1, undefined, '/users');
    expect((await stored()).uses).toEqual([
      { day: '2030-01-02', requests: 3 },
      { day: '2030-01-01', requests: 3 },
    ]);
  });

  it('is forgotten after 90 days', async () => {
    await use(LAST_MOMENT);
    const later = (days: number): Date => new Date(LAST_MOMENT.getTime() + days * DAY_MS);
    service.setNow(later(89));
    expect((await stored()).uses).toEqual([{ day: '2030-01-01', requests: 1 }]);
    service.setNow(later(90));
    expect((await stored()).uses).toEqual([]);
    await use(later(90));
    await written();
    expect(await rows()).toEqual([{ day: '2030-04-01', requests: 1 }]);
  });

  it('is gone with the user, also what is written late', async () => {
    await use(LAST_MOMENT, 2);
    await written();
    expect(await rows()).toHaveLength(1);
    await use(LAST_MOMENT);
    expect((await ada().delete(ownDeletion(emailOf(`Ada${users}`)))).status).toBe(200);
    await written();
    expect(await rows()).toEqual([]);
    const [key] = await service.dataSource.query(
      'SELECT last_used_address AS address, name FROM api_keys WHERE id = $1',
      [robot.id],
    );
    expect(key).toEqual({ address: null, name: '' });
  });
});
