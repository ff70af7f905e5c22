import { describe, expect, it } from '@jest/globals';
import {
  JSON_FORMATS,
  READ_FORMATS,
  TEXT_FORMATS,
} from '../../src/modules/transcripts/files/transcript-formats.js';
import { TranscriptFilesService } from '../../src/modules/transcripts/files/transcript-files.service.js';
import {
  ASSEMBLYAI,
  AWS_TRANSCRIBE,
  DEEPGRAM,
  FIREFLIES,
  GOOGLE_MEET,
  OTTER,
  TEAMS_NEWER,
  TEAMS_OLDER,
  WHISPER_CPP,
  WHISPERX,
} from '../support/foreign-transcripts.js';

const files = new TranscriptFilesService();
const lines = (paragraphs: readonly (readonly string[])[]): string => paragraphs.flat().join('\n');
const VTT = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHi  0:03\n';
const SRT =
  '1\n00:00:01,000 --> 00:00:02,000\nAda - 0:03\nAda - 0:04\n00:00:00\nTranscript\nAda   0:03\n0:0:1.0 -> 0:0:2.0\n';
const OWN = { segments: [{ start: 0, end: 1, text: 'Hi', speaker: 'Ada', confidence: 0.5 }] };
const WHISPER = {
  language: 'english',
  segments: [
    {
      start: 0,
      end: 1,
      text: 'Hi',
      avg_logprob: -0.5,
      words: [{ word: 'Hi', start: 0, end: 1, probability: 1 }],
    },
  ],
};

const SAMPLES: readonly (readonly [name: string, format: string, content: string | object])[] = [
  ['WebVTT', 'vtt', VTT],
  ['SRT', 'srt', SRT],
  ['JSON of this API', 'json', OWN],
  ['Whisper', 'json', WHISPER],
  ['Deepgram', 'deepgram', DEEPGRAM],
  ['AssemblyAI', 'assemblyai', ASSEMBLYAI],
  ['Amazon Transcribe', 'aws-transcribe', AWS_TRANSCRIBE],
  ['whisper.cpp', 'whisper-cpp', WHISPER_CPP],
  ['WhisperX', 'json', WHISPERX],
  ['Microsoft Teams, older', 'teams', lines(TEAMS_OLDER)],
  ['Microsoft Teams, newer', 'teams', lines(TEAMS_NEWER)],
  ['Google Meet', 'google-meet', GOOGLE_MEET],
  ['Otter', 'otter', OTTER],
  ['Fireflies', 'fireflies', FIREFLIES],
];

describe('the format of a transcript file of another service', () => {
  it.each(SAMPLES)('is recognized by its content: %s', (_, format, content) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const types = typeof content === 'string' ? [] : ['application/json'];
    for (const contentType of [...types, undefined, 'text/plain', 'application/octet-stream']) {
      expect(files.read(Buffer.from(text), { contentType }).format).toBe(format);
      expect(files.read(Buffer.from(text.replaceAll('\n', '\r\n')), { contentType }).format).toBe(format);
    }
    const other = typeof content === 'string' ? 'application/json' : 'text/vtt';
    expect(() => files.read(Buffer.from(text), { contentType: other })).toThrow(
      'although its Content-Type says so',
    );
  });

  it.each(SAMPLES)('is recognized by one reader at most: %s', (_, format, content) => {
    const names =
      typeof content === 'string'
        ? TEXT_FORMATS.text.filter(({ recognizes }) => recognizes(content)).map(({ name }) => name)
        : JSON_FORMATS.filter(({ recognizes }) => recognizes(content)).map(({ name }) => name);
    if (['vtt', 'srt'].includes(format)) return;
    // Otter and Teams write the same header; the number of spaces tells them apart.
    expect(names.filter((name) => format !== 'teams' || name !== 'otter')).toEqual([format]);
  });

  it('is listed by its name', () => {
    expect(READ_FORMATS).toBe(
      'WebVTT, SRT, JSON (of this API, Whisper, WhisperX, Deepgram, AssemblyAI, Amazon Transcribe, whisper.cpp), text or Word documents of Microsoft Teams, Google Meet, Otter, Fireflies',
    );
  });
});
