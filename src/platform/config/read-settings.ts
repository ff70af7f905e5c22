import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { parseSettings, type Settings } from './settings.js';

/** The file with settings, in the working directory. */
const FILE = '.env';

/** The settings of this process, from `.env` and the environment, which takes precedence. */
export function readSettings(): Settings {
  const file = existsSync(FILE) ? parseEnv(readFileSync(FILE, 'utf8')) : {};
  return parseSettings({ ...file, ...process.env });
}
