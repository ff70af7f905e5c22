import { ApiError, type MeetingRecordings } from 'meeting-recording-client';
import { LIMITS } from '../../../contract/limits.js';
import { singleLine } from '../../../lib/text.js';
import { openShareUrl } from '../../../modules/mcp/server/share-urls.js';
import { CALLED } from '../command-texts.js';
import { refused } from '../exit-status.js';
import { durationOption, ifGiven } from '../option-values.js';
import { notice, print, type Output } from '../output.js';
import { openInBrowser } from './browser.js';
import { onServer } from './client.js';

/** `share ID`: prints a link to a recording. */
export async function share(
  id: string,
  options: Output & { expiresIn?: string; permission?: 'view' | 'download' },
): Promise<void> {
  const { expiresIn, permission } = options;
  const seconds = ifGiven(expiresIn, (value) => durationOption('--expires-in', value, LIMITS.expiresIn));
  await onServer(async ({ api, signal }) => {
    const body = { permission, expires_in: seconds };
    const link = await api.post('/recordings/{id}/share-link', { path: { id }, body, signal });
    print(options, link, singleLine(link.share_url));
    const end = link.expires_at === null ? 'until it is revoked' : `until ${singleLine(link.expires_at)}`;
    notice(
      `Anyone with this link can ${link.permission === 'download' ? 'view and download' : 'view'} it ${end}.`,
    );
  });
}

/** The share page if one opens without a password, else the video, by its signed URL; no link is created. */
export const openRecording = (id: string, options: Output): Promise<void> =>
  onServer(async ({ api, signal }) => {
    const { videoUrl, downloadUrlExpiresAt } = await api.get('/recordings/{id}', { path: { id }, signal });
    const page = await findSharePage(api, id, signal);
    const url = page ?? videoUrl;
    if (url === null)
      throw refused(`${id}: has no video to open, and no share page; create one: ${CALLED} share ${id}`);
    const expiresAt = page === null ? downloadUrlExpiresAt : null;
    const kind = page === null ? 'video' : 'share_page';
    print(options, { id, url, kind, expires_at: expiresAt }, singleLine(url));
    if (expiresAt !== null) notice(`The video; its address works until ${singleLine(expiresAt)}.`);
    if (process.stdout.isTTY && /^https?:/.test(url)) openInBrowser(url);
  });

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
