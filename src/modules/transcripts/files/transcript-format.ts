import type { TranscriptDraft } from './transcript-files-draft.js';

/** A format of transcripts; `Content` is the value of a JSON file or the text of any other. */
export interface TranscriptFormat<Content> {
  /** As in `ReadTranscript.format`. */
  readonly name: string;
  /** As shown to users. */
  readonly title: string;
  /** A row of the table in `docs/transcripts.md`. */
  readonly description: FormatDescription;
  readonly recognizes: (content: Content) => boolean;
  /** Fills the draft. Returns the BCP 47 code of the language; null if the file has none. */
  readonly read: (content: Content, draft: TranscriptDraft) => string | null;
}

export interface FormatDescription {
  readonly recognizedBy: string;
  readonly speaker: string;
  readonly times: string;
  /** By default, the format has none. */
  readonly confidence?: string;
}
