import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';
import { READ_FORMATS } from '../../../src/lib/transcript-formats/read-formats.js';
import {
  ASSEMBLYAI,
  AWS_TRANSCRIBE,
  DEEPGRAM,
  WHISPER_CPP,
  WHISPERX,
} from '../../support/foreign-transcripts.js';

const read = (value: unknown) =>
  readTranscriptText(Buffer.from(JSON.stringify(value)), { contentType: 'application/json' });
const segmentsOf = (value: unknown) =>
  read(value).segments.map(({ start, end, speaker, text, confidence }) => [
    start,
    end,
    speaker,
    text,
    confidence,
  ]);
const { channels, utterances } = DEEPGRAM.results;
const alternative = channels[0]!.alternatives[0]!;

describe('JSON of Deepgram', () => {
  it('is read by utterances', () => {
    expect(read(DEEPGRAM)).toMatchObject({ format: 'json', language: 'en' });
    expect(segmentsOf(DEEPGRAM)).toEqual([
      [0.41915998, 5.43012, 'Speaker 0', 'four score and seven years ago', 0.88172823],
    ]);
  });

  it('is read by the sentences of paragraphs without them, with the confidence of their words', () => {
    expect(segmentsOf({ results: { channels } })).toEqual([
      [0.94, 1.66, 'Speaker 0', 'Another problem.', 0.98],
      [4.5, 4.7, 'Speaker 1', 'Yeah.', 0.5],
    ]);
  });

  it('is read by words without paragraphs', () => {
    const { words } = alternative;
    expect(segmentsOf({ results: { channels: [{ alternatives: [{ words }] }] } })).toEqual([
      [0.94, 1.66, 'Speaker 0', 'Another problem.', 0.98],
      [4.5, 4.7, 'Speaker 1', 'Yeah.', 0.5],
    ]);
    const plain = words.map(({ word, start, end, confidence }) => ({ word, start, end, confidence }));
    expect(segmentsOf({ results: { channels: [{ alternatives: [{ words: plain }] }] } })).toEqual([
      [0.94, 1.66, '', 'another problem', 0.98],
      [4.5, 4.7, '', 'yeah', 0.5],
    ]);
  });

  it('names the channel if there are several', () => {
    const of = (speaker?: number) => ({
      alternatives: [{ words: [{ word: 'Hi', start: 0, end: 1, speaker }] }],
    });
    expect(segmentsOf({ results: { channels: [of(), of(3)] } })).toEqual([
      [0, 1, 'Channel 0', 'Hi', 1],
      [0, 1, 'Channel 1, Speaker 3', 'Hi', 1],
    ]);
  });

  it.each([
    [{ utterances: [{ ...utterances[0], start: 'soon' }] }, 'results.utterances[0].start: must be a time'],
    [{ utterances: [{ ...utterances[0], transcript: 5 }] }, 'results.utterances[0].transcript: must be text'],
    [
      { channels: [{ alternatives: [{ words: [{ word: 'x', start: 1.5 }] }] }] },
      'results.channels[0].alternatives[0].words[0].end: must be a time',
    ],
    [{ channels: [] }, 'contains no segment'],
  ])('is rejected, naming the path: %j', (results, message) => {
    expect(() => read({ results })).toThrow(message);
  });
});

describe('JSON of AssemblyAI', () => {
  it('is read by utterances', () => {
    expect(read(ASSEMBLYAI)).toMatchObject({ format: 'json', language: 'en-US' });
    expect(segmentsOf(ASSEMBLYAI)).toEqual([
      [0.25, 26.95, 'Speaker A', 'Smoke from hundreds of wildfires in Canada.', 0.9359],
      [27.85, 28.84, 'Speaker B', 'Good morning.', 0.96],
    ]);
  });

  it('is read by words without them, a sentence each', () => {
    expect(segmentsOf({ ...ASSEMBLYAI, utterances: null })).toEqual([
      [0.25, 1.418, 'Speaker A', 'Smoke from Canada.', 0.93],
      [1.5, 1.7, 'Speaker B', 'Yes.', 0.5],
    ]);
  });

  it.each(['utterances', 'sentences', 'paragraphs'])('may be reduced to its %s', (list) => {
    expect(segmentsOf({ id: ASSEMBLYAI.id, [list]: ASSEMBLYAI.utterances })).toEqual(segmentsOf(ASSEMBLYAI));
  });

  it('is not what others call words: their times are seconds', () => {
    const words = [{ text: 'Smoke', start: 0.25, end: 0.65 }];
    const value = { language_code: 'eng', text: 'Smoke', words };
    expect(read(value)).toMatchObject({ format: 'json', language: 'en' });
    expect(segmentsOf(value)).toEqual([[0.25, 0.65, '', 'Smoke', 1]]);
  });

  it('is rejected while it is not complete', () => {
    const value = { ...ASSEMBLYAI, status: 'processing', words: null, utterances: null };
    expect(() => read(value)).toThrow('status: must be completed');
  });
});

