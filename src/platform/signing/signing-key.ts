import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads the key in `DATA_DIR/url-signing-key`, creating it on first start. Processes that start at once get the same key. */
export async function loadSigningKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'url-signing-key');
  const existing = await readIfThere(path);
  if (existing) return existing;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const candidate = `${path}.${process.pid}`;
  const file = await open(candidate, 'w', 0o600);
  try {
    await file.writeFile(randomBytes(32).toString('hex'));
    await file.sync();
  } finally {
    await file.close();
  }
  // `link` fails if another process was first; its key is used then.
  await link(candidate, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(candidate, { force: true });
  return readFile(path, 'utf8');
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
