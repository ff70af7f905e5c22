import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { runChild } from './process/packager-child.js';
import { fromSent } from './process/packager-messages.js';

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

/** What is known about a source before it is converted. */
export interface InspectedMedia {
  readonly sourceType: string;
  /** Seconds; null when the header does not say. */
  readonly duration: number | null;
  /** When the recording began, if the media says so. */
  readonly startedAt: Date | null;
  /** Something has to be encoded, which takes long; otherwise everything is copied, in seconds. */
  readonly encodes: boolean;
  /** It has to be encoded, and browsers play the source itself meanwhile; `playable-source.ts` decides. */
  readonly playable: boolean;
}

/** The result. Paths are relative to the folder of the request; every file in the folder belongs to the package. */
export interface MediaPackage {
  /** Media type of the source: `video/mp4`, `video/webm`, `audio/mp4`, ... */
  readonly sourceType: string;
  /** Seconds. */
  readonly duration: number;
  /** When the recording began, if the media says so. */
  readonly startedAt: Date | null;
  /**
   * One file that every browser can play and seek in; null when the source is already such a file (H.264, AV1 or VP9 with
   * AAC or Opus in an MP4 that is not fragmented, rotated or truncated; or such audio alone). `packaging-plan.ts` decides.
   */
  readonly video: { readonly path: string; readonly type: 'video/mp4' | 'audio/mp4' } | null;
  /** HLS multivariant playlist. It refers to the playlists of its renditions, and those to CMAF segments, by relative URLs. */
  readonly playlist: string;
  /** JPEG, at most 640 pixels wide: a frame of the video, or the waveform if there is only audio. */
  readonly thumbnail: string;
  /** What is missing from the media, for users: "2.5 s of the 7.8 s that the file claims are missing: it is truncated." */
  readonly notice: string | null;
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
    const { made } = await runChild({ ...request, task: 'package', ffmpeg }, options);
    return fromSent(made);
  }
}
