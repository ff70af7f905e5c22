import { runsQuery } from '../../../lib/language/dense-grams.js';
import { composed, isDense, scriptsOf } from '../../../lib/language/dense-scripts.js';
import { folded, searchable, wordsOf } from '../../../platform/database/text-search.sql.js';
import { sql, type Sql } from '../../../platform/database/sql.js';
import { spellingsOf } from '../query/search-spellings.js';

/**
 * The name of a speaker as a query of labels. Names are not stemmed: `James` is not `Jame`. In dense scripts, any part
 * of a name is enough.
 */
export function speakerQuery(name: string): Sql {
  const written = composed(name);
  if (!isDense(written)) return spelledQuery(written);
  const others = scriptsOf(written).filter((part) => !isDense(part));
  const names = written.split(/\s+/u).filter(isDense).map(runsQuery);
  const query = sql`${names.join(' & ')}::text::tsquery`;
  if (!/[\p{L}\p{N}]/u.test(others.join(''))) return query;
  return sql`(${spelledQuery(others.join(' '))} && ${query})`;
}

const WORDS = `plainto_tsquery('simple', ${searchable('spelling')})`;

function spelledQuery(name: string): Sql {
  return sql`(SELECT ${() => folded(`string_agg('(' || ${WORDS}::text || ')', ' | ')`, 'tsquery')}
    FROM unnest(${spellingsOf(name)}::text[]) AS spelling WHERE numnode(${() => WORDS}) > 0)`;
}

/** Whether all words of the name occur in the label of a speaker. */
export function isSpeaker(label: string, query: Sql): Sql {
  return sql`${() => wordsOf(`'simple'`, label)} @@ ${query}`;
}

/**
 * CTEs `speakers`, the labels that match, and `said`: the rows of `readable` of which such a speaker said something
 * that matches.
 */
export function foundBySpeakerSql(speaker: Sql): Sql {
  return sql`
  speakers AS MATERIALIZED (
    SELECT array_agg(label) AS labels FROM (SELECT DISTINCT unnest(speakers) AS label FROM readable WHERE chunks > 0) given
    WHERE ${isSpeaker('label', speaker)}
  ),
  -- The index knows the words of a chunk: those that match are read until one has them in a segment of the speaker.
  said AS (
    SELECT config, query, id, created_at, open, transcript, summary, false AS title_hit, false AS notes_hit,
      false AS summary_hit, chunks, saturation
    FROM readable CROSS JOIN speakers
    WHERE chunks > 0 AND readable.speakers && labels AND EXISTS (
      SELECT FROM transcript_chunks c CROSS JOIN LATERAL (
        SELECT string_agg(segment ->> 'text', E'\\n') AS text FROM json_array_elements(c.segments) AS segment
        WHERE segment ->> 'speaker' = ANY (labels)) spoken
      WHERE c.recording_id = readable.id AND c.chunk_index = ANY (readable.chunk_indexes)
        AND ${() => wordsOf('readable.config', 'spoken.text')} @@ readable.query)
  )`;
}
