import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';

const read = (text: string) => readTranscriptText(Buffer.from(text));

describe('what Python writes as JSON', () => {
  const whisper = '{"text": " NaN", "segments": [{"start": 0.0, "end": 1.0, "text": " NaN, \\"Infinity", ';

  it.each(['NaN', 'Infinity', '-Infinity'])('may contain %s, which is unknown', (number) => {
    const text = `${whisper}"avg_logprob": ${number}, "no_speech_prob":${number}}], "language": "en"}`;
    expect(read(text)).toMatchObject({
      language: 'en',
      segments: [{ text: 'NaN, "Infinity', confidence: 1 }],
    });
  });

  it.each([
    ['[NaN,\n NaN, x]', 'line 2, column 7: not valid JSON'],
    ['{"a": -Infinity, "b": NaN "c"}', 'line 1, column 27: not valid JSON, comma or } expected'],
    ['[--Infinity]', 'line 1, column 2: not valid JSON, invalid symbol'],
  ])('is rejected where it is wrong otherwise: %j', (text, message) => {
    expect(() => readTranscriptText(Buffer.from(text), { contentType: 'application/json' })).toThrow(message);
  });
});

describe('segments whose end is not known', () => {
  it('last until the next later one begins, the last one for the time that it takes to say it', () => {
    const said = { end: null, text: 'x'.repeat(30) };
    const segments = [
      { ...said, start: 7 },
      { ...said, start: 0, end: 9 },
      { ...said, start: 1 },
      { ...said, start: 1 },
      { ...said, start: 3, text: '' },
    ];
    expect(read(JSON.stringify({ segments })).segments.map(({ start, end }) => [start, end])).toEqual([
      [0, 9],
      [1, 3],
      [1, 3],
      [7, 9],
    ]);
    const late = [{ ...said, start: 999_999.5 }];
    expect(read(JSON.stringify(late)).segments).toMatchObject([{ end: 999_999.999 }]);
  });

  it('may have a duration instead', () => {
    const youtube = [{ text: 'Hey there', start: 1.36, duration: 1.54 }];
    expect(read(JSON.stringify(youtube)).segments).toMatchObject([{ start: 1.36, end: 2.9 }]);
    expect(() => read('[{"start":1,"end":2,"text":"Hi"},{"start":2,"text":"Ho"}]')).toThrow(
      '[1].end: must be a time',
    );
  });

  it('may all be without one', () => {
    const starts = [1, 4].map((start) => ({ start, text: 'Hi there' }));
    expect(read(JSON.stringify(starts)).segments).toMatchObject([
      { start: 1, end: 4 },
      { start: 4, end: 5 },
    ]);
  });
});
