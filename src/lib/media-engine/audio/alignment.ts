import { fft, ifft, type Spectrum } from 'fourier-transform';
import { AUDIO_RATE, LEVEL_SAMPLES } from './audio-format.js';
import type { Levels } from './level-comparison.js';

/** Audio in the format of `audio-format.ts`. */
export interface Sound {
  readonly levels: Levels;
  /** `count` samples from one on; zeros where there are none. */
  read(from: number, count: number): Promise<Float64Array>;
}

/** What is softer than this share of the loudest twentieth is noise. */
const NOISE = { loudShare: 0.95, ratio: 0.05 } as const;
/** In levels. The clocks of two recorders differ by less than a level in the time of a piece. */
const PIECE = { length: (300 * AUDIO_RATE) / LEVEL_SAMPLES, least: (60 * AUDIO_RATE) / LEVEL_SAMPLES };
const MAX_PIECES = 8;
/** Windows of a piece that are compared sample by sample, and with how many places in the other sound. */
const WINDOWS = 3;
const PLACES = 12;
/** Samples; a power of two. */
const WINDOW = 2 ** 16;
/** Samples by which a place may be off. */
const REACH = 3 * LEVEL_SAMPLES;
/** Hertz in which a voice is the same after any codec. */
const BAND = { from: 100, to: 3_500 } as const;
/** Peaks of a correlation, in multiples of its root mean square. Measured: up to 12 of one window for another meeting. */
const CERTAIN = { window: 7, all: 20 } as const;
/** An offset is ambiguous if another one has this share of its support. */
const RIVAL = 0.6;
/** Seconds by which the same offset may differ between windows, and how much more for each second between them. */
const AGREEMENT = { seconds: 0.02, drift: 2.5e-4 } as const;

/** A window of the shorter sound that is found in the other: the second of its middle, and how much later it is there. */
interface Match {
  readonly at: number;
  readonly offset: number;
  readonly score: number;
}

/**
 * Seconds of the mix at which the track begins, exact in the middle of the shorter one; null if the track is not in the
 * mix, or its position is ambiguous. Takes about a second of CPU time.
 */
export async function findOffset(track: Sound, mix: Sound): Promise<number | null> {
  const isShorter = track.levels.length <= mix.levels.length;
  const [short, long] = isShorter ? [track, mix] : [mix, track];
  const matches = await findMatches(short, long);
  const groups = matches.map((one) => matches.filter((other) => agree(one, other)));
  const [best = [], ...others] = groups.toSorted((one, other) => support(other) - support(one));
  const rival = others.find(([first]) => first && !best.some((match) => agree(match, first))) ?? [];
  if (support(best) < CERTAIN.all || support(rival) > RIVAL * support(best)) return null;
  const offset = offsetAt((short.levels.length * LEVEL_SAMPLES) / AUDIO_RATE / 2, best);
  return isShorter ? offset : -offset;
}

const support = (matches: readonly Match[]): number => sum(matches.map(({ score }) => score));

const agree = (one: Match, other: Match): boolean =>
  Math.abs(one.offset - other.offset) <= AGREEMENT.seconds + AGREEMENT.drift * Math.abs(one.at - other.at);

/** On the line through all matches, as one recorder's clock may be faster than the other's. */
function offsetAt(second: number, matches: readonly Match[]): number {
  const at = sum(matches.map((match) => match.at)) / matches.length;
  const offset = sum(matches.map((match) => match.offset)) / matches.length;
  const spread = sum(matches.map((match) => (match.at - at) ** 2));
  const rise = sum(matches.map((match) => (match.at - at) * (match.offset - offset)));
  // Through points that are close together, the line may be far too steep.
  return spread < 60 ** 2 * matches.length ? offset : offset + (rise / spread) * (second - at);
}

async function findMatches(short: Sound, long: Sound): Promise<Match[]> {
  const [own, other] = [onsets(short.levels), onsets(long.levels)];
  if (own.length === 0) return [];
  const count = Math.max(1, Math.min(MAX_PIECES, Math.floor(own.length / PIECE.least)));
  const part = Math.floor(own.length / count);
  const length = Math.min(PIECE.length, part);
  const all = spectrumOf(other, 2 ** Math.ceil(Math.log2(other.length + length + 1)));
  const matches: Match[] = [];
  for (let from = 0; from + part <= own.length; from += part) {
    const [start = 0] = busiest(own, from, from + part, length);
    const places = likelyPlaces(own.subarray(start, start + length), other, all);
    const windows = busiest(own, start, start + length, Math.ceil(WINDOW / LEVEL_SAMPLES));
    for (const window of windows.slice(0, WINDOWS)) {
      const first = window * LEVEL_SAMPLES;
      const sound = spectrumOf(await short.read(first, WINDOW), WINDOW);
      for (const place of places) {
        const moved = (place - start) * LEVEL_SAMPLES;
        const there = spectrumOf(await long.read(first + moved, WINDOW), WINDOW);
        const { lag, score } = comparePhases(sound, there);
        if (score < CERTAIN.window) continue;
        matches.push({ at: (first + WINDOW / 2) / AUDIO_RATE, offset: (moved + lag) / AUDIO_RATE, score });
      }
    }
  }
  return matches;
}

