/** Limits of a plan; null: unlimited. The operator sets them. */
export interface QuotaLimits {
  /** Bytes. */
  readonly storedBytes: number | null;
  readonly recordings: number | null;
  readonly uploadsPerDay: number | null;
}

/** What a user or an organization has. */
export interface QuotaUse {
  /** Bytes, including the declared rest of open uploads. */
  readonly storedBytes: number;
  readonly recordings: number;
  /** Uploads started since midnight (UTC). */
  readonly uploadsToday: number;
}

/** What a transaction has added, so that `QuotaUse` includes it, and what is known to follow. */
export interface QuotaDemand {
  readonly creates: boolean;
  /** Whether it has started an upload; by default, if it has created a recording. */
  readonly starts?: boolean;
  /** Bytes it has added. */
  readonly added: number;
  /** Bytes that will follow, at least. */
  readonly ahead: number;
}

export type QuotaKind = keyof QuotaLimits;

/** The first quota that a transaction exceeds; null if there is room for what it adds. */
export function exceededQuota(limits: QuotaLimits, use: QuotaUse, demand: QuotaDemand): QuotaKind | null {
  const { creates, starts = creates, added, ahead } = demand;
  if (creates && exceeds(use.recordings, limits.recordings)) return 'recordings';
  if (starts && exceeds(use.uploadsToday, limits.uploadsPerDay)) return 'uploadsPerDay';
  return added + ahead > 0 && exceeds(use.storedBytes + ahead, limits.storedBytes) ? 'storedBytes' : null;
}

const exceeds = (amount: number, limit: number | null): boolean => limit !== null && amount > limit;
