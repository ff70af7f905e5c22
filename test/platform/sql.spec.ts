import { describe, expect, it } from '@jest/globals';
import { joined, sql, tableOf } from '../../src/platform/database/sql.js';

const ATTACK = `'; DROP TABLE users; --`;

describe('composed statements', () => {
  it('bind whatever is interpolated, null too', () => {
    expect(sql`SELECT ${ATTACK}::text, ${null}::uuid`.toQuery()).toEqual({
      text: 'SELECT $1::text, $2::uuid',
      values: [ATTACK, null],
    });
  });

  it('keep what their parts bind, in any depth', () => {
    const owned = sql`owner_id = ${'ada'}`;
    const either = joined([owned, false, undefined, sql`title = ${ATTACK}`], ' OR ');
    expect(sql`SELECT FROM recordings WHERE (${either}) AND id = ${7}`.toQuery()).toEqual({
      text: 'SELECT FROM recordings WHERE (owner_id = $1 OR title = $2) AND id = $3',
      values: ['ada', ATTACK, 7],
    });
    expect(sql`SELECT ${joined([], ', ')}`.toQuery().text).toBe('SELECT ');
  });

  it('have the text of functions as it is', () => {
    expect(sql`SELECT ${() => 'id'} FROM ${() => 'users'}`.toQuery()).toEqual({
      text: 'SELECT id FROM users',
      values: [],
    });
  });

  it('send a list once, however often it is used', () => {
    const ids = ['a', 'b'];
    expect(
      sql`${ids}::uuid[], ${tableOf([
        ['id', 'uuid', ids],
        ['name', 'text', ['a', 'b']],
      ])}`.toQuery(),
    ).toEqual({
      text: '$1::uuid[], unnest($1::uuid[], $2::text[]) AS given (id, name)',
      values: [ids, ['a', 'b']],
    });
  });
});
