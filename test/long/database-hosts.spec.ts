import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '../../src/platform/database/connection.js';
import { DatabaseClient } from '../../src/platform/database/servers/database-client.js';
import { freePort, Sandbox } from '../support/process.js';
import { PASSWORD, PostgresServer } from '../support/postgres-servers.js';

describe('DATABASE_URL with several hosts', () => {
  const sandbox = new Sandbox();
  let primary: PostgresServer;
  let replica: PostgresServer;

  beforeAll(async () => {
    primary = await PostgresServer.create();
    replica = await primary.addReplica();
  }, 60_000);
  afterAll(async () => {
    await sandbox.cleanUp();
    await replica.remove();
    await primary.remove();
  });

  const url = (hosts: string, target = ''): string =>
    `postgres://meetings:${PASSWORD}@${hosts}/meetings${target && `?target_session_attrs=${target}`}`;
  const portOf = (given: string): Promise<number> => withClient(given, {}, async ({ port }) => port);

  it('leads to the host that takes writes, in whatever order', async () => {
    expect(await portOf(url(`${primary.host},${replica.host}`))).toBe(primary.port);
    expect(await portOf(url(`${replica.host},${primary.host}`, 'read-write'))).toBe(primary.port);
    expect(await portOf(url(`${replica.host},${primary.host}`, 'primary'))).toBe(primary.port);
  });

  it('leads with target_session_attrs to a standby, or to the first that answers', async () => {
    const hosts = `${primary.host},${replica.host}`;
    expect(await portOf(url(hosts, 'standby'))).toBe(replica.port);
    expect(await portOf(url(hosts, 'any'))).toBe(primary.port);
  });

  it('is served by the others while one host is off or has no address', async () => {
    const off = `127.0.0.1:${await freePort()}`;
    expect(await portOf(url(`${off},db.invalid,[::1]:1,${primary.host}`))).toBe(primary.port);
  });

  it('survives the loss of a connection that nobody listens to yet', async () => {
    const client = new DatabaseClient({ connectionString: url(`${primary.host},${replica.host}`) });
    await client.connect();
    // `once` would listen to errors, too.
    const isOver = new Promise<void>((resolve) => void client.on('end', () => resolve()));
    await primary.sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $$meetings$$');
    await isOver;
    await expect(client.query('SELECT')).rejects.toThrow('not queryable');
  });

  it('is refused at start, with what is wrong at each host, if none takes writes', async () => {
    const off = `127.0.0.1:${await freePort()}`;
    const { status, stderr } = await (
      await sandbox.launch({
        DATABASE_URL: url(`${off},${replica.host}`),
        DATA_DIR: await sandbox.folder(),
      })
    ).ended;
    expect(status).toBe(1);
    expect(stderr).toContain(
      `DATABASE_URL: cannot use the database at ${off},${replica.host}/meetings: Database unavailable: no host is read-write: ${off}: connect ECONNREFUSED ${off}; ${replica.host}: is not`,
    );
    expect(stderr).not.toContain(PASSWORD);
  });

  it('is refused at start if its hosts are not the same database, or the password is wrong', async () => {
    const other = await PostgresServer.create();
    const hosts = `${primary.host},${other.host}`;
    try {
      await expect(portOf(url(hosts))).rejects.toThrow(
        'the hosts are different databases, not replicas of one',
      );
    } finally {
      await other.remove();
    }
    await expect(portOf(url(hosts).replace(PASSWORD, 'wrong'))).rejects.toThrow(
      'password authentication failed',
    );
  });

  it('never leads back to the primary from before a promotion', async () => {
    const hosts = url(`${primary.host},${replica.host}`);
    await replica.promote();
    expect(await portOf(hosts)).toBe(replica.port);
    await replica.stop();
    await expect(portOf(hosts)).rejects.toThrow(`no host is read-write: ${primary.host}: is not`);
  });
});
