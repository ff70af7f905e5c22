import { describe, expect, it } from '@jest/globals';
import { operationsOf, type ApiDocument } from '../support/api-document.js';
import { openapi } from '../support/contract.js';
import { expectNone, mistakeOfProof } from '../support/proofs.js';

const PAGE = 'integration/list-plans > %s: the page is read from an index in list order';
const LATER = 'integration/list-plans > a later page reads the rows before it only once';
const SEARCH =
  'integration/list-plans > a search %s: the index of words finds the hits, and few recordings are read';

const ACTION_ITEMS = 'integration/list-plans > %s: a page of action items reads little more than the page';

const DELETED = 'integration/list-plans > deleted ones %s: a page is read from an index in list order';

const MANAGED =
  'integration/management-plans > GET %s%s: reads only the rows of the organization, or of the page';
const NEXT =
  'integration/management-plans > GET %s: a page by cursor reads only the rows of the organization, or of the page';
const BY_NAME = { search: MANAGED, limit: MANAGED, cursor: NEXT };

const EVENTS = 'integration/events-plans > %s: a page reads a bounded number of rows, from an index';
const AUDIT = 'integration/audit-plans > %s: %s%s reads little more than the page';
const COMBINED =
  'integration/audit-plans > %s: %s%s reads a bounded number of rows, and says that more may follow';
const MONTHS = 'integration/audit-plans > %s: only the months asked for are read';
const AUDIT_LOG = {
  type: `${AUDIT} > a rare type`,
  actor_id: `${AUDIT} > actor`,
  target_id: `${AUDIT} > target`,
  since: `${MONTHS} > since and until`,
  until: `${MONTHS} > until`,
  limit: `${AUDIT} > limit`,
  cursor: 'integration/audit-plans > cursor: a page by cursor begins where the previous one ended: %s',
  // The file is read page by page.
  format: `${AUDIT} > limit`,
};
const WEBHOOKS = 'integration/webhook-plans > GET /webhooks%s: reads only the rows of the page';

/**
 * For each parameter of each list, the test that checks its query plan (`EXPLAIN`) with as many rows as a large
 * customer has.
 */
