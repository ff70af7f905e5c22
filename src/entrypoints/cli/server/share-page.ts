import { ApiError, type MeetingRecordings } from 'meeting-recording-client';
import { openShareUrl } from '../../../modules/mcp/server/share-urls.js';

/** The share page of a recording that opens without a password; the key may not be allowed to see it, and then it is null. */
export async function findSharePage(
  api: MeetingRecordings,
  id: string,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return openShareUrl(await api.get('/recordings/{id}/share-links', { path: { id }, signal }));
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  }
}
