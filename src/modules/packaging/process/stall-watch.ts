/** Long enough for a slow disk, short enough that a hanging decoder does not hold up the others for hours. */
const STALL_MS = 5 * 60 * 1000;
const LOOKS = 10;

/**
 * Calls back once when `alive` has not been called for `limitMs`, five minutes by default. Time in which this process did
 * not run does not count: signs of life that arrived meanwhile are still waiting. So the limit is a number of looks, and
 * of those that are missed only one is made up for, with all that waits heard before the next.
 */
export class StallWatch {
  stalled = false;
  private looks = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly onStall: () => void,
    limitMs = STALL_MS,
  ) {
    this.timer = setInterval(() => this.look(), limitMs / LOOKS);
  }

  alive(): void {
    this.looks = 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    if (++this.looks <= LOOKS) return;
    this.stop();
    this.stalled = true;
    this.onStall();
  }
}
