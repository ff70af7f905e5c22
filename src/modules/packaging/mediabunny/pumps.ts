import { maxDuration, tooLong } from '../media-limits.js';

/** A jump of more than this is damage, not a pause: the media ends there. */
export const MAX_JUMP_SECONDS = 12 * 60 * 60;
/** Audio may be off by this many seconds before it is filled up or cut. */
export const MAX_AUDIO_DRIFT = 0.03;

/**
 * One track on its way from an input to an output: each step moves a little media and yields the presentation time
 * (seconds) it has come to. A pump that has no more input, but has to reach as far as the others, says so in `Timeline`.
 */
export type Pump = AsyncGenerator<number, void>;

/** What pumps know of each other. Times are presentation times in seconds. */
export class Timeline {
  /** The furthest that any pump has come. */
  reached = 0;
  /** Pumps that still have input. */
  reading = 0;
  private readonly longest: number;

  /** `bytes` of the source. */
  constructor(private readonly bytes: number) {
    this.longest = maxDuration(bytes);
  }

  /** Before anything is filled up to a time: throws `UnplayableMediaError` where the media may not last so long. */
  requireAllowed(time: number): void {
    if (time > this.longest) throw tooLong(this.bytes);
  }

  /** To be called before a time is yielded: who waits for the others waits for this. */
  reach(time: number): void {
    this.requireAllowed(time);
    this.reached = Math.max(this.reached, time);
  }
}

/**
 * Runs the pump that is furthest behind, again and again: the tracks come out interleaved and none is held in memory
 * until the others have caught up.
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
    // After an error: lets the others close their decoders.
    await Promise.allSettled(open.map(({ pump }) => pump.return()));
  }
}

/**
 * The items of an input up to where they can be read: a damaged or cut-off end counts as the end. What the operating
 * system refuses (an input/output error) is thrown.
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

/** What the operating system refuses, as opposed to what is wrong with the media. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
