import { z } from '../../zod.js';
import type { MutedRange } from '../audio/mute.js';

/** Paths within the folder of a package, and every file that it may consist of. */
export const PLAYLIST = 'hls/master.m3u8';
export const THUMBNAIL = 'thumbnail.jpg';
export const PACKAGE_FILE =
  /^(?:hls\/[\w-]+\.(?:m3u8|mp4)|video\.mp4|(?:audio|voice-\d+)\.m4a|thumbnail\.jpg|peaks\.json)$/;
export const AUDIO_PLAYLIST = 'hls/audio.m3u8';
/** The waveform, as `audiowaveform` writes it and `wavesurfer.js` reads it. */
export const PEAKS = 'peaks.json';
/** Tracks of a container that are separated at most. */
export const MAX_VOICES = 50;

export interface MediaRequest {
  /** Local media file; it is never modified. */
  readonly source: string;
  /** More files that it needs. */
  readonly others?: readonly string[] | undefined;
  /** Empty local folder to write into. */
  readonly folder: string;
  /** Path of FFmpeg; without it, FFmpeg is used as a library. Both keep `test/support/packager-contract.ts`. */
  readonly ffmpeg?: string | undefined;
}

export interface MediaOptions {
  /** Stops the work; everything it started has ended by the time the promise rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Fraction of the work done, 0 to 1; called from time to time and never decreases. */
  readonly onProgress: (fraction: number) => void;
  /** Called once, between the inspection of the source and its conversion; not for media that is refused by then. */
  readonly onInspected?: (found: InspectedMedia) => void;
}

/** Asks for a whole package. */
export interface PackageRequest extends MediaRequest {
  /** What is not to be heard in it; there is then a file besides the source, unless that has no audio. */
  readonly mute?: readonly MutedRange[] | undefined;
}

/** Asks for the audio of a whole file. */
export interface AudioRequest extends MediaRequest {
  /** Somebody waits for what is made of it, however long it is. */
  readonly isAwaited?: boolean | undefined;
}

/** Asks for audio of a file that is not complete yet. */
export interface PieceRequest extends MediaRequest {
  /** The bytes between the header and this offset are not there. */
  readonly from: number;
  /** At most this much audio. */
  readonly seconds: number;
}

/**
 * Asks for what plays a track of a recording. `others` may have the audio of the recording as `extractAudio` leaves it, lent
 * to one call at a time.
 */
export interface TrackRequest extends MediaRequest {
  /** Seconds of the recording at which the track begins; null to find out. */
  readonly offset: number | null;
  /** In ISO 8601. */
  readonly recordingStartedAt: string | null;
}

/** Asks for one file of `source` and `others`. */
export interface MixRequest extends MediaRequest {
  /** Seconds of the result at which each of the files begins; negative for what is cut off. */
  readonly offsets: readonly number[];
  /** The first file is for its picture, not for its sound. */
  readonly hasPicture: boolean;
}

/**
 * The one message from the parent: `package` creates a whole package; `audio` extracts the audio in the format of
 * `audio-format.ts`, and `piece` some of it; `track`, `mix` and `split` are for tracks of a recording. Paths are relative to the child's working folder.
 */
export type ChildRequest =
  | (PackageRequest & { readonly task: 'package' })
  | (AudioRequest & { readonly task: 'audio' })
  | (PieceRequest & { readonly task: 'piece' })
  | (TrackRequest & { readonly task: 'track' })
  | (MixRequest & { readonly task: 'mix' })
  | (MediaRequest & { readonly task: 'split' });

/** How the work on a file reports back. */
export type WorkOptions = Required<Omit<MediaOptions, 'signal'>>;

const fraction = z.number().min(0).max(1);
const seconds = z.number().min(0);
const reason = z.string().max(2_000);
/** What a browser would not render as a page. */
const mediaType = z
  .string()
  .regex(
    /^(?:(?:audio|video)\/[\w.+-]{1,80}|application\/(?:ogg|mxf|vnd\.ms-asf|vnd\.rn-realmedia|octet-stream)|image\/mj2)$/,
  );
/** When the recording began, if the media says so; sent as text. */
const startedAt = z.iso
  .datetime()
  .transform((text) => new Date(text))
  .nullable();
const oneOf = (...names: string[]) => z.string().refine((name) => names.includes(name));

/** The result. Paths are relative to the folder of the request; every file in the folder belongs to the package. */
const PACKAGE = z.strictObject({
  /** Media type of the source: `video/mp4`, `video/webm`, `audio/mp4`, ... */
  sourceType: mediaType,
  duration: seconds,
  startedAt,
  /** One file that every browser can play and seek in; null when the source is one (`packaging-plan.ts`). */
  video: z
    .strictObject({ path: oneOf('video.mp4', 'audio.m4a'), type: z.enum(['video/mp4', 'audio/mp4']) })
    .nullable(),
  /** HLS multivariant playlist, with relative URLs. */
  playlist: oneOf(PLAYLIST),
  /** JPEG: a frame of the video, or the waveform if there is only audio. */
  thumbnail: oneOf(THUMBNAIL),
  /** What is missing from the media, for users. */
  notice: reason.nullable(),
  /** The number of people with an audio track of their own; 0 or 1 if their voices are not on separate tracks. */
  voices: z.int().min(0),
});
export type MediaPackage = Readonly<z.infer<typeof PACKAGE>>;

