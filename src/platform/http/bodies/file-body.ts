import { finished, PassThrough, type Readable } from 'node:stream';
import type { Request } from 'express';

/** About 1 MiB with the chunk sizes of a fast connection. */
const CHUNKS_AHEAD = 16;

/**
 * The bytes of a request, buffered up to a limit before they are consumed: Node does not notice a closed connection
 * while nothing reads from it. A consumer that stops early must call `forgetRest`.
 */
export function readAhead(request: Readable): AsyncIterable<Uint8Array> {
  const ahead = new PassThrough({ objectMode: true, highWaterMark: CHUNKS_AHEAD });
  let lost: Error | null | undefined;
  finished(request, { writable: false }, (error) => {
    lost = error;
    // Deliver what has arrived before failing.
    if (lost) ahead.end();
  });
  request.pipe(ahead);
  return (async function* () {
    yield* ahead as AsyncIterable<Uint8Array>;
    if (lost) throw lost;
  })();
}

/** Discards the rest of the body, so that the reply can be sent and the connection reused. */
export function forgetRest(request: Readable): void {
  request.unpipe();
  request.resume();
}

/** Declared length of the body in bytes; undefined without a `Content-Length`. */
export function contentLength(request: Request): number | undefined {
  const announced = request.get('Content-Length');
  return announced === undefined ? undefined : Number(announced);
}
