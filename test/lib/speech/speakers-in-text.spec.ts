import { describe, expect, it } from '@jest/globals';
import { withSpeakers } from '../../../src/lib/speech/speakers-in-text.js';
import type { Turn } from '../../../src/lib/speech/speech-messages.js';
import type { Segment } from '../../../src/lib/transcript-formats/transcript.js';

const segmentOf = (start: number, end: number, text: string): Segment => {
  return { start, end, text, speaker: '', confidence: 0.9 };
};
const turn = (speaker: number, start: number, end: number): Turn => ({ start, end, speaker });
/** Times of the words of a text, in order. */
const times = (text: string, ...seconds: number[]) =>
  [...text.matchAll(/\S+/g)].map(({ index }, place) => ({ position: index, time: seconds[place] ?? NaN }));
const shown = (segments: readonly Segment[]) =>
  segments.map(({ start, end, speaker, text }) => [start, end, speaker, text]);

describe('segments without times of words', () => {
  it('get the speaker who is heard in them, numbered by first appearance', () => {
    const segments = [
      segmentOf(0, 2, 'Good morning.'),
      segmentOf(3, 5, 'Hello.'),
      segmentOf(6, 8, 'Shall we?'),
    ];
    const turns = [turn(7, 0.1, 1.9), turn(2, 2.9, 5), turn(7, 6, 8)];
    const speakers = withSpeakers(segments, turns, new Map());
    expect([...speakers.labels]).toEqual([
      [7, 'Speaker 1'],
      [2, 'Speaker 2'],
    ]);
    expect(speakers.segments).toEqual([
      { start: 0, end: 2, text: 'Good morning.', speaker: 'Speaker 1', confidence: 0.9 },
      { start: 3, end: 5, text: 'Hello.', speaker: 'Speaker 2', confidence: 0.9 },
      { start: 6, end: 8, text: 'Shall we?', speaker: 'Speaker 1', confidence: 0.9 },
    ]);
  });

  it('get nobody when no one speaks, or no one more than all others together', () => {
    const segments = [segmentOf(0, 2, 'Noise.'), segmentOf(3, 7, 'Yes. No.'), segmentOf(8, 12, 'Well then.')];
    const turns = [turn(0, 3, 5), turn(1, 5, 7), turn(1, 8, 9), turn(0, 9, 12)];
    expect(shown(withSpeakers(segments, turns, new Map()).segments)).toEqual([
      [0, 2, '', 'Noise.'],
      [3, 7, '', 'Yes. No.'],
      [8, 12, 'Speaker 1', 'Well then.'],
    ]);
  });

  it('find a long turn behind a short one that begins in it', () => {
    const segments = [segmentOf(0, 3, 'One.'), segmentOf(5, 8, 'Two.')];
    expect(shown(withSpeakers(segments, [turn(0, 0, 10), turn(1, 1, 2)], new Map()).segments)).toEqual([
      [0, 3, 'Speaker 1', 'One.'],
      [5, 8, 'Speaker 1', 'Two.'],
    ]);
  });
});

describe('segments with times of words', () => {
  it('are cut at the word with which somebody else begins', () => {
    const segment = segmentOf(10, 14, 'Are you there? Yes, I am.');
    const words = new Map([[segment, times(segment.text, 10.1, 10.5, 10.9, 12, 12.6, 13)]]);
    expect(shown(withSpeakers([segment], [turn(1, 10, 11.4), turn(0, 11.9, 14)], words).segments)).toEqual([
      [10, 12, 'Speaker 1', 'Are you there?'],
      [12, 14, 'Speaker 2', 'Yes, I am.'],
    ]);
  });

  it('stay whole when one person speaks, also between the turns', () => {
    const segment = segmentOf(0, 6, 'So this is it now');
    const words = new Map([[segment, times(segment.text, 0.5, 1.5, 2.5, 3.5, 4.5)]]);
    expect(shown(withSpeakers([segment], [turn(4, 1.5, 2.5), turn(4, 3.5, 4.4)], words).segments)).toEqual([
      [0, 6, 'Speaker 1', 'So this is it now'],
    ]);
    expect(shown(withSpeakers([segment], [], words).segments)).toEqual([[0, 6, '', 'So this is it now']]);
  });

  it('keep all of their words, in order and within their time, whatever the times are', () => {
    const segment = segmentOf(1, 3, 'one two three four');
    const words = new Map([[segment, times(segment.text, 9, 2, -5, 700)]]);
    const parts = withSpeakers([segment], [turn(0, 0, 1.5), turn(1, 1.5, 4)], words).segments;
    expect(parts.map(({ text }) => text).join(' ')).toBe(segment.text);
    for (const { start, end } of parts) {
      expect(start).toBeGreaterThanOrEqual(1);
      expect(end).toBeLessThanOrEqual(3);
      expect(end).toBeGreaterThanOrEqual(start);
    }
  });
});
