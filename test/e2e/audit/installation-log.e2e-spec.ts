import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SecurityEventsService } from '../../../src/modules/audit/security-events.service.js';
import { keyOf, member, organization, user } from '../../factories/workspace.js';
import { refusal } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

describe('the audit log of the installation', () => {
  let service: TestService;
  const [ada, grace, olga] = [user('Ada'), user('Grace'), user('Olga')];
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
  const beta = organization('Beta', { members: [member('Grace', 'OWNER')] });
  const as = (name: string) => service.api.as(keyOf(name));

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [ada, grace, olga], organizations: [acme, beta] });
    await service.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [olga.id]);
    await as('Ada').patch(`/organizations/${acme.id}`, { name: 'Acme Inc' });
    await as('Grace').patch('/me', { name: 'Grace H.' });
    await service.app.get(SecurityEventsService).flush();
  });
  afterAll(() => service.stop());

  it('has the changes of all organizations and of none, and all sign-ins, newest first', async () => {
    const { status, body } = await as('Olga').get('/audit-log?limit=100');
    expect(status).toBe(200);
    const entries = body.data as { type: string; at: string; actor: { id: string } }[];
    const made = entries.map(({ type, actor }) => `${type} ${actor.id}`);
    expect(made).toEqual(
      expect.arrayContaining([
        `organization.updated ${ada.id}`,
        `user.updated ${grace.id}`,
        `sign_in.succeeded ${ada.id}`,
        `sign_in.succeeded ${grace.id}`,
      ]),
    );
    expect(entries.map(({ at }) => at)).toEqual(
      entries
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    const [[{ count }]] = [await service.dataSource.query('SELECT count(*)::int FROM change_log')];
    const file = await as('Olga').get('/audit-log?format=ndjson');
    expect((file.body as unknown as string).trimEnd().split('\n')).toHaveLength(count);
  });

  it.each([
    [`type=organization.*&actor_id=${ada.id}`, ['organization.updated']],
    [`target_id=${grace.id}&type=user.updated`, ['user.updated']],
    ['type=api_key.revoked', []],
  ])('takes the same filters as that of an organization: %s', async (filter, types) => {
    const { body } = await as('Olga').get(`/audit-log?${filter}`);
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(types);
  });

  it('is only for operators, with keys that are as well', async () => {
    expect(await as('Ada').get('/audit-log')).toMatchObject({ status: 403, body: refusal('FORBIDDEN') });
    for (const scopes of [['audit:read'], ['operator']]) {
      const { body } = await as('Olga').post('/api-keys', { name: 'narrow', scopes });
      const reply = await service.api.as(body.data.key).get('/audit-log');
      expect(reply).toMatchObject({ status: 403, body: refusal('FORBIDDEN') });
    }
  });
});
