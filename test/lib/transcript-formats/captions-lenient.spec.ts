import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';

const read = (text: string) => readTranscriptText(Buffer.from(text), { lenient: true });
const textsOf = (text: string) => read(text).segments.map((segment) => segment.text);

describe('a partly malformed transcript file, read leniently', () => {
  it('keeps the readable parts of WebVTT and lists what was skipped', () => {
    const text = `WEBVTT

00:01.000 --> 00:02.000
one

00:xx --> 00:03.000
lost

lost too
and this
00:03.000 --> 00:04.000
two
00:09.000 --> 00:05.000
lost
00:05.000 --> 00:06.000
three

lost at the end`;
    const { segments, skipped, skippedCount } = read(text);
    expect(segments.map(({ start, text: said }) => [start, said])).toEqual([
      [1, 'one'],
      [3, 'two'],
      [5, 'three'],
    ]);
    const missing = 'expected a timing line such as 00:00:01.000 --> 00:00:02.500';
    expect(skipped).toEqual([
      { place: 'line 6', reason: '"00:xx" is not a time' },
      { place: 'line 9', reason: missing },
      { place: 'line 13', reason: 'ends before it starts' },
      { place: 'line 18', reason: missing },
    ]);
    expect(skippedCount).toBe(4);
  });

  it('keeps the readable parts of JSON', () => {
    const good = { start: 0, end: 1, text: 'one' };
    const { language, segments, skipped } = read(
      JSON.stringify({
        language: 'klingon',
        segments: [good, null, { ...good, end: -1 }, { ...good, speaker: 'x'.repeat(201) }],
      }),
    );
    expect(language).toBeNull();
    expect(segments.map((segment) => segment.text)).toEqual(['one']);
    expect(skipped.map(({ place }) => place)).toEqual([
      'language',
      'segments[1]',
      'segments[2].end',
      'segments[3].speaker',
    ]);
  });

  it('replaces characters that cannot be stored with U+FFFD', () => {
    expect(textsOf('WEBVTT\n\n00:01.000 --> 00:02.000\na\0b')).toEqual(['a\uFFFDb']);
    expect(textsOf('[{"start":0,"end":1,"text":"a\\ud800b\\u0000"}]')).toEqual(['a\uFFFDb\uFFFD']);
  });

  it('lists the first hundred skipped parts and counts them all', () => {
    const { skipped, skippedCount } = read(
      `WEBVTT\n\n${'00:xx --> 00:03.000\nlost\n\n'.repeat(250)}00:01.000 --> 00:02.000\none`,
    );
    expect([skipped.length, skippedCount]).toEqual([100, 250]);
    expect(skipped.at(-1)).toEqual({ place: 'line 300', reason: '"00:xx" is not a time' });
  });

  it.each([
    ['WEBVTT\n\n00:xx --> 00:03.000\nlost', 'line 3: "00:xx" is not a time'],
    ['{"segments":[{"start":"0","end":1}]}', 'segments[0].text: must be text'],
  ])('is rejected when nothing is readable: %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
