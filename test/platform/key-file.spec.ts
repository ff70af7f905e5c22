import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createKeyFile, newSecret, readKeyFile, replaceKeyFile } from '../../src/platform/keys/key-file.js';

describe('a key file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mrs-keys-'));
    path = join(folder, 'data', 'key');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has one key for all processes that create it at once, readable by its owner only', async () => {
    expect(await readKeyFile(path)).toBeNull();
    const all = await Promise.all([createKeyFile(path), createKeyFile(path)]);
    expect(all[1]).toEqual(all[0]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is read as it was written, with the times of a rotation', async () => {
    await createKeyFile(path);
    const keys = [
      { secret: newSecret(), from: Date.parse('2026-01-31T09:00:05Z'), until: Infinity },
      { secret: newSecret(), from: 0, until: Date.parse('2026-02-01T09:00:00.250Z') },
    ];
    await replaceKeyFile(path, keys);
    expect(await readKeyFile(path)).toEqual(keys);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('of an earlier release is read, also with a line break at the end', async () => {
    await createKeyFile(path);
    writeFileSync(path, `${'0f'.repeat(32)}\n`);
    expect(await readKeyFile(path)).toEqual([{ secret: '0f'.repeat(32), from: 0, until: Infinity }]);
  });

  it.each([
    ['empty', ''],
    ['cut off', 'c2hvcnQ'],
    ['with a time that is none', `${'0f'.repeat(32)} until=soon`],
  ])('that is %s is refused without being quoted', async (_, text) => {
    await createKeyFile(path);
    writeFileSync(path, text);
    await expect(readKeyFile(path)).rejects.toThrow(
      `${path}: does not contain keys as the service writes them; restore it from a backup`,
    );
  });
});
