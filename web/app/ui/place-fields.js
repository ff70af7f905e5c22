import { foldersOf } from '../folders.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { Field } from './form.js';

/** @typedef {{ id: string, name: string }} Named */
/** @typedef {{ organizationId?: string, folderId?: string }} Place */

/** @param {readonly Named[]} list @param {string} [none] @returns {import('./form.js').Options} */
const optionsOf = (list, none) => [
  ...(none === undefined ? [] : [/** @type {const} */ (['', none])]),
  ...list.map(({ id, name }) => /** @type {const} */ ([id, name])),
];

/**
 * Fields for an organization and, if it has any, one of its folders. `without`, `noFolder`: what no organization and no folder are
 * called; none can be chosen without the former.
 * @param {{ place: Place, choices: readonly Named[], without?: string, noFolder: string, onPlace: (place: Place) => void }} props
 */
export function PlaceFields({ place: { organizationId, folderId }, choices, without, noFolder, onPlace }) {
  const folders = foldersOf(organizationId);
  return html`<${Field}
      label=${t(COMMON.organization)}
      options=${optionsOf(choices, without)}
      value=${organizationId ?? ''}
      onValue=${(/** @type {string} */ id) => onPlace({ organizationId: id })}
    />
    ${
      folders.length > 0 &&
      html`<${Field}
        label=${t(COMMON.folder)}
        options=${optionsOf(folders, noFolder)}
        value=${folderId ?? ''}
        onValue=${(/** @type {string} */ id) => onPlace({ organizationId, folderId: id })}
      />`
    }`;
}
