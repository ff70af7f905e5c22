import { SBV, SRT } from './captions/srt-reader.js';
import type { TextFormat } from './transcript-draft.js';
import { GOOGLE_MEET } from './turns/google-meet-reader.js';
import { TABLE } from './turns/table-reader.js';
import { TURNS } from './turns/turns-reader.js';

/** What a `Content-Type` may call a file. */
export type FileKind = 'vtt' | 'srt' | 'json' | 'text';

/** Whose WebVTT is read although it is unlike that of others. */
export const VTT_SOURCES: readonly string[] = ['Microsoft Graph', 'Webex'];

/** A text that is neither WebVTT nor JSON is read by the one that explains most of it. */
export const TEXT_FORMATS: readonly TextFormat[] = [SRT, SBV, TABLE, GOOGLE_MEET, TURNS];

/** Whose JSON is known to be read; all of it is read alike. */
export const JSON_SOURCES: readonly string[] = [
  'this API, Whisper, WhisperX',
  'whisper.cpp',
  'Hugging Face',
  'Deepgram',
  'AssemblyAI',
  'Amazon Transcribe',
  'Azure Speech',
  'ElevenLabs',
  'Fathom',
  'Fireflies',
  'Google Speech-to-Text',
  'Speechmatics',
  'any list of texts with times',
];

/** What a message or a document lists. */
export const READ_FORMATS = `WebVTT (also of ${VTT_SOURCES.join(', ')}), SRT, JSON (of ${JSON_SOURCES.join(', ')}), ${TABLE.title}, or text, Markdown or Word documents with a time, and maybe a name, before or above what is said (as of Zoom, Microsoft Teams, Google Meet, Otter, Fireflies, Whisper, Premiere)`;
