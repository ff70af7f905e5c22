import { buffer } from 'node:stream/consumers';
import { SECOND_MS } from '../../lib/durations.js';
import type { OutboundClient } from '../../platform/outbound/outbound-client.js';

/** The metadata of a client, or its keys, while somebody waits; not redirected. */
const LIMITS = {
  connectMs: 5 * SECOND_MS,
  headersMs: 5 * SECOND_MS,
  totalMs: 10 * SECOND_MS,
  bytes: 32 * 1024,
  redirects: 0,
};

/** `fetch` as `oidc-provider` uses it for addresses that clients name. */
export const clientFetch =
  (outbound: OutboundClient) =>
  async (address: URL | string | Request, { headers }: RequestInit = {}): Promise<Response> => {
    const url = outbound.read(address instanceof Request ? address.url : String(address));
    if (!url) throw new TypeError('a client names an address to which no requests are sent');
    const reply = await outbound.request({
      url,
      headers: Object.fromEntries(new Headers(headers).entries()),
      limits: LIMITS,
    });
    const body = await buffer(reply.body);
    const kept = ['cache-control', 'content-type', 'expires'].flatMap((name): [string, string][] => {
      const value = reply.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    return new Response(body, { status: reply.status, headers: kept });
  };
