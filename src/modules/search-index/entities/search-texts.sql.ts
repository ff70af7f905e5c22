/** The texts of a recording as SQL expressions, the same for the index and for snippets. */

/** Of a row `s` of `summaries`: content, then titles, points and details of the topics. */
export const SUMMARY_TEXT = `concat_ws(E'\\n', s.content, (
  SELECT string_agg(item #>> '{}', E'\\n')
  FROM jsonb_path_query(s.topics::jsonb, 'strict $.**') AS item WHERE jsonb_typeof(item) = 'string'))`;

/** Of a row `c` of `transcript_chunks`: a phrase may begin in one segment and end in the next. */
export const CHUNK_TEXT = `(
  SELECT string_agg(segment ->> 'text', E'\\n' ORDER BY position)
  FROM json_array_elements(c.segments) WITH ORDINALITY AS listed (segment, position))`;

/** Bytes of text whose words surely fit into one `tsvector`, which holds at most a megabyte. */
const MOST_BYTES = 250_000;

/** PostgreSQL takes a minute for the words of `a_a_a_...` of 100,000 characters, and a moment where there are blanks. */
const LONGEST_RUN = 100;

/** A text with blanks in runs of characters without any. */
export function broken(text: string): string {
  return `regexp_replace(${text}, '\\S{${LONGEST_RUN}}', '\\& ', 'g')`;
}

/** A text as its words are made of it: what stands in angle brackets would be taken for a tag. */
export function searchable(text: string): string {
  return broken(`translate(${text}, '<>', '  ')`);
}

/** The beginning of a text, as much of it as the index takes: all of it but for extreme ones. */
export function indexed(text: string): string {
  // No character has more than four bytes.
  return searchable(
    `CASE WHEN octet_length(${text}) <= ${MOST_BYTES} THEN ${text} ELSE left(${text}, ${MOST_BYTES / 4}) END`,
  );
}
