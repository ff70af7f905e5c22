import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';

const readText = (text: string) => readTranscriptText(Buffer.from(text));
const rows = (text: string) =>
  readText(text).segments.map(({ start, end, speaker, text: said }) => [start, end, speaker, said]);
const read = (value: unknown) => rows(JSON.stringify(value));

const [A, B] = ['Good morning, shall we start?', 'Yes. Marketing asked for more.'];
const TURNS = [
  [1, 4.2, 'Ann Lee', A],
  [4.5, 8, 'Ben Ortiz', B],
];
const turns = (turn: (start: number, end: number, name: string, text: string) => unknown): unknown[] => [
  turn(1, 4.2, 'Ann Lee', A),
  turn(4.5, 8, 'Ben Ortiz', B),
];
const clock = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
const word = (text: string, start: number, end: number) => ({ word: text, start, end });

describe('a list of objects with a text and a time', () => {
  it.each([
    [
      'Podcasting 2.0',
      {
        version: '1.0.0',
        segments: turns((startTime, endTime, speaker, body) => ({ speaker, startTime, endTime, body })),
      },
    ],
    [
      'Zoom',
      {
        timeline: turns((from, to, username, text) => ({
          text,
          raw_text: text,
          ts: clock(from),
          end_ts: clock(to),
          users: [{ username, user_id: '1' }],
        })),
      },
    ],
    [
      'whole milliseconds',
      turns((from, to, speaker, text) => ({ start: from * 1000, end: to * 1000, speaker, text })),
    ],
    [
      'named units',
      { data: turns((from, to, name, content) => ({ name, content, startMs: from * 1e3, endMs: to * 1e3 })) },
    ],
    [
      'durations',
      turns((from, to, speaker_name, text) => ({
        speaker_name,
        text,
        offset: `PT${from}S`,
        duration: `${to - from}s`,
      })),
    ],
    [
      'Recall.ai',
      turns((from, to, name, text) => ({
        participant: { id: 1, name },
        words: [
          {
            text: text.replaceAll('.', ';'),
            start_timestamp: { relative: from },
            end_timestamp: { relative: to },
          },
        ],
      })).map((one) => JSON.parse(JSON.stringify(one).replaceAll(';', '.')) as unknown),
    ],
  ])('is read of %s', (_, value) => {
    expect(read(value)).toEqual(TURNS);
  });

  it.each([
    ['dates', (seconds: number) => `2026-01-01T10:00:0${seconds}Z`],
    ['milliseconds since 1970', (seconds: number) => 1_767_261_600_000 + seconds * 1000],
  ])('may have %s, which count from the first', (_, time) => {
    const messages = turns((from, to, name, text) => ({
      from: { name },
      text,
      startTime: time(from),
      endTime: time(to),
    }));
    expect(read({ messages })).toEqual([
      [0, 3.2, 'Ann Lee', A],
      [3.5, 7, 'Ben Ortiz', B],
    ]);
  });

  it('may be words, with the punctuation of the text beside them', () => {
    const words = [
      word('Good', 0.1, 0.4),
      word('morning', 0.4, 0.9),
      word('Shall', 1.4, 1.7),
      word('we', 1.7, 2.4),
    ];
    const sentences = [
      [0.1, 0.9, '', 'Good morning.'],
      [1.4, 2.4, '', 'Shall we?'],
    ];
    expect(read({ language: 'english', text: 'Good morning. Shall we?', words })).toEqual(sentences);
    expect(read({ text: 'Something else', words })).toEqual([[0.1, 2.4, '', 'Good morning Shall we']]);
  });

  it('is the one of sentences where words are there, too', () => {
    const segment = [
      { start: 0.1, end: 0.9, segment: 'Good morning.' },
      { start: 1.4, end: 2.4, segment: 'Shall we start?' },
    ];
    expect(read({ timestamp: { word: [word('Good', 0.1, 0.4)], segment } })).toEqual([
      [0.1, 0.9, '', 'Good morning.'],
      [1.4, 2.4, '', 'Shall we start?'],
    ]);
  });

  it.each([
    [
      'JSON Lines',
      '{"text":"good","result":[{"conf":1,"start":0.3,"end":0.9,"word":"good"}]}\n{"text":""}\n',
    ],
    [
      'objects printed one after another',
      '{\n"text":"good",\n"result":[{"start":0.3,"end":0.9,"word":"good"}]\n}\n\n{\n}\n',
    ],
  ])('may be in %s', (_, text) => {
    const next = '{"text":"yes","result":[{"start":1.3,"end":1.9,"word":"yes"}]}';
    expect(rows(text + next)).toEqual([
      [0.3, 0.9, '', 'good'],
      [1.3, 1.9, '', 'yes'],
    ]);
  });

  it('may have elements that are punctuation, in turns with a number', () => {
    const elements = [
      { type: 'text', value: 'Good', ts: 0.5, end_ts: 0.9 },
      { type: 'punct', value: ' ' },
      { type: 'text', value: 'morning', ts: 1, end_ts: 1.4 },
      { type: 'punct', value: '.' },
    ];
    expect(read({ monologues: [{ speaker: 3, elements }] })).toEqual([
      [0.5, 1.4, 'Speaker 3', 'Good morning.'],
    ]);
  });
});

describe('what is not read of a list', () => {
  const said = { text: A, ts: 1.5, name: 'Ann' };

  it('is said', () => {
    const { segments, skipped } = readText(
      JSON.stringify([
        said,
        { text: 'when?' },
        { ts: 2.5, name: 'Ben' },
        { ...said, ts: 4.5 },
        { ...said, ts: 9.5 },
      ]),
    );
    expect(segments).toHaveLength(3);
    expect(skipped.map(({ place }) => place)).toEqual(['[1].ts', '[2].text']);
  });

  it('is said of texts whose words have no times', () => {
    const results = [{ text: 'good', result: [word('good', 0.3, 0.9)] }, { text: 'lost' }];
    expect(readText(JSON.stringify(results)).skipped).toEqual([
      { place: '[1]', reason: 'its words have no times' },
    ]);
  });

  it.each([
    ['most items', [said, { text: 'when?' }, { text: 'where?' }], '[1].ts: must be a time'],
    [
      'one of two lists',
      { b: { lines: [said] }, a: { lines: [{ ...said, text: B }] } },
      '"a.lines" and "b.lines" may both be',
    ],
    [
      'the unit',
      [{ text: 'Hello, my friends', from: 0, to: 400 }],
      'from: may be seconds or milliseconds; name it from_seconds',
    ],
    [
      'any time',
      { messages: [{ text: 'Hi', speaker: 'Ann' }] },
      'JSON of an unknown shape is not read; send WebVTT',
    ],
  ])('is refused if it is %s', (_, value, message) => {
    expect(() => read(value)).toThrow(message);
  });
});

it('reads a speaker that is a number', () => {
  expect(read({ segments: [{ start: 0, end: 1, text: 'Hi', speaker: 0 }] })).toEqual([
    [0, 1, 'Speaker 0', 'Hi'],
  ]);
});
