import { noteDuration } from '../../src/platform/telemetry/slowest.js';
import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { projectVersion } from '../../src/lib/project-root.js';
import { ProcessRegistry } from '../../src/platform/processes/process-registry.js';
import { newId } from '../../src/platform/ids.js';
import { keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { commandLine } from '../support/command-line.js';
import { createDatabase } from '../support/database.js';
import { Sandbox } from '../support/process.js';
import { startService, type TestService } from '../support/service.js';

const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
const WORLD = {
  users: [user('Ada'), user('Grace')],
  organizations: [acme],
  recordings: [recording('Ada')],
};
/** 4,000 bytes are 90 % of it. */
const QUOTAS = { QUOTA_PRO_STORED_BYTES: '4444', QUOTA_FREE_STORED_BYTES: '4444' };

describe('status on the command line', () => {
  const sandbox = new Sandbox();
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    await service.import(WORLD);
    await service.app.get(ProcessRegistry).start('api');
  });
  afterAll(async () => {
    await service.stop();
    await sandbox.cleanUp();
  });

  const settings = () => {
    const { port } = service.app.getHttpServer().address() as { port: number };
    return { DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir, PORT: String(port) };
  };
  const rows = (statement: string, values: unknown[] = []): Promise<unknown> =>
    service.dataSource.query(statement, values);
  const status = async (more = {}) => {
    const ended = await commandLine({ ...settings(), ...more }, '--quiet', 'status', '--json');
    const { stdout, stderr, status: code } = ended;
    expect(stderr).toMatch(/^(error: Found \d+ problems?\.\n)?$/);
    return { code, ...JSON.parse(stdout) };
  };
  /** Without the one that there is in every test: no worker runs. */
  const problems = async (more = {}): Promise<string[]> => (await status(more)).problems.slice(1);
  const register = (role: string, host: string): Promise<unknown> =>
    rows(
      `INSERT INTO processes VALUES ('${newId()}', '${host}', 7, '${role}', '${projectVersion()}', now(), now(), '[]')`,
    );

  beforeEach(async () => {
    await rows(`DELETE FROM processes WHERE pid <> ${process.pid}`);
  });

  it('tells what runs and what is wrong, and fails if anything is', async () => {
    const { code, problems: found, ...facts } = await status();
    expect(facts).toMatchObject({
      ok: false,
      service: { url: `http://127.0.0.1:${settings().PORT}`, answers: true, problem: null },
      workerRuns: false,
      versions: { node: process.versions.node },
      database: { users: 2, organizations: 1, pendingMigrations: [] },
      disk: { free: expect.any(Number) },
      processes: [{ host: hostname(), pid: process.pid, role: 'api', notSeenFor: null }],
      backup: null,
    });
    expect([code, found]).toEqual([1, [expect.stringMatching(/^No worker is running/)]]);
  });

  it('says the same on a host on which nothing runs, or another service', async () => {
    const other = await startService();
    const { port } = other.app.getHttpServer().address() as { port: number };
    for (const at of [String(port), '1'])
      expect(await status({ PORT: at })).toMatchObject({
        service: { answers: true, problem: null },
        problems: [expect.stringMatching(/^No worker/)],
      });
    const { stdout } = await commandLine({ DATABASE_URL: other.databaseUrl }, 'status');
    expect(stdout).toMatch(/^service +not running\n[^]*^problem +The service is not running on any host/m);
    await other.stop();
  });

  it('reports a process that was killed as not seen, until another one replaces it', async () => {
    const worker = await service.startWorker({ LOG_LEVEL: 'error' });
    const registered = async () =>
      (await status()).processes.filter(({ pid }: { pid: number }) => pid === worker.pid);
    expect(await registered()).toMatchObject([{ role: 'worker', host: hostname(), notSeenFor: null }]);
    await worker.kill('SIGKILL');
    await rows(
      `UPDATE processes SET (started_at, seen_at) = (started_at - interval '3 minutes', seen_at - interval '3 minutes') WHERE role = 'worker'`,
    );
    expect(await registered()).toMatchObject([{ notSeenFor: expect.any(Number) }]);
    expect(await problems()).toEqual([
      expect.stringMatching(
        /^A worker process on .* was last seen at 20\S+ \S+ UTC, and nothing has replaced it/,
      ),
    ]);
    await register('worker', 'elsewhere');
    expect(await problems()).toEqual([]);
    expect(await registered()).toHaveLength(1);
  });

  it('forgets a process that stops, and what a new one on its host replaces', async () => {
    const second = await startService({}, { beside: service });
    await rows(`INSERT INTO processes
      SELECT gen_random_uuid(), host, 8, role, '1.0', now() - interval '2 days', now() - interval '1 hour', '[]'
      FROM (VALUES ('${hostname()}', 'api'), ('${hostname()}', 'worker'), ('elsewhere', 'api')) AS old (host, role)`);
    await second.app.get(ProcessRegistry).start('api');
    const old = async () =>
      (await status()).processes
        .filter(({ pid }: { pid: number }) => pid === 8)
        .map(({ host, role }: { host: string; role: string }) => `${role} ${host}`);
    expect(await old()).toEqual(['api elsewhere', `worker ${hostname()}`]);
    expect((await status()).processes).toHaveLength(4);
    await second.stop();
    expect((await status()).processes).toHaveLength(3);
  });

  it('finds different versions', async () => {
    await register('api', 'elsewhere');
    await rows(`UPDATE processes SET version = '1.0.9' WHERE host = 'elsewhere'`);
    expect(await problems()).toEqual([expect.stringMatching(/^Different versions are running: .*1\.0\.9/)]);
  });

  it('names the slowest operations and statements of all processes, without what clients wait for', async () => {
    const ada = service.api.as(keyOf('Ada'));
    expect((await ada.get('/recordings')).status).toBe(200);
    expect((await ada.get('/recordings/secret-id')).status).toBe(404);
    noteDuration('operation', 'GET /here', 10_000);
    // Other tests of this process have made requests, too, of which only the slowest are reported.
    for (const name of ['GET /api/v1/recordings', 'GET /api/v1/recordings/:id'])
      noteDuration('operation', name, 1_000_000);
    await service.app.get(ProcessRegistry).start('api');
    await register('worker', 'elsewhere');
    const slowest = [
      { kind: 'operation', name: 'GET /api/v1/recordings', count: 41, total: 900_000, longest: 90_001 },
      { kind: 'operation', name: 'GET /rare', count: 1, total: 8000, longest: 8000 },
    ];
    await rows(`UPDATE processes SET slowest = $1 WHERE host = 'elsewhere'`, [JSON.stringify(slowest)]);
    const found = (await status()).slowest;
    const kind = 'operation';
    const of = (name: string) => found.find((one: { name: string }) => one.name === name);
    expect(of('GET /api/v1/recordings')).toMatchObject({ kind, longest: 1_000_000 });
    expect(of('GET /api/v1/recordings').count).toBeGreaterThan(1 + 41);
    expect(of('GET /api/v1/recordings/:id').count).toBeGreaterThan(1);
    expect(of('GET /rare')).toEqual({ kind, name: 'GET /rare', count: 1, mean: 8000, longest: 8000 });
    expect(of('GET /here')).toMatchObject({ count: 1, longest: 10_000 });
    expect(found).toContainEqual(expect.objectContaining({ kind: 'statement', count: expect.any(Number) }));
    expect(JSON.stringify(found)).not.toMatch(/secret|health/);
  });

  it('names receivers of the audit log that take nothing, and what they answer', async () => {
    await rows(`INSERT INTO audit_streams (id, position, due_at, failing_since, last_error)
      VALUES ('00000000-0000-0000-0000-000000000000', 0, now(), now() - interval '1 minute', 'Status 503.')`);
    expect(await problems()).toEqual([]);
    await rows(`UPDATE audit_streams SET failing_since = now() - interval '1 hour'`);
    expect(await problems()).toEqual([
      expect.stringMatching(
        /^Receivers .* \(1\): AUDIT_STREAM_URL since 20.* UTC \(Status 503\.\)\. See to them/,
      ),
    ]);
    await rows(`DELETE FROM audit_streams`);
  });

  it('names failing webhooks, full quotas and keys that expire, each with what to do', async () => {
    const ada = service.api.as(keyOf('Ada'));
    const { body } = await ada.post('/webhooks', { url: 'https://example.com/hook', types: ['*'] });
    await rows(`UPDATE webhooks SET failing_since = now() - interval '10 minutes'`);
    expect(await problems()).toEqual([]);
    await rows(`UPDATE webhooks SET failing_since = now() - interval '5 hours'`);
    await rows(`UPDATE recordings SET stored_bytes = 4000`);
    await rows(
      `UPDATE api_keys SET expires_at = now() + interval '3 days', created_at = '2026-01-01', last_used_at = now()`,
    );
    const [webhooks, storage, keys, ...others] = await problems(QUOTAS);
    expect(webhooks).toMatch(
      new RegExp(`^Webhooks fail \\(1\\): ${body.data.id} \\(https://example.com/...\\) since 20`),
    );
    expect(storage).toMatch(/^Nearly out of storage \(1\): \S+ \(Ada\): 4000 bytes of 4444 bytes\. Delete/);
    expect(keys).toMatch(/^API keys in use expire soon \(2\): mrs_.*, mrs_.*mrs keys rotate KEY$/);
    expect(others).toEqual([]);
    expect(await problems()).toHaveLength(2);
    await rows(`UPDATE api_keys SET last_used_at = NULL`);
    await rows(`UPDATE webhooks SET failing_since = NULL`);
    expect(await problems()).toEqual([]);
  });

  it('knows the last backup, wherever it was made, and warns when it is old', async () => {
    const folder = `${await sandbox.folder()}/backup`;
    const made = await commandLine(settings(), 'backup', folder);
    expect(made.status).toBe(0);
    expect((await status()).backup).toMatchObject({
      host: hostname(),
      media: true,
      problems: 0,
      finishedAt: expect.any(String),
    });
    await rows(`UPDATE backups SET finished_at = now() - interval '8 days', host = 'nightly'`);
    expect(await problems()).toEqual([
      expect.stringMatching(
        /^The last backup was made at 20\S+ \S+ UTC, on nightly\. Make one: mrs backup FOLDER$/,
      ),
    ]);
  });

  it('reads a database of an older release as far as it can', async () => {
    const old = await createDatabase();
    const [{ name }] = await service.dataSource.query<[{ name: string }]>(
      'SELECT name FROM migrations ORDER BY id DESC',
    );
    const { DataSource } = await import('typeorm');
    const source = await new DataSource({ type: 'postgres', url: old.url }).initialize();
    await source.query('DROP TABLE processes, backups');
    await source.query(`DELETE FROM migrations WHERE name = '${name}'`);
    await source.destroy();
    expect(await status({ DATABASE_URL: old.url })).toMatchObject({
      service: { answers: false },
      problems: [
        expect.stringMatching(/^The service is not running/),
        expect.stringMatching(/^The database is of an older release/),
      ],
    });
    await old.drop();
  });
});
