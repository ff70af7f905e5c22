import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Requirement } from './requirements.js';

/** Tests that fill a disk make one of memory. */
export const SMALL_DISKS = new Requirement('a disk that it can fill', refusal());

function refusal(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can mount one';
  const folder = mkdtempSync(join(tmpdir(), 'mrs-disk-'));
  try {
    mountSmallDisk(folder);
    unmount(folder);
    return null;
  } catch {
    return 'mount is not permitted here';
  } finally {
    rmdirSync(folder);
  }
}

/** 32 MiB. */
export function mountSmallDisk(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m,mode=777', 'tmpfs', folder], { stdio: 'ignore' });
}

export function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
}
