import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '../../src/platform/database/connection.js';
import { freePort, Sandbox } from '../support/process.js';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';

describe('DATABASE_URL with several hosts', () => {
  const sandbox = new Sandbox();
  let postgres: ReplicatedPostgres;
  let password: string;

  beforeAll(async () => {
    postgres = await ReplicatedPostgres.start(sandbox);
    ({ password } = new URL(postgres.primary.url));
  }, 60_000);
  afterAll(() => sandbox.cleanUp());

  const url = (hosts: string, target = ''): string =>
    `postgres://mrs:${password}@${hosts}/mrs?sslmode=disable${target && `&target_session_attrs=${target}`}`;
  const at = ({ port }: { readonly port: number }): string => `127.0.0.1:${port}`;
  const portOf = (given: string): Promise<number> => withClient(given, {}, async ({ port }) => port);

  it('leads to the host that takes writes, in whatever order', async () => {
    const { primary, replica } = postgres;
    expect(await portOf(url(`${at(primary)},${at(replica)}`))).toBe(primary.port);
    expect(await portOf(url(`${at(replica)},${at(primary)}`, 'read-write'))).toBe(primary.port);
    expect(await portOf(url(`${at(replica)},${at(primary)}`, 'primary'))).toBe(primary.port);
  });

  it.each([
    ['standby', 'replica'],
    ['prefer-standby', 'replica'],
    ['any', 'primary'],
  ] as const)('leads with target_session_attrs=%s to the %s', async (target, which) => {
    const { primary, replica } = postgres;
    expect(await portOf(url(`${at(primary)},${at(replica)}`, target))).toBe(postgres[which].port);
  });

  it('is served by the others while one host is off or has no address', async () => {
    const { primary } = postgres;
    const off = `127.0.0.1:${await freePort()}`;
    expect(await portOf(url(`${off},db.invalid,[::1]:1,${at(primary)}`))).toBe(primary.port);
    expect(await portOf(url(`${off},${at(primary)}`, 'prefer-standby'))).toBe(primary.port);
  });

  it('is refused at start, with what is wrong at each host, if none takes writes', async () => {
    const off = `127.0.0.1:${await freePort()}`;
    const { status, stderr } = await (
      await sandbox.launch({
        DATABASE_URL: url(`${off},${at(postgres.replica)}`),
        DATA_DIR: await sandbox.folder(),
      })
    ).ended;
    expect(status).toBe(1);
    expect(stderr).toContain(
      `DATABASE_URL: cannot use the database at ${off},${at(postgres.replica)}/mrs: Database unavailable: no host is read-write: ${off}: connect ECONNREFUSED ${off}; ${at(postgres.replica)}: is not`,
    );
    expect(stderr).not.toContain(password);
  });

  it('is refused at start if its hosts are not the same database, or the password is wrong', async () => {
    const other = await ReplicatedPostgres.start(sandbox);
    const hosts = `${at(postgres.primary)},${at(other.primary)}`;
    await expect(portOf(url(hosts))).rejects.toThrow(
      'the hosts are different databases, not replicas of one',
    );
    await expect(portOf(url(hosts).replace(password, 'wrong'))).rejects.toThrow(
      'password authentication failed',
    );
  });
});
