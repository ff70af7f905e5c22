/** A stretch of audio, in seconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const secondsOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { start, end }) => sum + end - start, 0);

/** Speech that is recognized in one go, because words are understood best in context. */
export interface Passage {
  /** The audio to recognize: the speech with some of the pauses around it. */
  readonly audio: Span;
  /** Where somebody speaks, in order; between them are pauses. */
  readonly spans: readonly Span[];
}

/** Seconds. */
const LIMITS = {
  /** A longer pause ends the passage. */
  pause: 1.5,
  /** Models are trained on up to 30 seconds and get lost near that. */
  longest: 16,
  /** A passage that has to be cut is cut at its longest pause after this. */
  shortest: 6,
  /** Detectors miss soft beginnings and ends of words. */
  padding: 0.4,
} as const;

/** Joins stretches of speech into passages, as they are found. */
export class PassageBuilder {
  private open: Span[] = [];
  /** `from`: where the audio of the last passage ended. */
  constructor(public from: number) {}

  /** Audio before this time is no longer needed; null if nothing is open. */
  get openFrom(): number | null {
    const [first] = this.open;
    return first ? this.audioStart(first) : null;
  }

  /** Adds a stretch of speech that starts after all earlier ones; returns the passages that are final. */
  add(span: Span): Passage[] {
    const final = this.advance(span.start);
    for (const part of cutLong(span)) {
      while (this.open.length > 0 && part.end - (this.open[0] as Span).start > LIMITS.longest)
        final.push(this.cutBefore(part));
      this.open.push(part);
    }
    return final;
  }

  /** Returns the open passage if nobody has spoken for long enough at `time`. */
  advance(time: number): Passage[] {
    const last = this.open.at(-1);
    return last && time - last.end >= LIMITS.pause ? this.end(time) : [];
  }

  /** Returns the open passage; the audio ends at `time`. */
  end(time: number): Passage[] {
    const last = this.open.at(-1);
    return last ? [this.take(this.open.length, Math.min(last.end + LIMITS.padding, time))] : [];
  }

  /** Cuts at the longest pause, so that at least one open stretch is taken; `next` follows the open ones. */
  private cutBefore(next: Span): Passage {
    const all = [...this.open, next];
    const [first] = all as [Span];
    let best = { count: this.open.length, pause: -1 };
    for (let count = 1; count < all.length; count++) {
      const [before, after] = [all[count - 1] as Span, all[count] as Span];
      const early = before.end - first.start < LIMITS.shortest;
      const pause = after.start - before.end - (early ? LIMITS.pause : 0);
      if (pause >= best.pause) best = { count, pause };
    }
    const [before, after] = [all[best.count - 1] as Span, all[best.count] as Span];
    return this.take(best.count, Math.min(before.end + LIMITS.padding, (before.end + after.start) / 2));
  }

  private take(count: number, end: number): Passage {
    const spans = this.open.slice(0, count);
    const start = this.audioStart(spans[0] as Span);
    this.open = this.open.slice(count);
    this.from = end;
    return { audio: { start, end }, spans };
  }

  private audioStart({ start }: Span): number {
    return Math.max(this.from, start - LIMITS.padding);
  }
}

/** Speech without any pause is cut into equal parts. */
function cutLong({ start, end }: Span): Span[] {
  const parts = Math.ceil((end - start) / LIMITS.longest);
  const length = (end - start) / parts;
  return Array.from({ length: parts }, (_, part) => ({
    start: start + part * length,
    end: start + (part + 1) * length,
  }));
}
