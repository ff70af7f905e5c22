import * as classes from './error-classes.js';
import { ApiError, InvalidReplyError, type ErrorCode, type ErrorDetails } from './errors.js';
import { nameOf, type ErrorName } from './names.js';
import { readRetryAfter } from './retries.js';

/** Media types of replies that a caller can deal with. */
export type Accepted = 'json' | 'text' | 'stream' | 'nothing';
const TYPES: Readonly<Record<Accepted, RegExp>> = {
  json: /^application\/json\b/,
  text: /^(text\/(?!html)|application\/(json|x-))/,
  stream: /^text\/event-stream\b/,
  nothing: /^$/,
};

/** Does not compile while the API document has a code without a class: `npm run openapi` generates the classes. */
const CLASSES: {
  readonly [Code in ErrorCode as ErrorName<Code>]: new (details: ErrorDetails<Code>) => ApiError<Code>;
} = classes;

/** Lets a reply pass that has what is expected, or an error as JSON. Others are not read: they may be large. */
export async function checked(response: Response, accepted: Accepted): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && (accepted === 'nothing' || response.status === 204)) return response;
  if ((response.ok ? TYPES[accepted] : TYPES.json).test(type)) return response;
  await response.body?.cancel();
  throw new InvalidReplyError(response.status, strange(response, type), readRetryAfter(response.headers));
}

function strange({ type, status, ok }: Response, contentType: string): string {
  if (type === 'opaqueredirect' || (status >= 300 && status < 400))
    return 'The service redirects to another URL: check baseUrl';
  if (ok && TYPES.text.test(contentType)) return `The reply is ${contentType}: text() reads it`;
  return `HTTP ${status}, not from the service itself${contentType && ` (${contentType})`}`;
}

/** The error of the class that belongs to its code. */
export function errorOf(body: unknown, { status, headers }: Response): ApiError {
  const retryAfter = readRetryAfter(headers);
  const { code, message } = (body as { error?: Partial<ErrorDetails> } | undefined)?.error ?? {};
  if (typeof code !== 'string' || typeof message !== 'string') {
    return new InvalidReplyError(status, `HTTP ${status}`, retryAfter);
  }
  const details = { status, code, message, requestId: headers.get('x-request-id'), retryAfter };
  const Class = (CLASSES as Record<string, new (of: ErrorDetails) => ApiError>)[nameOf(code)];
  // Other errors have names like these, too.
  return new (Class?.prototype instanceof ApiError ? Class : ApiError)(details);
}
