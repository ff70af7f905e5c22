import { folded, searchable, wordsOf } from '../../platform/language/text-search.sql.js';
import type { Parameters } from '../../platform/database/statement.js';
import { spellingsOf } from './search-spellings.js';

/** The name of a speaker as a query of labels. Names are not stemmed: `James` is not `Jame`. */
export function speakerQuery(name: string, parameters: Parameters): string {
  const spellings = parameters.bind(spellingsOf(name), 'text[]');
  return `(SELECT ${folded(`string_agg('(' || plainto_tsquery('simple', ${searchable('spelling')})::text || ')', ' | ')`, 'tsquery')}
    FROM unnest(${spellings}) AS spelling WHERE numnode(plainto_tsquery('simple', ${searchable('spelling')})) > 0)`;
}

/** Whether all words of the name occur in the label of a speaker. */
export function isSpeaker(label: string, query: string): string {
  return `${wordsOf(`'simple'`, label)} @@ ${query}`;
}

/**
 * The rows of `readable` of which the speaker said something that matches, in a transcript: the index knows the words of a
 * chunk, and its chunks that match are read until one has them in a segment of the speaker.
 */
export function foundBySpeakerSql(speaker: string): string {
  return `
    SELECT config, query, id, created_at, open, transcript, summary, false AS title_hit, false AS notes_hit, false AS summary_hit,
      chunks, saturation, speakers
    FROM readable CROSS JOIN LATERAL (
      SELECT array_agg(label) AS labels FROM unnest(speakers) AS label WHERE ${isSpeaker('label', speaker)}) named
    WHERE chunks > 0 AND labels IS NOT NULL AND EXISTS (
      SELECT FROM search_entries e JOIN transcript_chunks c USING (recording_id, chunk_index)
      CROSS JOIN LATERAL (
        SELECT string_agg(segment ->> 'text', E'\\n') AS text FROM json_array_elements(c.segments) AS segment
        WHERE segment ->> 'speaker' = ANY (labels)) spoken
      WHERE e.recording_id = readable.id AND e.source = 'transcript' AND e.words @@ readable.query
        AND ${wordsOf('readable.config', 'spoken.text')} @@ readable.query)`;
}
