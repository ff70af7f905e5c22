import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DiskObjectStore } from '../../src/platform/storage/disk.object-store.js';
import { openDiskStore } from '../../src/platform/storage/open-store.js';
import { brokenStream, keysOf, stream } from '../support/objects.js';

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

  it('leaves no incomplete file behind when the content breaks off', async () => {
    await expect(store.put('a', brokenStream(100_000))).rejects.toThrow('connection lost');
    expect(await files()).toEqual([]);
  });

  it('leaves none behind when the connection is lost before its file is created', async () => {
    for (const reason of [new Error('connection lost'), undefined]) {
      const content = new Readable({ read: () => undefined });
      const put = store.put('a', content);
      content.destroy(reason);
      await expect(put).rejects.toThrow(reason?.message ?? 'Premature close');
      expect(await files()).toEqual([]);
    }
  });

  it('stores a local file without copying it, and leaves no temporary file', async () => {
    const path = join(root, '.partial', 'upload');
    await writeFile(path, 'uploaded');
    await store.putFile('a/file', path);
    await store.putFile('a/file', path);
    expect((await stat(store.pathOf('a/file'))).ino).toBe((await stat(path)).ino);
    expect((await files()).toSorted()).toEqual(['file', 'upload']);
  });

  it('does not list incomplete files', async () => {
    await store.put('a', stream('1'));
    await writeFile(join(root, '.partial', 'running'), 'x');
    await writeFile(join(root, 'Not a key'), 'x');
    expect(await keysOf(store)).toEqual(['a']);
    expect(await keysOf(store, '.partial/')).toEqual([]);
  });

  it('continues listing while objects disappear', async () => {
    const keys = ['1', '2', '3'].flatMap((name) => [`${name}/a`, `${name}/b`]);
    for (const key of keys) await store.put(key, stream(key));
    const seen: string[] = [];
    for await (const { key } of store.list('')) {
      seen.push(key);
      if (seen.length === 1) await store.delete(keys.filter((one) => one !== key && !one.startsWith('3')));
    }
    expect(seen.toSorted()).toEqual([...new Set([seen[0], '3/a', '3/b'])].toSorted());
  });

  it('deletes folders that become empty', async () => {
    await store.put('recordings/a/one', stream('1'));
    await store.put('recordings/b/two', stream('2'));
    await store.delete(['recordings/a/one', 'recordings/a/one', 'never/there']);
    expect(await readdir(join(root, 'recordings'))).toEqual(['b']);
  });

  it('stores an object while its folder is being removed', async () => {
    const comeAndGo = async (name: string): Promise<void> => {
      for (let tries = 0; tries < 100; tries += 1) {
        await store.put(`recordings/a/parts/${name}`, stream(name));
        await store.delete([`recordings/a/parts/${name}`]);
      }
    };
    await Promise.all(['1', '2', '3', '4'].map(comeAndGo));
    expect(await files()).toEqual([]);
  });

  it('on startup removes incomplete files of dead processes, but not those being written', async () => {
    const old = new Date(Date.now() - 25 * 60 * 60 * 1000);
    await writeFile(join(root, '.partial', 'left'), 'x');
    await utimes(join(root, '.partial', 'left'), old, old);
    await writeFile(join(root, '.partial', 'running'), 'x');
    await new DiskObjectStore(root).prepare();
    expect(await files()).toEqual(['running']);
  });

  it('reports in one line that the folder cannot be used', async () => {
    await writeFile(join(root, 'file'), '');
    await expect(openDiskStore(join(root, 'file'))).rejects.toThrow(/^DATA_DIR: cannot write to .*objects/);
  });
});
