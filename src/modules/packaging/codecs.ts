import { registerMediabunnyServer } from '@mediabunny/server';
import { Frame } from 'node-av/lib';

/** Registers FFmpeg's codecs with mediabunny. To be called once, before any of them is used. */
export function registerCodecs(): void {
  // Graphics hardware differs from machine to machine, and hostile media could crash its drivers.
  registerMediabunnyServer({ hardwareContext: null });
  patchFrames();
}

/**
 * `@mediabunny/server` 1.59 reuses one frame for all audio it encodes and never releases its buffer: all audio stays in
 * memory (1.4 GB an hour), and each buffer has the size of the first one, so longer audio overruns it
 * (`double free or corruption`). This patch releases the buffer first. Remove it once the library does so itself.
 */
function patchFrames(): void {
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
