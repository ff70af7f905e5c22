import type { Response } from 'express';
import { JsonText } from '../http/replies/json-text.js';
import type { ReplyOptions } from '../http/replies/reply-headers.js';
import { ServiceError } from '../errors/service-error.js';
import type { NotedDecision } from './repeatable-decision.js';

/** Kept of a reply to a successful request; all others are those of any reply. */
const KEPT_HEADERS = ['ETag', 'Location'] as const;
/** After these, the same request may succeed when it is sent again: nothing has been done. */
const RELEASING_STATUSES: ReadonlySet<number> = new Set([401, 408, 413, 415, 429]);
const RELEASING_CODES: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'IDEMPOTENCY_KEY_IN_USE']);
const LINE_FEED = 0x0a;

/** The first line of a stored reply; the second is the body of a success. */
interface Head {
  readonly headers: Readonly<Record<string, string>>;
  readonly error?: { readonly code: string; readonly status: number; readonly message: string };
  /** What let the request pass; undefined in replies of versions that kept secrets. */
  readonly decisions?: readonly NotedDecision[];
}

interface KeptReply extends Head {
  /** Of a success, the body. */
  readonly text: string;
}

/** Whether a refusal is the final reply to the request. */
export const isFinal = ({ status, code }: ServiceError): boolean =>
  status < 500 && !RELEASING_STATUSES.has(status) && !RELEASING_CODES.has(code);

/** What a controller returned, as it will be sent. */
export const jsonTextOf = (body: unknown): JsonText =>
  body instanceof JsonText ? body : new JsonText([JSON.stringify(body)]);

/** The reply as it is kept: with null instead of its secrets and, if it has any, a notice that says how to get others. */
function withoutSecrets(reply: unknown, { at, notice }: NonNullable<ReplyOptions['secrets']>): object {
  const kept = structuredClone(reply) as { readonly data: object };
  let hidden = false;
  for (const path of at) {
    const parts = path.split('.');
    const name = parts.pop()!;
    const holder = parts.reduce<object>((value, part) => Reflect.get(value, part) as object, kept.data);
    hidden ||= Reflect.get(holder, name) !== null;
    Reflect.set(holder, name, null);
  }
  return hidden ? { ...kept, notice } : kept;
}

/** `body`: the reply as it is sent. */
export function storedSuccess(
  reply: unknown,
  body: JsonText,
  response: Response,
  decisions: readonly NotedDecision[],
): Buffer {
  const { secrets } = response.replyOptions ?? {};
  const kept = secrets ? jsonTextOf(withoutSecrets(reply, secrets)) : body;
  const headers: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = response.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  if (kept.revision !== undefined) headers['ETag'] = `"${kept.revision}"`;
  return Buffer.concat([headOf({ headers, decisions }), kept.toBytes()]);
}

export function storedRefusal(
  { code, status, message, headers }: ServiceError,
  decisions: readonly NotedDecision[],
): Buffer {
  const { 'Retry-After': _, ...kept } = headers;
  return headOf({ headers: kept, error: { code, status, message }, decisions });
}

export function readKept(stored: Buffer): KeptReply {
  const end = stored.indexOf(LINE_FEED);
  const head = JSON.parse(stored.toString('utf8', 0, end)) as Head;
  return { ...head, text: stored.toString('utf8', end + 1) };
}

/** The reply to an earlier request: sets its headers and returns its body, or throws its error. */
export function repeat({ headers, error, text }: KeptReply, response: Response): JsonText {
  response.setHeader('Idempotency-Replayed', 'true');
  if (error) throw new ReplayedError(error, headers);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  return new JsonText([text]);
}

class ReplayedError extends ServiceError {
  constructor({ code, status, message }: NonNullable<Head['error']>, headers: Head['headers']) {
    super(code, { status, message, when: '' }, message, { headers });
  }
}

const headOf = (head: Head): Buffer => Buffer.from(`${JSON.stringify(head)}\n`);
