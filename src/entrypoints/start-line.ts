import { projectVersion } from '../lib/project-root.js';
import { readGiven } from '../platform/config/read-settings.js';
import type { AppLogger } from '../platform/logging/app-logger.js';

/** Logs what starts, and the settings that are given, secrets masked. */
export function logStart(logger: AppLogger, role: 'api' | 'worker' | 'all'): void {
  const given = readGiven().shown.filter(({ source }) => source !== 'default' && source !== 'generated');
  const settings = Object.fromEntries(given.map(({ name, value }) => [name, value]));
  logger.info({ version: projectVersion(), node: process.versions.node, role, settings }, 'starting');
}
