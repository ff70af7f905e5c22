import type { LeftBehind } from '../../modules/organization-management/members/departures.service.js';
import { counted, singleLine } from '../../platform/text.js';

/** What ended with memberships, as the continuation of a sentence; empty if nothing did. */
export function leftInWords(left: LeftBehind): string {
  const ended = [
    ...(left.shareLinks === 0 ? [] : [counted(left.shareLinks, 'share link')]),
    ...(left.invitations === 0 ? [] : [counted(left.invitations, 'pending invitation')]),
  ];
  const { disabledWebhooks } = left;
  const webhooks = disabledWebhooks.map(({ id, url }) => `${singleLine(url)} (${id})`).join(', ');
  return [
    ...(ended.length === 0 ? [] : [`; ended ${ended.join(' and ')}`]),
    ...(webhooks === '' ? [] : [`; disabled ${counted(disabledWebhooks.length, 'webhook')}: ${webhooks}`]),
  ].join('');
}
