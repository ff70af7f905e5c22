import * as av from 'node-av/constants';
import { Frame } from 'node-av/lib';
import type { AudioEncoder } from '../engine/media-tool.js';
import { check } from './libav-error.js';
import type { TimeBase } from './media-files.js';

/** Seconds by which times may be off before anything is moved: containers round them. As in FFmpeg's filter. */
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
    const { silence } = this;
    this.rate = encoder.sampleRate;
    silence.alloc();
    silence.format = encoder.codec === 'aac' ? av.AV_SAMPLE_FMT_FLTP : av.AV_SAMPLE_FMT_S16;
    silence.sampleRate = this.rate;
    silence.channelLayout = encoder.channels === 1 ? av.AV_CHANNEL_LAYOUT_MONO : av.AV_CHANNEL_LAYOUT_STEREO;
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
    const isTimed = frame.pts !== av.AV_NOPTS_VALUE;
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

/** Fine enough for every frame rate. */
const TIME_BASE: TimeBase = { num: 1, den: 90_000 };
/** Seconds. */
const LEAST = 0.001;
/** Seconds for which a picture is shown before it is repeated. */
const STEP = { least: 0.2, most: 0.5 };

/**
 * Puts pictures where they belong, from 0 on: the first one is shown from the beginning, the last one to the end. They
 * are repeated for that, at a usual rate, because B-frames delay what is decoded by a number of pictures.
 */
export class PictureTimeline implements Disposable {
  private readonly held = new Frame();
  /** Seconds at which the last picture ends; null before the first one. */
  private end: number | null = null;

  constructor(private readonly onFrame: (frame: Frame, timeBase: TimeBase) => void) {
    this.held.alloc();
  }

  /** Takes a frame; `timeBase` is that of its time. */
  place(frame: Frame, { num, den }: TimeBase): void {
    const at = (Number(frame.pts) * num) / den;
    const duration = (Number(frame.duration) * num) / den;
    if (this.end === null && at > UNNOTICED) this.repeat(frame, 0, at, duration);
    this.emit(frame, at, duration);
    this.end = at + Math.max(duration, LEAST);
    this.held.unref();
    check(this.held.ref(frame), 'av_frame_ref');
  }

  /** Shows the last picture until this time, in seconds. */
  hold(until: number): void {
    const { end, held } = this;
    if (end !== null && until - end > UNNOTICED)
      this.repeat(held, end, until, (Number(held.duration) * TIME_BASE.num) / TIME_BASE.den);
  }

  [Symbol.dispose](): void {
    this.held.free();
  }

  private repeat(frame: Frame, from: number, until: number, duration: number): void {
    const step = Math.min(STEP.most, Math.max(STEP.least, duration));
    for (let at = from; until - at > LEAST; at += step) this.emit(frame, at, Math.min(step, until - at));
  }

  private emit(frame: Frame, at: number, duration: number): void {
    frame.pts = BigInt(Math.round(at * TIME_BASE.den));
    frame.duration = BigInt(Math.round(duration * TIME_BASE.den));
    this.onFrame(frame, TIME_BASE);
  }
}
