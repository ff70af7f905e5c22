import { z } from '../../../platform/zod.js';
import type { MediaSize } from '../media-limits.js';
import type { InspectedMedia, PackageRequest } from '../packager.js';
import { PLAYLIST, THUMBNAIL } from '../package-files.js';

/**
 * The one message from the parent: `package` creates a whole package; `audio` extracts the audio in the format of
 * `audio-format.ts`. Paths are relative to the child's working folder.
 */
export interface ChildRequest extends PackageRequest {
  readonly task: 'package' | 'audio';
  /** The program to use; null for the library. */
  readonly ffmpeg: string | null;
}

/** How the work on a file reports back. */
export interface WorkOptions {
  /** Fraction of the work done, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  /** Called once the amount of work is known; the CPU budget depends on it. */
  readonly onSize: (size: MediaSize) => void;
  readonly onInspected: (found: InspectedMedia) => void;
}

const fraction = z.number().min(0).max(1);
const seconds = z.number().min(0);
const reason = z.string().max(2_000);
/** What a browser would not render as a page. */
const mediaType = z
  .string()
  .regex(
    /^(?:(?:audio|video)\/[\w.+-]{1,80}|application\/(?:ogg|mxf|vnd\.ms-asf|vnd\.rn-realmedia|octet-stream)|image\/mj2)$/,
  );
const date = z.iso.datetime().nullable();
const oneOf = (...names: string[]) => z.string().refine((name) => names.includes(name));

const SENT_PACKAGE = z.strictObject({
  sourceType: mediaType,
  duration: seconds,
  startedAt: date,
  video: z
    .strictObject({ path: oneOf('video.mp4', 'audio.m4a'), type: z.enum(['video/mp4', 'audio/mp4']) })
    .nullable(),
  playlist: oneOf(PLAYLIST),
  thumbnail: oneOf(THUMBNAIL),
  notice: reason.nullable(),
});

const INSPECTED_MEDIA = z.strictObject({
  sourceType: mediaType,
  duration: seconds.nullable(),
  startedAt: date,
  encodes: z.boolean(),
  playable: z.boolean(),
});

const EXTRACTED = z.strictObject({
  duration: seconds,
  voices: z
    .array(
      z.strictObject({ name: z.string().regex(/^[a-z0-9-]{1,40}\.s16le$/), speaker: z.string().max(1_000) }),
    )
    .min(1)
    .max(200)
    .readonly(),
});

/**
 * The child's messages: any number of `budget` (seconds of CPU time that it may use) and `progress`, `inspected-media` before
 * it creates a package, then one of the others.
 * Dates are sent as text. Everything is checked, because a file may have taken over the child that reads it.
 */
export const CHILD_MESSAGE = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('budget'), cpuSeconds: seconds }),
  z.strictObject({ kind: z.literal('progress'), fraction }),
  z.strictObject({ kind: z.literal('inspected-media'), found: INSPECTED_MEDIA }),
  z.strictObject({ kind: z.literal('packaged'), made: SENT_PACKAGE }),
  z.strictObject({ kind: z.literal('audio'), files: EXTRACTED }),
  z.strictObject({ kind: z.literal('unplayable'), message: reason }),
  z.strictObject({ kind: z.literal('failed'), message: reason }),
]);
export type ChildMessage = z.infer<typeof CHILD_MESSAGE>;

const MOST_CHARACTERS = 1_000;

/** A reason that is not longer than a message may be. */
export const shortened = (text: string): string => text.slice(0, MOST_CHARACTERS);

/** With the date as text, for a message. */
export function toSent<T extends { readonly startedAt: Date | null }>(value: T): Dated<T, string> {
  return { ...value, startedAt: value.startedAt?.toISOString() ?? null };
}

export function fromSent<T extends { readonly startedAt: string | null }>(sent: T): Dated<T, Date> {
  return { ...sent, startedAt: sent.startedAt === null ? null : new Date(sent.startedAt) };
}

type Dated<T, Form> = Omit<T, 'startedAt'> & { readonly startedAt: Form | null };
