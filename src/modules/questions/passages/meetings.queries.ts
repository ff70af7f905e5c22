import { SEGMENTS_PER_CHUNK, LIMITS } from '../../../contract/limits.js';
import { speechOf } from '../../../lib/language/noise.js';
import type { SpokenSegment } from '../../../lib/transcript-formats/transcript.js';
import { type Database, sql } from '../../../platform/database/sql.js';
import { type Outcome, isNamed, outcomesAskedFor } from './asked-for.js';
import { gramsOf } from '../../../lib/language/dense-grams.js';
import { isDense } from '../../../lib/language/dense-scripts.js';
import { lexemesOf } from '../../search/index/public/lexemes.queries.js';

interface MeetingHead {
  readonly id: string;
  readonly title: string;
  /** BCP 47 code; null if unknown. */
  readonly language: string | null;
  readonly speakers: readonly string[];
  /** Segments that the decisions and the action items of the summary rest on. */
  readonly outcomes: Readonly<Record<Outcome, readonly number[]>>;
}

/** Reads what is known of meetings with a completed transcript, in the order of `ids`. */
async function readMeetingHeads(database: Database, ids: readonly string[]): Promise<MeetingHead[]> {
  return sql(database)`
    SELECT r.id, r.title, t.language, t.speakers, json_build_object(
      'decisions', ARRAY(SELECT json_array_elements_text(d -> 'segmentIds')::int FROM json_array_elements(s.decisions) d),
      'actionItems', ARRAY(SELECT unnest(a.segment_ids) FROM action_items a WHERE a.recording_id = s.recording_id)) AS outcomes
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS given (id, position)
    JOIN recordings r USING (id) JOIN transcripts t ON t.recording_id = r.id
    LEFT JOIN summaries s ON s.recording_id = r.id AND s.status = 'completed'
    WHERE t.status = 'completed' ORDER BY position`;
}

/** The topics of a question, as stems of the index, the speakers it names, and the segments it asks for. */
interface QuestionStems {
  readonly words: readonly string[];
  readonly speakers: readonly string[];
  readonly cited: ReadonlySet<number>;
}

/**
 * Every third of the chunks to read is a best-matching one, read with its neighbours, because answers follow their
 * questions.
 */
const WITH_NEIGHBOURS = 3;
/** Matching chunks to rank. */
const LOOKED_INTO = 500;
/** Weight of a chunk in which a speaker named in the question talks. */
const NAMED = 1.5;
/** Bytes of JSON to read. */
const MAX_BYTES = 2_000_000;

/**
 * Reads the segments that may answer a question, of at most `max` chunks, in chronological order. The index selects the
 * chunks with the segments that it asks for, those with its most and rarest stems or, if none has any, those in which the named speakers talk.
 * Chunks from the beginning fill the rest.
 */
