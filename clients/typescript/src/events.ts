import { ConnectionError, TimeoutError } from './errors.js';
import { limit, sleep, type Limit } from './limits.js';
import { backoff, isLost } from './retries.js';
import type { Transport } from './transport.js';
import type { Event, Options } from './types.js';

/** The service sends something every 15 seconds. */
const SILENCE_MS = 45_000;

type EventQuery = NonNullable<Options<'get', '/events/stream'>['query']>;

/** Which events; by default all that the caller may see, from now on. */
export interface EventOptions extends EventQuery {
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal | undefined;
}

/** An event, and where the stream is after it: `cursor` continues there, also days later. */
export type StreamedEvent = Event & { readonly cursor: string };

/** What the service sends: an event, or only how far the stream has come. */
interface Message {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

/** Events as they happen. Reconnects and continues where it was, until `signal` aborts or the service refuses. */
export async function* events(
  transport: Transport,
  { signal, ...query }: EventOptions,
): AsyncGenerator<StreamedEvent, void> {
  let { cursor } = query;
  let hasBeenOpen = false;
  for (let failures = 0; ; failures += 1) {
    if (failures > 0) await sleep(backoff(failures), signal).catch(() => undefined);
    if (signal?.aborted) return;
    try {
      for await (const { id, event, data } of messages(transport, { ...query, cursor }, signal)) {
        hasBeenOpen = true;
        failures = 0;
        cursor = id ?? cursor;
        // `end` is not one: the reply to the next request says why.
        if (event && event !== 'end' && data) yield { ...(JSON.parse(data) as Event), cursor: cursor ?? '' };
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!hasBeenOpen || !isLost(error)) throw error;
    }
  }
}

/** The messages of one connection. Ends when the service closes it; rejects if it breaks, or is refused. */
export async function* messages(
  transport: Transport,
  query: EventQuery,
  signal?: AbortSignal,
): AsyncGenerator<Message, void> {
  const connection = limit(signal);
  try {
    const call = { query, signal: connection.signal };
    const reply = await transport.call('get', '/events/stream', call, 'stream');
    const reader = (reply.data as ReadableStream<Uint8Array>).getReader();
    // Node's `fetch` forgets the signal once the garbage collector has taken the request.
    connection.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined), {
      once: true,
    });
    const decoder = new TextDecoder();
    for (let rest = ''; ;) {
      const { done, value } = await read(reader, connection);
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield parse(block);
    }
  } finally {
    connection.release();
    connection.abort();
  }
}

async function read(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  connection: Limit,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  const silent = new TimeoutError(`The stream of events has been silent for ${SILENCE_MS} ms`);
  const timer = setTimeout(() => connection.abort(silent), SILENCE_MS);
  try {
    const result = await reader.read();
    connection.signal.throwIfAborted();
    return result;
  } catch (error) {
    if (connection.signal.aborted) throw connection.signal.reason;
    throw new ConnectionError('The stream of events broke', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The fields of a message; a comment has none. */
function parse(block: string): Message {
  const lines = block.split('\n').map((line): [string, string] => {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    return [name, value];
  });
  return Object.fromEntries(lines);
}
