import { describe, expect, it } from '@jest/globals';
import { SourcePace } from '../../src/modules/fetching/source-pace.js';

const SECOND = 1_000;
const LIMITS = { paceMs: 60 * SECOND, slowBytesPerSecond: 100_000, shortestPaceMs: 10 * SECOND };
const MB = 1_000_000;

/** A source that sends so many bytes a second, one piece each second; each is looked at. */
function sending(pace: SourcePace, from: number, seconds: number, bytesPerSecond: number): boolean[] {
  return Array.from({ length: seconds }, (_, index) => {
    const now = (from + index + 1) * SECOND;
    pace.receive(now, bytesPerSecond);
    pace.wait(now);
    return pace.hasBeenSlow(now);
  });
}

describe('the pace of a source', () => {
  it('is too slow after a minute below the limit, and not before', () => {
    const looks = sending(new SourcePace(LIMITS, 0), 0, 60, 12_500);
    expect(looks.indexOf(true)).toBe(59);
  });

  it('is no longer saved by a burst once its minute is over', () => {
    const pace = new SourcePace(LIMITS, 0);
    pace.receive(0, 900 * MB);
    pace.wait(0);
    const looks = sending(pace, 0, 120, 12_500);
    expect(looks.indexOf(true)).toBe(119);
  });

  it('counts the wait for the first byte, and silence', () => {
    const pace = new SourcePace(LIMITS, 0);
    expect(pace.hasBeenSlow(59 * SECOND)).toBe(false);
    expect(pace.hasBeenSlow(60 * SECOND)).toBe(true);
  });

  it('does not count the time in which the service stores what has arrived', () => {
    const pace = new SourcePace(LIMITS, 0);
    pace.receive(SECOND, MB);
    expect(pace.hasBeenSlow(600 * SECOND)).toBe(false);
    pace.wait(600 * SECOND);
    expect(pace.hasBeenSlow(658 * SECOND)).toBe(false);
    expect(pace.hasBeenSlow(659 * SECOND)).toBe(true);
  });

  it('is that of a fast source for as long as each minute has its bytes', () => {
    expect(sending(new SourcePace(LIMITS, 0), 0, 300, 100_000)).not.toContain(true);
  });

  it('is judged by less than a minute if the source breaks off, but not by a moment', () => {
    const pace = new SourcePace(LIMITS, 0);
    expect(pace.isSlow(9 * SECOND)).toBe(false);
    expect(pace.isSlow(10 * SECOND)).toBe(true);
    pace.receive(10 * SECOND, 2 * MB);
    expect(pace.isSlow(10 * SECOND)).toBe(false);
  });
});
