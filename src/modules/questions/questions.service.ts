import { Inject, Injectable } from '@nestjs/common';
import { DatabaseServer } from '../../platform/database/database-server.js';
import { DomainError } from '../../contract/domain-error.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { WorkLimitError, WorkPool } from '../../platform/work/work-pool.service.js';
import type { Caller } from '../../policy/caller.js';
import { RecordingAccessService, type OpenRecording } from '../recording-access/recording-access.service.js';
import type { Answer } from './answer.js';
import { NoWrittenAnswerError, type ChatAnswerer } from './chat-answerer.js';
import { answerOfPassages } from './passages-answer.js';
import { FIND_PASSAGES, type FoundPassages } from './find-passages.task.js';
import type { SpokenSegment } from './passages.js';

/** Dependency-injection token of the `ChatAnswerer`; null without a chat server. */
export const ANSWERER = Symbol('ANSWERER');

/** Passages offered to the chat server. */
const RANKED = 24;
/** Passages in an answer that is not written by a chat server. */
const SHOWN = 5;
/** Typically it takes a tenth of a second. */
const SECONDS = 30;
const TOO_SLOW = 'Finding an answer took too long. Try again later, or ask a shorter question.';

/** Answers questions from the transcript alone. */
@Injectable()
export class QuestionsService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly database: DatabaseServer,
    private readonly pool: WorkPool,
    private readonly logger: AppLogger,
    @Inject(ANSWERER) private readonly answerer: ChatAnswerer | null,
  ) {}

  /** Answers with the chat server if there is one and it succeeds, otherwise with the passages that match best. */
  async ask(caller: Caller, recordingId: string, question: string, signal: AbortSignal): Promise<Answer> {
    const { row } = await this.access.requireFeature(caller, recordingId, 'transcription', {
      alsoRequires: 'questions',
    });
    const status = row.transcript_status ?? 'not_started';
    if (status !== 'completed') {
      throw new DomainError(
        'CONFLICT',
        `The transcription is ${status}. Questions need a completed transcription.`,
      );
    }
    const found = await this.passages(caller, row, question, signal);
    const written = await this.written(question, row, found.context, signal);
    return written ?? answerOfPassages(found.passages.slice(0, SHOWN));
  }

  private async passages(
    caller: Caller,
    row: OpenRecording['row'],
    question: string,
    signal: AbortSignal,
  ): Promise<FoundPassages> {
    const input = {
      databaseUrl: this.database.url,
      recordingId: row.id,
      question,
      language: row.transcript_language,
      speakers: row.transcript_speakers ?? [],
      most: RANKED,
      seconds: SECONDS,
    };
    try {
      return await this.pool.run(FIND_PASSAGES, input, { caller: caller.id, seconds: SECONDS, signal });
    } catch (error) {
      if (error instanceof WorkLimitError)
        throw new DomainError('SERVICE_UNAVAILABLE', TOO_SLOW, { cause: error });
      throw error;
    }
  }

  private async written(
    question: string,
    row: OpenRecording['row'],
    given: readonly SpokenSegment[],
    signal: AbortSignal,
  ): Promise<Answer | null> {
    if (!this.answerer || given.length === 0) return null;
    const facts = {
      title: row.title,
      language: row.transcript_language,
      speakers: row.transcript_speakers ?? [],
    };
    try {
      return await this.answerer.answer(question, given, facts, signal);
    } catch (error) {
      if (!(error instanceof NoWrittenAnswerError)) throw error;
      // The caller sees the fallback in the `mode` of the reply.
      this.logger.warn(
        { recordingId: row.id, err: error.cause },
        'the chat server gave no usable answer; replied with passages',
      );
      return null;
    }
  }
}
