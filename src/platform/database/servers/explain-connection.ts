import { hostNames, hostUrls } from '../../../lib/postgres-url.js';
import { StartError } from '../../config/settings.js';
import { isDatabaseUnavailable } from '../database-errors.js';

/** Hosts and database of a URL, without user and password: `127.0.0.1:5432/mrs`. */
export function serverOf(url: string): string {
  return hostNames(url).join(',') + new URL(hostUrls(url)[0]!).pathname;
}

/** Throws why the database cannot be used, in one line and without the password in the URL; rethrows other errors. */
export const explainConnection =
  (url: string, setting = 'DATABASE_URL') =>
  (error: unknown): never => {
    if (error instanceof StartError) throw error;
    const { code, message } = error as { code?: string; message?: string };
    const authentication = code?.startsWith('28') || code === '3D000' || code === '42501';
    if (!authentication && !isDatabaseUnavailable(error)) throw error;
    throw new StartError(`${setting}: cannot use the database at ${serverOf(url)}: ${message || code}`, {
      cause: error,
    });
  };
