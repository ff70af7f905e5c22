import type { ParserTask } from '../../../platform/work/confined-parser.service.js';
import {
  readTranscriptFile,
  type ReadingOptions,
} from '../../../lib/transcript-formats/transcript-formats.js';
import {
  TranscriptFileError,
  UnsupportedTranscriptError,
} from '../../../lib/transcript-formats/transcript-file.error.js';
import type { ReadTranscript } from '../../../lib/transcript-formats/transcript.js';

/** `mistake`: why the file cannot be read, as shown to the user; `unsupported`: whether files of its kind never are. */
export type ParsedTranscript = ReadTranscript | { readonly mistake: string; readonly unsupported: boolean };

/** Parses a transcript file; returns a `ParsedTranscript` as JSON. */
export const PARSE_TRANSCRIPT: ParserTask<ReadingOptions> = { module: import.meta.url };

export default async function parse(bytes: Uint8Array, options: ReadingOptions): Promise<string> {
  const parsed = await readTranscriptFile(bytes, options).catch((error: unknown): ParsedTranscript => {
    if (!(error instanceof TranscriptFileError)) throw error;
    return { mistake: error.message, unsupported: error instanceof UnsupportedTranscriptError };
  });
  return JSON.stringify(parsed);
}
