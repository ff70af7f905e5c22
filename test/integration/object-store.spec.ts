import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DiskObjectStore } from '../../src/platform/storage/disk.object-store.js';

describe('the disk object store', () => {
  let root: string;
  let store: DiskObjectStore;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'mrs-store-'));
    store = new DiskObjectStore(root);
    await store.prepare();
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const files = async (): Promise<string[]> =>
    (await readdir(root, { recursive: true, withFileTypes: true }))
      .filter((one) => one.isFile())
      .map(({ name }) => name);

  it('keeps what it was given and tells its size and SHA-256', async () => {
    const content = Buffer.alloc(3_000_000, 'abc');
    const stored = await store.put(
      'recordings/a/one',
      Readable.from([content.subarray(0, 10), content.subarray(10)]),
    );
    expect(stored).toEqual({ size: 3_000_000, sha256: createHash('sha256').update(content).digest('hex') });
    expect((await readFile(store.pathOf('recordings/a/one'))).equals(content)).toBe(true);
  });

  it('replaces an object whole', async () => {
    await store.put('a', Readable.from(['first, and longer']));
    await store.put('a', Readable.from(['second']));
    expect(await readFile(store.pathOf('a'), 'utf8')).toBe('second');
  });

  it('leaves nothing behind when the content breaks off, and keeps the old object', async () => {
    await store.put('a', Readable.from(['old']));
    const broken = Readable.from(
      (async function* () {
        yield 'half of the new';
        throw new Error('connection lost');
      })(),
    );
    await expect(store.put('a', broken)).rejects.toThrow('connection lost');
    expect(await readFile(store.pathOf('a'), 'utf8')).toBe('old');
    expect(await files()).toEqual(['a']);
  });

  it('deletes an object and the folders it leaves empty, and one that is not there', async () => {
    await store.put('recordings/a/one', Readable.from(['1']));
    await store.put('recordings/b/two', Readable.from(['2']));
    await store.delete('recordings/a/one');
    await store.delete('recordings/a/one');
    await store.delete('never/there');
    expect(await readdir(join(root, 'recordings'))).toEqual(['b']);
  });

  it.each(['../outside', '/etc/passwd', 'a/../../b', 'a//b', '.partial/x', '', 'A', 'a b'])(
    'refuses %j, which is no key',
    (key) => {
      expect(() => store.pathOf(key)).toThrow('Not an object key');
    },
  );

  it('clears at the start what a process that died left half-written, but not what is being written', async () => {
    const old = new Date(Date.now() - 25 * 60 * 60 * 1000);
    await writeFile(join(root, '.partial', 'left'), 'x');
    await utimes(join(root, '.partial', 'left'), old, old);
    await writeFile(join(root, '.partial', 'running'), 'x');
    await new DiskObjectStore(root).prepare();
    expect(await files()).toEqual(['running']);
  });
});
