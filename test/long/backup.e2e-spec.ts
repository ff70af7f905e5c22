import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { Load } from '../support/load.js';
import { embeddedUrl, query, Sandbox, until, type RunningService } from '../support/process.js';

/** The commands work without it, on what is stored. */
const CONTENT_KEY = 'the-content-key-of-this-test-0123456789';
const CLI = join(import.meta.dirname, '..', '..', 'scripts', 'cli.js');

/** The embedded database of a service that is being used, into another folder, and into a database of its own. */
describe('a backup', () => {
  const sandbox = new Sandbox();
  let dataDir: string;
  let backup: string;
  let service: RunningService;
  let database: TestDatabase | undefined;
  let ids: string[];
  let video: Buffer;

  const idsOf = async (running: RunningService): Promise<string[]> => {
    const { body } = await running.api.as(service.apiKey).get('/recordings?limit=100');
    return body.data.map(({ id }: { id: string }) => id).toSorted();
  };

  async function videoOf(running: RunningService): Promise<Buffer> {
    const { body } = await running.api.as(service.apiKey).get('/recordings?limit=100');
    const { id } = body.data.find(({ status }: { status: string }) => status === 'COMPLETED');
    const detail = await running.api.as(service.apiKey).get(`/recordings/${id}`);
    const response = await fetch(detail.body.data.videoUrl);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  }

  beforeAll(async () => {
    dataDir = await sandbox.folder();
    backup = join(await sandbox.folder(), 'backup');
    service = await sandbox.start({ DATA_DIR: dataDir, CONTENT_KEY });
    ids = await idsOf(service);
    video = await videoOf(service);
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await database?.drop();
  });

  it('is taken while clients write', async () => {
    const load = new Load(service.api, ids.slice(0, 4));
    await until('some writes', () => load.acknowledgedWrites >= 20);
    const { status, stderr } = await sandbox.cli({ DATA_DIR: dataDir }, '--quiet', 'backup', backup);
    await load.end();
    expect([status, stderr]).toEqual([0, '']);
    const name = (await readdir(backup)).find((one) => one.startsWith('2'))!;
    const { objects } = JSON.parse(await readFile(join(backup, name, 'backup.json'), 'utf8'));
    expect(objects.count).toBeGreaterThan(0);
  });

  it('is restored into an empty folder, also after kill -9 in the middle, and nothing starts on half of it', async () => {
    const target = { DATA_DIR: await sandbox.folder(), DEMO: 'false' };
    const marked = async (): Promise<boolean> => {
      if (!existsSync(join(target.DATA_DIR, 'postgres', 'cluster', 'data', 'postmaster.pid'))) return false;
      const found = await query(
        embeddedUrl(target.DATA_DIR),
        `SELECT to_regclass('unfinished_restore') AS t`,
      ).catch(() => [{ t: null }]);
      return (found[0] as { t: unknown }).t !== null;
    };
    const killed = await sandbox.run([CLI, 'restore', backup], target);
    await until('the restore to begin', () => killed.hasEnded || marked());
    await killed.kill('SIGKILL');
    const key = join(target.DATA_DIR, 'url-signing-key');
    // As if it had not got that far.
    await rm(key, { force: true });
    const refused = await (await sandbox.launch(target)).ended;
    expect([refused.status, refused.stdout + refused.stderr]).toEqual([
      1,
      expect.stringContaining('run `restore` again'),
    ]);
    // A key of its own would stand in the way of the backup's.
    expect(existsSync(key)).toBe(false);
    const again = await sandbox.cli(target, '--quiet', 'restore', backup);
    expect([again.status, again.stderr]).toEqual([0, '']);

    const verified = await sandbox.cli(target, '--quiet', 'audit', 'verify');
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    const keyless = await (await sandbox.launch(target)).ended;
    expect([keyless.status, keyless.stdout + keyless.stderr]).toEqual([
      1,
      expect.stringContaining('CONTENT_KEY: media of this database is encrypted'),
    ]);
    const restored = await sandbox.start({ ...target, CONTENT_KEY });
    expect(await idsOf(restored)).toEqual(ids);
    expect((await videoOf(restored)).equals(video)).toBe(true);
    expect((await restored.stop()).status).toBe(0);
  });

  it('moves the embedded database to a server of its own, with the media where they are', async () => {
    expect((await service.stop()).status).toBe(0);
    const folder = join(await sandbox.folder(), 'move');
    expect((await sandbox.cli({ DATA_DIR: dataDir }, 'backup', folder, '--without-media')).status).toBe(0);
    database = await createDatabase({ migrated: false });
    const target = { DATA_DIR: dataDir, DATABASE_URL: database.url };
    const { status, stderr } = await sandbox.cli(target, 'restore', folder);
    expect([status, stderr]).toEqual([0, expect.stringContaining('Creating the tables of the service')]);
    const moved = await sandbox.start({ ...target, CONTENT_KEY });
    expect(await idsOf(moved)).toEqual(ids);
    expect((await moved.stop()).status).toBe(0);
  });
});
