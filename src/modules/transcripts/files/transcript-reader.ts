import { readJson } from './json-reader.js';
import { readSrt } from './captions/srt-reader.js';
import { decodeFile, formatOf } from './transcript-files-decoding.js';
import { TranscriptDraft } from './transcript-files-draft.js';
import type { ReadableFormat, ReadTranscript } from './transcript-files.js';
import { readVtt } from './captions/vtt-reader.js';

export interface ReadingOptions {
  /** As in HTTP; if it names no supported format, the content decides. */
  readonly contentType?: string | undefined;
  /** Skips what cannot be read and reports it, instead of refusing the file. */
  readonly lenient?: boolean;
}

const READERS: Readonly<Record<ReadableFormat, (text: string, draft: TranscriptDraft) => ReadTranscript>> = {
  vtt: readVtt,
  srt: readSrt,
  json: readJson,
};

/** Reads WebVTT, SRT or JSON. Throws `TranscriptFileError` with the first error; if lenient, only if nothing could be read. */
export function readTranscriptFile(
  bytes: Uint8Array,
  { contentType, lenient = false }: ReadingOptions = {},
): ReadTranscript {
  const text = decodeFile(bytes, contentType, lenient);
  const draft = new TranscriptDraft(lenient ? 'lenient' : 'strict');
  return READERS[formatOf(text, contentType)](text, draft);
}
