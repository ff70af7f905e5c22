import { fft, ifft } from 'fourier-transform';
import { AUDIO_RATE, LEVEL_SAMPLES } from './audio-format.js';
import type { Levels } from './level-comparison.js';

/** Audio in the format of `audio-format.ts`, of which little is held in memory. */
export interface Sound {
  readonly levels: Levels;
  /** `count` samples from one on; zeros where there are none. */
  read(from: number, count: number): Promise<Float64Array>;
}

/** Levels per second. */
const RATE = AUDIO_RATE / LEVEL_SAMPLES;
/** Levels below this share of speech are noise, and their changes mean nothing. */
const FLOOR = { loudShare: 0.95, ratio: 0.05 } as const;
/** Pieces of the shorter sound are looked for one by one, in levels: two recorders' clocks differ too little to matter in one. */
const PIECES = { most: 8, length: 300 * RATE, least: 60 * RATE } as const;
/** Places in the longer sound that are compared sample by sample for each window of a piece. */
const PLACES = 12;
const WINDOWS = 3;
/** Samples; a power of two. */
const WINDOW = 2 ** 16;
/** Hertz in which voices are alike after any codec. */
const BAND = { from: 100, to: 3_500 } as const;
/** Samples by which a place may be off. */
const REACH = 3 * LEVEL_SAMPLES;
/** Peaks of a correlation in multiples of its root mean square: that of unrelated sound has up to 5.5. */
const CERTAIN = { one: 7, all: 20 } as const;
/** A second offset with this share of the support of the best one makes it ambiguous. */
const RIVAL = 0.6;
/** Seconds by which matches may disagree, and what clocks may add for each second between them. */
const AGREEMENT = { seconds: 0.02, drift: 2.5e-4 } as const;

/** A window of the shorter sound, found in the longer one: seconds of its middle, and to add for its place in the other. */
interface Match {
  readonly at: number;
  readonly offset: number;
  readonly score: number;
}

/**
 * Seconds of the mix at which the track begins, to within a few milliseconds in the middle of what they share; null if the
 * track is not in the mix, or if it cannot be told where. Takes about a second, and memory for the levels.
 */
export async function findOffset(track: Sound, mix: Sound): Promise<number | null> {
  const isShorter = track.levels.length <= mix.levels.length;
  const [short, long] = isShorter ? [track, mix] : [mix, track];
  const matches = await findMatches(short, long);
  const support = (one: Match): Match[] => matches.filter((other) => agree(one, other));
  const sum = (members: readonly Match[]): number => members.reduce((total, { score }) => total + score, 0);
  const best = matches.map(support).toSorted((one, other) => sum(other) - sum(one))[0] ?? [];
  const rivals = matches.filter((match) => !best.some((member) => agree(member, match)));
  const rival = Math.max(0, ...rivals.map((match) => sum(support(match))));
  if (sum(best) < CERTAIN.all || rival > RIVAL * sum(best)) return null;
  const offset = atMiddle(best, short.levels.length / RATE / 2);
  return isShorter ? offset : -offset;
}

const agree = (one: Match, other: Match): boolean =>
  Math.abs(one.offset - other.offset) <= AGREEMENT.seconds + AGREEMENT.drift * Math.abs(one.at - other.at);

/** The offset at this second, on the line through all matches. */
function atMiddle(matches: readonly Match[], middle: number): number {
  const mean = (of: (match: Match) => number): number =>
    matches.reduce((sum, match) => sum + of(match), 0) / matches.length;
  const [at, offset] = [mean((match) => match.at), mean((match) => match.offset)];
  const spread = mean((match) => (match.at - at) ** 2);
  const slope = spread > 60 ** 2 ? mean((match) => (match.at - at) * (match.offset - offset)) / spread : 0;
  return offset + slope * (middle - at);
}

async function findMatches(short: Sound, long: Sound): Promise<Match[]> {
  const [own, other] = [onsets(short.levels), onsets(long.levels)];
  const count = Math.max(1, Math.min(PIECES.most, Math.floor(own.length / PIECES.least)));
  const length = Math.min(PIECES.length, Math.floor(own.length / count));
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, other.length + length)));
  const spectrum = spectrumOf(other, size);
  const matches: Match[] = [];
  for (let piece = 0; piece < count; piece++) {
    const part = Math.floor(own.length / count);
    const [from = 0] = busiest(own, piece * part, (piece + 1) * part, length, 1);
    const places = likelyPlaces(own.subarray(from, from + length), spectrum, other, size);
    for (const window of busiest(own, from, from + length, Math.ceil(WINDOW / LEVEL_SAMPLES), WINDOWS)) {
      const start = window * LEVEL_SAMPLES;
      const sound = spectrumOf(await short.read(start, WINDOW), WINDOW);
      for (const place of places) {
        const moved = (place - from) * LEVEL_SAMPLES;
        const { lag, score } = phaseCorrelation(
          sound,
          spectrumOf(await long.read(start + moved, WINDOW), WINDOW),
        );
        const at = (start + WINDOW / 2) / AUDIO_RATE;
        if (score >= CERTAIN.one) matches.push({ at, offset: (moved + lag) / AUDIO_RATE, score });
      }
    }
  }
  return matches;
}

