import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ObjectMissingError, type ObjectStore } from '../../src/platform/storage/object-store.js';
import { brokenStream, contentOf, keysOf, sha256, stream, textOf } from './objects.js';

const MB = 1_000_000;

/** Tests that an adapter keeps the contract of all. `reachable`: by HTTP clients, which can store objects there. */
export function keepsItsContract(open: () => Promise<ObjectStore>, { reachable = false } = {}): void {
  let store: ObjectStore;
  let folder: string;

  beforeEach(async () => {
    store = await open();
    folder = await mkdtemp(join(tmpdir(), 'mrs-files-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
    await store.delete(await keysOf(store));
  });

  const file = async (name: string, content: string | Uint8Array): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };

  it('stores a stream of 20 MB', async () => {
    const content = randomBytes(20 * MB);
    const pieces = Array.from({ length: 200 }, (_, at) => content.subarray(at * 100_000, (at + 1) * 100_000));
    expect(await store.put('large', stream(...pieces))).toEqual({ size: 20 * MB, sha256: sha256(content) });
    expect((await contentOf(store, 'large')).equals(content)).toBe(true);
    expect(await store.stat('large')).toMatchObject({ key: 'large', size: 20 * MB });
  });

  it.each([
    ['bytes', () => new Uint8Array()],
    ['a stream', () => stream()],
  ])('stores an empty object, given as %s', async (_what, content) => {
    expect(await store.put('empty', content())).toEqual({
      size: 0,
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    });
    expect(await textOf(store, 'empty')).toBe('');
    expect(await textOf(store, 'empty', { start: 0 })).toBe('');
    expect(await store.stat('empty')).toMatchObject({ size: 0 });
  });

  it('replaces an object completely', async () => {
    await store.put('a', stream('first, and longer'));
    await store.put('a', stream('second'));
    expect(await textOf(store, 'a')).toBe('second');
    await store.put('a', Buffer.from('3'));
    expect(await textOf(store, 'a')).toBe('3');
  });

  it.each([
    ['immediately', 0],
    ['in the first part', 100_000],
    ['after several parts', 20 * MB],
  ])('keeps the old object when the new content breaks off %s', async (_when, bytes) => {
    await store.put('a', stream('old'));
    await expect(store.put('a', brokenStream(bytes))).rejects.toThrow('connection lost');
    await expect(store.put('b', brokenStream(bytes))).rejects.toThrow('connection lost');
    expect(await textOf(store, 'a')).toBe('old');
    expect(await keysOf(store)).toEqual(['a']);
  });

  it.each([100, 20 * MB])('stores a local file of %d bytes, which stays in place', async (size) => {
    const content = randomBytes(size);
    const path = await file('upload', content);
    await store.putFile('a/file', path);
    await store.putFile('a/file', path);
    expect((await contentOf(store, 'a/file')).equals(content)).toBe(true);
    expect((await readFile(path)).equals(content)).toBe(true);
    await rm(path);
    expect((await contentOf(store, 'a/file')).equals(content)).toBe(true);
    expect(await keysOf(store)).toEqual(['a/file']);
  });

  it('fails if the local file does not exist', async () => {
    await expect(store.putFile('a', join(folder, 'nothing'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await keysOf(store)).toEqual([]);
  });

  it.each([
    [{ start: 2, end: 4 }, '234'],
    [{ start: 7 }, '789'],
    [{ start: 7, end: 999 }, '789'],
    [{ start: 0 }, '0123456789'],
    [{ start: 10 }, ''],
  ])('returns the bytes of %j', async (range, expected) => {
    await store.put('digits', stream('0123456789'));
    expect(await textOf(store, 'digits', range)).toBe(expected);
  });

  it.each(['never', 'recordings', 'recordings/a', 'recordings/a/one/below'])(
    'has no object %s besides recordings/a/one',
    async (key) => {
      await store.put('recordings/a/one', stream('1'));
      await expect(store.get(key)).rejects.toThrow(ObjectMissingError);
      await expect(store.get(key, { start: 0, end: 1 })).rejects.toMatchObject({ key });
      expect(await store.stat(key)).toBeNull();
      await store.delete([key]);
      expect(await textOf(store, 'recordings/a/one')).toBe('1');
    },
  );

  it('lists objects by prefix', async () => {
    for (const key of ['r/a/1', 'r/a/2', 'r/ab/3', 'r/b/4', 'ra', 's']) await store.put(key, stream(key));
    expect(await keysOf(store)).toEqual(['r/a/1', 'r/a/2', 'r/ab/3', 'r/b/4', 'ra', 's']);
    expect(await keysOf(store, 'r')).toEqual(['r/a/1', 'r/a/2', 'r/ab/3', 'r/b/4', 'ra']);
    expect(await keysOf(store, 'r/')).toEqual(['r/a/1', 'r/a/2', 'r/ab/3', 'r/b/4']);
    expect(await keysOf(store, 'r/a')).toEqual(['r/a/1', 'r/a/2', 'r/ab/3']);
    expect(await keysOf(store, 'r/a/')).toEqual(['r/a/1', 'r/a/2']);
    expect(await keysOf(store, 'r/a/1')).toEqual(['r/a/1']);
    for (const prefix of ['x', 'r/a/1/', '../', '/', 'r//']) expect(await keysOf(store, prefix)).toEqual([]);
    for await (const { modifiedAt, ...rest } of store.list('r/a/1')) {
      expect(rest).toEqual({ key: 'r/a/1' });
      expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000);
    }
  });

  it('lists and deletes more than a thousand objects', async () => {
    const keys = Array.from({ length: 1_001 }, (_, at) => `many/${String(at).padStart(4, '0')}`);
    for (let at = 0; at < keys.length; at += 50) {
      await Promise.all(keys.slice(at, at + 50).map((key) => store.put(key, Buffer.from(key))));
    }
    expect(await keysOf(store, 'many/')).toEqual(keys);
    await store.delete([...keys, 'many/never']);
    expect(await keysOf(store)).toEqual([]);
  });

  it.each(['../outside', '/etc/passwd', 'a/../../b', 'a//b', '.partial/x', '', 'A', 'a b'])(
    'rejects %j as a key',
    async (key) => {
      const refused = 'Not an object key';
      await expect(store.put(key, stream('x'))).rejects.toThrow(refused);
      await expect(store.put(key, Buffer.from('x'))).rejects.toThrow(refused);
      await expect(store.putFile(key, await file('f', 'x'))).rejects.toThrow(refused);
      await expect(store.get(key)).rejects.toThrow(refused);
      await expect(store.stat(key)).rejects.toThrow(refused);
      await expect(store.delete(['a', key])).rejects.toThrow(refused);
    },
  );

  const inAMinute = (): Date => new Date(Date.now() + 60_000);

  it(`${reachable ? 'lets clients store' : 'has no URL where clients could store'} an object`, async () => {
    const content = Buffer.from('what was announced');
    const put = await store.presign('a/part', { size: 18, sha256: sha256(content) }, inAMinute());
    if (!reachable) return expect(put).toBeNull();
    const { url = '', headers = {} } = put ?? {};
    const stored = async (body: string, given = headers): Promise<number> =>
      (await fetch(url, { method: 'PUT', body, headers: given })).status;
    expect(await stored('what was announceD')).toBe(400);
    expect(await stored('what was announced, and more')).toBe(403);
    expect(await stored('what was')).toBe(403);
    expect(await stored('what was announceD', {})).toBe(403);
    const other = { ...headers, 'x-amz-content-sha256': sha256(Buffer.from('what was announceD')) };
    expect(await stored('what was announceD', other)).toBe(403);
    expect(await store.stat('a/part')).toBeNull();
    expect(await stored('what was announced')).toBe(200);
    expect(await stored('what was announceD')).toBe(400);
    expect((await contentOf(store, 'a/part')).equals(content)).toBe(true);
  });

  it('can be written to, and the check leaves no trace', async () => {
    await store.check();
    await store.check();
    expect(await keysOf(store)).toEqual([]);
  });
}
