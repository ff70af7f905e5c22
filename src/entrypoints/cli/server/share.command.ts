import { LIMITS } from '../../../contract/limits.js';
import { singleLine } from '../../../lib/text.js';
import { durationOption, ifGiven } from '../option-values.js';
import { notice, print, type Output } from '../output.js';
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
