import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { LexemesService } from '../../platform/language/lexemes.service.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import type { Caller } from '../../policy/caller.js';
import { RecordingAccessService, type OpenRecording } from '../recordings/recording-access.service.js';
import { TranscriptsService } from '../transcripts/transcripts.service.js';
import { answerContext } from './answer-context.js';
import type { Answer } from './answer.js';
import { NoWrittenAnswerError, type ChatAnswerer } from './chat-answerer.js';
import { answerOfPassages } from './passages-answer.js';
import { rankPassages, type Passage, type SpokenSegment } from './passages.js';

/** Dependency-injection token of the `ChatAnswerer`; null without a chat server. */
export const ANSWERER = Symbol('ANSWERER');

/** Passages that a chat server gets, with what was said around them, as far as there is room. */
const RANKED = 24;
/** Passages that are an answer by themselves. */
const SHOWN = 5;

/** Answers questions from the transcript alone. */
@Injectable()
export class QuestionsService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly transcripts: TranscriptsService,
    private readonly lexemes: LexemesService,
    private readonly logger: AppLogger,
    @Inject(ANSWERER) private readonly answerer: ChatAnswerer | null,
  ) {}

  /** Written by a chat server where there is one that gives an answer; else the passages that match best. */
  async ask(caller: Caller, recordingId: string, question: string, signal: AbortSignal): Promise<Answer> {
    const { row } = await this.access.use(caller, recordingId, 'transcription', { andAlso: 'questions' });
    const status = row.transcript_status ?? 'not_started';
    if (status !== 'completed') {
      throw new DomainError('CONFLICT', `The transcription is ${status}; questions need a completed one.`);
    }
    const segments = await this.transcripts.all(row.id);
    const passages = await rankPassages(
      question,
      segments,
      (texts) => this.lexemes.of(row.transcript_language, texts),
      RANKED,
    );
    const written = await this.written(question, row, { segments, passages }, signal);
    return written ?? answerOfPassages(passages.slice(0, SHOWN));
  }

  private async written(
    question: string,
    row: OpenRecording['row'],
    { segments, passages }: { segments: readonly SpokenSegment[]; passages: readonly Passage[] },
    signal: AbortSignal,
  ): Promise<Answer | null> {
    const given = answerContext(segments, passages);
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
      // The reply says by its mode that nobody wrote it.
      this.logger.warn({ recordingId: row.id, err: error.cause }, 'no written answer; passages instead');
      return null;
    }
  }
}
