import { singleLine } from '../../../lib/text.js';
import { durationOption } from '../option-values.js';
import { notice, print, type Output } from '../output.js';
import { onServer } from './client.js';

/** Seconds after which a link expires. */
const LIFE = { min: 60, max: 10 * 365 * 86_400 };

/** `share ID`: prints a link to a recording. */
export async function share(
  id: string,
  options: Output & { expiresIn?: string; permission?: 'view' | 'download' },
): Promise<void> {
  const { expiresIn, permission } = options;
  const seconds = expiresIn === undefined ? null : durationOption('--expires-in', expiresIn, LIFE);
  const expiresAt = seconds === null ? null : new Date(Date.now() + seconds * 1000).toISOString();
  await onServer(async ({ api, signal }) => {
    const body = { ...(permission && { permission }), expires_at: expiresAt };
    const link = await api.post('/recordings/{id}/share-link', { path: { id }, body, signal });
    print(options, link, singleLine(link.share_url));
    const end = link.expires_at === null ? 'until it is revoked' : `until ${singleLine(link.expires_at)}`;
    notice(
      `Anyone with this link can ${link.permission === 'download' ? 'view and download' : 'view'} it ${end}.`,
    );
  });
}
