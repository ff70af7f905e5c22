/** The searchable texts of a recording as SQL expressions, shared by the index and the snippets. */

/** For a row `s` of `summaries`: content, then titles, key points and details of the topics. */
export const SUMMARY_TEXT = `concat_ws(E'\\n', s.content, (
  SELECT string_agg(item #>> '{}', E'\\n')
  FROM jsonb_path_query(s.topics::jsonb, 'strict $.**') AS item WHERE jsonb_typeof(item) = 'string'))`;

/** For a row `c` of `transcript_chunks`; a phrase may begin in one segment and end in the next. */
export const CHUNK_TEXT = `(
  SELECT string_agg(segment ->> 'text', E'\\n' ORDER BY position)
  FROM json_array_elements(c.segments) WITH ORDINALITY AS listed (segment, position))`;

/** Bytes of text that always fit into one `tsvector`, whose limit is 1 MB. */
const MOST_BYTES = 250_000;

/** PostgreSQL takes a minute to parse 100,000 characters of `a_a_a_...`, and milliseconds once they contain spaces. */
const LONGEST_RUN = 100;

/** Inserts spaces into long runs of characters without whitespace. */
export function broken(text: string): string {
  return `regexp_replace(${text}, '\\S{${LONGEST_RUN}}', '\\& ', 'g')`;
}

/** Prepares a text for `to_tsvector`, which would drop text in angle brackets as a tag. */
export function searchable(text: string): string {
  return broken(`translate(${text}, '<>', '  ')`);
}

/** The beginning of a text that the index takes; all but extreme texts fit. */
export function indexed(text: string): string {
  // A character has at most four bytes.
  return searchable(
    `CASE WHEN octet_length(${text}) <= ${MOST_BYTES} THEN ${text} ELSE left(${text}, ${MOST_BYTES / 4}) END`,
  );
}
