import type { DocumentText } from '../platform/openapi/document.js';

const DESCRIPTION = `
Recorded online meetings: recordings, transcripts, summaries, share links, organizations and API keys.

- **Authentication.** Send an API key with every request: \`Authorization: Bearer <API_KEY>\`. Press *Authorize* to enter yours.
- **Replies.** A success wraps its result in \`data\`; an error is \`{"error":{"code","message"}}\`. Both carry \`X-Request-Id\`.
- **Times** are ISO 8601 in UTC; durations are seconds. What is not known yet is \`null\`, never missing.
- **Spelling.** Recordings use camelCase; API keys, organizations, share links, pagination and query parameters snake_case.
- **Checks.** Unknown parameters and fields are refused, not ignored; the message names what was wrong and what is taken.
`.trim();

/** Tags of controllers (`@ApiTags`): those of the contract in its order, then all others. */
const TAGS = [
  ['API keys', 'Create, list and revoke the keys that requests are made with'],
  ['Recordings', 'List, read, rename, annotate and delete recordings'],
  ['Transcripts', 'Read what was said, in pages'],
  ['Sharing', 'Public links to a recording'],
  ['Organizations', 'Organizations, their folders and members'],
  ['Summaries', 'Read, send and generate summaries'],
  ['Questions', 'Ask about what was said in a recording'],
  ['Authentication', 'Who the key acts as'],
  ['Health', 'For load balancers and monitoring'],
] as const satisfies DocumentText['tags'];

export type DocumentedTag = (typeof TAGS)[number][0];

export const API_DOCUMENT: DocumentText = {
  title: 'Meeting Recording Service',
  description: DESCRIPTION,
  keyFormat: 'mrs_...',
  tags: TAGS,
};