describe('JSON of Amazon Transcribe', () => {
  const { items, speaker_labels } = AWS_TRANSCRIBE.results;
  const expected = [
    [4.87, 6.88, 'spk_0', "I've waited.", 0.95],
    [8.49, 9.24, 'spk_1', 'Sorry.', 0.998],
  ];

  it('is read by audio segments', () => {
    expect(read(AWS_TRANSCRIBE)).toMatchObject({ format: 'json', language: 'en-US' });
    expect(segmentsOf(AWS_TRANSCRIBE)).toEqual(expected);
  });

  it('is read by items without them, with punctuation attached and the speakers of the labels', () => {
    expect(segmentsOf({ results: { items, speaker_labels } })).toEqual(expected);
    const labelled = items.map((item, index) => ({ ...item, speaker_label: index < 3 ? 'spk_0' : 'spk_1' }));
    expect(segmentsOf({ results: { items: labelled } })).toEqual(expected);
  });
});

describe('JSON of whisper.cpp', () => {
  it('is read with milliseconds, and the probabilities of tokens that are text', () => {
    expect(read(WHISPER_CPP)).toMatchObject({ format: 'json', language: 'en' });
    expect(segmentsOf(WHISPER_CPP)).toEqual([
      [0, 7.96, '', 'And so my fellow Americans ask not', 0.8],
      [7.96, 10.76, 'Speaker 1', 'what you can do for your country.', 1],
    ]);
  });
});

describe('JSON of WhisperX', () => {
  it('is read with the mean score of the words that have one', () => {
    expect(read(WHISPERX)).toMatchObject({ format: 'json', language: 'en' });
    expect(segmentsOf(WHISPERX)).toEqual([
      [0.009, 2.095, 'SPEAKER_01', 'Welcome back in 2014.', 0.7],
      [2.2, 3, '', 'Thanks.', 1],
    ]);
  });
});

describe('sentences made of words', () => {
  const words = (...all: [text: string, start: number, speaker?: number][]) => ({
    results: {
      channels: [
        {
          alternatives: [
            {
              words: all.map(([word, start, speaker]) => ({ word, start, end: start + 0.5, speaker })),
            },
          ],
        },
      ],
    },
  });

  it('end at punctuation, another speaker, a pause of two seconds and 500 characters', () => {
    const said = segmentsOf(
      words(['Hi', 0, 0], ['you."', 0.5, 0], ['so', 1, 0], ['no', 1.5, 1], ['yes', 4, 1]),
    );
    expect(said.map(([start, , , text]) => [start, text])).toEqual([
      [0, 'Hi you."'],
      [1, 'so'],
      [1.5, 'no'],
      [4, 'yes'],
    ]);
    const long = Array.from({ length: 120 }, (_, index): [string, number] => ['word', index / 2]);
    expect(segmentsOf(words(...long)).map(([, , , text]) => String(text).length)).toEqual([499, 99]);
  });

  it('have no spaces in scripts that do not separate words', () => {
    expect(segmentsOf(words(['今日', 0], ['は', 0.5], ['OK', 1], ['です。', 1.5]))[0]?.[3]).toBe(
      '今日は OK です。',
    );
  });
});

it.each([
  {},
  { results: [] },
  { segments: {} },
  { segments: [null] },
  [{ speaker: 'Ada', words: 'Hi' }],
  [[0, 1, 'Hi']],
])('JSON of an unknown shape is answered with what is read: %j', (value) => {
  expect(() => read(value)).toThrow(`JSON of an unknown shape is not read; send ${READ_FORMATS}`);
});
