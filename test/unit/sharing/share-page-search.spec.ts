import { describe, expect, it } from '@jest/globals';
import { findAll, fold, splitAtSpans, termsOf } from '../../../web/share/scripts/search.js';

/** The text with its matches in brackets, as the page would mark them. */
function marked(text: string, query: string): string {
  const parts = splitAtSpans(text, findAll(fold(text), termsOf(query)));
  return parts.map((part, index) => (index % 2 ? `[${part}]` : part)).join('');
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
    ['The planner closes the hill', 'hill planner', 'The [planner] closes the [hill]'],
    ['The planner closes', 'hill planner', 'The planner closes'],
    ['winter routes, routes in winter', '"winter routes"', '[winter routes], routes in winter'],
    ['winter routes, routes in winter', 'in “winter routes', '[winter routes], routes [in] winter'],
    ['Winterwonder', 'winter wonder win', '[Winter][wonder]'],
    ['This is it', 'is', 'This [is] it'],
    ['C++ (really?)', '(really?) c++', '[C++] [(really?)]'],
  ])('in "%s" finds "%s"', (text, words, expected) => {
    expect(marked(text, words)).toBe(expected);
  });

  it.each(['', ' ', '"', '""'])('finds nothing when nothing is searched for: %p', (query) => {
    expect(marked('some "text"', query)).toBe('some "text"');
  });

  it('keeps every character of the text', () => {
    const text = 'Ǆ, ﬁrst, e\u0301tude, İ, ß — ends';
    for (const words of ['e', 'i', 's', 'd']) {
      expect(marked(text, words).replaceAll(/[[\]]/g, '')).toBe(text);
    }
  });
});