async function readCandidateSegments(
  database: Database,
  recordingId: string,
  { words, speakers, cited }: QuestionStems,
  max: number,
): Promise<SpokenSegment[]> {
  const id = sql`${recordingId}::uuid`;
  const best = Math.ceil(max / WITH_NEIGHBOURS);
  const named = sql`${speakers}::text[]`;
  const isNamedIn = sql`${named} <> '{}' AND EXISTS (
    SELECT FROM json_array_elements(c.segments) AS segment WHERE segment ->> 'speaker' = ANY (${named}))`;
  const chunks = await sql(database)<{ segments: SpokenSegment[] }>`
    WITH hits AS MATERIALIZED (
      SELECT e.chunk_index, stem FROM search_entries e CROSS JOIN LATERAL unnest(tsvector_to_array(e.words)) AS stem
      WHERE e.recording_id = ${id} AND e.source = 'transcript' AND stem = ANY (${words}::text[])
    ), rarity AS (
      SELECT stem, ln(1 + (SELECT count(DISTINCT chunk_index) FROM hits) / count(*)::float) AS weight FROM hits GROUP BY stem
    ), scored AS MATERIALIZED (
      SELECT chunk_index, sum(weight) AS score FROM hits JOIN rarity USING (stem)
      GROUP BY chunk_index ORDER BY score DESC, chunk_index LIMIT ${LOOKED_INTO}::int
    ), best AS MATERIALIZED (
      (SELECT s.chunk_index, s.score * CASE WHEN ${isNamedIn} THEN ${NAMED}::numeric ELSE 1 END AS score
        FROM scored s JOIN transcript_chunks c ON c.recording_id = ${id} AND c.chunk_index = s.chunk_index
        ORDER BY 2 DESC, 1 LIMIT ${best}::int)
      UNION ALL
      (SELECT c.chunk_index, 1 FROM transcript_chunks c
        WHERE c.recording_id = ${id} AND ${isNamedIn} AND NOT EXISTS (SELECT FROM hits)
        ORDER BY 1 LIMIT ${best}::int)
    ), wanted AS (
      SELECT chunk_index, max(score) AS score FROM (
        SELECT chunk_index + beside AS chunk_index, score / (1 + abs(beside)) AS score
        FROM best CROSS JOIN generate_series(-1, 1) AS beside
        UNION ALL SELECT unnest(${chunksOf(cited)}::int[]), 'Infinity'
        UNION ALL SELECT first, 0 FROM generate_series(0, ${max}::int - 1) AS first
      ) listed GROUP BY chunk_index ORDER BY score DESC, chunk_index LIMIT ${max}::int
    ), room AS (
      SELECT chunk_index, segments, sum(octet_length(segments::text)) OVER (ORDER BY score DESC, chunk_index) AS used
      FROM wanted JOIN transcript_chunks c USING (chunk_index) WHERE c.recording_id = ${id}
    )
    SELECT segments FROM room WHERE used <= ${MAX_BYTES}::int ORDER BY chunk_index`;
  return speechOf(chunks.flatMap(({ segments }) => segments));
}

const chunksOf = (segments: ReadonlySet<number>): number[] => [
  ...new Set([...segments].map((id) => Math.floor(id / SEGMENTS_PER_CHUNK))),
];

/** A meeting to look into. */
export interface AskedRecording {
  readonly id: string;
  /** How well it matches the question as a whole, up to 1: a factor of its passages. */
  readonly weight: number;
  /** Only what these speakers said; null for all. */
  readonly speakers: readonly string[] | null;
}

/** A meeting that a question is about. */
export interface Meeting extends Pick<AskedRecording, 'weight' | 'speakers'> {
  readonly recordingId: string;
  readonly title: string;
  /** BCP 47 code; null if unknown. */
  readonly language: string | null;
  /** Chronological; not necessarily all. */
  readonly segments: readonly SpokenSegment[];
  /** Ids of the segments that decisions or action items rest on, if the question asks for these. */
  readonly cited: ReadonlySet<number>;
}

/** Reads the meetings, each with the segments that may answer a question, at most `chunks` chunks of it. */
export async function readMeetings(
  database: Database,
  recordings: readonly AskedRecording[],
  question: string,
  chunks: number,
): Promise<Meeting[]> {
  const heads = await readMeetingHeads(
    database,
    recordings.map(({ id }) => id),
  );
  const given = new Map(recordings.map((recording) => [recording.id, recording]));
  const outcomes = outcomesAskedFor(question).kinds;
  const meetings: Meeting[] = [];
  for (const head of heads) {
    const { id: recordingId, title, language } = head;
    const cited = new Set(outcomes.flatMap((outcome) => head.outcomes[outcome]));
    const stems = { ...(await stemsOf(database, head, question)), cited };
    const segments = await readCandidateSegments(database, recordingId, stems, chunks);
    const { weight = 1, speakers = null } = given.get(recordingId) ?? {};
    meetings.push({ recordingId, title, language, segments, weight, speakers, cited });
  }
  return meetings;
}

async function stemsOf(
  database: Database,
  { language, speakers: all }: MeetingHead,
  question: string,
): Promise<Omit<QuestionStems, 'cited'>> {
  const labels = all.slice(0, LIMITS.speakers);
  const [words = [], ...stems] = await lexemesOf(database, language, [question, ...labels]);
  const speakers = labels.filter(
    (label, index) => isNamed(label, question) || stems[index]?.some((stem) => words.includes(stem)),
  );
  const names = new Set(stems.flat());
  const topics = words.filter((word) => !names.has(word));
  return { words: topics.flatMap((word) => (isDense(word) ? [word, ...gramsOf(word)] : [word])), speakers };
}
