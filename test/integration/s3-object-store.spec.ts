import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { toServiceError } from '../../src/platform/http/replies/error.filter.js';
import type { Delivery } from '../../src/platform/storage/object-store.js';
import { openS3Store } from '../../src/platform/storage/open-store.js';
import { S3ObjectStore } from '../../src/platform/storage/s3.object-store.js';
import { guarded } from '../../src/platform/storage/stall-guard.js';
import { brokenStream, keysOf, stream } from '../support/objects.js';
import { S3 } from '../support/requirements.js';
import { eventually } from '../support/service.js';
import { TestBucket } from '../support/s3.js';

const SETTINGS = {
  bucket: 'meetings',
  endpoint: 'http://127.0.0.1:9',
  publicEndpoint: 'https://media.example.com',
  presignedUrls: true,
  region: 'us-east-1',
  credentials: { accessKeyId: 'key', secretAccessKey: 'top-secret-value' },
};
const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE', status: 503 };

const delivery = (changed: Partial<Delivery> = {}): Delivery => ({
  type: 'video/mp4',
  disposition: 'attachment',
  fileName: 'Plan für Q3 "neu".mp4',
  expiresAt: new Date(Date.now() + 60_000),
  ...changed,
});

const addressOf = async (store: S3ObjectStore, key: string, how = delivery()): Promise<string> => {
  const place = await store.locate(key, () => how);
  if (!place || !('url' in place)) throw new Error('no address');
  return place.url;
};

describe('the S3 object store without an S3 server', () => {
  let server: Server | undefined;

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  const storeAt = async (answer: RequestListener): Promise<S3ObjectStore> => {
    const one = createServer(answer);
    server = one;
    await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
    return new S3ObjectStore({
      ...SETTINGS,
      endpoint: `http://127.0.0.1:${(one.address() as AddressInfo).port}`,
    });
  };

  it('is a SERVICE_UNAVAILABLE when the server cannot be reached', async () => {
    const store = new S3ObjectStore(SETTINGS);
    const attempts = [
      () => store.check(),
      () => store.put('a', Buffer.from('x')),
      () => store.put('a', stream('x')),
      () => store.get('a'),
      () => store.stat('a'),
      () => store.delete(['a']),
      () => store.delete(['a', 'b']),
      () => keysOf(store),
    ];
    const failures = await Promise.all(attempts.map((attempt) => attempt().catch((error: unknown) => error)));
    for (const failure of failures) {
      expect(toServiceError(failure)).toMatchObject(UNAVAILABLE);
      expect(toServiceError(failure)).toBe(failure);
      expect(((failure as Error).cause as Error).message).toMatch(/^S3 .*ECONNREFUSED/);
      expect(JSON.stringify(failure) + String((failure as Error).cause)).not.toContain('top-secret');
    }
  });

  it.each([500, 503, 429])('is a SERVICE_UNAVAILABLE when the server answers %d', async (status) => {
    const store = await storeAt((_request, response) => response.writeHead(status).end());
    await expect(store.get('a')).rejects.toMatchObject(UNAVAILABLE);
    await expect(store.stat('a')).rejects.toMatchObject(UNAVAILABLE);
  });

  it('is an internal error if the server denies access', async () => {
    const store = await storeAt((_request, response) => response.writeHead(403).end());
    const failure = await store.get('a').catch((error: unknown) => error);
    expect(toServiceError(failure)).toMatchObject({ code: 'INTERNAL_ERROR', cause: failure });
  });

  it('fails rather than ending early when an object breaks off', async () => {
    const store = await storeAt((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('half');
      setTimeout(() => response.destroy(), 50);
    });
    await expect(buffer(await store.get('a'))).rejects.toMatchObject(UNAVAILABLE);
    const unread = await store.get('a');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await expect(buffer(unread)).rejects.toMatchObject(UNAVAILABLE);
  });

  it('signs URLs for the public endpoint, without a connection', async () => {
    const url = new URL(await addressOf(new S3ObjectStore(SETTINGS), 'recordings/a/one.mp4'));
    expect(url.origin + url.pathname).toBe('https://media.example.com/meetings/recordings/a/one.mp4');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      'response-content-type': 'video/mp4',
      'response-content-disposition': `attachment; filename="Plan fur Q3 _neu_.mp4"; filename*=UTF-8''Plan%20f%C3%BCr%20Q3%20%22neu%22.mp4`,
      'X-Amz-Expires': expect.stringMatching(/^(59|60)$/),
      'X-Amz-SignedHeaders': 'host',
    });
    expect(url.href).not.toContain('top-secret');
    expect(url.href).not.toContain('checksum');
  });

  it('signs none for clients that are not to know of it', async () => {
    const store = new S3ObjectStore({ ...SETTINGS, presignedUrls: false });
    expect(await store.locate('a', () => delivery())).toBeNull();
    expect(await store.presign('a', { size: 1, sha256: '00'.repeat(32) }, new Date())).toBeNull();
  });

  it('reports on startup that the server cannot be reached', async () => {
    await expect(openS3Store(SETTINGS)).rejects.toThrow(
      /^S3_ENDPOINT: cannot use "meetings" at http:\/\/127.0.0.1:9: S3 ListObjectsV2: .*ECONNREFUSED/,
    );
  });
});

