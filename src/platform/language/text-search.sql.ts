import { ACCENTED, PLAIN } from './accented-letters.js';

/** How text becomes the words of the search index, as SQL expressions; queries, questions and summaries use them too. */

/** PostgreSQL takes a minute to parse 100,000 characters of `a_a_a_...`, and milliseconds once they contain spaces. */
const LONGEST_RUN = 100;

/** Inserts spaces into long runs of characters without whitespace. */
export function broken(text: string): string {
  return `regexp_replace(${text}, '\\S{${LONGEST_RUN}}', '\\& ', 'g')`;
}

/** Separators within an identifier: `EIP-7702`, `EIP_7702`, `PR#12`, `eth/71`. */
export const SEPARATORS = '-_#/';

/**
 * One spelling for all: `EIP-7702` and `EIP7702` become `EIP 7702`, `4897PR` becomes `4897 PR`, `S-3` becomes `S3` (a single
 * letter may be a stop word), `8,000` becomes `8000`.
 */
function spelled(given: string): string {
  const split = `regexp_replace(text, '([[:alpha:]]{2})[${SEPARATORS}]{0,2}(?=[0-9])', '\\1 ', 'g')`;
  const numbered = `regexp_replace(${split}, '([0-9]{3})(?=[[:alpha:]]{2})', '\\1 ', 'g')`;
  const joined = `regexp_replace(${numbered}, '\\m([[:alpha:]])[${SEPARATORS}](?=[0-9])', '\\1', 'g')`;
  const counted = `regexp_replace(${joined}, '([0-9]),(?=[0-9]{3}(?![0-9]))', '\\1', 'g')`;
  return `(SELECT CASE WHEN text ~ '[0-9]' THEN ${counted} ELSE text END FROM (SELECT ${given} AS text OFFSET 0) spoken)`;
}

/**
 * Punctuation, symbols and emoji outside ASCII. PostgreSQL's parser takes them for letters in a database whose `LC_CTYPE` is
 * `C`, as that of the embedded one: `budget…` would be another word. Joiners within words stay.
 */
const SYMBOLS =
  '[\\u00A0-\\u00A9\\u00AB-\\u00B4\\u00B6-\\u00B9\\u00BB-\\u00BF\\u00D7\\u00F7\\u2000-\\u200B\\u200E-\\u206F\\u20A0-\\u20CF\\u2190-\\u2BFF\\u3000-\\u3004\\u3008-\\u3020\\uFF01-\\uFF0F\\uFF1A-\\uFF20\\U0001F000-\\U0001FAFF]';

/** Prepares a text for `to_tsvector`, which would drop text in angle brackets as a tag. */
export function searchable(text: string): string {
  const words = `regexp_replace(${spelled(`normalize(translate(${text}, '‐‑<>', '--  '))`)}, '${SYMBOLS}', ' ', 'g')`;
  return broken(words);
}

/** Letters that may have an accent, as a regular expression. */
export const HAS_ACCENT = '[À-ɏḀ-ỿ]';

/** Removes the accents of a `tsvector` or `tsquery`, after stemming, which depends on them. */
export function folded(value: string, type: 'tsvector' | 'tsquery'): string {
  return `translate(${value}::text, '${ACCENTED}', '${PLAIN}')::${type}`;
}

/**
 * The words of a text that `searchable` has prepared, as the index has them: stems without accents. Where a stem depends on
 * them, the stem of the word without accents is added. `prepared` is a column or a cheap expression.
 */
export function vectorOf(config: string, prepared: string): string {
  const words = `to_tsvector(${config}::regconfig, ${prepared})`;
  return `CASE WHEN ${prepared} ~ '${HAS_ACCENT}' THEN (
    SELECT own || array_to_tsvector(ARRAY(
      SELECT unnest(tsvector_to_array(to_tsvector(${config}::regconfig, ${unaccented(prepared)})))
      EXCEPT SELECT unnest(tsvector_to_array(own))))
    FROM (SELECT ${folded(words, 'tsvector')} AS own OFFSET 0) folded) ELSE ${words} END`;
}

/** The words of any text. */
export function wordsOf(config: string, text: string): string {
  return `(SELECT ${vectorOf(config, 'prepared.text')} FROM (SELECT ${searchable('given.text')} AS text FROM (
    SELECT ${text} AS text OFFSET 0) given OFFSET 0) prepared)`;
}

/** Letters of words that people may mistype; shorter ones have too many neighbours, longer ones are no words. */
const VOCABULARY = { shortest: 3, longest: 40 } as const;
/** Token types of PostgreSQL's parser: words, and the parts of hyphenated ones. */
const WORD_TOKENS = '1, 2, 10, 11';

/** The distinct words, as they are written but in lower case, of the column `text` of `prepared`, as a set `word`. */
export function vocabularyOf(prepared: string): string {
  return `SELECT DISTINCT lower(token) AS word FROM ${prepared} CROSS JOIN LATERAL ts_parse('default', text)
    WHERE tokid IN (${WORD_TOKENS}) AND length(token) BETWEEN ${VOCABULARY.shortest} AND ${VOCABULARY.longest}`;
}

/** A text without accents, as people type it who have no such keys. */
function unaccented(text: string): string {
  const plain = `translate(lower(${text}), '${ACCENTED}', '${PLAIN}')`;
  return `replace(replace(replace(${plain}, 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss')`;
}
