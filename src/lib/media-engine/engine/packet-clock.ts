/** Containers whose clock may begin anew: where files were joined, or where a broadcast or a chained Ogg continues. */
const RESTARTING = new Set(['ogg', 'mpegts', 'mpeg']);
/** Seconds; the same as in FFmpeg's program (`-dts_delta_threshold`, and a tenth of a second backwards). */
const FORWARDS = 10;
const BACKWARDS = 0.1;

/** Undoes jumps of a container's clock, as FFmpeg's program does: what follows a jump continues what precedes it. */
export class PacketClock {
  private readonly restarts: boolean;
  private readonly next = new Map<number, number>();
  private offset = 0;

  /** `format` has FFmpeg's names of the container. */
  constructor(format: string) {
    this.restarts = format.split(',').some((name) => RESTARTING.has(name));
  }

  /**
   * Decoding time of a packet, and the seconds to add to its times. Packets are given in the order of the file; times
   * are in seconds. A packet without a time, as in elementary streams, follows the one before.
   */
  take(
    stream: number,
    dts: number | null,
    duration: number,
  ): { readonly time: number; readonly offset: number } {
    const expected = this.next.get(stream);
    if (this.restarts && expected !== undefined && dts !== null) {
      const jump = dts + this.offset - expected;
      if (jump > FORWARDS || jump < -BACKWARDS) this.offset -= jump;
    }
    const time = dts === null ? (expected ?? 0) : dts + this.offset;
    this.next.set(stream, Math.max(expected ?? -Infinity, time + duration));
    return { time, offset: this.offset };
  }
}
