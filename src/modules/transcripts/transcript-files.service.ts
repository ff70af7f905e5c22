import { Injectable } from '@nestjs/common';
import { readJson, readTranscriptValue } from './json-reader.js';
import { readSrt } from './srt-reader.js';
import { decodeFile, formatOf } from './transcript-files-decoding.js';
import { TranscriptDraft } from './transcript-files-draft.js';
import { TranscriptFileError, type ReadableFormat, type ReadTranscript } from './transcript-files.js';
import { readVtt } from './vtt-reader.js';

export { TranscriptFileError };
export type { ReadTranscript, SkippedPart } from './transcript-files.js';

export interface ReadingOptions {
  /** As in HTTP; the format is told from the bytes where it names none that is read. */
  readonly contentType?: string | undefined;
  /** Reads what can be read, and notes what cannot. */
  readonly lenient?: boolean;
}

const READERS: Readonly<Record<ReadableFormat, (text: string, draft: TranscriptDraft) => ReadTranscript>> = {
  vtt: readVtt,
  srt: readSrt,
  json: readJson,
};

/** The one reader of transcripts: of requests and of workspace files. */
@Injectable()
export class TranscriptFilesService {
  /** Reads WebVTT, SRT or JSON. Throws `TranscriptFileError` with the first mistake; a lenient reader where nothing could be read. */
  read(bytes: Uint8Array, { contentType, lenient = false }: ReadingOptions = {}): ReadTranscript {
    const text = decodeFile(bytes, contentType, lenient);
    const draft = new TranscriptDraft(lenient ? 'lenient' : 'strict');
    return READERS[formatOf(text, contentType)](text, draft);
  }

  /** Reads what JSON files hold. Throws `TranscriptFileError` with all mistakes, their places without a root. */
  readValue(value: unknown): ReadTranscript {
    return readTranscriptValue(value, new TranscriptDraft('collect'));
  }
}
