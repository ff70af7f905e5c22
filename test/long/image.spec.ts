import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { readCompose } from '../support/compose.js';
import { Containers } from '../support/containers.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { readHls, settled, upload } from '../support/packaged.js';
import { freePort, Sandbox, until } from '../support/process.js';
import { CONTAINERS, S3 } from '../support/requirements.js';
import { TestBucket } from '../support/s3.js';
import { eventually } from '../support/service.js';
import { speechFile } from '../support/speech.js';

const run = promisify(execFile);
/** With a registry that cannot be reached, a base image is made first. */
const BUILT_WITHIN_MS = 20 * 60_000;
/** For a busy machine. */
const WITHIN_MS = 180_000;

/** The image, built from the Dockerfile, as `docker-compose.yml` runs it; PostgreSQL and S3 run outside of containers. */
CONTAINERS.describe('the image', () => {
  S3.describe('with PostgreSQL and an S3 service named in .env', () => {
    const sandbox = new Sandbox();
    const databases: TestDatabase[] = [];
    const buckets: TestBucket[] = [];
    const installations: Containers[] = [];
    let first: Containers;
    let api: Client;
    let ports: Record<string, string>;
    let folder: string;
    let backups: string;
    let recording: string;

    /** An installation with a database of its own, and what `.env` says. */
    async function install({ bucket }: { bucket: TestBucket }): Promise<Containers> {
      const { settings } = bucket;
      folder = await sandbox.folder();
      const database = await createDatabase({ migrated: false });
      databases.push(database);
      const env = {
        POSTGRES_PASSWORD: 'that-of-release-1.0.0',
        S3_ENDPOINT: settings.endpoint!,
        S3_REGION: settings.region,
        S3_BUCKET: settings.bucket,
        S3_ACCESS_KEY_ID: settings.credentials!.accessKeyId,
        S3_SECRET_ACCESS_KEY: settings.credentials!.secretAccessKey,
        S3_BUNDLED: '0',
        BACKUPS: backups,
        LOG_LEVEL: 'info',
      };
      await mkdir(join(folder, 'deploy'));
      await cp('deploy/compose', join(folder, 'deploy', 'compose'), { recursive: true });
      await writeFile(
        join(folder, '.env'),
        Object.entries(env)
          .map((one) => `${one.join('=')}\n`)
          .join(''),
      );
      await run('sh', [join(folder, 'deploy', 'compose', 'secrets.sh')]);
      expect(await readFile(join(folder, 'secrets', 'database_url'), 'utf8')).toBe(
        'postgres://meetings:that-of-release-1.0.0@postgres:5432/meetings',
      );
      await writeFile(join(folder, 'secrets', 'database_url'), `${database.url}\n`);
      const containers = new Containers(readCompose(env), folder, ports);
      installations.push(containers);
      return containers;
    }

    async function up(containers: Containers): Promise<void> {
      await containers.start('api');
      await containers.start('worker');
      await until(
        'API and worker',
        async () => (await containers.isHealthy('api')) && (await containers.isHealthy('worker')),
        WITHIN_MS,
      );
    }

    const mrs = async (containers: Containers, ...args: string[]): Promise<string> => {
      const { status, stdout, stderr } = await containers.run('mrs', { args });
      expect([args[0], status, status === 0 ? '' : stderr]).toEqual([args[0], 0, '']);
      return stdout.trim();
    };

    const plays = async (): Promise<void> => {
      const { body } = await api.get(`/recordings/${recording}`);
      const files = await readHls(body.data.hlsUrl);
      expect(files.length).toBeGreaterThan(2);
      for (const { name, status, content } of files) {
        expect([name, status]).toEqual([name, 200]);
        expect(content.length).toBeGreaterThan(0);
      }
    };

    beforeAll(async () => {
      await run('.ci/image.sh', ['localhost/mrs-image-test'], { maxBuffer: 1 << 28 });
      ports = { 3000: String(await freePort()), 3001: String(await freePort()) };
      backups = await sandbox.folder();
      await run('chown', ['1000:1000', backups]);
      buckets.push(await TestBucket.make());
      first = await install({ bucket: buckets[0]! });
    }, BUILT_WITHIN_MS);
    afterAll(async () => {
      for (const containers of installations) await containers.cleanUp();
      for (const bucket of buckets) await bucket.remove();
      for (const database of databases) await database.drop();
      await sandbox.cleanUp();
    }, WITHIN_MS);

    it(
      'starts as API and as worker, whose health checks succeed',
      async () => {
        await mrs(first, 'users', 'create', '--email', 'ada@acme.test', '--name', 'Ada');
        const key = await mrs(first, 'keys', 'create', '--email', 'ada@acme.test', '--name', 'laptop');
        await up(first);
        api = new Client(`http://127.0.0.1:${ports['3000']}`, key);
        expect((await api.get('/me')).body.data.email).toBe('ada@acme.test');
      },
      WITHIN_MS,
    );

    it('runs as user 1000 without capabilities, and can write its volumes only', async () => {
      const look = async (script: string) => (await first.exec('api', 'sh', '-c', script)).stdout.trim();
      expect(await look('id -u; id -g')).toBe('1000\n1000');
      expect(await look('grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/1/status')).toBe(
        'CapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1',
      );
      expect(
        await look(
          'for at in / /app /run /var/tmp /home/node /data /tmp; do touch $at/x 2>/dev/null && echo $at; done',
        ),
      ).toBe('/data\n/tmp');
    });

    it('shows no secret in its environment', async () => {
      const { stdout } = await first.exec('api', 'env');
      expect(stdout).toContain('DATABASE_URL_FILE=/run/secrets/database_url');
      expect(stdout).not.toMatch(/^(DATABASE_URL|S3_SECRET_ACCESS_KEY|POSTGRES_PASSWORD)=/m);
    });

    it(
      'packages an upload, which plays, and transcribes it',
      async () => {
        recording = await upload(api, speechFile('jfk.flac'));
        expect(await settled(api, recording, { withinMs: WITHIN_MS })).toMatchObject({ status: 'COMPLETED' });
        await plays();
        await eventually(async () => {
          const { body } = await api.get(`/recordings/${recording}`);
          expect(body.data.transcription.status).toBe('completed');
        }, WITHIN_MS);
      },
      2 * WITHIN_MS,
    );

    it(
      'packages video with the FFmpeg of Debian',
      async () => {
        const id = await upload(api, await readFile('test/data/media/frog.webm'));
        expect(await settled(api, id, { withinMs: WITHIN_MS })).toMatchObject({ status: 'COMPLETED' });
      },
      WITHIN_MS,
    );

    it(
      'is backed up while it runs, into a folder of this machine',
      async () => {
        await mrs(first, 'backup', '/backups/daily');
        await mrs(first, 'backup', 'verify', '/backups/daily');
        expect((await stat(join(backups, 'daily'))).uid).toBe(1000);
      },
      WITHIN_MS,
    );

    it(
      'stops in time, and new containers go on where the old ones stopped',
      async () => {
        expect([await first.stop('api'), await first.stop('worker')]).toEqual([0, 0]);
        await up(first);
        await plays();
        await mrs(first, 'status');
      },
      WITHIN_MS,
    );

    it(
      'moves to a new PostgreSQL: rows and keys of a backup, with the same media',
      async () => {
        await first.stop('api');
        await first.stop('worker');
        await mrs(first, 'backup', '/backups/postgres', '--without-media');
        const moved = await createDatabase({ migrated: false });
        databases.push(moved);
        await writeFile(join(folder, 'secrets', 'database_url'), moved.url);
        await mrs(first, 'restore', '/backups/postgres');
        await up(first);
        await plays();
        await first.stop('api');
        await first.stop('worker');
      },
      2 * WITHIN_MS,
    );

    it(
      'is restored into new volumes, another database and another bucket',
      async () => {
        buckets.push(await TestBucket.make());
        const second = await install({ bucket: buckets[1]! });
        await mrs(second, 'restore', '/backups/daily');
        await up(second);
        await plays();
        await second.stop('api');
        await second.stop('worker');
      },
      2 * WITHIN_MS,
    );

    it.each([
      [
        'api',
        'a secret that is not there',
        { SEALING_KEY_FILE: '/run/secrets/none' },
        /^Invalid setting: SEALING_KEY_FILE cannot be read: ENOENT.*'\/run\/secrets\/none'$/m,
      ],
      [
        'mrs',
        'a secret given twice',
        { S3_SECRET_ACCESS_KEY: 'twice' },
        /^error: Invalid setting: S3_SECRET_ACCESS_KEY and S3_SECRET_ACCESS_KEY_FILE must not both be set$/m,
      ],
      [
        'worker',
        'an S3 service without a bucket',
        { S3_BUCKET: '' },
        /^Invalid setting: S3_ENDPOINT requires S3_BUCKET$/m,
      ],
      [
        'api',
        'a folder that it cannot write',
        { DATA_DIR: '/var/lib/mrs' },
        /^DATA_DIR: cannot write to \/var\/lib\/mrs: E/m,
      ],
      [
        'worker',
        'a folder that it cannot write',
        { DATA_DIR: '/var/lib/mrs' },
        /^DATA_DIR: cannot write to \/var\/lib\/mrs: E/m,
      ],
    ])(
      '%s refuses %s',
      async (service, _what, environment, message) => {
        const args = service === 'mrs' ? ['users', 'list'] : undefined;
        const { status, stdout, stderr } = await first.run(service, { args, environment });
        expect(stdout + stderr).toMatch(message);
        expect(status).toBe(1);
      },
      WITHIN_MS,
    );
  });
});
