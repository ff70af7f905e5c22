import { spacedTopics } from '../../../../lib/language/dense-words.js';
import { textSearchConfig } from '../../../../lib/language/text-search-config.js';
import { type Database, sql } from '../../../../platform/database/sql.js';
import { searchable, vectorOf } from '../../../../platform/database/text-search.sql.js';

/** Texts per statement: a few milliseconds of PostgreSQL's time each. */
const BATCH = 500;

/**
 * Returns the distinct stems of each text without stop words, in the order of the texts. PostgreSQL parses them as it
 * does for search, so that summaries, questions and search agree on what a word is.
 */
export async function lexemesOf(
  database: Database,
  language: string | null,
  texts: readonly string[],
): Promise<string[][]> {
  const found: string[][] = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = texts.slice(from, from + BATCH).map(spacedTopics);
    const rows = await sql(database)<{ lexemes: string[] }>`
      WITH head AS MATERIALIZED (SELECT ${textSearchConfig(language)}::text::regconfig AS config)
      SELECT tsvector_to_array(${() => vectorOf('(SELECT config FROM head)', 'prepared.text')}) AS lexemes FROM (
        SELECT position, ${() => searchable('given.text')} AS text
        FROM unnest(${batch}::text[]) WITH ORDINALITY AS given (text, position) OFFSET 0) prepared
      ORDER BY position`;
    found.push(...rows.map(({ lexemes }) => lexemes));
  }
  return found;
}
