import type { ByteRange } from '../containers/byte-range.js';

/** A stream by its header: FFmpeg's names, pixels, hertz and seconds; what is unknown is 0, empty or null. */
export interface ProbedStream {
  readonly index: number;
  readonly kind: 'video' | 'audio' | 'other';
  /** Null if FFmpeg does not know it. */
  readonly codec: string | null;
  readonly profile: string;
  readonly pixelFormat: string;
  /** As stored. */
  readonly width: number;
  readonly height: number;
  /** Width of a pixel divided by its height. */
  readonly pixelAspect: number;
  /** The four numbers of the display matrix that turn and mirror: how x and y as stored become x and y as displayed. */
  readonly matrix: readonly [number, number, number, number];
  readonly channels: number;
  readonly sampleRate: number;
  readonly duration: number | null;
  readonly isDefault: boolean;
  /** A cover image. */
  readonly isPicture: boolean;
  readonly title: string | null;
  readonly language: string | null;
}

/** What the header of a file says; null where it does not. */
export interface ProbedMedia {
  readonly streams: readonly ProbedStream[];
  /** FFmpeg's names of the container, separated by commas. */
  readonly format: string;
  /** Seconds; the time in the file that becomes 0. */
  readonly start: number;
  /** Seconds. */
  readonly duration: number | null;
  /** When it was recorded, as in ISO 8601. */
  readonly createdAt: string | null;
}

/** A packet of a file. Times are in seconds as in the file, null or 0 if unknown. */
export interface ScannedPacket {
  readonly stream: number;
  readonly dts: number | null;
  readonly pts: number | null;
  readonly duration: number;
  readonly isKey: boolean;
}

/** A file to read, or a range of it that is a complete file by itself. */
export interface MediaPart {
  readonly path: string;
  readonly range?: ByteRange;
}

/** A file or a part of one, as FFmpeg opens it. */
export const urlOf = ({ path, range }: MediaPart): string =>
  range ? `subfile,,start,${range.start},end,${range.end},,:file:${path}` : `file:${path}`;

/** A track of a file to write. */
export type OutputTrack = CopiedTrack | EncodedTrack;

export interface CopiedTrack {
  readonly stream: number;
  readonly copy: true;
  /** None to copy packets as they are. */
  readonly fragments?: FragmentedCopy | undefined;
}

/** What fragments need, which have no edit list. */
export interface FragmentedCopy {
  /** Leaves out packets before the beginning, which only an edit list could hide. */
  readonly visible: boolean;
  /** Seconds that are subtracted from each decoding time, which puts packets into the fragment that shows them. */
  readonly ahead: number;
}

export interface EncodedTrack {
  readonly copy: false;
  /** Streams of each input that the track is made of: several of audio are mixed, none leaves a gap. */
  readonly sources: readonly (readonly TrackSource[])[];
  /** Make of any of these streams what the encoder takes. */
  readonly filters: string;
  /** In seconds. A missing beginning becomes silence or the first picture; an end likewise, until `until`. */
  readonly span: { readonly start: number; readonly end: number; readonly until: number };
  readonly encoder: EncoderSettings;
}

export interface TrackSource {
  readonly stream: number;
  /** Filters that make the picture upright; FFmpeg's program does that by itself. Empty for audio. */
  readonly upright: string;
}

/** Audio is planar floating point for AAC, otherwise 16 bits. */
export type EncoderSettings =
  | {
      readonly codec: 'libx264';
      /** Pixels. */
      readonly width: number;
      readonly height: number;
    }
  | { readonly codec: 'aac'; readonly channels: 1 | 2; readonly sampleRate: number; readonly bitRate: number }
  | { readonly codec: 'pcm_s16le'; readonly channels: 1; readonly sampleRate: number }
  | { readonly codec: 'rawvideo'; readonly width: number; readonly height: number };

export type AudioEncoder = Extract<EncoderSettings, { readonly sampleRate: number }>;

/** A file to write, in a container named as FFmpeg does. */
export interface OutputFile {
  /** Path without folders. */
  readonly name: string;
  readonly format: 'mp4' | 's16le' | 'rawvideo';
  /** Options of FFmpeg's muxer. */
  readonly options: Readonly<Record<string, string>>;
  readonly tracks: readonly OutputTrack[];
}

export interface Conversion {
  /**
   * One after the other, each at the seconds of the result where it begins. The sound of inputs that are `together` is
   * mixed: they may begin before 0, which is cut off, and only the first one may have video.
   */
  readonly inputs: readonly (MediaPart & { readonly at: number })[];
  readonly together?: boolean;
  readonly outputs: readonly OutputFile[];
  /** Seconds of the result after which nothing is written. */
  readonly until: number;
  /** Seconds in the only input to begin at, from its beginning by default. */
  readonly from?: number;
  /** Number of frames of each track; all by default. */
  readonly frames?: number;
  /** Called from time to time with the seconds of the result that have been read. */
  readonly onTime?: (seconds: number) => void;
}

/** What became of the sound of encoded tracks: seconds, as counted in samples and added up over all streams. */
export interface SoundCount {
  readonly decoded: number;
  /** Decoded, but not in the file. */
  readonly lost: number;
}

/**
 * FFmpeg, as a library (`libav/`) or as a program (`ffmpeg/`): what packaging and the extraction of audio need of it.
 * The two do the same with the same filters and muxers. Paths are local files. Every method throws
 * `UnplayableMediaError` when the media is at fault; any other error is worth a retry.
 */
export interface MediaTool {
  /** Where files are written. */
  readonly folder: string;
  probe(part: MediaPart): Promise<ProbedMedia>;
  /** Reads every packet of these streams, in the order of the file. What cannot be read ends the file. */
  scan(part: MediaPart, streams: readonly number[], onPacket: (packet: ScannedPacket) => void): Promise<void>;
  /** Writes files, all in one pass over the inputs, without damaged passages. Returns null if it does not count. */
  convert(conversion: Conversion): Promise<SoundCount | null>;
}

/** x264's preset and quality: the same for library and program. */
export const VIDEO_ENCODER = { preset: 'veryfast', crf: '23' } as const;

/** Containers of plain samples, of which a part of a packet is as good as the whole. */
const SAMPLES = new Set(['wav', 'w64', 'aiff', 'au', 'caf']);

/** `format` has FFmpeg's names of the container. */
export const holdsSamples = (format: string): boolean => format.split(',').some((name) => SAMPLES.has(name));

/** Demuxers of containers that may be opened; not playlists, which could name any file on this machine, or any URL. */
export const DEMUXERS =
  'mov,matroska,ogg,wav,w64,aiff,au,caf,flac,mp3,aac,ac3,eac3,dts,dtshd,truehd,mlp,amr,amrnb,amrwb,mpegts,mpeg,mpegvideo,avi,flv,asf,rm,ivf,obu,mxf,wv,tta,tak,ape,mpc,mpc8,dv,nut,h264,hevc,h263,m4v';

/**
 * Filters that mix the sound of several inputs, which begin together. Nobody gets quieter because others are there;
 * where they are too loud together, a limiter acts.
 */
export function mixFilters(inputs: number, encoder: AudioEncoder): string {
  const mix = `amix=inputs=${inputs}:duration=longest:dropout_transition=0:normalize=0`;
  return `${mix},alimiter=level=disabled:latency=1,${encoderFormat(encoder)}`;
}

/** The filter that makes the format that the encoder takes. */
export const encoderFormat = ({ codec, channels }: AudioEncoder): string =>
  `aformat=sample_fmts=${codec === 'aac' ? 'fltp' : 's16'}:channel_layouts=${channels === 1 ? 'mono' : 'stereo'}`;
