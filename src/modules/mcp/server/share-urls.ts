import type { Schemas } from 'meeting-recording-client';
import type { ErrorCode } from '../../../contract/error-catalog.js';
import { TO_READ_LINKS } from '../../../contract/scopes.js';
import { z } from '../../../lib/zod.js';
import { ApiError, type MeetingsApi } from './meetings-api.js';

export const SHARE_URL = z
  .string()
  .nullable()
  .describe(
    'Share page, where #t=SECONDS leads to a moment; null without a link that works with no password',
  );

/** With these, the caller sees no link. Anything else does not mean that there is none. */
const REFUSALS: ReadonlySet<string> = new Set<ErrorCode>(['RECORDING_NOT_FOUND', 'FORBIDDEN']);

/** The share page of a recording, if it has a link that opens without a password and the caller may see it. */
export async function findShareUrl(api: MeetingsApi, recordingId: string): Promise<string | null> {
  if (!TO_READ_LINKS.every((scope) => api.permits(scope))) return null;
  try {
    const { data } = await api.get<{ data: Schemas['ShareLink'][] }>(
      `/recordings/${recordingId}/share-links`,
    );
    return openShareUrl(data);
  } catch (error) {
    // Deleted meanwhile, or a key that does not say its scopes lacks this one: the rest of the reply is still good.
    if (error instanceof ApiError && REFUSALS.has(error.code)) return null;
    throw error;
  }
}

/** The first link that opens without a password; null if there is none. */
export function openShareUrl(links: readonly Schemas['ShareLink'][]): string | null {
  const now = new Date().toISOString();
  const open = links.find(
    ({ has_password: locked, expires_at: end }) => !locked && (end === null || end > now),
  );
  return open?.share_url ?? null;
}

/** The share pages of several recordings, by id. */
export async function findShareUrls(
  api: MeetingsApi,
  recordingIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const ids = [...new Set(recordingIds)];
  const urls = await Promise.all(ids.map((id) => findShareUrl(api, id)));
  return new Map(ids.map((id, index) => [id, urls[index] ?? null]));
}

export const MOMENT_URL = z.string().nullable().describe('The moment on the share page; null without one');

export const momentUrl = (shareUrl: string | null | undefined, seconds: number | null): string | null =>
  shareUrl ? `${shareUrl}${seconds === null ? '' : `#t=${Math.floor(seconds)}`}` : null;
