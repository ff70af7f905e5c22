import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DiskObjectStore } from '../../src/platform/storage/disk.object-store.js';
import type { ObjectStore } from '../../src/platform/storage/object-store.js';
import { StoreMigration } from '../../src/platform/storage/store-migration.js';
import { contentOf, keysOf, textOf } from '../support/objects.js';
import { S3 } from '../support/requirements.js';
import { TestBucket } from '../support/s3.js';

const NOTHING = {
  copied: 0,
  skipped: 0,
  bytes: 0,
  deleted: 0,
  vanished: 0,
  failed: [],
  interrupted: false,
};

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mrs-migration-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const disk = async (name: string): Promise<DiskObjectStore> => {
  const store = new DiskObjectStore(join(folder, name));
  await store.prepare();
  return store;
};

describe('migrating from one store to another', () => {
  let source: DiskObjectStore;
  let target: DiskObjectStore;

  beforeEach(async () => {
    [source, target] = await Promise.all([disk('source'), disk('target')]);
    for (const key of ['r/a/1', 'r/a/2', 'r/b/3', 'r/empty']) {
      await source.put(key, Buffer.from(key === 'r/empty' ? '' : `content of ${key}`));
    }
  });

  it('copies everything, keeps the source, and has nothing to do when repeated', async () => {
    expect(await new StoreMigration(source, target).run()).toEqual({ ...NOTHING, copied: 4, bytes: 48 });
    expect(await keysOf(target)).toEqual(['r/a/1', 'r/a/2', 'r/b/3', 'r/empty']);
    expect(await textOf(target, 'r/b/3')).toBe('content of r/b/3');
    expect(await keysOf(source)).toHaveLength(4);
    expect(await new StoreMigration(source, target).run()).toEqual({ ...NOTHING, skipped: 4 });
  });

  it('resumes where it was stopped', async () => {
    const stop = new AbortController();
    const first = await new StoreMigration(source, target, {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    }).run();
    // Four objects are copied at a time; those in progress are finished.
    expect(first.failed).toEqual([]);
    for (let at = 0; at < 20; at++) await source.put(`more/${at}`, Buffer.from(`${at}`));
    const stopped = new AbortController();
    stopped.abort();
    const second = await new StoreMigration(source, target, { signal: stopped.signal }).run();
    expect(second).toEqual({ ...NOTHING, interrupted: true });
    const third = await new StoreMigration(source, target).run();
    expect(third).toMatchObject({ copied: 24 - first.copied, skipped: first.copied, interrupted: false });
    expect(await keysOf(target)).toEqual(await keysOf(source));
  });

  it.each([
    ['of the same size', 'CONTENT of r/a/1'],
    ['of another size', 'cut off'],
  ])('repairs a damaged object in the target, %s', async (_what, damaged) => {
    await new StoreMigration(source, target).run();
    await target.put('r/a/1', Buffer.from(damaged));
    expect(await new StoreMigration(source, target).run()).toMatchObject({ copied: 1, skipped: 3 });
    expect(await textOf(target, 'r/a/1')).toBe('content of r/a/1');
  });

  it('gives up on an object that never matches, keeps its source, and copies the others', async () => {
    const { run } = withDamage('r/a/1', 99);
    expect(await run()).toMatchObject({
      copied: 3,
      deleted: 3,
      failed: [{ key: 'r/a/1', reason: expect.stringContaining('differs') }],
    });
    expect(await keysOf(source)).toEqual(['r/a/1']);
  });

  it('deletes from the source only on request, including objects already in the target', async () => {
    await new StoreMigration(source, target).run();
    const report = await new StoreMigration(source, target, { deleteSource: true }).run();
    expect(report).toEqual({ ...NOTHING, skipped: 4, deleted: 4 });
    expect(await keysOf(source)).toEqual([]);
    expect(await textOf(target, 'r/a/2')).toBe('content of r/a/2');
  });

  it('does not delete an object replaced in the source in the meantime', async () => {
    const replacing = new Proxy(source, {
      get: (store, name) =>
        name === 'get'
          ? async (key: string) => {
              const content = await store.get(key);
              if (key === 'r/b/3') await store.put(key, Buffer.from('newer'));
              return content;
            }
          : bound(store, name as keyof ObjectStore),
    });
    const report = await new StoreMigration(replacing, target, { deleteSource: true }).run();
    expect(report).toMatchObject({ deleted: 3, failed: [{ key: 'r/b/3' }] });
    expect(await textOf(source, 'r/b/3')).toBe('newer');
  });

  /** The target corrupts an object the first few times it is written. */
  function withDamage(key: string, times: number) {
    let puts = 0;
    const damaging = new Proxy(target, {
      get: (store, name) =>
        name === 'put'
          ? async (...[at, content]: Parameters<ObjectStore['put']>) => {
              const stored = await store.put(at, content);
              if (at === key && ++puts <= times) await store.put(at, Buffer.from('damaged'));
              return stored;
            }
          : bound(store, name as keyof ObjectStore),
    });
    const run = () => new StoreMigration(source, damaging, { deleteSource: true }).run();
    return { run, puts: () => puts };
  }
});

S3.describe('migrating between disk and S3', () => {
  it('copies everything there and back again', async () => {
    const bucket = await TestBucket.make();
    try {
      const s3 = bucket.open();
      const [before, after] = await Promise.all([disk('before'), disk('after')]);
      const large = randomBytes(20_000_000);
      await before.put('r/large', large);
      for (let at = 0; at < 50; at++) await before.put(`r/${at}`, Buffer.from(`${at}`));

      const there = await new StoreMigration(before, s3, { deleteSource: true }).run();
      expect(there).toMatchObject({ copied: 51, deleted: 51, failed: [] });
      expect(await keysOf(before)).toEqual([]);
      const back = await new StoreMigration(s3, after).run();
      expect(back).toMatchObject({ copied: 51, deleted: 0, failed: [] });
      expect((await contentOf(after, 'r/large')).equals(large)).toBe(true);
      const again = await new StoreMigration(s3, after, { deleteSource: true }).run();
      expect(again).toMatchObject({ copied: 0, skipped: 51, deleted: 51, failed: [] });
      expect(await keysOf(s3)).toEqual([]);
      expect(await bucket.openUploads()).toBe(0);
    } finally {
      await bucket.remove();
    }
  });
});

function bound<Key extends keyof ObjectStore>(store: ObjectStore, name: Key): unknown {
  const member = store[name];
  return typeof member === 'function' ? member.bind(store) : member;
}
