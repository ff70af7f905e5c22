import { v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const UUIDS = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** A new identifier: UUID version 7. */
export function newId(): string {
  return v7();
}

/** PostgreSQL accepts more spellings of a UUID than the contract does; ids in any other form do not exist. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** All that occur in a text. */
export function uuidsIn(text: string): readonly string[] {
  return text.match(UUIDS) ?? [];
}
