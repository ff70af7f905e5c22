import { BadReplyError, type ChatUsage } from '../../../../platform/models/structured-chat.js';
import { type ModelServer, refusalOf } from '../../../../platform/models/model-client.js';
import { RefusedError } from '../../public/steps.js';

/** UTF-8 bytes per token: 4 in English, 2.5 to 4 in other languages. */
const BYTES_PER_TOKEN = 3;
const REPLY = 2_000;
/** Most characters per token of Chinese and Japanese text; 1.3 to 1.6 are usual. */
const DENSE_CHARACTERS = 2.5;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** Lower counts may leave out what the server has cached. */
const MIN_CONTEXT = 1_000;

export class TokenBudget {
  private used = 0;

  /** `most`: null if there is no limit. */
  constructor(private readonly most: number | null) {}

  /** Whether a request with this text and an ordinary reply are within the limit. */
  allows(text: string): boolean {
    return this.most === null || this.used + estimated(text) + REPLY <= this.most;
  }

  /** Counts a request. Throws `PromptTruncatedError` if the server has read only a part of it. */
  spend({ prompt, reply, promptTokens, replyTokens }: ChatUsage): void {
    this.used += (promptTokens || estimated(prompt)) + (replyTokens ?? estimated(reply));
    if (promptTokens === null || promptTokens < MIN_CONTEXT) return;
    // Servers such as Ollama drop half of a long prompt and say nothing, other than in this number.
    if (promptTokens < fewestTokens(prompt)) throw new PromptTruncatedError(promptTokens);
  }
}

/** No token contains a space between words: a transcript has 1.2 to 1.8 per word. */
const fewestTokens = (text: string): number =>
  text.split(/\s+/).length + (text.match(DENSE)?.length ?? 0) / DENSE_CHARACTERS;

const estimated = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

/** How servers report that a request exceeds the context: OpenAI, vLLM, llama.cpp and others. */
const NO_ROOM =
  /context.{0,40}(?:length|size|window|limit)|(?:length|size|window|limit).{0,40}context|too (?:long|large)|too many tokens/i;

/** The server has read only the first tokens of a request, or the last ones. */
export class PromptTruncatedError extends Error {
  constructor(readonly tokens: number) {
    super(`the chat server has read only ${tokens} tokens of a longer request`);
    this.name = 'PromptTruncatedError';
  }
}

/** If a request with fewer characters of transcript does not fit either, the server cannot be used. */
const SMALLEST_PART = 4_000;
/** Characters of transcript per token that a server reads, which leaves room for instructions and the reply. */
const CHARACTERS_PER_TOKEN = 3;

/** Characters for a request that may succeed where one with `size` failed; null if none may. */
export async function shorter(size: number, error: unknown): Promise<number | null> {
  if (!(await isTooLong(error))) return null;
  const read = error instanceof PromptTruncatedError ? error.tokens * CHARACTERS_PER_TOKEN : Infinity;
  const next = Math.min(size / 2, read);
  return next < SMALLEST_PART ? null : next;
}

async function isTooLong(error: unknown): Promise<boolean> {
  if (error instanceof PromptTruncatedError) return true;
  if (error instanceof BadReplyError) return error.kind === 'cut-off';
  const { APIError } = await import('openai');
  if (!(error instanceof APIError)) return false;
  if (error.status === 413) return true;
  if (error.status !== 400 && error.status !== 422) return false;
  return NO_ROOM.test(
    `${error.code ?? ''} ${error.type ?? ''} ${error.message}`.slice(0, 2_000).replaceAll('_', ' '),
  );
}

/** The error to report if a retry cannot succeed; null otherwise. */
export async function refused(error: unknown, address: ModelServer): Promise<RefusedError | null> {
  if (error instanceof BadReplyError)
    return error.kind === 'refused'
      ? new RefusedError('The chat server refuses to summarize this meeting.', { cause: error })
      : null;
  if (error instanceof PromptTruncatedError)
    return new RefusedError(
      `The chat server reads only ${error.tokens} tokens of a request. Its context length must be increased.`,
      { cause: error },
    );
  const words = await refusalOf(error, address);
  return words === null ? null : new RefusedError(`The chat server ${words}.`, { cause: error });
}
