import { generateKeySync, randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiskObjectStore } from '../../src/platform/storage/disk.object-store.js';
import { EncryptedObjectStore } from '../../src/platform/storage/encrypted.object-store.js';
import { ObjectMissingError } from '../../src/platform/storage/object-store.js';
import { brokenStream, contentOf, KeysOfTest, keysOf, stream, textOf } from '../support/objects.js';

const STORED = 65_536;
const CHUNK = STORED - 28;
const key = () => generateKeySync('aes', { length: 256 });

describe('what is stored encrypted', () => {
  let root: string;
  let disk: DiskObjectStore;
  let store: EncryptedObjectStore;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'mrs-store-'));
    disk = new DiskObjectStore(join(root, 'objects'));
    await disk.prepare();
    store = new EncryptedObjectStore(disk, new KeysOfTest(key()));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const refused = (name: string, range?: { start: number; end?: number }): Promise<void> =>
    expect(contentOf(store, name, range)).rejects.toThrow(
      'was changed, cut off, or encrypted with another key',
    );

  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 7])(
    'is read whole and in ranges at every border of chunks, with %d bytes given in any way',
    async (size) => {
      const content = randomBytes(size);
      const path = join(root, 'file');
      await writeFile(path, content);
      await store.put('bytes', content);
      await store.put('stream', stream(content.subarray(0, 10), content.subarray(10)));
      await store.putFile('file', path);
      const borders = [0, 1, 2, 3].flatMap((chunk) => [-1, 0, 1].map((by) => chunk * CHUNK + by));
      const at = [...new Set([...borders, size - 1, size, size + 1])].filter((place) => place >= 0);
      for (const name of ['bytes', 'stream', 'file']) {
        expect((await contentOf(store, name)).equals(content)).toBe(true);
        expect(await store.stat(name)).toMatchObject({ size });
      }
      for (const start of at) {
        expect((await contentOf(store, 'bytes', { start })).equals(content.subarray(start))).toBe(true);
        for (const end of at.filter((place) => place >= start))
          expect(
            (await contentOf(store, 'bytes', { start, end })).equals(content.subarray(start, end + 1)),
          ).toBe(true);
      }
    },
  );

  it('says nothing on the disk, and never the same twice', async () => {
    const words = 'who was let go and why. '.repeat(4_000);
    await store.put('a', Buffer.from(words));
    const first = await readFile(disk.pathOf('a'));
    await store.put('a', Buffer.from(words));
    const second = await readFile(disk.pathOf('a'));
    expect(first.includes('let go')).toBe(false);
    expect(first.length).toBe(96_000 + 2 * 28);
    expect(first.subarray(0, 64).equals(second.subarray(0, 64))).toBe(false);
  });

  it('is refused when it was changed, cut off, rearranged, or belongs to another object or key', async () => {
    const content = randomBytes(3 * CHUNK);
    const path = disk.pathOf('whole');
    await store.put('whole', content);
    const stored = await readFile(path);
    const chunk = (at: number) => stored.subarray(at * STORED, (at + 1) * STORED);

    const changed = Buffer.from(stored);
    changed[STORED + 100]! ^= 1;
    await writeFile(path, changed);
    await refused('whole');
    await refused('whole', { start: CHUNK, end: CHUNK });
    expect((await contentOf(store, 'whole', { start: 0, end: 9 })).equals(content.subarray(0, 10))).toBe(
      true,
    );

    for (const parts of [[1, 0, 2], [0, 0, 2], [0, 1], [0], [], [0, 1, 2, 2]]) {
      await writeFile(path, Buffer.concat(parts.map(chunk)));
      await refused('whole');
    }
    await writeFile(path, stored);
    await truncate(path, 2 * STORED + 1_000);
    await refused('whole', { start: 2 * CHUNK });

    await writeFile(path, stored);
    await copyFile(path, disk.pathOf('other'));
    await refused('other');
    const others = new EncryptedObjectStore(disk, new KeysOfTest(key()));
    await expect(contentOf(others, 'whole')).rejects.toThrow('whole: chunk 0 was changed');
    expect((await contentOf(store, 'whole')).equals(content)).toBe(true);
  });

  it('cannot be read once its key is gone, and what is still written then neither', async () => {
    await store.put('early', stream('secret words'));
    const gone = new EncryptedObjectStore(disk, new KeysOfTest(null));
    await expect(gone.get('early')).rejects.toThrow(ObjectMissingError);
    expect(await gone.stat('early')).toBeNull();
    expect(await gone.put('late', stream('late words'))).toMatchObject({ size: 10 });
    expect((await readFile(disk.pathOf('late'))).includes('late words')).toBe(false);
    await refused('late');
    expect(await keysOf(gone)).toEqual(expect.arrayContaining(['early', 'late']));
    await gone.delete(['early', 'late']);
    expect(await keysOf(gone)).not.toContain('early');
  });

  it('stays as it was where there is no key', async () => {
    const plain = new EncryptedObjectStore(disk, new KeysOfTest('plain'));
    await plain.put('plain', stream('as it is'));
    expect(await readFile(disk.pathOf('plain'), 'utf8')).toBe('as it is');
    expect(await textOf(plain, 'plain', { start: 3, end: 4 })).toBe('it');
    const delivery = { type: 'a/b', disposition: 'inline', fileName: 'a', expiresAt: new Date() } as const;
    expect(await plain.locate('plain', () => delivery)).toEqual({ file: disk.pathOf('plain') });
    expect(await store.locate('plain', () => delivery)).toBeNull();
  });

  it('leaves no reader waiting, and no process dead, when a source or a reader breaks off', async () => {
    await expect(store.put('broken', brokenStream(200_000))).rejects.toThrow('connection lost');
    const source = brokenStream(0);
    const failing = new EncryptedObjectStore(disk, {
      find: async () => {
        throw new Error('no database');
      },
    });
    await expect(failing.put('broken', source)).rejects.toThrow('no database');
    expect(source.destroyed).toBe(true);
    await store.put('long', randomBytes(10 * CHUNK));
    const reader = await store.get('long');
    for await (const _ of reader) break;
    expect(reader.destroyed).toBe(true);
    expect(await keysOf(store, 'broken')).toEqual([]);
  });
});
