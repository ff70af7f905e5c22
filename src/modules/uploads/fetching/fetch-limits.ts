import { Injectable } from '@nestjs/common';

/** How long a fetch may hold its slot while others wait for one, in milliseconds. */
@Injectable()
export class FetchLimits {
  /** Time over which the rate of a source is measured, again and again. */
  readonly paceMs: number = 60_000;
  /** A source below this is slow: a meeting of an hour, some 100 MB, would take more than a quarter of one. */
  readonly slowBytesPerSecond: number = 100_000;
  /** The rate of a source that breaks off is measured over at least this time; sooner, it is not judged. */
  readonly shortestPaceMs: number = 10_000;
  /** After this, a fetch makes room for those that are waiting. */
  readonly sliceMs: number = 2 * 60_000;
  /** The same for a slow one that would have to start over; doubles with each slice. */
  readonly slowSliceMs: number = 10 * 60_000;
  /** How often it doubles: newer fetches wait meanwhile. */
  readonly doublings: number = 4;
  /** How often a fetch checks its pace and its slice of time. */
  readonly checkMs: number = 1_000;
  /** The time from the creation of the recording to the end of the last attempt. */
  readonly longestMs: number = 24 * 60 * 60_000;
}
