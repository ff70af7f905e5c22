import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { registerMediabunnyServer } from '@mediabunny/server';

/** The part of `Frame` of `node-av` that is mended here. */
interface Frame {
  format: number;
  nbSamples: number;
  sampleRate: number;
  channelLayout: unknown;
  readonly data: readonly Buffer[] | null;
  unref(): void;
  allocBuffer(align?: number): void;
}

/** Makes the codecs of FFmpeg known to mediabunny. Once, before any of them is used. */
export async function registerCodecs(): Promise<void> {
  // Graphics hardware differs from machine to machine, and its drivers are one more thing that hostile media could crash.
  registerMediabunnyServer({ hardwareContext: null });
  await mendFrames();
}

/**
 * `@mediabunny/server` 1.59 uses one frame for all audio it encodes and never lets go of the buffer it had: all of the
 * sound stays in memory (1.4 GB an hour), and a buffer is as long as the first one was, so that longer sound is written
 * behind its end (`double free or corruption`). Here the frame lets go first. To be removed when the library does.
 */
async function mendFrames(): Promise<void> {
  const { prototype } = await frameClass();
  const allocate = prototype.allocBuffer;
  prototype.allocBuffer = function (this: Frame, align?: number): void {
    if (this.nbSamples > 0 && this.data) {
      const { format, nbSamples, sampleRate, channelLayout } = this;
      this.unref();
      Object.assign(this, { format, nbSamples, sampleRate, channelLayout });
    }
    allocate.call(this, align);
  };
}

/** The class in that copy of `node-av` which `@mediabunny/server` uses. */
async function frameClass(): Promise<{ prototype: Frame }> {
  const path = createRequire(import.meta.resolve('@mediabunny/server')).resolve('node-av');
  const { Frame } = (await import(pathToFileURL(path).href)) as { Frame: { prototype: Frame } };
  return Frame;
}
