import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { freePort, RunningService, Sandbox, until } from '../support/process.js';

const DEV = fileURLToPath(new URL('../../scripts/dev.js', import.meta.url));

describe('npm run dev', () => {
  const sandbox = new Sandbox();
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await database.drop();
  });

  it('runs the API and one worker, and stops both', async () => {
    const program = await sandbox.run([DEV], {
      DATABASE_URL: database.url,
      DATA_DIR: await sandbox.folder(),
      PORT: '0',
      INSPECT_PORT: String(await freePort()),
    });
    const workers = () => service.log.filter(({ msg }) => msg === 'worker started');
    const service = await RunningService.from(program);
    await until('a worker', () => program.hasEnded || workers().length > 0);
    expect((await service.api.get('//health/ready')).status).toBe(200);
    const { status, stderr } = await service.stop();
    expect(workers()).toHaveLength(1);
    expect(stderr).not.toContain('it starts again after the next change');
    expect(status).toBe(0);
    await expect(fetch(service.base)).rejects.toThrow('fetch failed');
  });
});
