import { describe, expect, it } from '@jest/globals';
import { correctTerms, type GlossaryTerm } from '../../../src/lib/language/glossary.js';

const TERMS: readonly GlossaryTerm[] = [
  { term: 'LambdaClass', heard_as: [] },
  { term: 'EIP-7702', heard_as: ['EIP seventy seven oh two'] },
  { term: 'Jörg Müller', heard_as: ['york miller'] },
  { term: 'Will', heard_as: [] },
  { term: 'WHO', heard_as: ['W H O'] },
  { term: 'GraphQL', heard_as: ['graph cue el', 'graf quell'] },
  { term: '区块链', heard_as: ['曲快链'] },
];

const MOST = 10_000;

const corrected = async (text: string, terms = TERMS) =>
  (await correctTerms([{ id: 1, text }], terms, MOST)).map((segment) => segment.text)[0];

describe('a glossary', () => {
  it.each([
    ['We ask lambda class about it.', 'We ask LambdaClass about it.'],
    ["That is Lambda-class's client.", "That is LambdaClass's client."],
    ['Is E I P 7702 final?', 'Is EIP-7702 final?'],
    ['eip7702, eip 7702 and EIP seventy seven oh two', 'EIP-7702, EIP-7702 and EIP-7702'],
    ['Thanks, jorg muller. York Miller agrees.', 'Thanks, Jörg Müller. Jörg Müller agrees.'],
    ['graphql, Graph cue el and graf quell', 'GraphQL, GraphQL and GraphQL'],
    ['The W H O says so', 'The WHO says so'],
    ['我们讨论曲快链的费用', '我们讨论区块链的费用'],
  ])('spells terms as they should be: %s', async (heard, expected) => {
    expect(await corrected(heard)).toBe(expected);
  });

  it.each([
    // Words, not names.
    ['will you tell us who will pay?'],
    // Two sentences.
    ['We ask Lambda. Class begins at nine.'],
    ['The classes of lambda'],
    ['EIP-7702'],
    [''],
    ['...'],
  ])('leaves the rest as it is: %s', async (heard) => {
    expect(await corrected(heard)).toBe(heard);
  });

  it('takes the longest passage, and what is heard before the term itself', async () => {
    const terms = [
      { term: 'Ada', heard_as: ['aida'] },
      { term: 'Ada Lovelace', heard_as: ['aida love lace'] },
    ];
    expect(await corrected('aida and aida love lace', terms)).toBe('Ada and Ada Lovelace');
  });

  it('leaves a segment as it is that would become too long', async () => {
    const terms = [{ term: 'x'.repeat(100), heard_as: ['a'] }];
    const [fits, not] = ['a '.repeat(99), 'a '.repeat(100)];
    expect((await corrected(fits, terms))?.length).toBe(99 * 101);
    expect(await corrected(not, terms)).toBe(not);
  });

  it('keeps everything else of the segments', async () => {
    const segments = [{ id: 7, start: 1, end: 2, speaker: 'Ada', text: 'graph ql', confidence: 1 }];
    expect(await correctTerms(segments, TERMS, MOST)).toEqual([{ ...segments[0], text: 'GraphQL' }]);
  });

  it('gives way to other work while it corrects 20,000 segments with 500 terms', async () => {
    const terms = Array.from({ length: 500 }, (_, index) => ({
      term: `Term ${index}`,
      heard_as: Array.from({ length: 5 }, (__, at) => `曲${index}快${at}`),
    }));
    const segments = Array.from({ length: 20_000 }, (_, index) => ({
      text: `${'word '.repeat(20)} term${index % 500} 曲${index % 500}快1`,
    }));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const last = (await correctTerms(segments, terms, MOST)).at(-1);
    clearInterval(timer);
    expect(last?.text).toBe(`${'word '.repeat(20)} Term 499 Term 499`);
    expect(turns).toBeGreaterThan(5);
  });
});
