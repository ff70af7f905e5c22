import { languageOfSegments } from '../../../platform/language/detect-language.js';
import { handOver, type ThreadTask } from '../../../platform/work/thread-task.js';
import { toStored, type StoredTranscript } from '../stored-transcript.js';
import { readTranscriptFile } from './transcript-reader.js';
import { TranscriptFileError, type SkippedPart } from './transcript-file.error.js';

export interface FileToRead {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string | undefined;
  /** Of the transcript; null: the one that the file names, or else the one detected in its text. */
  readonly language: string | null;
  readonly lenient: boolean;
}

export interface ReadFile {
  readonly transcript: StoredTranscript;
  readonly skipped: readonly SkippedPart[];
  readonly skippedCount: number;
}

/** `mistake`: why the file cannot be read, in words for the user who sent it. */
export const READ_TRANSCRIPT: ThreadTask<FileToRead, ReadFile | { readonly mistake: string }> = {
  module: import.meta.url,
};

/** Reads a transcript file and puts it into the form in which it is stored. */
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