/** By how much it gets louder, in logarithms: the same at any volume, and seen even if others speak. Zero on average. */
function onsets(levels: Levels): Float64Array {
  const sorted = Float32Array.from(levels)
    .filter((level) => level > 0)
    .sort();
  const noise = NOISE.ratio * (sorted[Math.floor(NOISE.loudShare * sorted.length)] ?? 1);
  const logs = Float64Array.from(levels, (level) => Math.log(Math.max(noise, level)));
  const rises = logs.map((log, place) => Math.max(0, log - (logs[place - 1] ?? log)));
  const mean = sum(rises) / Math.max(1, rises.length);
  return rises.map((rise) => rise - mean);
}

/** Where parts of this length begin that do not overlap, those with most onsets first. */
function busiest(values: Float64Array, from: number, to: number, length: number): number[] {
  const steps = Math.max(0, Math.floor((8 * (to - from - length)) / length));
  const starts = Array.from({ length: steps + 1 }, (_, step) => from + Math.floor((step * length) / 8));
  const energy = new Map(starts.map((start) => [start, energyOf(values.subarray(start, start + length))]));
  const found: number[] = [];
  for (const start of starts.toSorted((one, other) => (energy.get(other) ?? 0) - (energy.get(one) ?? 0)))
    if (found.every((other) => Math.abs(other - start) >= length)) found.push(start);
  return found;
}

/** Where in all values a piece fits best, by normalized correlation; `spectrum` is that of all. */
function likelyPlaces(piece: Float64Array, all: Float64Array, spectrum: Spectrum): number[] {
  const size = 2 * (spectrum[0].length - 1);
  const correlation = ifft(...product(spectrumOf(piece, size), spectrum));
  const least = energyOf(piece) / 20;
  const first = 1 - piece.length;
  let energy = 0;
  const fits = Float32Array.from({ length: all.length - first }, (_, index) => {
    const place = first + index;
    energy += (all[place + piece.length - 1] ?? 0) ** 2 - (all[place - 1] ?? 0) ** 2;
    return (correlation[(place + size) % size] ?? 0) / Math.sqrt(Math.max(least, energy));
  });
  return Array.from({ length: PLACES }, () => {
    const best = fits.reduce((most, fit, index) => (fit > (fits[most] ?? 0) ? index : most), 0);
    fits.fill(0, Math.max(0, best - 2), best + 3);
    return first + best;
  });
}

/** By how many samples the other is late, at most `REACH`, by the phases of what is heard in both. */
function comparePhases(one: Spectrum, other: Spectrum): { lag: number; score: number } {
  const [re, im] = product(one, other);
  const bins = WINDOW / AUDIO_RATE;
  for (let bin = 0; bin < re.length; bin++) {
    const length = Math.hypot(re[bin] ?? 0, im[bin] ?? 0);
    const scale = bin >= BAND.from * bins && bin < BAND.to * bins && length > 0 ? 1 / length : 0;
    re[bin] = (re[bin] ?? 0) * scale;
    im[bin] = (im[bin] ?? 0) * scale;
  }
  const correlation = ifft(re, im);
  // Silence correlates with nothing.
  const deviation = Math.sqrt(energyOf(correlation) / WINDOW) || 1;
  const near = Float64Array.from({ length: 2 * REACH + 1 }, (_, index) => {
    return (correlation[(index - REACH + WINDOW) % WINDOW] ?? 0) / deviation;
  });
  const score = near.reduce((most, value) => Math.max(most, value), 0);
  return { lag: near.indexOf(score) - REACH, score };
}

/** The spectrum of the correlation. */
function product([a, b]: Spectrum, [c, d]: Spectrum): [Float64Array, Float64Array] {
  return [
    a.map((value, bin) => value * (c[bin] ?? 0) + (b[bin] ?? 0) * (d[bin] ?? 0)),
    a.map((value, bin) => value * (d[bin] ?? 0) - (b[bin] ?? 0) * (c[bin] ?? 0)),
  ];
}

/** Of these values, and zeros after them. */
function spectrumOf(values: Float64Array, size: number): Spectrum {
  const padded = new Float64Array(size);
  padded.set(values);
  return fft(padded, [new Float64Array(size / 2 + 1), new Float64Array(size / 2 + 1)]);
}

const sum = (values: readonly number[] | Float64Array): number =>
  Array.from(values).reduce((total, value) => total + value, 0);

const energyOf = (values: Float64Array): number => values.reduce((total, value) => total + value ** 2, 0);
