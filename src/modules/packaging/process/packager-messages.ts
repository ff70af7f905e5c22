import type { ExtractedFiles } from '../audio/voice-files.js';
import type { MediaSize } from '../media-limits.js';
import type { MediaPackage, PackageRequest } from '../packager.js';

/**
 * The one message from the parent: `package` creates a whole package; `segment` writes the HLS for an MP4 that already
 * plays everywhere, which needs no codecs; `audio` extracts the audio in the format of `audio-format.ts`.
 */
export interface ChildRequest extends PackageRequest {
  readonly task: 'package' | 'segment' | 'audio';
}

/** How the work on a file reports back. */
export interface WorkOptions {
  /** Fraction of the work done, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  /** Called once the amount of work is known; the CPU budget depends on it. */
  readonly onSize: (size: MediaSize) => void;
}

/**
 * The child's messages: any number of `budget` (seconds of CPU time that it may use) and `progress`, then one of the others.
 * Dates are sent as text.
 */
export type ChildMessage =
  | { readonly kind: 'budget'; readonly cpuSeconds: number }
  | { readonly kind: 'progress'; readonly fraction: number }
  | { readonly kind: 'packaged'; readonly made: SentPackage }
  | { readonly kind: 'segmented'; readonly duration: number }
  | { readonly kind: 'audio'; readonly files: ExtractedFiles }
  | { readonly kind: 'unplayable'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

export type SentPackage = Omit<MediaPackage, 'startedAt'> & { readonly startedAt: string | null };

export function toSent(made: MediaPackage): SentPackage {
  return { ...made, startedAt: made.startedAt?.toISOString() ?? null };
}

export function fromSent(sent: SentPackage): MediaPackage {
  return { ...sent, startedAt: sent.startedAt === null ? null : new Date(sent.startedAt) };
}
