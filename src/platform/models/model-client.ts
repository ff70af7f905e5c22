import type { OpenAI } from 'openai';
import { boundedFetch, type FetchLimits } from './bounded-fetch.js';

/** A server with the interface of OpenAI. */
export interface ModelAddress {
  /** Base address, such as `http://localhost:8000/v1`. */
  readonly url: string;
  readonly model: string;
  /** Where the server wants one; it is told to nobody else. */
  readonly apiKey?: string | null;
}

const LIMITS: FetchLimits = {
  milliseconds: 10 * 60_000,
  bytes: 8 * 1024 * 1024,
  retries: 3,
  firstWaitMs: 500,
};
/** The fetch keeps the time; this only keeps the library from doing so, which would count attempts and pauses together. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * Client for `address`; requests take a signal: `client.chat.completions.create(body, { signal })`. Nothing but `address`
 * decides where requests go and what they carry: no environment variable, no redirect. What fails is an `APIError` of the
 * library: `refusalOf` tells what will fail again. The library is loaded with the first client.
 */
export async function modelClient(address: ModelAddress, limits: Partial<FetchLimits> = {}): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    baseURL: address.url,
    apiKey: address.apiKey || 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: address.apiKey ? {} : { Authorization: null },
    // Its log would name addresses, and with OPENAI_LOG the requests.
    logLevel: 'off',
    maxRetries: 0,
    timeout: NO_LIMIT_MS,
    fetch: boundedFetch({ ...LIMITS, ...limits }),
  });
}
