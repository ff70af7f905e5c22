import type { MediaSize } from '../media-limits.js';
import type { MediaPackage, PackageRequest } from '../packager.js';

/**
 * What the parent sends, once: `package` for a whole package, `segment` for the HLS of a file that is an MP4 as players
 * like it, which needs no codecs, `sound` for the sound alone, as `sound-format.ts` says.
 */
export interface ChildRequest extends PackageRequest {
  readonly task: 'package' | 'segment' | 'sound';
}

/** What the work on a file reports. */
export interface WorkOptions {
  /** Fraction of the work done, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  /** How much there is to do, as soon as that is known: the CPU time that is allowed depends on it. */
  readonly onSize: (size: MediaSize) => void;
}

/**
 * What the child answers: any number of `budget` (seconds of CPU time that it may use) and `progress`, then one of the others.
 * A date travels as text.
 */
export type ChildMessage =
  | { readonly kind: 'budget'; readonly cpuSeconds: number }
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
