import { SECRET_SETTINGS } from '../config/settings.schema.js';

/** Replaces a secret in the log. */
const HIDDEN = '[hidden]';

const NAMES = [
  'passw(?:or)?d|secret|token|signature|credential|api_?key|(?:signing|sealing)_?key(?:_?previous)?|authorization|cookie',
  ...SECRET_SETTINGS,
].join('|');
/** Of a match, the group is kept and the rest hidden. */
const PATTERNS = [
  // `name=value` in a URL or a form, except a placeholder such as `$1` in a statement.
  new RegExp(String.raw`((?:${NAMES})=)(?!\$\d)[^\s"\\&;]+`, 'gi'),
  // `"name":"value"`, also in nested JSON strings.
  new RegExp(String.raw`((?:${NAMES})\\{0,3}":\\{0,3}")(?:[^"\\]|\\[^"\\])+`, 'gi'),
  /(Bearer )[^\s"\\<]+/g,
  // Passwords in URLs.
  /(:\/\/[^\s/:@"\\]{0,256}:)[^\s/@"\\]{1,256}(?=@)/g,
  // API keys of model servers.
  /\b(sk-)[\w-]{16,}/g,
  // API keys of the service: the log keeps their first twelve characters, which `GET /api-keys` also returns.
  /(mrs_[0-9A-Za-z]{8})[0-9A-Za-z]+/g,
  // Browser tokens.
  /(mrb_)[\w.-]+/g,
  // Tokens of invitations, and secrets of webhooks.
  /(inv_)[0-9A-Za-z]{16,}/g,
  // Access tokens of OAuth clients.
  /(mro_)[\w-]{16,}/g,
  /(whsec_)[0-9A-Za-z+/=]{16,}/g,
];

/** What every match of a pattern contains. */
const SIGNS = new RegExp(
  String.raw`(?:${NAMES})(?:=|\\{0,3}":)|Bearer |:\/\/|\bsk-|mrs_[0-9A-Za-z]{9}|mr[bo]_|inv_|whsec_`,
  'i',
);

/** Lengths of a share token; of a signature, a generated key, and codes and tokens of OAuth; of the code of a device. */
const SECRET_LENGTHS = new Set([32, 43, 86]);
/** What may be, or end with, one of them. */
const LONG_WORD = /[\w-]{32,}/g;
const MIXED_CASE = /[a-z].*[A-Z]|[A-Z].*[a-z]/;
/** An identifier in code, possibly followed by the number of a migration. */
const IDENTIFIER = /^_?[a-z]*(?:[A-Z][a-z]+)*\d*$/;

/**
 * Removes API keys, share tokens, tokens of invitations, secrets of webhooks, signatures, access tokens, passwords and
 * the keys of the service from a line of the log, wherever they occur: in messages, fields, stack traces, statements,
 * URLs. This is the last step before the line is written, so everything that is logged passes through it. Takes time
 * proportional to the length of the line, whatever it contains.
 */
export function redact(line: string): string {
  let redacted = line;
  // Nearly all lines have none.
  if (SIGNS.test(line)) for (const pattern of PATTERNS) redacted = redacted.replace(pattern, `$1${HIDDEN}`);
  return redacted.replace(LONG_WORD, (word: string, at: number) => hideWord(word, redacted.slice(0, at)));
}

function hideWord(word: string, before: string): string {
  // Ids, which most lines have, are of none of these lengths.
  if (!STARTS.some((start) => SECRET_LENGTHS.has(word.length - start))) return word;
  const start = possibleStarts(word, before).find((at) => isSecret(word.slice(at)));
  return start === undefined ? word : word.slice(0, start) + HIDDEN;
}

/** All that `possibleStarts` returns. */
const STARTS = [0, 1, 2, 5];

/** Where a secret may begin in a word, which may start with the rest of an escape (`\u000a`, `%2F`). */
function possibleStarts(word: string, before: string): readonly number[] {
  if (before.endsWith('%')) return [0, 2];
  let backslashes = 0;
  while (before.at(-1 - backslashes) === '\\') backslashes += 1;
  if (backslashes % 2 === 0) return [0];
  return [word.startsWith('u') ? 5 : 1];
}

const isSecret = (word: string): boolean =>
  SECRET_LENGTHS.has(word.length) && MIXED_CASE.test(word) && !IDENTIFIER.test(word);
