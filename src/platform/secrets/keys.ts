import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError, type SecretSetting } from '../config/settings.js';

/** The current key, which signs or seals, and any previous one, of which that is still accepted. */
export type Keys = readonly [current: string, ...previous: string[]];

/**
 * The file with the API key of the demo, until the key has been shown in a terminal; with the mode 0600. Named here, not beside the
 * demo: the primary process of a cluster shows it too, and loads no module.
 */
export const demoKeyFile = (dataDir: string): string => join(dataDir, 'demo-api-key');

/** Reads the keys of the settings; the current key otherwise from its file. Null if there is no current key. */
export async function readKeys({ current, previous, file }: SecretSetting): Promise<Keys | null> {
  const key = current ?? (await readKeyFile(file));
  if (key === null) return null;
  return previous === undefined ? [key] : [key, previous];
}

/** Creates the file if there is no current key. */
export const openKeys = async (setting: SecretSetting): Promise<Keys> =>
  (await readKeys(setting)) ?? openKeys({ ...setting, current: await createKeyFile(setting.file) });

/** Returns null if there is no file. */
export async function readKeyFile(path: string): Promise<string | null> {
  try {
    return requireKey(path, await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the key in the text of a file. */
export function requireKey(path: string, text: string): string {
  const key = text.trim();
  if (/^\S{32,}$/.test(key)) return key;
  throw new StartError(`${path}: does not contain a key as the service writes it; restore it from a backup`);
}

/**
 * Creates it with mode 0600, by default with 256 bits in a shape that the log hides. Concurrent callers share it. Throws a `StartError`
 * if its folder cannot be written.
 */
export const createKeyFile = (
  path: string,
  newKey = randomBytes(32).toString('base64url'),
): Promise<string> =>
  writeKeyFile(path, newKey).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error;
    throw new StartError(`DATA_DIR: cannot write to ${dirname(path)}: ${error.message}`, { cause: error });
  });

async function writeKeyFile(path: string, newKey: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Not the process id: the processes of two containers with a common folder have the same.
  const candidate = `${path}.${randomUUID()}`;
  await writeFile(candidate, newKey, { flag: 'wx', mode: 0o600, flush: true });
  // `link` fails if another process was first; its key is used then.
  await link(candidate, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(candidate);
  const key = await readKeyFile(path);
  if (key === null) throw new StartError(`${path}: was removed right after it had been created`);
  return key;
}
