import { describe, expect, it } from '@jest/globals';
import { suggestNames } from '../../../src/lib/speech/named-voices.js';

/** A voice in the direction of an angle, in degrees. */
const voice = (degrees: number) => {
  const angle = (degrees * Math.PI) / 180;
  return { embedding: Float32Array.of(Math.cos(angle), Math.sin(angle)) };
};
const named = (name: string, degrees: number, seconds = 10) => ({ name, seconds, ...voice(degrees) });
const shown = (...found: Parameters<typeof suggestNames>) =>
  suggestNames(...found).map((one) => one && [one.name, Number(one.confidence.toFixed(2))]);

describe('the names of voices', () => {
  it('are those of the people they are most like, if they are like enough', () => {
    const known = [named('Ada', 0), named('Grace', 90)];
    expect(shown([voice(10), voice(100), voice(200)], known)).toEqual([['Ada', 0.98], ['Grace', 0.98], null]);
    expect(shown([voice(-53), voice(-54)], known)).toEqual([['Ada', 0.6], null]);
    expect(shown([voice(0)], [])).toEqual([null]);
  });

  it('are not told when two people are as likely', () => {
    expect(shown([voice(45)], [named('Ada', 44), named('Grace', 46)])).toEqual([null]);
    expect(shown([voice(44)], [named('Ada', 44), named('Grace', 70)])).toEqual([['Ada', 1]]);
  });

  it('are given to one speaker each, who is most like them', () => {
    expect(shown([voice(20), voice(5), voice(10)], [named('Ada', 0)])).toEqual([null, ['Ada', 1], null]);
  });

  it('count voices of the same name together, in any case, by how long they are heard', () => {
    expect(shown([voice(30)], [named('Ada', 0, 300), named('ADA', 90, 100)])).toEqual([['Ada', 0.98]]);
    expect(shown([voice(0)], [named('Ada', 0), named('Ada', 180)])).toEqual([null]);
  });
});
