import { Injectable } from '@nestjs/common';
import { TranscriptDraft } from './transcript-files-draft.js';
import type { ReadTranscript } from './transcript-files.js';
import { readJsonValue, readTranscriptFile } from './transcript-reader.js';

/** Reads the transcripts of workspace files, where no request waits; uploads are read in a worker thread. */
@Injectable()
export class TranscriptFilesService {
  /** See `readTranscriptFile`. */
  readFile(bytes: Uint8Array): Promise<ReadTranscript> {
    return readTranscriptFile(bytes);
  }

  /** Reads the value of a JSON file. Throws `TranscriptFileError` with all errors, their paths without a root. */
  readValue(value: unknown): ReadTranscript {
    return readJsonValue(value, new TranscriptDraft('collect'));
  }
}
