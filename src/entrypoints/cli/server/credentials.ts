import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { quoteForMessage } from '../../../lib/text.js';
import { CALLED } from '../command-texts.js';
import { usageError } from '../exit-status.js';
import { globalOptions } from '../output.js';

/** A server, and the API key for it: its key is sent to no other. */
export interface Credentials {
  /** Without a slash at its end. */
  readonly url: string;
  readonly apiKey: string;
}

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const DEFAULT_URL = 'http://localhost:3000';

/** Where `mrs login` keeps the key. */
export function credentialsFile(): string {
  const { XDG_CONFIG_HOME = '', APPDATA = '' } = process.env;
  const named = process.platform === 'win32' ? APPDATA : XDG_CONFIG_HOME;
  // As the XDG specification demands of a path that is not absolute: ignored.
  return join(isAbsolute(named) ? named : join(homedir(), '.config'), 'mrs', 'credentials.json');
}

/** Whether the environment says what to use, or part of it. */
export const isInEnvironment = (): boolean => Boolean(process.env['MRS_URL'] || process.env['MRS_API_KEY']);

/** The server to use: that of the environment, else that of `mrs login`; null if there is neither. */
export async function findServer(given?: string): Promise<Credentials | null> {
  const { MRS_URL, MRS_API_KEY } = process.env;
  const named = given ? serverUrl('--url', given) : MRS_URL ? serverUrl('MRS_URL', MRS_URL) : undefined;
  const stored = await readCredentials();
  if (MRS_API_KEY)
    return { url: named ?? stored?.url ?? DEFAULT_URL, apiKey: validKey('MRS_API_KEY', MRS_API_KEY) };
  if (named === undefined || named === stored?.url) return stored;
  throw usageError(`Set MRS_API_KEY to an API key of ${named}, or log in: ${CALLED} login ${named}`);
}

/** The same for a command that only a server can carry out. */
export async function requireServer(given?: string): Promise<Credentials> {
  if (globalOptions.host) throw usageError('--host: this command works on a server only');
  const found = await findServer(given);
  if (found) return found;
  throw usageError(`Not logged in to a server: ${CALLED} login URL, or set MRS_URL and MRS_API_KEY.`);
}

/** Validates the URL of a server; `source` is where it is from. */
export function serverUrl(source: string, given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageError(`${source}: must be an http or https URL, not ${quoteForMessage(given)}`);
  if (url.username || url.password || url.search || url.hash)
    throw usageError(`${source}: must be a URL without credentials, "?" and "#"`);
  return `${url.origin}${url.pathname.replace(/(\/api\/v1)?\/*$/, '')}`;
}

/** The message does not repeat it. */
export function validKey(source: string, given: string): string {
  const key = given.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw usageError(`${source}: is no API key`);
}

export async function readCredentials(): Promise<Credentials | null> {
  const file = credentialsFile();
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw usageError(`${file}: ${error.code}`);
  });
  if (text === null) return null;
  const { url, api_key: apiKey } = parse(text);
  if (typeof url !== 'string' || typeof apiKey !== 'string')
    throw usageError(`${file}: is not what ${CALLED} login writes. Log in again.`);
  return { url: serverUrl(file, url), apiKey: validKey(file, apiKey) };
}

function parse(text: string): { readonly url?: unknown; readonly api_key?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    // The message would quote the text, which may be a key.
    return {};
  }
}

/** Replaces the file as a whole: nobody reads half of it, or a key before its mode is set. */
export async function writeCredentials({ url, apiKey }: Credentials): Promise<string> {
  const file = credentialsFile();
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  await chmod(folder, FOLDER_MODE);
  const fresh = `${file}.${randomUUID()}`;
  try {
    const json = `${JSON.stringify({ url, api_key: apiKey }, null, 2)}\n`;
    await writeFile(fresh, json, { mode: FILE_MODE, flag: 'wx' });
    await rename(fresh, file);
  } finally {
    await rm(fresh, { force: true });
  }
  return file;
}

export const removeCredentials = (): Promise<void> => rm(credentialsFile(), { force: true });
