import type { OpenAI } from 'openai';
import { boundedFetch, type FetchLimits, ReplyTooLongError } from './bounded-fetch.js';

/** A server with an OpenAI-compatible API. */
export interface ModelServer {
  /** Base URL, such as `http://localhost:8000/v1`. */
  readonly url: string;
  readonly model: string;
  /** If the server requires one; sent to no other server. */
  readonly apiKey?: string | undefined;
}

const LIMITS: FetchLimits = {
  milliseconds: 10 * 60_000,
  bytes: 8 * 1024 * 1024,
  retries: 3,
  firstWaitMs: 500,
};
/** `boundedFetch` enforces timeouts. This disables the library's own, which covers all attempts and delays together. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * Client for `address`, which alone determines where requests go and with which credentials, not the environment or
 * redirects. Failures are `APIError`s; `refusalOf` identifies permanent ones. Loads the library.
 */
export async function modelClient(address: ModelServer, limits: Partial<FetchLimits> = {}): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    baseURL: address.url,
    apiKey: address.apiKey || 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: address.apiKey ? {} : { Authorization: null },
    // Its log would contain URLs, and with OPENAI_LOG whole requests.
    logLevel: 'off',
    maxRetries: 0,
    timeout: NO_LIMIT_MS,
    fetch: boundedFetch({ ...LIMITS, ...limits }),
  });
}

const MAX_CHARACTERS = 200;
/** Statuses worth a retry: those of `boundedFetch`, and that of servers that are not ready. */
const TRANSIENT = new Set([408, 409, 425, 429]);

/** Why a request was refused for good, behind "The transcription server "; null if not. Has neither URL nor key. */
export async function refusalOf(error: unknown, address: ModelServer): Promise<string | null> {
  const { APIError } = await import('openai');
  if (!(error instanceof APIError)) return null;
  if (error.cause instanceof ReplyTooLongError) return 'returned a response that is too large';
  const { status } = error;
  if (status === undefined || status >= 500) return null;
  if (status === 401 || status === 403) return 'rejected the API key';
  if (status === 404) return 'found no such model or endpoint';
  if (status < 400) return 'redirected the request to another URL';
  if (error.code === 'insufficient_quota') return 'has no quota left for the API key';
  if (TRANSIENT.has(status)) return null;
  const reason = redact(error.message.replace(/^\d{3} /, ''), address);
  return `rejected the request (${status})${reason && `: ${reason}`}`;
}

/** Makes text from a model server safe to show: one line of printable characters, shortened, without URLs and keys. */
export function redact(text: string, { url, apiKey }: ModelServer): string {
  // Shortened before searching, leaving room for what is removed.
  let line = text.slice(0, 8 * MAX_CHARACTERS);
  const { host, hostname, password } = new URL(url);
  // A host name without a dot, such as that of a container, reveals nothing, but may be an ordinary word: `whisper`.
  const known = /[.:]/.test(hostname) ? hostname : host;
  for (const secret of [apiKey, url, host, known, decodeURIComponent(password)])
    if (secret) line = line.replaceAll(secret, '…');
  line = line
    .replace(/\b[a-z]{2,10}:\/\/\S+/gi, '…')
    .replace(/\b(?:sk|key|bearer)[-_ ]\S+/gi, '…')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : line;
}
