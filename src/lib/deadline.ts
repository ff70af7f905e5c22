/**
 * A limit on the time of some work, which ends early when `stop` aborts. To be disposed of with the work (`using`).
 * Replaces `AbortSignal.any` with an `AbortSignal.timeout`: Node collects such a timeout while the work waits, which
 * then never ends (seen in 20.20).
 */
export class Deadline implements Disposable {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly stopped = (): void => this.controller.abort(this.stop?.reason);
  /** Aborts with a `TimeoutError`, or with the reason of `stop`. */
  readonly signal: AbortSignal = this.controller.signal;
  /** Whether the time was over before anything else ended the work. */
  isOver = false;

  constructor(
    milliseconds: number,
    private readonly stop?: AbortSignal,
  ) {
    this.timer = setTimeout(() => {
      this.isOver = true;
      this.controller.abort(new DOMException('The time limit was exceeded', 'TimeoutError'));
    }, milliseconds).unref();
    if (stop?.aborted) this.stopped();
    else stop?.addEventListener('abort', this.stopped, { once: true });
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    this.stop?.removeEventListener('abort', this.stopped);
  }
}
