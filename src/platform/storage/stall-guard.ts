import { finished, Transform, type Readable, type TransformCallback } from 'node:stream';

/** Without a byte for this long, a transfer has failed. */
export const STALLED_MS = 60_000;

/** A source behind a guard. Reading fails with what `explain` makes of the error; letting go of it ends the source. */
export function guarded(source: Readable, explain: (error: Error) => Error): Readable {
  const guard = new StallGuard(STALLED_MS, explain);
  finished(source, (error) => {
    if (error) guard.destroy(explain(error));
  });
  guard.once('close', () => source.destroy());
  source.pipe(guard);
  // An error before anybody reads must not end the process; who reads then is told.
  guard.on('error', () => undefined);
  return guard;
}

/**
 * Passes bytes on, and fails when the source sends none for too long. A reader that is slow does not count: then
 * bytes wait here.
 */
export class StallGuard extends Transform {
  private lastAt = performance.now();
  private readonly timer: NodeJS.Timeout;

  /** `explain` turns what went wrong into what the reader gets. */
  constructor(
    private readonly limitMs: number,
    private readonly explain: (error: Error) => Error,
  ) {
    super();
    this.timer = setInterval(() => this.look(), limitMs / 2);
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

  private look(): void {
    const idle = performance.now() - this.lastAt;
    if (this.readableLength > 0 || this.writableFinished || idle < this.limitMs) return;
    const error = Object.assign(new Error(`no data for ${this.limitMs} ms`), { name: 'TimeoutError' });
    this.destroy(this.explain(error));
  }
}
