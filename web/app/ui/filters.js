// Filters of lists, which are parameters of the URL.
import { useState } from 'preact/hooks';
import { html } from '../html.js';
import { route, setQuery } from '../router.js';
import { organizations } from '../session.js';
import { t } from '../text.js';
import { COMMON, FILTERS } from '../texts/common.js';
import { Field } from './form.js';
import { PlaceFields } from './place-fields.js';

/** The value of a filter; undefined for one that is not set. @param {string} name */
export const filterOf = (name) => route.value.query.get(name)?.trim() || undefined;

/** Which meetings the filters leave, as the API takes it; days are those of the reader. */
export const meetingFilters = () => ({
  organization_id: filterOf('organization'),
  folder_id: filterOf('folder'),
  date_from: moment(`${filterOf('from')}T00:00:00`),
  date_to: moment(`${filterOf('to')}T23:59:59.999`),
});

/** Undefined for what is no time, or a year that is still being typed. @param {string} local */
function moment(local) {
  const time = new Date(local);
  return time.getFullYear() >= 1970 ? time.toISOString() : undefined;
}

/** The names of the filters that are set; words to search for are none. */
const namesOfSet = () => [...route.value.query.keys()].filter((name) => name !== 'q');

/** Whether anything is filtered. */
export const isFiltered = () => namesOfSet().length > 0;

/** The button that shows everything again. */
export const ClearFilters = () =>
  html`<button
    class="button"
    onClick=${() => setQuery(Object.fromEntries(namesOfSet().map((name) => [name, ''])))}
  >
    ${t(FILTERS.clear)}
  </button>`;

/** A filter. @param {{ name: string, label: string } & Record<string, unknown>} props as of `Field` */
export function Filter({ name, ...field }) {
  const onValue = (/** @type {string} */ value) => setQuery({ [name]: value });
  return html`<${Field}
    name=${name}
    value=${route.value.query.get(name) ?? ''}
    onValue=${onValue}
    ...${field}
  />`;
}

/** @param {import('./place-fields.js').Place} place */
const setPlace = ({ organizationId, folderId }) =>
  setQuery({ organization: organizationId, folder: folderId });

/** The filters of a list: which meetings, and others as children. They fold on phones. @param {{ children?: unknown }} props */
export function Filters({ children }) {
  const [isOpen, setOpen] = useState(false);
  const { length: n } = namesOfSet();
  const place = { organizationId: filterOf('organization'), folderId: filterOf('folder') };
  return html`<button class="button filters-button" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
      ${t(FILTERS.title)}${n > 0 && ` (${n})`}
    </button>
    <div class=${isOpen ? 'filters' : 'filters folded'} role="group" aria-label=${t(FILTERS.title)}>
      ${children}
      ${
        organizations.value.length > 0 &&
        html`<${PlaceFields}
          place=${place}
          choices=${organizations.value}
          without=${t(COMMON.all)}
          noFolder=${t(COMMON.all)}
          onPlace=${setPlace}
        />`
      }
      <${Filter} name="from" label=${t(FILTERS.from)} type="date" />
      <${Filter} name="to" label=${t(FILTERS.to)} type="date" />
      ${n > 0 && html`<${ClearFilters} />`}
    </div>`;
}
