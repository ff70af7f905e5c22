import type { ParserTask } from '../../../platform/work/confined-parser.service.js';
import { readTranscriptFile, type ReadingOptions } from './transcript-reader.js';
import { TranscriptFileError } from './transcript-file.error.js';
import type { ReadTranscript } from './transcript-files.js';

/** `mistake`: why the file cannot be read, as shown to the user. */
export type ParsedTranscript = ReadTranscript | { readonly mistake: string };

/** Parses WebVTT, SRT or JSON; returns a `ParsedTranscript` as JSON. */
export const PARSE_TRANSCRIPT: ParserTask<ReadingOptions> = { module: import.meta.url };

export default function parse(bytes: Uint8Array, options: ReadingOptions): string {
  return JSON.stringify(parsed(bytes, options));
}

function parsed(bytes: Uint8Array, options: ReadingOptions): ParsedTranscript {
  try {
    return readTranscriptFile(bytes, options);
  } catch (error) {
    if (error instanceof TranscriptFileError) return { mistake: error.message };
    throw error;
  }
}
