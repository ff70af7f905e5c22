import { describe, expect, it } from '@jest/globals';
import { countQuestions, countSpeakers } from '../../../src/lib/transcript-formats/speaker-statistics.js';

type Said = readonly [speaker: string, start: number, end: number, text?: string];
const count = (...said: Said[]) =>
  countSpeakers(said.map(([speaker, start, end, text = 'So']) => ({ speaker, start, end, text })));
const of = (speaker: string, said: readonly Said[]) => count(...said).find((one) => one.speaker === speaker);

describe('the statistics of speakers', () => {
  it('count what overlaps for each, and nothing without a speaker', () => {
    expect(
      count(
        ['Ada', 0, 60, 'Shall we start? Yes. Who begins?'],
        ['Grace', 10, 10.8, 'Mm-hm?'],
        ['Ada', 61.5, 70],
        ['Grace', 69.5, 80, 'Wait!'],
        ['', 70, 80, 'What?'],
        ['Ada', 82.1, 84],
      ),
    ).toEqual([
      {
        speaker: 'Ada',
        talkTime: 70.4,
        share: 0.8617,
        longestMonologue: 70,
        interruptions: 0,
        questions: 2,
      },
      {
        speaker: 'Grace',
        talkTime: 11.3,
        share: 0.1383,
        longestMonologue: 10.5,
        interruptions: 1,
        questions: 1,
      },
    ]);
  });

  it('count nobody twice who overlaps with themselves', () => {
    expect(count(['Ada', 0, 10], ['Ada', 5, 8], ['Ada', 9, 12])).toMatchObject([
      { talkTime: 12, share: 1, longestMonologue: 12 },
    ]);
  });

  it('are of the hundred who say most', () => {
    const said = Array.from({ length: 101 }, (_, index): Said => [`Speaker ${index}`, index, index + index]);
    const counted = count(...said);
    expect(counted).toHaveLength(100);
    expect(counted[0]).toMatchObject({ speaker: 'Speaker 100', talkTime: 100, share: 0.0198 });
    expect(counted.at(-1)).toMatchObject({ speaker: 'Speaker 1', talkTime: 1 });
    expect(count(['Ada', 3, 3])).toMatchObject([{ talkTime: 0, share: 0, longestMonologue: 0 }]);
    expect(count()).toEqual([]);
  });

  it.each<[string, number, Said[]]>([
    ['goes on after a pause of two seconds', 22, [['Ada', 12, 22]]],
    ['ends with a longer one', 10, [['Ada', 12.1, 22]]],
    [
      'goes on after a word of another',
      21,
      [
        ['Grace', 10, 10.9],
        ['Ada', 11, 21],
      ],
    ],
    [
      'goes on with a word meanwhile',
      20,
      [
        ['Grace', 9.5, 10.4],
        ['Ada', 10, 20],
      ],
    ],
    [
      'ends when another speaks for a second',
      10,
      [
        ['Grace', 10, 11],
        ['Ada', 11, 20],
      ],
    ],
    [
      'goes on when nobody known speaks',
      21,
      [
        ['', 10, 11],
        ['Ada', 11, 21],
      ],
    ],
  ])('a monologue %s', (_, seconds, after) => {
    expect(of('Ada', [['Ada', 0, 10], ...after])).toMatchObject({ longestMonologue: seconds });
  });

  it.each<[string, number, Said[]]>([
    ['makes another stop within a second', 1, [['Grace', 9.5, 12]]],
    ['begins long before they stop', 0, [['Grace', 8.5, 12]]],
    ['only follows', 0, [['Grace', 9.9, 12]]],
    ['says a word', 0, [['Grace', 9.5, 10.4]]],
    [
      'does not stop them',
      0,
      [
        ['Grace', 9.5, 12],
        ['Ada', 11, 14],
      ],
    ],
    [
      'stops them until later',
      1,
      [
        ['Grace', 9.5, 12],
        ['Ada', 11.1, 14],
      ],
    ],
    [
      'was speaking already',
      0,
      [
        ['Grace', 8, 9],
        ['Grace', 9.5, 12],
      ],
    ],
    [
      'comes while a third says a word',
      1,
      [
        ['Linus', 9.2, 9.8],
        ['Grace', 9.5, 12],
      ],
    ],
  ])('whoever %s has interrupted %i times', (_, times, after) => {
    expect(of('Grace', [['Ada', 0, 10], ...after])).toMatchObject({ interruptions: times });
  });

  it('nobody interrupts whom they begin with', () => {
    expect(count(['Ada', 0, 1], ['Grace', 0, 3])).toMatchObject([
      { speaker: 'Grace', interruptions: 0 },
      { speaker: 'Ada', interruptions: 0 },
    ]);
  });

  it.each([
    ['Are we done? "Really?" (Sure?)', 3],
    ['What?! Really?!? No!', 2],
    ['See https://acme.test/?page=2&q=x?y for that.', 0],
    ['准备好了吗？好的。真的?是', 2],
    ['هل انتهينا؟ نعم.', 1],
    ['Τελειώσαμε; Ναι.', 1],
    ['Τελειώσαμε\u037e', 1],
    ['one; two', 0],
  ])('%s: sentences that end in a question mark', (text, questions) => {
    expect(countQuestions(text)).toBe(questions);
  });
});
