import type { Database } from '../../../../platform/database/connection.js';
import { spacedTopics } from '../../../../lib/language/dense-words.js';
import { textSearchConfig } from '../../../../lib/language/text-search-config.js';
import { searchable, vectorOf } from './text-search.sql.js';

/** Texts per statement: a few milliseconds of PostgreSQL's time each. */
const BATCH = 500;
const LEXEMES = `
  SELECT tsvector_to_array(${vectorOf('$1', 'prepared.text')}) AS lexemes FROM (
    SELECT position, ${searchable('given.text')} AS text
    FROM unnest($2::text[]) WITH ORDINALITY AS given (text, position) OFFSET 0) prepared
  ORDER BY position`;

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
    const batch = texts.slice(from, from + BATCH).map(spacedTopics);
    const rows = await database.query<{ lexemes: string[] }>(LEXEMES, [config, batch]);
    found.push(...rows.map(({ lexemes }) => lexemes));
  }
  return found;
}
