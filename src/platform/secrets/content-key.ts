import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { SECRET_CHARACTERS } from '../config/setting-types.js';
import { StartError, type Settings } from '../config/settings.js';
import type { Keys } from './keys.js';

const COMMAND_MS = 30_000;

/** Returns the key of the settings, or what their command prints; null if there is none. Throws a `StartError`. */
export async function readContentKey({
  current,
  command,
  previous,
}: Settings['contentKey']): Promise<Keys | null> {
  const key = command === undefined ? current : await runCommand(command);
  if (key === undefined) return null;
  return previous === undefined ? [key] : [key, previous];
}

async function runCommand(command: string): Promise<string> {
  const running = promisify(execFile)('/bin/sh', ['-c', command], { timeout: COMMAND_MS, maxBuffer: 65_536 });
  const { stdout } = await running.catch(({ code, killed, stderr }) => {
    const how = killed ? `did not end within ${COMMAND_MS / 1000} seconds` : `failed (${code})`;
    throw new StartError(
      `CONTENT_KEY_COMMAND ${how}${stderr ? `: ${String(stderr).trim().slice(0, 500)}` : ''}`,
    );
  });
  const key = stdout.trim();
  if (!/\s/.test(key) && key.length >= SECRET_CHARACTERS) return key;
  throw new StartError(
    `CONTENT_KEY_COMMAND must print one key of at least ${SECRET_CHARACTERS} characters without spaces`,
  );
}
