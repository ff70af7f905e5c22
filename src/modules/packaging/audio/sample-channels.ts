import type { AudioSample } from 'mediabunny';
import type { ChannelLevels } from './channel-levels.js';

/** Makes one channel of a decoded piece, without its first `skipped` samples. */
export type Pick = (sample: AudioSample, skipped: number) => Float32Array;

/** The mean of all channels. */
export const mixOf: Pick = (sample, skipped) => meanOf(planesOf(sample, skipped));

/** The mean of all channels, which are measured on the way. */
export function measuredMixOf(levels: ChannelLevels): Pick {
  return (sample, skipped) => {
    const planes = planesOf(sample, skipped);
    levels.add(planes, sample.sampleRate);
    return meanOf(planes);
  };
}

/** 0 is left, 1 is right. */
export function channelOf(planeIndex: number): Pick {
  return (sample, skipped) => {
    const plane = new Float32Array(sample.numberOfFrames - skipped);
    sample.copyTo(plane, { planeIndex, format: 'f32-planar', frameOffset: skipped });
    return plane;
  };
}

function planesOf(sample: AudioSample, skipped: number): Float32Array[] {
  return Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const plane = new Float32Array(sample.numberOfFrames - skipped);
    sample.copyTo(plane, { planeIndex, format: 'f32-planar', frameOffset: skipped });
    return plane;
  });
}

function meanOf(planes: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(planes[0]?.length ?? 0);
  for (const plane of planes) {
    for (let place = 0; place < mean.length; place++) {
      mean[place] = (mean[place] as number) + (plane[place] as number) / planes.length;
    }
  }
  return mean;
}
