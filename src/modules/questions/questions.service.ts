import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { DatabaseServer } from '../../platform/database/servers/database-server.js';
import { conflict, DomainError } from '../../contract/domain-error.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { WorkLimitError, WorkPool } from '../../platform/work/work-pool.service.js';
import { RepeatableDecision } from '../../platform/idempotency/repeatable-decision.js';
import { ReplyChecks } from '../../platform/idempotency/reply-checks.service.js';
import { viewerOf, type Caller } from '../../policy/caller.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { SearchService, type AskedAbout } from '../search/search.service.js';
import { type GivenSegment, FIND_PASSAGES, type FoundPassages } from './passages/find-passages.task.js';
import type { AskedRecording } from './passages/meetings.queries.js';
import { ChatAnswerer, NoWrittenAnswerError } from './answers/chat-answerer.js';
import { type MeetingFacts, amongMeetings, meetingsAnswer } from './answers/chat-answer-prompt.js';
import type { MeetingsQuestionAnswer, PlainAnswer, QuestionAnswer } from './public/answer.response.dto.js';
import { answerOfPassages, nowhere } from './answers/passages-answer.js';
import { explainTranscription } from '../../policy/advice.js';
import { LIMITS } from '../../contract/limits.js';

/** Passages offered to the chat server. */
const RANKED = 24;
const NOT_SAID = 'Nothing that was said answers this.';
const NO_WRITER = 'No chat server is configured to write an answer';
const INSTEAD = '; these are the passages that match best.';
/** Chunks to read of one meeting, which are all of an ordinary one, and of each of several. */
const CHUNKS = { one: 150, several: 15 } as const;
/** Typically it takes a tenth of a second. */
const SECONDS = 30;
const TOO_SLOW = 'Finding an answer took too long. Try again later, or ask a shorter question.';

/** From which recordings a question about several is answered: asked again later, it is answered from others. */
const ANSWERING = new RepeatableDecision<readonly string[]>('answer');

/** Answers questions from transcripts alone. */
@Injectable()
export class QuestionsService implements OnModuleInit {
  /** Null without a chat server. */
  private readonly answerer: ChatAnswerer | null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly access: RecordingAccessService,
    private readonly searches: SearchService,
    private readonly database: DatabaseServer,
    private readonly pool: WorkPool,
    private readonly logger: AppLogger,
    private readonly replies: ReplyChecks,
    @Inject(SETTINGS) { chat, chatAnswerSeconds }: Settings,
  ) {
    this.answerer = chat && new ChatAnswerer(chat, chatAnswerSeconds);
  }

  onModuleInit(): void {
    this.replies.decideBy(ANSWERING, async (caller: Caller, ids) => {
      const known = await this.access.findVisible(this.dataSource.manager, viewerOf(caller), ids);
      const may = ids.every((id) => known.get(id)?.access.capabilities.canAskQuestions);
      if (!may) throw new DomainError('IDEMPOTENCY_REPLY_LOST');
    });
  }

  /** Answers with the chat server if there is one and it succeeds, otherwise with the passages that match best. */
  async ask(
    caller: Caller,
    recordingId: string,
    question: string,
    signal: AbortSignal,
  ): Promise<QuestionAnswer> {
    const { row, access } = await this.access.requireFeature(caller, recordingId, 'transcription', {
      alsoRequires: 'questions',
    });
    const { transcription: status } = access;
    if (status !== 'completed') {
      throw conflict(explainTranscription(status, 'Questions need'));
    }
    const recordings = [{ id: row.id, weight: 1, speakers: null }];
    const found = await this.passages(caller, question, recordings, CHUNKS.one, signal);
    const { title, transcriptLanguage: language, transcriptSpeakers: speakers } = row;
    const facts = { title, language, speakers: speakers ?? [] };
    const { written, failure } = await this.written(question, facts, found.context, signal);
    return explained(written ?? answerOfPassages(found.passages.slice(0, LIMITS.answerPassages)), failure);
  }

  /** The same about all recordings that the caller may ask about, or those that pass the filters. */
  async askAll(caller: Caller, asked: AskedAbout, signal: AbortSignal): Promise<MeetingsQuestionAnswer> {
    const { recordings, withheld } = await this.searches.about(caller, asked, LIMITS.questionRecordings);
    if (recordings.length === 0) return explained(nowhere(withheld));
    ANSWERING.note(recordings.map(({ id }) => id));
    const best = recordings[0]?.score ?? 1;
    const weighed = recordings.map(({ id, speakers, score }) => ({
      id,
      speakers,
      weight: Math.sqrt(score / best),
    }));
    const found = await this.passages(caller, asked.question, weighed, CHUNKS.several, signal);
    const { segments: given, facts } = amongMeetings(found.context);
    const { written, failure } = await this.written(asked.question, facts, given, signal);
    if (written) return explained(meetingsAnswer(written, found.context));
    const shown = found.passages.slice(0, LIMITS.answerPassages);
    if (shown.length === 0) return explained(nowhere(withheld));
    const citations = shown.flatMap(({ recordingId, title, segments }) =>
      segments.map((segment) => ({ recordingId, title, ...segment })),
    );
    return explained({ ...answerOfPassages(shown, { titled: true }), citations }, failure);
  }

  private async passages(
    caller: Caller,
    question: string,
    recordings: readonly AskedRecording[],
    chunks: number,
    signal: AbortSignal,
  ): Promise<FoundPassages> {
    const input = {
      databaseUrl: this.database.url,
      recordings,
      question,
      chunks,
      max: RANKED,
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

  /** `failure`: why nothing was written. */
  private async written(
    question: string,
    facts: MeetingFacts,
    given: readonly Omit<GivenSegment, 'recordingId' | 'title'>[],
    signal: AbortSignal,
  ): Promise<{ readonly written: PlainAnswer | null; readonly failure?: string }> {
    if (!this.answerer || given.length === 0) return { written: null };
    try {
      return { written: await this.answerer.answer(question, given, facts, signal) };
    } catch (error) {
      if (!(error instanceof NoWrittenAnswerError)) throw error;
      // The caller sees the fallback in the `mode` of the reply.
      this.logger.warn({ err: error.cause }, 'the chat server gave no usable answer; replied with passages');
      return { written: null, failure: error.message };
    }
  }
}

/** Says why there is no written answer, or nothing that supports it. */
function explained<Answer extends PlainAnswer>(
  answer: Answer,
  failure = NO_WRITER,
): Answer & { notice: string | null } {
  if (answer.citations.length === 0) return { ...answer, notice: NOT_SAID };
  return { ...answer, notice: answer.mode === 'written' ? null : failure + INSTEAD };
}
