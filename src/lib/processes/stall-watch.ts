/** Long enough for a slow disk, short enough that a hanging decoder does not hold up other jobs for hours. */
const STALL_MS = 5 * 60 * 1000;
const CHECKS = 10;

/**
 * Calls back once when `alive` has not been called for `limitMs`, five minutes by default. Time in which this process
 * was not running does not count, because signs of life that arrived meanwhile are still queued. The limit is therefore
 * a number of timer ticks: after a suspension only one missed tick fires, and queued signs of life are handled before
 * the next.
 */
export class StallWatch {
  stalled = false;
  private checks = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly onStall: () => void,
    limitMs = STALL_MS,
  ) {
    this.timer = setInterval(() => this.check(), limitMs / CHECKS);
  }

  alive(): void {
    this.checks = 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private check(): void {
    if (++this.checks <= CHECKS) return;
    this.stop();
    this.stalled = true;
    this.onStall();
  }
}
