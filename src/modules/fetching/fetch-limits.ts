import { Injectable } from '@nestjs/common';

/** How long a fetch may hold its slot while others wait for one, in milliseconds. */
@Injectable()
export class FetchLimits {
  /** After this, a fetch makes room for those that are waiting. */
  readonly turnMs: number = 2 * 60_000;
  /** The same for one that has to start over each time; doubles with each turn. */
  readonly longTurnMs: number = 10 * 60_000;
  /** How often it doubles: newer fetches wait meanwhile. */
  readonly doublings: number = 4;
  /** How often a fetch checks its turn. */
  readonly checkMs: number = 1_000;
  /** From the creation of the recording to the end of the last attempt. */
  readonly longestMs: number = 24 * 60 * 60_000;
}
