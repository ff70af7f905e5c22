/** Long enough for a slow disk, short enough that a hanging decoder does not hold up the others for hours. */
const STALL_MS = 5 * 60 * 1000;

/** Calls back once when `alive` has not been called for `limitMs`, five minutes unless told. */
export class StallWatch {
  stalled = false;
  private timer: NodeJS.Timeout;

  constructor(
    private readonly onStall: () => void,
    private readonly limitMs = STALL_MS,
  ) {
    this.alive();
  }

  alive(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.stalled = true;
      this.onStall();
    }, this.limitMs);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
