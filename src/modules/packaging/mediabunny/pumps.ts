import { maxDuration, tooLong } from '../media-limits.js';

/** A longer jump is damage, not a gap: the media ends there. */
export const MAX_JUMP_SECONDS = 12 * 60 * 60;
/** Audio may drift by this many seconds before it is padded or cut. */
export const MAX_AUDIO_DRIFT = 0.03;

/**
 * Moves one track from an input to an output: each step moves a little media and yields the presentation time (seconds)
 * reached. A pump that has run out of input, but must extend its track to match the others, says so in `Timeline`.
 */
export type Pump = AsyncGenerator<number, void>;

/** What pumps know about each other. Times are presentation times in seconds. */
export class Timeline {
  /** The furthest that any pump has got. */
  reached = 0;
  /** Pumps that still have input. */
  reading = 0;
  private readonly longest: number;

  /** `bytes` is the size of the source. */
  constructor(private readonly bytes: number) {
    this.longest = maxDuration(bytes);
  }

  /** To be called before padding up to a time: throws `UnplayableMediaError` if the media may not last that long. */
  requireAllowed(time: number): void {
    if (time > this.longest) throw tooLong(this.bytes);
  }

  /** To be called before a time is yielded: pumps that have run out of input wait for it. */
  reach(time: number): void {
    this.requireAllowed(time);
    this.reached = Math.max(this.reached, time);
  }
}

/**
 * Always runs the pump that is furthest behind, so that the tracks are interleaved and none is held in memory until the
 * others have caught up.
 */
export async function runPumps(
  pumps: readonly Pump[],
  timeline: Timeline,
  onStep: (time: number) => void,
): Promise<void> {
  const open = pumps.map((pump) => ({ pump, time: -Infinity }));
  timeline.reading = open.length;
  try {
    while (open.length > 0) {
      const behind = open.reduce((first, second) => (second.time < first.time ? second : first));
      const step = await behind.pump.next();
      if (step.done) {
        open.splice(open.indexOf(behind), 1);
      } else {
        behind.time = step.value;
        onStep(Math.max(0, behind.time));
      }
    }
  } finally {
    // After an error, the other pumps still have to close their decoders.
    await Promise.allSettled(open.map(({ pump }) => pump.return()));
  }
}

/**
 * The items of an input for as long as they can be read: damage or truncation counts as the end. Errors of the operating
 * system (such as I/O errors) are thrown.
 */
export async function* readable<T>(items: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  try {
    while (true) {
      let item: IteratorResult<T, void>;
      try {
        item = await items.next();
      } catch (error) {
        if (isSystemError(error)) throw error;
        return;
      }
      if (item.done) return;
      yield item.value;
    }
  } finally {
    await items.return().catch(() => undefined);
  }
}

/** Whether an error comes from the operating system, rather than from the media. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
