import { SBV } from './captions/sbv-reader.js';
import { SRT } from './captions/srt-reader.js';
import { WEBVTT } from './captions/vtt-reader.js';
import { ASSEMBLYAI } from './foreign/assemblyai-reader.js';
import { AWS_TRANSCRIBE } from './foreign/aws-transcribe-reader.js';
import { AZURE } from './foreign/azure-reader.js';
import { DEEPGRAM } from './foreign/deepgram-reader.js';
import { ELEVENLABS } from './foreign/elevenlabs-reader.js';
import { FATHOM } from './foreign/fathom-reader.js';
import { FIREFLIES_API } from './foreign/fireflies-api-reader.js';
import { FIREFLIES } from './foreign/fireflies-reader.js';
import { GOOGLE_MEET } from './foreign/google-meet-reader.js';
import { GOOGLE_SPEECH } from './foreign/google-speech-reader.js';
import { OTTER } from './foreign/otter-reader.js';
import { SPEECHMATICS } from './foreign/speechmatics-reader.js';
import { TEAMS_METADATA } from './foreign/teams-metadata-reader.js';
import { TEAMS } from './foreign/teams-reader.js';
import { WEBEX } from './foreign/webex-reader.js';
import { WHISPER_CHUNKS } from './foreign/whisper-chunks-reader.js';
import { WHISPER_CPP } from './foreign/whisper-cpp-reader.js';
import { WHISPER_OUTPUT, WHISPER_TABLE } from './foreign/whisper-text-reader.js';
import { ZOOM } from './foreign/zoom-reader.js';
import { OWN_JSON } from './own-json-reader.js';
import type { ReadableFormat } from './transcript-draft.js';

/** What a `Content-Type` may call a file. */
export type FileKind = 'vtt' | 'srt' | 'json' | 'text';

/** The first that recognizes the value of a JSON file reads it. */
export const JSON_FORMATS: readonly ReadableFormat<unknown>[] = [
  OWN_JSON,
  WHISPER_CPP,
  WHISPER_CHUNKS,
  DEEPGRAM,
  ASSEMBLYAI,
  AWS_TRANSCRIBE,
  AZURE,
  ELEVENLABS,
  FATHOM,
  FIREFLIES_API,
  GOOGLE_SPEECH,
  SPEECHMATICS,
];

/**
 * The first that recognizes any other text reads it. Captions come first: what looks like another format within them is
 * what somebody said.
 */
export const TEXT_FORMATS: Readonly<Record<Exclude<FileKind, 'json'>, readonly ReadableFormat<string>[]>> = {
  vtt: [TEAMS_METADATA, WEBEX, WEBVTT],
  srt: [SRT],
  text: [SBV, WHISPER_OUTPUT, WHISPER_TABLE, ZOOM, TEAMS, GOOGLE_MEET, OTTER, FIREFLIES],
};

/** What a message or a document lists. */
export const READ_FORMATS = `WebVTT (also of ${titlesOf(TEXT_FORMATS.vtt.slice(0, -1))}), SRT, JSON (of ${titlesOf(JSON_FORMATS)}), text or Word documents of ${titlesOf(TEXT_FORMATS.text)}`;

function titlesOf(formats: readonly { readonly title: string }[]): string {
  return [...new Set(formats.map(({ title }) => title))].join(', ');
}