const PLAN_TESTS: Record<string, Record<string, string>> = {
  'GET /api/v1/recordings': {
    limit: LATER,
    offset: LATER,
    cursor: 'integration/list-plans > a page by cursor begins in the index where the page before it ended',
    search: 'integration/list-plans > a rare word, %s: the hits are found by the trigram index',
    status: `${PAGE} > several rare statuses`,
    date_from: `${PAGE} > date range`,
    date_to: `${PAGE} > dates long ago`,
    updated_since:
      'integration/list-plans > changed within a minute, %s: the changed recordings are found by their index',
    external_id: 'integration/list-plans > %s: the recording is found by the index',
    metadata: 'integration/list-plans > %s: the recording is found by the index',
    organization_id: `${PAGE} > OWNER of the organization`,
    folder_id: `${PAGE} > folder`,
  },
  'GET /api/v1/action-items': {
    limit: `${ACTION_ITEMS} > not done`,
    cursor: `${ACTION_ITEMS} > by cursor`,
    done: `${ACTION_ITEMS} > not done`,
    owner: `${ACTION_ITEMS} > of a rare owner`,
    date_from: `${ACTION_ITEMS} > date range`,
    date_to: `${ACTION_ITEMS} > date range`,
    organization_id: `${ACTION_ITEMS} > OWNER of the organization`,
    folder_id: `${ACTION_ITEMS} > of a folder`,
  },
  'GET /api/v1/deleted-recordings': {
    limit: `${DELETED} > of an organization`,
    cursor: `${DELETED} > by cursor`,
    organization_id: `${DELETED} > of an organization`,
  },
  'GET /api/v1/organizations': BY_NAME,
  'GET /api/v1/organizations/{id}/folders': { ...BY_NAME, all: MANAGED },
  'GET /api/v1/organizations/{id}/members': BY_NAME,
  'GET /api/v1/organizations/{id}/invitations': BY_NAME,
  'GET /api/v1/organizations/{id}/voices': BY_NAME,
  'GET /api/v1/users': { ...BY_NAME, external_id: MANAGED, metadata: MANAGED },
  'GET /api/v1/oauth-clients': { organization_id: MANAGED },
  'GET /api/v1/legal-holds': { organization_id: MANAGED, limit: MANAGED, cursor: MANAGED },
  'GET /api/v1/events': {
    limit: `${EVENTS} > with a limit`,
    cursor: 'integration/events-plans > a page by cursor begins in the index where the page before it ended',
    since: `${EVENTS} > since a time`,
    types: 'integration/events-plans > of rare types: a page reads a bounded number of rows, from an index',
    recording_id: `${EVENTS} > of a recording`,
    organization_id: `${EVENTS} > of an organization`,
  },
  'GET /api/v1/organizations/{id}/audit-log': AUDIT_LOG,
  'GET /api/v1/me/audit-log': {
    ...AUDIT_LOG,
    type: `${COMBINED} > own, of a rare type`,
    actor_id: `${COMBINED} > own, of another actor`,
    target_id: `${COMBINED} > own, of a recording`,
    limit: `${AUDIT} > own`,
  },
  'GET /api/v1/audit-log': {
    ...AUDIT_LOG,
    type: `${COMBINED} > of all, of a rare type`,
    actor_id: `${AUDIT} > of all, of an actor`,
    target_id: `${COMBINED} > of all, of a recording`,
    since: `${MONTHS} > of all, since and until`,
    until: `${MONTHS} > of all, until`,
    limit: `${AUDIT} > of all`,
  },
  'GET /api/v1/webhooks': { organization_id: WEBHOOKS },
  'GET /api/v1/webhooks/{id}/deliveries': {
    status: WEBHOOKS,
    type: WEBHOOKS,
    limit: WEBHOOKS,
    cursor: 'integration/webhook-plans > a later page of deliveries reads only its rows',
  },
  'GET /api/v1/recordings/search': {
    q: `${SEARCH} > of an organization`,
    limit: `${SEARCH} > with a later page`,
    offset: `${SEARCH} > with a later page`,
    cursor: `${SEARCH} > by cursor`,
    speaker: `${SEARCH} > of a speaker`,
    status: `${SEARCH} > with a status`,
    date_from: `${SEARCH} > with a date range`,
    date_to: `${SEARCH} > with a date range`,
    external_id: 'integration/list-plans > a search with %s reads few recordings',
    metadata: 'integration/list-plans > a search with %s reads few recordings',
    organization_id: `${SEARCH} > of an organization`,
    folder_id: `${SEARCH} > of a folder`,
  },
};

/** The query parameters of each list, that is, of each operation whose `data` is an array. */
function listParameters(document: ApiDocument): [list: string, parameters: string[]][] {
  return operationsOf(document).flatMap(([name, { parameters = [], responses }]) => {
    const { schema } = responses['200']?.content?.['application/json'] ?? {};
    const query = parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => parameter.name);
    const isList = name.startsWith('GET ') && schema?.properties?.['data']?.type === 'array';
    return isList && query.length > 0 ? [[name, query] as [string, string[]]] : [];
  });
}

function mistakes(document: ApiDocument): string[] {
  return listParameters(document).flatMap(([list, parameters]) =>
    parameters.flatMap((parameter) => {
      const proof = PLAN_TESTS[list]?.[parameter];
      const mistake = proof === undefined ? 'no test checks its query plan' : mistakeOfProof(proof);
      if (mistake === null) return [];
      return [
        `${parameter} of ${list}: ${mistake}. Check it in test/integration/list-plans.spec.ts or a test like it, and add that test to PLAN_TESTS of test/contract/plan-tests.spec.ts`,
      ];
    }),
  );
}

describe('The query plan of every list parameter', () => {
  it('is checked by the test that PLAN_TESTS names', () => {
    expect(listParameters(openapi as unknown as ApiDocument).map(([list]) => list)).toEqual(
      expect.arrayContaining(Object.keys(PLAN_TESTS)),
    );
    expectNone(mistakes(openapi as unknown as ApiDocument));
  });
});
