import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SealingService } from '../../src/modules/audit/seals/sealing.service.js';
import { id, keyOf, member, organization, user } from '../factories/workspace.js';
import { commandsOn } from '../support/command-line.js';
import type { Ended } from '../support/process.js';
import { startService, type TestService } from '../support/service.js';

interface Verified {
  readonly organizations: readonly {
    readonly organization_id: string | null;
    readonly organization_name: string | null;
    readonly problems: readonly {
      readonly kind: string;
      readonly id: string | null;
      readonly seal: number | null;
    }[];
    readonly rows: number;
    readonly seals: number;
    readonly last_hash: string | null;
  }[];
  readonly problems: number;
  readonly expected: { readonly hash: string; readonly found: boolean } | null;
  readonly ok: boolean;
}

describe('audit verify', () => {
  let service: TestService;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')], organizations: [acme] });
    await service.api.as(keyOf('Ada')).patch(`/organizations/${acme.id}`, { name: 'Acme Inc' });
    await service.app.get(SealingService).run();
  });
  afterAll(() => service.stop());

  const { cli: run } = commandsOn(() => service);
  const cli = (...args: string[]): Promise<Ended> => run('--quiet', 'audit', 'verify', ...args);
  const json = async (...args: string[]): Promise<[number | null, Verified]> => {
    const { status, stdout } = await cli('--json', ...args);
    expect(stdout.split('\n')).toHaveLength(2);
    return [status, JSON.parse(stdout) as Verified];
  };

  it('checks every organization, and the rows of none', async () => {
    const [status, verified] = await json();
    expect([status, verified]).toMatchObject([0, { problems: 0, expected: null, ok: true }]);
    expect(verified.organizations).toMatchObject([
      { organization_id: null, organization_name: null },
      { organization_id: acme.id, organization_name: 'Acme Inc' },
    ]);
    for (const { seals, last_hash: hash } of verified.organizations)
      expect([seals, hash]).toEqual([1, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    const { status: ended, stdout } = await cli('--organization', acme.id);
    expect([ended, stdout]).toEqual([0, expect.stringContaining('No problems found (organizations: 1).')]);
    expect(stdout).toContain(`last hash: ${verified.organizations[1]?.last_hash}`);
  });

  it('finds a hash that was kept elsewhere, and says if it is not there', async () => {
    const [, { organizations }] = await json('--organization', acme.id);
    const hash = organizations[0]!.last_hash!;
    expect((await json('--expect', hash.toUpperCase()))[1]).toMatchObject({
      ok: true,
      expected: { hash, found: true },
    });
    const other = 'ab'.repeat(32);
    expect(await json('--expect', other)).toMatchObject([1, { ok: false, expected: { found: false } }]);
    expect((await cli('--expect', other)).stderr).toContain(`No seal has the hash ${other}`);
  });

  it('lists what was changed, and fails', async () => {
    const [row] = await service.dataSource.query<{ id: string }[]>(
      `SELECT id FROM change_log WHERE organization_id = $1 AND type = 'organization.updated'`,
      [acme.id],
    );
    await service.dataSource.query('ALTER TABLE change_log DISABLE TRIGGER USER');
    await service.dataSource.query('UPDATE change_log SET actor_id = NULL WHERE id = $1', [row!.id]);
    await service.dataSource.query('ALTER TABLE change_log ENABLE TRIGGER USER');
    expect(await json()).toMatchObject([
      1,
      {
        ok: false,
        problems: 1,
        organizations: [{ problems: [] }, { problems: [{ kind: 'row_changed', id: row!.id, seal: 1 }] }],
      },
    ]);
    const { status, stdout, stderr } = await cli();
    expect([status, stderr]).toEqual([1, 'error: Found 1 problem.\n']);
    expect(stdout).toContain(`${acme.id} (Acme Inc): row was changed, id ${row!.id}, `);
  });

  it('refuses wrong arguments, and knows no other organization', async () => {
    expect((await cli('--expect', '123')).status).toBe(2);
    expect((await cli('--organization', 'acme')).status).toBe(4);
    expect((await cli('--organization', id())).status).toBe(4);
  });
});
