import { describe, expect, it } from '@jest/globals';
import {
  mergeActionItems,
  type StoredActionItem,
} from '../../../src/modules/summaries/action-items/merge-action-items.js';

const stored = (id: string, text: string, more: Partial<StoredActionItem> = {}): StoredActionItem => ({
  id,
  text,
  owner: null,
  due: null,
  dueDate: null,
  start: null,
  segmentIds: [],
  confidence: null,
  done: false,
  changedAt: null,
  ...more,
});
const given = (text: string, more: object = {}) => ({
  text,
  owner: null,
  due: null,
  segmentIds: [],
  ...more,
});
const CHANGED = { changedAt: new Date(0), done: true };
const kept = { replaces: false };

const seen = (items: readonly StoredActionItem[]) => items.map(({ id, text, done }) => [id, text, done]);
const NEW = expect.stringMatching(/^[0-9a-f-]{36}$/);

describe('action items after a new summary', () => {
  it('are those of the new one, and keep their ids where text or moment are the same', () => {
    const before = [
      stored('a', 'Test the backup.', { start: 60 }),
      stored('b', 'Call Bo', { start: 90 }),
      stored('c', 'Gone', { start: 200 }),
    ];
    const after = mergeActionItems(
      before,
      [
        given('Phone Bo', { start: 93 }),
        given('test the BACKUP', { start: 700 }),
        given('New', { start: 5 }),
      ],
      kept,
    );
    expect(seen(after)).toEqual([
      [NEW, 'New', false],
      ['b', 'Phone Bo', false],
      ['a', 'test the BACKUP', false],
    ]);
  });

  it('have the confidence of the new one, or none', () => {
    const before = [
      stored('a', 'Test the backup', { confidence: 0.3 }),
      stored('b', 'Call Bo', { confidence: 0.4 }),
    ];
    const after = mergeActionItems(
      before,
      [given('Test the backup', { confidence: 0.6 }), given('Call Bo')],
      kept,
    );
    expect(after).toMatchObject([
      { id: 'a', confidence: 0.6 },
      { id: 'b', confidence: null },
    ]);
  });

  it('stay as people changed them, found again or not', () => {
    const before = [
      stored('a', 'Test all backups', { start: 60, owner: 'Cy', ...CHANGED }),
      stored('b', 'Call Bo', { start: 90, ...CHANGED }),
    ];
    const after = mergeActionItems(before, [given('Test the backup', { start: 58, owner: 'Ada' })], kept);
    expect(after).toEqual(before);
  });

  it('takes one that was changed for one new item only', () => {
    const before = [stored('a', 'Test it', { start: 60, ...CHANGED })];
    const after = mergeActionItems(
      before,
      [given('Test it', { start: 61 }), given('Test it', { start: 300 })],
      kept,
    );
    expect(seen(after)).toEqual([
      ['a', 'Test it', true],
      [NEW, 'Test it', false],
    ]);
  });

  it('are exactly what a client sends, with the ids of those that it knows', () => {
    const before = [stored('a', 'One', CHANGED), stored('b', 'Two', CHANGED)];
    const after = mergeActionItems(before, [given('Uno', { id: 'a', done: false })], { replaces: true });
    expect(after).toEqual([{ ...before[0], text: 'Uno', done: false }]);
  });

  it('makes room for what people changed within the limit', () => {
    const before = [stored('a', 'Mine', CHANGED)];
    const after = mergeActionItems(
      before,
      Array.from({ length: 100 }, (_, n) => given(`${n}`)),
      kept,
    );
    expect([after.length, after.some(({ id }) => id === 'a')]).toEqual([100, true]);
    const found = [...before, stored('b', '99', CHANGED)];
    const next = mergeActionItems(
      found,
      Array.from({ length: 100 }, (_, n) => given(`${n}`)),
      kept,
    );
    expect(next).toHaveLength(100);
    expect(next).toEqual(expect.arrayContaining(found));
  });
});
