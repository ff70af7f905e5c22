import { GRAM_MARK } from '../../lib/language/dense-grams.js';
import { DENSE_LETTERS, OTHER_WIDTH, SYLLABLE_LETTERS } from '../../lib/language/dense-scripts.js';

/** How text becomes the words of the search index, in SQL; queries, questions and summaries use it too. */

/** PostgreSQL takes a minute to parse 100,000 characters of `a_a_a_...`, and milliseconds once they contain spaces. */
const LONGEST_RUN = 100;

/** Inserts separators, which have to be blanks for PostgreSQL, into long runs of characters without whitespace. */
export const broken = (text: string, separator = ' '): string =>
  `regexp_replace(${text}, '\\S{${LONGEST_RUN}}', '\\&${separator}', 'g')`;

/** Separators within an identifier: `EIP-7702`, `EIP_7702`, `PR#12`, `eth/71`. */
export const SEPARATORS = '-_#/';

/**
 * Numbers in groups, without separators: `1,250,000`, `12,50,000`, `1'250`; `1.250.000` and `1 250 000`, of which two groups may as
 * well be a fraction or two numbers. PostgreSQL takes quadratic time to look behind, and to repeat without limit.
 */
function ungrouped(text: string): string {
  const clear = `([0-9])(?:[,''’\\u00A0\\u2009\\u202F](?=[0-9]{3}(?![0-9]))|,(?=([0-9]{2},){1,4}[0-9]{3}(?![0-9])))`;
  const unclear = `(^|[^0-9])([0-9]{1,3})([. ])([0-9]{3})\\3([0-9]{3})(?:\\3([0-9]{3}))?(?:\\3([0-9]{3}))?(?![0-9])`;
  return `regexp_replace(regexp_replace(${text}, '${clear}', '\\1', 'g'), '${unclear}', '\\1\\2\\4\\5\\6\\7', 'g')`;
}

/**
 * One spelling for all: `EIP-7702` and `EIP7702` become `EIP 7702`, `4897PR` becomes `4897 PR`, `S-3` becomes `S3` (a
 * single letter may be a stop word), `8,000` and `1 250 000` lose their separators.
 */
function spelled(given: string): string {
  const split = `regexp_replace(text, '([[:alpha:]]{2})[${SEPARATORS}]{0,2}(?=[0-9])', '\\1 ', 'g')`;
  const numbered = `regexp_replace(${split}, '([0-9]{3})(?=[[:alpha:]]{2})', '\\1 ', 'g')`;
  const joined = `regexp_replace(${numbered}, '\\m([[:alpha:]])[${SEPARATORS}](?=[0-9])', '\\1', 'g')`;
  return `(SELECT CASE WHEN text ~ '[0-9]' THEN ${ungrouped(joined)} ELSE text END FROM (SELECT ${given} AS text OFFSET 0) spoken)`;
}

/**
 * Punctuation, symbols and emoji outside ASCII. PostgreSQL's parser takes them for letters in a database whose
 * `LC_CTYPE` is `C`, as that of the embedded one: `budget…` would be another word. And what joins the words of a path,
 * an address or a URL, which the parser takes for one word.
 */
const SYMBOLS =
  '\\.(?=[[:alpha:]])|(?<=[[:alpha:]])\\.|[/@:\\\\\\u0589\\u058A\\u05BE\\u05C0\\u05C3\\u05C6\\u05F3\\u05F4\\u060C\\u061B-\\u061F\\u066A-\\u066D\\u06D4\\u0964\\u0965\\u00A0-\\u00A9\\u00AB-\\u00B4\\u00B6-\\u00B9\\u00BB-\\u00BF\\u00D7\\u00F7\\u2000-\\u200B\\u200E-\\u206F\\u20A0-\\u20CF\\u2190-\\u2BFF\\u3000-\\u3004\\u3008-\\u3020\\u30FB\\uFF01-\\uFF0F\\uFF1A-\\uFF20\\U0001F000-\\U0001FAFF]';

/** Inserts separators around these. */
export const apart = (text: string, separator: string): string =>
  `regexp_replace(${text}, '${SYMBOLS}', '${separator}\\&${separator}', 'g')`;

/** Composed letters, each in its usual width, as `composed` in `dense-scripts.ts` has them. */
export function composed(text: string): string {
  return `(SELECT CASE WHEN octet_length(text) = length(text) THEN text
    WHEN text ~ '${OTHER_WIDTH}' THEN normalize(text, NFKC) ELSE normalize(text) END
    FROM (SELECT ${text} AS text OFFSET 0) given)`;
}

/** Whether a text, a column, has letters of dense scripts, in their usual width. */
export const hasDense = (text: string): string =>
  `(octet_length(${text}) > length(${text}) AND ${text} ~ '[${DENSE_LETTERS}]')`;

/** Where a dense script meets another one or punctuation: PostgreSQL would take `APIの仕様` for one word. */
const BORDER = `(?<=[${DENSE_LETTERS}])(?=[^${DENSE_LETTERS}\\s])|(?<=[^${DENSE_LETTERS}\\s])(?=[${DENSE_LETTERS}])`;

