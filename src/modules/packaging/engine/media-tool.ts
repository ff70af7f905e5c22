/** A stream of a file, as its header describes it. */
export interface ProbedStream {
  readonly index: number;
  readonly kind: 'video' | 'audio' | 'other';
  /** FFmpeg's name; null if FFmpeg does not know the codec. */
  readonly codec: string | null;
  /** FFmpeg's name; empty if unknown. */
  readonly profile: string;
  /** FFmpeg's name; empty for audio. */
  readonly pixelFormat: string;
  /** Pixels as stored; 0 if unknown. */
  readonly width: number;
  readonly height: number;
  /** Width of a pixel divided by its height. */
  readonly pixelAspect: number;
  /** The four numbers of the display matrix that turn and mirror: how x and y as stored become x and y as displayed. */
  readonly matrix: readonly [number, number, number, number];
  readonly channels: number;
  /** Hertz; 0 if unknown. */
  readonly sampleRate: number;
  /** Seconds; null when the header does not say. */
  readonly duration: number | null;
  readonly isDefault: boolean;
  /** A cover image. */
  readonly isPicture: boolean;
  readonly title: string | null;
  readonly language: string | null;
}

/** What the header of a file says. */
export interface ProbedMedia {
  readonly streams: readonly ProbedStream[];
  /** FFmpeg's names of the container, separated by commas. */
  readonly format: string;
  /** Seconds; the time in the file that becomes 0. */
  readonly start: number;
  /** Seconds; null when the header does not say. */
  readonly duration: number | null;
}

/** A packet of a file; times are in seconds as in the file. */
export interface ScannedPacket {
  readonly stream: number;
  /** Of decoding; null if unknown. */
  readonly dts: number | null;
  /** Of presentation; null if unknown. */
  readonly pts: number | null;
  /** 0 if unknown. */
  readonly duration: number;
  readonly isKey: boolean;
}

/** A track of a file to write. */
export type OutputTrack =
  | {
      readonly stream: number;
      readonly copy: true;
      /** For fragments, which have no edit list; none to copy packets as they are. */
      readonly fragments?: {
        /** Leaves out packets before the beginning, which only an edit list could hide. */
        readonly visible: boolean;
        /** Seconds that are subtracted from each decoding time, which puts packets into the fragment that shows them. */
        readonly ahead: number;
      };
    }
  | {
      readonly stream: number;
      readonly copy: false;
      /** What makes the picture upright; FFmpeg's program does that by itself. None for audio. */
      readonly upright: string;
      readonly filters: string;
      readonly encoder: EncoderSettings;
    };

/** `filters` must produce exactly what the encoder takes. */
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
  readonly outputs: readonly OutputFile[];
  /** Seconds of the source after which nothing is written. */
  readonly until: number;
  /** Seconds in the source to begin at, from its beginning by default. */
  readonly from?: number;
  /** Number of frames of each track; all by default. */
  readonly frames?: number;
  /** Called from time to time with the seconds of the source that have been read. */
  readonly onTime?: (seconds: number) => void;
}

/**
 * FFmpeg, as a library (`libav/`) or as a program (`ffmpeg/`): what packaging and the extraction of audio need of it. The
 * two do the same with the same filters and muxers. Paths are local files. Every method throws `UnplayableMediaError` when
 * the media is at fault; any other error is worth a retry.
 */
export interface MediaTool {
  probe(source: string): Promise<ProbedMedia>;
  /** Reads every packet of these streams, in the order of the file. What cannot be read ends the file. */
  scan(source: string, streams: readonly number[], onPacket: (packet: ScannedPacket) => void): Promise<void>;
  /** Writes files into the folder, all in one pass over the source. Damaged passages are left out. */
  convert(source: string, folder: string, conversion: Conversion): Promise<void>;
}

/** x264's preset and quality: the same for library and program. */
export const VIDEO_ENCODER = { preset: 'veryfast', crf: '23', pixelFormat: 'yuv420p' } as const;

/** Containers of plain samples, of which a part of a packet is as good as the whole. */
const SAMPLES = new Set(['wav', 'w64', 'aiff', 'au', 'caf']);

/** `format` has FFmpeg's names of the container. */
export const holdsSamples = (format: string): boolean => format.split(',').some((name) => SAMPLES.has(name));

/**
 * Containers that may be opened, as FFmpeg's demuxers. Playlists and lists of parts (hls, concat, ...) are not among them:
 * they could name any file on this machine, or any URL.
 */
export const DEMUXERS =
  'mov,matroska,ogg,wav,w64,aiff,au,caf,flac,mp3,aac,ac3,eac3,dts,dtshd,truehd,mlp,amr,amrnb,amrwb,mpegts,mpeg,mpegvideo,avi,flv,asf,rm,ivf,obu,mxf,wv,tta,tak,ape,mpc,mpc8,dv,nut,h264,hevc,h263,m4v';