/** What is known about a source before it is converted. */
const INSPECTED_MEDIA = z.strictObject({
  sourceType: mediaType,
  /** Null when the header does not say. */
  duration: seconds.nullable(),
  startedAt,
  /** Something has to be encoded, which takes long; otherwise everything is copied, in seconds. */
  encodes: z.boolean(),
  /** It has to be encoded, and browsers play the source itself meanwhile; `packaging-plan.ts` decides. */
  playable: z.boolean(),
});
export type InspectedMedia = Readonly<z.infer<typeof INSPECTED_MEDIA>>;

/** The result of extraction: the mix is in `AUDIO_FILE`, its levels in `LEVELS_FILE`. */
const EXTRACTED = z.strictObject({
  duration: seconds,
  /** `name` is that of its file in the folder. */
  voices: z
    .array(
      z.strictObject({ name: z.string().regex(/^[a-z0-9-]{1,40}\.s16le$/), speaker: z.string().max(1_000) }),
    )
    .min(1)
    .max(200)
    .readonly(),
});
export type ExtractedFiles = Readonly<z.infer<typeof EXTRACTED>>;

/** A track of a recording, on the time line of the recording. Paths are relative to the folder of the request. */
const TRACK = z.strictObject({
  /** Seconds of the recording at which the track begins; negative if it began earlier. */
  offset: z.number(),
  /** How that is known; `mix`: by comparison with the sound of the recording. */
  alignment: z.enum(['given', 'mix', 'clock', 'none']),
  /** Seconds that the track itself lasts. */
  duration: seconds,
  sourceType: mediaType,
  /** HLS media playlist of the sound (AAC); null if there is nothing to hear. */
  audioPlaylist: oneOf(AUDIO_PLAYLIST).nullable(),
  /** The track by itself, from its own beginning on; null without a picture. */
  video: PACKAGE.nullable(),
  /** What is missing, for users. */
  notice: reason.nullable(),
});
export type TrackPackage = Readonly<z.infer<typeof TRACK>>;

/** The track of one of several people in a file. */
const VOICE = z.strictObject({
  path: z.string().regex(/^voice-\d{1,2}\.m4a$/),
  /** Whom the file names, if it does. */
  title: z.string().max(1_000).nullable(),
  /** ISO 639 code. */
  language: z.string().max(100).nullable(),
});
export type SplitVoices = z.infer<typeof VOICE>[];

const MIXED = z.strictObject({ path: z.string().regex(/^(video\.mp4|audio\.m4a)$/), duration: seconds });
export type MixedFile = Readonly<z.infer<typeof MIXED>>;

/** More clusters or fragments than there are in minutes. */
export const MAX_ENTRY_POINTS = 10_000;

/** The result of a piece, which is in `AUDIO_FILE`. Times are in seconds, on the clock of the file. */
const PIECE = z.strictObject({
  /** Of the first sample. */
  start: z.number(),
  duration: seconds,
  /** There is more audio than was asked for. */
  isCut: z.boolean(),
  /** In the order of the file; offsets are in bytes. */
  entryPoints: z
    .array(z.strictObject({ offset: z.int().min(0), time: z.number() }).readonly())
    .max(MAX_ENTRY_POINTS)
    .readonly(),
});
export type ExtractedPiece = Readonly<z.infer<typeof PIECE>>;

/**
 * The child's messages: any number of `progress`, `inspected-media` before it creates a package, then one of the others.
 * Everything is checked, because a file may have taken over the child that reads it.
 */
export const CHILD_MESSAGE = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('progress'), fraction }),
  z.strictObject({ kind: z.literal('inspected-media'), found: INSPECTED_MEDIA }),
  z.strictObject({ kind: z.literal('package'), made: PACKAGE }),
  z.strictObject({ kind: z.literal('audio'), files: EXTRACTED }),
  z.strictObject({ kind: z.literal('piece'), piece: PIECE }),
  z.strictObject({ kind: z.literal('track'), made: TRACK }),
  z.strictObject({ kind: z.literal('mix'), made: MIXED }),
  z.strictObject({ kind: z.literal('split'), voices: z.array(VOICE).max(MAX_VOICES) }),
  z.strictObject({ kind: z.literal('unplayable'), message: reason }),
  z.strictObject({ kind: z.literal('failed'), message: reason }),
]);
export type ChildMessage = z.infer<typeof CHILD_MESSAGE>;
