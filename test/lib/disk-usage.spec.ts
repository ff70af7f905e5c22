import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { diskUsage } from '../../src/lib/disk-usage.js';

describe('the usage of a disk', () => {
  it('is that of the file system of a folder', async () => {
    const { free, total } = (await diskUsage(tmpdir()))!;
    expect(free).toBeGreaterThan(0);
    expect(total).toBeGreaterThanOrEqual(free);
  });

  it('is unknown without the folder', async () => {
    expect(await diskUsage(join(tmpdir(), 'there-is-no-such-folder'))).toBeNull();
  });

  it('does not hide another mistake', async () => {
    await expect(diskUsage(join(process.execPath, 'below-a-file'))).rejects.toThrow('ENOTDIR');
  });
});
