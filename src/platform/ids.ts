import { v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new identifier: UUID version 7. */
export function newId(): string {
  return v7();
}

/** PostgreSQL accepts more spellings of a UUID than the contract does; ids in any other form do not exist. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
