import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseSettings, StartError } from '../../src/platform/config/settings.js';
import { openKeys, readKeys } from '../../src/platform/secrets/keys.js';

const [CURRENT, PREVIOUS] = ['c'.repeat(32), 'p'.repeat(32)];

describe('a key', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mrs-keys-'));
    path = join(folder, 'data', 'sealing-key');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const setting = (settings: Record<string, string> = {}) =>
    parseSettings({ DATA_DIR: join(folder, 'data'), ...settings }).sealingKey;
  const open = (settings?: Record<string, string>) => openKeys(setting(settings));

  it('is created once for all processes that start at once, readable by its owner only', async () => {
    expect(await readKeys(setting())).toBeNull();
    const all = await Promise.all([open(), open(), open()]);
    expect(all[0]).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect([all[1], all[2], await open()]).toEqual([all[0], all[0], all[0]]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'data'))).toEqual(['sealing-key']);
  });

  it('is that of the settings, if they have one; a previous one is accepted besides', async () => {
    expect(await open({ SEALING_KEY: CURRENT, SEALING_KEY_PREVIOUS: PREVIOUS })).toEqual([CURRENT, PREVIOUS]);
    expect(readdirSync(folder)).toEqual([]);
    expect(await open({ SEALING_KEY_PREVIOUS: PREVIOUS })).toEqual([expect.any(String), PREVIOUS]);
    writeFileSync(path, `${CURRENT}\n`);
    expect(await open()).toEqual([CURRENT]);
  });

  it.each(['', 'c2hvcnQ', `${CURRENT}\n${PREVIOUS}`])('in a file with %j is refused', async (text) => {
    await open();
    writeFileSync(path, text);
    await expect(open()).rejects.toThrow(
      `${path}: does not contain a key as the service writes it; restore it from a backup`,
    );
  });

  it('that cannot be created names the folder', async () => {
    symlinkSync(join(folder, 'none', 'data'), join(folder, 'data'));
    const refused = expect(open()).rejects;
    await refused.toThrow(StartError);
    await refused.toThrow(`DATA_DIR: cannot write to ${join(folder, 'data')}: E`);
  });
});
