import { useState } from 'preact/hooks';
import { html } from '../html.js';
import { route, setQuery } from '../router.js';
import { organizations } from '../session.js';
import { t } from '../text.js';
import { FILTERS } from '../texts/library.js';
import { Field } from '../ui/form.js';
import { foldersOf } from './folders.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {{ organization_id?: string, folder_id?: string, status?: Schemas['RecordingStatus'][], date_from?: string, date_to?: string }} Query What the API is asked for */

/** The parameters of the URL. */
const NAMES = /** @type {const} */ (['organization', 'folder', 'status', 'from', 'to']);
/** @type {Readonly<Record<string, Schemas['RecordingStatus'][]>>} */
const STATUSES = {
  live: ['STARTING', 'CONNECTING', 'WAIT_APPROVAL', 'RECORDING'],
  making: ['UPLOADING', 'PROCESSING', 'TRANSCODING'],
  ready: ['MIGRATING', 'COMPLETED'],
  failed: ['ERROR'],
};
/** What the URL asks for; days are those of the reader. @param {URLSearchParams} params @returns {Query} */
export function queryOf(params) {
  const [organization, folder, status, from, to] = NAMES.map((name) => params.get(name) ?? '');
  const [date_from, date_to] = [moment(`${from}T00:00:00`), moment(`${to}T23:59:59.999`)];
  const statuses = STATUSES[status ?? ''];
  return {
    ...(organization && { organization_id: organization }),
    ...(organization && folder && { folder_id: folder }),
    ...(statuses && { status: statuses }),
    ...(date_from && { date_from }),
    ...(date_to && { date_to }),
  };
}

/** Undefined for what is no time, or a year that is still being typed. @param {string} local */
function moment(local) {
  const time = new Date(local);
  return time.getFullYear() >= 1970 ? time.toISOString() : undefined;
}

/** How many filters are set. @param {URLSearchParams} params */
export const countFilters = (params) => NAMES.filter((name) => params.get(name)).length;

/** Shows everything again. */
export const clearFilters = () => setQuery(Object.fromEntries(NAMES.map((name) => [name, undefined])));

/** The bar of filters, which folds on phones. */
export function Filters() {
  const { query } = route.value;
  const [isOpen, setOpen] = useState(false);
  const count = countFilters(query);
  const organization = query.get('organization') ?? '';
  const folders = foldersOf(organization);
  const field = (/** @type {(typeof NAMES)[number]} */ name) => ({
    name,
    value: query.get(name) ?? '',
    onChange: (/** @type {Event} */ { target }) => {
      const { value } = /** @type {HTMLInputElement | HTMLSelectElement} */ (target);
      setQuery({ [name]: value, ...(name === 'organization' && { folder: undefined }) });
    },
  });
  return html`<button
      type="button"
      class="button filters-button"
      aria-expanded=${isOpen}
      onClick=${() => setOpen(!isOpen)}
    >
      ${t(FILTERS.title)}${count > 0 && ` (${count})`}
    </button>
    <div class=${isOpen ? 'filters' : 'filters folded'} role="group" aria-label=${t(FILTERS.title)}>
      ${
        organizations.value.length > 0 &&
        html`<${Field}
          label=${t(FILTERS.organization)}
          options=${[['', t(FILTERS.everything)], ...organizations.value.map(({ id, name }) => [id, name])]}
          ...${field('organization')}
        />`
      }
      ${
        folders.length > 0 &&
        html`<${Field}
          label=${t(FILTERS.folder)}
          options=${[['', t(FILTERS.allFolders)], ...folders.map(({ id, name }) => [id, name])]}
          ...${field('folder')}
        />`
      }
      <${Field}
        label=${t(FILTERS.status)}
        options=${[['', t(FILTERS.anyStatus)], ...Object.keys(STATUSES).map((key) => [key, t(FILTERS[/** @type {'live'} */ (key)])])]}
        ...${field('status')}
      />
      ${
        /** @type {const} */ (['from', 'to']).map(
          (name) =>
            html`<div class="field" key=${name}>
              <label for=${`filter-${name}`}>${t(FILTERS[name])}</label>
              <input type="date" id=${`filter-${name}`} ...${field(name)} />
            </div>`,
        )
      }
      ${
        count > 0 &&
        html`<button type="button" class="button" onClick=${clearFilters}>${t(FILTERS.clear)}</button>`
      }
    </div>`;
}
