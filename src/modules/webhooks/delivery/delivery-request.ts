import { createHmac, randomBytes } from 'node:crypto';
import { readRetryAfter } from '../../../lib/retry-after.js';
import type { Clock } from '../../../platform/clock/clock.js';
import type { OutboundClient, OutboundReply } from '../../../platform/outbound/outbound-client.js';
import { OutboundError } from '../../../platform/outbound/outbound-error.js';
import { traceHeaders } from '../../../platform/telemetry/spans.js';
import { OUTBOUND_URL_RULE } from '../../../platform/outbound/outbound-url.js';
import type { Endpoint } from '../webhook-secrets.service.js';
import { HOUR_MS, SECOND_MS } from '../../../lib/durations.js';
import { LIMITS } from '../../../contract/limits.js';

/** A message as a receiver gets it. */
export interface WebhookMessage extends Endpoint {
  /** The header `webhook-id`. */
  readonly id: string;
  readonly body: string;
  readonly secrets: readonly string[];
}

export interface AttemptOutcome {
  readonly at: Date;
  readonly endedAt: Date;
  readonly durationMs: number;
  /** Null if there was no reply. */
  readonly status: number | null;
  /** The beginning of the reply, written by the receiver. */
  readonly reply: string | null;
  readonly retryAfter: Date | null;
  /** The reason why it failed, if that is not the status alone. */
  readonly error: string | null;
}

const REPLY_MS = LIMITS.webhookReplySeconds * SECOND_MS;
/** Time limits of one attempt. */
export const DELIVERY_LIMITS = {
  connectMs: 10 * SECOND_MS,
  headersMs: REPLY_MS,
  totalMs: REPLY_MS,
  behindMs: REPLY_MS,
};

type Exchanged = Omit<AttemptOutcome, 'at' | 'endedAt' | 'durationMs'>;

/** Sends one request, and follows no redirects. Never throws because of the receiver. */
export async function sendRequest(
  outbound: OutboundClient,
  clock: Clock,
  message: WebhookMessage,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const at = clock.now();
  const started = performance.now();
  const outcome = await exchange(outbound, clock, { ...message, at }, signal);
  const durationMs = Math.round(performance.now() - started);
  return { at, durationMs, endedAt: clock.now(), ...outcome };
}

async function exchange(
  outbound: OutboundClient,
  clock: Clock,
  { url: text, headers: own, id, body, secrets, at }: WebhookMessage & { readonly at: Date },
  signal: AbortSignal,
): Promise<Exchanged> {
  // The rules may have become stricter since it was set up.
  const url = outbound.read(text);
  if (!url) return failed(`The URL ${OUTBOUND_URL_RULE}.`);
  if (secrets.length === 0) return failed('The secret can no longer be read. Rotate it.');
  const timestamp = Math.floor(at.getTime() / 1000);
  const headers = {
    ...own,
    ...traceHeaders(),
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf(`${id}.${timestamp}.${body}`, secrets),
  };
  try {
    const reply = await outbound.request({
      url,
      method: 'POST',
      headers,
      body: Buffer.from(body),
      limits: DELIVERY_LIMITS,
      anyBody: true,
      signal,
    });
    return await readReply(reply, clock);
  } catch (error) {
    if (error instanceof OutboundError) return failed(error.message);
    throw error;
  }
}

/** The status counts, whatever the body is; compressed ones are not kept. */
async function readReply(reply: OutboundReply, clock: Clock): Promise<Exchanged> {
  const kept: Uint8Array[] = [];
  try {
    for await (const chunk of reply.body) {
      kept.push(chunk);
      // No more is read than is kept; the rest of the last piece that arrives is dropped.
      if (bytesOf(kept) >= LIMITS.webhookReply) break;
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
  } finally {
    reply.close();
  }
  const { 'retry-after': after, 'content-encoding': encoding = 'identity' } = reply.headers;
  return {
    status: reply.status,
    reply: encoding === 'identity' ? storable(Buffer.concat(kept).subarray(0, LIMITS.webhookReply)) : null,
    retryAfter: retryTime(after, clock.now()),
    error: null,
  };
}

/** The time that `Retry-After` names, at most a day from now; null without one, or for one that is past. */
export function retryTime(header: string | undefined, now: Date): Date | null {
  const wait = readRetryAfter(header, now.getTime());
  return wait ? new Date(now.getTime() + Math.min(wait, LIMITS.webhookPauseHours * HOUR_MS)) : null;
}

const bytesOf = (chunks: readonly Uint8Array[]): number =>
  chunks.reduce((sum, { length }) => sum + length, 0);

const failed = (error: string): Exchanged => ({ status: null, reply: null, retryAfter: null, error });

/** Whatever a receiver sends, as text that PostgreSQL can store. */
const storable = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replaceAll('\0', '\uFFFD');

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret, as the Standard Webhooks specification writes it. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The header `webhook-signature`, with each secret. `signed`: id, timestamp and body, joined by dots. */
export function signatureOf(signed: string, secrets: readonly string[]): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return signatures.join(' ');
}
