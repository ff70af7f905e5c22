import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, type Client } from '../support/client.js';
import { postgresProcesses, postmasterPid, Sandbox, until, type RunningService } from '../support/process.js';
import { Load } from '../support/load.js';

/** One folder over its lifetime: two services at once, one that is killed, and PostgreSQL killed under load. */
describe('a DATA_DIR', () => {
  const sandbox = new Sandbox();
  let dataDir: string;
  let service: RunningService;
  let second: RunningService;
  let recordings: string[];
  let key: string;

  const apiOf = (running: RunningService): Client => running.api.as(key);

  beforeAll(async () => {
    dataDir = await sandbox.folder();
    [service, second] = await Promise.all([
      sandbox.start({ DATA_DIR: dataDir }),
      sandbox.start({ DATA_DIR: dataDir }),
    ]);
    // From the one that loaded the demo workspace.
    key = service.apiKey || second.apiKey;
  });
  afterAll(() => sandbox.cleanUp());

  it('serves two services that start at once, and loads the demo only once', async () => {
    expect(service.port).not.toBe(second.port);
    const lists = await Promise.all(
      [service, second].map((running) => apiOf(running).get('/recordings?limit=100')),
    );
    const [ids, others] = lists.map(({ body }) => body.data.map((item: { id: string }) => item.id));
    expect(ids).toEqual(others);
    expect(new Set(ids).size).toBe(lists[0]!.body.pagination.total);
    recordings = ids.slice(0, 4);
  });

  it('shares keys: one created on one service works on the other, and once revoked is refused at once', async () => {
    const made = (await apiOf(service).post('/api-keys', { name: 'shared' })).body.data;
    expect((await second.api.as(made.key).get('/me')).status).toBe(200);
    expect((await apiOf(second).delete(`/api-keys/${made.id}`)).status).toBe(200);
    const refused = await service.api.as(made.key).get('/me');
    expect([refused.status, refused.body]).toEqual([401, refusal('INVALID_API_KEY')]);
  });

  it('keeps its PostgreSQL for the second service when the first stops', async () => {
    const postmaster = postmasterPid(dataDir);
    expect((await second.stop()).status).toBe(0);
    expect(postmasterPid(dataDir)).toBe(postmaster);
    expect((await apiOf(service).get('/recordings')).status).toBe(200);
  });

  it('keeps every acknowledged write after kill -9 of the service', async () => {
    const load = new Load(apiOf(service), recordings);
    await until('some writes', () => load.acknowledgedWrites >= 100);
    await service.program.kill('SIGKILL');
    await load.end();

    service = await sandbox.start({ DATA_DIR: dataDir });
    expect(service.apiKey).toBe(key);
    await load.expectWritesIn(apiOf(service));
  });

  it('recovers from kill -9 of PostgreSQL under load; until then requests only get 503', async () => {
    // One that is starting says on standard error that it cannot, and is started again.
    await until('the worker', () => service.log.some(({ msg }) => msg === 'worker started'));
    const load = new Load(apiOf(service), recordings);
    await until('some writes', () => load.acknowledgedWrites >= 100);
    process.kill(postmasterPid(dataDir)!, 'SIGKILL');
    await until('a refusal', () => load.refusals > 0);
    const before = load.acknowledgedWrites;
    await until('recovery', () => load.acknowledgedWrites >= before + 100, 20_000);
    await load.end();

    load.expectOnlyUnavailable();
    await load.expectWritesIn(apiOf(service));
    expect((await apiOf(service).get('//health/ready')).status).toBe(200);
    expect(service.program.stderr).toBe('');
  });

  it('has no running PostgreSQL after the last service has stopped', async () => {
    expect((await service.stop()).status).toBe(0);
    expect(postmasterPid(dataDir)).toBeUndefined();
    expect(postgresProcesses(dataDir)).toEqual([]);
  });
});
