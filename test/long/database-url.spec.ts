import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EmbeddedPostgres } from '../../src/lib/embedded-postgres/embedded-postgres.js';
import { withClient } from '../../src/platform/database/connection.js';
import { hasWorkers } from '../../src/platform/jobs/jobs.queries.js';
import { emailOf, keyOf, recording, user } from '../factories/workspace.js';
import { refusal } from '../support/client.js';
import { Load } from '../support/load.js';
import { postmasterPid, query, Sandbox, until, type RunningService } from '../support/process.js';
import { eventually } from '../support/service.js';

describe('with DATABASE_URL', () => {
  const sandbox = new Sandbox();
  let server: EmbeddedPostgres;
  let serverDir: string;
  let dataDir: string;
  let services: RunningService[];

  beforeAll(async () => {
    [serverDir, dataDir] = [await sandbox.folder(), await sandbox.folder()];
    server = await EmbeddedPostgres.open({ dataDir: serverDir, settings: { fsync: 'off' } });
    const settings = { DATABASE_URL: server.url, DATA_DIR: dataDir };
    services = await Promise.all([sandbox.start(settings), sandbox.start(settings)]);
  });
  afterAll(async () => {
    await server?.release();
    await sandbox.cleanUp();
  });

  it('two services that start at once on an empty database take turns migrating it', async () => {
    const ready = await Promise.all(services.map(({ api }) => api.get('//health/ready')));
    expect(ready.map(({ status }) => status)).toEqual([200, 200]);
    const applied = await query(server.url, 'SELECT name FROM migrations GROUP BY name HAVING count(*) > 1');
    expect(applied).toEqual([]);
  });

  it('does not start the embedded PostgreSQL or load the demo', async () => {
    expect(services.map(({ apiKey }) => apiKey)).toEqual(['', '']);
    expect(readdirSync(dataDir).sort()).toEqual(['objects', 'sealing-key', 'url-signing-key']);
    expect(await query(server.url, 'SELECT count(*)::int AS users FROM users')).toEqual([{ users: 0 }]);
  });

  it('replies 503 while the database is unavailable, and recovers when it is back', async () => {
    const [service, other] = services as [RunningService, RunningService];
    await other.stop();
    await until('its worker', () => withClient(server.url, {}, hasWorkers));
    const mine = recording('Ada');
    await seed(mine.id);
    const api = service.api.as(keyOf('Ada'));
    const load = new Load(api, [mine.id]);
    await until('some writes', () => load.acknowledgedWrites >= 50);
    process.kill(postmasterPid(serverDir)!, 'SIGKILL');
    await until('a refusal', () => load.refusals > 0);

    // A check serves for a second.
    await eventually(async () => {
      const ready = await api.get('//health/ready');
      expect([ready.status, ready.body]).toEqual([503, refusal('SERVICE_UNAVAILABLE')]);
    }, 2_000);
    expect((await api.get('//health/live')).status).toBe(200);
    const listed = await api.get('/recordings');
    expect([listed.status, listed.body]).toEqual([503, refusal('SERVICE_UNAVAILABLE')]);

    await server.ensureRunning();
    const before = load.acknowledgedWrites;
    await until('recovery', () => load.acknowledgedWrites >= before + 50);
    await load.end();
    load.expectOnlyUnavailable();
    await load.expectWritesIn(api);
    expect((await api.get('//health/ready')).status).toBe(200);
    expect(await service.stop()).toMatchObject({ status: 0, stderr: '' });
  });

  async function seed(recordingId: string): Promise<void> {
    const { stderr } = await sandbox.importInto(
      { DATABASE_URL: server.url, DATA_DIR: dataDir },
      {
        users: [user('Ada')],
        recordings: [recording('Ada', { id: recordingId, owner: emailOf('Ada') })],
      },
    );
    expect(stderr).toBe('');
  }
});
