import { describe, expect, it } from '@jest/globals';
import { findAll, fold, splitAtMatches } from '../../../web/share/scripts/search.js';

/** The text with its matches in brackets, as the page would mark them. */
function marked(text: string, words: string): string {
  const needle = fold(words);
  const { matches, rest } = splitAtMatches(text, findAll(fold(text), needle), needle.length);
  return matches.map((match) => `${match.before}[${match.text}]`).join('') + rest;
}

describe('search on the share page', () => {
  it.each([
    ['The café opens', 'CAFE', 'The [café] opens'],
    ['The cafe\u0301 opens at noon', 'café', 'The [cafe\u0301] opens at noon'],
    ['Übrigens, über alles', 'uber', 'Übrigens, [über] alles'],
    ['ΟΔΟΣ and οδός', 'οδος', '[ΟΔΟΣ] and [οδός]'],
    ['İstanbul is large', 'istanbul', '[İstanbul] is large'],
    ['👋 hello 👋 hello', 'hello', '👋 [hello] 👋 [hello]'],
    ['한국어 회의', '회의', '한국어 [회의]'],
    ['nothing here', 'word', 'nothing here'],
    ['<b>bold</b>', '<b>', '[<b>]bold</b>'],
  ])('in "%s" finds "%s"', (text, words, expected) => {
    expect(marked(text, words)).toBe(expected);
  });

  it('finds nothing when nothing is searched for', () => {
    expect(findAll('some text', '')).toEqual([]);
  });

  it('keeps every character of the text', () => {
    const text = 'Ǆ, ﬁrst, e\u0301tude, İ, ß — ends';
    for (const words of ['e', 'i', 's', 'd']) {
      expect(marked(text, words).replaceAll(/[[\]]/g, '')).toBe(text);
    }
  });
});
