import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../../lib/durations.js';
import { quoteForMessage } from '../../../lib/text.js';
import { CALLED } from '../command-texts.js';
import { failed, usageError } from '../exit-status.js';
import { globalOptions } from '../output.js';

/** What a command is let in with: an API key, or the tokens of a connection. */
export type Secret = { readonly apiKey: string } | { readonly tokens: Tokens };

/** A server, and what it lets in with, which is sent to no other. `url`: without a slash at its end. */
export type Credentials = Secret & { readonly url: string };

/** `refreshToken` works once: to replace all of this. `expiresAt` in milliseconds, of the access token. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: number;
}

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const DEFAULT_URL = 'http://localhost:3000';
/** A command that has not ended by then has crashed: longer than the requests take that it makes meanwhile. */
const LOCK_MS = 30 * SECOND_MS;
const LOCK_POLL_MS = 50;

/** Where `mrs login` keeps the key, or the tokens. */
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
  const { url, api_key: apiKey, tokens } = parse(text);
  if (typeof url === 'string' && typeof apiKey === 'string')
    return { url: serverUrl(file, url), apiKey: validKey(file, apiKey) };
  if (typeof url === 'string' && areTokens(tokens)) return { url: serverUrl(file, url), tokens };
  throw usageError(`${file}: is not what ${CALLED} login writes. Log in again.`);
}

function parse(text: string): {
  readonly url?: unknown;
  readonly api_key?: unknown;
  readonly tokens?: unknown;
} {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    // The message would quote the text, which may be a key.
    return {};
  }
}

function areTokens(given: unknown): given is Tokens {
  const { accessToken, refreshToken, expiresAt } = (given ?? {}) as Partial<Record<keyof Tokens, unknown>>;
  return typeof accessToken === 'string' && typeof refreshToken === 'string' && typeof expiresAt === 'number';
}

/** Replaces the file as a whole: nobody reads half of it, or a key before its mode is set. Only `whileLocked`. */
export async function writeCredentials({ url, ...secret }: Credentials): Promise<string> {
  const file = credentialsFile();
  const fresh = `${file}.${randomUUID()}`;
  try {
    const kept = 'apiKey' in secret ? { url, api_key: secret.apiKey } : { url, ...secret };
    await writeFile(fresh, `${JSON.stringify(kept, null, 2)}\n`, { mode: FILE_MODE, flag: 'wx' });
    await rename(fresh, file);
  } finally {
    await rm(fresh, { force: true });
  }
  return file;
}

export const removeCredentials = (): Promise<void> => rm(credentialsFile(), { force: true });

/**
 * Runs `work`, which changes the file, while no other command does: each refresh token can be used once, and a second use
 * ends the connection.
 */
export async function whileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  const lock = `${credentialsFile()}.lock`;
  const folder = dirname(lock);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  await chmod(folder, FOLDER_MODE);
  while (!(await takeLock(lock))) await sleep(LOCK_POLL_MS);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function takeLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, '', { mode: FILE_MODE, flag: 'wx' });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw failed(`${lock}: ${code}`);
  }
  const taken = await stat(lock).catch(() => null);
  if (taken && taken.mtimeMs < Date.now() - LOCK_MS) await rm(lock, { force: true });
  return false;
}
