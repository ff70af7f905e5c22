import { api } from '../api.js';
import { useData } from '../data.js';
import { html } from '../html.js';
import { route } from '../router.js';
import { organizations } from '../session.js';
import { t } from '../text.js';
import { FILTERS } from '../texts/insights.js';
import { Filter } from '../ui/filter.js';

/** Folders that can be chosen from. */
const MAX_FOLDERS = 500;
const NAMES = /** @type {const} */ (['organization_id', 'folder_id', 'date_from', 'date_to']);

/** What the filters in the URL leave, as the API takes it. */
export function filtersOf() {
  const found = NAMES.map((name) => [name, route.value.query.get(name)]).filter(([, value]) => value);
  return /** @type {Partial<Record<(typeof NAMES)[number], string>>} */ (Object.fromEntries(found));
}

/** @param {string | undefined} organization */
async function foldersOf(organization) {
  const folders = [];
  if (!organization) return [];
  const options = { path: { id: organization }, query: { limit: 100 } };
  for await (const folder of api.list('/organizations/{id}/folders', options)) {
    folders.push(folder);
    if (folders.length >= MAX_FOLDERS) break;
  }
  return folders;
}

/** @param {readonly { id: string, name: string }[]} list */
const choices = (list) => [['', t(FILTERS.all)], ...list.map(({ id, name }) => [id, name])];

/** Which meetings: of an organization, in a folder, between two days. @param {{ children?: unknown }} props */
export function Filters({ children }) {
  const { organization_id: organization, date_from: from, date_to: to } = filtersOf();
  const folders = useData(() => foldersOf(organization), [organization]).data ?? [];
  return html`<div class="filters" role="group" aria-label=${t(FILTERS.title)}>
    ${children}
    <${Filter}
      name="organization_id"
      label=${t(FILTERS.organization)}
      options=${choices(organizations.value)}
      sets=${{ folder_id: '' }}
    />
    ${folders.length > 0 && html`<${Filter} name="folder_id" label=${t(FILTERS.folder)} options=${choices(folders)} />`}
    <${Filter} name="date_from" label=${t(FILTERS.from)} type="date" max=${to} />
    <${Filter} name="date_to" label=${t(FILTERS.to)} type="date" min=${from} />
  </div>`;
}
