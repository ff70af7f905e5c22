/** The searchable texts of a recording as SQL expressions, shared by the index and the snippets. */

/** All strings of a JSON value, in order. */
const stringsOf = (json: string): string => `(SELECT string_agg(item #>> '{}', E'\\n')
  FROM jsonb_path_query(${json}::jsonb, 'strict $.**') AS item WHERE jsonb_typeof(item) = 'string')`;

/**
 * The text of a row `s` of `summaries`: content, titles, key points and details of the topics, decisions and action
 * items.
 */
export const SUMMARY_TEXT = `concat_ws(E'\\n', s.content, ${stringsOf('s.topics')}, ${stringsOf('s.decisions')}, (
  SELECT string_agg(concat_ws(' ', a.owner, a.text, a.due), E'\\n' ORDER BY a.position)
  FROM action_items a WHERE a.recording_id = s.recording_id))`;

/**
 * Labels that name no person: `Speaker 1`, `SPEAKER_00`, `Speaker A`, `3`. A search for `speaker` or `1` must not find
 * them all.
 */
const UNNAMED = `^\\s*(speaker|spk|unknown)?[\\s_-]*([0-9]+|[A-Z])?\\s*$`;

/** Returns the label of a speaker if it names somebody, otherwise null. */
export const namedSpeaker = (label: string): string =>
  `CASE WHEN ${label} !~* '${UNNAMED}' THEN ${label} END`;

/**
 * The text of a row `c` of `transcript_chunks`, followed by its speakers; a phrase may begin in one segment and end in
 * the next.
 */
export const CHUNK_TEXT = `(
  SELECT concat_ws(E'\\n', string_agg(segment ->> 'text', E'\\n' ORDER BY position),
    string_agg(DISTINCT ${namedSpeaker(`segment ->> 'speaker'`)}, E'\\n'))
  FROM json_array_elements(c.segments) WITH ORDINALITY AS listed (segment, position))`;

/** Bytes of text that always fit into one `tsvector`, whose limit is 1 MB. */
const MAX_BYTES = 250_000;

/** The beginning of a text that the index takes; all but extreme texts fit. A character has at most four bytes. */
export function indexed(text: string): string {
  return `CASE WHEN octet_length(${text}) <= ${MAX_BYTES} THEN ${text} ELSE left(${text}, ${MAX_BYTES / 4}) END`;
}
