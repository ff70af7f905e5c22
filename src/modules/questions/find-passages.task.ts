import { withConnection } from '../../platform/database/connection.js';
import { lexemesOf } from '../../platform/language/lexemes.js';
import { LIMITS } from '../../contract/limits.js';
import type { ThreadTask } from '../../platform/work/thread-task.js';
import { answerContext } from './answer-context.js';
import { candidateSegments } from './passage-candidates.js';
import { rankPassages, type Passage, type SpokenSegment } from './passages.js';

export interface FindPassagesInput {
  readonly databaseUrl: string;
  readonly recordingId: string;
  readonly question: string;
  /** Speakers of the transcript. */
  readonly language: string | null;
  readonly speakers: readonly string[];
  /** Most passages to return. */
  readonly most: number;
  readonly seconds: number;
}

export interface FoundPassages {
  /** Best first. */
  readonly passages: readonly Passage[];
  /** Segments for the prompt of a chat server, in chronological order. */
  readonly context: readonly SpokenSegment[];
}

export const FIND_PASSAGES: ThreadTask<FindPassagesInput, FoundPassages> = { module: import.meta.url };

/** Finds the passages of one meeting that match a question. */
export default async function findPassages(input: FindPassagesInput): Promise<FoundPassages> {
  const { databaseUrl, recordingId, question, language, most, seconds } = input;
  return withConnection(databaseUrl, seconds, async (database) => {
    const lexemes = (texts: readonly string[]) => lexemesOf(database, language, texts);
    const labels = input.speakers.slice(0, LIMITS.speakers);
    const [words = [], ...stems] = await lexemes([question, ...labels]);
    const speakers = labels.filter((_, index) => stems[index]?.some((stem) => words.includes(stem)));
    const names = new Set(labels.flatMap((_, index) => stems[index] ?? []));
    const topics = words.filter((word) => !names.has(word));
    const segments = await candidateSegments(database, recordingId, { words: topics, speakers });
    const passages = await rankPassages(question, segments, lexemes, most);
    return { passages, context: answerContext(segments, passages) };
  });
}
