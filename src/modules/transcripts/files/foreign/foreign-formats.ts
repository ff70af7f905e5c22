import { ASSEMBLYAI } from './assemblyai-reader.js';
import { AWS_TRANSCRIBE } from './aws-transcribe-reader.js';
import { DEEPGRAM } from './deepgram-reader.js';
import { FIREFLIES } from './fireflies-reader.js';
import type { ForeignFormat } from './foreign-format.js';
import { GOOGLE_MEET } from './google-meet-reader.js';
import { OTTER } from './otter-reader.js';
import { TEAMS } from './teams-reader.js';
import { WHISPER_CPP } from './whisper-cpp-reader.js';
import { WHISPERX } from './whisperx-reader.js';

/** The first that recognizes the value reads it. */
export const JSON_FORMATS: readonly ForeignFormat<unknown>[] = [
  DEEPGRAM,
  ASSEMBLYAI,
  AWS_TRANSCRIBE,
  WHISPER_CPP,
  WHISPERX,
];

/** The first that recognizes the text reads it. */
export const TEXT_FORMATS: readonly ForeignFormat<string>[] = [TEAMS, GOOGLE_MEET, OTTER, FIREFLIES];

/** What a message or a document lists. */
export const READ_FORMATS = `WebVTT, SRT, JSON (of this API, Whisper, ${titlesOf(JSON_FORMATS)}), text or Word documents of ${titlesOf(TEXT_FORMATS)}`;

function titlesOf(formats: readonly { readonly title: string }[]): string {
  return formats.map(({ title }) => title).join(', ');
}
