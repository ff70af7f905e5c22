import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from '../../src/contract/error-catalog.js';
import { operationsOf, type ApiDocument } from '../support/api-document.js';
import { openapi } from '../support/contract.js';
import { expectNone, mistakeOfProof } from '../support/proofs.js';

/** Every row and rule of the specification by section; below each, the tests that prove it: file > title. */
const SPEC = `
## Resources and their fields
success replies are wrapped in data
  e2e/recordings/get > returns everything about a recording
  e2e/recordings/get > returns null for what is not yet known, and omits no field
  e2e/auth/authentication > returns the user and the key in use
timestamps are ISO 8601 in UTC
  e2e/recordings/list > returns exactly the fields of an item, with timestamps in UTC with milliseconds
recording, list item
  e2e/recordings/list > returns exactly the fields of an item, with timestamps in UTC with milliseconds
recording, detail
  e2e/recordings/get > returns everything about a recording
  e2e/recordings/get > returns null for what is not yet known, and omits no field
detail: organizationId is null without an organization
  e2e/recordings/get > returns null for what is not yet known, and omits no field
detail: downloadUrl is limited in time by downloadUrlExpiresAt
  e2e/recordings/get > returns new URLs each time, all with the same expiry
  e2e/media/deliver > refuses a URL from the moment it expires, one hour after it was issued
transcription summary
  e2e/recordings/get > returns everything about a recording
  e2e/recordings/get > returns null for what is not yet known, and omits no field
summary with topics and key points
  e2e/recordings/get > returns everything about a recording
  e2e/recordings/get > returns null for what is not yet known, and omits no field
five capabilities in the list, nine in the detail
  e2e/recordings/list > returns exactly the fields of an item, with timestamps in UTC with milliseconds
  e2e/recordings/get > returns everything about a recording
  e2e/recordings/get > returns null for what is not yet known, and omits no field
transcript page and segment
  e2e/transcripts/page > returns exactly the documented fields of a page and its segments
list pagination
  e2e/recordings/list > returns every recording once when read in pages of %d
share link
  e2e/sharing/create-share-link > creates a %s link and returns 201
share link, view: watch, transcript, summary
  e2e/sharing/open > returns video, transcript and summary to anyone with the token, without an API key
share link, download: also the file
  e2e/sharing/open > returns a playback URL, and a download URL with permission download
organization, with the role of the caller and member_count
  e2e/organizations/list-organizations > lists the caller's organizations by name, with the caller's role and the number of members
roles OWNER, ADMIN, EDITOR, VIEWER
  security/recordings-access > %s: [listed, get, transcript, share-link, patch, delete] is %j
  e2e/organizations/list-organizations > lists the role of each caller
folder; only active ones are listed
  e2e/organizations/list-folders-members > lists all active folders by name, including restricted ones
member
  e2e/organizations/list-folders-members > lists all members by name, whatever the role of the caller: %s
API key
  e2e/api-keys/api-keys > with the full key in the response, which acts as its user, and nowhere afterwards
  e2e/api-keys/api-keys > are listed to their user alone, newest first, also revoked and expired ones

## States and transitions
every status can be met and filtered by
  e2e/recordings/list-filters > finds recordings by any of the statuses %s
  e2e/recordings/get > returns no URLs before it is playable: $status
  e2e/recordings/delete > is allowed in status %s
MIGRATING is treated exactly like COMPLETED
  e2e/recordings/get > treats MIGRATING exactly like COMPLETED
API key: active to revoked, at once and for good
  e2e/api-keys/api-keys > with immediate effect, and permanently
  e2e/auth/authentication > refuses a key immediately on every instance when one of them has revoked it
API key: revoked stays revoked
  e2e/api-keys/api-keys > with immediate effect, and permanently
  e2e/api-keys/api-keys > by exactly one of many concurrent requests

## Endpoints: API keys
POST /api/v1/api-keys
  e2e/api-keys/api-keys > with the full key in the response, which acts as its user, and nowhere afterwards
  e2e/api-keys/api-keys > with %s
GET /api/v1/api-keys
  e2e/api-keys/api-keys > are listed to their user alone, newest first, also revoked and expired ones
DELETE /api/v1/api-keys/{id}
  e2e/api-keys/api-keys > with immediate effect, and permanently
create and list act for the authenticated user
  e2e/api-keys/api-keys > with the full key in the response, which acts as its user, and nowhere afterwards
  e2e/api-keys/api-keys > are listed to their user alone, newest first, also revoked and expired ones
the key of another user is not found
  e2e/api-keys/api-keys > by nobody else, who learns nothing about them

## Endpoints: recordings
GET /api/v1/recordings
  e2e/recordings/list > returns the 20 newest by default, and reports that there are more
list: only what the caller can access
  security/recordings-access > %s: [listed, get, transcript, share-link, patch, delete] is %j
  long/visibility.property > the list holds exactly what get does not hide, with the same capabilities
list: limit
  e2e/recordings/list > returns every recording once when read in pages of %d
  e2e/recordings/list-filters > refuses and names %s in ?%s
list: offset
  e2e/recordings/list > returns an empty page past the end, at offset %d
  e2e/recordings/list-filters > refuses and names %s in ?%s
list: search
  e2e/recordings/list-filters > finds titles that contain %j, ignoring case
  e2e/recordings/list-filters > refuses and names %s in ?%s
list: status
  e2e/recordings/list-filters > finds recordings by any of the statuses %s
  e2e/recordings/list-filters > refuses and names %s in ?%s
list: date_from, date_to
  e2e/recordings/list-filters > filters by the dates of %j
  e2e/recordings/list-filters > refuses and names %s in ?%s
list: organization_id
  e2e/recordings/list-filters > scopes to an organization, and within it to a folder
  e2e/recordings/list-filters > refuses an organization that is %s
list: folder_id requires organization_id
  e2e/recordings/list-filters > returns an empty page for a folder that is %s
  e2e/recordings/list-filters > refuses and names %s in ?%s
GET /api/v1/recordings/{id}
  e2e/recordings/get > returns everything about a recording
  e2e/recordings/get > returns null for what is not yet known, and omits no field
get, rule 1: any member permitted to view
  security/recordings-access > %s: [listed, get, transcript, share-link, patch, delete] is %j
get, rule 2: owners and admins open every recording
  security/recordings-access > %s: [listed, get, transcript, share-link, patch, delete] is %j
get, rule 3: editors and viewers as role and folder allow
  security/recordings-access > %s: [listed, get, transcript, share-link, patch, delete] is %j
get, rule 4: the organization's plan and the member's flags count
  security/recordings-refusals > of a recording that is %s shows only what plan and feature flags allow
get, rule 5: an ended Enterprise subscription is 402
  security/recordings-refusals > %s: get %s, transcript %s, share-link %s, for download %s
GET /api/v1/recordings/{id}/transcript
  e2e/transcripts/page > returns exactly the documented fields of a page and its segments
transcript: start_chunk
  e2e/transcripts/page > pages in chunks of 20 segments: %d segments, %s
  e2e/transcripts/page > rejects and names %s in ?%s
transcript: limit
  e2e/transcripts/page > pages in chunks of 20 segments: %d segments, %s
  e2e/transcripts/page > rejects and names %s in ?%s
transcript, rule 1: the access rules of get
  security/recordings-access > %s: [listed, get, transcript, share-link, patch, delete] is %j
transcript, rules 2 and 3: locked, disabled
  e2e/transcripts/page > rejects %s
transcript, rule 4: not_started with empty segments
  e2e/transcripts/page > returns not_started without segments for a recording that is not transcribed
PATCH /api/v1/recordings/{id}
  e2e/recordings/update > keeps the notes when only the title is given, and vice versa
patch: title
  e2e/recordings/update > accepts a title of %s
  e2e/recordings/update > refuses %s and changes nothing
patch: notes
  e2e/recordings/update > keeps notes %s
  e2e/recordings/update > clears the notes when they are empty
  e2e/recordings/update > refuses %s and changes nothing
patch: at least one field
  e2e/recordings/update > refuses %s and changes nothing
DELETE /api/v1/recordings/{id}
  e2e/recordings/delete > deletes transcript, summary and share links with it, and soon the file
delete: cannot be undone
  e2e/recordings/delete > deletes transcript, summary and share links with it, and soon the file
POST /api/v1/recordings/{id}/share-link
  e2e/sharing/create-share-link > creates a %s link and returns 201
share link: permission
  e2e/sharing/create-share-link > defaults permission to view, without a body
  e2e/sharing/create-share-link > rejects a permission that is %s
share link, rule 1: any member who can view it
  security/recordings-access > %s: [listed, get, transcript, share-link, patch, delete] is %j
share link, rule 2: the organization's plan counts, not the caller's
  e2e/sharing/create-share-link > creates a link for a member who can only view the recording, whatever their personal plan
  e2e/sharing/creator > grants recipients what the organization's plan includes, whatever the creator's own plan
share link, rules 3 and 4: locked, disabled
  e2e/sharing/create-share-link > rejects %s

## Endpoints: organizations
GET /api/v1/organizations
  e2e/organizations/list-organizations > lists the caller's organizations by name, with the caller's role and the number of members
GET /api/v1/organizations/{id}/folders
  e2e/organizations/list-folders-members > lists all active folders by name, including restricted ones
GET /api/v1/organizations/{id}/members
  e2e/organizations/list-folders-members > lists all members by name, whatever the role of the caller: %s
the caller must be a member
  e2e/organizations/list-folders-members > refuses a caller who is not a member: %s

## Authentication
every request carries a key
  security/routes > only the public routes reply with anything other than 401
requests act as the user of the key
  e2e/auth/authentication > returns the user and the key in use
the full key appears only when it is created
  e2e/api-keys/api-keys > with the full key in the response, which acts as its user, and nowhere afterwards
a revoked key fails at once
  e2e/auth/authentication > refuses a key immediately on every instance when one of them has revoked it

## Errors
the body is exactly code and message
  e2e/http/envelope > is in the envelope even for %s
  e2e/http/envelope > rejects an unknown query parameter: %s %s
UNAUTHORIZED
  e2e/auth/authentication > refuses a request without the header as UNAUTHORIZED
  e2e/auth/authentication > refuses a malformed header as UNAUTHORIZED: %s
INVALID_API_KEY
  e2e/auth/authentication > refuses a key that is %s
API_KEY_EXPIRED
  e2e/auth/authentication > refuses a key that is %s
  e2e/auth/authentication > accepts a key until the moment it expires, and not from then on
USER_NOT_FOUND
  e2e/auth/authentication > refuses a key that is %s
FORBIDDEN
  e2e/organizations/list-folders-members > refuses a caller who is not a member: %s
  security/recordings-access > %s: [listed, get, transcript, share-link, patch, delete] is %j
RECORDING_NOT_FOUND
  security/recordings-operations > is the same 404 for a hidden recording as for a missing one, byte for byte
RECORDING_LOCKED
  e2e/transcripts/page > rejects %s
  e2e/sharing/create-share-link > rejects %s
TRANSCRIPT_NOT_AVAILABLE
  e2e/transcripts/page > rejects %s
SHARING_DISABLED
  e2e/sharing/create-share-link > rejects %s
ORGANIZATION_SUBSCRIPTION_EXPIRED
  security/recordings-refusals > %s: get %s, transcript %s, share-link %s, for download %s
ORGANIZATION_NOT_FOUND
  e2e/organizations/list-folders-members > answers ORGANIZATION_NOT_FOUND if it does not exist: %s
API_KEY_NOT_FOUND
  e2e/api-keys/api-keys > but not by %s
ALREADY_REVOKED
  e2e/api-keys/api-keys > with immediate effect, and permanently
VALIDATION_ERROR
  e2e/recordings/list-filters > refuses and names %s in ?%s
  e2e/transcripts/page > rejects and names %s in ?%s
  e2e/recordings/update > refuses %s and changes nothing
INTERNAL_ERROR
  e2e/http/envelope > is INTERNAL_ERROR without details after an unexpected failure

## Limits
limit and offset on list recordings
  e2e/recordings/list > returns the 20 newest by default, and reports that there are more
  e2e/recordings/list-filters > refuses and names %s in ?%s
limit and start_chunk on transcript
  e2e/transcripts/page > pages in chunks of 20 segments: %d segments, %s
  e2e/transcripts/page > rejects and names %s in ?%s
title: 1 to 500 characters
  e2e/recordings/update > accepts a title of %s
  e2e/recordings/update > refuses %s and changes nothing
notes: at most 100,000 characters
  e2e/recordings/update > accepts 100,000 characters of notes however JSON escapes them
  e2e/recordings/update > refuses 100,001 characters of notes with 400, however JSON escapes them
API key name: 1 to 100 characters
  e2e/api-keys/api-keys > with %s
  e2e/api-keys/api-keys > but not with %s
downloadUrl expires at downloadUrlExpiresAt
  e2e/media/deliver > refuses a URL from the moment it expires, one hour after it was issued
`;

