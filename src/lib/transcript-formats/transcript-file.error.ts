export interface SkippedPart {
  /** `line 12`, or a path in JSON: `segments[3].end`; empty if it is the whole file. */
  readonly place: string;
  readonly reason: string;
}

/** A transcript file or value that cannot be read. The message is shown to clients. */
export class TranscriptFileError extends Error {
  /** `place` and `reason` are as in `SkippedPart`. */
  constructor(
    readonly place: string,
    readonly reason: string,
  ) {
    super(place === '' ? reason : `${place}: ${reason}`);
    this.name = 'TranscriptFileError';
  }
}

/** A file of a kind that is not read at all, such as a PDF document. */
export class UnsupportedTranscriptError extends TranscriptFileError {
  constructor(reason: string) {
    super('', reason);
  }
}
