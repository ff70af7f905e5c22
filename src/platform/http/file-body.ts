import { finished, PassThrough, type Readable } from 'node:stream';
import type { Request } from 'express';

const STALLED_MS = 120_000;
/** About 1 MiB, as they come from a connection that is quick. */
const CHUNKS_AHEAD = 16;

/** Ends a connection on which a file arrives no further; what has arrived by then counts. */
export function endWhenStalled(request: Request): void {
  request.setTimeout(STALLED_MS, () => request.destroy());
}

/**
 * The bytes of a request, read before anybody asks for them, as far as memory allows: while nobody takes its bytes, Node
 * does not notice the end of a connection. Who gives up on them calls `forgetRest`.
 */
export function readAhead(request: Readable): AsyncIterable<Uint8Array> {
  const ahead = new PassThrough({ objectMode: true, highWaterMark: CHUNKS_AHEAD });
  let lost: Error | null | undefined;
  finished(request, { writable: false }, (error) => {
    lost = error;
    // What has arrived comes first.
    if (lost) ahead.end();
  });
  request.pipe(ahead);
  return (async function* () {
    yield* ahead as AsyncIterable<Uint8Array>;
    if (lost) throw lost;
  })();
}

/** Reads what is left and forgets it, so that the reply and the next request find their way. */
export function forgetRest(request: Readable): void {
  request.unpipe();
  request.resume();
}

/** Bytes that the body has by its header; undefined when that is not said beforehand. */
export function contentLength(request: Request): number | undefined {
  const announced = request.get('Content-Length');
  return announced === undefined ? undefined : Number(announced);
}
