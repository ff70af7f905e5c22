import { api } from '../api.js';
import { usePages } from '../data.js';
import { html } from '../html.js';
import { at, route, setQuery } from '../router.js';
import { formatTime, t } from '../text.js';
import { AUDIT, FAMILIES, HAPPENINGS } from '../texts/changes.js';
import { Field } from '../ui/form.js';
import { attempt } from '../ui/parts.js';
import { List } from './list.js';
import { changesText } from './notation.js';
import { optionsOf } from './people.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Resource } from './list.js' */
/** @import { People } from './people.js' */

/** A type of change for people: `Share link revoked`; an unknown one as it is. @param {string} type */
export function typeText(type) {
  const [family = '', happening = ''] = type.split('.');
  const [noun, verb] = [FAMILIES[family], HAPPENINGS[happening]];
  return noun && verb ? `${t(noun)} ${t(verb)}` : type;
}

/** A filter in the URL. @param {{ name: string, label: string } & Record<string, unknown>} props */
export function Filter({ name, ...field }) {
  const onChange = (/** @type {Event} */ { currentTarget: control }) =>
    setQuery({ [name]: /** @type {HTMLInputElement} */ (control).value });
  return html`<${Field}
    name=${name}
    value=${route.value.query.get(name) ?? ''}
    onChange=${onChange}
    ...${field}
  />`;
}

const FILTERS = /** @type {const} */ (['type', 'actor_id', 'since', 'until']);
const filtersNow = () =>
  Object.fromEntries(FILTERS.map((name) => [name, route.value.query.get(name) || undefined]));

/** @type {Resource<Schemas['PresentedAuditEntry'], { id: string | null, people: People }>} */
const entries = {
  empty: AUDIT.empty,
  // It grows with everything that anybody does: what is read stays where it is.
  live: [],
  load({ id }) {
    const query = filtersNow();
    const inputs = [id, ...Object.values(query)];
    return id === null
      ? usePages('/me/audit-log', { query }, inputs)
      : usePages('/organizations/{id}/audit-log', { path: { id }, query }, inputs);
  },
  columns: ({ people }) => [
    [
      AUDIT.what,
      ({ type, email, user_id: userId, target_id: targetId, recording_id: recordingId, changes }) => {
        const whom = email ?? people.find(({ id }) => id === userId || id === targetId)?.name;
        return html`<span class="name">${typeText(type)}</span>${whom && html`: <bdi>${whom}</bdi>`}
          <span class="sub" dir="auto">${changesText(changes)}</span>
          ${recordingId && html`<a class="sub" href=${at(`/recordings/${recordingId}`)}>${t(AUDIT.recording)}</a>`}`;
      },
    ],
    [AUDIT.who, ({ actor: { name, kind } }) => html`<bdi>${name ?? t(AUDIT[kind])}</bdi>`],
    [AUDIT.when, (one) => formatTime(one.at)],
    [
      AUDIT.where,
      ({ address, client, api_key: key }) =>
        html`${address}${client && html`<bdi class="sub">${client}</bdi>`}${key?.prefix && html`<code class="sub">${key.prefix}…</code>`}`,
    ],
  ],
};

/** The audit log of an organization, or one's own with null; filters are in the URL. @param {{ id: string | null, people: People, title: string, isPage?: boolean }} props */
export function AuditLog({ id, people, title, isPage }) {
  const types = [
    ['', t(AUDIT.everything)],
    ...Object.entries(FAMILIES).map(([family, name]) => [`${family}.*`, t(name)]),
  ];
  const download = async () => {
    const query = { ...filtersNow(), format: /** @type {const} */ ('ndjson') };
    const text =
      id === null
        ? api.text('/me/audit-log', { query })
        : api.text('/organizations/{id}/audit-log', { path: { id }, query });
    save(await text, `${title}.ndjson`);
  };
  return html`<${List} of=${entries} context=${{ id, people }} title=${title} isPage=${isPage}>
    <div class="filters" role="group" aria-label=${t(AUDIT.filters)}>
      <${Filter} name="type" label=${t(AUDIT.what)} options=${types} />
      ${id && html`<${Filter} name="actor_id" label=${t(AUDIT.who)} options=${optionsOf(people, AUDIT.everybody)} />`}
      <${Filter} name="since" label=${t(AUDIT.since)} type="date" />
      <${Filter} name="until" label=${t(AUDIT.until)} type="date" />
      <button type="button" class="button" onClick=${() => attempt(download)}>${t(AUDIT.download)}</button>
    </div>
  <//>`;
}

/** Gives a text to the browser as a file. @param {string} text @param {string} name */
function save(text, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
