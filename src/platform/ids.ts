import { v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const UUIDS = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** A new identifier: UUID version 7. */
export const newId = (): string => v7();

/** PostgreSQL accepts more spellings of a UUID than the contract does; ids in any other form do not exist. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** All that occur in a text. */
export const uuidsIn = (text: string): readonly string[] => text.match(UUIDS) ?? [];

/** With this before it, an external id can be sent wherever an id can: `ext:CRM-4711`. */
export const EXTERNAL_ID_PREFIX = 'ext:';
