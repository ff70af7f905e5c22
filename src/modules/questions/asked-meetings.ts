import type { Database } from '../../platform/database/connection.js';
import { gramsOf } from '../../lib/language/dense-grams.js';
import { isDense } from '../../lib/language/dense-scripts.js';
import { lexemesOf } from '../search/index/public/lexemes.queries.js';
import { LIMITS } from '../../contract/limits.js';
import { isNamed } from './asked-for.js';
import { candidateSegments } from './passage-candidates.js';
import type { Meeting } from './spoken-meeting.js';

const HEADS = `
  SELECT r.id, r.title, t.language, t.speakers FROM unnest($1::uuid[]) WITH ORDINALITY AS given (id, position)
  JOIN recordings r USING (id) JOIN transcripts t ON t.recording_id = r.id WHERE t.status = 'completed' ORDER BY position`;

/** A meeting to look into. */
export interface AskedRecording {
  readonly id: string;
  /** How well it matches the question as a whole, up to 1. */
  readonly weight: number;
  /** Only what these speakers said; null for all. */
  readonly speakers: readonly string[] | null;
}

interface Head {
  readonly id: string;
  readonly title: string;
  readonly language: string | null;
  readonly speakers: readonly string[];
}

/** The meetings, each with the segments that may answer a question, at most `chunks` chunks of it. */
export async function askedMeetings(
  database: Database,
  recordings: readonly AskedRecording[],
  question: string,
  chunks: number,
): Promise<Meeting[]> {
  const heads = await database.query<Head>(HEADS, [recordings.map(({ id }) => id)]);
  const given = new Map(recordings.map((recording) => [recording.id, recording]));
  const meetings: Meeting[] = [];
  for (const head of heads) {
    const { id: recordingId, title, language } = head;
    const asked = await askedAbout(database, head, question);
    const segments = await candidateSegments(database, recordingId, asked, chunks);
    const { weight = 1, speakers = null } = given.get(recordingId) ?? {};
    meetings.push({ recordingId, title, language, segments, weight, speakers });
  }
  return meetings;
}

async function askedAbout(database: Database, { language, speakers: all }: Head, question: string) {
  const labels = all.slice(0, LIMITS.speakers);
  const [words = [], ...stems] = await lexemesOf(database, language, [question, ...labels]);
  const speakers = labels.filter(
    (label, index) => isNamed(label, question) || stems[index]?.some((stem) => words.includes(stem)),
  );
  const names = new Set(stems.flat());
  const topics = words.filter((word) => !names.has(word));
  return { words: topics.flatMap((word) => (isDense(word) ? [word, ...gramsOf(word)] : [word])), speakers };
}
