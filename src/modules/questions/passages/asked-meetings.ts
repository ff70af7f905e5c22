import type { Database } from '../../../platform/database/connection.js';
import { gramsOf } from '../../../lib/language/dense-grams.js';
import { isDense } from '../../../lib/language/dense-scripts.js';
import { lexemesOf } from '../../search/index/public/lexemes.queries.js';
import { LIMITS } from '../../../contract/limits.js';
import { isNamed, outcomesAskedFor } from './asked-for.js';
import {
  readCandidateSegments,
  readMeetingHeads,
  type MeetingHead,
  type QuestionStems,
} from './meetings.queries.js';
import type { SpokenSegment } from '../../../lib/transcript-formats/transcript.js';

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
