import * as av from 'node-av/constants';
import { FFmpegError } from 'node-av/lib';
import { UnplayableMediaError } from '../media.errors.js';

/** Failures of the machine, not of the media. */
const MACHINE_AT_FAULT = new Set<number>([
  av.AVERROR_EIO,
  av.AVERROR_EMFILE,
  av.AVERROR_ENOENT,
  av.AVERROR_ENOMEM,
  av.AVERROR_ENOSPC,
]);

/** A call to FFmpeg's libraries failed. */
export class LibavError extends Error {
  /** Whether the same file may succeed another time. */
  readonly mayPass: boolean;

  constructor(call: string, code: number) {
    super(`${call}: ${new FFmpegError(code).message}`);
    this.name = 'LibavError';
    this.mayPass = MACHINE_AT_FAULT.has(code);
  }
}

/** Throws `LibavError` if the result of a call is an error; otherwise returns it. */
export function check(result: number, call: string): number {
  if (result < 0) throw new LibavError(call, result);
  return result;
}

/** Throws for what this FFmpeg was built without. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new UnplayableMediaError(`FFmpeg has no ${what}.`);
  return value;
}
