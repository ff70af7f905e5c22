import { DomainError } from '../../contract/domain-error.js';
import { readCursor, writeCursor, type CursorPosition } from '../../platform/http/cursor.js';
import { sql, type Sql } from '../../platform/database/sql.js';

/** Position of a result: full matches come first; both are ordered by score, then newest first, then by id. */
export interface SearchPosition extends CursorPosition {
  readonly whole: boolean;
  /** A decimal with four digits after the point. */
  readonly score: string;
}

const CURSOR = /^([fp])([0-9]{1,9}\.[0-9]{4})\.([A-Za-z0-9_-]+)$/;

/** Encodes the position of a result; opaque to clients. */
export function writePosition(position: SearchPosition): string {
  return `${position.whole ? 'f' : 'p'}${position.score}.${writeCursor(position)}`;
}

/** The position after which the results continue; undefined for the first page. */
export function readPosition(cursor: string | undefined): SearchPosition | undefined {
  if (cursor === undefined) return undefined;
  const [, kind, score = '', rest = ''] = CURSOR.exec(cursor) ?? [];
  const position = score ? readCursor(rest) : undefined;
  if (!position) {
    throw new DomainError(
      'VALIDATION_ERROR',
      'cursor: must be the unmodified next_cursor of a previous page',
    );
  }
  return { ...position, whole: kind === 'f', score };
}

/** Whether a row of `found` comes after a position. */
export function afterSql(after: SearchPosition | undefined): Sql {
  if (!after) return sql`true`;
  const score = sql`${after.score}::numeric`;
  const createdAt = sql`${after.createdAt}::timestamptz`;
  const whole = sql`${after.whole}::boolean`;
  return sql`(whole < ${whole} OR whole = ${whole} AND (score < ${score} OR score = ${score} AND (created_at < ${createdAt}
    OR created_at = ${createdAt} AND id > ${after.id}::uuid)))`;
}