describe('a guard against a stalled source', () => {
  it('fails if no data arrives, not if nobody reads', async () => {
    const explained = new Error('stalled');
    const source = new PassThrough();
    const unread = guarded(source, () => explained, 20);
    source.write('something');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(unread.destroyed).toBe(false);
    unread.resume();
    await expect(new Promise((_resolve, reject) => unread.once('error', reject))).rejects.toBe(explained);
  });
});

S3.describe('the S3 object store', () => {
  let bucket: TestBucket;
  let store: S3ObjectStore;

  beforeAll(async () => {
    bucket = await TestBucket.make();
    store = bucket.open();
  });
  afterAll(() => bucket.remove());

  it('leaves no upload open when the content breaks off', async () => {
    await expect(store.put('broken', brokenStream(30_000_000))).rejects.toThrow('connection lost');
    expect(await bucket.openUploads()).toBe(0);
    expect(await store.stat('broken')).toBeNull();
  });

  it('locates an object by a URL that serves it with its name and type, and supports ranges', async () => {
    const content = randomBytes(100_000);
    await store.put('recordings/a/video', content);
    const url = await addressOf(store, 'recordings/a/video');
    const reply = await fetch(url);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('video/mp4');
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="Plan fur.*filename\*=UTF-8''Plan%20f%C3%BCr%20Q3/,
    );
    expect(Buffer.from(await reply.arrayBuffer()).equals(content)).toBe(true);
    const part = await fetch(url, { headers: { range: 'bytes=10-19' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 10-19/100000']);
    expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(10, 20))).toBe(true);
  });

  it('denies access to another object, name or expiry by a modified URL', async () => {
    await store.put('mine', stream('mine'));
    await store.put('other', stream('other'));
    const url = await addressOf(store, 'mine');
    const changed = [
      url.replace('/mine?', '/other?'),
      url.replace('attachment', 'inline'),
      url.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=9999'),
      url.replace(/X-Amz-Signature=./, (start) => `${start.slice(0, -1)}${start.endsWith('0') ? '1' : '0'}`),
      url.slice(0, url.indexOf('?')),
    ];
    const statuses = await Promise.all(changed.map(async (address) => (await fetch(address)).status));
    expect(statuses).toEqual([403, 403, 403, 403, 403]);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
  });

  it.each([
    [
      'a missing bucket',
      { bucket: 'mrs-test-never-made' },
      /^S3_BUCKET: there is no bucket "mrs-test-never-made" at http/,
    ],
    [
      'an unknown access key',
      { credentials: { accessKeyId: 'nobody', secretAccessKey: 'x' } },
      /^S3_ACCESS_KEY_ID: unknown at http/,
    ],
  ])('reports on startup which setting is wrong: %s', async (_what, changed, line) => {
    await expect(openS3Store({ ...bucket.settings, ...changed })).rejects.toThrow(line);
  });

  it('reports on startup that the secret is wrong, without showing it', async () => {
    const { accessKeyId } = bucket.settings.credentials!;
    const credentials = { accessKeyId, secretAccessKey: 'wrong-secret-value' };
    const failure = await openS3Store({ ...bucket.settings, credentials }).catch((error: unknown) => error);
    expect((failure as Error).message).toMatch(/^S3_SECRET_ACCESS_KEY: does not match S3_ACCESS_KEY_ID/);
    expect((failure as Error).message).not.toContain('wrong-secret-value');
  });

  it('deletes every version in a bucket that keeps versions, and only of the objects it is asked to', async () => {
    const kept = await TestBucket.make({ versions: true });
    const versioned = kept.open();
    for (const content of ['first', 'second'])
      await versioned.put('recordings/a/video', Buffer.from(content));
    await versioned.put('recordings/a/video-2', Buffer.from('another'));
    await versioned.put('recordings/b/video', Buffer.from('other'));
    expect(await kept.versions()).toBe(4);
    await versioned.delete(['recordings/a/video', 'recordings/a/none']);
    expect(await keysOf(versioned)).toEqual(['recordings/a/video-2', 'recordings/b/video']);
    expect(await kept.versions()).toBe(2);
    await kept.remove();
  });

  it('says which object a lock of the bucket keeps, and deletes it once that has ended', async () => {
    const locking = await TestBucket.make({ lock: true });
    const locked = locking.open();
    await locked.put('recordings/a/video', Buffer.from('locked'));
    const until = new Date(Date.now() + 2_000);
    await locking.lock('recordings/a/video', until);
    await expect(locked.delete(['recordings/a/video'])).rejects.toThrow(
      /1 were not deleted, such as recordings\/a\/video: /,
    );
    await eventually(async () => {
      await locked.delete(['recordings/a/video']);
      expect(await locking.versions()).toBe(0);
    });
    await locking.remove();
  });
});
