import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findKeys } from '../../src/modules/api-keys/api-keys.queries.js';
import { id, organization, user } from '../factories/workspace.js';
import { readsOf, rowsIn } from '../support/plans.js';
import { startService, type TestService } from '../support/service.js';

const ORGANIZATIONS = 5_000;

/** Every request reads its key, with the organizations that do not accept it. */
describe('among many organizations, an API key', () => {
  let service: TestService;
  let keyId: string;
  const ada = user('Ada');
  const acme = organization('Acme', { members: [{ email: ada.email, role: 'OWNER', features: {} }] });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [ada], organizations: [acme] });
    // Without statistics, as after a migration.
    await service.dataSource.query(
      `INSERT INTO organizations (id, name, plan) SELECT gen_random_uuid(), 'Other', 'FREE' FROM generate_series(1, ${ORGANIZATIONS})`,
    );
    [{ id: keyId }] = await service.dataSource.query<[{ id: string }]>('SELECT id FROM api_keys');
  });
  afterAll(() => service.stop());

  async function rowsOfOrganizations(): Promise<number> {
    const { dataSource } = service;
    const reads = await readsOf(dataSource, () => findKeys(dataSource.manager, [keyId]), /FROM api_keys k/);
    return rowsIn(reads.filter(({ relation }) => relation === 'organizations'));
  }

  it('is read without reading them, before and after PostgreSQL has statistics', async () => {
    expect(await rowsOfOrganizations()).toBe(0);
    await service.dataSource.query('ANALYZE organizations');
    expect(await rowsOfOrganizations()).toBe(0);
  });

  it('is read with those of its user, where some limit how long keys work', async () => {
    await service.dataSource.query(
      `UPDATE organizations SET api_key_max_days = 90 WHERE id = $1 OR id IN (SELECT id FROM organizations LIMIT 50)`,
      [acme.id],
    );
    expect(await findKeys(service.dataSource.manager, [keyId, id()])).toMatchObject([
      { id: keyId, refusedBy: [acme.id] },
    ]);
    expect(await rowsOfOrganizations()).toBeLessThan(100);
  });
});
