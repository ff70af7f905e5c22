import { singleLine } from '../../../lib/text.js';
import { confirm, type Confirmable } from '../confirm.js';
import { usageError } from '../exit-status.js';
import { print, type Output } from '../output.js';
import { onServer } from './client.js';

/** `recordings move ID`. */
export async function moveRecording(
  id: string,
  options: Output & Confirmable & { organization?: string; folder?: string; personal?: boolean },
): Promise<void> {
  const { organization, folder, personal } = options;
  if (!personal && organization === undefined && folder === undefined)
    throw usageError('Say where to: --organization, --folder or --personal.');
  const body = personal
    ? { organization_id: null, folder_id: null }
    : { ...(organization && { organization_id: organization }), folder_id: folder ?? null };
  await onServer(async ({ api, signal }) => {
    const path = { id };
    const { title: name } = await api.get('/recordings/{id}', { path, signal });
    // Within an organization, they stay.
    if (personal || organization !== undefined)
      await confirm(`Move "${singleLine(name)}" and delete its share links`, options);
    await api.patch('/recordings/{id}', { path, body, signal });
    const { title, organizationId, folderId } = await api.get('/recordings/{id}', { path, signal });
    const place = folderId ? `folder ${folderId}` : (organizationId ?? 'personal recordings');
    print(options, { id, organizationId, folderId }, `Moved "${singleLine(title)}" to ${singleLine(place)}.`);
  });
}
