import { randomUUID } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes a file as the service does: flushed, then renamed, with the new folders flushed too. */
export async function storeDurably(root, key, bytes) {
  const path = join(root, key);
  const partial = join(root, randomUUID());
  const file = await open(partial, 'wx');
  await file.writeFile(bytes);
  await file.sync();
  await file.close();
  const made = await mkdir(dirname(path), { recursive: true });
  await rename(partial, path);
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const handle = await open(folder, 'r');
    await handle.sync();
    await handle.close();
    if (folder === dirname(made ?? path)) return;
  }
}
