import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, user } from '../../factories/workspace.js';
import { startService, type TestService } from '../../support/service.js';

describe('GET /organizations', () => {
  let service: TestService;
  const zeta = organization('Zeta', { members: [member('Ada', 'OWNER'), member('Grace', 'VIEWER')] });
  const acme = organization('Acme', { members: [member('Ada', 'EDITOR')] });
  const ended = organization('Ended', {
    subscription: { status: 'expired', endsAt: null },
    members: [member('Ada', 'VIEWER'), member('Grace', 'ADMIN'), member('Linus', 'OWNER')],
  });

  beforeAll(async () => {
    service = await startService();
    await service.import({
      users: [user('Ada'), user('Grace'), user('Linus'), user('Nobody')],
      organizations: [zeta, acme, ended, organization('Foreign', { members: [member('Linus', 'OWNER')] })],
    });
  });
  afterAll(() => service.stop());

  const quotas = expect.any(Object);
  const list = (name: string): ReturnType<TestService['api']['get']> =>
    service.api.as(keyOf(name)).get('/organizations');

  it("lists the caller's organizations by name, with the caller's role and the number of members", async () => {
    const { status, body } = await list('Ada');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        { id: acme.id, name: 'Acme', role: 'EDITOR', member_count: 1, quotas: null },
        { id: ended.id, name: 'Ended', role: 'VIEWER', member_count: 3, quotas: null },
        { id: zeta.id, name: 'Zeta', role: 'OWNER', member_count: 2, quotas },
      ],
    });
  });

  it('lists the role of each caller', async () => {
    const { body } = await list('Grace');
    expect(body.data).toEqual([
      { id: ended.id, name: 'Ended', role: 'ADMIN', member_count: 3, quotas },
      { id: zeta.id, name: 'Zeta', role: 'VIEWER', member_count: 2, quotas: null },
    ]);
  });

  it('lists nothing for a user without organizations', async () => {
    expect((await list('Nobody')).body).toEqual({ data: [] });
  });

  it('no longer lists or counts members who have left', async () => {
    await service.dataSource.query(
      'DELETE FROM organization_members WHERE organization_id = $1 AND role = $2',
      [ended.id, 'ADMIN'],
    );
    expect((await list('Grace')).body.data).toHaveLength(1);
    expect((await list('Ada')).body.data[1]).toEqual({
      id: ended.id,
      name: 'Ended',
      role: 'VIEWER',
      member_count: 2,
      quotas: null,
    });
  });
});
