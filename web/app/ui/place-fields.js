import { foldersOf } from '../folders.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { Field } from './form.js';

/** @typedef {{ id: string, name: string }} Named */
/** @typedef {{ organizationId?: string | null, folderId?: string | null }} Place */

/** @param {string | false} none @param {readonly Named[]} list */
const optionsOf = (none, list) => [
  ...(none === false ? [] : [['', none]]),
  ...list.map(({ id, name }) => [id, name]),
];

/**
 * Fields for an organization and, if it has any, one of its folders. `without`, `noFolder`: what none of them is called; false: there has to be one.
 * @param {{ place: Place, choices: readonly Named[], without: string | false, noFolder: string, onPlace: (place: Place) => void }} props
 */
export function PlaceFields({ place: { organizationId, folderId }, choices, without, noFolder, onPlace }) {
  const folders = foldersOf(organizationId);
  return html`<${Field}
      label=${t(COMMON.organization)}
      options=${optionsOf(without, choices)}
      value=${organizationId ?? ''}
      onValue=${(/** @type {string} */ id) => onPlace({ organizationId: id })}
    />
    ${
      folders.length > 0 &&
      html`<${Field}
        label=${t(COMMON.folder)}
        options=${optionsOf(noFolder, folders)}
        value=${folderId ?? ''}
        onValue=${(/** @type {string} */ id) => onPlace({ organizationId, folderId: id })}
      />`
    }`;
}
