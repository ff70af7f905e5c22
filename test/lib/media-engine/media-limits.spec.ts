import { describe, expect, it } from '@jest/globals';
import {
  cpuBudget,
  maxDuration,
  requireWithinLimits,
  type MediaClaims,
} from '../../../src/lib/media-engine/media-limits.js';

const HOUR = 3600;
const DAY = 24 * HOUR;
const KB = 1e3;
const MB = 1e6;

describe('what a file may claim for its size', () => {
  it.each<[string, MediaClaims, number]>([
    ['a day of silence as Opus with DTX', { duration: DAY }, DAY * 2.5 * 9],
    ['a day of telephone', { duration: DAY, audio: { channels: 1, sampleRate: 8_000 } }, DAY * 600],
    ['a mixing desk', { audio: { channels: 64, sampleRate: 192_000 }, tracks: 33 }, MB],
  ])('allows %s', (_name, claims, bytes) => {
    expect(() => requireWithinLimits(claims, bytes)).not.toThrow();
  });

  it.each<[MediaClaims, number, string]>([
    [
      { duration: 27 * DAY },
      55 * KB,
      'The file claims to last 27 days with 55 KB of data; the limit for that much data is 4.3 hours.',
    ],
    [{ duration: 27 * DAY }, 5_000 * MB, 'The file claims to last 27 days; the limit is 25 hours.'],
    [
      { packets: 0xffff_ffff },
      55 * KB,
      'A track claims to have 4,294,967,295 samples in 55 KB of data; the limit for that much data is 65,000.',
    ],
    [
      { packetBytes: 550 * KB },
      55 * KB,
      'A track claims to have 550 KB of samples, but the whole file has only 55 KB.',
    ],
    [{ tracks: 101 }, MB, 'The file has more than 100 tracks, which is the limit.'],
    [
      { picture: { width: 65_535, height: 65_535 } },
      MB,
      'The picture has 65,535 × 65,535 pixels; the limit is 8,192 on either side and 8,192 × 4,320 in total.',
    ],
    [
      { audio: { channels: 65_535, sampleRate: 48_000 } },
      MB,
      'The audio has 65,535 channels; the limit is 64.',
    ],
    [
      { audio: { channels: 1, sampleRate: 1 } },
      MB,
      'The audio has a sample rate of 1 Hz; the supported range is 4,000 to 768,000 Hz.',
    ],
  ])('refuses %j of %i bytes', (claims, bytes, message) => {
    expect(() => requireWithinLimits(claims, bytes)).toThrow(
      expect.objectContaining({ name: 'UnplayableMediaError', message }),
    );
  });

  it.each([
    [0, 1_800],
    [55 * KB, 15_550],
    [100 * MB, 25 * HOUR],
  ])('is %i bytes: %i seconds', (bytes, seconds) => expect(maxDuration(bytes)).toBe(seconds));
});

describe('the CPU time for a file', () => {
  it.each([
    ['a bomb', 55 * KB, 1_058],
    // Ten times what the encoder needs on a slow machine.
    ['an hour of video in 1080p', 1_000 * MB, 1_355_560],
  ])('is proportional to its size: %s', (_name, bytes, seconds) => {
    expect(cpuBudget(bytes)).toBe(seconds);
  });
});
