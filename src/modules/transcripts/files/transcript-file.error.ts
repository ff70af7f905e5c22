/** A part of a file that was left out. */
export interface SkippedPart {
  /** `line 12`, or a path in JSON: `segments[3].end`. */
  readonly place: string;
  readonly reason: string;
}

/** A transcript file or value that cannot be read. Clients may read the message. */
export class TranscriptFileError extends Error {
  constructor(
    /** Each with its place; never empty. */
    readonly mistakes: readonly SkippedPart[],
  ) {
    super(mistakes.map(({ place, reason }) => `${place}: ${reason}`)[0]);
    this.name = 'TranscriptFileError';
  }
}
