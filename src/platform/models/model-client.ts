import type { OpenAI } from 'openai';
import { boundedFetch, type FetchLimits } from './bounded-fetch.js';

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
 * Client for `address`; requests accept a signal: `client.chat.completions.create(body, { signal })`. Only `address`
 * determines where requests go and which credentials they carry, not environment variables or redirects. Failures are
 * `APIError`s of the library; `refusalOf` identifies permanent ones. The library is loaded with the first client.
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
