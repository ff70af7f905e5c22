import { withConnection } from '../../../platform/database/connection.js';
import { lexemesOf } from '../../search/index/public/lexemes.queries.js';
import type { ThreadTask } from '../../../platform/work/thread-task.js';
import { answerContext, type GivenSegment } from './answer-context.js';
import { readMeetings, type AskedRecording } from './asked-meetings.js';
import { rankPassages, type Passage } from './passages.js';

export interface FindPassagesInput {
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

/** Finds the passages of meetings that answer a question. */
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
