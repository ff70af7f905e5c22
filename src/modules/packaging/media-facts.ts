/** What a packager has found out about a file, in words that both adapters use. Times are seconds from the start of the file. */
export interface MediaFacts {
  /** `matroska` includes WebM, `transport` is MPEG-TS, `other` everything that holds no H.264. */
  readonly container: 'mp4' | 'mov' | 'matroska' | 'transport' | 'other';
  /** An MP4 in fragments: browsers play it, but not all of them seek in it. */
  readonly fragmented: boolean;
  /** The end of the file is missing. */
  readonly cut: boolean;
  readonly video: VideoFacts | null;
  readonly audio: AudioFacts | null;
}

export interface TrackSpan {
  /** First presentation time; negative where an edit list hides the beginning. */
  readonly start: number;
  /** Null where the header does not tell. */
  readonly end: number | null;
}

export interface VideoFacts extends TrackSpan {
  /** `avc`, `hevc`, `vp8`, `vp9`, `av1`, or another name. */
  readonly codec: string;
  /** Pixel format and profile are ones that browsers decode: 8 bits, 4:2:0 (and AV1 main profile). */
  readonly plainPixels: boolean;
  /** Pixels as shown: upright and square. */
  readonly width: number;
  readonly height: number;
  /** Rotated or mirrored by the container. */
  readonly transformed: boolean;
  /** Longest distance of two key frames; null when it has not been measured. */
  readonly keyFrameGap: number | null;
}

export interface AudioFacts extends TrackSpan {
  /** `aac`, `opus`, `mp3`, `vorbis`, or another name. */
  readonly codec: string;
  /** A profile that browsers decode: AAC-LC, HE-AAC or HE-AAC v2. */
  readonly plainProfile: boolean;
  readonly channels: number;
  /** Hertz. */
  readonly sampleRate: number;
}
