import { describe, expect, it } from '@jest/globals';
import { findOffset, type Sound } from '../../../src/lib/media-engine/audio/alignment.js';
import { levelsIn } from '../../../src/lib/media-engine/audio/audio-format.js';

const RATE = 16_000;

/** Random numbers from -1 to 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** Somebody who says syllables of random length, loudness and sound, with pauses. */
function person(seed: number, seconds: number): Int16Array {
  const next = random(seed);
  const samples = new Int16Array(seconds * RATE);
  for (let from = 0; from < samples.length;) {
    const length = Math.floor((0.2 + 0.15 * next()) * RATE);
    const volume = next() > 0 ? 9_000 * (1.2 + next()) : 0;
    let last = 0;
    for (let place = from; place < Math.min(samples.length, from + length); place++) {
      last = 0.6 * last + 0.4 * next();
      samples[place] = volume * last;
    }
    from += length;
  }
  return samples;
}

/** People together, each later by these seconds and at this volume. */
function together(...people: readonly (readonly [samples: Int16Array, later: number, gain: number])[]) {
  const starts = people.map(([, later]) => Math.round(later * RATE));
  const length = Math.max(...people.map(([samples], place) => samples.length + starts[place]!));
  const mix = new Int16Array(length);
  people.forEach(([samples, , gain], who) =>
    samples.forEach((sample, place) => {
      const at = place + starts[who]!;
      if (at >= 0) mix[at] = mix[at]! + gain * sample;
    }),
  );
  return mix;
}

const sound = (samples: Int16Array): Sound => ({
  levels: levelsIn(samples),
  read: (from, count) =>
    Promise.resolve(Float64Array.from({ length: count }, (_, place) => samples[from + place] ?? 0)),
});

const [ada, ben, eve] = [person(1, 20), person(2, 30), person(3, 10)];
const find = (track: Int16Array, mix: Int16Array) => findOffset(sound(track), sound(mix));

describe('the place of a track in the mix of a recording', () => {
  it.each([7.5, -4.25])('is found if the track begins at %d s', async (offset) => {
    expect(await find(ada, together([ada, offset, 0.3], [ben, 0, 0.7]))).toBeCloseTo(offset, 3);
  });

  it('is found if the mix is shorter than the track', async () => {
    expect(await find(ben, together([ben, -10, 0.5], [ada.subarray(0, 10 * RATE), 0, 0.5]))).toBeCloseTo(
      -10,
      3,
    );
  });

  it.each([
    ['of another meeting', eve, together([ada, 0, 0.5], [ben, 0, 0.5])],
    ['that is silent', new Int16Array(5 * RATE), ben],
    ['that is in it twice', ada.subarray(0, 8 * RATE), together([ada, 0, 0.5], [ada, 30, 0.5])],
    ['of nothing', new Int16Array(0), ben],
  ])('is not guessed for a track %s', async (_what, track, mix) => {
    expect(await find(track, mix)).toBeNull();
  });
});
