import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EmbeddedPostgres } from '../../src/lib/embedded-postgres/embedded-postgres.js';
import { freePort, postmasterPid, query, Sandbox } from '../support/process.js';
import { PROMETHEUS, prometheusPath } from '../support/requirements.js';
import { eventually } from '../support/service.js';
import { mountSmallDisk, SMALL_DISKS, unmount } from '../support/small-disk.js';

const DEPLOY = resolve('deploy/prometheus');

/** What `deploy/prometheus` has, except that nobody waits: scraped and evaluated every second. */
const hasty = (file: string): string =>
  readFileSync(join(DEPLOY, file), 'utf8')
    .replaceAll(/\bfor: \d+[mh]/g, 'for: 1s')
    .replaceAll(/(_interval|_timeout): \d+s/g, '$1: 1s');

PROMETHEUS.describe('the alerts of deploy/prometheus', () => {
  const sandbox = new Sandbox();
  let server: EmbeddedPostgres;
  let serverDir: string;
  let dataDir: string;
  let prometheus: string;

  beforeAll(async () => {
    [serverDir, dataDir] = [await sandbox.folder(), await sandbox.folder()];
    if (SMALL_DISKS.isMet) mountSmallDisk(dataDir);
    server = await EmbeddedPostgres.open({ dataDir: serverDir, settings: { fsync: 'off' } });
    const [port, metricsPort] = [await freePort(), await freePort()];
    const program = await sandbox.run([resolve('scripts/start.js'), 'api'], {
      DATABASE_URL: server.url,
      DATA_DIR: dataDir,
      PORT: '0',
      METRICS_PORT: String(metricsPort),
    });
    await eventually(async () => expect(program.stdout).toContain('is ready'));

    const folder = await sandbox.folder();
    await writeFile(join(folder, 'alerts.yml'), hasty('alerts.yml'));
    const config = hasty('prometheus.yml').replace('127.0.0.1:9464', `127.0.0.1:${metricsPort}`);
    await writeFile(join(folder, 'prometheus.yml'), config);
    prometheus = `http://127.0.0.1:${port}`;
    const options = [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    await sandbox.run(options, {}, prometheusPath);
    await eventually(async () => expect(await valueOf(`up{job="meeting-recordings"}`)).toBe('1'));
  });
  afterAll(async () => {
    await server?.release();
    if (SMALL_DISKS.isMet) unmount(dataDir);
    await sandbox.cleanUp();
  });

  it('one fires while a job waits that no worker takes', async () => {
    expect(await firing()).not.toContain('QueueStuck');
    const [job] = await query(
      server.url,
      `SELECT (graphile_worker.add_job('media.tidy', '{}', run_at => now() - interval '20 minutes')).id`,
    );
    await eventually(async () => expect(await firing()).toContain('QueueStuck'));
    await query(server.url, `SELECT graphile_worker.complete_jobs(ARRAY[${(job as { id: string }).id}])`);
    await eventually(async () => expect(await firing()).not.toContain('QueueStuck'));
  });

  SMALL_DISKS.it('one fires while the disk is full', async () => {
    expect(await firing()).not.toContain('DiskFull');
    await writeFile(join(dataDir, 'ballast'), Buffer.alloc(64 << 20)).catch(() => undefined);
    await eventually(async () => expect(await firing()).toContain('DiskFull'));
    await rm(join(dataDir, 'ballast'));
    await eventually(async () => expect(await firing()).not.toContain('DiskFull'));
  });

  it('one fires while the database is away, and the metrics are still there', async () => {
    expect(await firing()).not.toContain('DatabaseAway');
    process.kill(postmasterPid(serverDir)!, 'SIGKILL');
    await eventually(async () => expect(await firing()).toContain('DatabaseAway'));
    expect(await firing()).not.toContain('ServiceDown');
    await server.ensureRunning();
    await eventually(async () => expect(await firing()).not.toContain('DatabaseAway'));
  });

  interface Answer {
    readonly data: {
      readonly alerts: readonly { readonly state: string; readonly labels: { readonly alertname: string } }[];
      readonly result: readonly { readonly value: readonly [number, string] }[];
    };
  }

  async function ask(path: string): Promise<Answer['data']> {
    return ((await (await fetch(`${prometheus}/api/v1/${path}`)).json()) as Answer).data;
  }

  async function valueOf(expression: string): Promise<string | undefined> {
    return (await ask(`query?query=${encodeURIComponent(expression)}`)).result[0]?.value[1];
  }

  async function firing(): Promise<string[]> {
    const { alerts } = await ask('alerts');
    return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
  }
});
