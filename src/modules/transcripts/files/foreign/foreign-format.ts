import type { TranscriptDraft } from '../transcript-files-draft.js';

/** A transcript format of another service; `Content` is the value of a JSON file or the text of any other. */
export interface ForeignFormat<Content> {
  /** As in `ReadTranscript.format`. */
  readonly name: string;
  /** As shown to users. */
  readonly title: string;
  readonly recognizes: (content: Content) => boolean;
  /** Fills the draft. Returns the BCP 47 code of the language; null if the file has none. */
  readonly read: (content: Content, draft: TranscriptDraft) => string | null;
}
