import { languageOfSegments } from '../../../platform/language/detect-language.js';
import { handOver, type ThreadTask } from '../../../platform/work/thread-task.js';
import { toStored, type StoredTranscript } from '../stored-transcript.js';
import { readTranscriptFile } from './transcript-reader.js';
import { TranscriptFileError, type SkippedPart } from './transcript-file.error.js';

export interface FileToRead {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string | undefined;
  /** Language of the transcript; null to use the one in the file or else detect it. */
  readonly language: string | null;
  readonly lenient: boolean;
}

export interface ReadFile {
  readonly transcript: StoredTranscript;
  readonly skipped: readonly SkippedPart[];
  readonly skippedCount: number;
}

/** `mistake`: why the file cannot be read, as shown to the user. */
export const READ_TRANSCRIPT: ThreadTask<FileToRead, ReadFile | { readonly mistake: string }> = {
  module: import.meta.url,
};

/** Reads a transcript file and converts it to its stored form. */
export default async function read(file: FileToRead): Promise<ReadFile | { readonly mistake: string }> {
  try {
    const { segments, skipped, skippedCount, ...found } = readTranscriptFile(file.bytes, file);
    const language = file.language ?? found.language ?? (await languageOfSegments(segments));
    const transcript = toStored({ language, segments });
    const arrays = transcript.batches.map(({ json }) => json);
    return handOver({ transcript, skipped, skippedCount }, arrays);
  } catch (error) {
    if (error instanceof TranscriptFileError) return { mistake: error.message };
    throw error;
  }
}
