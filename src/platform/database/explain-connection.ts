import { StartError } from '../config/settings.js';
import { isDatabaseUnavailable } from './database-errors.js';

/** Server and database of a URL, without user and password: `127.0.0.1:5432/mrs`. */
export function serverOf(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || 5432}${pathname}`;
}

/** Why the database cannot be used, in one line and without the password in the URL; other errors are returned. */
export function explainConnection(error: unknown, url: string, setting = 'DATABASE_URL'): unknown {
  if (error instanceof StartError) return error;
  const { code, message } = error as { code?: string; message?: string };
  const authentication = code?.startsWith('28') || code === '3D000';
  if (!authentication && !isDatabaseUnavailable(error)) return error;
  return new StartError(`${setting}: cannot use the database at ${serverOf(url)}: ${message || code}`, {
    cause: error,
  });
}
