import { singleLine } from '../../../lib/text.js';
import { notFound, refused, usageError } from '../exit-status.js';
import { keyCells, keyOptions, KEY_TITLES, revokeConfirmed, type KeyOptions } from '../keys.js';
import { print, printList, type Output } from '../output.js';
import type { Confirmable } from '../prompts.js';
import { onServer } from './client.js';
import { LIMITS } from '../../../contract/limits.js';

export const listKeys = (options: Output): Promise<void> =>
  onServer(async ({ api, signal }) =>
    printList(options, await api.get('/api-keys', { signal }), {
      cells: keyCells,
      titles: KEY_TITLES,
      none: 'You have no API keys.',
    }),
  );

/** `keys create`: for the user themselves. */
export async function createKey(options: Output & KeyOptions): Promise<void> {
  const body = keyOptions(options);
  await onServer(async ({ api, signal }) => {
    const created = await api.post('/api-keys', { body, signal });
    const { key, prefix } = created;
    // Sent again, as the first reply was lost.
    if (key === null)
      throw refused(
        `The connection broke before ${singleLine(prefix)} arrived. Revoke it, and create another.`,
      );
    print(options, created, singleLine(key));
  });
}

/** `keys revoke KEY`: its id, or its prefix. */
export const revokeKey = (given: string, options: Output & Confirmable): Promise<void> =>
  onServer(async ({ api, signal }) => {
    const named = given.trim();
    const keys = await api.get('/api-keys', { signal });
    const [key, another] = keys.filter(({ id, prefix }) => id === named || prefix === named);
    if (!key)
      throw notFound(
        `key: you have no API key with the id or first ${LIMITS.apiKeyPrefix} characters "${named}"`,
      );
    if (another) throw usageError(`key: several of your API keys begin with "${named}"; give the id of one`);
    if (key.is_revoked) throw refused(`key: ${key.prefix} has been revoked already`);
    await revokeConfirmed(key, options, () => api.delete('/api-keys/{id}', { path: { id: key.id }, signal }));
  });
