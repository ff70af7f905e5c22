import { organizations } from '../session.js';

/** @import { Place } from '../ui/place-fields.js' */

/** Where somebody may create recordings. */
export const placesToCreate = () => organizations.value.filter(({ role }) => role !== 'VIEWER');

/** Where new recordings go: to what the list is filtered by, if one may create some there. @param {URLSearchParams} query @returns {Place} */
export function destinationOf(query) {
  const organizationId = query.get('organization');
  const place = placesToCreate().find(({ id }) => id === organizationId);
  return place ? { organizationId: place.id, folderId: query.get('folder') ?? undefined } : {};
}