export function bordered(text: string, separator: string): string {
  return `(SELECT CASE WHEN ${hasDense('text')} THEN regexp_replace(text, '${BORDER}', '${separator}', 'g') ELSE text END
    FROM (SELECT ${text} AS text OFFSET 0) unbordered)`;
}

/** Prepares a text for `to_tsvector`, which would drop text in angle brackets as a tag. */
export function searchable(text: string): string {
  const whole = composed(`translate(${text}, '‐‑<>', '--  ')`);
  return broken(
    bordered(`regexp_replace(${spelled(`bare_letters(${whole})`)}, '${SYMBOLS}', ' ', 'g')`, ' '),
  );
}

/** Beginning of a text of which the grams are kept, so that they fit into a `tsvector` together with the words. */
const MAX_LETTERS = 30_000;

/** The grams of a text (`dense-grams.ts`). Spaces do not separate its letters; punctuation and other letters do. */
export function gramsOf(text: string): string {
  const whole = composed(`left(${text}, ${MAX_LETTERS})`);
  const letters = `regexp_replace(regexp_replace(${whole}, '\\s+', '', 'g'), '[^${DENSE_LETTERS}]+', '.', 'g')`;
  return `(
    SELECT COALESCE(string_agg('''${GRAM_MARK}' || gram || ''':' || place, ' '), '')::tsvector FROM (
      SELECT place, letter || CASE WHEN second = '.' THEN '' WHEN third = '.' OR letter !~ '[${SYLLABLE_LETTERS}]' THEN second
        ELSE second || third END AS gram
      FROM (
        SELECT letter, place, lead(letter, 1, '.') OVER run AS second, lead(letter, 2, '.') OVER run AS third
        FROM string_to_table(${letters}, NULL) WITH ORDINALITY AS split (letter, place) WINDOW run AS (ORDER BY place)
      ) letters WHERE letter <> '.') grams)`;
}

/** Letters that `fold_letters` may replace, as a regular expression. */
const HAS_ACCENT = '[À-ɏ\\u0386-\\u03FF\\u0622-\\u0626\\u0629\\u0649\\u0671\\u06A9\\u06CCḀ-ỿ]';

/** The same, and what `composed` and `bare_letters` replace or remove: words with it are spelled otherwise in the index. */
export const RESPELLED = `${HAS_ACCENT}|${OTHER_WIDTH}|[\\u0300-\\u036F\\u0401\\u0451\\u0591-\\u05C7\\u0610-\\u06F9\\u00AD\\u200C\\u200D]`;

/** Removes the accents of a `tsvector` or `tsquery`, after stemming, which depends on them. */
export const folded = (value: string, type: 'tsvector' | 'tsquery'): string =>
  `fold_letters(${value}::text)::${type}`;

/**
 * The words of a text that `searchable` has prepared, as the index has them: stems without accents. Where a stem
 * depends on them, the stem of the word without accents is added. `prepared` is a column or a cheap expression.
 */
export function vectorOf(config: string, prepared: string): string {
  const words = `to_tsvector(${config}::regconfig, ${prepared})`;
  return `CASE WHEN ${prepared} ~ '${HAS_ACCENT}' THEN (
    SELECT own || array_to_tsvector(ARRAY(
      SELECT unnest(tsvector_to_array(to_tsvector(${config}::regconfig, fold_letters(lower(${prepared})))))
      EXCEPT SELECT unnest(tsvector_to_array(own))))
    FROM (SELECT ${folded(words, 'tsvector')} AS own OFFSET 0) folded) ELSE ${words} END`;
}

/** The words of any text, as far as PostgreSQL finds them, and the grams. */
export function wordsOf(config: string, text: string): string {
  return `(SELECT CASE WHEN ${hasDense('prepared.text')} THEN words || ${gramsOf('prepared.whole')} ELSE words END FROM (
    SELECT whole, text, ${vectorOf(config, 'spoken.text')} AS words FROM (
      SELECT whole, ${searchable('whole')} AS text FROM (SELECT ${text} AS whole OFFSET 0) any_text OFFSET 0) spoken) prepared)`;
}

/** Letters of words that people may mistype; shorter ones have too many neighbours, longer ones are not words. */
const VOCABULARY = { shortest: 3, longest: 40 } as const;
/** Token types of PostgreSQL's parser: words, and the parts of hyphenated ones. */
const WORD_TOKENS = '1, 2, 10, 11';

/** The distinct words, as they are written but in lower case, of the column `text` of `prepared`, as a set `word`. */
export function vocabularyOf(prepared: string): string {
  return `SELECT DISTINCT lower(token) AS word FROM ${prepared} CROSS JOIN LATERAL ts_parse('default', text)
    WHERE tokid IN (${WORD_TOKENS}) AND length(token) BETWEEN ${VOCABULARY.shortest} AND ${VOCABULARY.longest}`;
}
