import { describe, expect, it } from '@jest/globals';
import { PARSE_TRANSCRIPT } from '../../src/modules/transcripts/tasks/parse-transcript.task.js';
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
const TOO_MANY = 'more than 100,000 segments; the file is read no further';
const TOO_LONG = 'must have at most 10,000 characters';

/** What a caller could send to keep the service busy: files of 20 MiB, one for each way to be large. */
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
    'marks of Speechmatics',
    () => filled('{"results":[', '{"type":"punctuation","alternatives":[{"content":"."}]},', '{}]}'),
    `results[0]: ${TOO_LONG}`,
  ],
  [
    'words of Hugging Face',
    () => filled('[', '{"timestamp":[0,null],"text":" x."},', '{}]'),
    `[100000]: ${TOO_MANY}`,
  ],
  ['NaN', () => filled('[', 'NaN,', 'NaN]'), 'line 1, column 15000001: not valid JSON, too many values'],
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
  ['headers of Otter', () => filled('', 'A  0:00\n'), `line 100001: ${TOO_MANY}`],
  [
    'headers that nearly are',
    () => filled('A  0:00\n', `${'A '.repeat(50)}          0:0\n`),
    `line 1: ${TOO_LONG}`,
  ],
  ['turns of Google Meet', () => filled('Transcript\n00:00:00\n', 'A: x\n'), `line 100003: ${TOO_MANY}`],
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
  [
    'text of a document',
    () => docxOf(paragraph('Ada   0:03', 'x'.repeat(60 * 1024 ** 2))),
    `line 1: ${TOO_LONG}`,
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
