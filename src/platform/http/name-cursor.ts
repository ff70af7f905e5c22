import { z } from '../zod.js';
import { PlatformError } from '../errors/platform-error.js';
import { isUuid } from '../ids.js';
import { isStorable } from '../text.js';

/** Position of a row in a list ordered by name and id. */
export interface NamePosition {
  readonly name: string;
  readonly id: string;
}

const POSITION = z.tuple([z.string().refine(isStorable), z.string().refine(isUuid)]);

/** Encodes the position of a row; opaque to clients. */
export function writeNameCursor({ name, id }: NamePosition): string {
  return Buffer.from(JSON.stringify([name, id])).toString('base64url');
}

/** The position after which the list continues; undefined for the first page. */
export function readNameCursor(cursor: string | undefined): NamePosition | undefined {
  if (cursor === undefined) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.toString('base64url') === cursor ? read(bytes) : undefined;
  if (position) return position;
  throw new PlatformError(
    'VALIDATION_ERROR',
    'cursor: must be the unmodified next_cursor of a previous page',
  );
}

function read(bytes: Buffer): NamePosition | undefined {
  try {
    const [name, id] = POSITION.parse(JSON.parse(bytes.toString()));
    return { name, id };
  } catch {
    return undefined;
  }
}
