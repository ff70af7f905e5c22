import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';

const BENCH = fileURLToPath(new URL('../../bench/speech', import.meta.url));

interface Errors {
  readonly words: number;
  readonly substitutions: number;
  readonly insertions: number;
  readonly deletions: number;
  readonly rate: number;
  readonly differences: readonly { readonly said: string; readonly heard: string }[];
}

/** The bench is JavaScript without types. */
const load = async <Module>(name: string): Promise<Module> => (await import(`${BENCH}/${name}.js`)) as Module;

describe('the text that the bench compares', () => {
  let plainText: (text: string) => string;
  beforeAll(async () => {
    ({ plainText } = await load<{ plainText: typeof plainText }>('plain-text'));
  });

  it.each([
    ['case and punctuation', 'Good morning, Steve -- “Hello!”', 'good morning steve hello'],
    ['brackets', 'Use it [applause] with <unk> the API (LUIS).', 'use it with the api'],
    ['fillers', 'Um, well, uh, hmm: mm, umbrella', 'well umbrella'],
    ['special contractions', "I won't. You can't. Let's", 'i will not you can not let us'],
    ['contractions', "they're, it's, don't, I'll, we've, I'm", 'they are it is do not i will we have i am'],
    ['perfect tenses', "It's been; he'd gone; he'd go", 'it has been he had gone he would go'],
    ['typographic apostrophes', 'That’s, don’t', 'that is do not'],
    ['spaced apostrophes', "that 's", 'that is'],
    ['informal words', 'You gotta, I gonna, we shoulda', 'you got to i going to we should have'],
    ['titles', 'Mr. Smith and Dr. Who', 'mister smith and doctor who'],
    ['hyphens', 'non-real-time', 'non real time'],
    ['diacritics', 'café naïve', 'cafe naive'],
    ['grouped digits', '1,200,000 of 3.5', '1200000 of 3.5'],
    ['numbers', 'nineteen twenty-five two hundred and one', '19 25 201'],
    ['large numbers', 'two million three hundred thousand and five', '2300005'],
    ['numbers in a row', 'one two three, twenty twenty six', '1 2 3 20 26'],
    ['words after numbers', 'one hundred and some; two thousand and more', '100 and some 2000 and more'],
    ['signs of numbers', 'ten percent, 20%, $5 and $', '10% 20% $5 and'],
    [
      'British spellings',
      'Realisation, diarise, colours, centre, analysed',
      'realization diarize colors center analyzed',
    ],
    ['similar words that stay', 'exercise, promise, four, hours', 'exercise promise 4 hours'],
    ['nothing', ' ... ', ''],
  ])('normalizes %s', (_, text, plain) => {
    expect(plainText(text)).toBe(plain);
  });
});

describe('word errors', () => {
  let wordErrors: (said: string, heard: string) => Errors;
  beforeAll(async () => {
    ({ wordErrors } = await load<{ wordErrors: typeof wordErrors }>('word-errors'));
  });

  it('are none between different ways to write the same words', () => {
    expect(wordErrors("It's twenty-one, isn't it?", 'it is 21 is not it')).toEqual({
      words: 6,
      substitutions: 0,
      insertions: 0,
      deletions: 0,
      rate: 0,
      differences: [],
    });
  });

  it('are the fewest substitutions, insertions and deletions, listed by passage', () => {
    const said = 'Good morning Steve. Have you tried the latest feature? Not yet';
    const heard = 'good morning Steeve have you really tried latest picture not yet';
    expect(wordErrors(said, heard)).toEqual({
      words: 11,
      substitutions: 2,
      insertions: 1,
      deletions: 1,
      rate: 4 / 11,
      differences: [
        { said: 'steve', heard: 'steeve' },
        { said: '', heard: 'really' },
        { said: 'the', heard: '' },
        { said: 'feature', heard: 'picture' },
      ],
    });
  });

  it('join neighbouring words that differ', () => {
    expect(wordErrors('real time diarization now', 'now')).toMatchObject({
      deletions: 3,
      differences: [{ said: 'real time diarization', heard: '' }],
    });
  });

  it('are all words when nothing was heard, and can exceed them', () => {
    expect(wordErrors('one word', '')).toMatchObject({ deletions: 2, rate: 1 });
    expect(wordErrors('word', 'any other word at all')).toMatchObject({ insertions: 4, rate: 4 });
  });
});
