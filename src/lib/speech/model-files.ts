import { existsSync, realpathSync, statSync } from 'node:fs';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { SpeechRequest } from './speech-messages.js';

export interface ModelFiles {
  /** Where the files are, and where links among them lead. */
  readonly folders: readonly string[];
  /** Size of everything in these folders. */
  readonly bytes: number;
}

/** The files of a speech model; some are not named in its configuration, but are next to those that are. */
export async function modelFiles(request: SpeechRequest): Promise<ModelFiles> {
  const own = request.task === 'recognize' ? [request.tokens, request.detector] : [];
  const files = pathsIn([request.model, ...own]).filter((path) => existsSync(path));
  const folders = [...new Set(files.flatMap((file) => [folderOf(file), folderOf(realpathSync(file))]))];
  let bytes = 0;
  for (const folder of folders)
    for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
  return { folders, bytes };
}

/** The absolute paths anywhere in a configuration. */
function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return isAbsolute(value) ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(pathsIn);
}

/** Throws if a file of a configuration cannot be read: the library would only say that it is damaged. */
export async function requireReadable(configuration: unknown): Promise<void> {
  for (const path of pathsIn(configuration))
    await access(path, constants.R_OK).catch(({ code }: NodeJS.ErrnoException) => {
      throw new Error(
        `${path} cannot be read by the confined process (${code}); make it readable for every user`,
      );
    });
}

const folderOf = (path: string): string => (statSync(path).isDirectory() ? path : dirname(path));
