import type { Database } from '../database/connection.js';
import { textSearchConfig } from './text-search-config.js';

/** Texts per statement: a few milliseconds of PostgreSQL's time each. */
const BATCH = 500;
/** PostgreSQL's parser takes time quadratic in the length of a run without whitespace; no real word is this long. */
const LONG_RUN = /\S{100}/g;

/**
 * Distinct stems of each text without stop words, in the order of the texts. PostgreSQL parses them as it does for
 * search, so that summaries, questions and search agree on what a word is.
 */
export async function lexemesOf(
  database: Database,
  language: string | null,
  texts: readonly string[],
): Promise<string[][]> {
  const config = textSearchConfig(language);
  const found: string[][] = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    const rows = await database.query<{ lexemes: string[] }>(
      `SELECT tsvector_to_array(to_tsvector($1::regconfig, text)) AS lexemes
       FROM unnest($2::text[]) WITH ORDINALITY AS given (text, position) ORDER BY position`,
      [config, texts.slice(from, from + BATCH).map((text) => text.replace(LONG_RUN, '$& '))],
    );
    found.push(...rows.map(({ lexemes }) => lexemes));
  }
  return found;
}
