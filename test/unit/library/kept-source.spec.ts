import { describe, expect, it } from '@jest/globals';
import { KeptSource } from '../../../web/app/uploads/source.js';

const text = async (piece: Promise<Blob>): Promise<string> => (await piece).text();

describe('What is kept of a recording', () => {
  it('is read from any place, as soon as there is something, until it ends', async () => {
    const source = new KeptSource([], { size: null, hasEnded: false });
    const first = text(source.read(0, 4));
    source.add(new Blob(['abc']));
    expect(await first).toBe('abc');
    source.add(new Blob(['defgh']));
    expect(await text(source.read(2, 4))).toBe('cdef');
    const last = text(source.read(8, 4));
    source.end();
    expect(await last).toBe('');
    expect(await source.whole().text()).toBe('abcdefgh');
  });

  it('is complete only once it has ended, and all of it was read now or sent before', async () => {
    const source = new KeptSource([new Blob(['abcdef'])], { size: null, hasEnded: false });
    await source.read(0, 6);
    expect(source.isComplete(6)).toBe(false);
    source.end();
    expect(source.isComplete(0)).toBe(true);
    const again = new KeptSource([new Blob(['abcdef'])], { size: null, hasEnded: true });
    expect([again.isComplete(5), again.isComplete(6)]).toEqual([false, true]);
  });
});
