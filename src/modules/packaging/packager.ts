export interface PackageRequest {
  /** Local file with the media; it is not changed. */
  readonly source: string;
  /** Empty local folder to write into. */
  readonly folder: string;
}

export interface PackageOptions {
  /** Stops the work; everything it started has ended when the promise rejects with the reason of the signal. */
  readonly signal: AbortSignal;
  /** Fraction of the work done, 0 to 1, from time to time and never less than before. */
  readonly onProgress: (fraction: number) => void;
}

/** What was made. Paths are relative to the folder of the request; every file in the folder belongs to the package. */
export interface MediaPackage {
  /** Media type of the source: `video/mp4`, `video/webm`, `audio/mp4`, ... */
  readonly sourceType: string;
  /** Seconds. */
  readonly duration: number;
  /** When the recording began, where the media says so. */
  readonly startedAt: Date | null;
  /**
   * One file that every browser plays and seeks in; null when the source is such a file itself (H.264, AV1 or VP9 with AAC
   * or Opus in an MP4 that is not fragmented, not rotated, not cut off; or such audio alone). `packaging-plan.ts` decides.
   */
  readonly video: { readonly path: string; readonly type: 'video/mp4' | 'audio/mp4' } | null;
  /** HLS multivariant playlist; refers to the playlists of its renditions, they to CMAF segments, all relative. */
  readonly playlist: string;
  /** JPEG, at most 640 pixels wide: a frame, or for audio a drawing of its waveform. */
  readonly thumbnail: string;
}

/**
 * Turns any audio or video file into what browsers play. Abstract class, so that it is its own injection token.
 * Adapters: `mediabunny.packager.ts`, and `ffmpeg.packager.ts` where `FFMPEG_PATH` is set; both pass
 * `test/integration/packager.spec.ts`.
 */
export abstract class Packager {
  /** Throws `UnplayableMediaError` for what will never play; any other error is worth another try. */
  abstract package(request: PackageRequest, options: PackageOptions): Promise<MediaPackage>;
}
