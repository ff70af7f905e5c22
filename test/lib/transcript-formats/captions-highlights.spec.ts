import { describe, expect, it } from '@jest/globals';
import { readTranscriptText } from '../../../src/lib/transcript-formats/transcript-formats.js';

const read = (text: string) =>
  readTranscriptText(Buffer.from(text)).segments.map(({ start, end, speaker, text: said }) => [
    start,
    end,
    speaker,
    said,
  ]);

/** A cue for each word of 0.3 s, which it highlights, and one of 0.05 s between two words. */
const highlighted = (sentence: string, from: number, label = '') =>
  sentence.split(' ').flatMap((word, index, words) => {
    const shown = [...words.slice(0, index), `<u>${word}</u>`, ...words.slice(index + 1)].join(' ');
    const at = from + index * 0.35;
    return [
      [at, at + 0.3, label + shown],
      [at + 0.3, at + 0.35, label + sentence],
    ] as const;
  });
const time = (seconds: number): string => `00:00:${seconds.toFixed(3).padStart(6, '0')}`;
const vtt = (cues: readonly (readonly [number, number, string])[]): string =>
  `WEBVTT\n\n${cues.map(([start, end, text]) => `${time(start)} --> ${time(end)}\n${text}\n`).join('\n')}`;

describe('captions that highlight the word that is said', () => {
  it('are read with each sentence once, from its first to its last word', () => {
    const cues = [
      ...highlighted('good morning all', 1, '[SPEAKER_00]: '),
      ...highlighted('yes', 3, '[SPEAKER_01]: '),
      ...highlighted('good morning all', 5, '[SPEAKER_00]: '),
    ];
    const expected = [
      [1, 2.05, 'SPEAKER_00', 'good morning all'],
      [3, 3.35, 'SPEAKER_01', 'yes'],
      [5, 6.05, 'SPEAKER_00', 'good morning all'],
    ];
    expect(read(vtt(cues))).toEqual(expected);
    expect(read(vtt(cues).replace('WEBVTT\n\n', '').replaceAll('.', ','))).toEqual(expected);
  });

  it('are not those in which somebody repeats a sentence', () => {
    const cues = [
      [1, 2, 'No.'],
      [2, 3, 'No.'],
      [3, 4, '<i>No.</i>'],
    ] as const;
    expect(read(vtt(cues.slice(0, 2)))).toHaveLength(2);
    expect(
      read(
        vtt([
          [1, 2, '<i>No.</i>'],
          [3, 4, '<i>No.</i>'],
        ]),
      ),
    ).toHaveLength(2);
  });
});

describe('captions with a time in their text', () => {
  it('are read without it, and without the name that the voice tag has', () => {
    const cues = [
      [1, 4, '<v S00>[00:00:01] S00: Good morning.'],
      [4, 8, '<v S01>[00:00:04] S01: Yes: twelve.'],
    ] as const;
    expect(read(vtt(cues))).toEqual([
      [1, 4, 'S00', 'Good morning.'],
      [4, 8, 'S01', 'Yes: twelve.'],
    ]);
    expect(
      read(
        vtt([
          [1, 4, '[00:00:01] was when it began'],
          [4, 5, 'a'],
          [5, 6, 'b'],
        ]),
      )[0]![3],
    ).toBe('[00:00:01] was when it began');
  });
});
