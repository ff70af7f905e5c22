import { z } from '../../zod.js';
import type { MutedRange } from '../audio/mute.js';

/** Paths within the folder of a package, and every file that it may consist of. */
export const PLAYLIST = 'hls/master.m3u8';
export const THUMBNAIL = 'thumbnail.jpg';
export const PACKAGE_FILE = /^(?:hls\/[\w-]+\.(?:m3u8|mp4)|video\.mp4|audio\.m4a|thumbnail\.jpg)$/;

export interface MediaRequest {
  /** Local media file; it is never modified. */
  readonly source: string;
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
 * The one message from the parent: `package` creates a whole package; `audio` extracts the audio in the format of
 * `audio-format.ts`, and `piece` some of it. Paths are relative to the child's working folder.
 */
export type ChildRequest =
  | (PackageRequest & { readonly task: 'package' })
  | (AudioRequest & { readonly task: 'audio' })
  | (PieceRequest & { readonly task: 'piece' });

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
  z.strictObject({ kind: z.literal('packaged'), made: PACKAGE }),
  z.strictObject({ kind: z.literal('audio'), files: EXTRACTED }),
  z.strictObject({ kind: z.literal('piece'), piece: PIECE }),
  z.strictObject({ kind: z.literal('unplayable'), message: reason }),
  z.strictObject({ kind: z.literal('failed'), message: reason }),
]);
export type ChildMessage = z.infer<typeof CHILD_MESSAGE>;
