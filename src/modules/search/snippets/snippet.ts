import {
  apart,
  bordered,
  broken,
  RESPELLED,
  searchable,
  vectorOf,
  wordsOf,
} from '../../../platform/database/text-search.sql.js';

/** Segments to show per recording. */
export const SEGMENTS_SHOWN = 3;
/** Best-matching chunks to search for them. */
export const CHUNKS_LOOKED_INTO = 3;
/** The same where only the segments of one speaker count: others may have said the words of the best ones. */
export const CHUNKS_OF_SPEAKER = 30;

/** Placeholders for marks, angle brackets and borders of words without spaces, between PostgreSQL and `toHtml`. */
export const MARK = {
  start: '\u0001',
  stop: '\u0002',
  less: '\u0003',
  greater: '\u0004',
  cut: '\u0005',
} as const;

/** Between two marks that touch, such as those of `EIP-7702`, which PostgreSQL reads as two words. */
const SEAM = `${MARK.stop}${MARK.start}`;

const HTML: Readonly<Record<string, string>> = {
  [MARK.start]: '<mark>',
  [MARK.stop]: '</mark>',
  [MARK.less]: '&lt;',
  [MARK.greater]: '&gt;',
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Each character once. */
const REPLACED = new RegExp(`[${Object.keys(HTML).join('')}]`, 'g');

/** HTML in which `mark` is the only element, whatever the text; a mark that was cut off is closed. */
export function toHtml(snippet: string): string {
  const isCut = snippet.lastIndexOf(MARK.start) > snippet.lastIndexOf(MARK.stop);
  const whole = (isCut ? snippet + MARK.stop : snippet).replaceAll(MARK.cut, '').replaceAll(SEAM, '');
  return whole.replace(REPLACED, (character) => HTML[character] ?? '');
}

/** Texts up to this length are shown whole. */
const SHORT = 300;
/** The passage is first searched for in this many characters, because a long text with many hits is slow. */
const BEGINNING = 5_000;

/** Length of a passage, and of its part before the first hit, in characters; `MaxWords` ignores non-words. */
const [SNIPPET, LEAD] = [1_000, 300];

/**
 * The passage that contains the hits of a row `hit` with `text`, `config`, `query`, `shown` and `marks`. Placeholders
 * already in the text are blanked first. PostgreSQL marks words of the text as it is: those that only match without
 * their accents, or in another width, are added to what it looks for, and what is to be marked within a dense script is
 * cut out, as words.
 */
export function headline(hit: string): string {
  const { start, stop, less, greater, cut } = MARK;
  const [from, to] = [`${start}${stop}${less}${greater}${cut}<>`, `     ${less}${greater}`];
  const marked = `CASE WHEN ${hit}.marks IS NULL THEN blanked.text
    ELSE regexp_replace(blanked.text, ${hit}.marks, '${cut}\\&${cut}', 'g') END`;
  return `(SELECT substr(found.text, greatest(1, strpos(found.text, '${start}') - ${LEAD}), ${SNIPPET}) FROM (
    SELECT ts_headline(${hit}.config::regconfig, ${broken(bordered(apart(marked, cut), cut), cut)},
      ${hit}.shown
        || CASE WHEN ${hit}.marks IS NULL THEN ''::tsquery ELSE ${cutOut(hit)} END
        || CASE WHEN blanked.text ~ '${RESPELLED}' THEN ${respelled(hit)} ELSE ''::tsquery END,
      'StartSel="${start}", StopSel="${stop}", '
      || CASE WHEN length(blanked.text) <= ${SHORT} THEN 'HighlightAll=true' ELSE 'MaxWords=36, MinWords=18, MaxFragments=1' END) AS text
    FROM (
      SELECT translate(part.text, '${from}', '${to}') AS text FROM (
        SELECT CASE WHEN length(${hit}.text) > ${BEGINNING}
            AND ${wordsOf(`${hit}.config`, `left(${hit}.text, ${BEGINNING})`)} @@ ${hit}.query
          THEN left(${hit}.text, ${BEGINNING}) ELSE ${hit}.text END AS text OFFSET 0) part OFFSET 0) blanked) found)`;
}

/** The words that were cut out. */
const cutOut = (hit: string): string => `COALESCE((
  SELECT string_agg(DISTINCT plainto_tsquery(${hit}.config::regconfig, occurrence[1])::text, ' | ')::tsquery
  FROM regexp_matches(blanked.text, ${hit}.marks, 'g') AS occurrence), ''::tsquery)`;

/** The words of the passage that match as the index spells them: without accents and points, in their usual width. */
const respelled = (hit: string): string => `COALESCE((
  SELECT string_agg(NULLIF(strip(to_tsvector(${hit}.config::regconfig, token))::text, ''), ' | ')::tsquery
  FROM ts_parse('default', ${bordered(apart('blanked.text', ' '), ' ')})
  CROSS JOIN (SELECT regexp_replace(${hit}.query::text, ' (<(-|[0-9]+)>|&) ', ' | ', 'g')::tsquery AS query OFFSET 0) any_of
  WHERE token ~ '${RESPELLED}' AND ${vectorOf(`${hit}.config`, searchable('token'))} @@ any_of.query), ''::tsquery)`;
