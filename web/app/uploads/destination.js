import { html } from '../html.js';
import { useData } from '../data.js';
import { api } from '../api.js';
import { organizations, roleIn } from '../session.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { RECORD } from '../texts/uploads.js';
import { Field } from '../ui/form.js';

/** @import { Destination } from './queue.js' */

/** Roles that may create recordings. */
const CREATES = new Set(['OWNER', 'ADMIN', 'EDITOR']);
const mayCreateIn = (/** @type {string} */ id) => CREATES.has(roleIn(id) ?? '');

/** Where new recordings go: to what the list is filtered by, if one may create some there. @param {URLSearchParams} query @returns {Destination} */
export function destinationOf(query) {
  const organizationId = query.get('organization') ?? '';
  if (!mayCreateIn(organizationId)) return {};
  return { organizationId, folderId: query.get('folder') ?? undefined };
}

/** @param {Event} event */
const valueOf = ({ target }) => /** @type {HTMLSelectElement} */ (target).value || undefined;

/** Fields of a form for where a recording goes. @param {{ value: Destination, onChange: (destination: Destination) => void }} props */
export function DestinationFields({ value: { organizationId = '', folderId }, onChange }) {
  const open = organizations.value.filter(({ id }) => mayCreateIn(id));
  const { data: folders = [] } = useData(
    async (signal) =>
      organizationId
        ? api.get('/organizations/{id}/folders', {
            path: { id: organizationId },
            query: { limit: 100 },
            signal,
          })
        : [],
    [organizationId],
  );
  if (open.length === 0) return null;
  return html`<${Field}
      label=${t(RECORD.organization)}
      value=${organizationId}
      options=${[['', t(COMMON.personal)], ...open.map(({ id, name }) => [id, name])]}
      onChange=${(/** @type {Event} */ event) => onChange({ organizationId: valueOf(event) })}
    />
    ${
      folders.length > 0 &&
      html`<${Field}
        label=${t(RECORD.folder)}
        value=${folderId ?? ''}
        options=${[['', t(COMMON.noFolder)], ...folders.filter((one) => one.is_active).map(({ id, name }) => [id, name])]}
        onChange=${(/** @type {Event} */ event) => onChange({ organizationId, folderId: valueOf(event) })}
      />`
    }`;
}
