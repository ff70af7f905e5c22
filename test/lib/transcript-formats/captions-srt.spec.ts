import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';

const read = (text: string) =>
  readTranscriptText(Buffer.from(text), { contentType: 'application/x-subrip' }).segments.map(
    ({ start, end, speaker, text: said }) => [start, end, speaker, said],
  );

describe('SRT files', () => {
  it('may have decimal commas, numbers, labels and multiple lines', () => {
    const text =
      '1\r\n00:00:01,000 --> 00:00:02,500\r\nAda: Hi\r\n\r\n2\r\n01:00:03,250 --> 01:00:04,000 X1:1 X2:2\r\nbye\r\nbye';
    expect(read(text)).toEqual([
      [1, 2.5, 'Ada', 'Hi'],
      [3603.25, 3604, '', 'bye\nbye'],
    ]);
  });

  it('lose their tags', () => {
    const text =
      '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<font color="#fff"><i>Hi</i></font> {there} <b>you</b> a < b\n';
    expect(read(text)).toEqual([[1, 2, '', 'Hi {there} you a < b']]);
  });

  it('may omit numbers, fractions and blank lines', () => {
    const text =
      '\n\n00:00:01 --> 00:00:02\none\n2\n00:00:03.5 --> 00:00:04.5\ntwo\n22\n00:00:05,0 --> 00:00:06,0\nthree';
    expect(read(text)).toEqual([
      [1, 2, '', 'one'],
      [3.5, 4.5, '', 'two'],
      [5, 6, '', 'three'],
    ]);
  });

  it.each([
    ['1\n00:00:01,000 --> 00:00:02,000\nhi\n\n2\nno time\n', 'line 5: expected a timing line such as'],
    ['1\n00:00:01,000 -> 00:00:02,000\nhi\n', 'line 1: expected a timing line such as'],
  ])('are rejected, naming the line: %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
