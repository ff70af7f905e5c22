/** What a packager has found out about a file, in terms that both adapters share. Times are seconds from its start. */
export interface MediaFacts {
  /**
   * `matroska` includes WebM, `transport` is MPEG-TS, `other` is any other container, from which no track is copied.
   */
  readonly container: 'mp4' | 'mov' | 'matroska' | 'transport' | 'other';
  /** A fragmented MP4: browsers play it, but not all of them can seek in it. */
  readonly fragmented: boolean;
  /** The end of the file is missing. */
  readonly cut: boolean;
  /** It consists of several files joined end to end. */
  readonly joined: boolean;
  readonly video: VideoFacts | null;
  readonly audio: AudioFacts | null;
}

export interface TrackSpan {
  /** First presentation time; negative when an edit list hides the beginning. */
  readonly start: number;
  readonly end: number;
}

export interface VideoFacts extends TrackSpan {
  /** `avc`, `hevc`, `vp8`, `vp9`, `av1`, or another name. */
  readonly codec: string;
  /** Browsers decode the pixel format and profile: 8 bits, 4:2:0 (or AV1 main profile). */
  readonly plainPixels: boolean;
  /** Pixels as displayed: upright and square. */
  readonly width: number;
  readonly height: number;
  /** Rotated or mirrored by the container. */
  readonly transformed: boolean;
  /** Longest interval between two key frames. */
  readonly keyFrameGap: number;
}

export interface AudioFacts extends TrackSpan {
  /** `aac`, `opus`, `mp3`, `vorbis`, or another name. */
  readonly codec: string;
  /** Browsers decode the profile: AAC-LC, HE-AAC or HE-AAC v2. */
  readonly plainProfile: boolean;
  /** `one` is what players choose by themselves, `other` another track, `mix` several. */
  readonly tracks: 'one' | 'other' | 'mix';
  readonly channels: number;
  /** Hertz. */
  readonly sampleRate: number;
}
