import { change, edited, type ChangeType } from '../../../src/contract/changes/change-details.js';
import type { ErrorDefinition } from '../../../src/platform/errors/service-error.js';
import type { RecordingPart } from '../../factories/parts.js';

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

/** The rows that the example adds to `personal-data.ts`. */
export const PERSONAL_DATA = {
  'bookmarks.label': {
    user: 'row',
    member: 'kept: who sees the recording still needs it',
    recording: 'row',
    organization: 'job',
  },
};

/** The entry that the example adds to `parts.ts`. */
export const PARTS: readonly RecordingPart[] = [
  {
    table: 'bookmarks',
    parameter: 'bookmarkId',
    isOfAuthor: true,
    requests: {
      'POST /recordings/{id}/bookmarks': (label) => ({ at: 1, label }),
      'PATCH /recordings/{id}/bookmarks/{bookmarkId}': (label) => ({ label }),
      'DELETE /recordings/{id}/bookmarks/{bookmarkId}': () => undefined,
    },
    allowed: {
      'POST /recordings/{id}/bookmarks': { because: 'who reads it may mark moments', cases: ['seen'] },
      'DELETE /recordings/{id}/bookmarks/{bookmarkId}': {
        because: 'authors may always delete',
        cases: ['locked', 'lapsed'],
      },
    },
    refusals: {
      'PATCH /recordings/{id}/bookmarks/{bookmarkId}': ['BOOKMARK_NOT_YOURS'],
      'DELETE /recordings/{id}/bookmarks/{bookmarkId}': ['BOOKMARK_NOT_YOURS'],
    },
  },
];

/** The rows that the example adds to `plan-tests.spec.ts`. */
export const PLAN_TESTS = {
  'GET /api/v1/recordings/{id}/bookmarks': {
    limit: 'e2e/bookmarks/bookmarks > a page reads little more than its bookmarks',
    cursor: 'e2e/bookmarks/bookmarks > a page reads little more than its bookmarks',
  },
};

type Rows = typeof ERROR_CATALOG;

declare module '../../../src/contract/error-catalog.js' {
  interface ErrorCatalog extends Rows {}
}
