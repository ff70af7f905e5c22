import type { DocumentText } from '../platform/openapi/document.js';
import { EVENT_SCHEMAS, EVENT_WEBHOOKS } from './event-document.js';

const DESCRIPTION = `
Recordings of online meetings with their transcripts, summaries and share links, and the organizations, folders and members they belong to.

- **Authentication.** Send an API key with every request: \`Authorization: Bearer <API_KEY>\`. Press *Authorize* to enter yours.
- **Responses.** A successful response wraps its result in \`data\`; an error is \`{"error":{"code","message"}}\`. Both carry an \`X-Request-Id\` header.
- **Methods.** A URL refuses methods that it does not accept with 405 \`METHOD_NOT_ALLOWED\`; the \`Allow\` header lists those it accepts. \`OPTIONS\` returns the same header, without an API key.
- **Compression.** Responses without keys, tokens or signed URLs may be compressed with Brotli or gzip if \`Accept-Encoding\` permits.
- **Rate limits** apply per minute: to the requests of a user with all of their API keys together, to costly operations among them, and to an address's requests without a valid key. Counted responses carry \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) of the limit with the fewest requests left; a refused request gets 429 \`RATE_LIMITED\` with \`Retry-After\`.
- **Sending a request again.** If the reply to a \`POST\` or \`PATCH\` may have been lost, send the request again with the \`Idempotency-Key\` header that it had the first time, a value of your choice that is new for each new request (1 to 255 visible ASCII characters, quoted or not; a UUID is best). For 24 hours, the same request with the same API key then gets the reply of the first one, with \`Idempotency-Replayed: true\`, and is not carried out again. While the first one is running, it gets 409 \`IDEMPOTENCY_KEY_IN_USE\`; a different request gets 400 \`IDEMPOTENCY_KEY_REUSED\`. After an error that says that nothing was done (\`VALIDATION_ERROR\`, 401, 408, 413, 415, 429, 5xx), the key can be used again. Of each user, the last 10,000 keys are kept, and 64 MiB of replies.
- **Times** are ISO 8601 in UTC; requests may also contain dates without a time, and other offsets. Durations are in seconds.
- **Missing values.** A value that is not known is \`null\`, never omitted.
- **Naming.** Recordings, transcripts and summaries use camelCase; API keys, organizations, share links, pagination and query parameters use snake_case.
- **Validation.** Unknown parameters and fields are rejected, not ignored; the error message names each invalid field and what it accepts.
`.trim();

/** Tags of controllers (`@ApiTags`): those of the contract in its order, then all others. */
const TAGS = [
  ['API keys', 'Create, list and revoke API keys'],
  ['Recordings', 'Create, list, search, update and delete recordings, and upload their media'],
  ['Transcripts', 'Read, export, import and correct transcripts, and transcribe recordings'],
  ['Sharing', 'Create and manage share links, and open them as a recipient'],
  ['Organizations', 'Organizations, their members, folders and ownership'],
  ['Summaries', 'Read, import and generate summaries'],
  ['Questions', 'Ask questions about what was said in a recording'],
  ['Invitations', 'Invite people to an organization, and accept invitations'],
  ['Events', 'What happens to recordings and organizations: as a list to poll, or as a stream'],
  ['Webhooks', 'Receive events, signed by the Standard Webhooks specification, and inspect what was sent'],
  ['Users', 'The current user; for operators, all users'],
  ['Plans', 'What each plan includes'],
  ['Audit', 'Who changed what in an organization, and what concerns the current user'],
  ['Authentication', 'The user and API key behind a request'],
  ['Health', 'Checks for load balancers and monitoring'],
] as const satisfies DocumentText['tags'];

export type DocumentedTag = (typeof TAGS)[number][0];

/** Tags of operations that manage organizations or users. What they refuse with 403 `FORBIDDEN` is in the audit log. */
export const MANAGEMENT_TAGS = [
  'Organizations',
  'Invitations',
  'Users',
  'Audit',
  'Webhooks',
] as const satisfies readonly DocumentedTag[];

export const API_DOCUMENT: DocumentText = {
  title: 'Meeting Recording Service',
  description: DESCRIPTION,
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  keyFormat: 'mrs_...',
  tags: TAGS,
  schemas: EVENT_SCHEMAS,
  webhooks: EVENT_WEBHOOKS,
};
