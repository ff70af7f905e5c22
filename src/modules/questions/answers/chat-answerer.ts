import { quotedSegments } from '../../../lib/language/quoted-segments.js';
import type { Citation, PlainAnswer } from '../public/answer.response.dto.js';
import type { SpokenSegment } from '../../../lib/transcript-formats/transcript.js';
import type { OpenAI } from 'openai';
import { Deadline } from '../../../lib/deadline.js';
import { modelClient, type ModelServer } from '../../../platform/models/model-client.js';
import { replyText } from '../../../platform/models/model-text.js';
import { askChat } from '../../../platform/models/structured-chat.js';
import { ANSWER_INSTRUCTIONS, ANSWER_REPLY, answerContent, type MeetingFacts } from './chat-answer-prompt.js';

const MAX_CLAIMS = 20;
const MAX_CITATIONS = 12;

/**
 * Keeps the citations that are true: the quote must begin in the given segment they name. A quote that continues into
 * the next segments of the same speaker becomes one citation per segment. Quotes are returned as the transcript has
 * them.
 */
export function checkCitations(
  claims: readonly { readonly segment_id: number; readonly quote: string }[],
  given: readonly SpokenSegment[],
): Citation[] {
  const places = new Map(given.map(({ id }, place) => [id, place]));
  const held = new Map<string, Citation>();
  for (const { segment_id: id, quote } of claims.slice(0, MAX_CLAIMS)) {
    const place = places.get(id);
    if (place === undefined) continue;
    for (const { segment, words } of quotedSegments(quote, given, place)) {
      const { start, end, speaker } = segment;
      held.set(`${segment.id} ${words}`, { id: segment.id, start, end, speaker, quote: words });
    }
  }
  return [...held.values()].slice(0, MAX_CITATIONS);
}

const REPLY_BYTES = 1024 * 1024;
const MAX_ANSWER = 4_000;
/** An answer without citations only says that the meeting does not answer the question. */
const MAX_UNANSWERED = 500;
const NO_CITATION =
  'none of its citations stands in the transcript; each needs the number of a segment that was given, and words exactly as they stand there';

/** The chat server gave no usable answer, for which the message has the reason in general; see `cause`. */
export class NoWrittenAnswerError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'NoWrittenAnswerError';
  }
}

/** Answers questions with a chat server, from the segments it is given. */
export class ChatAnswerer {
  private client: Promise<OpenAI> | null = null;

  /** `seconds`: for the whole of a question, whatever the server sends meanwhile, because a caller is waiting. */
  constructor(
    private readonly address: ModelServer,
    private readonly seconds: number,
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
    using limit = new Deadline(this.seconds * 1000, signal);
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
        limit.signal,
      );
      return {
        mode: 'written',
        answer: replyText(answer, answered ? MAX_ANSWER : MAX_UNANSWERED),
        citations: answered ? checkCitations(citations, given) : [],
      };
    } catch (error) {
      signal.throwIfAborted();
      throw limit.isOver
        ? new NoWrittenAnswerError(
            `The chat server did not answer within ${this.seconds} s`,
            limit.signal.reason,
          )
        : new NoWrittenAnswerError('The chat server gave no usable answer', error);
    }
  }
}
