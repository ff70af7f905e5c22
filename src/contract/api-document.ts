import type { DocumentText } from '../platform/openapi/document.js';
import { SCOPE_LIST } from './scope.decorator.js';
import { REPLY_EXAMPLES } from './reply-examples.js';
import { EVENT_SCHEMAS, EVENT_WEBHOOKS } from './changes/event-document.js';
import { IDEMPOTENCY_LIMITS } from '../platform/http-limits.js';
import { countText, sizeText } from '../lib/amounts.js';

const DESCRIPTION = `
Recordings of online meetings with their transcripts, summaries and share links, and the organizations, folders and members they belong to.

- **This document.** [openapi.json](openapi.json), [openapi.yaml](openapi.yaml)
- **Guides.** [All of them](docs/guide), with a search; begin with the [API guide](docs/guide/api-guide) (paging, uploads, waiting, errors, retries, types) or the [tour](docs/guide/tour) (all features in ten minutes, with curl); [errors](docs/guide/errors), [versions](docs/guide/versioning)
- **Authentication.** Send an API key with every request, as \`Authorization: Bearer <API_KEY>\`. Click *Authorize* to enter yours; the dialog says how to get one.
- **Responses.** A successful response wraps its result in \`data\`; an error is \`{"error":{"code","message"}}\`. Both carry an \`X-Request-Id\` header.
- **Validation.** Unknown parameters and fields are rejected, not ignored; the error message names each invalid field and what it accepts.

<details><summary>Values, rate limits, retries, compression</summary>

- **Times** are ISO 8601 in UTC; requests may also contain dates without a time, and other offsets. Durations are in seconds.
- **Missing values.** Unknown values are \`null\`, never omitted.
- **Naming.** Recordings, transcripts and summaries use camelCase; API keys, organizations, share links, pagination and query parameters use snake_case.
- **Rate limits** apply per minute: to the requests of a user with all of their API keys together, to costly operations among them, and to an address's requests without a valid key. Counted responses carry \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) of the limit with the fewest requests left; a refused request gets 429 \`RATE_LIMITED\` with \`Retry-After\`.
- **Retries.** If the reply to a \`POST\` or \`PATCH\` may have been lost, send the request again with the \`Idempotency-Key\` header that it had the first time, a value of your choice that is new for each new request (1 to ${IDEMPOTENCY_LIMITS.keyLength} visible ASCII characters, quoted or not; a UUID is best). For ${IDEMPOTENCY_LIMITS.keptHours} hours, the same request with the same API key then gets the reply of the first one, with \`Idempotency-Replayed: true\`, and is not carried out again. It is refused like any other if the right to it has been lost meanwhile; full keys, webhook secrets and invitation links are null in it, and \`notice\` says how to get others. While the first one is running, it gets 409 \`IDEMPOTENCY_KEY_IN_USE\`; a different request gets 400 \`IDEMPOTENCY_KEY_REUSED\`. After an error that says that nothing was done (\`VALIDATION_ERROR\`, 401, 408, 413, 415, 429, 5xx), the key can be used again. The service keeps each user's last ${countText(IDEMPOTENCY_LIMITS.keysPerUser)} keys, and up to ${sizeText(IDEMPOTENCY_LIMITS.bytesPerUser)} of the replies to them.
- **Methods.** A URL refuses methods that it does not accept with 405 \`METHOD_NOT_ALLOWED\`; the \`Allow\` header lists those it accepts. \`OPTIONS\` returns the same header, without an API key.
- **Compression.** Responses without keys, tokens or signed URLs may be compressed with Brotli or gzip if \`Accept-Encoding\` permits.

</details>

<details><summary>Scopes of API keys</summary>

A key can be limited to scopes when it is created, or later; the description of each operation names those that it requires. A scope permits nothing that the user may not do, and a key without scopes is not limited.

${SCOPE_LIST}

</details>
`.trim();

const KEY = `
An API key, such as \`mrs_...\`. How to get one:

- The first \`npm start\` prints one for the demo workspace, or the path of the file that contains it.
- An operator creates one for any user: \`npx mrs keys create --email you@example.com --name laptop\`.
- With one key, you create more with \`POST /api-keys\`.
- Accepting an invitation to an organization shows a new member theirs.

Your key is kept until you log out or close this tab.
`.trim();

/** Tags of controllers (`@ApiTags`), in the order of the document. */
const TAGS = [
  ['Recordings', 'Create, list, search, update and delete recordings, and upload their media'],
  ['Resumable uploads', 'Upload media in pieces, with any client of tus 1.0'],
  ['Tracks', 'Files of single participants of a recording, each transcribed by itself'],
  ['Transcripts', 'Read, export, import and correct transcripts, and transcribe recordings'],
  ['Summaries', 'Read, import and generate summaries'],
  ['Questions', 'Ask questions about what was said in recordings'],
  ['Sharing', 'Create and manage share links, and open them as a recipient'],
  ['Exports', 'ZIP files of a recording, of all that a user has, or of an organization'],
  ['Events', 'What happens to recordings and organizations: as a list to poll, or as a stream'],
  ['Webhooks', 'Receive events, signed by the Standard Webhooks specification, and inspect what was sent'],
  ['You', 'Your user: name, quotas, audit log'],
  ['API keys', 'Create, limit, rotate and revoke your API keys'],
  ['OAuth clients', 'Apps of companies, which users connect by OAuth 2.1 instead of an API key'],
  ['Organizations', 'Organizations, their members, folders and ownership'],
  ['Invitations', 'Invite people to an organization, and accept invitations'],
  ['Service accounts', 'Programs that work for an organization, with API keys that belong to no person'],
  ['Audit', 'Who changed what in an organization'],
  ['Legal holds', 'Preserve recordings as evidence, so that nothing can delete them'],
  ['Users', 'All users, for operators'],
  ['Plans', 'What each plan includes'],
  ['Health', 'Checks for load balancers and monitoring'],
] as const satisfies DocumentText['tags'];

export type DocumentedTag = (typeof TAGS)[number][0];

/** Tags of operations that manage organizations or users. What they refuse with 403 `FORBIDDEN` is in the audit log. */
export const MANAGEMENT_TAGS = [
  'Organizations',
  'Service accounts',
  'Invitations',
  'You',
  'OAuth clients',
  'Users',
  'Legal holds',
  'Audit',
  'Webhooks',
] as const satisfies readonly DocumentedTag[];

/** The name that readers of the API document, and previews of links, see. */
export const SERVICE_NAME = 'Meeting Recording Service';

export const API_DOCUMENT: Omit<DocumentText, 'commands'> = {
  title: SERVICE_NAME,
  description: DESCRIPTION,
  license: { name: 'MIT License', url: 'https://opensource.org/license/mit' },
  key: { format: 'mrs_...', description: KEY },
  tags: TAGS,
  schemas: EVENT_SCHEMAS,
  webhooks: EVENT_WEBHOOKS,
  examples: REPLY_EXAMPLES,
};
