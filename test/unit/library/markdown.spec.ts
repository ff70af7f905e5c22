import { describe, expect, it } from '@jest/globals';
import { readMarkdown } from '../../../web/app/insights/markdown.js';

type Shown = ReturnType<typeof readMarkdown>[number];

/** What the browser would be given, written as HTML. */
function write(node: Shown): string {
  if (typeof node === 'string') return node.replaceAll('<', '&lt;');
  const attributes = Object.entries(node.props).map(([name, value]) => ` ${name}="${String(value)}"`);
  return `<${node.tag}${attributes.join('')}>${node.children.map(write).join('')}</${node.tag}>`;
}

const show = (text: string): string => readMarkdown(text).map(write).join('');

const depthOf = (nodes: readonly Shown[]): number =>
  Math.max(0, ...nodes.map((node) => (typeof node === 'string' ? 0 : 1 + depthOf(node.children))));

const LINK = 'rel="noopener noreferrer nofollow" target="_blank"';

describe('Markdown of summaries', () => {
  it.each([
    ['# A\n## B\n### C', '<h3>A</h3><h3>B</h3><h4>C</h4>'],
    ['one\ntwo\n\nthree', '<p>one\ntwo</p><p>three</p>'],
    [
      '**bold** and *soft* and `a*b*`',
      '<p><strong>bold</strong> and <em>soft</em> and <code>a*b*</code></p>',
    ],
    ['**bold *and soft* it**', '<p><strong>bold <em>and soft</em> it</strong></p>'],
    ['snake_case_name, 2 * 3 * 4, **open', '<p>snake_case_name, 2 * 3 * 4, **open</p>'],
    ['\\*no\\* \\# 2\\.', '<p>*no* # 2.</p>'],
    ['- a\n  more\n  - b\n- c', '<ul><li>a\nmore<ul><li>b</li></ul></li><li>c</li></ul>'],
    ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['> a\n> - b', '<blockquote><p>a</p><ul><li>b</li></ul></blockquote>'],
    ['```js\n<b>*x*\n```\nend', '<pre><code>&lt;b>*x*</code></pre><p>end</p>'],
    [
      '| A | B |\n|---|---|\n| 1 | **2** |',
      '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td><strong>2</strong></td></tr></tbody></table>',
    ],
    ['at (10:45)', '<p>at (<a href="#t=10:45">10:45</a>)</p>'],
    ['[site](https://a.test/x)', `<p><a href="https://a.test/x" ${LINK}>site</a></p>`],
  ])('shows %j', (text, html) => {
    expect(show(text)).toBe(html);
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JAVASCRIPT:alert%281%29)',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x]( javascript:1)',
    '[x][1]\n\n[1]: javascript:1',
    '<a href="javascript:1">x</a>',
    '<img src=x onerror=alert(1)>',
    '![x](https://a.test" onload="1)',
    '<https://a.test>',
  ])('makes text of %j', (text) => {
    expect(show(text)).not.toMatch(/<(?!\/?(p|code)>)/);
  });

  it.each([
    ['lists', Array.from({ length: 300 }, (_, level) => `${'  '.repeat(level)}- x`).join('\n')],
    ['quotes', `${'> '.repeat(300)}x`],
    ['emphasis', `${'**a *b '.repeat(300)}${'*c** '.repeat(300)}`],
  ])('bounds how deep %s nest', (_, text) => {
    expect(depthOf(readMarkdown(text))).toBeLessThan(20);
  });

  it.each([
    '**',
    '* a',
    '_a_',
    '`',
    '[',
    '[a](',
    '[a](http://',
    '> ',
    '- ',
    '(1:',
    '| a ',
    '\\',
    '```\n',
    '- a\n',
    '>a\n\n',
    '#\n',
    '- a\n b\n',
    '***a',
    'a\n',
  ])('reads 200 KB of %j within a second', (part) => {
    const start = performance.now();
    readMarkdown(part.repeat(200_000 / part.length));
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it('reads 200 KB of indented items within a second', () => {
    const start = performance.now();
    readMarkdown(Array.from({ length: 600 }, (_, level) => `${' '.repeat(level)}- x`).join('\n'));
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
