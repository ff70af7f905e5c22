import { describe, expect, it } from '@jest/globals';
import { PacketClock } from '../../src/modules/packaging/engine/packet-clock.js';

/** Times of packets of one second, after correction. */
function corrected(format: string, times: readonly (number | null)[]): number[] {
  const clock = new PacketClock(format);
  return times.map((time) => clock.take(0, time, 1).time);
}

describe('the clock of a container', () => {
  it.each<[string, string, (number | null)[], number[]]>([
    ['keeps times that follow each other', 'ogg', [0, 1, 2], [0, 1, 2]],
    ['keeps a pause', 'ogg', [0, 1, 8], [0, 1, 8]],
    ['continues after it began anew', 'ogg', [0, 1, 0, 1], [0, 1, 2, 3]],
    ['continues after a jump of an hour', 'mpegts', [0, 3600, 3601], [0, 1, 2]],
    ['continues after several jumps', 'mpegts', [50, 51, 10, 11, 3600], [50, 51, 52, 53, 54]],
    ['keeps a packet that is a little early', 'ogg', [0, 0.95, 2], [0, 0.95, 2]],
    ['keeps a jump in a file with one clock', 'mov,mp4', [0, 1, 3600], [0, 1, 3600]],
    ['lets a packet without a time follow the one before', 'h264', [null, null, null], [0, 1, 2]],
  ])('%s', (_what, format, times, expected) => {
    expect(corrected(format, times)).toEqual(expected);
  });

  it('moves all tracks together', () => {
    const clock = new PacketClock('mpegts');
    const at = (stream: number, time: number) => clock.take(stream, time, 1).time;
    expect([at(0, 100), at(1, 100), at(0, 0), at(1, 0)]).toEqual([100, 100, 101, 101]);
  });
});
