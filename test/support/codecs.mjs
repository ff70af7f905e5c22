import { registerMediabunnyServer } from '@mediabunny/server';
import { Frame } from 'node-av/lib';

/** Registers FFmpeg's codecs with mediabunny, with which tests make their files. To be called once. */
export function registerCodecs() {
  registerMediabunnyServer({ hardwareContext: null });
  patchFrames();
}

/**
 * `@mediabunny/server` 1.59 reuses one frame for all audio it encodes and never releases its buffer: longer audio
 * overruns it (`double free or corruption`). This patch releases the buffer first. Remove it once the library does so
 * itself.
 */
function patchFrames() {
  const { prototype } = Frame;
  const allocate = prototype.allocBuffer;
  prototype.allocBuffer = function () {
    if (this.nbSamples > 0 && this.data) {
      const { format, nbSamples, sampleRate, channelLayout } = this;
      this.unref();
      Object.assign(this, { format, nbSamples, sampleRate, channelLayout });
    }
    return allocate.call(this);
  };
}
