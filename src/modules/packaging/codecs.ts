import { registerMediabunnyServer } from '@mediabunny/server';
import { Frame } from 'node-av/lib';

/** Makes the codecs of FFmpeg known to mediabunny. Once, before any of them is used. */
export function registerCodecs(): void {
  // Graphics hardware differs from machine to machine, and its drivers are one more thing that hostile media could crash.
  registerMediabunnyServer({ hardwareContext: null });
  mendFrames();
}

/**
 * `@mediabunny/server` 1.59 uses one frame for all audio it encodes and never lets go of the buffer it had: all of the
 * sound stays in memory (1.4 GB an hour), and a buffer is as long as the first one was, so that longer sound is written
 * behind its end (`double free or corruption`). Here the frame lets go first. To be removed when the library does.
 */
function mendFrames(): void {
  const { prototype } = Frame;
  const allocate = prototype.allocBuffer;
  prototype.allocBuffer = function (this: Frame): number {
    if (this.nbSamples > 0 && this.data) {
      const { format, nbSamples, sampleRate, channelLayout } = this;
      this.unref();
      Object.assign(this, { format, nbSamples, sampleRate, channelLayout });
    }
    return allocate.call(this);
  };
}