/** How much louder it gets, in logarithms; steady sound and silence are 0. */
function onsets(levels: Levels): Float64Array {
  const sorted = Float32Array.from(levels)
    .filter((level) => level > 0)
    .sort();
  const floor = FLOOR.ratio * (sorted[Math.floor(FLOOR.loudShare * sorted.length)] ?? 1);
  const result = new Float64Array(levels.length);
  let before = floor;
  for (let place = 0; place < levels.length; place++) {
    const level = Math.max(floor, levels[place] ?? 0);
    result[place] = Math.max(0, Math.log(level / before));
    before = level;
  }
  const mean = result.reduce((sum, value) => sum + value, 0) / Math.max(1, result.length);
  return result.map((value) => value - mean);
}

/** Where pieces of this length begin that have most onsets, the best first. */
function busiest(values: Float64Array, from: number, to: number, length: number, most: number): number[] {
  const energies = [];
  const step = Math.max(1, Math.floor(length / 8));
  for (let start = from; start === from || start + length <= to; start += step)
    energies.push({ start, energy: energyOf(values.subarray(start, start + length)) });
  const found: number[] = [];
  for (const { start } of energies.toSorted((one, other) => other.energy - one.energy))
    if (found.length < most && found.every((other) => Math.abs(other - start) >= length)) found.push(start);
  return found;
}

const energyOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value ** 2, 0);

/** Where in all values the piece fits best, by normalized correlation. */
function likelyPlaces(
  piece: Float64Array,
  spectrum: Spectrum,
  all: Float64Array,
  size: number,
): readonly number[] {
  const correlation = ifft(...product(spectrumOf(piece, size), spectrum));
  const least = energyOf(piece) / 20;
  let energy = 0;
  const found: { readonly place: number; readonly value: number }[] = [];
  for (let place = 1 - piece.length; place < all.length; place++) {
    energy += (all[place + piece.length - 1] ?? 0) ** 2 - (all[place - 1] ?? 0) ** 2;
    const value = (correlation[(place + size) % size] ?? 0) / Math.sqrt(Math.max(least, energy));
    const last = found.at(-1);
    if (value <= 0 || (found.length >= PLACES && value <= (last?.value ?? 0))) continue;
    const near = found.findIndex((other) => Math.abs(other.place - place) <= 2);
    if (near >= 0 && (found[near]?.value ?? 0) >= value) continue;
    if (near >= 0) found.splice(near, 1);
    found.push({ place, value });
    found.sort((one, other) => other.value - one.value);
    found.length = Math.min(PLACES, found.length);
  }
  return found.map(({ place }) => place);
}

type Spectrum = readonly [re: Float64Array, im: Float64Array];

/** That of the correlation: of one turned around in time with the other. */
function product([a, b]: Spectrum, [c, d]: Spectrum): [Float64Array, Float64Array] {
  const re = a.map((value, bin) => value * (c[bin] ?? 0) + (b[bin] ?? 0) * (d[bin] ?? 0));
  const im = a.map((value, bin) => value * (d[bin] ?? 0) - (b[bin] ?? 0) * (c[bin] ?? 0));
  return [re, im];
}

/** Samples by which the other is late, at most `REACH`, and the peak there, by the phases of voices alone. */
function phaseCorrelation(one: Spectrum, other: Spectrum): { lag: number; score: number } {
  const [re, im] = product(one, other);
  const bins = WINDOW / AUDIO_RATE;
  for (let bin = 0; bin < re.length; bin++) {
    const isHeard = bin >= BAND.from * bins && bin < BAND.to * bins;
    const length = Math.hypot(re[bin] ?? 0, im[bin] ?? 0);
    const scale = isHeard && length > 0 ? 1 / length : 0;
    re[bin] = (re[bin] ?? 0) * scale;
    im[bin] = (im[bin] ?? 0) * scale;
  }
  const correlation = ifft(re, im);
  const deviation = Math.sqrt(energyOf(correlation) / WINDOW);
  let best = { lag: 0, score: 0 };
  for (let lag = -REACH; lag <= REACH; lag++) {
    const score = (correlation[(lag + WINDOW) % WINDOW] ?? 0) / deviation;
    if (score > best.score) best = { lag, score };
  }
  return best;
}

/** Of values with zeros after them. `fft` returns arrays of its own unless it is given some. */
function spectrumOf(values: Float64Array, size: number): Spectrum {
  const padded = new Float64Array(size);
  padded.set(values);
  const [re, im] = [new Float64Array(size / 2 + 1), new Float64Array(size / 2 + 1)];
  fft(padded, [re, im]);
  return [re, im];
}
