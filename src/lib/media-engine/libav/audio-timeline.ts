import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_NOPTS_VALUE,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
} from 'node-av/constants';
import { Frame } from 'node-av/lib';
import type { AudioEncoder } from '../engine/media-tool.js';
import { check } from './libav-error.js';
import type { TimeBase } from './media-input.js';

/** Seconds by which times may be off before sound is moved: containers round them. The same as in FFmpeg's filter. */
const UNNOTICED = 0.1;

/** Puts audio where it belongs: what it calls `onFrame` with has no gaps, from 0 on. Gaps become silence. */
export class AudioTimeline implements Disposable {
  /** Samples so far. */
  length = 0;
  /** Samples that were left out because there was other sound at that time. */
  dropped = 0;
  private readonly silence = new Frame();
  private readonly rate: number;
  private begins = true;

  /** Sound after `until` seconds is left out. */
  constructor(
    encoder: AudioEncoder,
    private readonly until: number,
    private readonly onFrame: (frame: Frame) => void,
  ) {
    this.rate = encoder.sampleRate;
    const { silence } = this;
    silence.alloc();
    silence.format = encoder.codec === 'aac' ? AV_SAMPLE_FMT_FLTP : AV_SAMPLE_FMT_S16;
    silence.sampleRate = this.rate;
    silence.channelLayout = encoder.channels === 1 ? AV_CHANNEL_LAYOUT_MONO : AV_CHANNEL_LAYOUT_STEREO;
    silence.nbSamples = this.rate;
    check(silence.getBuffer(), 'av_frame_get_buffer');
    for (const plane of silence.data ?? []) plane.fill(0);
  }

  /** The next frame is the first of an input: it goes exactly where it belongs, and what precedes it is hidden. */
  begin(): void {
    this.begins = true;
  }

  /** Takes a frame; `timeBase` is that of its time. */
  place(frame: Frame, { num, den }: TimeBase): void {
    const isTimed = frame.pts !== AV_NOPTS_VALUE;
    const at = isTimed ? Math.round((Number(frame.pts) * num * this.rate) / den) : this.length;
    if (at >= this.until * this.rate) return;
    const gap = at - this.length;
    const unnoticed = this.begins ? 0 : UNNOTICED * this.rate;
    if (gap < -unnoticed && -gap > frame.nbSamples / 2) {
      if (!this.begins) this.dropped += frame.nbSamples;
      return;
    }
    if (gap > unnoticed) this.fill(at);
    this.begins = false;
    this.emit(frame);
  }

  /** Silence up to a sample, if there is nothing yet. */
  fill(until: number): void {
    while (this.length < until) {
      this.silence.nbSamples = Math.min(this.rate, until - this.length);
      this.emit(this.silence);
    }
  }

  [Symbol.dispose](): void {
    this.silence.free();
  }

  private emit(frame: Frame): void {
    frame.pts = BigInt(this.length);
    this.length += frame.nbSamples;
    this.onFrame(frame);
  }
}
