import { finished, Transform, type Readable } from 'node:stream';

/** A transfer without a byte for this long has failed. */
export const STALLED_MS = 60_000;

/**
 * Passes the bytes of a source through, and fails with the error mapped by `explain` if the source fails or sends none
 * for too long. A slow reader does not trigger it, as bytes are then buffered here. Destroying it destroys the source.
 */
export function guarded(source: Readable, explain: (error: Error) => Error, limitMs = STALLED_MS): Readable {
  let lastAt = performance.now();
  const guard = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      lastAt = performance.now();
      done(null, chunk);
    },
  });
  const timer = setInterval(() => {
    if (guard.readableLength > 0 || guard.writableFinished || performance.now() - lastAt < limitMs) return;
    const error = Object.assign(new Error(`no data for ${limitMs} ms`), { name: 'TimeoutError' });
    guard.destroy(explain(error));
  }, limitMs / 2).unref();
  finished(source, (error) => {
    if (error) guard.destroy(explain(error));
  });
  guard.once('close', () => {
    clearInterval(timer);
    source.destroy();
  });
  // An error before anyone reads must not end the process; the reader still gets it.
  guard.on('error', () => undefined);
  return source.pipe(guard);
}