interface Row {
  readonly section: string;
  readonly row: string;
  readonly proofs: string[];
}

function read(table: string): Row[] {
  const rows: Row[] = [];
  let section = '';
  for (const line of table.split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3);
    else if (line.startsWith('  ')) rows.at(-1)?.proofs.push(line.trim());
    else if (line !== '') rows.push({ section, row: line, proofs: [] });
  }
  return rows;
}

const ROWS = read(SPEC);

function mistakesOf({ section, row, proofs }: Row): string[] {
  const what = `"${row}" (${section})`;
  if (proofs.length === 0)
    return [
      `No test proves ${what}. In SPEC of test/contract/spec-rows.spec.ts, write below the row, indented by two blanks, "e2e/<module>/<operation> > <title of the test, as it is written>"`,
    ];
  return proofs.flatMap((proof) => {
    const mistake = mistakeOfProof(proof);
    if (mistake === null) return [];
    return [
      `${mistake}, which proves ${what}. If the test was renamed or moved, change its line in SPEC of test/contract/spec-rows.spec.ts`,
    ];
  });
}

describe('The specification', () => {
  it.each(ROWS)('has tests for $section: $row', (row) => {
    expectNone(mistakesOf(row));
  });

  it('reports how to fix a row whose test is missing or not found', () => {
    const [section, row] = ['Limits', 'title: 1 to 500 characters'];
    expect(mistakesOf({ section, row, proofs: [] })).toEqual([
      'No test proves "title: 1 to 500 characters" (Limits). In SPEC of test/contract/spec-rows.spec.ts, write below the row, indented by two blanks, "e2e/<module>/<operation> > <title of the test, as it is written>"',
    ]);
    expect(mistakesOf({ section, row, proofs: ['e2e/recordings/update > renames'] })).toEqual([
      'test/e2e/recordings/update.e2e-spec.ts has no test of the title "renames", which proves "title: 1 to 500 characters" (Limits). If the test was renamed or moved, change its line in SPEC of test/contract/spec-rows.spec.ts',
    ]);
  });
});

