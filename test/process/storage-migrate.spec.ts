import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keysOf } from '../support/objects.js';
import { Sandbox } from '../support/process.js';
import { S3 } from '../support/requirements.js';
import { TestBucket } from '../support/s3.js';

describe('storage migrate', () => {
  const sandbox = new Sandbox();
  let DATA_DIR: string;

  beforeAll(async () => {
    DATA_DIR = await sandbox.folder();
  });
  afterAll(() => sandbox.cleanUp());

  const migrate = (settings: Record<string, string>, from: string, to: string, ...more: string[]) =>
    sandbox.cli({ DATA_DIR, ...settings }, 'storage', 'migrate', '--from', from, '--to', to, ...more);

  it('reports in one line what is missing', async () => {
    const [same, nothing] = await Promise.all([migrate({}, 's3', 's3'), migrate({}, 'disk', 's3')]);
    expect(same).toMatchObject({
      status: 2,
      stdout: '',
      stderr: '--to: must not be the same store as --from\n',
    });
    expect(nothing).toMatchObject({
      status: 1,
      stderr: `DATA_DIR: there are no objects at ${join(DATA_DIR, 'objects')}\n`,
    });
    const unset = await migrate({}, 's3', 'disk');
    expect(unset.stderr).toBe('S3_BUCKET: must be set to migrate from or to S3\n');
  });

  S3.describe('with S3', () => {
    let bucket: TestBucket;

    beforeAll(async () => {
      bucket = await TestBucket.make();
      await mkdir(join(DATA_DIR, 'objects', 'r'), { recursive: true });
      for (const name of ['1', '2']) await writeFile(join(DATA_DIR, 'objects', 'r', name), `content ${name}`);
    });
    afterAll(() => bucket.remove());

    it('copies everything, reports how much, and starts no database', async () => {
      const { endpoint = '', credentials, bucket: name } = bucket.settings;
      const settings = {
        S3_BUCKET: name,
        S3_ENDPOINT: endpoint,
        S3_ACCESS_KEY_ID: credentials!.accessKeyId,
        S3_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
        DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
      };
      const first = await migrate(settings, 'disk', 's3');
      expect(first).toMatchObject({
        status: 0,
        stdout: 'copied: 2 (18 bytes)\nalready present: 0\n',
        stderr: '',
      });
      const again = await migrate(settings, 'disk', 's3', '--json');
      expect(JSON.parse(again.stdout)).toMatchObject({ copied: 0, skipped: 2, failed: [] });
      expect(await keysOf(bucket.open())).toEqual(['r/1', 'r/2']);
    });
  });
});
