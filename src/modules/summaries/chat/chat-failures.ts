import type { ModelAddress } from '../../../platform/models/model-client.js';
import { refusalOf } from '../../../platform/models/model-errors.js';
import { BadReplyError } from '../../../platform/models/structured-chat.js';
import { SummaryRefusedError } from '../summarizer.js';

/** How servers say that a request does not fit: OpenAI, vLLM, llama.cpp and others. */
const NO_ROOM =
  /context.{0,40}(?:length|size|window|limit)|(?:length|size|window|limit).{0,40}context|too (?:long|large)|too many tokens/i;

/** Whether a smaller question may succeed where this one failed. */
export async function isTooLong(error: unknown): Promise<boolean> {
  if (error instanceof BadReplyError) return error.kind === 'cut-off';
  const { APIError } = await import('openai');
  if (!(error instanceof APIError)) return false;
  if (error.status === 413) return true;
  if (error.status !== 400 && error.status !== 422) return false;
  return NO_ROOM.test(
    `${error.code ?? ''} ${error.type ?? ''} ${error.message}`.slice(0, 2_000).replaceAll('_', ' '),
  );
}

/** The error that says so, for what another attempt cannot mend; null for everything else. */
export async function refused(error: unknown, address: ModelAddress): Promise<SummaryRefusedError | null> {
  if (error instanceof BadReplyError) {
    return error.kind === 'refused'
      ? new SummaryRefusedError('The chat server refuses to summarize this meeting.', { cause: error })
      : null;
  }
  const words = await refusalOf(error, address);
  return words === null ? null : new SummaryRefusedError(`The chat server ${words}.`, { cause: error });
}
