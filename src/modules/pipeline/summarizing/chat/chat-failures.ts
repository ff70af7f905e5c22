import type { ModelServer } from '../../../../platform/models/model-client.js';
import { refusalOf } from '../../../../platform/models/model-errors.js';
import { BadReplyError } from '../../../../platform/models/structured-chat.js';
import { RefusedError } from '../../public/attempt.js';

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
  if (error instanceof BadReplyError) {
    return error.kind === 'refused'
      ? new RefusedError('The chat server refuses to summarize this meeting.', { cause: error })
      : null;
  }
  if (error instanceof PromptTruncatedError) {
    return new RefusedError(
      `The chat server reads only ${error.tokens} tokens of a request. Its context length must be increased.`,
      { cause: error },
    );
  }
  const words = await refusalOf(error, address);
  return words === null ? null : new RefusedError(`The chat server ${words}.`, { cause: error });
}
