import { type Passage, rankPassages } from './passages.js';
import { type Meeting, readMeetings, type AskedRecording } from './meetings.queries.js';
import type { SpokenSegment } from '../../../lib/transcript-formats/transcript.js';
import { withConnection } from '../../../platform/database/connection.js';
import { lexemesOf } from '../../search/index/public/lexemes.queries.js';
import type { ThreadTask } from '../../../platform/work/thread-task.js';

/** Characters of transcript in a prompt: about six thousand tokens. */
const MAX_CHARACTERS = 24_000;
/** Segments of context before and after a passage. */
const AROUND = 4;
/** Characters that a segment adds to its text in the prompt. */
const FRAME = 20;

/** A segment of one of several meetings. */
export interface GivenSegment extends SpokenSegment {
  readonly recordingId: string;
  readonly title: string;
}

/**
 * The segments to answer a question from, meeting by meeting in chronological order: everything if it fits, otherwise
 * the best passages that fit, each with its context.
 */
export function answerContext(
  meetings: readonly Meeting[],
  passages: readonly Pick<Passage, 'recordingId' | 'id'>[],
  max = MAX_CHARACTERS,
): GivenSegment[] {
  const segments = meetings.flatMap(({ recordingId, title, segments: own }) =>
    own.map((segment): GivenSegment => ({ ...segment, recordingId, title })),
  );
  if (segments.reduce((sum, { text }) => sum + text.length + FRAME, 0) <= max) return segments;
  const places = new Map(segments.map(({ recordingId, id }, place) => [`${recordingId} ${id}`, place]));
  const chosen = new Set<number>();
  let room = max;
  for (const { recordingId, id } of passages) {
    const place = places.get(`${recordingId} ${id}`);
    if (place === undefined) continue;
    const added = neighbours(place, segments.length).filter(
      (at) => !chosen.has(at) && segments[at]?.recordingId === recordingId,
    );
    room -= added.reduce((sum, at) => sum + (segments[at]?.text.length ?? 0) + FRAME, 0);
    if (room < 0 && chosen.size > 0) break;
    for (const at of added) chosen.add(at);
  }
  return segments.filter((_, place) => chosen.has(place));
}

function neighbours(place: number, count: number): number[] {
  const from = Math.max(0, place - AROUND);
  const to = Math.min(count, place + AROUND + 1);
  return Array.from({ length: to - from }, (_, index) => from + index);
}

interface FindPassagesInput {
  readonly databaseUrl: string;
  readonly recordings: readonly AskedRecording[];
  readonly question: string;
  /** Limit of the chunks to read of each meeting. */
  readonly chunks: number;
  /** Limit of the passages to return. */
  readonly max: number;
  readonly seconds: number;
}

export interface FoundPassages {
  /** Best first. */
  readonly passages: readonly Passage[];
  /** Segments for the prompt of a chat server, meeting by meeting in chronological order. */
  readonly context: readonly GivenSegment[];
}

export const FIND_PASSAGES: ThreadTask<FindPassagesInput, FoundPassages> = { module: import.meta.url };

export default async function findPassages(input: FindPassagesInput): Promise<FoundPassages> {
  const { databaseUrl, recordings, question, chunks, max, seconds } = input;
  return withConnection(databaseUrl, seconds, async (database) => {
    const meetings = await readMeetings(database, recordings, question, chunks);
    const lexemes = (language: string | null, texts: readonly string[]) =>
      lexemesOf(database, language, texts);
    const passages = await rankPassages(question, meetings, lexemes, max);
    return { passages, context: answerContext(meetings, passages) };
  });
}
