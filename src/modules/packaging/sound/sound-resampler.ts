/** Zero crossings of the kernel on each side: steep enough for speech, at a few operations a sample. */
const CROSSINGS = 12;
/** Of the band that fits; the rest is for the slope. */
const PASSED = 0.94;

/**
 * Changes the sample rate of one channel, piece by piece, in constant memory and without delay: sample n of the output
 * is the input at the time n / `to`. Band-limited (windowed sinc, one set of weights for each position between samples).
 */
export class Resampler {
  private readonly up: number;
  private readonly down: number;
  /** Input samples on each side of a place that count for it. */
  private readonly half: number;
  private readonly weights: readonly Float32Array[];
  private input = new Float32Array(0);
  /** Place of the first sample of `input`, in samples from the beginning. */
  private first = 0;
  private taken = 0;
  private given = 0;

  /** Samples a second, whole numbers. */
  constructor(from: number, to: number) {
    const shared = divisor(from, to);
    this.up = to / shared;
    this.down = from / shared;
    this.half = this.up === this.down ? 0 : Math.ceil(CROSSINGS * Math.max(1, from / to));
    this.weights = Array.from({ length: this.half === 0 ? 0 : this.up }, (_, phase) =>
      kernel(this.half, phase / this.up, PASSED * Math.min(1, to / from)),
    );
    this.begin();
  }

  /** As much of the output as is certain; the piece is not kept. */
  push(piece: Float32Array): Float32Array {
    this.taken += piece.length;
    if (this.half === 0) return piece;
    return this.produce(piece, Math.ceil(((this.taken - this.half) * this.up) / this.down));
  }

  /** The rest of the output. What is pushed afterwards is something new. */
  end(): Float32Array {
    const until = Math.ceil((this.taken * this.up) / this.down);
    const rest = this.half === 0 ? this.input : this.produce(new Float32Array(this.half + 1), until);
    this.begin();
    return rest;
  }

  private begin(): void {
    this.input = new Float32Array(this.half);
    this.first = -this.half;
    this.taken = 0;
    this.given = 0;
  }

  private produce(piece: Float32Array, until: number): Float32Array {
    const input = new Float32Array(this.input.length + piece.length);
    input.set(this.input);
    input.set(piece, this.input.length);
    const output = new Float32Array(Math.max(0, until - this.given));
    const width = 2 * this.half;
    for (let index = 0; index < output.length; index++) {
      const place = (this.given + index) * this.down;
      const weights = this.weights[place % this.up] as Float32Array;
      const from = Math.floor(place / this.up) - this.half + 1 - this.first;
      let sum = 0;
      for (let tap = 0; tap < width; tap++) sum += (input[from + tap] as number) * (weights[tap] as number);
      output[index] = sum;
    }
    this.given += output.length;
    const needed = Math.floor((this.given * this.down) / this.up) - this.half + 1;
    const unused = Math.max(0, Math.min(input.length, needed - this.first));
    this.input = input.slice(unused);
    this.first += unused;
    return output;
  }
}

/** Weights of the samples from `half` - 1 before a place to `half` after it, `offset` (0 to 1) behind a sample. */
function kernel(half: number, offset: number, cutoff: number): Float32Array {
  const weights = new Float64Array(2 * half);
  for (let tap = 0; tap < weights.length; tap++) {
    const distance = tap - half + 1 - offset;
    const angle = Math.PI * (distance / half);
    // Blackman.
    const window = Math.abs(distance) >= half ? 0 : 0.42 + 0.5 * Math.cos(angle) + 0.08 * Math.cos(2 * angle);
    weights[tap] = window * sinc(cutoff * distance);
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return Float32Array.from(weights, (weight) => weight / sum);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
