import type { OpenAI } from 'openai';
import { modelClient, type ModelServer } from '../../../platform/models/model-client.js';
import { replyText } from '../../../platform/models/reply-text.js';
import { askChat } from '../../../platform/models/structured-chat.js';
import { ANSWER_INSTRUCTIONS, ANSWER_REPLY, answerContent, type MeetingFacts } from './chat-answer-prompt.js';
import { checkCitations } from './citations.js';
import type { PlainAnswer } from '../public/answer.response.dto.js';
import type { SpokenSegment } from '../../../lib/transcript-formats/transcript.js';

/** Time for the whole question, because a caller is waiting. */
const LIMIT_MS = 60_000;
const REPLY_BYTES = 1024 * 1024;
const MAX_ANSWER = 4_000;
/** An answer without citations only says that the meeting does not answer the question. */
const MAX_UNANSWERED = 500;
const NO_CITATION =
  'none of its citations stands in the transcript; each needs the number of a segment that was given, and words exactly as they stand there';

/** The chat server gave no usable answer in time; see `cause`. */
export class NoWrittenAnswerError extends Error {
  constructor(cause: unknown) {
    super('The chat server gave no usable answer.', { cause });
    this.name = 'NoWrittenAnswerError';
  }
}

/** Answers questions with a chat server, from the segments it is given. */
export class ChatAnswerer {
  private client: Promise<OpenAI> | null = null;

  constructor(
    private readonly address: ModelServer,
    private readonly milliseconds = LIMIT_MS,
  ) {}

  /**
   * Returns an answer whose citations occur in `given`, or one without citations saying that the meeting does not
   * answer the question. Throws `NoWrittenAnswerError` if the server gives neither.
   */
  async answer(
    question: string,
    given: readonly SpokenSegment[],
    facts: MeetingFacts,
    signal: AbortSignal,
  ): Promise<PlainAnswer> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(this.milliseconds)]);
    try {
      this.client ??= modelClient(this.address, { bytes: REPLY_BYTES });
      const { answered, answer, citations } = await askChat(
        await this.client,
        this.address.model,
        {
          name: 'answer',
          schema: ANSWER_REPLY,
          instructions: ANSWER_INSTRUCTIONS,
          content: answerContent(question, given, facts),
          mistake: (reply) => {
            if (!replyText(reply.answer, MAX_ANSWER)) return 'the answer is empty';
            return !reply.answered || checkCitations(reply.citations, given).length > 0 ? null : NO_CITATION;
          },
        },
        limited,
      );
      return {
        mode: 'written',
        answer: replyText(answer, answered ? MAX_ANSWER : MAX_UNANSWERED),
        citations: answered ? checkCitations(citations, given) : [],
      };
    } catch (error) {
      signal.throwIfAborted();
      throw new NoWrittenAnswerError(limited.aborted ? limited.reason : error);
    }
  }
}
