/** Seconds in one level. */
const LEVEL_SECONDS = 0.05;

/**
 * The levels of two channels side by side, at any sample rate. They have no times: gaps do not count, and a level that a
 * change of the sample rate cuts short is left out.
 */
export class ChannelLevels {
  private readonly levels: readonly [number[], number[]] = [[], []];
  private squares: [number, number] = [0, 0];
  private counted = 0;
  private rate = 0;
  private paired = true;

  /** All channels of a piece, with the same number of samples. */
  add(channels: readonly Float32Array[], rate: number): void {
    const [left, right] = channels;
    this.paired &&= channels.length === 2;
    if (!this.paired || !left || !right) return;
    if (rate !== this.rate) this.begin();
    this.rate = rate;
    const samples = Math.round(rate * LEVEL_SECONDS);
    for (let from = 0; from < left.length;) {
      const to = Math.min(left.length, from + samples - this.counted);
      this.squares[0] += energyOf(left, from, to);
      this.squares[1] += energyOf(right, from, to);
      this.counted += to - from;
      from = to;
      if (this.counted === samples) this.endLevel();
    }
  }

  /** Null if there were ever more or fewer than two channels. */
  complete(): readonly [readonly number[], readonly number[]] | null {
    return this.paired ? this.levels : null;
  }

  private endLevel(): void {
    this.squares.forEach((energy, channel) => this.levels[channel]?.push(Math.sqrt(energy / this.counted)));
    this.begin();
  }

  private begin(): void {
    this.squares = [0, 0];
    this.counted = 0;
  }
}

/** NaN counts as silence, as in `AudioWriter`. */
function energyOf(samples: Float32Array, from: number, to: number): number {
  let energy = 0;
  for (let place = from; place < to; place++) {
    const sample = samples[place] || 0;
    energy += sample * sample;
  }
  return energy;
}
