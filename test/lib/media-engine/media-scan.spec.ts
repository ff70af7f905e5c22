import { expect, it } from '@jest/globals';
import { scanMedia } from '../../../src/lib/media-engine/engine/media-scan.js';
import type {
  MediaTool,
  ProbedMedia,
  ProbedStream,
  ScannedPacket,
} from '../../../src/lib/media-engine/engine/media-tool.js';

/** Six seconds of packets of 40 samples, which a container with milliseconds rounds, with and without a duration. */
it.each([0, 0.001])(
  'counts sound once whose packets are shorter than a millisecond: %s s',
  async (duration) => {
    const scan = (
      _part: unknown,
      _streams: unknown,
      take: (packet: ScannedPacket) => void,
    ): Promise<void> => {
      for (let at = 0; at < 7_200; at += 1) {
        const time = Math.floor((at * 40) / 48) / 1_000;
        take({ stream: 0, pts: time, dts: time, duration, isKey: true } as ScannedPacket);
      }
      return Promise.resolve();
    };
    const streams = [{ index: 0, kind: 'audio' }] as ProbedStream[];
    const probed = {
      format: 'matroska,webm',
      start: 0,
      duration: 6,
      streams,
      createdAt: null,
    } as ProbedMedia;
    const media = await scanMedia({ scan } as unknown as MediaTool, { path: 'in' }, probed, streams, 1e6);
    expect(media.tracks.get(0)?.sound).toBeCloseTo(6, 2);
  },
);
