import { finished, Transform, type Readable, type TransformCallback } from 'node:stream';

/** A transfer without a byte for this long has failed. */
export const STALLED_MS = 60_000;

/**
 * Wraps a source in a guard. Reading fails with the error mapped by `explain`; destroying the guard destroys the
 * source.
 */
export function guarded(source: Readable, explain: (error: Error) => Error): Readable {
  const guard = new StallGuard(STALLED_MS, explain);
  finished(source, (error) => {
    if (error) guard.destroy(explain(error));
  });
  guard.once('close', () => source.destroy());
  source.pipe(guard);
  // An error before anyone reads must not end the process; the reader still gets it.
  guard.on('error', () => undefined);
  return guard;
}

/**
 * Passes bytes through, and fails if the source sends none for too long. A slow reader does not trigger it, as bytes
 * are then buffered here.
 */
export class StallGuard extends Transform {
  private lastAt = performance.now();
  private readonly timer: NodeJS.Timeout;

  /** `explain` maps an error to the one that the reader gets. */
  constructor(
    private readonly limitMs: number,
    private readonly explain: (error: Error) => Error,
  ) {
    super();
    this.timer = setInterval(() => this.check(), limitMs / 2);
    this.timer.unref();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.lastAt = performance.now();
    done(null, chunk);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.timer);
    done(error);
  }

  private check(): void {
    const idle = performance.now() - this.lastAt;
    if (this.readableLength > 0 || this.writableFinished || idle < this.limitMs) return;
    const error = Object.assign(new Error(`no data for ${this.limitMs} ms`), { name: 'TimeoutError' });
    this.destroy(this.explain(error));
  }
}
