import { describe, expect, it } from '@jest/globals';
import { read, segmentsOf } from '../../support/foreign-json.js';
import { GOOGLE_SPEECH } from '../../support/speech-services.js';

describe('JSON of Google Speech-to-Text', () => {
  const { results } = GOOGLE_SPEECH.response;
  const [first, second] = [results[0]!, results[1]!];
  const expected = [
    [1, 2, '', 'Good morning.', 0.93],
    [3, 3.5, '', 'Hi.', 0.5],
  ];

  it('is read by the last result if it repeats all words, with their speakers', () => {
    expect(read(GOOGLE_SPEECH)).toMatchObject({ format: 'json', language: 'en-US' });
    expect(segmentsOf(GOOGLE_SPEECH)).toEqual([
      [1, 2, 'Speaker 1', 'Good morning.', 1],
      [3, 3.5, 'Speaker 2', 'Hi.', 1],
    ]);
    expect(segmentsOf({ results: [results.at(-1)] })).toHaveLength(2);
  });

  const renamed = (names: Readonly<Record<string, string>>, change = (value: unknown): unknown => value) =>
    JSON.parse(JSON.stringify([first, second]), function (this: unknown, key, value: unknown) {
      const holder = this as Record<string, unknown>;
      const isTime = key.endsWith('Time');
      if (isTime && names[key] !== undefined) holder[names[key]] = change(value);
      return isTime && names[key] !== undefined ? undefined : value;
    }) as unknown[];
  const V2 = { startTime: 'startOffset', endTime: 'endOffset', resultEndTime: 'resultEndOffset' };
  const SNAKE = { startTime: 'start_time', endTime: 'end_time', resultEndTime: 'result_end_time' };
  const parts = (value: unknown) => {
    const seconds = Number(String(value).slice(0, -1));
    return { seconds: String(Math.floor(seconds)), nanos: Math.round((seconds % 1) * 1e9) };
  };

  it.each([
    ['the reply', { results: [first, second] }],
    ['version 2', { results: renamed(V2) }],
    ['Python', { results: renamed(SNAKE) }],
    ['Node.js, with seconds and nanos', { results: renamed(V2, parts) }],
    [
      'a batch of one file',
      {
        done: true,
        response: {
          results: { 'gs://a/b.wav': { inlineResult: { transcript: { results: renamed(V2) } } } },
        },
      },
    ],
    ['a batch of one file, older', { results: { 'gs://a/b.wav': { transcript: { results: renamed(V2) } } } }],
  ])('may be that of %s', (_, value) => {
    expect(segmentsOf(value)).toEqual(expected);
  });

  it('has the labels of version 2, and channels', () => {
    const labelled = (speakerLabel: string, startOffset: string | undefined, endOffset: string) => ({
      channelTag: Number(speakerLabel),
      alternatives: [{ words: [{ word: 'Hi.', startOffset, endOffset, speakerLabel }] }],
    });
    const value = { results: [labelled('1', undefined, '0.400s'), labelled('2', '2s', '2.400s')] };
    expect(segmentsOf(value)).toEqual([
      [0, 0.4, 'Channel 1, Speaker 1', 'Hi.', 1],
      [2, 2.4, 'Channel 2, Speaker 2', 'Hi.', 1],
    ]);
  });

  it('without words is read by the ends of its results', () => {
    const wordless = [first, second].map(({ resultEndTime, alternatives: [best] }) => ({
      resultEndTime,
      alternatives: [{ ...best, words: undefined, confidence: 0 }],
    }));
    expect(segmentsOf({ results: [{ resultEndTime: '0.5s' }, ...wordless] })).toEqual([
      [0, 2, '', 'Good morning.', 1],
      [2, 4, '', 'Hi.', 1],
    ]);
    expect(() => read({ results: [{ alternatives: [{ transcript: 'Hi.' }] }] })).toThrow(
      'JSON of an unknown shape is not read',
    );
  });

  it.each([
    ['a batch of several files', { results: { 'gs://a': { transcript: { results } }, 'gs://b': {} } }],
    ['IBM', { result_index: 0, results: [{ final: true, alternatives: [{ transcript: 'Hi' }] }] }],
    ['an operation that is not done', { name: '123', done: false }],
  ])('is not that of %s', (_, value) => {
    expect(() => read(value)).toThrow('JSON of an unknown shape is not read; send WebVTT');
  });
});
