import { describe, expect, it } from '@jest/globals';
import type { UploadPart } from '../../src/modules/uploads/entities/upload-part.entity.js';
import { mergeableRun } from '../../src/modules/uploads/upload-merging.service.js';

const MIB = 1024 * 1024;

/** Parts from pairs of a number and what each of them is like. */
function parts(...groups: [count: number, level: number, size?: number][]): UploadPart[] {
  let start = 0;
  return groups.flatMap(([count, level, size = 100]) =>
    Array.from({ length: count }, () => {
      const part = { recordingId: 'r', start, size, level, key: `k${start}` };
      start += size;
      return part;
    }),
  );
}

describe('the parts to merge next', () => {
  it.each([
    ['too few', parts([31, 0])],
    ['too few of each level', parts([31, 1], [31, 0])],
    ['interrupted by a part of 8 MiB', parts([31, 0], [1, 0, 8 * MIB], [31, 0])],
    ['large ones', parts([100, 0, 8 * MIB])],
    ['none', []],
  ])('are none: %s', (_, given) => {
    expect(mergeableRun(given)).toBeNull();
  });

  it.each([
    ['the first 32 of one level', parts([40, 0]), 0],
    ['after merged ones', parts([3, 1], [32, 0]), 300],
    ['after a large one', parts([5, 0], [1, 0, 8 * MIB], [32, 0]), 500 + 8 * MIB],
    ['of a higher level', parts([2, 2], [32, 1], [5, 0]), 200],
  ])('are 32: %s', (_, given, start) => {
    const run = mergeableRun(given);
    expect(run).toHaveLength(32);
    expect(run?.[0]?.start).toBe(start);
    expect(new Set(run?.map(({ level }) => level)).size).toBe(1);
  });

  it('copy 7,200 pieces at most twice, and leave few of them', () => {
    let held: UploadPart[] = [];
    let copied = 0;
    for (let piece = 0; piece < 7_200; piece++) {
      held.push({ recordingId: 'r', start: piece * 100, size: 100, level: 0, key: `k${piece}` });
      for (let run = mergeableRun(held); run; run = mergeableRun(held)) {
        const size = run.reduce((sum, part) => sum + part.size, 0);
        const at = held.indexOf(run[0]!);
        held = held.toSpliced(at, run.length, { ...run[0]!, size, level: run[0]!.level + 1 });
        copied += size;
      }
    }
    expect(held.map(({ level }) => level)).toEqual([2, 2, 2, 2, 2, 2, 2, 1]);
    expect(copied / 720_000).toBeLessThan(2);
  });
});
