import { describe, expect, it } from '@jest/globals';
import { PARSE_TRANSCRIPT } from '../../src/modules/transcripts/files/parse-transcript.task.js';
import { ConfinedParser } from '../../src/platform/work/confined-parser.service.js';
import { docxOf, paragraph, zip } from '../support/docx.js';

const SIZE = 20 * 1024 ** 2;
/** As in the service. */
const LIMITS = { caller: 'ada', seconds: 60 };
const filled = (start: string, unit: string, end = ''): Buffer =>
  Buffer.from(start + unit.repeat(Math.floor((SIZE - start.length - end.length) / unit.length)) + end);
const cues = (count: number, textOf: (index: number) => string): Buffer =>
  Buffer.from(
    `WEBVTT\n\n${Array.from({ length: count }, (_, index) => `00:00.000 --> 00:01.000\n${textOf(index)}\n`).join('\n')}`,
  );

const rolling = (index: number): string => `line ${index}${' x'.repeat(35)}`;
const TOO_MANY = 'more than 100000 segments; the file is read no further';
const TOO_LONG = 'must have at most 10000 characters';

/** What a caller could send to keep the service busy: one file of 20 MiB for each reader. */
const BOMBS: readonly (readonly [name: string, bytes: () => Buffer, outcome: string | number])[] = [
  [
    'words of Deepgram',
    () =>
      filled(
        '{"results":{"channels":[{"alternatives":[{"words":[',
        '{"word":"x","start":0,"end":0},',
        '{}]}]}]}}',
      ),
    'results.channels[0].alternatives[0].words[676498].word: must be text',
  ],
  [
    'paragraphs of Deepgram without words',
    () =>
      filled(
        '{"results":{"channels":[{"alternatives":[{"paragraphs":{"paragraphs":[',
        '{"sentences":[{}]},',
        '{}]}}]}]}}',
      ),
    'line 1, column 14250033: not valid JSON, too many values',
  ],
  [
    'channels of Deepgram',
    () => filled('{"results":{"channels":[', '{},', '{}]}}'),
    'line 1, column 4500021: not valid JSON, too many values',
  ],
  [
    'words of AssemblyAI',
    () => filled('{"audio_url":"","words":[', '{"text":"x.","start":0,"end":0},', '{}]}'),
    `words[100000]: ${TOO_MANY}`,
  ],
  [
    'punctuation of Amazon Transcribe',
    () =>
      filled('{"results":{"items":[', '{"type":"punctuation","alternatives":[{"content":"."}]},', '{}]}}'),
    'results.items[374490].alternatives[0].content: must be text',
  ],
  [
    'segments of Amazon Transcribe',
    () => filled('{"results":{"audio_segments":[', '{"items":[0,0,0,0,0,0,0,0,0,0]},', '{}]}}'),
    'line 1, column 8000024: not valid JSON, too many values',
  ],
  [
    'segments of whisper.cpp',
    () => filled('{"transcription":[', '{"tokens":[{},{}]},', '{}]}'),
    'line 1, column 9500014: not valid JSON, too many values',
  ],
  [
    'words of WhisperX',
    () => filled('{"segments":[{"start":0,"end":1,"text":"Hi","words":[', '{"score":1},', '{}]}]}'),
    'line 1, column 18000017: not valid JSON, too many values',
  ],
  [
    'words of Google',
    () =>
      filled(
        '{"results":[{"alternatives":[{"words":[',
        '{"word":"x","endTime":"0s","speakerTag":1},',
        '{}]}]}]}',
      ),
    'results[0].alternatives[0].words[487708].word: must be text',
  ],
  [
    'results of Google in as many channels',
    () => filled('{"results":[', '{"alternatives":[{"transcript":"x"}],"resultEndTime":"1s"},', '{}]}'),
    `results[100000]: ${TOO_MANY}`,
  ],
  [
    'phrases of Azure',
    () => filled('{"phrases":[', '{"offsetMilliseconds":0,"durationMilliseconds":0,"text":"x"},', '{}]}'),
    `phrases[100000]: ${TOO_MANY}`,
  ],
  [
    'words of ElevenLabs',
    () => filled('{"words":[', '{"text":"x","start":0,"end":0,"type":"word"},', '{"type":"word"}]}'),
    'words[466033].text: must be text',
  ],
  [
    'channels of ElevenLabs',
    () => filled('{"transcripts":[{"words":[{"type":"word","text":"x"}]},', '{"words":[]},', '{}]}'),
    'line 1, column 13000029: not valid JSON, too many values',
  ],
  [
    'marks of Speechmatics',
    () => filled('{"results":[', '{"type":"punctuation","alternatives":[{"content":"."}]},', '{}]}'),
    `results[0]: ${TOO_LONG}`,
  ],
  [
    'sentences of Fireflies',
    () => filled('[', '{"speaker_id":0,"text":"x","start_time":"0:00"},', '{}]'),
    `[100000]: ${TOO_MANY}`,
  ],
  [
    'entries of Fathom',
    () => filled('[', '{"speaker":"A","text":"","timestamp":"0:00"},', '{}]'),
    `[100000]: ${TOO_MANY}`,
  ],
  [
    'words of Hugging Face',
    () => filled('[', '{"timestamp":[0,null],"text":" x."},', '{}]'),
    `[100000]: ${TOO_MANY}`,
  ],
  ['NaN', () => filled('[', 'NaN,', 'NaN]'), 'line 1, column 15000001: not valid JSON, too many values'],
  [
    'strings with NaN',
    () => filled('{"a":NaN,"segments":[{"start":0,"end":1,"text":"x"},', '"NaN",', '0]}'),
    'line 1, column 18000017: not valid JSON, too many values',
  ],
  ['joined files', () => filled('', 'WEBVTT\n\n'), 'contains no segment: there is no cue in it'],
  [
    'joined files with a cue each',
    () => filled('', 'WEBVTT\n\n00:00.000 --> 00:01.000\nx\n\n'),
    `line 500003: ${TOO_MANY}`,
  ],
  [
    'cues of JSON',
    () => filled('WEBVTT\n\n', `00:00.000 --> 00:01.000\n{"spokenText":"x","a":${'['.repeat(9_000)}\n\n`),
    'line 3: the text of this cue is not like that of the others',
  ],
  [
    'identifiers of Webex',
    () => filled('WEBVTT\n\n', '1 "A" (1)\n00:00.000 --> 00:01.000\nx\n\n'),
    `line 400004: ${TOO_MANY}`,
  ],
  ['cues of SBV', () => filled('', '0:00:00.000,0:00:01.000\nx\n\n'), `line 300001: ${TOO_MANY}`],
  ['headers of Zoom', () => filled('', '[A] 00:00:00\n'), `line 100001: ${TOO_MANY}`],
  ['what Whisper prints', () => filled('', '[0.0s -> 1.0s] x\n'), `line 100001: ${TOO_MANY}`],
  ['rows of Whisper', () => filled('start,end,text\n', '0,0,"'), `line 2: ${TOO_LONG}`],
  ['headers of Otter', () => filled('', 'A  0:00\n'), `line 100001: ${TOO_MANY}`],
  [
    'headers that nearly are',
    () => filled('A  0:00\n', `${'A '.repeat(50)}          0:0\n`),
    `line 1: ${TOO_LONG}`,
  ],
  ['spaces', () => filled('A  0:00\n', ' ', '0:00'), 1],
  ['text of one turn', () => filled('A  0:00\n', 'x\n'), `line 1: ${TOO_LONG}`],
  [
    'times of Google Meet',
    () => filled('Transcript\n', '00:00:00\n'),
    'contains no segment: there is no segment in it',
  ],
  ['turns of Google Meet', () => filled('Transcript\n00:00:00\n', 'A: x\n'), `line 100003: ${TOO_MANY}`],
  ['lines of Google Meet', () => filled('Transcript\n00:00:00\nA: x\n', 'x\n'), `line 3: ${TOO_LONG}`],
  ['headers of Fireflies', () => filled('', 'A - 0:00\n'), `line 100001: ${TOO_MANY}`],
  [
    'times of Teams',
    () => filled('0:0:0.0 --> 0:0:1.0\nA\n', '0:0:0.0 --> 0:0:1.0\n'),
    `line 100002: ${TOO_MANY}`,
  ],
  ['captions that roll', () => cues(100_000, (index) => `${rolling(index)}\n${rolling(index + 1)}`), 100_000],
  [
    'marks of another speaker',
    () => filled('WEBVTT\n\n', `00:00.000 --> 00:01.000\n${'>> '.repeat(1_000)}\n\n`),
    6930,
  ],
  ['speakers in a cue', () => cues(50, () => '>> A: x\n'.repeat(49_000)), `line 98009: ${TOO_MANY}`],
  [
    'notes',
    () => filled('WEBVTT\n\n', 'NOTE Confidence: 0.5\n\n'),
    'contains no segment: there is no cue in it',
  ],
  [
    'lines of spaces',
    () => filled('WEBVTT\n\n00:00.000 --> 00:01.000\n', ' \n', 'x'),
    'line 3: the text of this cue is too long',
  ],
  [
    'a document of zeros',
    () => docxOf('\0'.repeat(1024 ** 3 / 4)),
    'word/document.xml: is larger than 67108864 bytes',
  ],
  [
    'a document that is larger than it says',
    () => zip([{ name: 'word/document.xml', content: Buffer.alloc(1024 ** 3), claimedSize: 1024 }]),
    'word/document.xml: cannot be unzipped, or is not text in utf-8',
  ],
  [
    'nested elements',
    () => docxOf('<w:p>'.repeat(10_000_000)),
    'word/document.xml: has more than 200 levels of nesting',
  ],
  ['elements', () => docxOf('<w:p/>'.repeat(9_000_000)), 'contains no segment: it is blank'],
  ['one tag', () => docxOf(`<w:p ${'a="" '.repeat(10_000_000)}/>`), 'contains no segment: it is blank'],
  [
    'text of a document',
    () => docxOf(paragraph('Ada   0:03', 'x'.repeat(60 * 1024 ** 2))),
    `line 1: ${TOO_LONG}`,
  ],
  [
    'headers of a document',
    () => docxOf(paragraph('Ada   0:03').repeat(800_000)),
    `line 100001: ${TOO_MANY}`,
  ],
  [
    'archived files',
    () => zip(Array.from({ length: 65_000 }, (_, index) => ({ name: `${index}`, content: '' }))),
    'a ZIP archive of more than 1000 files is not read',
  ],
];

describe('a file of 20 MiB made to keep the service busy', () => {
  it.each(BOMBS)(
    'is read or refused within the limits: %s',
    async (_, bytes, outcome) => {
      const options = { contentType: 'application/octet-stream', lenient: false };
      const parsed = JSON.parse(
        new TextDecoder().decode(await new ConfinedParser().run(PARSE_TRANSCRIPT, bytes(), options, LIMITS)),
      ) as { mistake?: string; segments?: unknown[] };
      expect(parsed.mistake ?? parsed.segments?.length).toEqual(outcome);
    },
    180_000,
  );
});
