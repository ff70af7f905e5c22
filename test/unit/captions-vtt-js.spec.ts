import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../src/modules/transcripts/files/transcript-reader.js';

const read = (text: string, lenient = false) =>
  readTranscriptText(Buffer.from(text), { contentType: 'text/vtt', lenient }).segments.map(
    ({ start, end, text: said }) => [start, end, said],
  );

/** Cases like those of the tests of Mozilla's vtt.js, by the names they have there. */
describe('WebVTT files, compared with vtt.js', () => {
  it.each([
    ['no-space-cue-times-cue-settings', '00:00.000 --> 00:01.000line:40% size:40%\nHi', [[0, 1, 'Hi']]],
    ['min-top-digits', '000:00.000 --> 00:02.000\nHi', [[0, 2, 'Hi']]],
    ['missing-spaces-between-separator', '00:00.000-->00:02.000\nHi', [[0, 2, 'Hi']]],
    ['mismatched-time-spots', '00:00:00.000 --> 00:20.000\nHi', [[0, 20, 'Hi']]],
    ['spaces within the text of a cue', '00:00.000 --> 00:02.000\none\n \ntwo', [[0, 2, 'one\ntwo']]],
    ['spaces before the text of a cue', '00:00.000 --> 00:02.000\n \none', [[0, 2, 'one']]],
  ])('are read alike: %s', (_, cue, segments) => {
    expect(read(`WEBVTT\n\n${cue}\n`)).toEqual(segments);
  });

  it.each([
    ['minimum-spots-over-sixty: minutes, not hours', '120:00.000 --> 120:10.000\nHi', [[7200, 7210, 'Hi']]],
    [
      'cue-spacing: a timing line ends a cue, and an arrow alone is text',
      '00:00.000 --> 00:02.000\none\n00:02.000 --> 00:04.000\ntwo\n\n00:04.000 --> 00:06.000\na\n-->\nb',
      [
        [0, 2, 'one'],
        [2, 4, 'two'],
        [4, 6, 'a\n-->\nb'],
      ],
    ],
    ['a comma before the fraction, as in SRT', '00:00,000 --> 00:02,000\nHi', [[0, 2, 'Hi']]],
    ['fraction-digits: any number is read', '00:00.5 --> 00:02.2500\nHi', [[0.5, 2.25, 'Hi']]],
    [
      'spaces between cues separate them',
      '00:00.000 --> 00:02.000\none\n \na name\n00:02.000 --> 00:04.000\ntwo',
      [
        [0, 2, 'one'],
        [2, 4, 'two'],
      ],
    ],
  ])('lose less than in vtt.js: %s', (_, cue, segments) => {
    expect(read(`WEBVTT\n\n${cue}\n`)).toEqual(segments);
  });

  it.each([
    ['00:00.000 00:02.000\nHi', 'line 3: expected a timing line'],
    ['00.00.000 --> 00:02.000\nHi', 'line 3: "00.00.000" is not a time'],
    ['00:000.000 --> 00:02.000\nHi', 'line 3: "00:000.000" is not a time'],
    ['00:00.000 --> 00:60.000\nHi', 'line 3: "00:60.000" is not a time'],
    ['00:00.000 --> 00:02.000x\nHi', 'line 3: "00:02.000x" is not a time'],
    ['00:02.000 --> 00:01.000\nHi', 'line 3: ends before it starts'],
  ])('name what vtt.js drops silently, and skip it only when lenient: %j', (cue, message) => {
    const text = `WEBVTT\n\n${cue}\n\n00:03.000 --> 00:04.000\nBye\n`;
    expect(() => read(text)).toThrow(message);
    expect(read(text, true)).toEqual([[3, 4, 'Bye']]);
  });
});
