import { LIMITS } from '../../contract/limits.js';
import { countText } from '../../lib/amounts.js';

const { webhookHeaders: MAX, webhookHeaderName: MAX_NAME, webhookHeaderValue: MAX_VALUE } = LIMITS;

export const HEADERS_RULE = `must be an object of at most ${MAX} headers, each a name with a value`;

/** Set by the service itself, or by whatever is between it and the receiver; so is all that begins with `RESERVED`. */
const NOT_OWN: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'date',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-request-id',
]);
const RESERVED = /^(?:content-|proxy-|sec-|webhook-|x-forwarded-)/;

/** What is wrong with headers that a webhook is to be sent with; null if nothing is. Never repeats a value. */
export function problemOfHeaders(given: unknown): string | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return HEADERS_RULE;
  const headers = Object.entries(given);
  if (headers.length > MAX) return HEADERS_RULE;
  const names = headers.map(([name]) => name.toLowerCase());
  if (new Set(names).size < names.length) return 'must name each header once, in any case';
  for (const [name, value] of headers as [string, unknown][]) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || name.length > MAX_NAME)
      return `must have names of 1 to ${MAX_NAME} letters, digits and -_!#$%&'*+.^\`|~`;
    if (NOT_OWN.has(name.toLowerCase()) || RESERVED.test(name.toLowerCase()))
      return `cannot have ${name}, which the service or a proxy sets`;
    if (!isValue(value))
      return `must have for ${name} a value of 1 to ${countText(MAX_VALUE)} characters of Latin-1, without line breaks, nor blanks around it`;
  }
  return null;
}

const isValue = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= MAX_VALUE &&
  /^[\x21-\x7e\xa1-\xff](?:[\t\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa1-\xff])?$/.test(value);
