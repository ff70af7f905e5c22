import { describe, expect, it } from '@jest/globals';
import { partsOf } from '../../../web/app/library/snippet.js';
import { indexesOf, windowOf } from '../../../web/app/library/window.js';

describe('the list of the library', () => {
  it.each([
    ['the top', { count: 1_000, scrolled: -200, height: 800 }, [0, 20]],
    ['the middle', { count: 1_000, scrolled: 8_400, height: 800 }, [88, 122]],
    ['the end', { count: 1_000, scrolled: 83_300, height: 800 }, [979, 1_000]],
    ['few rows', { count: 3, scrolled: -200, height: 800 }, [0, 3]],
    ['rows that are gone', { count: 3, scrolled: 84_000, height: 800 }, [3, 3]],
    ['no rows', { count: 0, scrolled: 0, height: 800 }, [0, 0]],
  ] as const)('keeps the rows near the window: %s', (_, view, range) => {
    expect(windowOf(view)).toEqual(range);
  });

  it('keeps the row with the focus, in its order', () => {
    expect(indexesOf([5, 8], { focused: -1, count: 50 })).toEqual([5, 6, 7]);
    expect(indexesOf([5, 8], { focused: 6, count: 50 })).toEqual([5, 6, 7]);
    expect(indexesOf([5, 8], { focused: 2, count: 50 })).toEqual([1, 2, 3, 5, 6, 7]);
    expect(indexesOf([5, 8], { focused: 8, count: 50 })).toEqual([5, 6, 7, 8, 9]);
    expect(indexesOf([5, 8], { focused: 49, count: 50 })).toEqual([5, 6, 7, 48, 49]);
  });

  it('reads what is marked in a passage as text, whatever it says', () => {
    expect(
      partsOf('The <mark>budget</mark> &lt;mark&gt;of&lt;/mark&gt; A&amp;amp;B, &quot;it&#39;s&quot;'),
    ).toEqual(['The ', 'budget', ` <mark>of</mark> A&amp;B, "it's"`]);
    expect(partsOf('<mark>All</mark>')).toEqual(['', 'All', '']);
  });
});
