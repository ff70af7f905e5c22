import type { ChatUsage } from '../../../../platform/models/structured-chat.js';
import { PromptTruncatedError } from './chat-failures.js';

/** UTF-8 bytes per token: 4 in English, 2.5 to 4 in other languages. */
const BYTES_PER_TOKEN = 3;
/** Tokens of an ordinary reply. */
const REPLY = 2_000;
/** Most characters per token of Chinese and Japanese text; 1.3 to 1.6 are usual. */
const DENSE_CHARACTERS = 2.5;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** Lower counts may leave out what the server has cached. */
const MIN_CONTEXT = 1_000;

/** Counts the tokens of one summary. */
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
function fewestTokens(text: string): number {
  return text.split(/\s+/).length + (text.match(DENSE)?.length ?? 0) / DENSE_CHARACTERS;
}

function estimated(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
