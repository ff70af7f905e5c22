import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { runChild } from './process/packager-child.js';
import type { InspectedMedia, MediaPackage } from './process/packager-messages.js';

export interface PackageRequest {
  /** Local media file; it is never modified. */
  readonly source: string;
  /** Empty local folder to write into. */
  readonly folder: string;
}

export interface PackageOptions {
  /** Stops the work; everything it started has ended by the time the promise rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Fraction of the work done, 0 to 1; called from time to time and never decreases. */
  readonly onProgress: (fraction: number) => void;
  /** Called once, after the source was inspected and before any of it is converted; not for media that is refused by then. */
  readonly onInspected?: (found: InspectedMedia) => void;
}

/**
 * Turns any audio or video file into what browsers play, in one child process for each: media that crashes a native decoder,
 * or makes it leak, harms only that child. It uses FFmpeg as a library, or the program at `FFMPEG_PATH`; with both, it keeps
 * `test/support/packager-contract.ts`.
 */
@Injectable()
export class Packager {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'ffmpegPath'>) {}

  /** Throws `UnplayableMediaError` for media that will never play; any other error is worth a retry. */
  async package(request: PackageRequest, options: PackageOptions): Promise<MediaPackage> {
    const ffmpeg = this.settings.ffmpegPath ?? null;
    return (await runChild({ ...request, task: 'package', ffmpeg }, options)).made;
  }
}
