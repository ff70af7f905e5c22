import { describe, expect, it } from '@jest/globals';
import safeHtml, { MAX_HTML } from '../../../src/modules/summaries/public/safe-html.task.js';

describe('Markdown of a summary', () => {
  it('renders headings below those of the page, lists, tables and links', () => {
    expect(safeHtml('# One\n\n## Two\n\n### Three\n\n- a **b** `c` ~~d~~')).toBe(
      '<h3>One</h3>\n<h3>Two</h3>\n<h4>Three</h4>\n<ul>\n<li>a <strong>b</strong> <code>c</code> <s>d</s></li>\n</ul>\n',
    );
    expect(safeHtml('|a|\n|-|\n|1|')).toBe(
      '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n</tr>\n</tbody>\n</table>\n',
    );
    expect(safeHtml('[the plan](https://example.com/plan "title")')).toBe(
      '<p><a href="https://example.com/plan" rel="noopener noreferrer nofollow" target="_blank">the plan</a></p>\n',
    );
  });

  it('links the timestamps it contains', () => {
    expect(safeHtml('- Ada (10:45): "Yes" (1:02:03)')).toBe(
      '<ul>\n<li>Ada (<a href="#t=10:45">10:45</a>): "Yes" (<a href="#t=1:02:03">1:02:03</a>)</li>\n</ul>\n',
    );
    expect(safeHtml('`(10:45)` 10:45 (10:75) (2026) [x (1:00)](https://example.com)')).not.toContain('#t=');
  });

  it.each([
    ['HTML', '<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>\n'],
    ['block HTML', '<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n'],
    ['an image', '![a <b>](https://evil.test/x.png)', '<p>a &lt;b&gt;</p>\n'],
    ['a link to a script', '[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>\n'],
    ['a link to data', '[a](data:text/html,x)', '<p>[a](data:text/html,x)</p>\n'],
    ['a code language', '```js" onload="x\na\n```', '<pre><code>a\n</code></pre>\n'],
  ])('is rendered without active content when it is %s', (_, text, html) => {
    expect(safeHtml(text)).toBe(html);
  });

  it('does not link to scheme-relative or script URLs', () => {
    for (const text of ['[a](//evil.test)', '[a](</\\evil.test>)', '[a](&#x6a;avascript:alert(1))'])
      expect(safeHtml(text)).not.toMatch(/href="(\/\/|\/\\|[^"]*script)/);
  });

  it('ignores reference definitions, as one could be expanded thousands of times', () => {
    const url = `https://example.com/${'b'.repeat(100)}`;
    expect(safeHtml(`[a]: ${url}\n\n[a] [a] [b][a]`)).toBe(`<p>[a]: ${url}</p>\n<p>[a] [a] [b][a]</p>\n`);
    const bomb = `[a]: ${'b'.repeat(25_000)}\n\n${'[a] '.repeat(18_748)}`;
    expect(safeHtml(bomb)!.length).toBeLessThan(2 * bomb.length);
  });

  it.each([
    ['links', '[a](b) '.repeat(14_000)],
    ['tables', `|${'a|'.repeat(300)}\n|${'-|'.repeat(300)}\n${'|\n'.repeat(49_000)}`],
    ['quotations', `${'>'.repeat(1000)}\n`.repeat(99)],
    ['lists', `${'- '.repeat(500)}\n`.repeat(99)],
    ['timestamps', '(1:00)'.repeat(16_000)],
  ])('is bounded for 100,000 characters of %s', (_, bomb) => {
    expect(bomb.length).toBeLessThanOrEqual(100_000);
    expect(safeHtml(bomb)?.length ?? 0).toBeLessThanOrEqual(MAX_HTML);
  });
});
