import { Injectable } from '@nestjs/common';
import { readTranscriptValue } from './json-reader.js';
import { TranscriptDraft } from './transcript-files-draft.js';
import type { ReadTranscript } from './transcript-files.js';
import { readTranscriptFile, type ReadingOptions } from './transcript-reader.js';

/** Reads transcripts where nobody else waits, such as those of workspace files; those of requests are read in a thread. */
@Injectable()
export class TranscriptFilesService {
  /** As `readTranscriptFile`. */
  read(bytes: Uint8Array, options: ReadingOptions = {}): ReadTranscript {
    return readTranscriptFile(bytes, options);
  }

  /** Reads what JSON files hold. Throws `TranscriptFileError` with all mistakes, their places without a root. */
  readValue(value: unknown): ReadTranscript {
    return readTranscriptValue(value, new TranscriptDraft('collect'));
  }
}
