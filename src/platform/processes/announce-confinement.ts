import type { AppLogger } from '../logging/app-logger.js';
import { confinement } from './confinement.js';

/** Logs how strictly child processes are confined here, and why not more strictly. */
export async function announceConfinement(logger: AppLogger): Promise<void> {
  const { level, rejected } = await confinement();
  const fields = { confinement: level.name, ...(rejected.length > 0 ? { rejected } : {}) };
  if (level.limited) logger.info(fields, 'processes that parse uploads are confined');
  else logger.warn(fields, 'processes that parse uploads are not confined');
}
