import { Injectable } from '@nestjs/common';
import { TranscriptDraft } from './transcript-files-draft.js';
import type { ReadTranscript } from './transcript-files.js';
import {
  readJsonValue,
  readTranscriptFile,
  readTranscriptText,
  type ReadingOptions,
} from './transcript-reader.js';

/** Reads transcripts where no request waits, such as those of workspace files; uploads are read in a worker thread. */
@Injectable()
export class TranscriptFilesService {
  /** See `readTranscriptFile`. */
  readFile(bytes: Uint8Array, options: ReadingOptions = {}): Promise<ReadTranscript> {
    return readTranscriptFile(bytes, options);
  }

  /** See `readTranscriptText`. */
  read(bytes: Uint8Array, options: ReadingOptions = {}): ReadTranscript {
    return readTranscriptText(bytes, options);
  }

  /** Reads the value of a JSON file. Throws `TranscriptFileError` with all errors, their paths without a root. */
  readValue(value: unknown): ReadTranscript {
    return readJsonValue(value, new TranscriptDraft('collect'));
  }
}
