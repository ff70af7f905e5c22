import { describe, expect, it } from '@jest/globals';
import { LIMITS } from '../../../src/contract/limits.js';
import { FILE_LIMITS } from '../../../src/lib/transcript-formats/transcript.js';
import {
  JSON_SOURCES,
  READ_FORMATS,
  TEXT_FORMATS,
  VTT_SOURCES,
} from '../../../src/lib/transcript-formats/read-formats.js';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';
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
} from '../../support/foreign-transcripts.js';

import {
  JOINED,
  SBV,
  TEAMS_METADATA,
  WEBEX,
  WHISPER_OUTPUT,
  WHISPER_TSV,
  ZOOM,
} from '../../support/meeting-captions.js';
import * as services from '../../support/speech-services.js';

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
  ['Deepgram', 'json', DEEPGRAM],
  ['AssemblyAI', 'json', ASSEMBLYAI],
  ['Amazon Transcribe', 'json', AWS_TRANSCRIBE],
  ['whisper.cpp', 'json', WHISPER_CPP],
  ['WhisperX', 'json', WHISPERX],
  ['Microsoft Teams, older', 'turns', lines(TEAMS_OLDER)],
  ['Microsoft Teams, newer', 'turns', lines(TEAMS_NEWER)],
  ['Google Meet', 'google-meet', GOOGLE_MEET],
  ['Otter', 'turns', OTTER],
  ['Fireflies', 'turns', FIREFLIES],
  ['joined WebVTT', 'vtt', JOINED],
  ['Microsoft Graph', 'vtt', TEAMS_METADATA],
  ['Webex', 'vtt', WEBEX],
  ['SBV', 'sbv', SBV],
  ['what Whisper prints', 'turns', WHISPER_OUTPUT],
  ['TSV of Whisper', 'table', WHISPER_TSV],
  ['Zoom', 'turns', ZOOM],
  ['Hugging Face', 'json', services.WHISPER_CHUNKS],
  ['the API of Fireflies', 'json', services.FIREFLIES_API],
  ['Fathom', 'json', services.FATHOM],
  ['Speechmatics', 'json', services.SPEECHMATICS],
  ['Google Speech-to-Text', 'json', services.GOOGLE_SPEECH],
  ['Azure Speech', 'json', services.AZURE],
  ['ElevenLabs', 'json', services.ELEVENLABS],
];

describe('the format of a transcript file of another service', () => {
  it.each(SAMPLES)('is recognized by its content: %s', (_, format, content) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    const isVtt = text.startsWith('WEBVTT');
    const types = typeof content === 'string' ? [] : ['application/json'];
    for (const contentType of [...types, undefined, 'text/plain', 'text/csv', 'application/octet-stream']) {
      for (const written of [text, text.replaceAll('\n', '\r\n')]) {
        expect(readTranscriptText(Buffer.from(written), { contentType }).format).toBe(format);
        expect(readTranscriptText(Buffer.from(`\uFEFF${written}`), { contentType }).format).toBe(format);
        expect(readTranscriptText(Buffer.from(`\uFEFF${written}`, 'utf16le'), { contentType }).format).toBe(
          format,
        );
      }
    }
    const other = typeof content === 'string' ? 'application/json' : 'text/vtt';
    expect(() => readTranscriptText(Buffer.from(text), { contentType: other })).toThrow(
      'although its Content-Type says so',
    );
    if (isVtt) expect(readTranscriptText(Buffer.from(text), { contentType: 'text/vtt' }).format).toBe(format);
  });

  it('has a sample for each', () => {
    const all = ['vtt', ...TEXT_FORMATS.map(({ name }) => name), 'json'];
    expect(new Set(SAMPLES.map(([, format]) => format))).toEqual(new Set(all));
    const sources = [...VTT_SOURCES, ...JSON_SOURCES.slice(1, -1)];
    expect(sources.filter((source) => !SAMPLES.some(([title]) => title.includes(source)))).toEqual([]);
  });

  it('is listed by its name', () => {
    expect(READ_FORMATS).toBe(
      'WebVTT (also of Microsoft Graph, Webex), SRT, JSON (of this API, Whisper, WhisperX, whisper.cpp, Hugging Face, Deepgram, AssemblyAI, Amazon Transcribe, Azure Speech, ElevenLabs, Fathom, Fireflies, Google Speech-to-Text, Speechmatics, any list of texts with times), tables (CSV, TSV) with columns such as start, end, speaker and text, or text, Markdown or Word documents with a time, and maybe a name, before or above what is said (as of Zoom, Microsoft Teams, Google Meet, Otter, Fireflies, Whisper, Premiere)',
    );
  });
});

describe('the limits of files', () => {
  it('are those of the API for a transcript', () => {
    expect(FILE_LIMITS).toMatchObject({
      text: LIMITS.segmentText.max,
      speaker: LIMITS.speaker.max,
      speakers: LIMITS.speakers,
    });
  });
});
