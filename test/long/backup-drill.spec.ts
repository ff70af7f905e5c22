import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SealingService } from '../../src/modules/audit/seals/sealing.service.js';
import { keyOf, recording, transcript, user } from '../factories/workspace.js';
import { ageKey, resultOf, rowsOf } from '../support/backups.js';
import { commandLine as run } from '../support/command-line.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { contentOf, keysOf, sha256 } from '../support/objects.js';
import { Sandbox, type Ended, type Environment } from '../support/process.js';
import { S3 } from '../support/requirements.js';
import { TestBucket } from '../support/s3.js';
import { startService, type TestService } from '../support/service.js';

const MIB = 1024 * 1024;
const commandLine = (settings: Environment, ...args: string[]): Promise<Ended> =>
  run(settings, '--quiet', ...args);

/** What every night should do, and a restore: a service in S3 into another bucket, encrypted, and back into a new one. */
S3.describe('the backups of every night, in S3', () => {
  const sandbox = new Sandbox();
  const buckets: TestBucket[] = [];
  let database: TestDatabase | undefined;
  let service: TestService;
  let store: TestBucket;
  let backups: TestBucket;
  let settings: Environment;
  let root: string;
  let age: { recipient: string; identity: string };

  const bucket = async (): Promise<TestBucket> => {
    const made = await TestBucket.make();
    buckets.push(made);
    return made;
  };
  const accessTo = ({ settings: { bucket: name, endpoint = '', credentials } }: TestBucket) => ({
    S3_BUCKET: name,
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
    S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
  });
  const backUp = async (...args: string[]): Promise<ReturnType<typeof JSON.parse>> =>
    resultOf(await commandLine(settings, 'backup', root, '--encrypt-to', age.recipient, '--json', ...args));
  async function record(title: string, bytes: number): Promise<void> {
    const media = `${title}.mp4`;
    const made = recording('Ada', { media, transcript: transcript(5), title });
    await service.import({ recordings: [made] }, { [media]: Buffer.alloc(bytes, title) });
  }

  beforeAll(async () => {
    store = await bucket();
    backups = await bucket();
    service = await startService(accessTo(store));
    await service.import({ users: [user('Ada')] });
    await record('monday', 20 * MIB);
    await service.app.get(SealingService).run();
    settings = { DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir, ...accessTo(store) };
    root = `s3://${backups.settings.bucket}/meetings/nightly`;
    age = await ageKey(await sandbox.folder());
  });
  afterAll(async () => {
    await service.stop();
    await database?.drop();
    for (const one of buckets) await one.remove();
    await sandbox.cleanUp();
  });

  it('have each media file once, all of it below the prefix', async () => {
    expect(await backUp()).toMatchObject({ media_files: 1, new_media_files: 1, media_bytes: 20 * MIB });
    await record('tuesday', 3 * MIB);
    expect(await backUp()).toMatchObject({ media_files: 2, new_media_files: 1, media_bytes: 23 * MIB });
    const keys = await keysOf(backups.open());
    expect(keys.filter((key) => key.startsWith('meetings/nightly/objects/'))).toHaveLength(2);
    expect(keys.filter((key) => !key.startsWith('meetings/nightly/'))).toEqual([]);
  });

  it('are restored into an empty bucket and database, the same in every row and byte', async () => {
    const target = await bucket();
    database = await createDatabase({ migrated: false });
    const into = {
      DATABASE_URL: database.url,
      DATA_DIR: await sandbox.folder(),
      ...accessTo(target),
    };
    const restored = await commandLine(into, 'restore', root, '--identity', age.identity);
    expect([restored.status, restored.stderr]).toEqual([0, expect.stringMatching(/^Creating the tables/)]);
    const keys = await keysOf(store.open());
    expect(await keysOf(target.open())).toEqual(keys);
    for (const key of keys)
      expect(sha256(await contentOf(target.open(), key))).toBe(sha256(await contentOf(store.open(), key)));
    expect(await rowsOf(database.url)).toEqual(await rowsOf(service.databaseUrl));
    const verified = await commandLine(into, 'audit', 'verify');
    expect([verified.status, verified.stderr]).toEqual([0, '']);
  });

  it('go on after S3 was gone in the middle, and the earlier ones are as they were', async () => {
    await record('wednesday', 4 * MIB);
    await record('thursday', 30 * MIB);
    const proxy = await leavingAfter(10 * MIB, backups.settings.endpoint ?? '');
    const gone = await commandLine(
      { ...settings, BACKUP_S3_ENDPOINT: proxy },
      'backup',
      root,
      '--encrypt-to',
      age.recipient,
    );
    expect([gone.status, gone.stderr]).toEqual([
      1,
      expect.stringMatching(/^error: S3 \S+ of \S+: .* Run the same command again to continue\.\n$/),
    ]);
    const verified = await commandLine(
      settings,
      'backup',
      'verify',
      root,
      '--identity',
      age.identity,
      '--json',
    );
    expect(resultOf(verified)).toMatchObject({ media_files: 2, problems: 0 });
    expect(await backUp()).toMatchObject({ media_files: 4, media_bytes: 57 * MIB });
  });

  it('are removed with the media files that no other has', async () => {
    const { body } = await service.api.as(keyOf('Ada')).get('/recordings?limit=100');
    for (const { id } of body.data) await service.api.as(keyOf('Ada')).delete(`/recordings/${id}`);
    const { removed } = await backUp('--keep', '1d');
    expect(removed).toHaveLength(3);
    expect(await keysOf(backups.open(), 'meetings/nightly/objects/')).toEqual([]);
    const names = (await keysOf(backups.open())).map((key) => key.split('/')[2]);
    expect(new Set(names).size).toBe(1);
  });

  it.each([
    ['s3://', /must be s3:\/\/bucket\/prefix/],
    ['s3://bucket/Upper Case', /must be s3:\/\/bucket\/prefix/],
    [
      's3://no-such-bucket-at-all',
      /s3:\/\/no-such-bucket-at-all: there is no bucket "no-such-bucket-at-all"/,
    ],
  ])('are refused: %s', async (given, message) => {
    const { status, stderr } = await commandLine(settings, 'backup', given);
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('are refused in the bucket of the service, and with keys that S3 does not know', async () => {
    const own = await commandLine(settings, 'backup', `s3://${store.settings.bucket}/backups`);
    expect([own.status, own.stderr]).toEqual([2, expect.stringContaining('is the bucket of the service')]);
    const keys = { BACKUP_S3_ACCESS_KEY_ID: 'unknown', BACKUP_S3_SECRET_ACCESS_KEY: 'wrong' };
    const unknown = await commandLine({ ...settings, ...keys }, 'backup', root);
    expect([unknown.status, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('BACKUP_S3_ACCESS_KEY_ID: unknown at http'),
    ]);
  });

  /** Starts a proxy that forwards this many bytes and then drops all connections; returns its URL. */
  async function leavingAfter(bytes: number, endpoint: string): Promise<string> {
    const { hostname, port } = new URL(endpoint);
    const open = new Set<Socket>();
    let left = bytes;
    const server = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      for (const socket of [client, upstream]) {
        open.add(socket);
        socket.on('error', () => undefined);
      }
      upstream.pipe(client);
      client.on('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left > 0) upstream.write(chunk);
        else {
          server.close();
          for (const socket of open) socket.destroy();
        }
      });
      client.on('close', () => upstream.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
});
