import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';
import { FIREFLIES, GOOGLE_MEET, OTTER } from '../../support/foreign-transcripts.js';

const read = (text: string) => readTranscriptText(Buffer.from(text), { contentType: 'text/plain' });
const segmentsOf = (text: string) =>
  read(text).segments.map(({ start, end, speaker, text: said }) => [start, end, speaker, said]);

describe('text of Google Meet', () => {
  it('shares the time between two times by the length of what was said', () => {
    expect(read(GOOGLE_MEET).format).toBe('google-meet');
    expect(segmentsOf(GOOGLE_MEET)).toEqual([
      [0, 66.522, 'Anna Hewitt', 'Okay. So the goal'],
      [66.522, 82.174, 'Garrett McGrath', 'Hey,'],
      [82.174, 90, 'Anna Hewitt', 'is'],
      [90, 100, 'Garrett McGrath', 'you want me to start?\nAnd then I will, yes.'],
    ]);
  });

  it('may be Markdown, and need not end with a time', () => {
    const text =
      '# 📖 Transcript\n\n### 00:00:00\n\n**Ada:** Hello.\n\n### 00:10:00\n\n**Grace B.:** Thirty characters in a line.\nmore\n';
    expect(segmentsOf(text)).toEqual([
      [0, 600, 'Ada', 'Hello.'],
      [600, 602.2, 'Grace B.', 'Thirty characters in a line.\nmore'],
    ]);
  });

  it('may have its first time after some minutes', () => {
    const text =
      'Call - Transcript\nAttendees\nAda\nTranscript\nnot said\nAda: Hello.\n00:05:00\nso on\nAda: Bye.\n';
    expect(segmentsOf(text)).toEqual([
      [0, 300, 'Ada', 'Hello.'],
      [300, 301.111, 'Ada', 'so on'],
      [301.111, 302, 'Ada', 'Bye.'],
    ]);
  });
});

describe('text of times and names', () => {
  it.each([
    ['hours', '00:00:00', '00:10:00'],
    ['minutes', '0:00', '10:00'],
  ])('is read as that of Google Meet without a title: with %s', (_, first, second) => {
    const text = `${first}\nAda: Hello.\nGrace: Hi you!\n\n${second}\nAda: Bye.\n`;
    expect(read(text).format).toBe('google-meet');
    expect(segmentsOf(text)).toEqual([
      [0, 276.923, 'Ada', 'Hello.'],
      [276.923, 600, 'Grace', 'Hi you!'],
      [600, 601, 'Ada', 'Bye.'],
    ]);
  });
});

describe('text of Otter', () => {
  it('is read up to the next header, the last turn as long as it takes to say it', () => {
    expect(read(OTTER).format).toBe('turns');
    expect(segmentsOf(OTTER)).toEqual([
      [3, 12, 'Brian Okken', 'Hello, and welcome.\nThis is the second line.'],
      [12, 3734, 'Unknown Speaker', 'Thanks for having me: really.'],
      [3734, 3735, 'Brian Okken', 'Bye.'],
    ]);
  });

  it('may have times without names', () => {
    const text =
      '0:01  \r\nOne.\r\n\r\n0:15  \r\nTwo, which takes two seconds.\r\n\r\nTranscribed by https://otter.ai\r\n';
    expect(segmentsOf(text)).toEqual([
      [1, 15, '', 'One.'],
      [15, 16.933, '', 'Two, which takes two seconds.'],
    ]);
  });

  it('is sorted, and turns that begin together end together', () => {
    const text = 'Ada  0:05\nb\nBob  0:01\na\nEve  0:05\nc\nAda  0:09\nd';
    expect(segmentsOf(text)).toEqual([
      [1, 5, 'Bob', 'a'],
      [5, 9, 'Ada', 'b'],
      [5, 9, 'Eve', 'c'],
      [9, 10, 'Ada', 'd'],
    ]);
  });
});

describe('text of Fireflies and alike', () => {
  const expected = [
    [3, 15, 'Ada Byron', 'Good morning, everyone.'],
    [15, 16, 'Grace', 'Hi.'],
  ];

  it.each([
    ['name and time', FIREFLIES],
    ['time and name', '00:03 - Ada Byron\n  Good morning, everyone.\n\n0:15 – Grace\n  Hi.\n'],
    ['time, name and text', '00:03 Ada Byron: Good morning, everyone.\n00:15 Grace: Hi.\n'],
    [
      'time in brackets, name and text',
      '[00:03] Ada Byron: Good morning, everyone.\n\n[00:00:15] Grace: Hi.\n',
    ],
    ['a title before', `Meeting of the board\n\n${FIREFLIES}`],
  ])('may have %s', (_, text) => {
    expect(read(text).format).toBe('turns');
    expect(segmentsOf(text)).toEqual(expected);
  });
});

describe('other text', () => {
  it.each(['Once upon a time', 'name,role\nAda,chair\n'])('is not read: %j', (text) => {
    expect(() => read(text)).toThrow(
      /^text that is no transcript known to this service is not read; send WebVTT /,
    );
  });

  it('is SRT with a mistake if it is called so', () => {
    expect(() => readTranscriptText(Buffer.from('Once'), { contentType: 'application/x-subrip' })).toThrow(
      'line 1: expected a timing line such as',
    );
  });

  it.each(['Meet me at 10:30\nor at 11:30', 'Agenda\nStandup - 10:30\nnothing else', 'We begin at 0:03'])(
    'with a time is not read: %j',
    (text) => {
      expect(() => read(text)).toThrow('text that is no transcript known to this service is not read; send');
    },
  );
});
