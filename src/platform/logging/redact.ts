import { replaceLongWords } from './long-words.js';

/** What stands in the log in place of a secret. */
const HIDDEN = '[hidden]';

const NAMES = 'passw(?:or)?d|secret|token|signature|credential|api_?key|authorization|cookie';
/** `name=value` of an address or a form. Not the `$1` of a statement. */
const PARAMETER = new RegExp(String.raw`((?:${NAMES})=)(?!\$\d)[^\s"\\&;]+`, 'gi');
/** `"name":"value"`, also in JSON within JSON. */
const FIELD = new RegExp(String.raw`((?:${NAMES})\\{0,3}":\\{0,3}")(?:[^"\\]|\\[^"\\])+`, 'gi');
const BEARER = /(Bearer )[^\s"\\<]+/g;
/** Of an address with a user. */
const ADDRESS_PASSWORD = /(:\/\/[^\s/:@"\\]{0,256}:)[^\s/@"\\]{1,256}(?=@)/g;
/** API keys of model servers. */
const MODEL_KEY = /\b(sk-)[\w-]{16,}/g;

/** API keys of the service: the log tells their first twelve characters, as `GET /api-keys` does. */
const API_KEY = /(mrs_[0-9A-Za-z]{8})[0-9A-Za-z]+/g;
const KNOWN = [PARAMETER, FIELD, BEARER, ADDRESS_PASSWORD, MODEL_KEY, API_KEY];

/** Characters of a share token; of a signature. */
const SECRET_LENGTHS = new Set([32, 43]);
const SHORTEST = 32;
const MIXED_CASE = /[a-z].*[A-Z]|[A-Z].*[a-z]/;
/** A name in code, with the number of a migration behind it. */
const IDENTIFIER = /^_?[a-z]*(?:[A-Z][a-z]+)*\d*$/;

/**
 * A line of the log without API keys, share tokens, signatures, passes and passwords, wherever they stand: in messages, fields,
 * stacks, statements, addresses. The last step before it is written, so nothing that is logged can miss it. Takes time in
 * proportion to the length, whatever the line holds.
 */
export function redact(line: string): string {
  let known = line;
  for (const pattern of KNOWN) known = known.replace(pattern, `$1${HIDDEN}`);
  return replaceLongWords(known, SHORTEST, hideWord);
}

function hideWord(word: string, before: string): string {
  const start = startsOf(word, before).find((at) => isSecret(word.slice(at)));
  return start === undefined ? word : word.slice(0, start) + HIDDEN;
}

/** Where a secret may begin in a word: what stands before it may be an escape of JSON (`\n`, `\u000a`) or of an address (`%2F`). */
function startsOf(word: string, before: string): readonly number[] {
  if (before.endsWith('%')) return [0, 2];
  let backslashes = 0;
  while (before.at(-1 - backslashes) === '\\') backslashes += 1;
  if (backslashes % 2 === 0) return [0];
  return [word.startsWith('u') ? 5 : 1];
}

function isSecret(word: string): boolean {
  return SECRET_LENGTHS.has(word.length) && MIXED_CASE.test(word) && !IDENTIFIER.test(word);
}
