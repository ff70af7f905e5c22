import { describe, expect, it } from '@jest/globals';
import { readJsonValue, readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';

const readText = (text: string) => readTranscriptText(Buffer.from(text), { contentType: 'application/json' });
const read = (value: unknown) => readText(JSON.stringify(value));
const one = { start: 0, end: 1, text: 'Hi' };

describe('JSON files', () => {
  it('contain segments as returned by the API, with or without an envelope', () => {
    const segments = [
      { id: 7, start: 1.25, end: 2, text: 'Hi', speaker: 'Ada', confidence: 0.5 },
      { id: 8, start: 0, end: 9, text: 'a\n\n\nb ', speaker: ' Ada  Byron ', mood: 'good' },
    ];
    const expected = [
      { start: 0, end: 9, text: 'a\nb', speaker: 'Ada Byron', confidence: 1 },
      { start: 1.25, end: 2, text: 'Hi', speaker: 'Ada', confidence: 0.5 },
    ];
    const data = {
      status: 'completed',
      revision: 3,
      language: 'de',
      segments,
      pagination: { total_chunks: 1 },
    };
    expect(read({ data })).toEqual({
      format: 'json',
      language: 'de',
      segments: expected,
      skipped: [],
      skippedCount: 0,
    });
    expect(read({ language: 'pt-BR', segments })).toMatchObject({ language: 'pt-BR', segments: expected });
    expect(read(segments)).toMatchObject({ language: null, segments: expected });
  });

  it('have times in seconds, however little is said', () => {
    const segments = [
      { start: 0, end: 3600, text: 'Hi' },
      { start: 3600, end: 7200, text: 'Bye' },
    ];
    for (const file of [{ segments }, { data: { segments } }, { duration: 7.2, segments }]) {
      expect(read(file).segments.map(({ start, end }) => [start, end])).toEqual([
        [0, 3600],
        [3600, 7200],
      ]);
    }
  });

  it('may be Whisper output', () => {
    const whisper = {
      task: 'transcribe',
      language: 'english',
      duration: 2.5,
      text: ' Hello there.',
      segments: [
        {
          id: 0,
          seek: 0,
          start: 0.0,
          end: 1.5,
          text: ' Hello',
          tokens: [50364, 2425],
          temperature: 0,
          avg_logprob: -0.5,
          compression_ratio: 0.9,
          no_speech_prob: 0.01,
          words: [{ word: ' Hello', start: 0, end: 1.5, probability: 0.8 }],
        },
        { id: 1, start: 1.5, end: 2.5, text: ' there.', avg_logprob: 0.2, speaker: 'SPEAKER_01' },
        { id: 2, start: 2.5, end: 2.5, text: ' ' },
      ],
    };
    expect(read(whisper)).toMatchObject({
      language: 'en',
      segments: [
        { start: 0, end: 1.5, text: 'Hello', speaker: '', confidence: expect.closeTo(0.6065, 4) },
        { start: 1.5, end: 2.5, text: 'there.', speaker: 'SPEAKER_01', confidence: 1 },
      ],
    });
  });

  it.each([
    ['English', 'en'],
    ['cantonese', 'yue'],
    ['pt_br', 'pt-BR'],
    ['auto', null],
    ['', null],
  ])('may state the language %j, read as %s', (language, code) => {
    expect(read({ language, segments: [one] }).language).toBe(code);
  });

  it.each([
    [
      { segments: [one, one, one, { ...one, end: -1 }] },
      'segments[3].end: must be a time, at least 0 and below 1,000,000 seconds',
    ],
    [{ segments: [one, { ...one, start: 2 }] }, 'segments[1].end: must not be before start'],
    [{ segments: [{ ...one, end: 1_000_000 }] }, 'segments[0].end: must be a time'],
    [{ segments: [{ ...one, text: 'a\0b' }] }, 'segments[0].text: must not contain NUL'],
    [
      { segments: [{ ...one, text: 'x'.repeat(10_001) }] },
      'segments[0].text: must have at most 10,000 characters',
    ],
    [{ segments: [{ ...one, speaker: {} }] }, 'segments[0].speaker: must be text or a number'],
    [{ segments: [{ ...one, confidence: 2 }] }, 'segments[0].confidence: must be a number from 0 to 1'],
    [{ segments: [one, null] }, 'segments[1]: must be an object'],
    [{ data: { language: 'klingon', segments: [] } }, 'data.language: must be a language code'],
  ])('are rejected, naming the path: %j', (value, message) => {
    expect(() => read(value)).toThrow(message);
  });

  it.each([
    ['{"segments":\n [{"start":1,\n  "end" 2}]}', 'line 3, column 9: not valid JSON, colon expected'],
    ['{"segments":[{"start":1', 'line 1, column 24: not valid JSON, unexpected end of file'],
    ['{"segments":[1 2]}', 'line 1, column 16: not valid JSON, comma or ] expected'],
    ['[1,]', 'line 1, column 4: not valid JSON, value expected'],
    ['["a\nb"]', 'line 1, column 2: not valid JSON, unexpected end of string'],
    ['["\\x"]', 'line 1, column 2: not valid JSON, invalid escape character'],
    ['[tru]', 'line 1, column 2: not valid JSON, invalid symbol'],
    ['{"a":1} // b', 'line 1, column 9: not valid JSON, unexpected text after the end'],
    [`${'['.repeat(33)}`, 'line 1, column 33: not valid JSON, more than 32 levels of nesting'],
  ])('are rejected, naming line and column: %j', (text, message) => {
    expect(() => readText(text)).toThrow(message);
  });

  it.each([
    [{ segments: [] }, 'contains no segment: there is no segment in it'],
    [[], 'contains no segment: there is no segment in it'],
    [
      {
        segments: [
          { ...one, text: ' ' },
          { ...one, text: '' },
        ],
      },
      'contains no segment: none of its segments contains text (2)',
    ],
  ])('are rejected without a segment: %j', (value, message) => {
    expect(() => read(value)).toThrow(message);
    expect(readJsonValue(value).segments).toEqual([]);
  });
});
