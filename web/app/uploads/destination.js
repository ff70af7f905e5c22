import { html } from '../html.js';
import { foldersOf } from '../library/folders.js';
import { organizations, roleIn } from '../session.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { RECORD } from '../texts/uploads.js';
import { Field } from '../ui/form.js';

/** @import { Destination } from './queue.js' */

const mayCreateIn = (/** @type {string} */ id) => !['VIEWER', undefined].includes(roleIn(id));

/** Where new recordings go: to what the list is filtered by, if one may create some there. @param {URLSearchParams} query @returns {Destination} */
export function destinationOf(query) {
  const organizationId = query.get('organization') ?? '';
  if (!mayCreateIn(organizationId)) return {};
  return { organizationId, folderId: query.get('folder') ?? undefined };
}

/** @param {Event} event */
const valueOf = ({ target }) => /** @type {HTMLSelectElement} */ (target).value || undefined;
const optionOf = (/** @type {{ id: string, name: string }} */ { id, name }) => [id, name];

/** Fields of a form for where a recording goes. @param {{ value: Destination, onChange: (destination: Destination) => void }} props */
export function DestinationFields({ value: { organizationId = '', folderId = '' }, onChange }) {
  const open = organizations.value.filter(({ id }) => mayCreateIn(id));
  const folders = foldersOf(organizationId).filter((one) => one.is_active);
  if (open.length === 0) return null;
  return html`<${Field}
      label=${t(RECORD.organization)}
      value=${organizationId}
      options=${[['', t(COMMON.personal)], ...open.map(optionOf)]}
      onChange=${(/** @type {Event} */ event) => onChange({ organizationId: valueOf(event) })}
    />
    ${
      folders.length > 0 &&
      html`<${Field}
        label=${t(RECORD.folder)}
        value=${folderId}
        options=${[['', t(COMMON.noFolder)], ...folders.map(optionOf)]}
        onChange=${(/** @type {Event} */ event) => onChange({ organizationId, folderId: valueOf(event) })}
      />`
    }`;
}
