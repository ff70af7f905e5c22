import type { MediaPackage, PackageRequest } from './packager.js';

/**
 * What the parent sends, once: `package` for a whole package, `segment` for the HLS of a file that is an MP4 as players
 * like it, which needs no codecs, `sound` for the sound alone, as `sound-format.ts` says.
 */
export interface ChildRequest extends PackageRequest {
  readonly task: 'package' | 'segment' | 'sound';
}

/** What the child answers: `alive` every second, any number of `progress`, then one of the others. A date travels as text. */
export type ChildMessage =
  | { readonly kind: 'alive' }
  | { readonly kind: 'progress'; readonly fraction: number }
  | { readonly kind: 'packaged'; readonly made: SentPackage }
  | { readonly kind: 'segmented'; readonly duration: number }
  | { readonly kind: 'sound'; readonly duration: number }
  | { readonly kind: 'unplayable'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

export type SentPackage = Omit<MediaPackage, 'startedAt'> & { readonly startedAt: string | null };

export function toSent(made: MediaPackage): SentPackage {
  return { ...made, startedAt: made.startedAt?.toISOString() ?? null };
}

export function fromSent(sent: SentPackage): MediaPackage {
  return { ...sent, startedAt: sent.startedAt === null ? null : new Date(sent.startedAt) };
}
