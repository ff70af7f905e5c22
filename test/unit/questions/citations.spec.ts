import { describe, expect, it } from '@jest/globals';
import { checkCitations } from '../../../src/modules/questions/answers/chat-answerer.js';

const ada = (id: number, text: string) => ({ id, start: id * 10, end: id * 10 + 9, speaker: 'Ada', text });
const bob = (id: number, text: string) => ({ ...ada(id, text), speaker: 'Bob' });

const GIVEN = [
  ada(4, 'So, we’ll ship the “winter routes” on Monday — unless'),
  ada(5, 'the drivers say no. That is all.'),
  bob(6, 'Agreed!'),
  ada(7, 'Das kostet 1.200 Euro für das ganze Jahr.'),
  bob(9, 'もう一度、来週の月曜日に確認します。'),
];

const check = (segment_id: number, quote: string) => checkCitations([{ segment_id, quote }], GIVEN);

describe('citations of a written answer', () => {
  it('are returned with the text, times and speaker of the transcript', () => {
    expect(check(4, 'we will ship')).toEqual([]);
    expect(check(4, 'We\'ll ship the "Winter Routes" on monday')).toEqual([
      { id: 4, start: 40, end: 49, speaker: 'Ada', quote: 'we’ll ship the “winter routes” on Monday' },
    ]);
  });

  it('are dropped when the segment was not given', () => {
    expect(check(3, 'the drivers say no')).toEqual([]);
    expect(check(8, 'the drivers say no')).toEqual([]);
    expect(check(-1, 'the drivers say no')).toEqual([]);
  });

  it('are dropped when the words are elsewhere, in another order or incomplete', () => {
    expect(check(6, 'the drivers say no')).toEqual([]);
    expect(check(5, 'the drivers no say')).toEqual([]);
    expect(check(5, 'the drivers ... no')).toEqual([]);
    expect(check(5, 'the drivers say yes')).toEqual([]);
  });

  it('are dropped for partial words or just one or two words, which prove nothing', () => {
    expect(check(5, 'rivers say no')).toEqual([]);
    expect(check(5, 'the')).toEqual([]);
    expect(check(5, 'is all')).toEqual([]);
    expect(check(5, '')).toEqual([]);
    expect(check(5, '"...!"')).toEqual([]);
  });

  it('may be short when the segment is', () => {
    expect(check(6, 'agreed')).toEqual([{ id: 6, start: 60, end: 69, speaker: 'Bob', quote: 'Agreed!' }]);
  });

  it('are split by segment when a quote continues in the next one of the same speaker', () => {
    expect(check(4, 'on Monday, unless the drivers say no')).toEqual([
      { id: 4, start: 40, end: 49, speaker: 'Ada', quote: 'on Monday — unless' },
      { id: 5, start: 50, end: 59, speaker: 'Ada', quote: 'the drivers say no.' },
    ]);
  });

  it('do not continue into another speaker or across segments that were not given', () => {
    expect(check(5, 'That is all. Agreed!')).toEqual([]);
    expect(check(7, 'das ganze Jahr もう一度')).toEqual([]);
  });

  it('are found in any language', () => {
    expect(check(7, 'das kostet 1200 Euro')).toEqual([]);
    expect(check(7, 'Das kostet 1.200 Euro fur das')).toEqual([
      { id: 7, start: 70, end: 79, speaker: 'Ada', quote: 'Das kostet 1.200 Euro für das' },
    ]);
    expect(check(9, '来週の月曜日に確認')).toEqual([
      { id: 9, start: 90, end: 99, speaker: 'Bob', quote: '来週の月曜日に確認' },
    ]);
  });

  it('are checked in bounded time, however long the quote', () => {
    const long = [ada(0, 'a '.repeat(5_000)), ada(1, 'b '.repeat(5_000))];
    const claims = Array.from({ length: 1_000 }, () => ({ segment_id: 0, quote: 'a '.repeat(50_000) + 'c' }));
    const before = process.cpuUsage();
    expect(checkCitations(claims, long).length).toBeLessThanOrEqual(1);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(2);
  });
});
