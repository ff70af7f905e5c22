import type { Caller } from '../../policy/caller.js';

/** A file that a client sends in one request. */
export interface WholeFile {
  readonly content: AsyncIterable<Uint8Array>;
  /** The request's claim, from `UploadsService.claim`. */
  readonly claim: number;
  /** Bytes, if known. */
  readonly length?: number;
  /** The fewest bytes that it can have; by default, `length`. */
  readonly minLength?: number;
  /** The user who sends it. */
  readonly sender?: Caller;
  /** Whether it is known that the rest will not arrive. */
  readonly isGone?: () => boolean;
}
