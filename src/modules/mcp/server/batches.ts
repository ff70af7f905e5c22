import { MCP_LIMITS } from '../mcp-limits.js';
import { z } from '../../../lib/zod.js';

/** Of JSON-RPC. Its library takes 9 MB, and most services are never asked by a language model. */
const INVALID_REQUEST = -32_600;
/** The only version of the protocol with batches, which did not yet have the header that names the version. */
const WITH_BATCHES = '2025-03-26';

/** A message, or several, that JSON-RPC refuses as a whole. */
export class InvalidRequest extends Error {
  get reply(): object {
    const error = { code: INVALID_REQUEST, message: this.message };
    return { jsonrpc: '2.0', id: null, error };
  }
}

/** Throws an `InvalidRequest` unless a client of this version may send these messages at once. */
export function requireBatch(messages: readonly unknown[], version = WITH_BATCHES): void {
  if (version !== WITH_BATCHES)
    throw new InvalidRequest(
      `Send one message: batches belong to the version ${WITH_BATCHES}, not to ${version}`,
    );
  if (messages.length === 0 || messages.length > MCP_LIMITS.batch)
    throw new InvalidRequest(`A batch has 1 to ${MCP_LIMITS.batch} messages, this one ${messages.length}`);
  const ids = messages.flatMap((message) => (has('id', message) ? [message.id] : []));
  if (new Set(ids).size < ids.length)
    throw new InvalidRequest('Each request of a batch has an id of its own');
  // It would never be answered, nor the stream of the replies end.
  if (messages.some((message) => cancels(message, ids)))
    throw new InvalidRequest('A batch cannot cancel a request of its own');
}

const CANCEL = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.unknown() }),
});

function cancels(message: unknown, ids: readonly unknown[]): boolean {
  const { data } = CANCEL.safeParse(message);
  return data !== undefined && ids.includes(data.params.requestId);
}

const has = <Name extends string>(name: Name, message: unknown): message is Readonly<Record<Name, unknown>> =>
  typeof message === 'object' && message !== null && name in message;

/** The replies in a stream of events that has ended. */
export function repliesOf(events: string): unknown[] {
  const lines = events.split('\n').filter((line) => line.startsWith('data: {'));
  const messages = lines.map((line): unknown => JSON.parse(line.slice('data: '.length)));
  return messages.filter((one) => has('result', one) || has('error', one));
}
