import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { Event } from 'meeting-recording-client';
import { Deadline } from '../../../lib/deadline.js';
import { counted, quoteForMessage, singleLine } from '../../../lib/text.js';
import { newWebhookSecret, signatureOf } from '../../../modules/webhooks/delivery/delivery-request.js';
import { usageError } from '../exit-status.js';
import { print, type Output, toJson } from '../output.js';
import { onServer } from './client.js';
import { type EventFilter, follow, requireEvents } from './events.commands.js';

/** As for webhooks of the service. */
const TIMEOUT_MS = 15_000;

/** `webhooks listen`: each event is sent once, in order, until it is interrupted. */
export async function listenForWebhooks({
  forward,
  secret: given,
  json,
  ...filter
}: EventFilter & Output & { forward: string; secret?: string }): Promise<void> {
  const url = await receiverUrl(forward);
  if (given !== undefined && !/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(given))
    throw usageError('--secret: must begin with whsec_, as secrets of webhooks do');
  const secret = given ?? newWebhookSecret();
  await onServer(async (session) => {
    await requireEvents(session, filter);
    // Also with --quiet: without it, nothing can be verified.
    if (given === undefined) process.stderr.write(`Secret of the signatures: ${secret}\n`);
    for await (const event of follow(session, filter)) {
      const delivery = await deliver(event, url, secret, session.signal);
      if (session.signal.aborted) return;
      process.stdout.write(`${json ? toJson(delivery) : lineOf(event, delivery)}\n`);
    }
  });
}

/** `webhooks replay`: in as many requests as it takes. */
export const replayDeliveries = (
  id: string,
  { json, failed, ...range }: Output & { from: string; to?: string; failed?: true },
): Promise<void> =>
  onServer(async ({ api, signal }) => {
    // Without `--to`, not what is queued meanwhile.
    const asked = { to: new Date().toISOString(), ...range, status: failed && ('failed' as const) };
    let replayed = 0;
    for (let cursor: string | null | undefined; cursor !== null;) {
      const body = { ...asked, cursor };
      const page = await api.post('/webhooks/{id}/deliveries/replay', { path: { id }, body, signal });
      replayed += page.replayed;
      cursor = page.next_cursor;
    }
    print({ json }, { replayed }, `${counted(replayed, 'event')} queued to be sent again.`);
  });

/** A receiver that does not listen, or a resolver that does not answer, may later; a host that does not exist never will. */
async function receiverUrl(forward: string): Promise<URL> {
  const url = URL.canParse(forward) ? new URL(forward) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageError('--forward: must be an http or https URL such as http://localhost:4000/hook');
  await lookup(url.hostname.replace(/^\[|\]$/g, '')).catch(({ code }: NodeJS.ErrnoException) => {
    if (code === 'ENOTFOUND')
      throw usageError(`--forward: there is no host ${quoteForMessage(url.hostname)}`);
  });
  return url;
}

/** Sends an event as the service would: https://www.standardwebhooks.com. The status is null if there was no reply. */
async function deliver(event: Event, url: URL, secret: string, signal: AbortSignal) {
  const { id, type } = event;
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1000);
  const begun = performance.now();
  const result = (status: number | null, error: string | null) => {
    const duration_ms = Math.round(performance.now() - begun);
    return { id, type, status, duration_ms, error };
  };
  using limit = new Deadline(TIMEOUT_MS, signal);
  try {
    // Not `fetch`, which sends nothing to some ports, nor to a URL with a password.
    const sent = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'meeting-recording-service',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureOf(`${id}.${timestamp}.${body}`, [secret]),
      },
      signal: limit.signal,
    });
    // The reply decides; how the connection ends after that does not matter.
    sent.on('error', () => undefined);
    sent.end(body);
    const [reply] = (await once(sent, 'response')) as [http.IncomingMessage];
    reply.destroy();
    return result(reply.statusCode ?? null, null);
  } catch (error) {
    // A receiver that is restarted, or hangs, is no reason to stop.
    return result(null, reasonOf(error as Error));
  }
}

function reasonOf({ code, message, cause }: NodeJS.ErrnoException): string {
  if (cause instanceof Error && cause.name === 'TimeoutError')
    return `no reply within ${TIMEOUT_MS / 1000} seconds`;
  return code ?? message;
}

function lineOf({ timestamp }: Event, delivery: Awaited<ReturnType<typeof deliver>>): string {
  const { type, status, duration_ms: duration, error } = delivery;
  const outcome = status === null ? `failed: ${error}` : String(status);
  return singleLine(`${timestamp.slice(0, 19).replace('T', ' ')}  ${type}  ${outcome}  ${duration} ms`);
}
