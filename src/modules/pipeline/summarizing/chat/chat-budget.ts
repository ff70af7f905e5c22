import type { ChatUsage } from '../../../../platform/models/structured-chat.js';

/** UTF-8 bytes per token: 4 in English, 2.5 to 4 in other languages. */
const BYTES_PER_TOKEN = 3;
/** Tokens of an ordinary reply. */
const REPLY = 2_000;
/** Counts the tokens of one summary. */
export class TokenBudget {
  private used = 0;

  /** `most`: null if there is no limit. */
  constructor(private readonly most: number | null) {}

  /** Whether a request with this text and an ordinary reply are within the limit. */
  allows(text: string): boolean {
    return this.most === null || this.used + estimated(text) + REPLY <= this.most;
  }

  spend({ prompt, reply, promptTokens, replyTokens }: ChatUsage): void {
    this.used += (promptTokens || estimated(prompt)) + (replyTokens ?? estimated(reply));
  }
}

function estimated(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
