import { ReplyTooLongError } from './bounded-fetch.js';
import type { ModelAddress } from './model-client.js';

const MAX_CHARACTERS = 200;
/** Statuses that another attempt may change: those of `boundedFetch`, and servers that are not ready. */
const PASSING = new Set([408, 409, 425, 429]);

/**
 * What a failed request of `modelClient` says about the server, as words to follow "The transcription server ", for
 * whoever asked; null when another attempt may succeed. Tells neither address nor key.
 */
export async function refusalOf(error: unknown, address: ModelAddress): Promise<string | null> {
  const { APIError } = await import('openai');
  if (!(error instanceof APIError)) return null;
  if (error.cause instanceof ReplyTooLongError) return 'sends more than it was asked for';
  const { status } = error;
  if (status === undefined || status >= 500) return null;
  if (status === 401 || status === 403) return 'does not accept the API key';
  if (status === 404) return 'knows no such model or address';
  if (status < 400) return 'sends requests on to another address';
  if (error.code === 'insufficient_quota') return 'has no quota left for the API key';
  if (PASSING.has(status)) return null;
  const said = redact(error.message.replace(/^\d{3} /, ''), address);
  return `refuses the request (${status})${said && `: ${said}`}`;
}

/** Text of a model server made safe to show: one line of printable characters, shortened, without addresses and keys. */
export function redact(text: string, { url, apiKey }: ModelAddress): string {
  // Bounded before anything is searched in it, with room for what is taken out.
  let line = text.slice(0, 8 * MAX_CHARACTERS);
  const { host, hostname, password } = new URL(url);
  // A name without a dot, such as that of a container, is no address to anybody outside, but may be a word: `whisper`.
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
