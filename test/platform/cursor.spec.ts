import { describe, expect, it } from '@jest/globals';
import { cursorPage, readCursor, writeCursor, type CursorPosition } from '../../src/platform/http/cursor.js';

const id = '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90';
const at = (time: string): CursorPosition => ({ createdAt: new Date(time), id });

describe('a cursor', () => {
  it.each([
    ['1970-01-01T00:00:00.000Z', 'AAAAAAAAAAABmYo8Wx58Op8ELRxrfoqQ'],
    ['2026-01-31T09:30:00.000Z', 'AAABnBNjScABmYo8Wx58Op8ELRxrfoqQ'],
    ['9999-12-31T23:59:59.999Z', 'AADmd9If2_8BmYo8Wx58Op8ELRxrfoqQ'],
  ])('for %s is the same text in every release', (time, cursor) => {
    expect(writeCursor(at(time))).toBe(cursor);
    expect(readCursor(cursor)).toEqual(at(time));
  });

  it('that is missing means the first page', () => {
    expect(readCursor(undefined)).toBeUndefined();
  });

  it.each([
    ['empty', ''],
    ['too short', 'AAAA'],
    ['too long', 'AAABnBNjScABmYo8Wx58Op8ELRxrfoqQA'],
    ['another encoding of the same bytes', 'AAABnBNjScABmYo8Wx58Op8ELRxrfoq='],
    ['a time before 1970', '________________________________'],
    ['a time after 9999', 'f_______________________________'],
  ])('is rejected: %s', (_, cursor) => {
    expect(() => readCursor(cursor)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        message: 'cursor: must be the unmodified next_cursor of a previous page',
      }),
    );
  });
});

describe('a page by cursor', () => {
  const rows = ['2026-01-31T09:30:00.000Z', '2026-01-30T09:30:00.000Z'].map(at);
  const page = (limit: number) => cursorPage(rows, limit, (row) => row);

  it('omits the extra row read beyond the limit, and continues after its own last row', () => {
    expect(page(1)).toEqual({
      rows: rows.slice(0, 1),
      limit: 1,
      hasMore: true,
      nextCursor: 'AAABnBNjScABmYo8Wx58Op8ELRxrfoqQ',
    });
  });

  it.each([2, 3])('is the last one if no row was read beyond %d', (limit) => {
    expect(page(limit)).toEqual({ rows, limit, hasMore: false, nextCursor: null });
  });

  it('may be empty', () => {
    expect(cursorPage([], 5, at)).toEqual({ rows: [], limit: 5, hasMore: false, nextCursor: null });
  });
});