describe('The table of the specification', () => {
  it('has a row for each of the twelve operations, all of them in the document', () => {
    const rows = rowsThat(/^[A-Z]+ \/api\/v1\//);
    const documented = new Set(operationsOf(openapi as unknown as ApiDocument).map(([name]) => name));
    expectNone([
      ...wrongNumber(rows, 12, 'operations'),
      ...missing(rows, documented, 'openapi.json: it is part of the contract. Run `npm run openapi`'),
    ]);
  });

  it('has a row for each of the fifteen error codes, all of them in the catalog', () => {
    const rows = rowsThat(/^[A-Z]+_?[A-Z_]*$/);
    const known = new Set<string>(ERROR_CODES);
    expectNone([
      ...wrongNumber(rows, 15, 'error codes'),
      ...missing(rows, known, 'ERROR_CATALOG of src/contract/error-catalog.ts: it is part of the contract'),
    ]);
  });
});

const rowsThat = (pattern: RegExp): string[] => ROWS.map(({ row }) => row).filter((row) => pattern.test(row));

const missing = (rows: string[], known: ReadonlySet<string>, where: string): string[] =>
  rows.filter((row) => !known.has(row)).map((row) => `${row} is not in ${where}`);

const wrongNumber = (rows: string[], wanted: number, what: string): string[] =>
  rows.length === wanted
    ? []
    : [
        `SPEC of test/contract/spec-rows.spec.ts has ${rows.length} ${what}, the specification ${wanted}. What goes beyond the specification needs no row`,
      ];
