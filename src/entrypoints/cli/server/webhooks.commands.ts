import type { Event } from 'meeting-recording-client';
import { singleLine } from '../../../lib/text.js';
import { newWebhookSecret, signatureOf } from '../../../modules/webhooks/delivery/signature.js';
import { usageError } from '../exit-status.js';
import { toJson, type Output } from '../output.js';
import { onServer } from './client.js';
import { follow, type EventFilter } from './events.commands.js';

/** As for webhooks of the service. */
const TIMEOUT_MS = 15_000;

interface Delivery {
  readonly id: string;
  readonly type: string;
  /** Null if there was no reply. */
  readonly status: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
}

/** `webhooks listen`: each event is sent once, in order, until it is interrupted. */
export async function listenForWebhooks({
  forward,
  secret: given,
  json,
  ...filter
}: EventFilter & Output & { forward: string; secret?: string }): Promise<void> {
  if (!URL.canParse(forward) || !/^https?:$/.test(new URL(forward).protocol))
    throw usageError('--forward: must be an http or https URL such as http://localhost:4000/hook');
  if (given !== undefined && !/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(given))
    throw usageError('--secret: must begin with whsec_, as secrets of webhooks do');
  const secret = given ?? newWebhookSecret();
  await onServer(async (session) => {
    // Also with --quiet: without it, nothing can be verified.
    if (given === undefined) process.stderr.write(`Secret of the signatures: ${secret}\n`);
    for await (const event of follow(session, filter)) {
      const delivery = await deliver(event, forward, secret, session.signal);
      if (session.signal.aborted) return;
      process.stdout.write(`${json ? toJson(delivery) : lineOf(event, delivery)}\n`);
    }
  });
}

/** Sends an event as the service would: https://www.standardwebhooks.com. */
async function deliver(event: Event, url: string, secret: string, signal: AbortSignal): Promise<Delivery> {
  const { id, type } = event;
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1000);
  const begun = performance.now();
  const result = (status: number | null, error: string | null): Delivery => ({
    id,
    type,
    status,
    duration_ms: Math.round(performance.now() - begun),
    error,
  });
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'meeting-recording-service',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureOf(`${id}.${timestamp}.${body}`, [secret]),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await reply.body?.cancel();
    return result(reply.status, null);
  } catch (error) {
    // A receiver that is restarted, or hangs, is no reason to stop.
    return result(null, reasonOf(error as Error));
  }
}

function reasonOf({ name, message, cause }: Error): string {
  if (name === 'TimeoutError') return `no reply within ${TIMEOUT_MS / 1000} seconds`;
  const { code, message: details } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
  return code ?? details ?? message;
}

function lineOf({ timestamp }: Event, { type, status, duration_ms: duration, error }: Delivery): string {
  const outcome = status === null ? `failed: ${error}` : String(status);
  return singleLine(`${timestamp.slice(0, 19).replace('T', ' ')}  ${type}  ${outcome}  ${duration} ms`);
}
