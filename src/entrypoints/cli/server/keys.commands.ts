import type { Schemas } from 'meeting-recording-client';
import { singleLine } from '../../../lib/text.js';
import { keyCells, KEY_TITLES } from '../commands/key-cells.js';
import { confirm, type Confirmable } from '../confirm.js';
import { notFound, refused, usageError } from '../exit-status.js';
import { keyOptions, type KeyOptions } from '../key-options.js';
import { print, printList, type Output } from '../output.js';
import { onServer } from './client.js';

/** `keys list`: those of the user. */
export const listKeys = (options: Output): Promise<void> =>
  onServer(({ api, signal }) =>
    printList(options, async () => ({ rows: await api.get('/api-keys', { signal }) }), {
      cells: keyCells,
      titles: KEY_TITLES,
      none: 'You have no API keys.',
    }),
  );

/** `keys create`: for the user themselves. */
export async function createKey(options: Output & KeyOptions): Promise<void> {
  const { name, scopes, organizationIds, folderIds, addresses, expiresAt, expiresIn } = keyOptions(options);
  const reach = { organizations: organizationIds, folders: folderIds, addresses };
  const body = { name, scopes, ...reach, expires_at: expiresAt, expires_in: expiresIn };
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
    const key = chosen(await api.get('/api-keys', { signal }), given.trim());
    const name = `${singleLine(key.prefix)} (${singleLine(key.name)})`;
    await confirm(`Revoke ${name} permanently`, options);
    await api.delete('/api-keys/{id}', { path: { id: key.id }, signal });
    print(options, { id: key.id, prefix: key.prefix }, `Revoked ${name}.`);
  });

function chosen(keys: readonly Schemas['ApiKey'][], given: string): Schemas['ApiKey'] {
  const found = keys.filter(({ id, prefix }) => id === given || prefix === given);
  const [key, another] = found;
  if (!key) throw notFound(`key: you have no API key with the id or first 12 characters "${given}"`);
  if (another) throw usageError(`key: several of your API keys begin with "${given}"; give the id of one`);
  if (key.is_revoked) throw refused(`key: ${key.prefix} has been revoked already`);
  return key;
}
