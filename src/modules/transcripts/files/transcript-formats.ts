import { SRT } from './captions/srt-reader.js';
import { WEBVTT } from './captions/vtt-reader.js';
import { ASSEMBLYAI } from './foreign/assemblyai-reader.js';
import { AWS_TRANSCRIBE } from './foreign/aws-transcribe-reader.js';
import { DEEPGRAM } from './foreign/deepgram-reader.js';
import { FIREFLIES } from './foreign/fireflies-reader.js';
import { GOOGLE_MEET } from './foreign/google-meet-reader.js';
import { OTTER } from './foreign/otter-reader.js';
import { TEAMS } from './foreign/teams-reader.js';
import { WHISPER_CPP } from './foreign/whisper-cpp-reader.js';
import { OWN_JSON } from './json-reader.js';
import type { TranscriptFormat } from './transcript-format.js';

/** What a `Content-Type` may call a file. */
export type FileKind = 'vtt' | 'srt' | 'json' | 'text';

/** The first that recognizes the value of a JSON file reads it. */
export const JSON_FORMATS: readonly TranscriptFormat<unknown>[] = [
  OWN_JSON,
  DEEPGRAM,
  ASSEMBLYAI,
  AWS_TRANSCRIBE,
  WHISPER_CPP,
];

/**
 * The first that recognizes any other text reads it. Captions come first: what looks like another format within them is what
 * somebody said.
 */
export const TEXT_FORMATS: Readonly<Record<Exclude<FileKind, 'json'>, readonly TranscriptFormat<string>[]>> =
  {
    vtt: [WEBVTT],
    srt: [SRT],
    text: [TEAMS, GOOGLE_MEET, OTTER, FIREFLIES],
  };

/** What a message or a document lists. */
export const READ_FORMATS = `WebVTT, SRT, JSON (of ${titlesOf(JSON_FORMATS)}), text or Word documents of ${titlesOf(TEXT_FORMATS.text)}`;

function titlesOf(formats: readonly { readonly title: string }[]): string {
  return formats.map(({ title }) => title).join(', ');
}
