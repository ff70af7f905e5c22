import { Frame } from 'node-av/lib';
import { check } from './libav-error.js';
import type { TimeBase } from './media-input.js';

/** Fine enough for every frame rate. */
const TIME_BASE: TimeBase = { num: 1, den: 90_000 };
/** Seconds. */
const UNNOTICED = 0.1;
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
    if (end !== null && until - end > UNNOTICED) {
      this.repeat(held, end, until, (Number(held.duration) * TIME_BASE.num) / TIME_BASE.den);
    }
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
