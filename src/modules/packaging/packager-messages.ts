import type { MediaPackage, PackageRequest } from './packager.js';

/** What the parent sends, once. */
export type PackagerRequest = PackageRequest;

/** What the child answers: any number of `progress`, then one of the others. A date travels as text. */
export type PackagerMessage =
  | { readonly kind: 'progress'; readonly fraction: number }
  | { readonly kind: 'done'; readonly made: SentPackage }
  | { readonly kind: 'unplayable'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

export type SentPackage = Omit<MediaPackage, 'startedAt'> & { readonly startedAt: string | null };

export function toSent(made: MediaPackage): SentPackage {
  return { ...made, startedAt: made.startedAt?.toISOString() ?? null };
}

export function fromSent(sent: SentPackage): MediaPackage {
  return { ...sent, startedAt: sent.startedAt === null ? null : new Date(sent.startedAt) };
}
