import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import type { Client, Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('what a user makes has no higher plan than theirs', () => {
  let service: TestService;
  const [fred, petra, olga] = [user('Fred', { plan: 'FREE' }), user('Petra'), user('Olga', { plan: 'FREE' })];

  beforeAll(async () => {
    service = await startService({ DEFAULT_PLAN: 'PRO', RATE_LIMIT_COSTLY_PER_MINUTE: '0' });
    await service.import({ users: [fred, petra, olga] });
    await service.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [olga.id]);
  });
  afterAll(() => service.stop());

  const as = (name: string): Client => service.api.as(keyOf(name));
  const create = async (name: string): Promise<Reply['body']> => {
    const { status, body } = await as(name).post('/organizations', { name: `Of ${name}` });
    expect(status).toBe(201);
    return body.data;
  };

  it('and nothing is unlocked or downloaded by moving it there', async () => {
    const [fresh, old] = [
      recording('Fred'),
      recording('Fred', { createdAt: new Date(Date.now() - 31 * DAY_MS).toISOString() }),
    ];
    await service.import({ recordings: [fresh, old] });
    const { id } = await create('Fred');
    const move = (one: { id: string }): Promise<Reply> =>
      as('Fred').patch(`/recordings/${one.id}`, { organization_id: id });
    expect((await move(fresh)).status).toBe(200);
    const { capabilities } = (await as('Fred').get(`/recordings/${fresh.id}`)).body.data;
    expect(capabilities.canDownload).toBe(false);
    const refused = await move(old);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'RECORDING_LOCKED']);
  });

  it('and a locked recording does not enter an organization of a higher plan', async () => {
    const old = recording('Fred', { createdAt: new Date(Date.now() - 31 * DAY_MS).toISOString() });
    const paid = organization('Paid', { members: [member('Fred', 'OWNER')] });
    await service.import({ organizations: [paid], recordings: [old] });
    const refused = await as('Fred').patch(`/recordings/${old.id}`, { organization_id: paid.id });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'RECORDING_LOCKED']);
  });

  it.each([
    ['Fred', 'FREE'],
    ['Petra', 'PRO'],
    // An operator, who could change it anyway.
    ['Olga', 'PRO'],
  ])('an organization of %s is %s, and so is a new person whom they invite', async (name, plan) => {
    const { id, plan: given } = await create(name);
    expect(given).toBe(plan);
    const email = emailOf(`invited-by-${name}`);
    const invited = await as(name).post(`/organizations/${id}/invitations`, { email, role: 'OWNER' });
    const { body } = await service.api.post('/invitations/accept', {
      token: invited.body.data.invite_token,
      name: 'Invited',
    });
    const me = await service.api.as(body.data.key).get('/me');
    expect(me.body.data.plan).toBe(plan);
  });
});
