import { existsSync, realpathSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { SpeechRequest } from './speech-messages.js';

export interface ModelFiles {
  /** Where the files are, and where links among them lead. */
  readonly folders: readonly string[];
  /** Size of everything in these folders. */
  readonly bytes: number;
}

/** The files of a speech model; some are not named in its configuration, but are next to those that are. */
export async function modelFiles({ model, tokens, detector }: SpeechRequest): Promise<ModelFiles> {
  const files = pathsIn([model, tokens, detector]).filter((path) => existsSync(path));
  const folders = [...new Set(files.flatMap((file) => [folderOf(file), folderOf(realpathSync(file))]))];
  let bytes = 0;
  for (const folder of folders) {
    for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
  }
  return { folders, bytes };
}

/** The absolute paths anywhere in a configuration. */
export function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return isAbsolute(value) ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(pathsIn);
}

const folderOf = (path: string): string => (statSync(path).isDirectory() ? path : dirname(path));
