import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';

const STREAM = `WEBVTT

NOTE duration:"00:00:32.5820000"

NOTE recognizability:0.741

NOTE language:en-us

NOTE Confidence: 0.69450831413269

ef04c7c2-a59e-463f-9d27-b5b1259d6777
00:00:03.300 --> 00:00:06.870
Hello.

8a017ebb-1722-4e7f-8984-fc6da39c3489
00:00:08.100 --> 00:00:09.620
Hi there.

NOTE Confidence: 0.713402450084686

d9a1567a-1ebe-40ce-983a-98436bcabcfe
00:00:19.240 --> 00:00:20.240
Can you hear me properly?
`;

describe('WebVTT of Microsoft Stream', () => {
  it('gives the language, and the confidence of the cue that follows', () => {
    const { language, segments } = readTranscriptText(Buffer.from(STREAM.replaceAll('\n', '\r\n')));
    expect(language).toBe('en-us');
    expect(segments).toEqual([
      { start: 3.3, end: 6.87, speaker: '', text: 'Hello.', confidence: 0.69450831413269 },
      { start: 8.1, end: 9.62, speaker: '', text: 'Hi there.', confidence: 1 },
      {
        start: 19.24,
        end: 20.24,
        speaker: '',
        text: 'Can you hear me properly?',
        confidence: 0.713402450084686,
      },
    ]);
  });

  it.each(['NOTE Confidence: 1.5', 'NOTE Confidence: high', 'NOTE confident: 0.5', 'NOTE'])(
    'may contain other notes, which say nothing about confidence: %s',
    (note) => {
      const text = `WEBVTT\n\n${note}\n\n00:01.000 --> 00:02.000\nHi`;
      expect(readTranscriptText(Buffer.from(text)).segments).toEqual([
        { start: 1, end: 2, speaker: '', text: 'Hi', confidence: 1 },
      ]);
    },
  );
});

describe('WebVTT of the API of Microsoft Teams', () => {
  const times = (...cues: string[]) =>
    readTranscriptText(
      Buffer.from(`WEBVTT\n\n${cues.map((cue) => `${cue}\n<v Ada>Hi</v>\n`).join('\n')}`),
    ).segments.map(({ start, end }) => [start, end]);

  it('counts milliseconds without leading zeros', () => {
    expect(times('0:0:0.0 --> 0:0:5.320', '0:0:6.90 --> 0:0:6.500', '0:12:15.90 --> 1:12:16.0')).toEqual([
      [0, 5.32],
      [6.09, 6.5],
      [735.09, 4336],
    ]);
  });

  it('is told from decimal fractions, which end without zeros or have leading ones', () => {
    expect(times('0:0:0.5 --> 0:0:5.25')).toEqual([[0.5, 5.25]]);
    expect(times('00:00:00.5 --> 00:00:05.250')).toEqual([[0.5, 5.25]]);
  });
});
