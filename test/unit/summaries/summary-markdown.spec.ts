import { describe, expect, it } from '@jest/globals';
import MarkdownIt from 'markdown-it';
import { summaryMarkdown } from '../../../src/modules/summaries/public/summary-markdown.js';

const ITEM = {
  id: '',
  owner: null,
  due: null,
  dueDate: null,
  start: null,
  segmentIds: [],
  confidence: null,
  done: false,
};

/** The text of each heading and list item; markup within it shows as the name of its kind. */
function plainTexts(markdown: string): string[] {
  const inline = new MarkdownIt({ html: true, linkify: true }).parse(markdown, {});
  return inline
    .filter(({ type }) => type === 'inline')
    .map(({ children }) =>
      (children ?? [])
        .map((part) => (part.type === 'text' || part.type === 'text_special' ? part.content : part.type))
        .join(''),
    );
}

describe('a summary as Markdown', () => {
  it.each([
    '- a dash',
    '+ a plus',
    '23) twenty-third',
    '# a number',
    '> a quotation',
    '=== a line',
    '| a | b |',
    '*stars* and _lines_ and ~~waves~~',
    '`code`, <b>HTML</b> and &amp;',
    'a [link](https://example.com) and ![image](x.png)',
    'https://example.com and www.example.com',
    'a \\ backslash',
  ])('shows %s as it was said', (said) => {
    const markdown = summaryMarkdown(said, {
      content: null,
      topics: [{ title: said, keyPoints: [{ point: said, details: [said] }] }],
      decisions: [{ text: said, segmentIds: [] }],
      actionItems: [{ ...ITEM, text: said }],
    });
    const headed = ['Decisions', said, 'Action items', `[ ] ${said}`];
    expect(plainTexts(markdown)).toEqual([said, ...headed, said, said, said]);
  });

  it.each([
    ['by Friday', '2026-02-27', 'by Friday, 2026-02-27'],
    ['soon', null, 'soon'],
    [null, '2026-02-27', '2026-02-27'],
    ['2026-02-27', '2026-02-27', '2026-02-27'],
  ])('says when an action item is due: %s and %s', (due, dueDate, shown) => {
    const actionItems = [{ ...ITEM, text: 'Call Bo', due, dueDate }];
    expect(summaryMarkdown('x', { content: null, topics: [], decisions: [], actionItems })).toContain(
      `- [ ] Call Bo – ${shown}\n`,
    );
  });

  it('leaves ordinary punctuation alone', () => {
    const said = 'Real-time (at last!): 3.5 s + 1, "done". #1';
    expect(summaryMarkdown(said, { content: null, topics: [], decisions: [], actionItems: [] })).toBe(
      '# Real-time (at last!): 3.5 s + 1, "done". \\#1\n',
    );
  });
});
