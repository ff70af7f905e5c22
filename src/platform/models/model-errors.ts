import { ReplyTooLongError } from './bounded-fetch.js';
import type { ModelServer } from './model-client.js';

const MAX_CHARACTERS = 200;
/** Statuses worth a retry: those of `boundedFetch`, and that of servers that are not ready. */
const TRANSIENT = new Set([408, 409, 425, 429]);

/**
 * Why a request of `modelClient` was refused for good, as the end of a sentence that starts with "The transcription
 * server "; null if a retry may succeed. Shown to the user, so it contains neither URL nor key.
 */
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
  for (const secret of [apiKey, url, host, known, decodeURIComponent(password)]) {
    if (secret) line = line.replaceAll(secret, '…');
  }
  line = line
    .replace(/\b[a-z]{2,10}:\/\/\S+/gi, '…')
    .replace(/\b(?:sk|key|bearer)[-_ ]\S+/gi, '…')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : line;
}
