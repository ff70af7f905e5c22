import { change, edited, type ChangeType } from '../../../src/contract/change-catalog.js';
import type { ErrorDefinition } from '../../../src/platform/errors/service-error.js';

/** The rows that the example adds to `error-catalog.ts`. */
export const ERROR_CATALOG = {
  BOOKMARK_NOT_FOUND: {
    status: 404,
    message: 'Bookmark not found.',
    when: 'the recording has no such bookmark',
  },
  BOOKMARK_NOT_YOURS: {
    status: 403,
    message: 'Only the user who added a bookmark can change or delete it.',
    when: 'someone else has added the bookmark',
  },
} as const satisfies Readonly<Record<string, ErrorDefinition>>;

/** The rows that the example adds to `change-catalog.ts`. */
export const CHANGE_CATALOG = {
  'bookmark.created': change('recording', 'a bookmark is added to a recording'),
  'bookmark.updated': edited('recording', 'the time or the label of a bookmark changes', 'label'),
  'bookmark.deleted': change('recording', 'a bookmark is deleted, but not together with its recording'),
} as const satisfies Readonly<Record<string, ChangeType>>;

type Rows = typeof ERROR_CATALOG;

declare module '../../../src/contract/error-catalog.js' {
  interface ErrorCatalog extends Rows {}
}
