import { describe, expect, it } from '@jest/globals';
import { withoutEchoes, withoutLoops } from '../../../src/lib/speech/repetitions.js';

const SPEECH = 'We looked at the budget for the second half of the year and decided to wait until June.';

describe('a loop', () => {
  it.each([
    [`${SPEECH} the the the the the the`, `${SPEECH} the`],
    [`So, ${'you know, '.repeat(4)}${SPEECH}`, `So, you know, ${SPEECH}`],
    [`${SPEECH} ${'I think we should. '.repeat(3)}Fine.`, `${SPEECH} I think we should. Fine.`],
    [
      `${SPEECH} ${'And that is what we are going to do now. '.repeat(2)}Thanks.`,
      `${SPEECH} And that is what we are going to do now. Thanks.`,
    ],
  ])('is reduced to one repetition: %s', (text, expected) => {
    expect(withoutLoops(text)).toBe(expected);
  });

  it('that is most of the text leaves nothing of it', () => {
    expect(withoutLoops('No, '.repeat(40))).toBe('');
    expect(withoutLoops(`Well, ${'I am going to the other side. '.repeat(5)}`)).toBe('');
  });

  it('takes linear time to find', () => {
    const before = process.cpuUsage();
    expect(withoutLoops('ha '.repeat(100_000))).toBe('');
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
  });
});

describe('ordinary speech', () => {
  it.each([
    'No, no, no, that is not what I said.',
    'It was very, very good. Very, very, very good.',
    'Yes yes yes yes yes, I know.',
    'Bye. Bye bye. Bye!',
    'I had had it. That that is, is.',
    'We will see. We will see. And if not, we will see.',
    'One two three one two three one two three.',
    'Thank you so much. Thank you so much.',
    '  Spaces   stay   as they are.  ',
    '',
  ])('is not changed: %j', (text) => {
    expect(withoutLoops(text)).toBe(text);
  });
});

describe('segments', () => {
  const said = (...texts: string[]) => texts.map((text) => ({ text, speaker: '' }));

  it('that say the same three times in a row are reduced to the first', () => {
    expect(withoutEchoes(said('Hello.', 'Thank you.', 'thank you', 'Thank you!', 'Bye.'))).toEqual(
      said('Hello.', 'Thank you.', 'Bye.'),
    );
  });

  it.each([
    [['Thank you.', 'Thank you.', 'You are welcome.']],
    [['Yes.', 'Yes.', 'Yes.', 'Yes.']],
    [['Good morning.', 'Hi.', 'Good morning.', 'Hi.', 'Good morning.', 'Hi.']],
    [[]],
  ])('are kept otherwise: %j', (texts) => {
    expect(withoutEchoes(said(...texts))).toEqual(said(...texts));
  });
});
